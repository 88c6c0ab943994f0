/** A visit as a form says it, as it is stored, and as it would be stored. */
import type { Language, OutputOf } from '@gatehouse/contract'
import type { visitCreate } from '@gatehouse/contract/visitors/fields'
import type { Scope } from '../../platform/session/session.ts'
import type { PeerDetails, VisitDetails } from './details.ts'
import type { PeerRow } from './peers-data.ts'
import type { VisitRow, VisitValues } from './visits-data.ts'

export type VisitFields = OutputOf<typeof visitCreate>

/** A companion, details in clear beside the row. */
export interface Peer extends PeerDetails {
  row: Omit<PeerRow, 'visitId'>
}

/** A visit as it is stored now, details in clear. */
export interface StoredVisit {
  row: VisitRow
  details: VisitDetails
  peers: readonly Peer[]
}

/** A visit as it would be stored. */
export interface Draft {
  values: VisitValues
  details: VisitDetails
  peers: Peer[]
  /** Files that the visit refers to. */
  fileIds: string[]
}

/** How a form was made. */
export interface FormOrigin {
  /** Of e-mails to the visitor, unless the visit has one already. */
  language: Language
  /**
   * A visitor sent it through a link: the host is a name that may be nobody's, and where the visitor passes is decided when the visit is
   * accepted.
   */
  open?: { hostName: string }
}

export interface FormValues {
  /** @throws InvalidRequest at the fields that are wrong */
  of(scope: Scope, id: string, fields: VisitFields, stored: StoredVisit | null, origin: FormOrigin): Promise<Draft>
}
