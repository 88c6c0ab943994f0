import { z } from 'zod'
import { defineEvent } from '../../platform/events/events.ts'

/** Areas were added, changed or deleted: their terminals are to ask, or ask no longer. */
export const restrictionsChanged = defineEvent('restrictions.changed', z.object({ areaIds: z.array(z.string()) }))
