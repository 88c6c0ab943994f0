/** The call that AI boxes make, with their code and secret (module M09). In words: docs/protocol/ai-box.md. */
import { z } from 'zod'
import { callsOf } from '../call.ts'
import { alarmLevel } from '../enums/alarms.ts'
import { id, instant } from '../schema.ts'

const call = callsOf('device')

export const aiBoxDeviceCalls = {
  event: call({
    method: 'POST',
    service: 'device',
    path: '/aiBox/event',
    permission: 'device',
    summary: 'An event that an AI box saw. The same `eventId` of a box is taken once, and repeated sending changes nothing.',
    body: z.object({
      eventId: z.string().trim().min(1).max(64),
      /** A word of `AI_BOX_EVENTS` (alarms/ai-box.ts), or one of the box. */
      eventType: z.string().trim().min(1).max(64),
      /** How the box names the event; counts for words that are not known. */
      eventTypeName: z.string().trim().max(64).optional(),
      eventTime: instant,
      ipcName: z.string().trim().max(64).optional(),
      level: alarmLevel.schema.optional(),
      /** Base64 of a JPEG, PNG or WebP of at most `AI_BOX_IMAGE_MAX` bytes; anything else is refused with 200205. */
      image: z.string().optional(),
    }),
    data: z.object({ id, /** Whether it was known already. */ repeated: z.boolean() }),
    errors: [200205],
    statuses: [404],
    bodyLimit: 6 * 1024 * 1024,
    origin: 'own',
  }),
}
