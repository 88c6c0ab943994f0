/**
 * Masks what a session may not see in full, by the marks of the answer's schema: one walk per answer, compiled once per call, so that
 * contexts need not do it.
 */
import type { Schema } from '@gatehouse/contract'
import { definitionOf, mask, maskKindOf, unmask, type MaskKind } from '@gatehouse/contract/masking'
import { containing, literally } from '../database/database.ts'
import { InvalidRequest } from '../http/refusal.ts'
import type { Scope, Session } from './session.ts'

/** Returns the masked form of a value. */
type Walk = (value: unknown) => unknown

const maskValue =
  (kind: MaskKind): Walk =>
  (value) =>
    typeof value === 'string' ? mask(kind, value) : value

function walkOf(schema: Schema, inside: ReadonlySet<Schema>): Walk | null {
  // A schema of a tree contains itself; none of those carries a mark.
  if (inside.has(schema)) return null
  const within = new Set([...inside, schema])
  const kind = maskKindOf(schema)
  if (kind !== null) return maskValue(kind)
  const definition = definitionOf(schema)
  switch (definition.type) {
    case 'object': {
      const walks = Object.entries(definition.shape ?? {}).flatMap(([name, field]) => {
        const walk = walkOf(field, within)
        return walk === null ? [] : [[name, walk] as const]
      })
      if (walks.length === 0) return null
      return (value) => {
        if (value === null || typeof value !== 'object') return value
        const copy: Record<string, unknown> = { ...value }
        for (const [name, walk] of walks) if (name in copy) copy[name] = walk(copy[name])
        return copy
      }
    }
    case 'array': {
      const walk = walkOf(definition.element!, within)
      return walk && ((value) => (Array.isArray(value) ? value.map(walk) : value))
    }
    case 'record': {
      const walk = walkOf(definition.valueType!, within)
      return (
        walk &&
        ((value) =>
          value === null || typeof value !== 'object'
            ? value
            : Object.fromEntries(Object.entries(value).map(([name, one]) => [name, walk(one)])))
      )
    }
    case 'union': {
      const walks = (definition.options ?? []).flatMap((option) => walkOf(option, within) ?? [])
      return walks.length === 0 ? null : (value) => walks.reduce((before, walk) => walk(before), value)
    }
    default: {
      const inner = definition.innerType ?? definition.in ?? (definition.type === 'lazy' ? definition.getter?.() : undefined)
      return inner === undefined ? null : walkOf(inner, within)
    }
  }
}

/** Return a function that makes a masked copy of an answer of this schema; null where nothing in it is personal. */
export const maskerOf = (schema: Schema | undefined): Walk | null => (schema === undefined ? null : walkOf(schema, new Set()))

/**
 * Return what a form sent, with stored values in place of masked ones that it sent back unchanged.
 *
 * @param schema of the body; @param stored values by the body's names, none for a new record
 * @throws InvalidRequest for a field that contains other asterisks
 */
export function unmasked<T extends object>(
  session: Pick<Session, 'masking'>,
  schema: Schema,
  sent: T,
  stored: Readonly<Record<string, unknown>> = {},
): T {
  if (!session.masking) return sent
  const { values, issues } = unmask(schema, sent, stored)
  if (issues.length > 0) throw new InvalidRequest(issues)
  return values
}

/**
 * Return the pattern of a filter on a personal field: values that contain the text, or, if the field is masked for the caller, only
 * values equal to the text. Otherwise the masked characters could be found one after the other. `where('person.phone', 'like',
 * personalPattern(scope, query.phone))`
 */
export const personalPattern = ({ sees }: Pick<Scope, 'sees'>, text: string): string =>
  sees?.masked === true ? literally(text) : containing(text)

/** Return whether a value in memory matches by the same rule; case is ignored. */
export function isFoundBy({ sees }: Pick<Scope, 'sees'>, value: string, text: string): boolean {
  const [whole, part] = [value.toLowerCase(), text.toLowerCase()]
  return sees?.masked === true ? whole === part : whole.includes(part)
}

interface Named {
  id: string
  name: string | null
}
/** Shared by all comparisons: creating it takes longer than comparing. */
const { compare } = new Intl.Collator()
const byId = (one: Named, other: Named): number => (one.id < other.id ? -1 : one.id > other.id ? 1 : 0)
const byName = (one: Named, other: Named): number => compare(one.name ?? '', other.name ?? '') || byId(one, other)

/**
 * Return the order in which persons are listed: by name, or by registration if names are masked for the caller. An order by name would
 * reveal what the asterisks stand for. `persons.toSorted(personOrder(scope))`
 */
export const personOrder = ({ sees }: Pick<Scope, 'sees'>): ((one: Named, other: Named) => number) =>
  sees?.masked === true ? byId : byName
