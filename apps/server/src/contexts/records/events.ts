/** What this area announces. */
import { z } from 'zod'
import { defineEvent } from '../../platform/events/events.ts'

/** Records were stored. */
export const recordsReceived = defineEvent('records.received', z.object({ recordIds: z.array(z.string()) }))
/** The picture of a record arrived. */
export const recordPictured = defineEvent('record.pictured', z.object({ recordId: z.string() }))
/** Somebody of the watch list was found on the picture of a record. */
export const watchListHitNoted = defineEvent('watchListHit.noted', z.object({ recordId: z.string() }))
