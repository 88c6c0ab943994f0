/** Changes that go against a written rule which asks for a second person, or loosen one: they wait, and nothing is changed until somebody else agrees. */
import { type WrittenRuleTables, PENDING_BODY } from './written-rules-schema.ts'
import {
  PENDING_DAYS,
  type Breach,
  changeDraft,
  type ChangeDraft,
  type PendingChange,
  type PendingKind,
  type PendingState,
  type WrittenRuleEdit,
  type writtenRuleCalls,
} from '@gatehouse/contract/approvals/written-rules'
import { type timeRuleCalls, strategyCalls } from '@gatehouse/contract/strategies/calls'
import type { associatedRuleCalls } from '@gatehouse/contract/strategies/associated-rules'
import type { accessGroupCalls } from '@gatehouse/contract/strategies/access-groups'
import type { FieldIssue, OutputOf } from '@gatehouse/contract'
import type { Platform } from '../../platform/context.ts'
import type { Database, OpenTransaction, Tx } from '../../platform/database/database.ts'
import { isUuid, newId } from '../../platform/database/ids.ts'
import { bodyKeysOf } from '../../platform/http/request-keys.ts'
import { Conflict, Hindered, InvalidRequest, NotFound, Refusal } from '../../platform/http/refusal.ts'
import { placeOf } from '../../platform/encryption/sealed-column.ts'
import type { Scope, Session } from '../../platform/session/session.ts'
import type { Admission, AccessGroupService, AssociatedRules, StrategyService, TimeRuleService } from '../strategies/index.ts'
import * as data from './pending-changes-data.ts'
import { AgainstWrittenRules, breachParams, type Page, type Paging } from './written-rules-guard.ts'
import { LoosensWrittenRule } from './written-rules-loosened.ts'
import type { WrittenRuleService } from './written-rules.ts'

interface Bodies {
  'strategy.create': OutputOf<typeof strategyCalls.create.body>
  'strategy.change': OutputOf<typeof strategyCalls.change.body>
  'timeRule.change': OutputOf<typeof timeRuleCalls.change.body>
  'accessGroup.change': OutputOf<typeof accessGroupCalls.change.body>
  'associatedRule.create': OutputOf<typeof associatedRuleCalls.create.body>
  'associatedRule.change': OutputOf<typeof associatedRuleCalls.change.body>
  'writtenRule.change': OutputOf<typeof writtenRuleCalls.change.body>
  'writtenRule.delete': { id: string; name: string; version?: number | undefined }
}

export interface PendingChangeService {
  /**
   * Makes a change; where all that stands in its way asks for a second person, it waits for one. What an API user wants is refused then:
   * whoever made that account could be the second person himself.
   * @returns the id of what was made or changed @throws Hindered with the id of the change that waits; whatever saving throws
   */
  make<Kind extends PendingKind>(session: Session, kind: Kind, body: Bodies[Kind]): Promise<string>
  list(session: Session, query: Paging & { state?: PendingState | undefined }): Promise<Page<PendingChange>>
  /** @throws NotFound */
  read(session: Session, id: string): Promise<PendingChange & { draft: ChangeDraft | null; ruleEdit: WrittenRuleEdit | null }>
  /** @throws NotFound; InvalidRequest where it does not wait any more or the caller asked for it himself; Hindered where a rule refuses it by now */
  decide(session: Session, wishes: { id: string; agree: boolean; remark: string }): Promise<{ id: string; state: PendingState }>
  /** In all parks: forgets what nobody needs any more. */
  upkeep(): Promise<void>
}

interface Parts {
  strategies: Pick<StrategyService, 'create' | 'change' | 'read'>
  timeRules: Pick<TimeRuleService, 'change' | 'read'>
  accessGroups: Pick<AccessGroupService, 'change' | 'read'>
  associatedRules: Pick<AssociatedRules, 'create' | 'change' | 'read'>
  writtenRules: Pick<WrittenRuleService, 'change' | 'delete' | 'read' | 'preview'>
}

const DAY = 86_400_000
/** Days that those stay in the list which nobody waits for any more. */
const KEPT_DAYS = 365

/** Gives fields of a strategy that have another name by now that name. */
const namedAsToday = bodyKeysOf(strategyCalls.change.body)

/** It was decided by somebody else in the meantime. */
const decided = (): never => {
  throw new InvalidRequest([{ path: '', rule: 'pendingDecided' }])
}

