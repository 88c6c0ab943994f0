/** Scripts of the built console by page, in the sizes the server sends. */
import { existsSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'

const DIST = join(import.meta.dirname, '../../apps/console/dist')

/** A file of the build's manifest, by its module, or by its own name with `_` in front. */
interface BuiltFile {
  file: string
  /** Keys of the files it imports statically. */
  imports?: readonly string[]
}

const sizeOf = (file: string): number => {
  const path = join(DIST, file)
  return statSync(existsSync(`${path}.br`) ? `${path}.br` : path).size
}

/**
 * Return the bytes of scripts, compressed with brotli, that a browser loads before a page shows anything: the entry of the console, the
 * page's own file, and their static imports.
 *
 * @param page path of its module within `src`
 */
export function scriptBytesOf(page: string): number {
  const manifest = JSON.parse(readFileSync(join(DIST, '.vite/manifest.json'), 'utf8')) as Record<string, BuiltFile>
  const files = new Set(
    [...readFileSync(join(DIST, 'index.html'), 'utf8').matchAll(/ src="\.\/(assets\/[^"]+\.js)"/g)].map(([, file]) => file!),
  )
  const keys = new Set([`src/${page}`, ...Object.keys(manifest).filter((key) => files.has(manifest[key]!.file))])
  // The set grows while it is walked.
  for (const key of keys) {
    const built = manifest[key]
    if (built === undefined) throw new Error(`the build has no ${key}`)
    files.add(built.file)
    for (const imported of built.imports ?? []) keys.add(imported)
  }
  return [...files].reduce((bytes, file) => bytes + sizeOf(file), 0)
}
