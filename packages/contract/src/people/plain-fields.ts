/**
 * Plain fields of a person: optional texts of up to TEXT_MAX characters that are stored, compared, copied, answered, logged, exported and
 * imported just as they were given. They stand together, between the ID number and the birthday. What a new one takes:
 *
 * 1. its name here;
 * 2. in `apps/server/src/contexts/people/schema.ts` a migration that adds a text column and says what it holds, and a
 * line in PLAIN_COLUMNS;
 * 3. its label in three languages: in `persons.columns` of this package's `files.json` and in `field` of the console's `audit.json`. Where
 *    the word "Text" is no good example of it in an import's template, one in `imports.guide.examples` of `files.json` besides.
 *
 * The calls, the rows of the database, both forms of the console, both pages of facts and the screens of imports are made from this list.
 */
export const PLAIN_FIELDS = ['nationality'] as const
export type PlainField = (typeof PLAIN_FIELDS)[number]

/** `Object.fromEntries` whose keys keep their names. */
export const objectOf = <Key extends string, Value>(entries: readonly (readonly [Key, Value])[]): Record<Key, Value> =>
  Object.fromEntries(entries) as Record<Key, Value>

/** Something for each plain field, by its name. */
export const ofPlainFields = <Value>(value: (field: PlainField) => Value): Record<PlainField, Value> =>
  objectOf(PLAIN_FIELDS.map((field) => [field, value(field)]))
