/** How imports and their rows are answered. */
import type { Language } from '@gatehouse/contract'
import type { ImportRow, PersonImport } from '@gatehouse/contract/imports/calls'
import type { Scope } from '../../platform/session/session.ts'
import type * as data from './data.ts'
import type { RowRecord } from './rows-data.ts'

export interface ImportAnswers {
  imports(scope: Scope, language: Language, imports: readonly data.ImportRecord[]): Promise<PersonImport[]>
  /** @throws NotFound */
  read(scope: Scope, language: Language, id: string): Promise<PersonImport>
  rows(scope: Scope, language: Language, rows: readonly RowRecord[]): Promise<ImportRow[]>
}
