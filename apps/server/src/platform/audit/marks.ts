/**
 * What of a change may be stored and how it is shown: secrets and ID numbers never, personal values under the mark that
 * the contract gives their field, long ones cut.
 */
import type { Call, Schema } from '@gatehouse/contract'
import { calls as contract } from '@gatehouse/contract/calls'
import { definitionOf, maskKindOf, type MaskKind } from '@gatehouse/contract/masking'
import { maskerOf } from '../session/masking.ts'

/** `whole`: a document that holds personal values somewhere. */
export type FieldMask = MaskKind | 'whole'

/** A field that changed. Values of personal fields say how they are masked. */
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

/** Stands where a value is not stored. */
export const HIDDEN = '•••'
const SECRET = /password|passwd|passcode|secret|apiKey|accessKey|privateKey|token|credential|^pin$|pinCode/i
/** Something about a secret that is none itself: how long it holds, since when, whether it is taken. */
const ABOUT_SECRET = /(Validity|At|Days|Length|Set|Required|Enabled|Policy|Taken)$/
const ID_NUMBER = /idCard$|idNumber|idNo$|identityNumber/i

/** Characters of one value; what is longer, such as a picture's bytes, tells nobody anything here. */
const TEXT_MAX = 300
const LIST_MAX = 50
/** Levels of a document whose parts are compared one by one. */
const DEPTH = 4

interface Marks {
  /** Marked wherever they stand, and all phones, ID numbers and e-mail addresses. */
  always: Map<string, MaskKind>
  /** Marked in one place and not in another, such as `name`. */
  sometimes: Map<string, MaskKind>
}

/** Every field of the contract by name, with its marks. */
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
  for (const group of Object.values(contract))
    for (const one of Object.values(group) as Call[]) for (const schema of [one.body, one.data]) walk(schema)
  return {
    // A card's own field is called `number`, as others are that are no card's.
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
/** Nothing is nothing, however it is written. */
const plain = (value: unknown): unknown =>
  value === undefined || value === '' || (Array.isArray(value) && value.length === 0) ? null : value
const same = (a: unknown, b: unknown): boolean => JSON.stringify(plain(a)) === JSON.stringify(plain(b))
const lastPart = (field: string): string => field.slice(field.lastIndexOf('.') + 1)

/** A value as it is stored: without secrets inside, without bytes, not too long. */
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

/** How a field is masked for those who may not see it in full. */
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

/** Whether a document has a field inside that is marked somewhere. */
function holdsMarked(value: unknown): boolean {
  if (Array.isArray(value)) return value.some(holdsMarked)
  return (
    isDocument(value) &&
    Object.entries(value).some(([name, one]) => marks().always.has(name) || marks().sometimes.has(name) || holdsMarked(one))
  )
}

/** The fields that differ; the parts of documents on their own, named with dots. */
export function fieldsOf(call: Call, difference: Difference): FieldChange[] {
  const { before, after, secrets = [] } = difference
  function compare(old: unknown, now: unknown, field: string, depth: number): FieldChange[] {
    if (same(old, now)) return []
    if (isSecret(lastPart(field), secrets)) return [{ field, before: shade(old), after: shade(now) }]
    // A document that came or went as a whole is told part by part too.
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
