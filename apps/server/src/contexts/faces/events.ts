import { z } from 'zod'
import { defineEvent } from '../../platform/events.ts'

/** The photographs of persons changed: searches in memory read them anew. */
export const facesChanged = defineEvent('faces.changed', z.object({ personIds: z.array(z.string()) }))
/** All photographs of the park are gone. */
export const facesErased = defineEvent('faces.erased', z.object({}))
