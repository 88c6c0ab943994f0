/**
 * What of a change is stored and how it is shown: secrets and ID numbers are not stored, personal values have the mask that the contract
 * gives their field, long values are cut.
 */
import type { Call, Schema } from '@gatehouse/contract'
import { calls as contract } from '@gatehouse/contract/calls'
import { definitionOf, maskKindOf, type MaskKind } from '@gatehouse/contract/masking'
import { maskerOf } from '../session/masking.ts'

/** `whole`: a document that contains personal values. */
export type FieldMask = MaskKind | 'whole'

/** A changed field. Values of personal fields have a mask. */
export interface FieldChange {
  field: string
  before: unknown
  after: unknown
  mask?: FieldMask
}

export interface Difference {
  /** Masks the label, where it is a person's name. */
  label?: string | undefined
  labelMask?: MaskKind | undefined
  before?: Readonly<Record<string, unknown>> | null | undefined
  after?: Readonly<Record<string, unknown>> | null | undefined
  /** Further fields whose values are secret. */
  secrets?: readonly string[] | undefined
}

/** Placeholder of a value that is not stored. */
export const HIDDEN = '•••'
const SECRET = /password|passwd|passcode|secret|apiKey|accessKey|privateKey|token|credential|^pin$|pinCode/i
/** Properties of a secret that are not secret: its validity, its age, whether it is set. */
const ABOUT_SECRET = /(Validity|At|Days|Length|Set|Required|Enabled|Policy|Taken)$/
const ID_NUMBER = /idCard$|idNumber|idNo$|identityNumber/i

/** Characters stored of one value; longer ones, such as a picture's bytes, are of no use here. */
const TEXT_MAX = 300
const LIST_MAX = 50
/** Levels of a document whose parts are compared separately. */
const DEPTH = 4

interface Marks {
  /** Fields marked everywhere in the contract, and all phones, ID numbers and e-mail addresses. */
  always: Map<string, MaskKind>
  /** Fields marked in some places and not in others, such as `name`. */
  sometimes: Map<string, MaskKind>
}

/** Return the marks of every field of the contract, by name. */
function collectMarks(): Marks {
  const marked = new Map<string, MaskKind>()
  const plain = new Set<string>()
  const seen = new Set<Schema>()
  function walk(schema: Schema | undefined): void {
    if (schema === undefined || seen.has(schema)) return
    seen.add(schema)
    const { type, shape, element, innerType, in: input, options, valueType, getter } = definitionOf(schema)
    for (const [name, field] of Object.entries(shape ?? {})) {
      const kind = maskKindOf(field)
      if (kind === null) plain.add(name)
      else marked.set(name, kind)
      walk(field)
    }
    for (const inner of [element, innerType, input, valueType, type === 'lazy' ? getter?.() : undefined, ...(options ?? [])]) walk(inner)
  }
  for (const one of contract) for (const schema of [one.body, one.data]) walk(schema)
  return {
    // The number of a card is in a field `number`, a name that other fields have too.
    always: new Map(
      [...marked].filter(([name, kind]) => (kind === 'name' ? !plain.has(name) : kind !== 'cardNumber' || name === 'cardNumber')),
    ),
    sometimes: new Map([...marked].filter(([name, kind]) => kind === 'name' && plain.has(name))),
  }
}
let collected: Marks | undefined
const marks = (): Marks => (collected ??= collectMarks())

const isDocument = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype
/** Return null for every empty value. */
const plain = (value: unknown): unknown =>
  value === undefined || value === '' || (Array.isArray(value) && value.length === 0) ? null : value
const same = (a: unknown, b: unknown): boolean => JSON.stringify(plain(a)) === JSON.stringify(plain(b))
const lastPart = (field: string): string => field.slice(field.lastIndexOf('.') + 1)

