/** The nearest persons so far, each once, in an order that does not depend on who came first. */
import type { GalleryMatch } from './entry.ts'

interface Ranked {
  personId: string
  photoId: string
  squared: number
}

/** Nearest first; the smaller person id, then the smaller photo id, where distances are the same to the last bit. */
const before = (a: Ranked, b: Ranked): boolean =>
  a.squared !== b.squared ? a.squared < b.squared : a.personId !== b.personId ? a.personId < b.personId : a.photoId < b.photoId

export class Ranking {
  readonly #limit: number
  readonly #best: Ranked[] = []
  /** Photographs farther than this (squared) change nothing any more. */
  bound: number

  constructor(limit: number, within: number) {
    this.#limit = limit
    this.bound = limit >= 1 && within >= 0 ? within * within : -1
  }

  offer(personId: string, photoId: string, squared: number): void {
    if (squared > this.bound) return
    const best = this.#best
    const offered = { personId, photoId, squared }
    const existing = best.findIndex((match) => match.personId === personId)
    if (existing >= 0) {
      if (!before(offered, best[existing]!)) return
      best.splice(existing, 1)
    }
    let place = best.length
    while (place > 0 && before(offered, best[place - 1]!)) place--
    best.splice(place, 0, offered)
    if (best.length > this.#limit) best.pop()
    if (best.length + 1 > this.#limit) this.bound = Math.min(this.bound, best.at(-1)!.squared)
  }

  matches(): GalleryMatch[] {
    return this.#best.map(({ personId, photoId, squared }) => ({ personId, photoId, distance: Math.sqrt(squared) }))
  }
}
