/**
 * Keys of a request's body: each is defined by the call's schema or refused, so that nothing a client sends is silently ignored. Former
 * names of fields are replaced by their present names first. Compiled once per call.
 */
import { isDeepStrictEqual } from 'node:util'
import { safeParse } from 'zod'
import type { Schema } from '@gatehouse/contract'
import { definitionOf } from '@gatehouse/contract/masking'
import { formerNamesOf, passedOverOf } from '@gatehouse/contract/wire-names'

export type Path = readonly (string | number)[]

/** A key that the schema of a call does not define, or a field that was sent by two names with two values. */
export interface OddKey {
  path: Path
  rule: 'unknownField' | 'twoNames'
  /** The value sent by the former name, for `twoNames`. */
  sent?: unknown
}

/** Renames former names within a value, and returns its odd keys. */
type Walk = (value: unknown, path: Path) => OddKey[]

const isObject = (value: unknown): value is Record<string, unknown> => value !== null && typeof value === 'object' && !Array.isArray(value)

const NOTHING: Walk = () => []

/** Rename fields in place. Return those that were sent by both names with two values. */
function renamed(value: Record<string, unknown>, former: ReadonlyMap<string, string>, path: Path): OddKey[] {
  return [...former].flatMap(([name, before]) => {
    if (!Object.hasOwn(value, before)) return []
    const { [before]: sent } = value
    delete value[before]
    if (!Object.hasOwn(value, name)) value[name] = sent
    return isDeepStrictEqual(value[name], sent) ? [] : [{ path: [...path, before], rule: 'twoNames' as const, sent }]
  })
}

function objectWalk(shape: Readonly<Record<string, Schema>>, catchall: Schema | undefined, walk: (schema: Schema) => Walk): Walk {
  const former = formerNamesOf(shape)
  const isOpen = catchall !== undefined && definitionOf(catchall).type !== 'never'
  return (value, path) => {
    if (!isObject(value)) return []
    const twice = renamed(value, former, path)
    const inside = Object.entries(value).flatMap(([key, one]): OddKey[] => {
      const at = [...path, key]
      if (Object.hasOwn(shape, key)) return walk(shape[key]!)(one, at)
      return isOpen ? [] : [{ path: at, rule: 'unknownField' }]
    })
    return [...twice, ...inside]
  }
}

/** Return a walk over the schemas that the value fits; a key that any of them defines is not odd. */
function unionWalk(options: readonly Schema[], walk: (schema: Schema) => Walk): Walk {
  return (value, path) => {
    if (value === null || typeof value !== 'object') return []
    const answers = options.flatMap((option) => {
      const odd = walk(option)(value, path)
      return safeParse(option, value).success ? [odd] : []
    })
    const [first, ...others] = answers.toSorted((one, other) => one.length - other.length)
    return (first ?? []).filter((odd) => others.every((answer) => answer.some((one) => isDeepStrictEqual(one, odd))))
  }
}

function walks(): (schema: Schema) => Walk {
  const made = new Map<Schema, Walk>()
  function walk(schema: Schema): Walk {
    const cached = made.get(schema)
    if (cached !== undefined) return cached
    // A tree contains itself: until its walk is made, a placeholder looks it up at the first use.
    made.set(schema, (value, path) => made.get(schema)!(value, path))
    const one = make(schema)
    made.set(schema, one)
    return one
  }
  function make(schema: Schema): Walk {
    const { type, shape, element, innerType, in: input, out, options, valueType, getter, catchall } = definitionOf(schema)
    switch (type) {
      case 'object':
        return objectWalk(shape ?? {}, catchall, walk)
      case 'array': {
        const inside = walk(element!)
        return (value, path) => (Array.isArray(value) ? value.flatMap((one, index) => inside(one, [...path, index])) : [])
      }
      case 'record': {
        const inside = walk(valueType!)
        return (value, path) => (isObject(value) ? Object.entries(value).flatMap(([key, one]) => inside(one, [...path, key])) : [])
      }
      case 'union':
        return unionWalk(options ?? [], walk)
      case 'pipe':
        return walk(definitionOf(input!).type === 'transform' ? out! : input!)
      case 'lazy':
        return (value, path) => walk(getter!())(value, path)
      default:
        return innerType === undefined ? NOTHING : walk(innerType)
    }
  }
  return walk
}

/**
 * Return the check of the keys of a call's bodies.
 * @param schema of the body; undefined where the call takes no body, so that every key is odd
 * @returns renames former names in place, and returns the odd keys
 */
export function bodyKeysOf(schema: Schema | undefined): (body: unknown) => OddKey[] {
  const walk = schema === undefined ? objectWalk({}, undefined, () => NOTHING) : walks()(schema)
  return (body) => walk(body, [])
}

/** Return a function that adds the former names of fields to an answer; null where no field has one. */
export function formerNamesAdder(schema: Schema | undefined): ((value: unknown) => unknown) | null {
  return schema === undefined ? null : adderOf(schema, new Set())
}

