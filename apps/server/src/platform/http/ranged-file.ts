/** A file that may be asked for in parts, by Range: whoever was broken off goes on where he was. */
import type { Readable } from 'node:stream'

export class RangedFile {
  /** Bytes. */
  readonly size: number
  /** Another one with another content. */
  readonly etag: string
  /** The bytes from `start` to before `end`. */
  readonly read: (start: number, end: number) => Readable
  constructor(of: { size: number; etag: string; read: (start: number, end: number) => Readable }) {
    this.size = of.size
    this.etag = of.etag
    this.read = of.read
  }
}
