import { z } from 'zod'
import { defineEvent } from '../../platform/events.ts'

/** A session ended or moved to another park: nodes forget what they remember of it. */
export const sessionChanged = defineEvent('session.changed', z.object({ tokenId: z.string() }))
