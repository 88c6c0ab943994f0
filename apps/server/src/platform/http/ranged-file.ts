/** A file that clients may request in parts by Range, so that an interrupted download can be resumed. */
import type { Readable } from 'node:stream'

export class RangedFile {
  /** Bytes. */
  readonly size: number
  /** Changes with the content. */
  readonly etag: string
  /** Return the bytes from `start` to before `end`. */
  readonly read: (start: number, end: number) => Readable
  constructor(of: { size: number; etag: string; read: (start: number, end: number) => Readable }) {
    this.size = of.size
    this.etag = of.etag
    this.read = of.read
  }
}
