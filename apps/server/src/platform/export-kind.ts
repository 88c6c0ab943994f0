/** A kind of export: the one thing a context contributes so that its rows can be had as files. */
import type { Call, Language, Schema } from '@gatehouse/contract'
import type { Scope } from './session/session.ts'
import type { SheetColumn } from './documents/xlsx.ts'

export interface ExportKind<Filter = unknown, Wish = unknown, Row = unknown> {
  /** As tasks name it: `accessRecord`. */
  name: string
  /** Asks for one. Its body is a filter and the `format`, its answer the id of the task; it says whose permission is needed. */
  call: Call
  /** The sheet's name, and how the file's begins. */
  title(language: Language): string
  /** What is wished for, so that it means the same whenever the rows are read; JSON. @throws Refusal, InvalidRequest */
  wishOf(scope: Scope, filter: Filter): Wish | Promise<Wish>
  /** Whether the wish itself says of whom: such a task goes with an erasure. */
  namesSomebody(wish: Wish): boolean
  /** How many rows they are, counted up to `limit`. */
  count(scope: Scope, wish: Wish, limit: number): Promise<number>
  /** The rows in their order, a page at a time; whoever has enough reads no further. */
  pages(scope: Scope, wish: Wish): AsyncIterable<readonly Row[]>
  /** By the marks of this schema a row is masked. */
  row: Schema
  columns(language: Language, wish: Wish): readonly SheetColumn<Row>[]
  /** Ids of whom a row tells, for the log of reads. */
  subjectsOf(row: Row): readonly string[]
  /** Files of a row's pictures. */
  picturesOf(row: Row): readonly string[]
}

/** A kind among others: whoever handles them all passes on what he was given. */
export const exportKind = <Filter, Wish, Row>(kind: ExportKind<Filter, Wish, Row>): ExportKind => kind as unknown as ExportKind
