/** How a set of values is defined once: the number or word on the wire, the name in code, the schema, the colour. */
import { z } from 'zod'

/** Colour of a state, by meaning; the console's theme gives the shade. */
export type Colour = 'success' | 'error' | 'warning' | 'processing' | 'neutral'

export type EnumValue = number | string

interface EnumParts<Value extends EnumValue> {
  /** First part of a label's key. */
  readonly name: string
  /** In the order of definition. */
  readonly values: readonly Value[]
  /** Accepts these values only. From an address: `queryNumber.pipe(gender.schema)`. */
  readonly schema: z.ZodLiteral<Value>
  /** Empty where the values are no states. */
  readonly colours: Readonly<Partial<Record<EnumValue, Colour>>>
}

/** Members by name (`gender.male` is 1) beside what is common to all. */
export type Enum<Members extends Record<string, EnumValue>> = Readonly<Members> & EnumParts<Members[keyof Members]>

/** The values as a type: `ValueOf<typeof gender>` is 1 | 2 | 3. */
export type ValueOf<E extends { readonly values: readonly EnumValue[] }> = E['values'][number]

/** A member may not take the name of a common part. */
type Unclaimed = { [Part in keyof EnumParts<EnumValue>]?: never }

/**
 * Defines an enum. `name` is that of the specification; labels stand in `i18n/<lang>/enums.json` under it.
 *
 * @param colours by member name, for states only
 */
export function defineEnum<const Members extends Record<string, EnumValue> & Unclaimed>(
  name: string,
  members: Members,
  colours: { readonly [Member in keyof Members]?: Colour } = {},
): Enum<Members> {
  const values = Object.values(members) as Members[keyof Members][]
  return Object.freeze({
    ...members,
    name,
    values,
    schema: z.literal(values),
    colours: Object.fromEntries(Object.entries(colours).map(([member, colour]) => [members[member], colour])),
  }) as Enum<Members>
}

/** Key of a value's label. A value that has none is unknown, and its number is shown. */
export const labelKeyOf = (target: { readonly name: string }, value: EnumValue): string => `enum.${target.name}.${value}`
