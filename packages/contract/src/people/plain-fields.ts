/**
 * Plain fields of a person: optional texts of up to TEXT_MAX characters that are stored, compared, copied, returned, logged, exported and
 * imported exactly as entered. They are placed together, between the ID number and the birthday. A new one needs:
 *
 * 1. its name here;
 * 2. in `apps/server/src/contexts/people/schema.ts` a migration that adds a text column and declares its content, and a line in
 * PLAIN_COLUMNS;
 * 3. its label in three languages: in `persons.columns` of this package's `files.json` and in `field` of the console's `audit.json`. If the
 * word "Text" is not a good example of it in an import's template, also an example in `imports.guide.examples` of `files.json`.
 *
 * The calls, the rows of the database, both forms of the console, both pages of facts and the screens of imports are generated from this
 * list.
 */
export const PLAIN_FIELDS = ['nationality'] as const
export type PlainField = (typeof PLAIN_FIELDS)[number]

/** Return the entries as an object, like `Object.fromEntries`, with typed keys. */
export const objectOf = <Key extends string, Value>(entries: readonly (readonly [Key, Value])[]): Record<Key, Value> =>
  Object.fromEntries(entries) as Record<Key, Value>

/** Return a value for each plain field, by its name. */
export const ofPlainFields = <Value>(value: (field: PlainField) => Value): Record<PlainField, Value> =>
  objectOf(PLAIN_FIELDS.map((field) => [field, value(field)]))
