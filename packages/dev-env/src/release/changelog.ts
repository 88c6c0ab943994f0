/** CHANGELOG.md in the form of keepachangelog.com: a section of second level per version, the newest first. */

const UNRELEASED = '## [Unreleased]'

/** Return the lines before the section "Unreleased", those of its content, and those of the sections after it. */
function partsOf(changelog: string): { before: string; content: string; after: string } {
  const lines = changelog.split('\n')
  const start = lines.indexOf(UNRELEASED)
  if (start < 0) throw new Error(`the changelog has no line "${UNRELEASED}"`)
  const next = lines.findIndex((line, place) => place > start && line.startsWith('## '))
  const end = next < 0 ? lines.length : next
  const textOf = (from: number, to: number): string => lines.slice(from, to).join('\n').trim()
  return { before: textOf(0, start), content: textOf(start + 1, end), after: textOf(end, lines.length) }
}

/** Report whether nothing is to be released: headings alone say nothing. */
export const isUnreleasedEmpty = (changelog: string): boolean =>
  partsOf(changelog)
    .content.split('\n')
    .every((line) => line.trim() === '' || line.startsWith('#'))

/**
 * Return the changelog with what was unreleased under a version, and an empty section "Unreleased" above it.
 * @param date as `2026-11-23`
 */
export function withRelease(changelog: string, version: string, date: string): string {
  const { before, content, after } = partsOf(changelog)
  const sections = [before, UNRELEASED, `## [${version}] - ${date}`, content, after]
  return `${sections.filter((section) => section !== '').join('\n\n')}\n`
}
