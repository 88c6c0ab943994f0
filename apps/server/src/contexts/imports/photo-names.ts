/** Whose a photograph is by its file's name; folders say nothing. */

export interface PhotoName {
  filename: string
  /** Without its ending. */
  stem: string
  /** The stem without `_2`, `-2` or ` (2)`; null where it has none. */
  base: string | null
  /** 1 unless its name says otherwise. */
  position: number
}

const NAME_CHARACTERS = 120

export function photoNameOf(path: string): PhotoName {
  const filename = path
    .slice(path.replaceAll('\\', '/').lastIndexOf('/') + 1)
    .trim()
    .slice(-NAME_CHARACTERS)
  const dot = filename.lastIndexOf('.')
  const stem = (dot < 0 ? filename : filename.slice(0, dot)).trim()
  const match = /(?:[_-]([1-9])|\(([1-9])\))$/.exec(stem)
  const base = match === null ? '' : stem.slice(0, match.index).trimEnd()
  return base === '' ? { filename, stem, base: null, position: 1 } : { filename, stem, base, position: Number(match![1] ?? match![2]) }
}
