/** One-to-N search: which people of the park a photo may show. */
import { z } from 'zod'
import { callsOf } from '../call.ts'
import { monitorPrecision } from '../enums/alarms.ts'
import { SEARCH_REASON_MAX, THRESHOLD_MAX, THRESHOLD_MIN } from '../limits.ts'
import { masked } from '../masking.ts'
import { id, instant } from '../schema.ts'
import { FACE_REFUSALS } from '../faces/refusals.ts'

const call = callsOf('people')

/** Kinds of people that can be searched; visitors by those who may see visits. */
export const SEARCHED_KINDS = ['staff', 'customer', 'special', 'visitor'] as const

export const searchHit = z.object({
  personId: id,
  name: masked('name', z.string()),
  workNumber: z.string(),
  groupName: z.string(),
  kind: z.enum(SEARCHED_KINDS),
  status: z.number().int(),
  /** Raw score, 0 to 100; shown as ten times its square root. */
  score: z.number(),
  registeredAt: instant,
  url: z.string(),
  thumbnail: z.string(),
})
export type SearchHit = z.output<typeof searchHit>

export const searchCalls = {
  oneToN: call({
    method: 'POST',
    service: 'biz',
    path: '/person/search/oneToN',
    permission: 'basic.person.search',
    effect: 'read',
    summary: 'The persons a photograph may show, each once.',
    body: z.object({
      /** `faceId` that `POST /face/cache` returned. */
      faceId: id,
      /** Absent: all kinds. */
      kinds: z.array(z.enum(SEARCHED_KINDS)).max(SEARCHED_KINDS.length).optional(),
      top: z.union([z.literal(10), z.literal(20), z.literal(50)]).default(10),
      /** 1: by similarity; 2: by the time of registration, oldest first; 3: newest first. */
      order: z.union([z.literal(1), z.literal(2), z.literal(3)]).default(1),
      precision: monitorPrecision.schema.default(monitorPrecision.standard),
      /** Raw threshold, for precision 6. */
      custom: z.number().min(THRESHOLD_MIN).max(THRESHOLD_MAX).nullish(),
      /** Why the face is searched for; the log of reads keeps it, also where no person was found. */
      reason: z.string().trim().min(1).max(SEARCH_REASON_MAX).optional(),
    }),
    data: z.object({
      hits: z.array(searchHit),
      /** Raw threshold that was applied. */ threshold: z.number(),
      /** Number of photos that were searched. */ searched: z.number().int(),
    }),
    errors: [FACE_REFUSALS[11]],
    origin: 'own',
  }),
}
