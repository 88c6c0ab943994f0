/** Persons as a device stores them, the pages in which they are sent to it, and those it cannot recognise. */
import { z } from 'zod'
import { CONTACTS_PER_PERSON, PALM_TEMPLATE_MAX, PALM_TEMPLATES } from '../limits.ts'
import { instant } from '../schema.ts'
import { id } from './id.ts'
import { word64, DIGEST_BUCKETS, audience, cursor } from './protocol.ts'

/**
 * `template`: base64 of little-endian float32; null if the server has none for the device's model: the device computes its own from the
 * photo.
 */
const faceObject = z.object({ faceId: id, modelId: z.string(), template: z.string().nullable() })
/** Equal values mean the same human, registered more than once. The value does not identify the human. */
const human = z.string().min(1).max(64)
/** A contact who comes in a person's place. */
const contactObject = z.object({ id, name: z.string(), human: human.optional(), faces: z.array(faceObject).max(4) })

/** Credentials that a person presents instead of a face, or in addition to it. */
export const credentialsObject = z.object({
  cards: z.array(z.string().max(64)).max(20).default([]),
  /** Number of the identity document (methods 2, 3, 13). */
  idNumber: z.string().max(64).nullable().default(null),
  /** 4 to 10 digits (methods 10, 11, 14, 15). */
  personalPassword: z.string().max(16).nullable().default(null),
  /** 6 digits (method 14). */
  cardPassword: z.string().max(16).nullable().default(null),
  /** Texts of QR codes (methods 6, 7). One that begins with `GHP1/` is the id of a pass in force, which no code shows. */
  qrCodes: z.array(z.string().max(256)).max(20).default([]),
  /**
   * Templates of palms, base64 (method 12), as the reader that enrolled them made them. A reader at the door compares by itself and gives
   * the template it found: equal texts are one palm.
   */
  handprints: z.array(z.string().max(PALM_TEMPLATE_MAX)).max(PALM_TEMPLATES).default([]),
})

export const personObject = z.object({
  id,
  version: word64,
  name: z.string(),
  workNumber: z.string(),
  enabled: z.boolean(),
  /** Validity, which the device itself checks to the millisecond. */
  validFrom: instant.nullable(),
  validTo: instant.nullable(),
  /** Access rules of the manifest that cover the person. */
  strategyIds: z.array(id),
  /** Access methods the person may use, of those of the access rules; absent: all of them. */
  methods: z.array(z.number().int().min(1).max(15)).max(15).optional(),
  /**
   * Lowest score at which this person's face counts as recognised, if higher than the device's threshold for all; null: the device's
   * threshold.
   */
  faceThreshold: z.number().nullable().default(null),
  /** The person's threshold also applies if it is lower than the device's: the user who set it was warned. Absent: it does not. */
  faceThresholdLoosens: z.literal(true).optional(),
  /** Persons for whom this person has been mistaken. */
  lookAlikes: z.array(id).max(100).default([]),
  /** Credentials, as far as a method of the audience needs them; null or absent: none. A device stores them encrypted like a template. */
  credentials: credentialsObject.nullish(),
  /** Credentials instead of `credentials`, for a device that requests them: base64 of nonce, tag and cipher text. */
  sealedCredentials: z.base64().max(200_000).optional(),
  faces: z.array(faceObject),
  /** Contacts, if an access rule of the audience that covers the person admits contacts; absent: none is needed. */
  contacts: z.array(contactObject).max(CONTACTS_PER_PERSON).optional(),
  /** Present if access rules of the audience admit contacts, because some of these may be this person too. Absent: unknown. */
  human: human.optional(),
})
export type PersonObject = z.output<typeof personObject>

/** Latest state of the persons that changed after a cursor, each */
export const changesPage = z.object({
  audience,
  /** The cursor after this page. */
  head: cursor,
  /** There is another page. */
  more: z.boolean(),
  /** The single changes are not available: compare digests, then continue from the head found there. */
  compare: z.boolean(),
  /** Digest of all persons of the audience at its newest cursor: the device must have it when there are no more pages. */
  digest: word64,
  persons: z.array(personObject),
  /** Persons who are no longer in the audience. */
  gone: z.array(id),
})
export type ChangesPage = z.output<typeof changesPage>

/** Erased persons of all audiences, in the order of their erasures. */
export const erasuresPage = z.object({
  /** Last erasure after this page; null: no person was erased. */
  newest: id.nullable(),
  more: z.boolean(),
  persons: z.array(id),
})

export const digestPage = z.object({ audience, head: cursor, persons: z.number().int(), buckets: z.array(word64).length(DIGEST_BUCKETS) })
export type DigestPage = z.output<typeof digestPage>
export const versionsPage = z.object({ audience, head: cursor, versions: z.array(z.tuple([id, word64])) })
export const personsPage = z.object({ audience, head: cursor, persons: z.array(personObject) })

/**
 * Reasons why a device cannot recognise a person. Another family of devices may report further reasons; consoles show unknown ones as they
 * are.
 */
export const PERSON_FAILURES = ['noFace', 'templateInvalid', 'photoRefused', 'personInvalid', 'notDelivered', 'noRoom', 'tampered'] as const
export const personException = z.object({ personId: id, version: word64, reason: z.string().min(1).max(64) })
export type PersonException = z.output<typeof personException>
