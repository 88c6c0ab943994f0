import type { ColumnType } from 'kysely'

/** A jsonb column: read as its content, written as JSON text. @param Missing undefined where the database has a default */
export type Json<Content, Missing = never> = ColumnType<Content, string | Missing, string>
