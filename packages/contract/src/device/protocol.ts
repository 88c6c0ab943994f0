/**
 * What a terminal and the server say to each other, version 1: final. Later versions of the product only add optional
 * fields, calls and new command names; whoever does not know them passes over them. Bulk goes over HTTP (service `device`,
 * with the token of a handshake, or Basic with the device's code and secret), short messages over MQTT under
 * `gatehouse/1/{code}/…`. Every message is checked on arrival on both sides. In words: docs/protocol/README.md.
 */
import { z } from 'zod'
import { call } from '../call.ts'
import { timeRuleFields } from '../strategies/calls.ts'
import { terminalSettingValues } from '../configuration/settings.ts'
import { authorisedObject } from '../enums/access.ts'
import { deviceCode } from '../devices/fields.ts'
import { ownCurve } from '../faces/own-curve.ts'
import { PROMISE_BOUNDS } from '../faces/promise.ts'
import { CONTACTS_PER_PERSON } from '../limits.ts'
import { instant } from '../schema.ts'
import { id } from './id.ts'

export const PROTOCOL_VERSION = 1

/** Topics of one device. `up`: device to server, `down`: server to device. */
export const deviceTopics = (code: string) => ({
  /** Retained; the broker sends `{ online: false }` as the last will. */
  status: `gatehouse/1/${code}/up/status`,
  records: `gatehouse/1/${code}/up/records`,
  answer: `gatehouse/1/${code}/up/answer`,
  acknowledged: `gatehouse/1/${code}/down/acknowledged`,
  changed: `gatehouse/1/${code}/down/changed`,
  command: `gatehouse/1/${code}/down/command`,
})
export const UPLINK_PATTERN = 'gatehouse/1/+/up/#'

/**
 * An unsigned number of 64 bits as 16 hexadecimal digits. The version of a person is one the server draws from all that
 * a device holds of them; equal versions mean equal content. The digest of a set of persons is the sum of their versions
 * modulo 2^64, so that it follows each change without being counted anew.
 */
export const word64 = z.string().regex(/^[0-9a-f]{16}$/)

/** Persons fall into so many buckets by the last two hexadecimal digits of their id. */
export const DIGEST_BUCKETS = 256
export const bucketOf = (personId: string): number => Number.parseInt(personId.slice(-2), 16)

/** Settings a terminal decides by. */
export const deviceSettings = z.object({
  deviceId: id,
  name: z.string(),
  direction: z.number().int(),
  zone: z.string(),
  /** Lowest score (0..100, raw: before `shownScore`) at which a face counts as recognised; with a promise, one that keeps it for all that the device should hold. */
  threshold: z.number(),
  /**
   * What is promised of strangers who try this door: a device that knows this works its threshold out for what it holds, by the model that
   * compares there, instead of `threshold`. Absent: `threshold` is fixed.
   */
  promise: z
    .object({
      strangersPerThousand: z.number().min(PROMISE_BOUNDS.min).max(PROMISE_BOUNDS.max),
      /** How alike those are who may come to this door, by the model the device has; absent where they are not more alike than others. */
      curve: ownCurve.optional(),
    })
    .optional(),
  /** The server has the last word on each passage, within so many milliseconds; null: the terminal decides alone. */
  secondVerification: z
    .object({
      timeoutMs: z.number().int().min(100).max(30_000),
      /** What becomes of a passage the server could not be asked about, or did not answer in time; absent: `refuse`. */
      offline: z.enum(['refuse', 'allow']).optional(),
    })
    .nullable()
    .default(null),
  /** Milliseconds within which the second factor of a method must follow the first. */
  factorTimeoutMs: z.number().int().min(1000).max(60_000).default(10_000),
  /** Points of score by which the best person must lead the second best; 0: no lead is asked for. */
  margin: z.number().min(0).max(100).default(0),
  /** The same between persons who are each other's look-alikes. */
  lookAlikeMargin: z.number().min(0).max(100).default(0),
  /** Whether a face must be a living one; `refuses: false` is a trial, which records the score only. Null: not looked at. */
  liveness: z
    .object({ refuses: z.boolean(), threshold: z.number().min(0).max(1).nullable() })
    .nullable()
    .default(null),
  /** What the server sets besides; null or absent: the terminal's own defaults hold. Fields above win where both say something. */
  configuration: terminalSettingValues.nullish(),
  /** Another value: what `secrets` answers is another. Empty or absent: there are none. */
  secretsRevision: z.string().max(64).optional(),
})
export type DeviceSettings = z.output<typeof deviceSettings>

