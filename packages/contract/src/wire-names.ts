/**
 * Names of fields on the wire. The specification's name is the field's; a name we used before it can be sent and is answered besides
 * for one version, so that nobody who reads us today breaks tomorrow. Each is written in `docs/decisions/README.md`.
 */
import { globalRegistry, type z } from 'zod'
import type { Schema } from './call.ts'
import { definitionOf } from './masking.ts'

/** Says that a field had another name: `expiry: formerly('expiresAt', instant.nullish())`. */
export const formerly = <S extends z.ZodType>(name: string, schema: S): S => schema.meta({ ...schema.meta(), 'x-formerly': name }) as S

/**
 * Says that a field of an answer changes without anybody changing the record, such as when somebody last logged in: where it is sent
 * back with the record it is passed over, whatever it has become meanwhile.
 */
export const changesByItself = <S extends z.ZodType>(schema: S): S => schema.meta({ ...schema.meta(), 'x-changes-by-itself': true }) as S

interface Marks {
  'x-formerly'?: string
  'x-changes-by-itself'?: boolean
}

/** What a mark says of a field, through `optional`, `nullable`, `default` and the like. */
function markOf<Mark extends keyof Marks>(schema: Schema, mark: Mark): Marks[Mark] {
  const own = (globalRegistry.get(schema as never) as Marks | undefined)?.[mark]
  if (own !== undefined) return own
  const { innerType, in: input } = definitionOf(schema)
  const inner = innerType ?? input
  return inner === undefined ? undefined : markOf(inner, mark)
}

/** Former names of an object's fields: name → former name. */
export const formerNamesOf = (shape: Readonly<Record<string, Schema>>): ReadonlyMap<string, string> =>
  new Map(
    Object.entries(shape).flatMap(([name, field]) => {
      const former = markOf(field, 'x-formerly')
      return former === undefined ? [] : [[name, former] as const]
    }),
  )

/** Fields of an object that are passed over where they are sent back. */
export const passedOverOf = (shape: Readonly<Record<string, Schema>>): ReadonlySet<string> =>
  new Set(Object.keys(shape).filter((name) => markOf(shape[name]!, 'x-changes-by-itself') === true))
