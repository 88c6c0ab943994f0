/** A visit as the operation log shows it. */
import type { Draft, StoredVisit } from './form-types.ts'

type LoggedVisit = Pick<StoredVisit, 'details' | 'peers'> & {
  row: Omit<Draft['values'], 'details' | 'phoneIndex' | 'phoneEnding' | 'watchMatches' | 'deskChecks'>
}

/** Return what a form says of a visit. */
export const loggedVisit = ({ row, details, peers }: LoggedVisit) => ({
  name: row.name,
  phone: details.phone,
  email: details.email,
  visiteeName: row.hostName,
  visitorNumber: row.visitorNumber,
  reason: row.reason,
  visitTime: row.visitAt,
  visitEndTime: row.visitEndAt,
  validDays: row.validDays,
  accessGroupIds: row.accessGroupIds,
  passMethods: row.passMethods,
  peers: peers.map((peer) => peer.row.name),
  cardNumber: details.cardNumber,
  idNumber: details.certificate?.number ?? null,
  facePhoto: row.photoFileId,
  faceConsent: row.faceConsent,
  remark: row.remark,
})

export const loggedDraft = ({ values, details, peers }: Draft) => loggedVisit({ row: values, details, peers })