/** Return a value as it is stored: without secrets and bytes, cut to length. */
function stored(value: unknown, secrets: readonly string[], depth = 0): unknown {
  if (value === undefined || value === null) return null
  if (typeof value === 'string') return value.length > TEXT_MAX ? `${value.slice(0, TEXT_MAX)}…` : value
  if (typeof value === 'bigint') return String(value)
  if (typeof value !== 'object') return value
  if (value instanceof Date) return value.getTime()
  if (ArrayBuffer.isView(value) || depth > DEPTH) return HIDDEN
  if (value instanceof Set || value instanceof Map) return stored([...value], secrets, depth)
  if (Array.isArray(value)) {
    const shown = value.slice(0, LIST_MAX).map((one) => stored(one, secrets, depth + 1))
    return value.length > LIST_MAX ? [...shown, `… ${value.length}`] : shown
  }
  return Object.fromEntries(
    Object.entries(value).map(([name, one]) => [name, isSecret(name, secrets) ? shade(one) : stored(one, secrets, depth + 1)]),
  )
}

const isSecret = (name: string, secrets: readonly string[]): boolean =>
  (SECRET.test(name) && !ABOUT_SECRET.test(name)) ||
  ID_NUMBER.test(name) ||
  secrets.includes(name) ||
  marks().always.get(name) === 'idNumber'
const shade = (value: unknown): string | null => (value === undefined || value === null || value === '' ? null : HIDDEN)

/** Return the mask of a field for callers who may not see it in full. */
function maskOf(call: Call, field: string, { label, labelMask }: Difference, values: readonly unknown[]): FieldMask | undefined {
  const name = lastPart(field)
  const schema = call.body === undefined ? undefined : definitionOf(call.body).shape?.[name]
  const kind =
    (schema === undefined ? null : maskKindOf(schema)) ??
    marks().always.get(name) ??
    (labelMask === undefined ? undefined : marks().sometimes.get(name))
  if (kind !== undefined && kind !== null) return values.some((value) => typeof value === 'object' && value !== null) ? 'whole' : kind
  if (labelMask !== undefined && label !== undefined && values.includes(label)) return labelMask
  const hasInside = values.some((value) => holdsMarked(value)) || (schema !== undefined && maskerOf(schema) !== null)
  return hasInside ? 'whole' : undefined
}

/** Return whether a document contains a field that is marked anywhere. */
function holdsMarked(value: unknown): boolean {
  if (Array.isArray(value)) return value.some(holdsMarked)
  return (
    isDocument(value) &&
    Object.entries(value).some(([name, one]) => marks().always.has(name) || marks().sometimes.has(name) || holdsMarked(one))
  )
}

/** Return the fields that differ; parts of documents are compared separately and named with dots. */
export function fieldsOf(call: Call, difference: Difference): FieldChange[] {
  const { before, after, secrets = [] } = difference
  function compare(old: unknown, now: unknown, field: string, depth: number): FieldChange[] {
    if (same(old, now)) return []
    if (isSecret(lastPart(field), secrets)) return [{ field, before: shade(old), after: shade(now) }]
    // A document that was added or removed as a whole is listed part by part too.
    if (depth < DEPTH && (isDocument(old) || isDocument(now)) && (isDocument(old) || old == null) && (isDocument(now) || now == null)) {
      const names = [...new Set([...Object.keys((old as object | null) ?? {}), ...Object.keys((now as object | null) ?? {})])]
      return names.flatMap((name) =>
        compare(
          (old as Record<string, unknown> | null)?.[name],
          (now as Record<string, unknown> | null)?.[name],
          field === '' ? name : `${field}.${name}`,
          depth + 1,
        ),
      )
    }
    const mask = maskOf(call, field, difference, [old, now])
    if (mask === 'idNumber') return [{ field, before: shade(old), after: shade(now) }]
    return [{ field, before: stored(old, secrets), after: stored(now, secrets), ...(mask !== undefined && { mask }) }]
  }
  return compare(before ?? null, after ?? null, '', 0)
}
