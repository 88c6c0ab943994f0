import { z } from 'zod'
import { defineEvent } from '../../platform/events/events.ts'

/** A visit was made that waits for the desk or the host. */
export const visitsWaiting = defineEvent('visits.waiting', z.object({ visitIds: z.array(z.string()) }))
/** A visitor signed in, or passed their first door. */
export const visitsArrived = defineEvent('visits.arrived', z.object({ visitIds: z.array(z.string()) }))
