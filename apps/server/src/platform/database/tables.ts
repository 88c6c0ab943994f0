/** The tables as code sees them: their columns as stored, and the narrower types that areas declare for columns. */
import type { ColumnType, InsertType, SelectType, UpdateType } from 'kysely'
import type { StoredTables } from './stored-tables.ts'

/**
 * Types of columns that are narrower than PostgreSQL's: the values a text may have, the content of a jsonb column. Each area declares its
 * own beside its migrations. `tables.test.ts` checks that each declared column exists and that the narrower type fits it.
 */
// eslint-disable-next-line typescript/no-empty-object-type
export interface NarrowedColumns {}

/** The narrower type, optional on insert where the database has a default. */
type Column<Stored, Narrower> =
  undefined extends InsertType<Stored> ? ColumnType<SelectType<Narrower>, InsertType<Narrower> | undefined, UpdateType<Narrower>> : Narrower

type Table<Stored, Narrower> = {
  [Name in keyof Stored]: Name extends keyof Narrower ? Column<Stored[Name], Narrower[Name]> : Stored[Name]
}

/** Every table of the installation, in camel case. Which of them an area may name is checked in `tests/architecture`. */
export type Tables = {
  [Name in keyof StoredTables]: Name extends keyof NarrowedColumns ? Table<StoredTables[Name], NarrowedColumns[Name]> : StoredTables[Name]
}

/** Whether a narrower type is assignable to the type of the column, and includes null where the column is nullable. */
type Fits<Stored, Narrower> =
  unknown extends SelectType<Stored>
    ? true
    : SelectType<Narrower> extends SelectType<Stored>
      ? null extends SelectType<Stored>
        ? null extends SelectType<Narrower>
          ? true
          : false
        : true
      : false

/** Narrowed columns that do not exist or do not fit, as `table.column`; `never` if all are right. */
export type Misfits = {
  [Name in keyof NarrowedColumns & string]: Name extends keyof StoredTables
    ? {
        [Narrowed in keyof NarrowedColumns[Name] & string]: Narrowed extends keyof StoredTables[Name]
          ? Fits<StoredTables[Name][Narrowed], NarrowedColumns[Name][Narrowed]> extends true
            ? never
            : `${Name}.${Narrowed}`
          : `${Name}.${Narrowed}`
      }[keyof NarrowedColumns[Name] & string]
    : Name
}[keyof NarrowedColumns & string]
