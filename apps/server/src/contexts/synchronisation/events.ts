/** What this area announces. */
import { z } from 'zod'
import { defineEvent } from '../../platform/events/events.ts'

/** What devices hold, or cannot take, is another. */
export const holdingsChanged = defineEvent('holdings.changed', z.object({ deviceIds: z.array(z.string()) }))
/** Persons are to be told to an audience once more: devices that could not take one try again. */
export const personsTouched = defineEvent('persons.touched', z.object({ audienceId: z.string(), personIds: z.array(z.string()) }))
/** Devices that did not answer are to be told once more what they should come to. */
export const devicesReminded = defineEvent('devices.reminded', z.object({ deviceIds: z.array(z.string()) }))
/** Somebody was erased: devices of the park are to be told. */
export const erasuresNoted = defineEvent('erasures.noted', z.object({}))
