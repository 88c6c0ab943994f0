/** Announces what a change of a visit's status means to those who watch. */
import type { VisitorStatus } from '@gatehouse/contract/visitors/transitions'
import type { Platform } from '../../platform/context.ts'
import type { Transaction } from '../../platform/database/database.ts'
import type { Scope } from '../../platform/session/session.ts'
import { visitsArrived, visitsWaiting } from './events.ts'
import { isPresent, isWaiting } from './policy.ts'

/**
 * Announce in the transaction that writes it that a visit waits, or that a visitor has arrived.
 * @param before null for a new visit
 */
export async function announceStatus(
  { events }: Pick<Platform, 'events'>,
  tx: Transaction,
  { parkId }: Scope,
  visitId: string,
  { before, after }: { before: VisitorStatus | null; after: VisitorStatus },
): Promise<void> {
  if (isWaiting(after) && before === null) await events.announce(tx, visitsWaiting, parkId, { visitIds: [visitId] })
  // A visitor whose certificate is checked has arrived already.
  if (isPresent(after) && (before === null || !isPresent(before))) await events.announce(tx, visitsArrived, parkId, { visitIds: [visitId] })
}