export const strategyObject = z.object({
  id,
  timeRuleIds: z.array(id),
  methods: z.array(z.number().int()),
  validFrom: instant.nullable(),
  validTo: instant.nullable(),
  /** Who passes by it: the persons it covers, their contacts, or both; absent: the persons. */
  authorisedObject: authorisedObject.schema.optional(),
})
export type StrategyObject = z.output<typeof strategyObject>
export const timeRuleObject = timeRuleFields.extend({ id, effectiveDate: z.string().nullable() })
export type TimeRuleObject = z.output<typeof timeRuleObject>

/** Names an audience: the devices at which the same strategies hold, and so the same persons. */
const audience = id
/** Number of a change within its audience. */
const cursor = z.number().int().min(0)

/** Everything a device decides by, but the persons. One edited rule is one new manifest, whoever refers to it. */
export const manifest = z.object({
  /** Names this state; quoted on records and in `held`. Equal content has an equal revision. */
  revision: z.string().max(64),
  audience,
  settings: deviceSettings,
  strategies: z.array(strategyObject),
  timeRules: z.array(timeRuleObject),
})
export type Manifest = z.output<typeof manifest>

/** `template`: base64 of little-endian float32, null where the server has none of the device's model: it makes its own of the photograph. */
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
  /** Lowest score at which this person's face counts as recognised, where it is more than the device asks of everybody; null: what the device asks. */
  faceThreshold: z.number().nullable().default(null),
  /** The person's threshold holds where it is less than the device asks, too: whoever set it was warned. Absent: it does not. */
  faceThresholdLoosens: z.literal(true).optional(),
  /** Persons this one has been taken for. */
  lookAlikes: z.array(id).max(100).default([]),
  /** What is shown instead of a face, or beside it, as far as a method of the audience asks for it; null or absent: nothing. A device seals it like a template. */
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

/** What a device holds. */
export const heldState = z.object({
  revision: z.string().max(64),
  audience,
  /** All changes up to here have been taken, or stand among the exceptions. */
  cursor,
  /** Sum of the versions of all persons held, exceptions included. */
  digest: word64,
  /** Persons that can be recognised, and those that cannot. */
  persons: z.number().int().min(0),
  failed: z.number().int().min(0),
  /** Newest erasure that is carried out, with all before it; null: none, or one of them not wholly. Absent: the device does not know of erasures. */
  erasure: id.nullish(),
})
export type HeldState = z.output<typeof heldState>

/** What somebody changed in the store of a device behind its back; no person and no rules: what runs by itself in its file. */
export const storeTampering = z.object({
  /** When it was found. */
  at: instant,
  /** Rows of persons that did not fit. */
  persons: z.number().int().min(0),
  /** Whether settings, strategies or time rules did not fit. */
  rules: z.boolean(),
})
export type StoreTampering = z.output<typeof storeTampering>

/** What a device tells of itself for people to read; each may be absent. */
export const deviceFacts = z.object({
  /** Name of the installed package. */
  apkName: z.string().max(64).optional(),
  algorithmVersion: z.string().max(64).optional(),
  /** `linux`, `android`, … */
  platform: z.string().max(32).optional(),
  /** Values of `deviceLicense`. */
  license: z.union([z.literal(0), z.literal(1)]).optional(),
  /** Persons it has room for. */
  capacity: z.number().int().min(0).max(10_000_000).optional(),
  /** State of the door, of the enum `doorState`. */
  door: z.string().max(32).optional(),
  /** The last time the store was found changed by others; absent: never, or it does not look. */
  storeTampering: storeTampering.optional(),
})
export type ToldFacts = z.output<typeof deviceFacts>

/** First message after connecting, retained; repeats whenever `held` or `facts` change. */
export const statusMessage = z.object({
  online: z.boolean(),
  version: z.string().max(64).optional(),
  ip: z.string().max(64).optional(),
  modelId: z.string().max(64).optional(),
  /** Absent before the first manifest was taken. */
  held: heldState.optional(),
  facts: deviceFacts.optional(),
})
export type StatusMessage = z.output<typeof statusMessage>

