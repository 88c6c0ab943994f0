/** Fields of a visit as forms send them, and the rules between them (VAL-078 to VAL-093). */
import { z } from 'zod'
import { email } from '../account.ts'
import { accessMethod } from '../enums/access.ts'
import { cardNumberFormat } from '../enums/people.ts'
import { visitReason } from '../enums/visitors.ts'
import { PERSON_NUMBER_MAX, TEXT_MAX, VISIT_SPAN_MAX, VISITOR_DAYS_MAX, VISITOR_DAYS_MIN } from '../limits.ts'
import { masked } from '../masking.ts'
import { personName, phone } from '../people/fields.ts'
import { ID_TYPES } from '../people/person-fields.ts'
import { changeOf, id, instant } from '../schema.ts'
import { refusedAs, rule } from '../validation.ts'

/** Persons who come along, at most. */
export const PEERS_MAX = 20
/** Persons of one visit, at most. */
export const VISITOR_NUMBER_MAX = 99
/** Visits that one call decides on, signs in or signs off. */
export const VISITS_PER_CALL = 200
/** Characters of the value of an own field. */
export const VISITOR_VALUE_MAX = 200

/** Return a field that can be empty. */
const optional = <S extends z.ZodType>(schema: S) => z.union([z.literal(''), schema]).nullish()

/** Methods by which visitors can pass now. */
export const PASS_METHODS = [
  accessMethod.face,
  accessMethod.card,
  accessMethod.cardAndFace,
  accessMethod.qrCode,
  accessMethod.qrCodeAndFace,
] as const
export const passMethods = z.array(z.union(PASS_METHODS.map((method) => z.literal(method)))).max(PASS_METHODS.length)

/** The last moment of a visit: a year later, the days of an authorisation still have a year of four digits. */
export const VISIT_MOMENT_MAX = 253_370_000_000_000
export const visitMoment = instant.refine((value) => value <= VISIT_MOMENT_MAX, rule('moment'))

/** Address of a picture that `POST /visitor/photo` or another answer returned. */
export const picture = z.string().max(500)

export const certificate = z.object({ type: z.enum(ID_TYPES), number: masked('idNumber', z.string().trim().min(1).max(PERSON_NUMBER_MAX)) })

/** A person who comes along. The phone differs from that of the visitor and from those of all others (VAL-089, VAL-090). */
export const peerFields = z.object({
  /** Of a companion whom the visit has already; absent: a new one. */
  id: id.nullish(),
  name: personName,
  phone,
  idNumber: optional(masked('idNumber', z.string().trim().max(PERSON_NUMBER_MAX))),
  facePhoto: picture.nullish(),
})

/** Value of an own field: text, the chosen one, the chosen ones separated by semicolons, or the address of a picture. */
export const visitorValue = z.object({ id, value: z.string().trim().max(500).nullable() })

/** Fields of a visit. `facePhoto`: the address that `POST /visitor/photo` returned. */
const fields = z.object({
  name: personName,
  phone,
  /** Absent: the first group of visitors. */
  visitorGroupId: id.nullish(),
  /** Number of persons, the visitor included; absent: those who are named. */
  visitorNumber: z.number().int().min(1).max(VISITOR_NUMBER_MAX).nullish(),
  /** The host. */
  intervieweeId: id.nullish(),
  reason: visitReason.schema,
  visitTime: visitMoment,
  /** End of a single visit, less than seven days after it begins; absent where `validDays` says it. */
  visitEndTime: visitMoment.nullish(),
  /** Days for which a regular visitor may come, the day of `visitTime` included; absent for a single visit. */
  validDays: z.number().int().min(VISITOR_DAYS_MIN).max(VISITOR_DAYS_MAX).nullish(),
  /** Access rules for visitors; absent: those of the pass rule. */
  accessGroupIds: z.array(id).max(100).nullish(),
  /** Absent: those of the pass rule. */
  passMethods: passMethods.nullish(),
  peers: z.array(peerFields).max(PEERS_MAX).default([]),
  cardNumber: optional(masked('cardNumber', z.string().trim().max(PERSON_NUMBER_MAX, refusedAs(200225)))),
  cardNumberFormat: cardNumberFormat.schema.nullish(),
  certificateInfo: certificate.nullish(),
  facePhoto: picture.nullish(),
  /** Address to which the visitor is sent e-mails about the visit. */
  email: email.nullish(),
  /** The visitor agreed to face recognition. */
  faceConsent: z.boolean().nullish(),
  customFields: z.array(visitorValue).max(100).nullish(),
  remark: optional(z.string().trim().max(TEXT_MAX)),
})

interface Times {
  visitTime?: number | undefined
  visitEndTime?: number | null | undefined
}
const SPAN_MS = VISIT_SPAN_MAX * 86_400_000

/** Return whether a visit ends neither before it begins nor seven days after that or later (VAL-087, VAL-088). */
export const isVisitSpan = ({ visitTime, visitEndTime }: Times): boolean =>
  visitTime === undefined || visitEndTime == null || (visitEndTime >= visitTime && visitEndTime - visitTime < SPAN_MS)

interface Phones {
  phone?: string | undefined
  peers?: readonly { phone: string }[] | undefined
}
/** Return the first peer whose phone the visitor or an earlier peer has; -1 where there is none. */
export function repeatedPhone({ phone: own, peers = [] }: Phones): number {
  const phones = [own, ...peers.map((peer) => peer.phone)]
  return peers.findIndex((peer, at) => phones.indexOf(peer.phone) <= at)
}

export const consistent = <S extends z.ZodType<Times & Phones>>(schema: S) =>
  schema
    .refine(isVisitSpan, { path: ['visitEndTime'], ...rule('visitSpan', { days: VISIT_SPAN_MAX }), ...refusedAs(900007) })
    .superRefine((value, context) => {
      const at = repeatedPhone(value)
      if (at >= 0) context.addIssue({ code: 'custom', path: ['peers', at, 'phone'], ...rule('peerPhone') })
    })

export const visitCreate = consistent(
  fields.extend({
    /** Asked for (1), invited (2), or registered as the visitor stands at the desk (3). */
    source: z.union([z.literal(1), z.literal(2), z.literal(3)]),
  }),
)
export const visitChange = consistent(changeOf(fields).extend({ id, version: z.number().int().optional() }))
