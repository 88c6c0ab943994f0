import { z } from 'zod'
import { defineEvent } from '../../platform/events/events.ts'

/** Records were stored. */
export const recordsReceived = defineEvent('records.received', z.object({ recordIds: z.array(z.string()) }))
/** The picture of a record arrived. */
export const recordPictured = defineEvent('record.pictured', z.object({ recordId: z.string() }))
/** Somebody of the watch list was found on the picture of a record. */
export const watchListHitNoted = defineEvent('watchListHit.noted', z.object({ recordId: z.string() }))
/** Strategies were added, changed or deleted, or lost a member. */
export const strategiesChanged = defineEvent('strategies.changed', z.object({ strategyIds: z.array(z.string()) }))
/** What devices hold, or cannot take, is another. */
export const holdingsChanged = defineEvent('holdings.changed', z.object({ deviceIds: z.array(z.string()) }))
/** Persons are to be told to an audience once more: devices that could not take one try again. */
export const personsTouched = defineEvent('persons.touched', z.object({ audienceId: z.string(), personIds: z.array(z.string()) }))
/** Devices that did not answer are to be told once more what they should come to. */
export const devicesReminded = defineEvent('devices.reminded', z.object({ deviceIds: z.array(z.string()) }))
/** All strategies and rules of the park are gone, and with them persons and devices. */
export const accessErased = defineEvent('access.erased', z.object({}))
/** Somebody was erased: devices of the park are to be told. */
export const erasuresNoted = defineEvent('erasures.noted', z.object({}))
export const timeRulesChanged = defineEvent('timeRules.changed', z.object({ timeRuleIds: z.array(z.string()) }))

/** So many ids keep an event under 2 kB. */
const IDS_PER_EVENT = 50

/** Ids in portions of one event each. */
export const eventBatches = (ids: readonly string[]): string[][] =>
  Array.from({ length: Math.ceil(ids.length / IDS_PER_EVENT) }, (_, index) => ids.slice(index * IDS_PER_EVENT, (index + 1) * IDS_PER_EVENT))
