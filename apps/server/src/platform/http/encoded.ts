/** Answers that are encoded once and sent to many: the same bytes for every device of an audience. */
import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'

const compress = promisify(gzip)
/** Compression level. Templates hardly compress, and the fastest level gains nearly as much as any. */
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
  /** Return the answer of this key, created where it is missing; concurrent callers share one creation. */
  get(key: string, make: () => Promise<unknown>): Promise<EncodedAnswer>
}

/** Return a cache that drops the least recently used answers. @param limit bytes it may hold */
export function createEncodedCache(limit: number): EncodedCache {
  const made = new Map<string, { answer: Promise<EncodedAnswer>; bytes: number }>()
  let storedBytes = 0

  function forget(key: string): void {
    storedBytes -= made.get(key)?.bytes ?? 0
    made.delete(key)
  }

  return {
    get(key, make) {
      const cached = made.get(key)
      if (cached !== undefined) {
        made.delete(key)
        made.set(key, cached)
        return cached.answer
      }
      const entry = { answer: make().then(encode), bytes: 0 }
      made.set(key, entry)
      entry.answer.then(
        ({ bytes }) => {
          if (made.get(key) !== entry) return
          entry.bytes = bytes.byteLength
          storedBytes += entry.bytes
          for (const oldest of made.keys()) {
            if (storedBytes <= limit) break
            forget(oldest)
          }
        },
        () => forget(key),
      )
      return entry.answer
    },
  }
}
