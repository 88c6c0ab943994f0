/** Extension points of records, implemented by areas above them. */
import type { Transaction } from '../../platform/database/database.ts'
import { extensionPoint, singlePoint } from '../../platform/extension-points.ts'
import type { Scope } from '../../platform/session/session.ts'
import type { NewRecord } from './ingest-data.ts'
import type { Pseudonym } from './pseudonym.ts'
import type { DeletedRecord } from './record-removal-data.ts'

/** A record as it was stored. */
export type StoredRecord = NewRecord & { watched: boolean }

/** Keeps data of another area consistent with records, in the transaction that changes them. */
export interface RecordCompanion {
  /** New records of one transaction, possibly of many parks. */
  stored?(tx: Transaction, records: readonly StoredRecord[]): Promise<void>
  deleted?(tx: Transaction, scope: Scope, records: readonly (DeletedRecord & { id: string })[]): Promise<void>
  /** The sequence numbers of these devices are deleted together with all their records. */
  unnumbered?(tx: Transaction, scope: Scope, deviceIds: readonly string[]): Promise<void>
  /** Many records of a park were deleted; the transactions have committed. */
  emptied?(scope: Scope): Promise<void>
  /** A person is replaced by a pseudonym. */
  pseudonymised?(tx: Transaction, scope: Scope, personId: string, pseudonym: Pseudonym): Promise<void>
  /** All records of a park are deleted because the park is deleted. */
  erased?(tx: Transaction, scope: Scope): Promise<void>
  /** Months before a moment are dropped, for all parks. */
  dropped?(before: number): Promise<void>
}
export const recordCompanions = extensionPoint<RecordCompanion>('records.companions')

/** Finds which of these records were corrected. */
export type FindCorrected = (scope: Scope, recordIds: readonly string[]) => Promise<ReadonlySet<string>>
export const correctedRecords = extensionPoint<FindCorrected>('records.corrected')

/** Finds which of these persons were erased, so that their passages are stored under a pseudonym. */
export type FindErased = (scope: Scope, personIds: readonly string[]) => Promise<ReadonlySet<string>>
export const erasedPersons = singlePoint<FindErased>('records.erasedPersons')
