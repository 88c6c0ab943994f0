/** Columns whose values are sealed, and the place each value is bound to. */

/**
 * The place of a sealed value: its column and the id of its row, as `person.id_number 0198…`, or `files` and the name of a file. A value
 * that was moved elsewhere, by anyone who can write the database or the disk, cannot be opened.
 */
export type Place = `${string}.${string} ${string}` | `files ${string}`

/** A column whose values are sealed. Their place is the column and the key of the row. */
export interface SealedColumn {
  table: string
  column: string
  /** Column with the park whose key is used; null: the key of the installation. */
  park: string | null
  /** Columns that identify the row, in the order in which the place names them. */
  key: readonly string[]
}

/** Return the place of a value of a column. @param key of its row, as text */
export const placeOf = ({ table, column }: Pick<SealedColumn, 'table' | 'column'>, ...key: readonly string[]): Place =>
  `${table}.${column} ${key.join(' ')}`
