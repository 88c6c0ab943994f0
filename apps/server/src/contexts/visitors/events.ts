/** Events that this area announces. */
import { z } from 'zod'
import { defineEvent } from '../../platform/events/events.ts'

/** A visit was made that waits for the desk or the host. */
export const visitsWaiting = defineEvent('visits.waiting', z.object({ visitIds: z.array(z.string()) }))
/** A visitor signed in, or passed their first door. */
export const visitsArrived = defineEvent('visits.arrived', z.object({ visitIds: z.array(z.string()) }))
/** The keys by which devices verify passes changed. */
export const passKeysChanged = defineEvent('visitors.passKeysChanged', z.object({}))
