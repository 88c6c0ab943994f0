import { z } from 'zod'
import { defineEvent } from '../../platform/events/events.ts'

/** A session ended or moved to another park: nodes drop it from their cache. */
export const sessionChanged = defineEvent('session.changed', z.object({ tokenId: z.string() }))

/** Accounts, API users or roles changed: nodes read again what their sessions may do. `ownerIds` absent: all of them. */
export const ownersChanged = defineEvent('session.ownersChanged', z.object({ ownerIds: z.array(z.string()).max(50).optional() }))