function adderOf(schema: Schema, inside: ReadonlySet<Schema>): ((value: unknown) => unknown) | null {
  // No recursive schema has a field with a former name.
  if (inside.has(schema)) return null
  const within = new Set([...inside, schema])
  const { type, shape, element, innerType, in: input, options, valueType, getter } = definitionOf(schema)
  switch (type) {
    case 'object': {
      const former = formerNamesOf(shape ?? {})
      const adders = Object.entries(shape ?? {}).flatMap(([name, field]) => {
        const adder = adderOf(field, within)
        return adder === null ? [] : [[name, adder] as const]
      })
      if (former.size === 0 && adders.length === 0) return null
      return (value) => {
        if (!isObject(value)) return value
        const copy = { ...value }
        for (const [name, adder] of adders) if (name in copy) copy[name] = adder(copy[name])
        for (const [name, before] of former) if (name in copy) copy[before] = copy[name]
        return copy
      }
    }
    case 'array': {
      const adder = adderOf(element!, within)
      return adder && ((value) => (Array.isArray(value) ? value.map(adder) : value))
    }
    case 'record': {
      const adder = adderOf(valueType!, within)
      return (
        adder && ((value) => (isObject(value) ? Object.fromEntries(Object.entries(value).map(([key, one]) => [key, adder(one)])) : value))
      )
    }
    case 'union': {
      const adders = (options ?? []).flatMap((option) => adderOf(option, within) ?? [])
      return adders.length === 0 ? null : (value) => adders.reduce((before, adder) => adder(before), value)
    }
    default: {
      const inner = innerType ?? input ?? (type === 'lazy' ? getter?.() : undefined)
      return inner === undefined ? null : adderOf(inner, within)
    }
  }
}

/** Return the fields of the schema's record, found through `nullable`, lists and pages. */
function recordShapeOf(schema: Schema | undefined): Readonly<Record<string, Schema>> {
  if (schema === undefined) return {}
  const { shape, element, innerType, in: input, getter } = definitionOf(schema)
  // A record may also have a field `content`; a page has no id.
  if (shape !== undefined) return shape['content'] === undefined || shape['id'] !== undefined ? shape : recordShapeOf(shape['content'])
  return recordShapeOf(element ?? innerType ?? input ?? getter?.())
}

/** Return the fields of the record that a call answers, by each name it uses for them: name → name of the field. */
export function recordFieldsOf(schema: Schema | undefined): ReadonlyMap<string, string> {
  const shape = recordShapeOf(schema)
  return new Map([
    ...Object.keys(shape).map((name) => [name, name] as const),
    ...[...formerNamesOf(shape)].map(([name, before]) => [before, name] as const),
  ])
}
/** Return those of them that are ignored when they are sent back. */
export const recordPassedOverOf = (schema: Schema | undefined): ReadonlySet<string> => passedOverOf(recordShapeOf(schema))

/** Return the record with an id within an answer: the answer itself, a row of a list, or a node of a tree. */
export function recordIn(answer: unknown, id: unknown): Record<string, unknown> | null {
  if (Array.isArray(answer)) {
    for (const one of answer) {
      const found = recordIn(one, id)
      if (found !== null) return found
    }
    return null
  }
  if (!isObject(answer)) return null
  if (answer['id'] === id) return answer
  return recordIn(answer['content'], id) ?? recordIn(answer['children'], id)
}

/** Return a value without the signatures of addresses: two addresses with the same path are equal. */
const unsigned = (value: unknown): unknown => {
  if (typeof value === 'string') return value.startsWith('/') ? value.split('?', 1)[0] : value
  if (Array.isArray(value)) return value.map(unsigned)
  return isObject(value) ? Object.fromEntries(Object.entries(value).map(([key, one]) => [key, unsigned(one)])) : value
}

const valueAt = (value: unknown, path: Path): unknown =>
  path.reduce<unknown>((inside, key) => (inside as Record<string, unknown> | null | undefined)?.[String(key)], value)

/**
 * Return where in a record the value stands that a body has at a path. Rows of a list are matched by their ids, whatever their position.
 */
function pathIn(record: unknown, body: unknown, path: Path, name: string | number): Path {
  let [sent, stored] = [body, record]
  return path.map((key, index) => {
    sent = valueAt(sent, [key])
    const rowId = Array.isArray(stored) && isObject(sent) ? sent['id'] : undefined
    const own = index === 0 ? name : key
    const at = rowId === undefined ? own : (stored as unknown[]).findIndex((one) => isObject(one) && one['id'] === rowId)
    stored = valueAt(stored, [at])
    return at
  })
}

/** Return whether a field was sent back unchanged. @param name of the record's field, where it was sent by another name */
export const isSentBack = (body: unknown, record: unknown, path: Path, name = path[0]!): boolean =>
  isSame(valueAt(body, path), valueAt(record, pathIn(record, body, path, name)))
/** Return whether two values are equal except for signatures. */
export const isSame = (one: unknown, other: unknown): boolean => isDeepStrictEqual(unsigned(one), unsigned(other))

/** Remove a key of a body. */
export function removeKey(body: unknown, path: Path): void {
  const holder = valueAt(body, path.slice(0, -1)) as Record<string, unknown> | undefined
  if (holder !== undefined) delete holder[String(path.at(-1))]
}
