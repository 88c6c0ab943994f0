/** Written rules: who must never pass where, whatever strategies say. Making one changes nobody's permission. */
import type { WrittenRuleTables } from './written-rules-schema.ts'
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
import { violatedConstraint, type Database, type OpenTransaction, type Tx } from '../../platform/database/database.ts'
import { isUuid, newId } from '../../platform/database/ids.ts'
import { leftAsItWas } from '../../platform/http/left-out.ts'
import { personOrder } from '../../platform/session/masking.ts'
import { Conflict, InvalidRequest, NotFound, refuse } from '../../platform/http/refusal.ts'
import type { Scope } from '../../platform/session/session.ts'
import { distinct, refuseIssues, type Admission } from '../strategies/index.ts'
import type { ApprovalDependencies } from './dependencies.ts'
import { findWaitingChanges } from './pending-changes-data.ts'
import * as data from './written-rules-data.ts'
import type { Page, Paging, PassageGuard } from './written-rules-guard.ts'
import type { DraftChange } from './written-rules-drafts.ts'
import { LoosensWrittenRule, isLoosened } from './written-rules-loosened.ts'

export type WrittenRuleFields = z.output<typeof writtenRuleFields>
export type WrittenRuleChange = Omit<OutputOf<typeof writtenRuleCalls.change.body>, 'id' | 'version'>

export interface WrittenRuleService {
  list(scope: Scope, query: { name?: string | undefined } & Paging): Promise<Page<ListedWrittenRule>>
  /** @throws NotFound */
  read(scope: Scope, id: string): Promise<WrittenRule>
  /** @throws Refusal 900004; InvalidRequest for what is not of this park, or names nobody or no door */
  create(scope: Scope, fields: WrittenRuleFields): Promise<string>
  /** @throws as create; NotFound; Conflict where it is not at `version` any more; LoosensWrittenRule where a second person has to agree first */
  change(scope: Scope, id: string, version: number | undefined, fields: WrittenRuleChange, admission?: Admission): Promise<void>
  /** A rule as it is, and as it would be with a change. @throws as change */
  preview(scope: Scope, id: string, fields: WrittenRuleChange): Promise<{ stored: WrittenRule; wanted: WrittenRule }>
  /** @throws NotFound; Conflict, LoosensWrittenRule as change */
  delete(scope: Scope, id: string, version?: number, admission?: Admission): Promise<void>
  /** Who stands against a rule as it would be saved. @throws as create */
  standing(scope: Scope, fields: Omit<WrittenRuleFields, 'name'>, paging: Paging): Promise<Page<Breaker>>
  /** What a change would newly go against. @throws as saving it */
  breaches(scope: Scope, draft: ChangeDraft): Promise<Breach[]>
  /** Those who would newly stand against one rule. @throws as saving it; NotFound */
  breachers(scope: Scope, ruleId: string, draft: ChangeDraft, paging: Paging): Promise<Page<Breaker>>
}

type Named = { id: string; name: string }
const FIELDS = ['personIds', 'personGroupIds', 'deviceIds', 'deviceGroupIds'] as const
const byName = (one: Named, other: Named): number => one.name.localeCompare(other.name)

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

