/** Announces what a change of a visit's status means to those who watch, and to the host. */
import { visitorStatus } from '@gatehouse/contract/enums/visitors'
import type { VisitorStatus } from '@gatehouse/contract/visitors/transitions'
import type { Platform } from '../../platform/context.ts'
import type { Transaction } from '../../platform/database/database.ts'
import type { Scope } from '../../platform/session/session.ts'
import { visitsArrived, visitsWaiting } from './events.ts'
import type { Notices } from './notices.ts'
import { isPresent, isWaiting } from './policy.ts'

/**
 * Announce in the transaction that writes it that a visit waits, or that a visitor has arrived.
 * @param before null for a new visit
 */
export async function announceStatus(
  { events }: Pick<Platform, 'events'>,
  notices: Pick<Notices, 'notifyHost'>,
  tx: Transaction,
  scope: Scope,
  visitId: string,
  { before, after }: { before: VisitorStatus | null; after: VisitorStatus },
): Promise<void> {
  const { parkId } = scope
  if (isWaiting(after) && before === null) await events.announce(tx, visitsWaiting, parkId, { visitIds: [visitId] })
  if (after === visitorStatus.toConfirm && before !== after) await notices.notifyHost(tx, scope, visitId, 'visitToConfirm')
  // A visitor whose certificate is checked has arrived already.
  if (isPresent(after) && (before === null || !isPresent(before))) {
    await events.announce(tx, visitsArrived, parkId, { visitIds: [visitId] })
    await notices.notifyHost(tx, scope, visitId, 'visitorArrived')
  }
}
