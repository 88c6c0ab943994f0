/** Strategies: who may pass where, when and by which methods. */
import type { z } from 'zod'
import { validateStrategy } from '@gatehouse/access-rules'
import { pageOf } from '@gatehouse/contract'
import type { Strategy, strategyFields, strategyRow } from '@gatehouse/contract/access/calls'
import type { Platform } from '../../platform/context.ts'
import { violatedConstraint, type Database, type Tx } from '../../platform/database.ts'
import { newId } from '../../platform/ids.ts'
import { Conflict, InvalidRequest, NotFound, refuse } from '../../platform/refusal.ts'
import type { Scope } from '../../platform/session.ts'
import type { AccessDependencies } from './dependencies.ts'
import { eventBatches, strategiesChanged } from './events.ts'
import { isUuid, refuseIssues } from './issues.ts'
import type { AccessTables, MemberKind } from './schema.ts'
import * as data from './strategies-data.ts'
import { lockTimeRules } from './time-rules-data.ts'

export type StrategyFields = z.output<typeof strategyFields>
export type StrategyListRow = z.output<typeof strategyRow>
export interface StrategyListQuery extends data.StrategyQuery {
  page?: number | undefined
  size?: number | undefined
  pageNo?: number | undefined
  pageSize?: number | undefined
}
type Named = { id: string; name: string }

export interface StrategyService {
  list(scope: Scope, query: StrategyListQuery): Promise<{ total: number; content: StrategyListRow[]; page: number; size: number }>
  names(scope: Scope): Promise<Named[]>
  /** @throws Refusal 300101 */
  read(scope: Scope, id: string): Promise<Strategy>
  /** @throws Refusal 300001, 300206, 900004, 900007; InvalidRequest for members that are not in this park */
  create(scope: Scope, fields: StrategyFields): Promise<string>
  /** @throws as create; Refusal 300101; Conflict where it is not at `version` any more */
  change(scope: Scope, id: string, version: number | undefined, fields: StrategyFields): Promise<void>
  /** @throws Refusal 300101, 300103 a default strategy */
  delete(scope: Scope, id: string): Promise<void>
  /** Devices a person may pass, with the strategies that say so. @throws NotFound */
  ofPerson(scope: Scope, personId: string): Promise<{ deviceId: string; deviceName: string; strategies: Named[] }[]>
  /** Takes what was deleted elsewhere out of all strategies. */
  forget(scope: Scope, kind: MemberKind, memberIds: readonly string[]): Promise<void>
}

const FIELD_OF = {
  person: 'personIds',
  personGroup: 'personGroupIds',
  device: 'deviceIds',
  deviceGroup: 'deviceGroupIds',
} as const satisfies Record<MemberKind, string>
const KINDS = Object.keys(FIELD_OF) as MemberKind[]
export type Members = Record<(typeof FIELD_OF)[MemberKind], string[]>

/** Members of each strategy, empty lists where it names none. */
export async function membersOf(scope: Scope, db: Database<AccessTables>, strategyIds: readonly string[]): Promise<Map<string, Members>> {
  const members = new Map<string, Members>(strategyIds.map((id) => [id, { personIds: [], personGroupIds: [], deviceIds: [], deviceGroupIds: [] }]))
  for (const row of await data.findMembers(scope, db, strategyIds)) members.get(row.strategyId)![FIELD_OF[row.kind]] = row.memberIds
  return members
}

/** All but name and kind; `members` are the persons. */
async function settingsOf(scope: Scope, db: Database<AccessTables>, id: string) {
  const [row] = await data.findStrategies(scope, db, [id])
  if (row === undefined) return new Map()
  const { personIds, ...others } = (await membersOf(scope, db, [id])).get(id)!
  const timeRuleIds = idsOf(await data.findRulesOf(scope, db, [id])).toSorted()
  const { methods, validFrom, validTo } = row
  return new Map([[id, { methods, validFrom, validTo, timeRuleIds, members: personIds, ...others }]])
}

