/** A kind of export, which a context contributes so that its rows can be exported as files. */
import type { Call, Language, Schema } from '@gatehouse/contract'
import type { Scope } from './session/session.ts'
import type { SheetColumn } from './documents/xlsx.ts'

export interface ExportKind<Filter = unknown, Options = unknown, Row = unknown> {
  /** Name in tasks: `accessRecord`. */
  name: string
  /**
   * The call that requests an export. Its body is a filter and the `format`, its answer the id of the task; its permission is the one
   * required.
   */
  call: Call
  /** Return the name of the sheet, with which the file name starts. */
  title(language: Language): string
  /** Return the options of a task as JSON; they mean the same whenever the rows are read. @throws Refusal, InvalidRequest */
  optionsOf(scope: Scope, filter: Filter): Options | Promise<Options>
  /** Return whether the options themselves name a person; such a task is deleted with an erasure. */
  namesSomebody(options: Options): boolean
  /** Return the number of rows, counted up to `limit`. */
  count(scope: Scope, options: Options, limit: number): Promise<number>
  /** Return the rows in their order, a page at a time; no more pages are read than the reader takes. */
  pages(scope: Scope, options: Options): AsyncIterable<readonly Row[]>
  /** Schema whose marks define which fields of a row are masked. */
  row: Schema
  columns(language: Language, options: Options): readonly SheetColumn<Row>[]
  /** Return the ids of the persons a row shows, for the log of reads. */
  subjectsOf(row: Row): readonly string[]
  /** Return the file ids of a row's pictures. */
  picturesOf(row: Row): readonly string[]
}

/** Return a kind as one among others: code that handles all kinds passes their options on without reading them. */
export const exportKind = <Filter, Options, Row>(kind: ExportKind<Filter, Options, Row>): ExportKind => kind as ExportKind
