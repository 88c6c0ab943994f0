/** Values of the form of a visit. */
import { VISITOR_END_OF_DAY, type InputOf } from '@gatehouse/contract'
import { visitorSource } from '@gatehouse/contract/enums/visitors'
import type { ID_TYPES } from '@gatehouse/contract/people/person-fields'
import type { VisitorConfiguration } from '@gatehouse/contract/visitors/configuration'
import type { PASS_METHODS, visitCreate } from '@gatehouse/contract/visitors/fields'
import type { Visit } from '@gatehouse/contract/visitors/visit'
import { startOfDay } from '../../../kit/time.ts'

/** A single visit has an end, a regular visitor a number of days. */
export type VisitKind = 'single' | 'regular'
export type IdType = (typeof ID_TYPES)[number]
export type PassMethod = (typeof PASS_METHODS)[number]

type Body = InputOf<typeof visitCreate>
export type VisitValues = Partial<Omit<Body, 'peers'>> & {
  /** Null in a change: none any more. */
  peers?: Body['peers'] | null
  /** Name of the host, so that a draft can show it; not sent. */
  hostName?: string
}

const MINUTE = 60_000
const DAY = 86_400_000
/** Milliseconds from midnight to the end of a day. */
const END_OF_DAY = Date.parse(`1970-01-01T${VISITOR_END_OF_DAY}Z`)

/** Return the end of a day of the park. @param offset minutes east of UTC */
const endOfDay = (instant: number, offset: number): number => startOfDay(instant, offset) + END_OF_DAY

/** Return when the authorisation of a regular visitor ends: on the last day, the first one included. */
export const lastMoment = (visitTime: number, validDays: number, offset: number): number =>
  endOfDay(visitTime + (validDays - 1) * DAY, offset)

/** What the initial values of a new visit depend on. */
interface Circumstances {
  configuration: VisitorConfiguration
  /** Groups of visitors. */
  groups: readonly { id: string }[]
  /** Epoch milliseconds. */
  now: number
  offset: number
}

export function newVisit(kind: VisitKind, { configuration, groups, now, offset }: Circumstances): VisitValues {
  const { visitReasons, defaultValidDays } = configuration
  const visitTime = now - (now % MINUTE)
  return {
    source: visitorSource.temporary,
    visitTime,
    ...(kind === 'single' ? { visitEndTime: endOfDay(visitTime, offset) } : { validDays: defaultValidDays }),
    ...(visitReasons.length === 1 && { reason: visitReasons[0] }),
    ...(groups[0] && { visitorGroupId: groups[0].id }),
    peers: [],
  }
}

/** Return the values of a visit, without the consent, which can only be added. */
export const valuesOf = (visit: Visit): VisitValues => ({
  name: visit.name,
  phone: visit.phone,
  email: visit.email,
  visitorGroupId: visit.visitorGroupId,
  visitorNumber: visit.visitorNumber,
  intervieweeId: visit.intervieweeId,
  hostName: visit.visiteeName,
  reason: visit.reason,
  visitTime: visit.visitTime,
  ...(visit.validDays === null ? { visitEndTime: visit.visitEndTime } : { validDays: visit.validDays }),
  accessGroupIds: visit.accessGroupIds,
  passMethods: visit.passMethods as PassMethod[],
  peers: visit.peers.map(({ faceThumbnail: _, ...peer }) => peer),
  cardNumber: visit.cardNumber,
  certificateInfo: visit.certificateInfo,
  facePhoto: visit.facePhoto,
  customFields: visit.customFields.map(({ id, value }) => ({ id, value })),
  remark: visit.remark,
})