function valuesOf(fields: StrategyFields): data.StrategyValues & Members & { timeRuleIds: string[] } {
  refuseIssues(validateStrategy(fields))
  return {
    name: fields.name,
    kind: fields.kind,
    methods: [...new Set(fields.methods)].toSorted((one, other) => one - other),
    validFrom: fields.validFrom ?? null,
    validTo: fields.validTo ?? null,
    timeRuleIds: distinct(fields.timeRuleIds),
    personIds: distinct(fields.personIds),
    personGroupIds: distinct(fields.personGroupIds),
    deviceIds: distinct(fields.deviceIds),
    deviceGroupIds: distinct(fields.deviceGroupIds),
  }
}
type Values = ReturnType<typeof valuesOf>

const distinct = (ids: readonly string[]): string[] => [...new Set(ids)].toSorted()
const idsOf = (rows: readonly { id: string }[]): string[] => rows.map((row) => row.id)

function taken(error: unknown): never {
  if (violatedConstraint(error) === 'strategy_name') refuse(900004, 'name')
  throw error
}

const byName = (one: Named, other: Named): number => one.name.localeCompare(other.name)

export function createStrategyService(platform: Platform, { people, groups, devices }: AccessDependencies): StrategyService {
  const db = platform.db as unknown as Database<AccessTables>

  const REGISTER: Record<MemberKind, (scope: Scope, ids: readonly string[]) => Promise<Named[]>> = {
    person: people.facts,
    personGroup: groups.names,
    device: devices.names,
    deviceGroup: devices.groupNames,
  }

  /** @throws InvalidRequest for each field that names something this park does not have */
  async function assertMembers(scope: Scope, values: Members): Promise<void> {
    const found = await Promise.all(
      KINDS.map(async (kind) => {
        const wanted = values[FIELD_OF[kind]]
        if (wanted.length === 0) return true
        return wanted.every(isUuid) && (await REGISTER[kind](scope, wanted)).length === wanted.length
      }),
    )
    const unknown = KINDS.filter((_, index) => !found[index])
    if (unknown.length > 0) throw new InvalidRequest(unknown.map((kind) => ({ path: FIELD_OF[kind], rule: 'unknown' })))
  }

  /** What a strategy reaches now, groups and those below them resolved. */
  async function reachOf(scope: Scope, members: Members): Promise<{ personCount: number; deviceCount: number }> {
    const [personIds, deviceIds] = await Promise.all([
      members.personGroupIds.length === 0 ? [] : people.idsInGroups(scope, members.personGroupIds),
      members.deviceGroupIds.length === 0 ? [] : devices.idsInGroups(scope, members.deviceGroupIds),
    ])
    return {
      personCount: new Set([...members.personIds, ...personIds]).size,
      deviceCount: new Set([...members.deviceIds, ...deviceIds]).size,
    }
  }

  async function existing(scope: Scope, id: string): Promise<data.StrategyRow> {
    const [row] = isUuid(id) ? await data.findStrategies(scope, db, [id]) : []
    return row ?? refuse(300101)
  }

  /** Writes what a strategy names; its rules cannot be deleted meanwhile. */
  async function saveLinks(scope: Scope, tx: Tx<AccessTables>, id: string, values: Values): Promise<void> {
    const members = KINDS.flatMap((kind) => values[FIELD_OF[kind]].map((memberId) => ({ kind, id: memberId })))
    await data.replaceMembers(scope, tx, id, members)
    await data.replaceRules(scope, tx, id, values.timeRuleIds)
  }

  /** Notes what decides of each strategy, as this transaction leaves it; one by one, since each may name thousands. */
  async function note(scope: Scope, tx: Tx<AccessTables>, strategyIds: readonly string[]): Promise<void> {
    for (const strategyId of strategyIds.toSorted())
      await platform.history.noteAll(tx, scope, 'strategy', [strategyId], () => settingsOf(scope, tx, strategyId))
  }

  async function lockRules(scope: Scope, tx: Tx<AccessTables>, timeRuleIds: readonly string[]): Promise<void> {
    const rows = timeRuleIds.every(isUuid) ? await lockTimeRules(scope, tx, timeRuleIds, 'share') : []
    if (rows.length < timeRuleIds.length) refuse(300001, 'timeRuleIds')
  }

  async function conflictOf(scope: Scope, tx: Tx<AccessTables>, id: string, values: Values): Promise<Conflict> {
    const [row] = await data.findStrategies(scope, tx, [id])
    if (row === undefined) return new Conflict(['version'])
    const members = (await membersOf(scope, tx, [id])).get(id)!
    const current = { ...row, ...members, timeRuleIds: idsOf(await data.findRulesOf(scope, tx, [id])).toSorted() }
    const differing = (Object.keys(values) as (keyof Values)[]).filter((key) => JSON.stringify(current[key]) !== JSON.stringify(values[key]))
    return new Conflict(differing.length > 0 ? differing : ['version'])
  }

  return {
    async list(scope, query) {
      const { page, size } = pageOf(query)
      const { content, total } = await data.listStrategies(scope, db, query, page, size)
      const ids = idsOf(content)
      const [members, rules] = await Promise.all([membersOf(scope, db, ids), data.findRulesOf(scope, db, ids)])
      const everyGroup = distinct([...members.values()].flatMap((one) => one.personGroupIds))
      const everyDevice = distinct([...members.values()].flatMap((one) => one.deviceIds))
      const everyDeviceGroup = distinct([...members.values()].flatMap((one) => one.deviceGroupIds))
      const [personGroups, deviceNames, deviceGroups, reaches] = await Promise.all([
        groups.names(scope, everyGroup),
        devices.names(scope, everyDevice),
        devices.groupNames(scope, everyDeviceGroup),
        Promise.all(ids.map((id) => reachOf(scope, members.get(id)!))),
      ])
      const rows = content.map((row, index): StrategyListRow => {
        const own = members.get(row.id)!
        const timeRules = rules.filter((rule) => rule.strategyId === row.id).map(({ id, name }) => ({ id, name }))
        const among = (named: readonly Named[], memberIds: readonly string[]) => named.filter((one) => memberIds.includes(one.id)).toSorted(byName)
        return {
          ...row,
          validFrom: row.validFrom as number | null,
          validTo: row.validTo as number | null,
          updatedAt: row.updatedAt as number,
          personGroups: among(personGroups, own.personGroupIds),
          devices: among(deviceNames, own.deviceIds),
          deviceGroups: among(deviceGroups, own.deviceGroupIds),
          timeRules,
          personGroupIds: own.personGroupIds,
          deviceIds: own.deviceIds,
          deviceGroupIds: own.deviceGroupIds,
          timeRuleIds: idsOf(timeRules),
          ...reaches[index]!,
        }
      })
      return { total, content: rows, page, size }
    },
    names: (scope) => data.nameStrategies(scope, db),
    async read(scope, id) {
      const row = await existing(scope, id)
      const members = (await membersOf(scope, db, [id])).get(id)!
      const [persons, personGroups, deviceNames, deviceGroups, rules, reach] = await Promise.all([
        people.facts(scope, members.personIds),
        groups.names(scope, members.personGroupIds),
        devices.names(scope, members.deviceIds),
        devices.groupNames(scope, members.deviceGroupIds),
        data.findRulesOf(scope, db, [id]),
        reachOf(scope, members),
      ])
      // Only what is still there: a form sends back what it was given, and must not be refused for it.
      return {
        ...row,
        validFrom: row.validFrom as number | null,
        validTo: row.validTo as number | null,
        updatedAt: row.updatedAt as number,
        persons: persons.map((person) => ({ id: person.id, name: person.name, workNumber: person.workNumber ?? '' })).toSorted(byName),
        personGroups: personGroups.toSorted(byName),
        devices: deviceNames.toSorted(byName),
        deviceGroups: deviceGroups.toSorted(byName),
        timeRules: rules.map((rule) => ({ id: rule.id, name: rule.name })),
        personIds: idsOf(persons),
        personGroupIds: idsOf(personGroups),
        deviceIds: idsOf(deviceNames),
        deviceGroupIds: idsOf(deviceGroups),
        timeRuleIds: idsOf(rules),
        ...reach,
      }
    },
    async create(scope, fields) {
      const values = valuesOf(fields)
      await assertMembers(scope, values)
      const id = newId()
      await platform
        .transaction(async (tx: Tx<AccessTables>) => {
          await lockRules(scope, tx, values.timeRuleIds)
          await data.insertStrategy(scope, tx, id, values, platform.clock.now())
          await saveLinks(scope, tx, id, values)
          await note(scope, tx, [id])
          await platform.events.announce(tx, strategiesChanged, scope.parkId, { strategyIds: [id] })
        })
        .catch(taken)
      return id
    },
    async change(scope, id, version, fields) {
      const values = valuesOf(fields)
      const row = await existing(scope, id)
      await assertMembers(scope, values)
      await platform
        .transaction(async (tx: Tx<AccessTables>) => {
          await lockRules(scope, tx, values.timeRuleIds)
          const updated = await data.updateStrategy(scope, tx, id, values, version ?? row.version, platform.clock.now())
          if (!updated) throw await conflictOf(scope, tx, id, values)
          await saveLinks(scope, tx, id, values)
          await note(scope, tx, [id])
          await platform.events.announce(tx, strategiesChanged, scope.parkId, { strategyIds: [id] })
        })
        .catch(taken)
    },
    async delete(scope, id) {
      const row = await existing(scope, id)
      if (row.isDefault) refuse(300103)
      await platform.transaction(async (tx: Tx<AccessTables>) => {
        await data.deleteStrategy(scope, tx, id)
        await note(scope, tx, [id])
        await platform.events.announce(tx, strategiesChanged, scope.parkId, { strategyIds: [id] })
      })
    },
    async ofPerson(scope, personId) {
      const [person] = await people.facts(scope, [personId])
      if (person === undefined) throw new NotFound()
      const groupPath = pathTo(await groups.tree(scope), person.groupId)
      const strategyIds = await data.findStrategyIdsNaming(scope, db, [
        { kind: 'person', ids: [personId] },
        { kind: 'personGroup', ids: groupPath },
      ])
      const [strategies, members] = await Promise.all([data.findStrategies(scope, db, strategyIds), membersOf(scope, db, strategyIds)])
      const opening = new Map<string, Named[]>()
      for (const { id, name } of strategies.toSorted(byName)) {
        const own = members.get(id)!
        const inGroups = own.deviceGroupIds.length === 0 ? [] : await devices.idsInGroups(scope, own.deviceGroupIds)
        for (const deviceId of new Set([...own.deviceIds, ...inGroups])) opening.set(deviceId, [...(opening.get(deviceId) ?? []), { id, name }])
      }
      const named = await devices.names(scope, [...opening.keys()])
      return named.toSorted(byName).map((device) => ({ deviceId: device.id, deviceName: device.name, strategies: opening.get(device.id)! }))
    },
    async forget(scope, kind, memberIds) {
      await platform.transaction(async (tx: Tx<AccessTables>) => {
        const strategyIds = await data.removeMembers(scope, tx, kind, memberIds)
        await note(scope, tx, strategyIds)
        await platform.events.announceAll(tx, strategiesChanged, scope.parkId, eventBatches(strategyIds).map((batch) => ({ strategyIds: batch })))
      })
    },
  }
}

interface GroupNode {
  id: string
  children: GroupNode[]
}

/** The ids from a root down to a group, empty where it is not in the tree. */
function pathTo(nodes: readonly GroupNode[], id: string): string[] {
  for (const node of nodes) {
    if (node.id === id) return [id]
    const below = pathTo(node.children, id)
    if (below.length > 0) return [node.id, ...below]
  }
  return []
}
