/** The reason of an erasure is typed freely, and a receipt must not keep the name of the person it is about. */
import type { ErasedPerson } from '../people/index.ts'

/** Stands in place of a name or number. */
export const BLANK = '•••'
/** A single letter stands in every text. */
const SHORTEST = 2

/** Regular expressions, for JavaScript and PostgreSQL alike, that find name and phone number of somebody in a text. */
export const patternsOf = ({ name, phone }: Pick<ErasedPerson, 'name' | 'phone'>): string[] =>
  [name, phone]
    .filter((text) => text !== null)
    .map((text) => text.trim())
    .filter((text) => text.length >= SHORTEST)
    .map((text) => text.replace(/[^\p{L}\p{N}\p{M}\s]/gu, '\\$&').replace(/\s+/g, '\\s+'))

/** A text without name and phone number of somebody. */
export const withoutPerson = (text: string, person: Pick<ErasedPerson, 'name' | 'phone'>): string =>
  patternsOf(person).reduce((rest, pattern) => rest.replace(new RegExp(pattern, 'gi'), BLANK), text)
