/** What records ask of areas above them. */
import type { OpenTransaction } from '../../platform/database/database.ts'
import { extensionPoint, singlePoint } from '../../platform/extension-points.ts'
import type { Scope } from '../../platform/session/session.ts'
import type { NewRecord } from './ingest-data.ts'
import type { Pseudonym } from './pseudonym.ts'
import type { DeletedRecord } from './records-data.ts'

/** A record as it was stored. */
export type StoredRecord = NewRecord & { watched: boolean }

/** Keeps something in step with records, in the transaction that changes them. */
export interface RecordCompanion {
  /** New records of one transaction, which takes those of many parks. */
  stored?(tx: OpenTransaction, records: readonly StoredRecord[]): Promise<void>
  deleted?(tx: OpenTransaction, scope: Scope, records: readonly (DeletedRecord & { id: string })[]): Promise<void>
  /** Many records of a park were deleted; the transactions are over. */
  emptied?(scope: Scope): Promise<void>
  /** A pseudonym takes the place of a person. */
  pseudonymised?(tx: OpenTransaction, scope: Scope, personId: string, pseudonym: Pseudonym): Promise<void>
  /** All records of a park are deleted, and the park goes. */
  erased?(tx: OpenTransaction, scope: Scope): Promise<void>
  /** Months of all parks that lie before a moment are dropped. */
  dropped?(before: number): Promise<void>
}
export const recordCompanions = extensionPoint<RecordCompanion>('records.companions')

/** Which of these records somebody has corrected. */
export type FindCorrected = (scope: Scope, recordIds: readonly string[]) => Promise<ReadonlySet<string>>
export const correctedRecords = extensionPoint<FindCorrected>('records.corrected')

/** Those of these persons who were erased and whose passages stand under a pseudonym. */
export type FindErased = (scope: Scope, personIds: readonly string[]) => Promise<ReadonlySet<string>>
export const erasedPersons = singlePoint<FindErased>('records.erasedPersons')
