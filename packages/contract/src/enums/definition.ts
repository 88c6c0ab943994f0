/** Definition of a set of values: the number or word on the wire, the name in code, the schema, the colour. */
import { z } from 'zod'

/** Colour of a state, by meaning; the console's theme defines the shade. */
export type Colour = 'success' | 'error' | 'warning' | 'processing' | 'neutral'

export type EnumValue = number | string

interface EnumParts<Value extends EnumValue> {
  /** First part of a label's key. */
  readonly name: string
  /** In the order of definition. */
  readonly values: readonly Value[]
  /** Accepts these values only. From an address: `queryNumber.pipe(gender.schema)`. */
  readonly schema: z.ZodLiteral<Value>
  /** Empty if the values are not states. */
  readonly colours: Readonly<Partial<Record<EnumValue, Colour>>>
}

/** Members by name (`gender.male` is 1), and the parts that all enums have. */
export type Enum<Members extends Record<string, EnumValue>> = Readonly<Members> & EnumParts<Members[keyof Members]>

/** The values as a type: `ValueOf<typeof gender>` is 1 | 2 | 3. */
export type ValueOf<E extends { readonly values: readonly EnumValue[] }> = E['values'][number]

/** A member cannot have the name of a common part. */
type Unclaimed = { [Part in keyof EnumParts<EnumValue>]?: never }

/**
 * Return an enum. `name` is that of the specification; its labels are in `i18n/<lang>/enums.json` under that name.
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

/** Return the key of a value's label. A value without a label is unknown, and its number is shown. */
export const labelKeyOf = (target: { readonly name: string }, value: EnumValue): string => `enum.${target.name}.${value}`
