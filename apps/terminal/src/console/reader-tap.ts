/** Lets the console try a reader: the next card held up is shown there, and opens nothing. */
import type { WiegandProbe } from './detection.ts'
import type { Reader, ReaderEvent } from '../readers/reader.ts'

/** Milliseconds somebody has to hold up a card. */
const WITHIN = 15_000

/** @returns readers to start instead, and the probe; null where there is no reader at all */
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
