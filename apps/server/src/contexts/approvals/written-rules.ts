/** Written rules: who must never pass where, whatever strategies say. Creating a rule changes no permission. */
import type { z } from 'zod'
import { validateTimeRule } from '@gatehouse/access-rules'
import type { OutputOf } from '@gatehouse/contract'
import type {
  Breach,
  Breaker,
  ChangeDraft,
  ListedWrittenRule,
  WrittenRule,
  writtenRuleCalls,
  writtenRuleFields,
} from '@gatehouse/contract/approvals/written-rules'
import type { Platform } from '../../platform/context.ts'
import { violatedConstraint } from '../../platform/database/database.ts'
import { isUuid, newId } from '../../platform/database/ids.ts'
import { leftAsItWas } from '../../platform/http/left-out.ts'
import { Conflict, InvalidRequest, NotFound, refuse } from '../../platform/http/refusal.ts'
import type { Scope } from '../../platform/session/session.ts'
import { distinct, refuseIssues, type Admission } from '../strategies/index.ts'
import type { ApprovalDependencies } from './dependencies.ts'
import { findWaitingChanges } from './pending-changes-data.ts'
import type { Page, Paging } from './breakers.ts'
import * as data from './written-rules-data.ts'
import type { PassageGuard } from './written-rules-guard.ts'
import type { DraftChange } from './written-rules-drafts.ts'
import { LoosensWrittenRule, isLoosened } from './written-rules-loosened.ts'
import { createWrittenRuleMembers } from './written-rules-members.ts'

export type WrittenRuleFields = z.output<typeof writtenRuleFields>
export type WrittenRuleChange = Omit<OutputOf<typeof writtenRuleCalls.change.body>, 'id' | 'version'>

export interface WrittenRuleService {
  list(scope: Scope, query: { name?: string | undefined } & Paging): Promise<Page<ListedWrittenRule>>
  /** @throws NotFound */
  read(scope: Scope, id: string): Promise<WrittenRule>
  /** @throws Refusal 900004; InvalidRequest for members not of this park, and for a rule without persons or without doors */
  create(scope: Scope, fields: WrittenRuleFields): Promise<string>
  /**
   * @throws as create; NotFound; Conflict where the rule is no longer at `version`; LoosensWrittenRule where a second person has
   *   to agree first
   */
  change(scope: Scope, id: string, version: number | undefined, fields: WrittenRuleChange, admission?: Admission): Promise<void>
  /** Return a rule before and after a change. @throws as change */
  preview(scope: Scope, id: string, fields: WrittenRuleChange): Promise<{ stored: WrittenRule; wanted: WrittenRule }>
  /** @throws NotFound; Conflict, LoosensWrittenRule as change */
  delete(scope: Scope, id: string, version?: number, admission?: Admission): Promise<void>
  /** Return the persons who break a rule as it would be saved. @throws as create */
  standing(scope: Scope, fields: Omit<WrittenRuleFields, 'name'>, paging: Paging): Promise<Page<Breaker>>
  /** Return the rules that a change would newly break. @throws as saving it */
  breaches(scope: Scope, draft: ChangeDraft): Promise<Breach[]>
  /** Return the persons who would newly break one rule. @throws as saving it; NotFound */
  breachers(scope: Scope, ruleId: string, draft: ChangeDraft, paging: Paging): Promise<Page<Breaker>>
}

function valuesOf({ name, ...fields }: WrittenRuleFields): data.WrittenRuleValues {
  refuseUnclear(fields)
  const { everybodyExcept, kinds, personGroupIds, personIds, deviceIds, deviceGroupIds, periods, reaction, enabled, sentence } = fields
  return {
    name,
    everybodyExcept,
    kinds: [...new Set(kinds)].toSorted(),
    personGroupIds: distinct(personGroupIds),
    personIds: distinct(personIds),
    deviceIds: distinct(deviceIds),
    deviceGroupIds: distinct(deviceGroupIds),
    periods,
    reaction,
    enabled,
    sentence,
  }
}

/** Refuse unclear rules. @throws InvalidRequest, Refusal where a rule applies to nobody or to no door, or its hours are invalid */
function refuseUnclear({
  everybodyExcept,
  kinds,
  personGroupIds,
  personIds,
  deviceIds,
  deviceGroupIds,
  periods,
}: Omit<WrittenRuleFields, 'name'>): void {
  const missing = [
    ...(!everybodyExcept && kinds.length + personGroupIds.length + personIds.length === 0 ? ['personGroupIds'] : []),
    ...(deviceIds.length + deviceGroupIds.length === 0 ? ['deviceGroupIds'] : []),
  ]
  if (missing.length > 0) throw new InvalidRequest(missing.map((path) => ({ path, rule: 'required' })))
  if (periods.length > 0) refuseIssues(validateTimeRule({ periods }))
}

