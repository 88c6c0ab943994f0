/** Persons to whom many searches are limited. */

/** A list of persons that stays as it is: a thread that searches is told of it once, not with every search. */
export class PersonList {
  readonly ids: ReadonlySet<string>

  /** Keeps a copy. */
  constructor(ids: Iterable<string>) {
    this.ids = new Set(ids)
  }
}

/** Ids that a thread knows at most, in all lists; one list may be longer. */
const IDS_MAX = 1_000_000

/** The lists that a thread knows: beyond so many ids it forgets those that were not needed for longest. */
export class KnownLists {
  readonly #idsMax: number
  /** Numbers of the lists; the one needed last stands last. */
  readonly #numbers = new Map<PersonList, number>()
  #ids = 0
  #given = 0

  constructor(idsMax: number = IDS_MAX) {
    this.#idsMax = idsMax
  }

  /** Return the number of a list. @param announce called where the thread does not know it yet, with the numbers of those to forget */
  numberOf(list: PersonList, announce: (number: number, forgotten: readonly number[]) => void): number {
    const existing = this.#numbers.get(list)
    const number = existing ?? ++this.#given
    this.#numbers.delete(list)
    this.#numbers.set(list, number)
    if (existing !== undefined) return number
    this.#ids += list.ids.size
    const forgotten: number[] = []
    for (const [oldest, of] of this.#numbers) {
      if (this.#ids <= this.#idsMax || oldest === list) break
      this.#numbers.delete(oldest)
      this.#ids -= oldest.ids.size
      forgotten.push(of)
    }
    announce(number, forgotten)
    return number
  }
}
