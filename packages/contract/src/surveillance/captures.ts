/** Faces that cameras captured, and those that were identified (module M09). */
import { z } from 'zod'
import { callsOf } from '../call.ts'
import { CAPTURE_KEEPING } from '../configuration/settings.ts'
import { alarmMatchType, resultOrder } from '../enums/alarms.ts'
import { EXPORT_FORMATS } from '../exports/calls.ts'
import { masked, searches } from '../masking.ts'
import { created, findQuery, id, instant, pageData } from '../schema.ts'

const call = callsOf('surveillance')

/**
 * One row of the captured list, a capture; or of the identified list, a capture compared by one task. Of the captured list: what the
 * best match of the capture says, if any.
 */
export const captureRecord = z.object({
  id,
  captureId: id,
  captureTime: instant,
  /** When the face came into view and when it left. */
  enteredAt: instant,
  leftAt: instant,
  receivedAt: instant,
  /** Signed addresses; empty until the picture has arrived, and when it was deleted. */
  captureFaceImage: z.string(),
  captureThumbnail: z.string(),
  /** Photograph of the person that was hit; empty for a stranger. */
  hitFaceImage: z.string(),
  /** Raw score; null: nobody was near enough, or it was not compared. */
  score: z.number().nullable(),
  personId: id.nullable(),
  personName: masked('name', z.string()),
  groupName: z.string(),
  taskId: id.nullable(),
  surveillanceName: z.string(),
  deviceId: id,
  deviceName: z.string(),
  deviceType: z.number().int(),
  /** Null: no task looked out there at the time. */
  matchType: alarmMatchType.schema.nullable(),
  /** The alarm it raised or was counted with; null: none. */
  alarmId: id.nullable(),
  quality: z.number(),
})
export type CaptureRecord = z.output<typeof captureRecord>

/** Which of the two lists. */
export const CAPTURE_LISTS = ['captured', 'identified'] as const

export const captureFilter = findQuery.extend({
  list: z.enum(CAPTURE_LISTS).default('captured'),
  /** Default: the last 7 days; at most 366. */
  startTime: instant.optional(),
  endTime: instant.optional(),
  deviceIds: z.array(id).max(1000).optional(),
  taskId: id.optional(),
  personId: id.optional(),
  personName: searches('name', z.string().max(64)).optional(),
  personGroupId: id.optional(),
  matchType: alarmMatchType.schema.optional(),
  /** Raw score from which rows are shown. */
  minScore: z.number().min(0).max(1000).optional(),
  order: resultOrder.schema.optional(),
})

/** What a camera kept of those who passed, without anybody's time. */
const captureKept = z.object({
  keeping: z.enum(CAPTURE_KEEPING),
  /** Hours for which a capture is kept. */
  hours: z.number().int(),
  /**
   * Only while it keeps nobody who matches no task, and for who may see the watch list: how many passed on a day of the park, and of how
   * many a task identified the person.
   */
  days: z.array(z.object({ day: z.string(), passed: z.number().int(), kept: z.number().int() })),
  /** Captures that were lost while the camera could not reach the server, the newest first. */
  losses: z.array(z.object({ id, count: z.number().int(), from: instant, to: instant })),
})

export const captureCalls = {
  find: call({
    method: 'POST',
    service: 'biz',
    path: '/surveillance/findControlRecordList',
    effect: 'read',
    permission: 'surveillance.data',
    summary: 'Captured faces, or the identified ones, of the current park; newest first unless ordered otherwise.',
    body: captureFilter.extend({
      /** Only these captures. */
      captureIds: z.array(id).max(200).optional(),
    }),
    data: pageData(captureRecord),
    errors: [900007],
  }),
  export: call({
    method: 'POST',
    service: 'biz',
    path: '/export/controlRecord',
    permission: 'surveillance.data',
    readsPersonal: true,
    summary: 'Asks for captured or identified faces as a file: 1 to 50,000 of them. Answers the id of the task.',
    body: captureFilter
      .omit({ page: true, size: true, pageNo: true, pageSize: true, after: true, order: true })
      .extend({ format: z.enum(EXPORT_FORMATS).default('xlsx') }),
    data: created,
    errors: [900007],
  }),
  kept: call({
    method: 'GET',
    service: 'biz',
    path: '/surveillance/captureKeeping',
    permission: 'surveillance.data',
    summary: 'How long the captures of a camera are kept, and how many passed that were not.',
    query: z.object({ deviceId: id }),
    data: captureKept,
    statuses: [404],
    origin: 'own',
  }),
}
