/** A visit as calls return it. */
import { z } from 'zod'
import { LANGUAGES } from '../envelope.ts'
import {
  reservationChannel,
  visitorAuditStatus,
  visitorSignInSource,
  visitorSource,
  visitorStatus,
  visitReason,
} from '../enums/visitors.ts'
import { masked } from '../masking.ts'
import { ID_TYPES } from '../people/person-fields.ts'
import { abilities, id, instant } from '../schema.ts'
import { changesByItself } from '../wire-names.ts'

/** Whether a visitor may pass. The specification has the field but defines no values. */
export const PERMISSION_STATUS = { none: 0, granted: 1, ended: 2 } as const
export const permissionStatus = z.union([z.literal(0), z.literal(1), z.literal(2)])

const named = z.object({ id, name: z.string() })

export const visitPeer = z.object({
  id,
  name: masked('name', z.string()),
  phone: masked('phone', z.string()),
  idNumber: masked('idNumber', z.string()),
  facePhoto: z.string(),
  faceThumbnail: z.string(),
})

/** A person of the watch list whose phone, ID number or face a visitor has. Only for users who may see that list. */
export const visitWatchListMatch = z.object({
  personId: id,
  personName: masked('name', z.string()),
  by: z.enum(['phone', 'idNumber', 'face']),
  /** Raw similarity score; null where it was not found by face. */
  score: z.number().nullable(),
})

/**
 * What the desk has to check of a visit that an open page made: a phone of a person of the register, a visitor who is not signed off, a
 * host who is not one member of staff, a visitor whom doors do not take. The page itself says nothing of it.
 */
export const DESK_CHECKS = ['phone', 'present', 'host', 'pass'] as const

/** A row of the list. */
export const visitRow = z.object({
  id,
  name: masked('name', z.string()),
  phone: masked('phone', z.string()),
  visitorGroupId: id,
  visitorGroupName: z.string(),
  visitorNumber: z.number().int(),
  intervieweeId: id.nullable(),
  /** Name of the host, as it was when the visit was made; empty where there is none. */
  visiteeName: masked('name', z.string()),
  reason: visitReason.schema,
  /** When the visit was made. */
  appointmentTime: instant,
  visitTime: instant,
  visitEndTime: instant,
  validDays: z.number().int().nullable(),
  /** When the visitor signed in or passed the first door. */
  entryTime: instant.nullable(),
  signOffTime: instant.nullable(),
  authorisationExpiry: instant,
  permissionStatus: changesByItself(permissionStatus),
  status: visitorStatus.schema,
  auditStatus: visitorAuditStatus.schema.nullable(),
  rejectReason: z.string(),
  source: visitorSource.schema,
  reservationChannel: reservationChannel.schema.nullable(),
  signInSource: visitorSignInSource.schema.nullable(),
  /** Signed off by a user without the card being returned. */
  forced: z.boolean(),
  cardNumber: masked('cardNumber', z.string()),
  cardReturned: z.boolean(),
  peerCount: z.number().int(),
  facePhoto: z.string(),
  faceThumbnail: z.string(),
  /** Own fields that the list shows, in the form's order. */
  customFields: z.array(z.object({ id, title: z.string(), value: z.string() })),
  /** False: blocked by a user; the visit can be neither changed nor deleted. */
  enabled: z.boolean(),
  deskChecks: z.array(z.enum(DESK_CHECKS)),
  watchList: z.array(visitWatchListMatch).optional(),
  remark: z.string(),
  can: abilities('change', 'delete', 'accept', 'refuse', 'revoke', 'signIn', 'verify', 'signOff', 'block', 'unblock'),
  version: z.number().int(),
  updatedAt: instant,
})
export type VisitRow = z.output<typeof visitRow>

/** A single visit. */
export const visit = visitRow.extend({
  cardNumberFormat: z.string(),
  certificateInfo: z.object({ type: z.enum(ID_TYPES), number: masked('idNumber', z.string()) }).nullable(),
  email: masked('email', z.string()),
  faceConsent: z.boolean(),
  /** The text by which the visitor agreed on a page of their own; null where they agreed otherwise, or did not. */
  consentShown: z
    .object({
      language: z.enum(LANGUAGES),
      /** Of the park's privacy policy; 0: the text that Gatehouse comes with. */
      textVersion: z.number().int(),
      /** SHA-256 of the text, in hexadecimal digits. */
      textHash: z.string(),
      text: z.string(),
    })
    .nullable(),
  accessGroupIds: z.array(id),
  accessGroups: z.array(named),
  passMethods: z.array(z.number().int()),
  peers: z.array(visitPeer),
  /** The person that devices know the visitor as; null while the visitor may not pass. */
  personId: id.nullable(),
  registeredBy: z.string(),
})
export type Visit = z.output<typeof visit>

/** A pass in force. */
export const visitPass = z.object({
  /** What the QR code says. */
  text: z.string(),
  /** The QR code as an SVG picture, as a data URL. */
  image: z.string(),
  /** Bounds of the pass, both inclusive. */
  validFrom: instant,
  validTo: instant,
  /** The pass admits once. */
  oneUse: z.boolean(),
})
