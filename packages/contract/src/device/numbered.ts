/**
 * What a device sends besides access records and numbers like them: events at its door, and captures of a camera. Per kind the device
 * numbers from 1 without gaps within an epoch, keeps everything until the server has stored it, and sends it over HTTP; the answer says
 * how far the server has stored the epoch, after the commit. Optional parts of protocol 1. In words: docs/protocol/README.md, "Numbered
 * kinds".
 */
import { z } from 'zod'
import { callsOf } from '../call.ts'
import { instant } from '../schema.ts'

const call = callsOf('device')

const seq = z.number().int().min(1).max(Number.MAX_SAFE_INTEGER)

/** What every message of a numbered kind says. `oldestSeq` and `sentAt` as in `recordsMessage`. */
const numberedMessage = { epoch: z.string().min(1).max(64), oldestSeq: seq, sentAt: instant }
/** All numbers of the epoch up to `ackSeq` are stored, or given up because the device has them no more. */
const acknowledged = z.object({ ackSeq: z.number().int() })

/** Events of a door that a device tells of. */
export const DOOR_EVENT_KINDS = ['forced', 'heldOpen', 'fire', 'tamper', 'slope'] as const
export type DoorEventKind = (typeof DOOR_EVENT_KINDS)[number]

/** The beginning of an event, or the end of one that was sent before. */
export const deviceEventObject = z.object({
  seq,
  kind: z.enum(DOOR_EVENT_KINDS),
  /** By the clock of the device. */
  occurredAt: instant,
  /** Number of the beginning in the same epoch, where this is the end; null: it begins, or is over at once. */
  endOf: seq.nullable(),
  /** A picture taken at the beginning follows. */
  hasPicture: z.boolean(),
})
export type DeviceEventObject = z.output<typeof deviceEventObject>

/** Captures of one message, at most. */
export const CAPTURES_PER_MESSAGE = 50
/** Events of one message, at most. */
export const EVENTS_PER_MESSAGE = 200

/** A face that passed a camera: the best of the pictures taken of it. */
export const captureObject = z.object({
  seq,
  /** When the face came into view, when the best picture was taken, and when it left. */
  enteredAt: instant,
  capturedAt: instant,
  leftAt: instant,
  /** Quality of the best picture, 0 to 1. */
  quality: z.number().min(0).max(1),
  /** Width of the face in pixels. */
  faceWidth: z.number().int().min(1).max(20_000),
  /**
   * Base64 of little-endian float32, of the model that the message names; null: the device made none, and the server makes it of the
   * picture.
   */
  template: z.string().max(20_000).nullable(),
  hasPicture: z.boolean(),
})
export type CaptureObject = z.output<typeof captureObject>

/** Characters of a picture in base64: 1 MiB. */
const PASSING_PICTURE_MAX = 1_398_104

/** Events of a door, and faces before a camera. */
export const numberedCalls = {
  events: call({
    method: 'POST',
    service: 'device',
    path: '/event',
    permission: 'device',
    summary: 'Events of a door in their order; repeated sending changes nothing. Without any it asks how far the epoch is stored.',
    body: z.object({ ...numberedMessage, events: z.array(deviceEventObject).max(EVENTS_PER_MESSAGE) }),
    data: acknowledged,
    bodyLimit: 256 * 1024,
    origin: 'own',
  }),
  eventPicture: call({
    method: 'POST',
    service: 'device',
    path: '/event/{epoch}/{seq}/picture',
    permission: 'device',
    summary: 'The picture of an event that is stored; repeated sending changes nothing.',
    params: z.object({ epoch: z.string().min(1).max(64), seq: z.coerce.number().pipe(seq) }),
    consumes: 'multipart',
    errors: [200205],
    statuses: [404],
    bodyLimit: 2 * 1024 * 1024,
    origin: 'own',
  }),
  // To devices that are no cameras, the calls of captures answer 404.
  captures: call({
    method: 'POST',
    service: 'device',
    path: '/capture',
    permission: 'device',
    summary:
      'Faces that passed a camera, in their order; repeated sending changes nothing. Without any it asks how far the epoch is stored.',
    body: z.object({
      ...numberedMessage,
      modelId: z.string().max(64),
      captures: z.array(captureObject).max(CAPTURES_PER_MESSAGE),
    }),
    data: acknowledged,
    statuses: [404],
    bodyLimit: 2 * 1024 * 1024,
    origin: 'own',
  }),
  capturePicture: call({
    method: 'POST',
    service: 'device',
    path: '/capture/{epoch}/{seq}/picture',
    permission: 'device',
    summary: 'The picture of a capture that is stored: the face with its surroundings; repeated sending changes nothing.',
    params: z.object({ epoch: z.string().min(1).max(64), seq: z.coerce.number().pipe(seq) }),
    consumes: 'multipart',
    errors: [200205],
    statuses: [404],
    bodyLimit: 2 * 1024 * 1024,
    origin: 'own',
  }),
  postedCapture: call({
    method: 'POST',
    service: 'device',
    path: '/capture/posted',
    permission: 'device',
    summary:
      'A picture of a camera that only sends pictures: each large enough face becomes a capture. An `eventId` of a camera is taken once.',
    query: z.object({ eventId: z.string().min(1).max(64), occurredAt: z.coerce.number().pipe(instant).optional() }),
    consumes: 'multipart',
    data: z.object({ captures: z.number().int() }),
    errors: [200205, 200206, 200208],
    statuses: [404],
    bodyLimit: 10 * 1024 * 1024,
    origin: 'own',
  }),
  passingCapture: call({
    method: 'POST',
    service: 'device',
    path: '/capture/passing',
    permission: 'device',
    summary:
      'A face at a camera that keeps nobody who matches no task: stored only where a task identifies the person. An `id` is taken once.',
    body: z.object({
      /** Of the capture, chosen by the camera: the same when it is sent again. */
      id: z.uuid().toLowerCase(),
      sentAt: instant,
      modelId: z.string().max(64),
      capture: captureObject.omit({ seq: true, hasPicture: true }),
      /** Base64 of the face with its surroundings. */
      picture: z.base64().min(1).max(PASSING_PICTURE_MAX),
    }),
    errors: [200205],
    statuses: [404],
    bodyLimit: 2 * 1024 * 1024,
    origin: 'own',
  }),
  lostCaptures: call({
    method: 'POST',
    service: 'device',
    path: '/capture/lost',
    permission: 'device',
    summary: 'How many faces passed such a camera while it could not reach the server, and are lost; repeated sending changes nothing.',
    body: z.object({
      /** Of the cut, chosen by the camera. */
      id: z.uuid().toLowerCase(),
      sentAt: instant,
      count: z.number().int().min(1).max(1_000_000),
      /** When the server was last reached, and when it was reached again; by the clock of the camera. */
      from: instant,
      to: instant,
    }),
    statuses: [404],
    origin: 'own',
  }),
}
