/** Input of readers, on its way into the passage. */
import type { FrameQueue } from '../passage/camera.ts'
import type { Input } from '../passage/inputs.ts'
import { Paused, type Passage } from '../passage/passage.ts'
import type { Reader, ReaderEvent } from './reader.ts'

export interface TakingOptions {
  queue: FrameQueue
  passage: Pick<Passage, 'show' | 'portraitOf'>
  log: (sentence: string) => void
}

/** Start the readers. @returns a function that stops them */
export function takeReaders(readers: readonly Reader[], { queue, passage, log }: TakingOptions): () => void {
  async function inputOf(event: ReaderEvent): Promise<Exclude<Input, { kind: 'face' }>> {
    if (event.kind !== 'idCard') return event
    const { number, portrait } = event
    return { kind: 'idCard', number, portrait: portrait && (await queue.picture(() => passage.portraitOf(portrait))) }
  }

  const take = (event: ReaderEvent, source: string) =>
    void inputOf(event)
      .then((input) => passage.show(input, source))
      .catch((error: unknown) => {
        // The delay has been logged, once for all inputs it affects.
        if (error instanceof Paused) return
        log(`What a reader read could not be decided about: ${error instanceof Error ? error.message : String(error)}`)
      })

  for (const [place, reader] of readers.entries()) reader.start((event) => take(event, `reader ${place + 1}`))
  return () => readers.forEach((reader) => reader.stop())
}
