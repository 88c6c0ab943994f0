/** Checks lines, functions, and files (including style sheets) against the lengths of `docs/style.md`. */
import ts from 'typescript'
import { isGenerated, isTest, lineOf, parsed, sourcesIn, textOf } from './sources.ts'

const MAX_COLUMNS = 140
const MAX_FUNCTION_LINES = 120
const MAX_FILE_LINES = 400

const SOURCES = ['{apps,packages,tests,bench,scripts}/**/*.{ts,tsx,mjs,css}', '*.{ts,mjs,cjs}', '.*.cjs']

/** Find what is too long in a file, as `file:line what`. Tests and generated files may be long. */
export function tooLongIn(file: string, text: string): string[] {
  const lines = text.trimEnd().split('\n')
  const wide = lines.flatMap((line, at) => (line.length > MAX_COLUMNS ? [`${file}:${at + 1} line`] : []))
  if (isTest(file) || isGenerated(file)) return wide
  const long: string[] = lines.length > MAX_FILE_LINES ? [`${file}:1 file`] : []
  if (file.endsWith('.css')) return [...wide, ...long]
  const source = parsed(file, text)
  function look(node: ts.Node): void {
    const first = lineOf(node)
    const last = source.getLineAndCharacterOfPosition(node.end).line + 1
    if (ts.isFunctionLike(node) && last - first >= MAX_FUNCTION_LINES) long.push(`${file}:${first} function`)
    ts.forEachChild(node, look)
  }
  look(source)
  return [...wide, ...long]
}

/** Find what is too long in all sources. */
export const allTooLong = (): string[] => sourcesIn('.', SOURCES).flatMap((file) => tooLongIn(file, textOf('.', file)))