function taken(error: unknown): never {
  if (violatedConstraint(error) === 'written_rule_name') refuse(900004, 'name')
  throw error
}

export function createWrittenRules(
  platform: Platform,
  needs: Pick<ApprovalDependencies, 'people' | 'groups' | 'devices'>,
  guard: PassageGuard,
  changeOf: DraftChange,
): WrittenRuleService {
  const db = platform.db
  const { people } = needs
  const { assertMembers, present, logged } = createWrittenRuleMembers(needs)

  async function existing(scope: Scope, id: string): Promise<data.WrittenRuleRow> {
    const row = isUuid(id) ? await data.findWrittenRule(scope, db, id) : undefined
    if (row === undefined) throw new NotFound()
    return row
  }

  /** Return a rule with those members that still exist, now and with a change. @throws InvalidRequest for members not of this park */
  async function changed(scope: Scope, row: data.WrittenRuleRow, fields: WrittenRuleChange) {
    const shown = (await present(scope, [row]))[0]!
    const named = valuesOf(leftAsItWas(shown, fields))
    await assertMembers(scope, named)
    // A person whom the caller may not see is in no form they send, and stays.
    const { ids: unseen } = await people.unseen(scope)
    const withUnseen = <Values extends Pick<data.WrittenRuleValues, 'personIds' | 'personGroupIds'>>(values: Values): Values => {
      const merged = (field: 'personIds' | 'personGroupIds') => distinct([...values[field], ...row[field].filter((one) => unseen.has(one))])
      return { ...values, personIds: merged('personIds'), personGroupIds: merged('personGroupIds') }
    }
    return { stored: withUnseen(shown), values: withUnseen({ ...named, periods: named.periods as WrittenRule['periods'] }) }
  }

  return {
    async list(scope, query) {
      const { content, total } = await data.listWrittenRules(scope, db, query)
      const [rules, waiting] = await Promise.all([
        present(scope, content),
        findWaitingChanges(
          scope,
          db,
          content.map(({ id }) => id),
          platform.clock.now(),
        ),
      ])
      return {
        total,
        content: rules.map((rule) => ({ ...rule, waiting: waiting.get(rule.id) ?? null })),
        page: query.page,
        size: query.size,
      }
    },
    read: async (scope, id) => (await present(scope, [await existing(scope, id)]))[0]!,
    async create(scope, fields) {
      const values = valuesOf(fields)
      await assertMembers(scope, values)
      const after = await logged(scope, values)
      const id = newId()
      await platform
        .transaction(async (tx) => {
          await data.insertWrittenRule(scope, tx, id, values, platform.clock.now())
          platform.audit.note({ entity: 'writtenRule', id, label: values.name, after })
        })
        .catch(taken)
      return id
    },
    async change(scope, id, version, fields, { approved, alongside } = {}) {
      const row = await existing(scope, id)
      const { stored, values } = await changed(scope, row, fields)
      if (isLoosened(stored, values) && approved?.has(id) !== true) throw new LoosensWrittenRule(row)
      const [before, after] = await Promise.all([logged(scope, row), logged(scope, values)])
      await platform
        .transaction(async (tx) => {
          if (!(await data.updateWrittenRule(scope, tx, id, values, version ?? row.version, platform.clock.now())))
            throw new Conflict(['version'])
          platform.audit.note({ entity: 'writtenRule', id, label: values.name, before, after })
          await alongside?.(tx)
        })
        .catch(taken)
    },
    async preview(scope, id, fields) {
      const row = await existing(scope, id)
      const { values } = await changed(scope, row, fields)
      const [stored, proposed] = await present(scope, [row, { ...row, ...values }])
      return { stored: stored!, wanted: proposed! }
    },
    async delete(scope, id, version, { approved, alongside } = {}) {
      const row = await existing(scope, id)
      const before = await logged(scope, row)
      if (row.enabled && row.reaction === 'ask' && approved?.has(id) !== true) throw new LoosensWrittenRule(row)
      await platform.transaction(async (tx) => {
        if (!(await data.deleteWrittenRule(scope, tx, id, version ?? row.version))) throw new Conflict(['version'])
        platform.audit.note({ entity: 'writtenRule', id, label: row.name, before })
        await alongside?.(tx)
      })
    },
    async standing(scope, fields, paging) {
      const values = valuesOf({ ...fields, name: '' })
      await assertMembers(scope, values)
      return guard.standing(scope, { ...values, periods: fields.periods }, paging)
    },
    breaches: (scope, draft) => guard.breaches(scope, () => changeOf(scope, draft)),
    breachers: (scope, ruleId, draft, paging) => guard.breachers(scope, ruleId, () => changeOf(scope, draft), paging),
  }
}