/** Why a person cannot be recognised at a device. Another family of devices may say more; consoles show what they do not know. */
export const PERSON_FAILURES = ['noFace', 'templateInvalid', 'photoRefused', 'personInvalid', 'notDelivered', 'noRoom', 'tampered'] as const
export const personException = z.object({ personId: id, version: word64, reason: z.string().min(1).max(64) })
export type PersonException = z.output<typeof personException>

/** One passage, numbered per device and epoch from 1 without gaps. */
export const recordObject = z.object({
  seq: z.number().int().min(1).max(Number.MAX_SAFE_INTEGER),
  occurredAt: instant,
  personId: id.nullable(),
  personName: z.string().max(64),
  /** The contact who came in the person's place; null or absent: the person came. */
  contactId: id.nullish(),
  contactName: z.string().max(64).nullish(),
  result: z.number().int().min(0).max(1),
  failReason: z.number().int().nullable(),
  verifyType: z.number().int(),
  direction: z.number().int(),
  score: z.number().nullable(),
  /** What sensors told: degrees Celsius or a mark (-1, -2), values of `temperatureStatus`, `maskStatus`, `helmetStatus`. */
  temperature: z.number().min(-100).max(100).nullish(),
  temperatureStatus: z.number().int().min(0).max(9).nullish(),
  mask: z.number().int().min(0).max(1).nullish(),
  helmet: z.number().int().min(0).max(1).nullish(),
  /** Compact checks of `access-rules`, at most 400 bytes. */
  checks: z.string().max(400),
  revision: z.string().max(64),
  hasPicture: z.boolean(),
})
export type RecordObject = z.output<typeof recordObject>

/**
 * An epoch begins with a data folder of the device and ends with it. `oldestSeq`: the lowest number the device still
 * keeps of it; what is below and not stored is gone, and not waited for. `sentAt` is the device's clock at sending: the
 * server records the offset.
 */
export const recordsMessage = z.object({
  epoch: z.string().min(1).max(64),
  oldestSeq: z.number().int().min(1),
  sentAt: instant,
  records: z.array(recordObject).min(1).max(500),
})
export type RecordsMessage = z.output<typeof recordsMessage>

/** All numbers up to `ackSeq` of this epoch are stored. Sent after commit. A broker's receipt means nothing. */
export const acknowledgedMessage = z.object({ epoch: z.string(), ackSeq: z.number().int() })

/** What the device should come to. Sent at every change that concerns it and after every status that says `online`. */
export const changedMessage = z.object({
  revision: z.string(),
  audience,
  head: cursor,
  digest: word64,
  /** Newest erasure; null: nobody was erased. Absent: the server does not tell. */
  erasure: id.nullish(),
})
export type ChangedMessage = z.output<typeof changedMessage>

/** `controlDoor` carries `operateType`, others an `argument`: see `commands.ts`. A name the device does not know is answered with errorType 4. A repeat is answered, not done again. */
export const commandMessage = z.object({
  id,
  name: z.string().max(64),
  operateType: z.number().int().optional(),
  argument: z.record(z.string(), z.unknown()).optional(),
})
export type CommandMessage = z.output<typeof commandMessage>
/** `errorType` as of controlDoor: 2 and 3 business error, 4 error. `result`: what the command asked for. */
export const answerMessage = z.object({
  id,
  isSuccess: z.boolean(),
  errorType: z.number().int().nullable(),
  result: z.record(z.string(), z.unknown()).optional(),
})
export type AnswerMessage = z.output<typeof answerMessage>

const audienceParams = z.object({ audience })
/** SHA-256 or HMAC-SHA256 as base64url. */
const digest256 = z.string().regex(/^[\w-]{43}$/)
/** HMAC-SHA256 over `removalText`. */
const removalProof = digest256
/** Random, and another each time. */
const nonce = z.string().regex(/^[\w-]{16,64}$/)
const challenge = z.string().regex(/^[\w-]{16,256}$/)
const modelId = z.string().max(64)
/** `sealed`: credentials come as `sealedCredentials`, under the key that was told when the device paired. Absent: neither numbers of documents nor passwords come at all. */
const credentials = z.literal('sealed').optional()

/**
 * Of the calls by which devices prove themselves. 500 terminals behind one address that start at the same moment make one of each,
 * and may each repeat it three times within the minute: connections of a busy server end early.
 */
const handshakesPerAddress = { requests: 2000, minutes: 1 } as const