/** @throws InvalidRequest, Refusal where a rule is about nobody or no door, or its hours cannot be read */
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
  { people, groups, devices }: Pick<ApprovalDependencies, 'people' | 'groups' | 'devices'>,
  guard: PassageGuard,
  changeOf: DraftChange,
): WrittenRuleService {
  const db = platform.db as unknown as Database<WrittenRuleTables>
  const REGISTER: Record<(typeof FIELDS)[number], (scope: Scope, ids: readonly string[]) => Promise<Named[]>> = {
    personIds: people.facts,
    personGroupIds: groups.names,
    deviceIds: devices.names,
    deviceGroupIds: devices.groupNames,
  }

  const namesOf = async (scope: Scope, field: (typeof FIELDS)[number], ids: readonly string[]): Promise<Named[]> =>
    ids.length === 0 ? [] : (await REGISTER[field](scope, ids)).toSorted(byName)

  /** @throws InvalidRequest for each field that names something this park does not have */
  async function assertKnown(scope: Scope, values: Pick<data.WrittenRuleValues, (typeof FIELDS)[number]>): Promise<void> {
    const known = await Promise.all(
      FIELDS.map(
        async (field) => values[field].every(isUuid) && (await namesOf(scope, field, values[field])).length === new Set(values[field]).size,
      ),
    )
    const unknown = FIELDS.filter((_, place) => !known[place])
    if (unknown.length > 0) throw new InvalidRequest(unknown.map((path) => ({ path, rule: 'unknown' })))
  }

  async function existing(scope: Scope, id: string): Promise<data.WrittenRuleRow> {
    const row = isUuid(id) ? await data.findWrittenRule(scope, db, id) : undefined
    if (row === undefined) throw new NotFound()
    return row
  }

  // Only what is still there: a form sends back what it was given, and must not be refused for it.
  async function present(scope: Scope, rows: readonly data.WrittenRuleRow[]): Promise<WrittenRule[]> {
    const every = (field: (typeof FIELDS)[number]): string[] => distinct(rows.flatMap((row) => row[field]))
    const [persons, personGroups, doors, deviceGroups] = await Promise.all([
      people.facts(scope, every('personIds')),
      namesOf(scope, 'personGroupIds', every('personGroupIds')),
      namesOf(scope, 'deviceIds', every('deviceIds')),
      namesOf(scope, 'deviceGroupIds', every('deviceGroupIds')),
    ])
    const among = <One extends Named>(some: readonly One[], ids: readonly string[], order = byName): One[] =>
      some.filter(({ id }) => ids.includes(id)).toSorted(order)
    const idsOf = (some: readonly Named[]): string[] => some.map(({ id }) => id)
    return rows.map((row) => {
      const named = {
        persons: among(persons, row.personIds, personOrder(scope)).map(({ id, name, workNumber }) => ({
          id,
          name,
          workNumber: workNumber ?? '',
        })),
        personGroups: among(personGroups, row.personGroupIds),
        devices: among(doors, row.deviceIds),
        deviceGroups: among(deviceGroups, row.deviceGroupIds),
      }
      return {
        ...row,
        ...named,
        personIds: idsOf(named.persons),
        personGroupIds: idsOf(named.personGroups),
        deviceIds: idsOf(named.devices),
        deviceGroupIds: idsOf(named.deviceGroups),
        periods: row.periods as WrittenRule['periods'],
        updatedAt: row.updatedAt as number,
      }
    })
  }

  /** What the operation log tells of a rule: persons by their ids, so that a name that is erased stands nowhere. */
  async function logged(scope: Scope, values: data.WrittenRuleValues) {
    const names = async (field: 'personGroupIds' | 'deviceIds' | 'deviceGroupIds'): Promise<string[]> =>
      (await namesOf(scope, field, values[field])).map(({ name }) => name)
    const { name, everybodyExcept, kinds, personIds, periods, reaction, enabled, sentence } = values
    return {
      name,
      everybodyExcept,
      kinds,
      personIds,
      personGroups: await names('personGroupIds'),
      devices: await names('deviceIds'),
      deviceGroups: await names('deviceGroupIds'),
      periods,
      reaction,
      enabled,
      sentence,
    }
  }

  /** What a rule says of what is still there, and would say with a change. @throws InvalidRequest for what is not of this park */
  async function changed(scope: Scope, row: data.WrittenRuleRow, fields: WrittenRuleChange) {
    const shown = (await present(scope, [row]))[0]!
    const named = valuesOf(leftAsItWas(shown, fields))
    await assertKnown(scope, named)
    // Whoever does not exist for the asker stands in no form he sends, and stays.
    const { ids: unseen } = await people.unseen(scope)
    const withUnseen = <Values extends Pick<data.WrittenRuleValues, 'personIds' | 'personGroupIds'>>(values: Values): Values => {
      const kept = (field: 'personIds' | 'personGroupIds') => distinct([...values[field], ...row[field].filter((one) => unseen.has(one))])
      return { ...values, personIds: kept('personIds'), personGroupIds: kept('personGroupIds') }
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
      await assertKnown(scope, values)
      const after = await logged(scope, values)
      const id = newId()
      await platform
        .transaction(async (tx: Tx<WrittenRuleTables>) => {
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
        .transaction(async (tx: Tx<WrittenRuleTables>) => {
          if (!(await data.updateWrittenRule(scope, tx, id, values, version ?? row.version, platform.clock.now())))
            throw new Conflict(['version'])
          platform.audit.note({ entity: 'writtenRule', id, label: values.name, before, after })
          await alongside?.(tx as OpenTransaction & typeof tx)
        })
        .catch(taken)
    },
    async preview(scope, id, fields) {
      const row = await existing(scope, id)
      const { values } = await changed(scope, row, fields)
      const [stored, wanted] = await present(scope, [row, { ...row, ...values }])
      return { stored: stored!, wanted: wanted! }
    },
    async delete(scope, id, version, { approved, alongside } = {}) {
      const row = await existing(scope, id)
      const before = await logged(scope, row)
      if (row.enabled && row.reaction === 'ask' && approved?.has(id) !== true) throw new LoosensWrittenRule(row)
      await platform.transaction(async (tx: Tx<WrittenRuleTables>) => {
        if (!(await data.deleteWrittenRule(scope, tx, id, version ?? row.version))) throw new Conflict(['version'])
        platform.audit.note({ entity: 'writtenRule', id, label: row.name, before })
        await alongside?.(tx as OpenTransaction & typeof tx)
      })
    },
    async standing(scope, fields, paging) {
      const values = valuesOf({ ...fields, name: '' })
      await assertKnown(scope, values)
      return guard.standing(scope, { ...values, periods: fields.periods }, paging)
    },
    breaches: (scope, draft) => guard.breaches(scope, () => changeOf(scope, draft)),
    breachers: (scope, ruleId, draft, paging) => guard.breachers(scope, ruleId, () => changeOf(scope, draft), paging),
  }
}
