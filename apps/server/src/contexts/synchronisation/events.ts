/** Events that this area announces. */
import { z } from 'zod'
import { defineEvent } from '../../platform/events/events.ts'

/** What devices store, or cannot take, changed. */
export const holdingsChanged = defineEvent('holdings.changed', z.object({ deviceIds: z.array(z.string()) }))
/** Persons are to be sent to an audience again: devices that could not take one of them try again. */
export const personsTouched = defineEvent('persons.touched', z.object({ audienceId: z.string(), personIds: z.array(z.string()) }))
/** Devices that did not answer are to be sent their desired state again. */
export const devicesReminded = defineEvent('devices.reminded', z.object({ deviceIds: z.array(z.string()) }))
/** A person was erased: the devices of the park are to be notified. */
export const erasuresNoted = defineEvent('erasures.noted', z.object({}))
