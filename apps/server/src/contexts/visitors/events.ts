/** Events that this area announces. */
import { z } from 'zod'
import { LANGUAGES } from '@gatehouse/contract'
import { defineEvent } from '../../platform/events/events.ts'

/** A visit was made that waits for the desk or the host. */
export const visitsWaiting = defineEvent('visits.waiting', z.object({ visitIds: z.array(z.string()) }))
/** A visitor signed in, or passed their first door. */
export const visitsArrived = defineEvent('visits.arrived', z.object({ visitIds: z.array(z.string()) }))
/** A visitor signed in at a visitor machine of a park whose machines print badges. */
export const machineBadgesDue = defineEvent(
  'visitors.machineBadgesDue',
  z.object({
    /** The same for each repetition of what the machine said. */
    eventId: z.string(),
    visitId: z.string(),
    deviceId: z.string(),
    deviceName: z.string(),
    language: z.enum(LANGUAGES),
  }),
)
/** Name of the setting whose change visitor machines are sent. */
export const CONFIGURATION_SETTING = 'visitors.configuration'
/** The keys by which devices verify passes changed. */
export const passKeysChanged = defineEvent('visitors.passKeysChanged', z.object({}))
