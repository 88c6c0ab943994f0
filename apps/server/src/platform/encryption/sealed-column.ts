/** Columns whose values are sealed, and the place each value is bound to. */

/**
 * Where a sealed value is kept: its column and the id of its row, as `person.id_number 0198…`, or `files` and the name of a file. What
 * was moved elsewhere, by whoever can write the database or the disk, is opened by nobody.
 */
export type Place = `${string}.${string} ${string}` | `files ${string}`

/** A column whose values are sealed. Their place is the column and the key of the row. */
export interface SealedColumn {
  table: string
  column: string
  /** Column with the park whose key seals; null: the key of the installation. */
  park: string | null
  /** Columns that tell the row from all others, in the order in which the place names them. */
  key: readonly string[]
}

/** Where a value of a column is kept. @param key of its row, as text */
export const placeOf = ({ table, column }: Pick<SealedColumn, 'table' | 'column'>, ...key: readonly string[]): Place =>
  `${table}.${column} ${key.join(' ')}`
