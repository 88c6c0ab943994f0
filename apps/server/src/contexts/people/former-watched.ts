/** Keeps hidden what is left of persons of the watch list when they are deleted, from whom they did not exist for. */
import type { Platform } from '../../platform/context.ts'
import type { Transaction } from '../../platform/database/database.ts'
import type { Scope } from '../../platform/session/session.ts'
import { keepContactOfWatched, keepWatched } from './former-watched-data.ts'

type Audit = Pick<Platform['audit'], 'markWatched'>

/**
 * Keep those of these persons who are on the watch list hidden, with their contacts. In the transaction that deletes
 * them, before anything of them is.
 */
export async function hideWatched(audit: Audit, open: Transaction, scope: Scope, personIds: readonly string[]): Promise<void> {
  const watched = await keepWatched(scope, open, personIds)
  if (watched.ids.length > 0) await audit.markWatched(open, scope, watched)
}

/** The same for a contact that is deleted alone. */
export async function hideContactOfWatched(audit: Audit, open: Transaction, scope: Scope, contactId: string): Promise<void> {
  if (await keepContactOfWatched(scope, open, contactId)) await audit.markWatched(open, scope, { ids: [contactId], names: [] })
}
