import { z } from 'zod'
import { defineEvent } from '../../platform/events/events.ts'

/**
 * Links by which other parks share persons with this one were agreed, ended, or are about others now. Told to the park
 * that lets them pass.
 */
export const parkLinksChanged = defineEvent('parkLinks.changed', z.object({ relationIds: z.array(z.string()) }))
