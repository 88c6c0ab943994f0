/** Ids of rows that are written directly into tables: the same for the same name, so that rows of other tables can refer to them. */
import { createHash } from 'node:crypto'

/** Return SQL for the id of what an SQL expression names, in the form that calls accept: a UUID of version 4. `rowId("'person' || n")` */
export const rowId = (name: string): string => `overlay(overlay(md5(${name}) placing '4' from 13) placing '8' from 17)::uuid`

/** Return the same id for a name. */
export const idOfRow = (name: string): string =>
  createHash('md5')
    .update(name)
    .digest('hex')
    .replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12})$/, '$1-$2-4$3-8$4-$5')
