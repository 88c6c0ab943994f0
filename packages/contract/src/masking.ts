/**
 * Masking of personal data: what a user with a masking profile sees instead of a name, phone, ID number, e-mail or card number, on screen,
 * in exports and in pushes, and what such a user can search by. Schemas mark the fields, so that masking cannot be forgotten at a single
 * place.
 */
import { globalRegistry, type z } from 'zod'
import type { FieldIssue } from './envelope.ts'
import type { Call, Schema } from './call.ts'

export type MaskKind = 'name' | 'phone' | 'idNumber' | 'email' | 'cardNumber'

/** Mark a field of a schema as personal: `masked('phone', z.string())`. Before or after `.optional()` and the like. */
export const masked = <S extends z.ZodType>(kind: MaskKind, schema: S): S => schema.meta({ ...schema.meta(), 'x-mask': kind }) as S

/**
 * Mark a filter of a call that searches for part of a personal field: `searches('phone', z.string())`. A masked user finds whole values
 * only, the search is recorded in the log of reads, and after too many searches without a result further ones are refused.
 */
export const searches = <S extends z.ZodType>(kind: MaskKind, schema: S): S => schema.meta({ ...schema.meta(), 'x-search': kind }) as S

/** Parts of a schema, as far as a walk through it needs them. */
export interface SchemaDefinition {
  type: string
  shape?: Record<string, Schema>
  catchall?: Schema
  element?: Schema
  innerType?: Schema
  in?: Schema
  out?: Schema
  options?: readonly Schema[]
  valueType?: Schema
  getter?: () => Schema
}
export const definitionOf = ({ _zod: { def } }: Schema): SchemaDefinition => def

/**
 * Rules of refusals because another record has the value already: a phone number, a card, an ID number, a work number, a personal password,
 * an e-mail address. A masked user could learn hidden values by them, so such a refusal is counted and recorded like a search.
 */
export const TAKEN_RULES: ReadonlySet<string> = new Set([
  'code.100112',
  'code.200005',
  'code.200207',
  'code.200214',
  'code.200215',
  'passwordTaken',
])

type Mark = 'x-mask' | 'x-search'

function markOf(schema: Schema, mark: Mark): MaskKind | null {
  const own = (globalRegistry.get(schema as never) as Partial<Record<Mark, MaskKind>> | undefined)?.[mark]
  if (own !== undefined) return own
  const { innerType, in: input, options } = definitionOf(schema)
  for (const inner of [innerType, input, ...(options ?? [])]) {
    const kind = inner === undefined ? null : markOf(inner, mark)
    if (kind !== null) return kind
  }
  return null
}

/** Return the kind a schema is marked with, through `optional`, `nullable`, `default` and unions. */
export const maskKindOf = (schema: Schema): MaskKind | null => markOf(schema, 'x-mask')

const stars = (count: number): string => '*'.repeat(Math.max(1, Math.min(count, 8)))
/** Counts characters, not UTF-16 code units: a rare character of a name is one, not two halves. */
const between = (value: string, head: number, tail: number): string => {
  const characters = [...value]
  if (characters.length <= head + tail) return stars(characters.length)
  return characters.slice(0, head).join('') + stars(characters.length - head - tail) + (tail === 0 ? '' : characters.slice(-tail).join(''))
}

const masks: Record<MaskKind, (value: string) => string> = {
  // 王*, 王*明, J*****n: a user who knows the person can recognise the name.
  name: (value) => ([...value].length < 3 ? between(value, 1, 0) : between(value, 1, 1)),
  phone: (value) => (value.length < 8 ? between(value, 0, Math.min(2, value.length - 1)) : between(value, 3, 4)),
  idNumber: (value) => (value.length < 8 ? between(value, 0, 1) : between(value, 3, 2)),
  // The last four digits: enough to distinguish two cards, too few to copy one.
  cardNumber: (value) => (value.length < 8 ? between(value, 0, Math.min(2, value.length - 1)) : between(value, 0, 4)),
  email: (value) => {
    const at = value.lastIndexOf('@')
    return at < 1 ? between(value, 1, 0) : `${[...value][0]}***${value.slice(at)}`
  },
}

/** Return the masked value; an empty value stays empty, any other contains an asterisk. */
export const mask = (kind: MaskKind, value: string): string => (value === '' ? '' : masks[kind](value))

/** Return whether a value can only be a masked one: an asterisk where none is valid, or several in a row in a phone number. */
export const looksMasked = (kind: MaskKind, value: string): boolean => (kind === 'phone' ? /\*\*/ : /\*/).test(value)

function markedFieldsOf(schema: Schema | undefined, mark: Mark): ReadonlyMap<string, MaskKind> {
  const shape = (schema === undefined ? undefined : definitionOf(schema).shape) ?? {}
  return new Map(
    Object.entries(shape).flatMap(([name, field]) => {
      const kind = markOf(field, mark)
      return kind === null ? [] : [[name, kind] as const]
    }),
  )
}

/** Return the masked fields of an object schema: name → kind. */
export const maskedFieldsOf = (schema: Schema | undefined): ReadonlyMap<string, MaskKind> => markedFieldsOf(schema, 'x-mask')

/** Return the filters of an object schema that search for part of a personal field: name → kind. */
export const searchedFieldsOf = (schema: Schema | undefined): ReadonlyMap<string, MaskKind> => markedFieldsOf(schema, 'x-search')

/** Fields that are never returned and so need no mask. */
const UNSHOWN_FIELDS = ['personalPassword']

/**
 * Return the values of a form that its user cannot see of other people and that may belong to another record: all personal values except
 * names, which many people share, and personal passwords. Masked values that are sent back unchanged are left out.
 *
 * @returns pairs of field and value, empty if the call never refuses a value as taken
 */
export function triedValuesOf(call: Pick<Call, 'body' | 'errors'>, body: unknown): [field: string, value: string][] {
  if (!(call.errors ?? []).some((code) => TAKEN_RULES.has(`code.${code}`))) return []
  const given = (body ?? {}) as Readonly<Record<string, unknown>>
  const fields = [...maskedFieldsOf(call.body)].filter(([, kind]) => kind !== 'name')
  return [...fields, ...UNSHOWN_FIELDS.map((field) => [field, null] as const)].flatMap(([field, kind]) => {
    const value = given[field]
    if (typeof value !== 'string' || value.trim() === '' || (kind !== null && looksMasked(kind, value))) return []
    return [[field, value.trim().toLowerCase()] as [string, string]]
  })
}

/**
 * Return the values of a form of masked values, with the stored values where the form left them unchanged.
 *
 * @param stored values by the same names; empty for a new record
 * @returns the values to store, and an issue for each field with asterisks that are not its mask
 */
export function unmask<T extends object>(
  schema: Schema,
  sent: T,
  stored: Readonly<Record<string, unknown>> = {},
): { values: T; issues: FieldIssue[] } {
  const values: Record<string, unknown> = { ...(sent as Record<string, unknown>) }
  const issues: FieldIssue[] = []
  for (const [name, kind] of maskedFieldsOf(schema)) {
    const value = values[name]
    if (typeof value !== 'string' || value === '') continue
    const before = stored[name]
    if (typeof before === 'string' && value === mask(kind, before)) values[name] = before
    else if (looksMasked(kind, value)) issues.push({ path: name, rule: 'masked' })
  }
  return { values: values as T, issues }
}
