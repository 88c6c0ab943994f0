/** Persons as a device stores them, the pages by which they reach it, and those it cannot recognise. */
import { z } from 'zod'
import { CONTACTS_PER_PERSON } from '../limits.ts'
import { instant } from '../schema.ts'
import { id } from './id.ts'
import { word64, DIGEST_BUCKETS, audience, cursor } from './protocol.ts'

/**
 * `template`: base64 of little-endian float32, null where the server has none of the device's model: it makes its own
 * of the photograph.
 */
const faceObject = z.object({ faceId: id, modelId: z.string(), template: z.string().nullable() })
/** Whoever has an equal one is the same human, registered more than once. Says nothing of who that is. */
const human = z.string().min(1).max(64)
/** Somebody who comes in a person's place. */
const contactObject = z.object({ id, name: z.string(), human: human.optional(), faces: z.array(faceObject).max(4) })

/** What a person shows instead of a face, or beside it. */
export const credentialsObject = z.object({
  cards: z.array(z.string().max(64)).max(20).default([]),
  /** Number of the identity document (methods 2, 3, 13). */
  idNumber: z.string().max(64).nullable().default(null),
  /** 4 to 10 digits (methods 10, 11, 14, 15). */
  personalPassword: z.string().max(16).nullable().default(null),
  /** 6 digits (method 14). */
  cardPassword: z.string().max(16).nullable().default(null),
  /** Texts of QR codes (methods 6, 7). */
  qrCodes: z.array(z.string().max(256)).max(20).default([]),
  /** Templates of handprints, base64 (method 12). */
  handprints: z.array(z.string().max(20_000)).max(4).default([]),
})

export const personObject = z.object({
  id,
  version: word64,
  name: z.string(),
  workNumber: z.string(),
  enabled: z.boolean(),
  /** The device judges these itself, to the millisecond. */
  validFrom: instant.nullable(),
  validTo: instant.nullable(),
  /** Strategies of the manifest that cover the person. */
  strategyIds: z.array(id),
  /**
   * Lowest score at which this person's face counts as recognised, where it is more than the device asks of everybody;
   * null: what the device asks.
   */
  faceThreshold: z.number().nullable().default(null),
  /** The person's threshold holds where it is less than the device asks, too: whoever set it was warned. Absent: it does not. */
  faceThresholdLoosens: z.literal(true).optional(),
  /** Persons this one has been taken for. */
  lookAlikes: z.array(id).max(100).default([]),
  /**
   * What is shown instead of a face, or beside it, as far as a method of the audience asks for it; null or absent:
   * nothing. A device seals it like a template.
   */
  credentials: credentialsObject.nullish(),
  /** The same instead of `credentials`, to a device that asks for it: base64 of nonce, tag and cipher text. */
  sealedCredentials: z.base64().max(200_000).optional(),
  faces: z.array(faceObject),
  /** Where a strategy of the audience that covers the person lets contacts pass; absent: none has to be known. */
  contacts: z.array(contactObject).max(CONTACTS_PER_PERSON).optional(),
  /** Where strategies of the audience let contacts pass: some of these may be this person, too. Absent: nothing is known of that. */
  human: human.optional(),
})
export type PersonObject = z.output<typeof personObject>

/** Latest state of what changed after a cursor, each person once, oldest change first. */
export const changesPage = z.object({
  audience,
  /** The cursor once this page has been taken. */
  head: cursor,
  /** There is another page. */
  more: z.boolean(),
  /** The changes cannot be told one by one: compare digests, then go on from the head found there. */
  compare: z.boolean(),
  /** Of all persons of the audience at its newest cursor: what the device must come to when there is no more. */
  digest: word64,
  persons: z.array(personObject),
  /** Persons who are no longer of the audience. */
  gone: z.array(id),
})
export type ChangesPage = z.output<typeof changesPage>

/** Persons who were erased, whatever audience they were of, in the order of their erasures. */
export const erasuresPage = z.object({
  /** Where the device stands once this page has been taken; null: nobody was erased. */
  newest: id.nullable(),
  more: z.boolean(),
  persons: z.array(id),
})

export const digestPage = z.object({ audience, head: cursor, persons: z.number().int(), buckets: z.array(word64).length(DIGEST_BUCKETS) })
export type DigestPage = z.output<typeof digestPage>
export const versionsPage = z.object({ audience, head: cursor, versions: z.array(z.tuple([id, word64])) })
export const personsPage = z.object({ audience, head: cursor, persons: z.array(personObject) })

/** Why a person cannot be recognised at a device. Another family of devices may say more; consoles show what they do not know. */
export const PERSON_FAILURES = ['noFace', 'templateInvalid', 'photoRefused', 'personInvalid', 'notDelivered', 'noRoom', 'tampered'] as const
export const personException = z.object({ personId: id, version: word64, reason: z.string().min(1).max(64) })
export type PersonException = z.output<typeof personException>
