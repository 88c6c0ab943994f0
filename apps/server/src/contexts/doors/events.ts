import { z } from 'zod'
import { defineEvent } from '../../platform/events/events.ts'

/** Doors moved, or somebody took or gave back their remote control. */
export const doorsChanged = defineEvent('doors.changed', z.object({ deviceIds: z.array(z.string()) }))
/** Devices one event names: payloads stay below 2 kB. */
export const DOORS_PER_EVENT = 40
