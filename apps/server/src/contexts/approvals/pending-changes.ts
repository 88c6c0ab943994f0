/**
 * Changes that break a written rule which requires a second person, or that loosen such a rule: they wait, and nothing is changed
 * until another person agrees.
 */
import {
  type Breach,
  changeDraft,
  type ChangeDraft,
  type PendingChange,
  type PendingKind,
  type PendingState,
  type WrittenRuleEdit,
} from '@gatehouse/contract/approvals/written-rules'
import type { FieldIssue } from '@gatehouse/contract'
import type { Platform } from '../../platform/context.ts'
import { isUuid } from '../../platform/database/ids.ts'
import { Conflict, Hindered, InvalidRequest, NotFound } from '../../platform/http/refusal.ts'
import type { Actor, Caller, Scope } from '../../platform/session/session.ts'
import * as data from './pending-changes-data.ts'
import { createPendingSaving, isOutdated, type Bodies, type SavingParts } from './pending-saving.ts'
import { createPendingStoring, DAY, refuseDecided } from './pending-storing.ts'
import { canDecide, isSecondPerson } from './policy.ts'
import type { Page, Paging } from './breakers.ts'
import { AgainstWrittenRules, breachParams } from './written-rules-breaches.ts'
import { LoosensWrittenRule } from './written-rules-loosened.ts'
import type { WrittenRuleService } from './written-rules.ts'

export interface PendingChangeService {
  /**
   * Make a change; where all rules it breaks require a second person, the change waits for one. A change by an API user is
   * refused then: the person who created that account could act as the second person.
   * @returns the id of what was made or changed
   * @throws Hindered with the id of the change that waits; whatever saving throws
   */
  make<Kind extends PendingKind>(session: Caller, kind: Kind, body: Bodies[Kind]): Promise<string>
  list(session: Caller, query: Paging & { state?: PendingState | undefined }): Promise<Page<PendingChange>>
  /** @throws NotFound */
  read(session: Caller, id: string): Promise<PendingChange & { draft: ChangeDraft | null; ruleEdit: WrittenRuleEdit | null }>
  /**
   * @throws NotFound; InvalidRequest where the change no longer waits or the caller requested it; Hindered where a rule refuses
   *   it by now
   */
  decide(session: Caller, choice: { id: string; agree: boolean; remark: string }): Promise<{ id: string; state: PendingState }>
  /** Delete old changes of all parks. */
  upkeep(): Promise<void>
}

interface Parts extends SavingParts {
  writtenRules: SavingParts['writtenRules'] & Pick<WrittenRuleService, 'preview'>
}

/** Days for which changes stay in the list after they have ended. */
const KEPT_DAYS = 365

const stateOf = ({ state, expiresAt }: data.PendingRow, now: number): PendingState =>
  state === 'waiting' && expiresAt <= now ? 'expired' : state

const present = (session: Actor, row: data.PendingRow, now: number): PendingChange => ({
  id: row.id,
  kind: row.kind,
  label: row.label,
  state: stateOf(row, now),
  requestedBy: row.requestedBy,
  requestedAt: row.requestedAt,
  expiresAt: row.expiresAt,
  own: row.requestedById === session.userId,
  breaches: row.breaches as Breach[],
  decidedBy: row.decidedBy,
  decidedAt: row.decidedAt,
  remark: row.remark,
  can: { decide: canDecide(row, stateOf(row, now), session) },
})

export function createPendingChanges(platform: Platform, { writtenRules, ...parts }: Parts): PendingChangeService {
  const db = platform.db
  const saving = createPendingSaving({ ...parts, writtenRules })
  const { save } = saving
  const { wait, bodyOf, end } = createPendingStoring(platform, saving)

  /** Return a written rule before and after a change; null where the change cannot be made any more. */
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

  async function existing(scope: Scope, id: string): Promise<data.PendingRow> {
    const row = isUuid(id) ? await data.findPendingChange(scope, db, id) : undefined
    if (row === undefined) throw new NotFound()
    return row
  }

  const endAlone = (session: Caller, row: data.PendingRow, state: 'rejected' | 'outdated', remark: string): Promise<void> =>
    platform.transaction((tx) => end(tx, session, row, state, remark))

  return {
    async make(session, kind, body) {
      try {
        return await save(session.scope, kind, body, {})
      } catch (error) {
        const isLoosening = error instanceof LoosensWrittenRule
        if (!isLoosening && !(error instanceof AgainstWrittenRules)) throw error
        const { breaches } = error
        if (breaches.some(({ reaction }) => reaction === 'refuse')) throw error
        const issues = (rule: string): FieldIssue[] => breaches.map((breach) => ({ path: '', rule, params: breachParams(breach) }))
        if (session.kind !== 'user') throw new Hindered(issues('writtenRuleByPerson'), { breaches })
        const { id, expiresAt } = await wait(session, kind, body, error)
        throw new Hindered(isLoosening ? error.fields : issues('writtenRuleWaits'), { breaches, pendingChangeId: id, expiresAt })
      }
    },
    async list(session, query) {
      const { content, total } = await data.listPendingChanges(session.scope, db, query, platform.clock.now())
      return { total, content: content.map((row) => present(session, row, platform.clock.now())), page: query.page, size: query.size }
    },
    async read(session, id) {
      const row = await existing(session.scope, id)
      if (row.body === null || stateOf(row, platform.clock.now()) !== 'waiting')
        return { ...present(session, row, platform.clock.now()), draft: null, ruleEdit: null }
      if (row.kind === 'writtenRule.change' || row.kind === 'writtenRule.delete')
        return { ...present(session, row, platform.clock.now()), draft: null, ruleEdit: await editOf(session.scope, row) }
      const [subject] = row.kind.split('.') as ['strategy' | 'timeRule' | 'accessGroup' | 'associatedRule']
      return {
        ...present(session, row, platform.clock.now()),
        draft: changeDraft.parse({ [subject]: await bodyOf(session.scope, row) }),
        ruleEdit: null,
      }
    },
    async decide(session, { id, agree, remark }) {
      const row = await existing(session.scope, id)
      if (stateOf(row, platform.clock.now()) !== 'waiting' || row.body === null) return refuseDecided()
      if (!isSecondPerson(row, session)) throw new InvalidRequest([{ path: '', rule: 'pendingOwn' }])
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
