import { z } from 'zod'
import { defineEvent } from '../../platform/events/events.ts'

const personIds = z.object({ personIds: z.array(z.string()) })
/** Persons were added or changed, their photographs included. */
export const personsChanged = defineEvent('persons.changed', personIds)
export const personsDeleted = defineEvent('persons.deleted', personIds)
/** A group was added, renamed or moved, or persons changed group. */
export const groupsChanged = defineEvent('groups.changed', z.object({}))
export const groupDeleted = defineEvent('group.deleted', z.object({ groupId: z.string() }))
