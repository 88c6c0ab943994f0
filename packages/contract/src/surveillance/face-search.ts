/** Search for a face among captures, and the way of a person over cameras (module M09). */
import { z } from 'zod'
import { callsOf } from '../call.ts'
import { resultOrder, topN } from '../enums/alarms.ts'
import { SEARCH_REASON_MAX } from '../limits.ts'
import { masked } from '../masking.ts'
import { id, instant } from '../schema.ts'
import { captureRecord } from './captures.ts'

const call = callsOf('surveillance')

/** Longest window of one search, in days. */
export const SEARCH_DAYS_MAX = 366

/** Whose face is looked for: exactly one of the three. */
export const faceProbe = {
  /** `faceId` that `POST /face/cache` returned for an upload. */
  faceId: id.optional(),
  personId: id.optional(),
  captureId: id.optional(),
}

const within = {
  startTime: instant,
  endTime: instant,
  deviceIds: z.array(id).max(1000).optional(),
  /** Raw score from which a capture is a hit; absent: what the park promises of its searches. */
  minScore: z.number().min(0).max(1000).optional(),
  reason: z.string().trim().min(1).max(SEARCH_REASON_MAX),
}

/** A capture that was found, by its raw score against the face that was looked for. */
export const captureHit = captureRecord.extend({ searchScore: z.number() })
export type CaptureHit = z.output<typeof captureHit>

const searched = {
  /** Captures that were compared, and how many could not be: made by another model, or already without a template. */
  searched: z.number().int(),
  notComparable: z.number().int(),
  /** Raw score that was applied. */
  threshold: z.number(),
}

/** Position of a device on the plan of the park: fractions of width and height from the upper left corner. */
export const devicePosition = z.object({ deviceId: id, x: z.number().min(0).max(1), y: z.number().min(0).max(1) })
export type DevicePosition = z.output<typeof devicePosition>

export const faceSearchCalls = {
  /** Captured view: nearest captures; match view: the same of those that a task identified. */
  search: call({
    method: 'POST',
    service: 'biz',
    path: '/surveillance/faceSearch',
    effect: 'read',
    permission: 'trail.search',
    summary: 'The captures of a window that show a face, exactly: those most alike, in the order asked for.',
    body: z.object({
      ...faceProbe,
      ...within,
      /** Only captures that a task identified as somebody. */
      identifiedOnly: z.boolean().default(false),
      top: topN.schema.default(topN.ten),
      order: resultOrder.schema.default(resultOrder.similarity),
    }),
    data: z.object({ hits: z.array(captureHit), ...searched }),
    errors: [500015, 900007],
    statuses: [404],
    origin: 'own',
  }),
  /** Track view. */
  track: call({
    method: 'POST',
    service: 'biz',
    path: '/surveillance/faceTrack',
    effect: 'read',
    permission: 'trail.search',
    summary: 'Where and when a face was captured within a window, and where the person passed doors: in the order of time.',
    body: z.object({ ...faceProbe, ...within }),
    data: z.object({
      /** The person whose way it is, where a person or their capture was asked for. */
      person: z.object({ id, name: masked('name', z.string()) }).nullable(),
      /** The newest of the window, captures and passages together, and all there are since the first of them. */
      steps: z
        .array(
          z.object({
            kind: z.enum(['capture', 'passage']),
            /** Of the capture, or of the access record. */
            id,
            time: instant,
            /** When it was last seen there before it went elsewhere, and how often in between. */
            until: instant,
            count: z.number().int(),
            deviceId: id,
            deviceName: z.string(),
            image: z.string(),
            /** Raw score; null for a passage. */
            score: z.number().nullable(),
          }),
        )
        .max(2000),
      /** There were earlier ones: the window is too long. */
      more: z.boolean(),
      ...searched,
    }),
    errors: [500015, 900007],
    statuses: [404],
    origin: 'own',
  }),
  /** Where devices stand on the plan, for the track view. */
  positions: call({
    method: 'GET',
    service: 'biz',
    path: '/surveillance/map',
    permission: 'trail.search',
    summary: 'The plan of the park with the devices that stand on it.',
    data: z.object({
      /** Signed address; empty: there is no plan. */
      picture: z.string(),
      pictureMetres: z.number().nullable(),
      devices: z.array(devicePosition.extend({ deviceName: z.string() })),
      version: z.number().int(),
    }),
    origin: 'own',
  }),
  savePositions: call({
    method: 'PUT',
    service: 'biz',
    path: '/surveillance/map',
    permission: 'surveillance.rule',
    summary: 'Places devices on the plan of the park; a device that is not named keeps its place, null takes it away.',
    body: z.object({
      devices: z
        .array(z.object({ deviceId: id, x: z.number().min(0).max(1).nullable(), y: z.number().min(0).max(1).nullable() }))
        .max(1000),
    }),
    data: z.object({ version: z.number().int() }),
    statuses: [404],
    origin: 'own',
  }),
}
