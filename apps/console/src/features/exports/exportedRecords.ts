import type { InputOf } from '@gatehouse/contract'
import type { accessRecordExport } from '@gatehouse/contract/exports/calls'

/** The part of a list of access records that its export needs. */
export interface ExportedRecords {
  /** Filters of the list: those of the user, and fixed ones of the page. */
  query: Omit<InputOf<typeof accessRecordExport>, 'format'>
  filtered: boolean
  /** Whether the list has not been read yet. */
  pending: boolean
  total: number
  /** False: there are at least `total`. */
  totalExact: boolean
}
