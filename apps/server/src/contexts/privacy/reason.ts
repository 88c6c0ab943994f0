/** The reason of an erasure is typed freely, and a receipt must not keep the name of the person it is about. */
import type { ErasedPerson } from '../people/index.ts'

/** Stands in place of a name or number. */
export const BLANK = '•••'
/** A single letter stands in every text. */
const SHORTEST = 2
/** Words of up to so many letters stand inside others. */
const SHORT_WORD = 2
/** The parts of a name are tried in all orders; beyond so many only turned round. */
const PARTS_IN_ALL_ORDERS = 4

/** What may stand between the parts of a name or number, as a class of JavaScript and PostgreSQL alike. */
const BETWEEN = '[\\s,;.·・•、，；/()（）_\\-]'
const SEPARATORS = new RegExp(`${BETWEEN}+`, 'u')
/** Written without spaces: each character is a part. */
const IDEOGRAPHS = /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]+$/u

const escaped = (text: string): string => text.replace(/[^\p{L}\p{N}\p{M}]/gu, '\\$&')
const spaced = (text: string): string => [...text].map(escaped).join(`${BETWEEN}*`)

/** A list turned round by every number of places, itself first. */
const turned = <One>(list: readonly One[]): One[][] => list.map((_, place) => [...list.slice(place), ...list.slice(0, place)])

function inAllOrders<One>(list: readonly One[]): One[][] {
  if (list.length < 2) return [[...list]]
  return list.flatMap((first, place) => inAllOrders(list.toSpliced(place, 1)).map((rest) => [first, ...rest]))
}

/** The parts of a name one after the other. Words of one or two letters are found as words, never inside others. */
function sequence(parts: readonly string[]): string {
  const isShort = (part: string): boolean => !IDEOGRAPHS.test(part) && part.length <= SHORT_WORD
  const patterns = parts.map((part, place) => {
    const before = place > 0 && (isShort(part) || isShort(parts[place - 1]!)) ? `${BETWEEN}+` : place > 0 ? `${BETWEEN}*` : ''
    return before + (IDEOGRAPHS.test(part) ? spaced(part) : escaped(part))
  })
  const begin = isShort(parts[0]!) ? '(?<![A-Za-z])' : ''
  const end = isShort(parts.at(-1)!) ? '(?![A-Za-z])' : ''
  return begin + patterns.join('') + end
}

/** Find a name whichever of its parts comes first: 张三 as 三张, John Smith as SMITH, John. */
function patternOfName(name: string): string {
  const words = name.split(SEPARATORS).filter((word) => word !== '')
  const parts = words.length === 1 && IDEOGRAPHS.test(words[0]!) ? [...words[0]!] : words
  // Of characters the family name comes first or last, and is one of them or two.
  const orders = parts === words && parts.length <= PARTS_IN_ALL_ORDERS ? inAllOrders(parts) : turned(parts)
  return `(?:${orders.map(sequence).join('|')})`
}

/** Regular expressions, for JavaScript and PostgreSQL alike, that find name and phone number of a person in a text. */
export function patternsOf({ name, phone }: Pick<ErasedPerson, 'name' | 'phone'>): string[] {
  const compact = (text: string | null): string => (text ?? '').split(SEPARATORS).join('')
  return [
    ...(compact(name).length >= SHORTEST ? [patternOfName(name ?? '')] : []),
    ...(compact(phone).length >= SHORTEST ? [spaced(compact(phone))] : []),
  ]
}

/** A text without name and phone number of a person. */
export const withoutPerson = (text: string, person: Pick<ErasedPerson, 'name' | 'phone'>): string =>
  patternsOf(person).reduce((rest, pattern) => rest.replace(new RegExp(pattern, 'gi'), BLANK), text)
