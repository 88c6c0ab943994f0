/** Names in Chinese characters as they are typed on a keyboard: in pinyin, whole or by the initials of its syllables. */
import { literally } from '../../platform/database/database.ts'
import type { Scope } from '../../platform/session/session.ts'

/** Surnames with a reading of their own that the dictionary knows in simplified characters only. */
const TRADITIONAL_SURNAMES: readonly (readonly [written: string, simplified: string])[] = [
  ['萬俟', '万俟'],
  ['單于', '单于'],
  ['長孫', '长孙'],
  ['尉遲', '尉迟'],
  ['單', '单'],
  ['區', '区'],
  ['蓋', '盖'],
  ['樂', '乐'],
  ['員', '员'],
  ['繆', '缪'],
]

function simplifiedSurname(name: string): string {
  const found = TRADITIONAL_SURNAMES.find(([written]) => name.startsWith(written))
  return found === undefined ? name : found[1] + name.slice(found[0].length)
}

/** What a text is typed as from each of its syllables on, in pinyin and by initials, and by surname and initials. */
function wordsOf(syllables: readonly string[]): string[] {
  const initials = syllables.map(([first]) => first).join('')
  return [
    (syllables[0] ?? '') + initials.slice(1),
    ...syllables.flatMap((_, from) => [syllables.slice(from).join(''), initials.slice(from)]),
  ]
}

/**
 * The words a name is found by: ` chenty chentianyou cty tianyou ty you y`, each after a space; empty for a name without Chinese
 * characters. A surname has the reading it has as a surname and the usual one. `ü` is written `v`, and `yu` as in passports.
 */
export async function spellingOf(name: string): Promise<string> {
  if (!/\p{Script=Han}/u.test(name)) return ''
  // The dictionary takes tens of megabytes: a park without such names does without it.
  const { pinyin } = await import('pinyin-pro')
  const readings = (['head', 'off'] as const).flatMap((surname) => {
    const pieces = pinyin(simplifiedSurname(name), { surname, toneType: 'none', type: 'array', v: true, nonZh: 'consecutive' })
    const syllables = pieces.map((piece) => piece.toLowerCase().replace(/[^a-z0-9]/g, '')).filter((piece) => piece !== '')
    return [syllables, syllables.map((one) => one.replace(/^([ln])v/, '$1yu'))]
  })
  return [...new Set(readings.flatMap(wordsOf))].map((word) => ` ${word}`).join('')
}

/**
 * The pattern of spellings that a typed text is the beginning of a word of; null where it is no spelling, and for whom names are
 * masked: a spelling would tell what the asterisks stand for, character by character.
 */
export function spellingQuery({ sees }: Pick<Scope, 'sees'>, typed: string): string | null {
  const word = typed
    .toLowerCase()
    .replaceAll('ü', 'v')
    .replace(/[\s'’-]/g, '')
  return sees?.masked === true || !/^[a-z0-9]*[a-z][a-z0-9]*$/.test(word) ? null : `% ${literally(word)}%`
}
