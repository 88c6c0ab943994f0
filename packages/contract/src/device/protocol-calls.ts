/** Calls that a device makes over HTTP. */
import { z } from 'zod'
import { callsOf } from '../call.ts'
import { deviceCode } from '../devices/fields.ts'
import { instant } from '../schema.ts'
import { id } from './id.ts'
import { DIGEST_BUCKETS, audience, cursor } from './protocol.ts'
import { manifest } from './protocol-manifest.ts'
import { changesPage, erasuresPage, digestPage, versionsPage, personsPage, personException } from './protocol-persons.ts'

const call = callsOf('device')

const audienceParams = z.object({ audience })
/** SHA-256 or HMAC-SHA256 as base64url. */
const digest256 = z.string().regex(/^[\w-]{43}$/)
/** HMAC-SHA256 over `removalText`. */
const removalProof = digest256
/** Random text, different each time. */
const nonce = z.string().regex(/^[\w-]{16,64}$/)
const challenge = z.string().regex(/^[\w-]{16,256}$/)
const modelId = z.string().max(64)
/**
 * `sealed`: credentials are sent as `sealedCredentials`, under the key that was agreed when the device paired. Absent: neither numbers of
 * documents nor passwords are sent.
 */
const credentials = z.literal('sealed').optional()

/**
 * Limit of the calls by which devices prove their identity. If 500 terminals behind one address start at the same moment, they make one of
 * each, and may each repeat it three times within the minute, because connections to a busy server end early.
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
      'The server proves that it knows the secret of a device, and vouches for the keys of its certificates; codes nobody has ' +
      'are answered alike, with a proof that is none.',
    body: z.object({ code: deviceCode, nonce }),
    data: z.object({
      challenge,
      /**
       * SHA-256 of the public keys (SPKI, DER) of certificates under which the server can be reached, as base64url; empty: the server does
       * not know them, or has none.
       */
      keys: z.array(digest256).max(20),
      /** The server accepts no requests over plain http. */
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
      /** Protocol version. A version other than the server's is refused, and a secret with a pending pairing becomes invalid. */
      protocol: z.number().int(),
      version: z.string().max(64),
      modelId,
      /** Epochs for which the device still stores records. */
      epochs: z.array(z.string().min(1).max(64)).min(1).max(100),
      /** X25519 public key, base64url of its 32 bytes, different for each pairing: the device can open sealed credentials. */
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
      /** Highest stored number of each epoch, 0 if none is stored: the device continues after it. */
      stored: z.array(z.object({ epoch: z.string(), ackSeq: z.number().int() })),
      serverTime: instant,
      /** Only if `sealingKey` was sent: the key of sealed credentials, itself sealed for that key. Base64url. */
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
      'Whether the device was deleted at this server: each proves itself by the former secret, which travels in neither ' +
      'direction. 404 to everybody else.',
    body: z.object({
      code: z.string().max(64),
      /** Random text, different each time. */
      nonce: z.string().min(16).max(64),
      /** Proof for `asked`, or for `done`. */
      proof: removalProof,
      /** The device has deleted everything; the server need not store its secret any longer. */
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
      /** Epoch milliseconds of the access event. */
      moment: instant,
      /** Access method that was tried, and the raw score of the face if one was compared. */
      method: z.number().int(),
      score: z.number().nullable(),
      /** The contact whose face was recognised; null or absent: it was the person's own face. */
      contactId: id.nullish(),
      /** The pass for one use that was shown; the server admits by it once. Absent: none. */
      passId: z.string().max(64).optional(),
    }),
    data: z.object({
      allowed: z.boolean(),
      failReason: z.number().int().nullable(),
      /** Rule of a restriction area that refuses the person: `alreadyInside`, `alreadyOutside`, `full`; null or absent: none. */
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
