import type { Call } from '@gatehouse/contract'
import type { AnyCall } from '../../api/http.ts'
import type { PageCall } from '../../kit/list/useList.ts'

/** The part of a list that its export needs. */
export interface ExportedList {
  /** Filters of the list: those of the user, and fixed ones of the page. */
  query: object
  filtered: boolean
  /** Whether the list has not been read yet. */
  pending: boolean
  total: number
  /** False: there are at least `total`. */
  totalExact: boolean
}

/** What is exported: the call that asks for the file, and the list that counts its rows. */
export interface ExportSource {
  /** Takes the filters of the list and the format, and answers with the id of the task. */
  start: AnyCall & Pick<Call, 'permission'>
  list: PageCall
  title: string
  /** Days that the list looks back when no time is chosen. */
  days: number
}
