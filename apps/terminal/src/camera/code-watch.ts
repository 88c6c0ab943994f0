/** QR codes that are held before the camera: a few pictures a second are searched, and a code is shown to the passage. */
import type { FindCode } from './code-finder.ts'

export interface CodeWatch {
  /** Search a picture, unless one is being searched, the last search was a moment ago, or no code is expected. */
  take(picture: Uint8Array): void
  /** Resolves when no picture is being searched. */
  settled(): Promise<void>
}

export interface CodeWatchOptions {
  find: FindCode
  /** Return whether a code would be of use now. */
  isExpected: () => boolean
  /** Return whether a text may be of this park: codes on posters and phones are left alone. */
  isOurs: (text: string) => boolean
  /** Show a code to the passage; return whether it was refused. */
  show: (text: string) => Promise<boolean>
  log: (sentence: string) => void
  now?: () => number
}

/** Milliseconds between the starts of two searches. */
const EVERY = 350
/** Milliseconds without a code after which it counts as taken away. */
const GONE_AFTER = 2_000

export function createCodeWatch({ find, isExpected, isOurs, show, log, now = () => performance.now() }: CodeWatchOptions): CodeWatch {
  let searchedAt = -Infinity
  let searching: Promise<void> | null = null
  /** The code that was taken last. It is not shown again while it is still held there; a refused one is. */
  let taken: { text: string; seenAt: number } | null = null

  async function search(picture: Uint8Array): Promise<void> {
    try {
      const text = await find(picture)
      if (text === null || !isOurs(text)) return
      if (taken?.text === text && now() - taken.seenAt < GONE_AFTER) taken.seenAt = now()
      else taken = (await show(text)) ? null : { text, seenAt: now() }
    } catch (error) {
      log(`A picture could not be searched for codes: ${error instanceof Error ? error.message : String(error)}`)
    }
  }

  return {
    take(picture) {
      if (searching !== null || now() - searchedAt < EVERY) return
      if (!isExpected()) {
        // Nobody has looked whether the code is still there.
        if (taken) taken.seenAt = now()
        return
      }
      searchedAt = now()
      searching = search(picture).finally(() => (searching = null))
    },
    async settled() {
      await searching
    },
  }
}
