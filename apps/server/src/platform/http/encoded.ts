/** Answers encoded once and given to many: the same bytes for every device of an audience. */
import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'

const compress = promisify(gzip)
/** Templates hardly compress: the fastest level takes off almost all there is. */
const LEVEL = 1

/** The envelope of a call, as gzip. */
export class EncodedAnswer {
  readonly bytes: Buffer
  readonly etag: string
  constructor(bytes: Buffer) {
    this.bytes = bytes
    this.etag = `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 22)}"`
  }
}

const encode = async (data: unknown): Promise<EncodedAnswer> =>
  new EncodedAnswer(await compress(JSON.stringify({ code: 0, message: '', data }), { level: LEVEL }))

export interface EncodedCache {
  /** The answer under this key, made where it is not there; whoever asks meanwhile waits for the same making. */
  get(key: string, make: () => Promise<unknown>): Promise<EncodedAnswer>
}

/** A cache that forgets what was not asked for longest. @param limit bytes it may hold */
export function createEncodedCache(limit: number): EncodedCache {
  const made = new Map<string, { answer: Promise<EncodedAnswer>; bytes: number }>()
  let held = 0

  function forget(key: string): void {
    held -= made.get(key)?.bytes ?? 0
    made.delete(key)
  }

  return {
    get(key, make) {
      const known = made.get(key)
      if (known !== undefined) {
        made.delete(key)
        made.set(key, known)
        return known.answer
      }
      const entry = { answer: make().then(encode), bytes: 0 }
      made.set(key, entry)
      entry.answer.then(
        ({ bytes }) => {
          if (made.get(key) !== entry) return
          entry.bytes = bytes.byteLength
          held += entry.bytes
          for (const oldest of made.keys()) {
            if (held <= limit) break
            forget(oldest)
          }
        },
        () => forget(key),
      )
      return entry.answer
    },
  }
}