export const deviceProtocolCalls = {
  challenge: call({
    method: 'POST',
    service: 'device',
    path: '/challenge',
    permission: 'public',
    effect: 'read',
    summary:
      'The server proves that it knows the secret of a device, and vouches for the keys of its certificates; codes nobody has are answered alike, with a proof that is none.',
    body: z.object({ code: deviceCode, nonce }),
    data: z.object({
      challenge,
      /** SHA-256 of the public keys (SPKI, DER) of certificates the server is reached under, as base64url; none: it does not know, or there are none. */
      keys: z.array(digest256).max(20),
      /** The server takes nothing over plain http. */
      tlsOnly: z.boolean(),
      /** HMAC-SHA256 over `serverProofText`. */
      proof: digest256,
    }),
    perAddress: handshakesPerAddress,
    origin: 'own',
  }),
  token: call({
    method: 'POST',
    service: 'device',
    path: '/token',
    permission: 'public',
    effect: 'read',
    summary:
      'The device proves that it knows its secret, within a minute of the challenge; the token opens calls in place of code and secret.',
    body: z.object({ code: deviceCode, nonce, challenge, proof: digest256 }),
    data: z.object({ token: z.string().max(512), expiresIn: z.number().int() }),
    statuses: [401],
    perAddress: handshakesPerAddress,
    origin: 'own',
  }),
  pair: call({
    method: 'POST',
    service: 'device',
    path: '/pair',
    permission: 'device',
    summary: 'A terminal presents itself; answers how to reach the broker and what it already stored.',
    body: z.object({
      /** Another version than this is refused, and ends a secret that waits for its terminal. */
      protocol: z.number().int(),
      version: z.string().max(64),
      modelId,
      /** Epochs of which the device still keeps records. */
      epochs: z.array(z.string().min(1).max(64)).min(1).max(100),
      /** A public key of X25519, base64url of its 32 bytes, another with each pairing: the device opens sealed credentials. */
      sealingKey: z
        .string()
        .regex(/^[\w-]{43}$/)
        .optional(),
    }),
    data: z.object({
      deviceId: id,
      name: z.string(),
      /** `url` null: the host of this call, at `port`. */
      broker: z.object({ url: z.string().nullable(), port: z.number().int(), username: z.string(), password: z.string() }),
      /** Highest number stored of each epoch, 0 where none is: the device sends on from there. */
      stored: z.array(z.object({ epoch: z.string(), ackSeq: z.number().int() })),
      serverTime: instant,
      /** To whoever sent a `sealingKey`: the key of sealed credentials, itself sealed for that one. Base64url. */
      credentialsKey: z.string().max(256).optional(),
    }),
    origin: 'own',
  }),
  removal: call({
    method: 'POST',
    service: 'device',
    path: '/removal',
    permission: 'public',
    effect: 'read',
    summary:
      'Whether the device was deleted at this server: each proves itself by the former secret, which travels in neither direction. 404 to everybody else.',
    body: z.object({
      code: z.string().max(64),
      /** Random, and another each time. */
      nonce: z.string().min(16).max(64),
      /** Of `asked`, or of `done`. */
      proof: removalProof,
      /** The device has let go of everything; the server need not know it any longer. */
      done: z.boolean(),
    }),
    data: z.object({ deviceId: id, proof: removalProof }),
    statuses: [404],
    perAddress: handshakesPerAddress,
    origin: 'own',
  }),
  manifest: call({
    method: 'GET',
    service: 'device',
    path: '/manifest',
    permission: 'device',
    summary: 'Settings, strategies and time rules the device should hold now.',
    data: manifest,
    statuses: [404],
    origin: 'own',
  }),
  changes: call({
    method: 'GET',
    service: 'device',
    path: '/audience/{audience}/changes',
    permission: 'device',
    summary: 'Persons that changed after a cursor. 404 when the audience is not the device’s: the manifest names the right one.',
    params: audienceParams,
    query: z.object({ after: z.coerce.number().int().min(0), modelId, credentials }),
    data: changesPage,
    statuses: [206, 304],
    origin: 'own',
  }),
  digest: call({
    method: 'GET',
    service: 'device',
    path: '/audience/{audience}/digest',
    permission: 'device',
    summary: 'Digests of the 256 buckets of an audience.',
    params: audienceParams,
    data: digestPage,
    statuses: [206, 304],
    origin: 'own',
  }),
  versions: call({
    method: 'GET',
    service: 'device',
    path: '/audience/{audience}/versions',
    permission: 'device',
    summary: 'Ids and versions of the persons in the named buckets.',
    params: audienceParams,
    /** Numbers of buckets, separated by commas. */
    query: z.object({ buckets: z.string().regex(/^\d{1,3}(,\d{1,3}){0,255}$/) }),
    data: versionsPage,
    statuses: [206, 304],
    origin: 'own',
  }),
  shelf: call({
    method: 'GET',
    service: 'device',
    path: '/audience/{audience}/shelf/{first}/{count}',
    permission: 'device',
    summary: 'All persons of `count` buckets from `first` on; the same bytes for every device, resumable by Range.',
    /** `count` is a power of two and `first` a multiple of it. */
    params: audienceParams.extend({
      first: z.coerce
        .number()
        .int()
        .min(0)
        .max(DIGEST_BUCKETS - 1),
      count: z.coerce.number().int().min(1).max(DIGEST_BUCKETS),
    }),
    query: z.object({ modelId, credentials }),
    data: personsPage,
    statuses: [206, 304],
    origin: 'own',
  }),
  persons: call({
    method: 'POST',
    service: 'device',
    path: '/audience/{audience}/persons',
    permission: 'device',
    summary: 'Persons of the audience by id; those who are not of it are left out.',
    params: audienceParams,
    body: z.object({ ids: z.array(id).min(1).max(500), modelId, credentials }),
    data: personsPage,
    origin: 'own',
  }),
  erasures: call({
    method: 'GET',
    service: 'device',
    path: '/erasures',
    permission: 'device',
    summary: 'Persons who were erased after an erasure, for the records a device keeps; all of them after one that is not known, or none.',
    query: z.object({ after: id.optional() }),
    data: erasuresPage,
    origin: 'own',
  }),
  photo: call({
    method: 'GET',
    service: 'device',
    path: '/face/{id}/photo',
    permission: 'device',
    summary: 'Photograph of a face whose person is of the device’s audience: to show, or to make a template of.',
    params: z.object({ id }),
    produces: 'file',
    origin: 'own',
  }),
  exceptions: call({
    method: 'PUT',
    service: 'device',
    path: '/exceptions',
    permission: 'device',
    summary: 'All persons of the audience the device holds and cannot recognise, with why; replaces what it said before.',
    body: z.object({ audience, cursor, exceptions: z.array(personException).max(20_000) }),
    data: z.object({ taken: z.number().int() }),
    bodyLimit: 4 * 1024 * 1024,
    origin: 'own',
  }),
  identify: call({
    method: 'POST',
    service: 'device',
    path: '/identify',
    permission: 'device',
    summary: 'Whether a face the terminal does not hold is known in the park (fail reasons 19, 902, 904).',
    body: z.object({ modelId, template: z.string().max(20_000) }),
    data: z.object({ personId: id.nullable(), personName: z.string(), score: z.number().nullable(), failReason: z.number().int() }),
    origin: 'own',
  }),
  verify: call({
    method: 'POST',
    service: 'device',
    path: '/verify',
    permission: 'device',
    summary: 'Second verification: the server decides the same passage on what it knows now.',
    body: z.object({
      personId: id,
      /** Epoch milliseconds of the passage. */
      moment: instant,
      /** Access method tried, and the raw score of the face where one was compared. */
      method: z.number().int(),
      score: z.number().nullable(),
      /** The contact whose face it was; null or absent: the person's own. */
      contactId: id.nullish(),
    }),
    data: z.object({
      allowed: z.boolean(),
      failReason: z.number().int().nullable(),
      /** The rule of a restriction area that refuses: `alreadyInside`, `alreadyOutside`, `full`; null or absent: none of them. */
      restriction: z.string().max(32).nullish(),
    }),
    origin: 'own',
  }),
  picture: call({
    method: 'POST',
    service: 'device',
    path: '/record/{id}/picture',
    permission: 'device',
    summary: 'The picture of a record that was sent before; repeated sending changes nothing.',
    params: z.object({ id }),
    consumes: 'multipart',
    data: z.object({ id }),
    errors: [200205],
    bodyLimit: 2 * 1024 * 1024,
    origin: 'own',
  }),
}
