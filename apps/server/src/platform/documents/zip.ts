/** Access to uploaded zips, for parsers. */
import type { Readable } from 'node:stream'
import { RandomAccessReader, fromRandomAccessReaderPromise, type ZipFile } from 'yauzl'
import type { ReadableFile } from '../http/received-file.ts'

/** Random access to a file for a zip reader. */
class FileReader extends RandomAccessReader {
  readonly #file: ReadableFile
  constructor(file: ReadableFile) {
    super()
    this.#file = file
  }

  override _readStreamForRange(start: number, end: number): Readable {
    return this.#file.stream(start, end)
  }

  /** Read without a stream: heads of entries are a few bytes each, and a stream for each would dominate the time. */
  override read(buffer: Buffer, offset: number, length: number, position: number, callback: (error: Error | null) => void): void {
    this.#file.read(position, length).then((bytes) => {
      bytes.copy(buffer, offset)
      callback(bytes.length < length ? new Error('the zip ends before its end') : null)
    }, callback)
  }
}

export const openZip = (file: ReadableFile): Promise<ZipFile> =>
  fromRandomAccessReaderPromise(new FileReader(file), file.size, {
    lazyEntries: true,
    autoClose: false,
    decodeStrings: false,
    validateEntrySizes: true,
  })
