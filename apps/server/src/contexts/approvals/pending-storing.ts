/** Storing of changes that wait, with their bodies encrypted, and their ending. */
import type { Platform } from '../../platform/context.ts'
import type { Transaction } from '../../platform/database/database.ts'
import { newId } from '../../platform/database/ids.ts'
import { placeOf } from '../../platform/encryption/sealed-column.ts'
import { bodyKeysOf } from '../../platform/http/request-keys.ts'
import { InvalidRequest } from '../../platform/http/refusal.ts'
import type { Caller, Scope } from '../../platform/session/session.ts'
import { PENDING_DAYS, type PendingKind } from '@gatehouse/contract/approvals/written-rules'
import { strategyCalls } from '@gatehouse/contract/strategies/calls'
import * as data from './pending-changes-data.ts'
import type { Bodies, PendingSaving } from './pending-saving.ts'
import type { AgainstWrittenRules } from './written-rules-breaches.ts'
import { PENDING_BODY } from './written-rules-schema.ts'

export const DAY = 86_400_000

/** Rename fields of a stored change to their current names. */
const namedAsToday = bodyKeysOf(strategyCalls.change.body)

/** Refuse a decision on a change that was decided meanwhile. */
export const refuseDecided = (): never => {
  throw new InvalidRequest([{ path: '', rule: 'pendingDecided' }])
}

export interface PendingStoring {
  /** Store a change that waits, in a separate transaction: the transaction of the change itself was rolled back. */
  wait<Kind extends PendingKind>(
    session: Caller,
    kind: Kind,
    body: Bodies[Kind],
    against: Pick<AgainstWrittenRules, 'breaches' | 'passages'>,
  ): Promise<{ id: string; expiresAt: number }>
  /** Return the body of the call. */
  bodyOf(scope: Scope, row: data.PendingRow): Promise<Bodies[PendingKind]>
  /** End a change in the caller's transaction; the operation log names the requester and the decider. @throws InvalidRequest */
  end(open: Transaction, session: Caller, row: data.PendingRow, state: 'confirmed' | 'rejected' | 'outdated', remark: string): Promise<void>
}

export function createPendingStoring(platform: Platform, { subjectOf }: Pick<PendingSaving, 'subjectOf'>): PendingStoring {
  async function wait<Kind extends PendingKind>(
    { scope, userId, operator }: Caller,
    kind: Kind,
    body: Bodies[Kind],
    { breaches, passages }: Pick<AgainstWrittenRules, 'breaches' | 'passages'>,
  ): Promise<{ id: string; expiresAt: number }> {
    const subjectId = 'id' in body ? body.id : null
    const subject = subjectId === null ? null : await subjectOf(scope, kind, subjectId)
    const version = ('version' in body ? body.version : undefined) ?? subject?.version
    const label = body.name ?? subject?.name ?? ''
    const [requestedAt, id] = [platform.clock.now(), newId()]
    const expiresAt = requestedAt + PENDING_DAYS * DAY
    const row = {
      id,
      kind,
      subjectId,
      label,
      requestedById: userId,
      requestedBy: operator,
      requestedAt,
      expiresAt,
      breaches,
      passages,
    }
    const sealed = await platform.crypto.seal(
      scope.parkId,
      placeOf(PENDING_BODY, id),
      Buffer.from(JSON.stringify({ ...body, ...(version !== undefined && { version }) })),
    )
    await platform.transaction(async (tx) => {
      await data.deleteAskedBefore(scope, tx, row)
      await data.insertPendingChange(scope, tx, { ...row, body: sealed })
      platform.audit.note({
        entity: 'pendingChange',
        id,
        label,
        after: { kind, state: 'waiting', requestedBy: operator, rules: breaches.map(({ rule }) => rule.name) },
      })
    })
    return { id, expiresAt }
  }

  async function bodyOf(scope: Scope, { id, kind, body }: data.PendingRow): Promise<Bodies[PendingKind]> {
    const text = (await platform.crypto.open(scope.parkId, placeOf(PENDING_BODY, id), body!)).toString('utf8')
    const stored = JSON.parse(text) as Bodies[PendingKind]
    // A change that was stored before a field was renamed.
    if (kind === 'strategy.create' || kind === 'strategy.change') namedAsToday(stored)
    return stored
  }

  async function end(
    open: Transaction,
    { scope, operator }: Caller,
    row: data.PendingRow,
    state: 'confirmed' | 'rejected' | 'outdated',
    remark: string,
  ): Promise<void> {
    if (!(await data.endPendingChange(scope, open, row.id, { state, decidedBy: operator, remark }, platform.clock.now()))) refuseDecided()
    platform.audit.note({
      entity: 'pendingChange',
      id: row.id,
      label: row.label,
      before: { state: 'waiting' },
      after: { state, requestedBy: row.requestedBy, decidedBy: operator, remark },
    })
  }

  return { wait, bodyOf, end }
}
