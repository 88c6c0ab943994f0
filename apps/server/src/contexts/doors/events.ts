import { z } from 'zod'
import { defineEvent } from '../../platform/events/events.ts'

/** States of doors changed, or their remote control was locked or released. */
export const doorsChanged = defineEvent('doors.changed', z.object({ deviceIds: z.array(z.string()) }))
/** Maximum of devices in one event, so that payloads stay below 2 kB. */
export const DOORS_PER_EVENT = 40
