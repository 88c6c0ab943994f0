import type { InputOf } from '@gatehouse/contract'
import type { accessRecordExport } from '@gatehouse/contract/exports/calls'

/** A list of access records, as far as its export asks for it. */
export interface ExportedRecords {
  /** As the list is narrowed, whoever narrowed it. */
  query: Omit<InputOf<typeof accessRecordExport>, 'format'>
  filtered: boolean
  /** Nothing is known of it yet. */
  pending: boolean
  total: number
  /** False: there are at least `total`. */
  totalExact: boolean
}
