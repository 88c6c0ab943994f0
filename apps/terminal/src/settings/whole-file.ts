/** Small files that are written completely or not at all: after a power failure the content is the old or the new one. */
import { closeSync, fsyncSync, openSync, renameSync, writeSync } from 'node:fs'

/**
 * Replace a file, readable by its owner only. It is on the disk when this returns.
 * @throws when it cannot be written; the old content stays
 */
export function writeWhole(file: string, content: string | Uint8Array): void {
  const draft = `${file}.new`
  const bytes = typeof content === 'string' ? Buffer.from(content) : content
  const handle = openSync(draft, 'w', 0o600)
  try {
    for (let written = 0; written < bytes.length;) written += writeSync(handle, bytes, written)
    fsyncSync(handle)
  } finally {
    closeSync(handle)
  }
  renameSync(draft, file)
}
