/** What imports offer. */
import type { ImportPhoto, ImportRow, PersonImport, importCalls, photoBoardGroup } from '@gatehouse/contract/imports/calls'
import type { z } from 'zod'
import type { Paging } from '../../platform/database/page.ts'
import type { Language } from '@gatehouse/contract'
import type { PersonKind } from '@gatehouse/contract/people/person-fields'
import type { FileAnswer } from '../../platform/context.ts'
import type { ReceivedFile } from '../../platform/http/received-file.ts'
import type { Actor, Scope } from '../../platform/session/session.ts'
import type { RowQuery } from './rows-data.ts'
import type { FileReader } from './sheets.ts'

export type Body<Name extends 'create'> = z.output<(typeof importCalls)[Name]['body']>
export type PageOf<Row> = { total: number; content: Row[] } & Paging
export interface ImportsService {
  list(scope: Scope, language: Language, query: Paging): Promise<PageOf<PersonImport>>
  read(scope: Scope, language: Language, id: string): Promise<PersonImport>
  create(scope: Scope, actor: Actor, body: Body<'create'>): Promise<string>
  addRows(scope: Scope, language: Language, id: string, file: ReceivedFile | null): Promise<PersonImport>
  addPhotos(scope: Scope, language: Language, id: string, file: ReceivedFile | null): Promise<PersonImport>
  rows(scope: Scope, language: Language, id: string, query: RowQuery): Promise<PageOf<ImportRow>>
  changeRow(scope: Scope, language: Language, id: string, rowId: string, values: Record<string, string>): Promise<ImportRow>
  /** @throws InvalidRequest the row names no group that is missing; Refusal 200107 somebody has just added it; NotFound */
  addGroup(scope: Scope, language: Language, id: string, rowId: string): Promise<ImportRow>
  strayPhotos(scope: Scope, language: Language, id: string, query: Paging): Promise<PageOf<ImportPhoto>>
  assignPhoto(scope: Scope, id: string, photoId: string, workNumber: string): Promise<string>
  start(scope: Scope, actor: Actor, language: Language, id: string): Promise<PersonImport>
  cancel(scope: Scope, language: Language, id: string): Promise<PersonImport>
  delete(scope: Scope, id: string): Promise<string>
  refused(session: FileReader, language: Language, id: string): Promise<FileAnswer>
  template(session: FileReader, language: Language, format: 'xlsx' | 'csv'): FileAnswer
  photoBoard(scope: Scope, kind: PersonKind): Promise<z.output<typeof photoBoardGroup>[]>
  /** Removes imports nobody needs any more, in all parks; answers how many. */
  removeOld(): Promise<number>
}