export function createPendingChanges(
  platform: Platform,
  { strategies, timeRules, accessGroups, associatedRules, writtenRules }: Parts,
): PendingChangeService {
  const db = platform.db as unknown as Database<WrittenRuleTables>

  /** What a change is about as it stands: its name and version, where the change does not say them. */
  const SUBJECT: { [Kind in PendingKind]: (scope: Scope, id: string) => Promise<{ name: string; version: number }> | null } = {
    'strategy.create': () => null,
    'strategy.change': (scope, id) => strategies.read(scope, id),
    'timeRule.change': (scope, id) => timeRules.read(scope, id),
    'accessGroup.change': (scope, id) => accessGroups.read(scope, id),
    'associatedRule.create': () => null,
    'associatedRule.change': (scope, id) => associatedRules.read(scope, id),
    'writtenRule.change': (scope, id) => writtenRules.read(scope, id),
    'writtenRule.delete': (scope, id) => writtenRules.read(scope, id),
  }
  const SAVE: { [Kind in PendingKind]: (scope: Scope, body: Bodies[Kind], admission: Admission) => Promise<string> } = {
    'strategy.create': (scope, body, admission) => strategies.create(scope, body, admission),
    'strategy.change': async (scope, { id, version, ...fields }, admission) =>
      strategies.change(scope, id, version, fields, admission).then(() => id),
    'timeRule.change': async (scope, { id, version, ...fields }, admission) =>
      timeRules.change(scope, id, version, fields, admission).then(() => id),
    'accessGroup.change': async (scope, { id, version, ...fields }, admission) =>
      accessGroups.change(scope, id, version, fields, admission).then(() => id),
    'associatedRule.create': (scope, body, admission) => associatedRules.create(scope, body, admission),
    'associatedRule.change': async (scope, { id, version, ...fields }, admission) =>
      associatedRules.change(scope, id, version, fields, admission).then(() => id),
    'writtenRule.change': async (scope, { id, version, ...fields }, admission) =>
      writtenRules.change(scope, id, version, fields, admission).then(() => id),
    'writtenRule.delete': async (scope, { id, version }, admission) => writtenRules.delete(scope, id, version, admission).then(() => id),
  }
  const save = <Kind extends PendingKind>(scope: Scope, kind: Kind, body: Bodies[Kind], admission: Admission): Promise<string> =>
    SAVE[kind](scope, body, admission)

  /** Writes down what waits, in a transaction of its own: that of the change is gone. */
  async function wait<Kind extends PendingKind>(
    { scope, userId, operator }: Session,
    kind: Kind,
    body: Bodies[Kind],
    { breaches, passages }: Pick<AgainstWrittenRules, 'breaches' | 'passages'>,
  ): Promise<{ id: string; expiresAt: number }> {
    const subjectId = 'id' in body ? body.id : null
    const subject = subjectId === null ? null : await SUBJECT[kind](scope, subjectId)
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
    await platform.transaction(async (tx: Tx<WrittenRuleTables>) => {
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

  const stateOf = ({ state, expiresAt }: data.PendingRow): PendingState =>
    state === 'waiting' && (expiresAt as number) <= platform.clock.now() ? 'expired' : state

  const present = (session: Session, row: data.PendingRow): PendingChange => ({
    id: row.id,
    kind: row.kind,
    label: row.label,
    state: stateOf(row),
    requestedBy: row.requestedBy,
    requestedAt: row.requestedAt as number,
    expiresAt: row.expiresAt as number,
    own: row.requestedById === session.userId,
    breaches: row.breaches as Breach[],
    decidedBy: row.decidedBy,
    decidedAt: row.decidedAt as number | null,
    remark: row.remark,
  })

  async function existing(scope: Scope, id: string): Promise<data.PendingRow> {
    const row = isUuid(id) ? await data.findPendingChange(scope, db, id) : undefined
    if (row === undefined) throw new NotFound()
    return row
  }

  async function bodyOf(scope: Scope, { id, kind, body }: data.PendingRow): Promise<Bodies[PendingKind]> {
    const text = (await platform.crypto.open(scope.parkId, placeOf(PENDING_BODY, id), body!)).toString('utf8')
    const kept = JSON.parse(text) as Bodies[PendingKind]
    // One that was asked for before a field had its name of today.
    if (kind === 'strategy.create' || kind === 'strategy.change') namedAsToday(kept)
    return kept
  }

  /** What a change of a written rule would make of it; null where it cannot be made any more. */
  async function editOf(scope: Scope, row: data.PendingRow): Promise<WrittenRuleEdit | null> {
    const { id, version: _, ...fields } = (await bodyOf(scope, row)) as Bodies['writtenRule.change']
    try {
      return row.kind === 'writtenRule.delete'
        ? { stored: await writtenRules.read(scope, id), wanted: null }
        : await writtenRules.preview(scope, id, fields)
    } catch (error) {
      if (isOutdated(error)) return null
      throw error
    }
  }

  /** Ends it in the caller's transaction, and tells the operation log who asked and who decided. */
  async function end(
    open: OpenTransaction,
    { scope, operator }: Session,
    row: data.PendingRow,
    state: 'confirmed' | 'rejected' | 'outdated',
    remark: string,
  ): Promise<void> {
    if (
      !(await data.endPendingChange(
        scope,
        open as Tx<WrittenRuleTables>,
        row.id,
        { state, decidedBy: operator, remark },
        platform.clock.now(),
      ))
    )
      decided()
    platform.audit.note({
      entity: 'pendingChange',
      id: row.id,
      label: row.label,
      before: { state: 'waiting' },
      after: { state, requestedBy: row.requestedBy, decidedBy: operator, remark },
    })
  }

  const endAlone = (session: Session, row: data.PendingRow, state: 'rejected' | 'outdated', remark: string): Promise<void> =>
    platform.transaction((tx: Tx<WrittenRuleTables>) => end(tx as OpenTransaction & typeof tx, session, row, state, remark))

  /**
   * Whether what was asked for cannot be made any more: something else was changed since, it would let more happen than was shown, or it
   * names a list beside everybody, which was once taken and is not guessed about.
   */
  const isOutdated = (error: unknown): boolean =>
    error instanceof Conflict ||
    error instanceof NotFound ||
    (error instanceof Refusal && [300001, 300101].includes(error.code)) ||
    (error instanceof InvalidRequest &&
      !(error instanceof Hindered) &&
      error.fields.some(({ rule }) => rule === 'unknown' || rule === 'everybodyOrChosen'))

  return {
    async make(session, kind, body) {
      try {
        return await save(session.scope, kind, body, {})
      } catch (error) {
        const isLoosening = error instanceof LoosensWrittenRule
        if (!isLoosening && !(error instanceof AgainstWrittenRules)) throw error
        const { breaches } = error
        if (breaches.some(({ reaction }) => reaction === 'refuse')) throw error
        const told = (rule: string): FieldIssue[] => breaches.map((breach) => ({ path: '', rule, params: breachParams(breach) }))
        if (session.kind !== 'user') throw new Hindered(told('writtenRuleByPerson'), { breaches })
        const { id, expiresAt } = await wait(session, kind, body, error)
        throw new Hindered(isLoosening ? error.fields : told('writtenRuleWaits'), { breaches, pendingChangeId: id, expiresAt })
      }
    },
    async list(session, query) {
      const { content, total } = await data.listPendingChanges(session.scope, db, query, platform.clock.now())
      return { total, content: content.map((row) => present(session, row)), page: query.page, size: query.size }
    },
    async read(session, id) {
      const row = await existing(session.scope, id)
      if (row.body === null || stateOf(row) !== 'waiting') return { ...present(session, row), draft: null, ruleEdit: null }
      if (row.kind === 'writtenRule.change' || row.kind === 'writtenRule.delete')
        return { ...present(session, row), draft: null, ruleEdit: await editOf(session.scope, row) }
      const [subject] = row.kind.split('.') as ['strategy' | 'timeRule' | 'accessGroup' | 'associatedRule']
      return { ...present(session, row), draft: changeDraft.parse({ [subject]: await bodyOf(session.scope, row) }), ruleEdit: null }
    },
    async decide(session, { id, agree, remark }) {
      const row = await existing(session.scope, id)
      if (stateOf(row) !== 'waiting' || row.body === null) return decided()
      // An API user is nobody: two of them may be one person's.
      if (row.requestedById === session.userId || session.kind !== 'user') throw new InvalidRequest([{ path: '', rule: 'pendingOwn' }])
      if (!agree) {
        await endAlone(session, row, 'rejected', remark)
        return { id, state: 'rejected' }
      }
      const shown = await data.findShownPassages(session.scope, db, id)
      try {
        if (shown === null) throw new Conflict([])
        const approved = new Map(Object.entries(shown))
        await save(session.scope, row.kind, await bodyOf(session.scope, row), {
          approved,
          alongside: (tx) => end(tx, session, row, 'confirmed', remark),
        })
        return { id, state: 'confirmed' }
      } catch (error) {
        if (!isOutdated(error)) throw error
        await endAlone(session, row, 'outdated', remark)
        return { id, state: 'outdated' }
      }
    },
    upkeep: () => data.forgetOldUnscoped(db, platform.clock.now(), platform.clock.now() - KEPT_DAYS * DAY),
  }
}
