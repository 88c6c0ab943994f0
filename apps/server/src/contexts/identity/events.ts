import { z } from 'zod'
import { defineEvent } from '../../platform/events/events.ts'

/** A session ended or moved to another park: nodes forget what they remember of it. */
export const sessionChanged = defineEvent('session.changed', z.object({ tokenId: z.string() }))

/** Accounts, API users or roles changed: nodes read anew what their sessions may do. Absent: all of them. */
export const ownersChanged = defineEvent('session.ownersChanged', z.object({ ownerIds: z.array(z.string()).max(50).optional() }))
