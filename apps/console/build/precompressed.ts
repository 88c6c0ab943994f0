/** Every text of the build once more as .br and .gz: the server hands these out, and compresses nothing while somebody waits. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import type { Plugin } from 'vite'

const TEXT = /\.(js|css|html|svg|json)$/
/** Bytes below which a file fits into one packet as it is. */
const WORTH_IT = 1024

export function precompressed(): Plugin {
  return {
    name: 'precompressed',
    apply: 'build',
    writeBundle({ dir }, bundle) {
      for (const name of Object.keys(bundle)) {
        if (dir === undefined || !TEXT.test(name)) continue
        const file = join(dir, name)
        const content = readFileSync(file)
        if (content.length < WORTH_IT) continue
        writeFileSync(
          `${file}.br`,
          brotliCompressSync(content, {
            params: { [constants.BROTLI_PARAM_QUALITY]: 10, [constants.BROTLI_PARAM_SIZE_HINT]: content.length },
          }),
        )
        writeFileSync(`${file}.gz`, gzipSync(content, { level: 9 }))
      }
    },
  }
}
