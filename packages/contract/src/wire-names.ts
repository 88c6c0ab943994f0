/**
 * Names of fields on the wire. A field has the specification's name; a name that was used before is accepted and returned in addition for
 * one version, so that existing integrations keep working. Each is documented in `docs/decisions/README.md`.
 */
import { globalRegistry, type z } from 'zod'
import type { Schema } from './call.ts'
import { definitionOf } from './masking.ts'

/** Mark a field that had another name: `expiry: formerly('expiresAt', instant.nullish())`. */
export const formerly = <S extends z.ZodType>(name: string, schema: S): S => schema.meta({ ...schema.meta(), 'x-formerly': name }) as S

/**
 * Mark a field of an answer that changes without a change of the record, such as the time of the last login: when it is sent back with the
 * record it is ignored, whatever its current value is.
 */
export const changesByItself = <S extends z.ZodType>(schema: S): S => schema.meta({ ...schema.meta(), 'x-changes-by-itself': true }) as S

interface Marks {
  'x-formerly'?: string
  'x-changes-by-itself'?: boolean
}

/** Return the value of a mark of a field, through `optional`, `nullable`, `default` and the like. */
function markOf<Mark extends keyof Marks>(schema: Schema, mark: Mark): Marks[Mark] {
  const own = (globalRegistry.get(schema as never) as Marks | undefined)?.[mark]
  if (own !== undefined) return own
  const { innerType, in: input } = definitionOf(schema)
  const inner = innerType ?? input
  return inner === undefined ? undefined : markOf(inner, mark)
}

/** Return the former names of an object's fields: name → former name. */
export const formerNamesOf = (shape: Readonly<Record<string, Schema>>): ReadonlyMap<string, string> =>
  new Map(
    Object.entries(shape).flatMap(([name, field]) => {
      const former = markOf(field, 'x-formerly')
      return former === undefined ? [] : [[name, former] as const]
    }),
  )

/** Return the fields of an object that are ignored when they are sent back. */
export const passedOverOf = (shape: Readonly<Record<string, Schema>>): ReadonlySet<string> =>
  new Set(Object.keys(shape).filter((name) => markOf(shape[name]!, 'x-changes-by-itself') === true))
