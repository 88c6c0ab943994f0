/** A tap on a reader for the console: the console shows the next card, which opens no door. */
import type { WiegandProbe } from './detection.ts'
import type { Reader, ReaderEvent } from '../readers/reader.ts'

/** Milliseconds within which a card must be presented. */
const WITHIN = 15_000

/** @returns the readers to start in place of these, and the probe; null without any reader */
export function tapReaders(readers: readonly Reader[]): { readers: readonly Reader[]; probe: WiegandProbe | null } {
  let take: ((event: ReaderEvent) => void) | null = null

  const tapped = readers.map((reader): Reader => ({
    start: (onEvent) => reader.start((event) => (take && event.kind === 'card' ? take(event) : onEvent(event))),
    stop: () => reader.stop(),
  }))

  async function next(): Promise<string> {
    const { promise, resolve, reject } = Promise.withResolvers<string>()
    const timer = setTimeout(() => reject(new Error('no card')), WITHIN)
    take = (event) => event.kind === 'card' && resolve(event.number)
    try {
      return await promise
    } finally {
      clearTimeout(timer)
      take = null
    }
  }

  return { readers: tapped, probe: readers.length > 0 ? { next } : null }
}
