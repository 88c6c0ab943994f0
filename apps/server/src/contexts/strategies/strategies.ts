/** Strategies: who may pass where, when and by which methods. */
import type { z } from 'zod'
import { pageOf } from '@gatehouse/contract'
import type { Strategy, strategyFields, strategyRow } from '@gatehouse/contract/strategies/calls'
import { authorisedObject } from '@gatehouse/contract/enums'
import { personGroupType } from '@gatehouse/contract/enums/people'
import type { Platform } from '../../platform/context.ts'
import { violatedConstraint, type Database, type OpenTransaction, type Tx } from '../../platform/database/database.ts'
import { isUuid, newId } from '../../platform/database/ids.ts'
import { personOrder } from '../../platform/session/masking.ts'
import { Conflict, InvalidRequest, NotFound, refuse } from '../../platform/http/refusal.ts'
import { seeingAll, type Scope } from '../../platform/session/session.ts'
import { findAccessGroups, findDoorsOf, lockAccessGroups, removeDoors } from './access-groups-data.ts'
import { findAbout } from './associated-rules-data.ts'
import { namedBy, UNMADE, type Admission, type Guarding } from './changes.ts'
import { assertRulesAgree } from './date-clashes.ts'
import type { StrategyDependencies } from './dependencies.ts'
import { eventBatches } from '../../platform/events/batches.ts'
import { strategiesChanged } from './events.ts'
import type { StrategyTables, MemberKind } from './schema.ts'
import * as data from './strategies-data.ts'
import {
  accessTypeOf,
  changedStrategy,
  decidingOf,
  distinct,
  effectiveOf,
  FIELD_OF,
  namedMembersOf,
  storedStrategy,
  type Members,
  type Said,
  type StoredStrategy,
  type StrategyChange,
} from './strategy-changes.ts'
import { findTimeRules, lockTimeRules } from './time-rules-data.ts'

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
  /** @throws Refusal 300001, 300206, 900004, 900007; InvalidRequest for members that are not in this park and time rules that contradict each other; AgainstWrittenRules */
  create(scope: Scope, fields: StrategyFields, admission?: Admission & { directAt?: string }): Promise<string>
  /** @throws as create; Refusal 300101; Conflict where it is not at `version` any more */
  change(scope: Scope, id: string, version: number | undefined, fields: StrategyChange, admission?: Admission): Promise<void>
  /** @param version only at this one; left out: at any @throws Refusal 300101, 300103 a default strategy; Conflict where it is not at `version` any more */
  delete(scope: Scope, id: string, version?: number): Promise<void>
  /** Devices a person may pass, with the strategies that say so. @throws NotFound */
  ofPerson(scope: Scope, personId: string): Promise<{ deviceId: string; deviceName: string; strategies: Named[] }[]>
  /** Takes what was deleted elsewhere out of all strategies. */
  forget(scope: Scope, kind: MemberKind, memberIds: readonly string[]): Promise<void>
  /** The same in the caller's transaction. */
  forgetIn(tx: OpenTransaction, scope: Scope, kind: MemberKind, memberIds: readonly string[]): Promise<void>
  /** Tells that what these strategies reach is another, in the transaction that makes it so. */
  reachChanged(tx: OpenTransaction, scope: Scope, strategyIds: readonly string[]): Promise<void>
}

const KINDS = Object.keys(FIELD_OF) as MemberKind[]

/** Whom and which doors a strategy names, its access groups taken apart. */
export type Reach = Omit<Members, 'accessGroupIds'>

/** What decides of each strategy: its members, the doors of its access groups among them. */
export async function membersOf(scope: Scope, db: Database<StrategyTables>, strategyIds: readonly string[]): Promise<Map<string, Reach>> {
  return withDoors(scope, db, await namedMembersOf(scope, db, strategyIds))
}

async function withDoors(scope: Scope, db: Database<StrategyTables>, members: ReadonlyMap<string, Members>): Promise<Map<string, Reach>> {
  const doors = await findDoorsOf(scope, db, distinct([...members.values()].flatMap((one) => one.accessGroupIds)))
  return new Map(
    [...members].map(([id, { accessGroupIds, ...reach }]) => {
      const doorsOf = (kind: 'device' | 'deviceGroup', own: string[]): string[] => {
        const through = doors
          .filter((row) => row.kind === kind && accessGroupIds.includes(row.groupId))
          .flatMap(({ memberIds }) => memberIds)
        return through.length === 0 ? own : distinct([...own, ...through])
      }
      return [id, { ...reach, deviceIds: doorsOf('device', reach.deviceIds), deviceGroupIds: doorsOf('deviceGroup', reach.deviceGroupIds) }]
    }),
  )
}

/** All but name and kind; `members` are the persons. */
async function settingsOf(scope: Scope, db: Database<StrategyTables>, id: string) {
  const [row] = await data.findStrategies(scope, db, [id])
  if (row === undefined) return new Map()
  const { personIds, ...others } = (await membersOf(scope, db, [id])).get(id)!
  const timeRuleIds = idsOf(await data.findRulesOf(scope, db, [id])).toSorted()
  const { methods, validFrom, validTo, authorizedObject: whom } = row
  // Of an associated rule `members` are persons of the linked park, and whom the link is about stands in that park's history.
  const about = (await findAbout(scope, db, [id])).map(({ relationId, linkedPark, everybody, kind }) => ({
    relationId,
    linkedPark,
    everybody: everybody && kind !== 'visitor',
  }))[0]
  // What persons themselves pass by says nothing of it: so it was written before there was anything else.
  return new Map([
    [
      id,
      {
        methods,
        validFrom,
        validTo,
        timeRuleIds,
        members: personIds,
        ...others,
        ...about,
        ...(whom !== authorisedObject.person && { authorisedObject: whom }),
      },
    ],
  ])
}

/** The one door or access group at which a strategy lets persons pass for good; null where it names others, is limited, or is for contacts alone. */
function soleTargetOf({
  deviceIds,
  deviceGroupIds,
  accessGroupIds,
  validFrom,
  validTo,
  authorizedObject: whom,
}: StoredStrategy): string | null {
  const [target, ...others] = [...deviceIds, ...accessGroupIds, ...deviceGroupIds]
  const isOne = target !== undefined && others.length === 0 && deviceGroupIds.length === 0
  return isOne && validFrom === null && validTo === null && whom !== authorisedObject.contact ? target : null
}

const idsOf = (rows: readonly { id: string }[]): string[] => rows.map((row) => row.id)

function withIds<Row extends { id: string }>(rows: readonly Row[], ids: readonly string[]): Row[] {
  const wanted = new Set(ids)
  return rows.filter(({ id }) => wanted.has(id))
}

/** @throws Refusal 900004 where a strategy has the name already; else the error itself */
export function taken(error: unknown): never {
  if (violatedConstraint(error) === 'strategy_name') refuse(900004, 'name')
  throw error
}

const byName = (one: Named, other: Named): number => one.name.localeCompare(other.name)

export function createStrategyService(
  platform: Platform,
  { people, groups, devices, organisation }: StrategyDependencies,
  guard: Guarding,
): StrategyService {
  const db = platform.db as unknown as Database<StrategyTables>

  const said = (scope: Scope): Said => ({ now: platform.clock.now(), zone: organisation.park(scope).zone })

  const accessGroupNames = async (scope: Scope, ids: readonly string[]): Promise<Named[]> =>
    (await findAccessGroups(scope, db, ids)).map(({ id, name }) => ({ id, name }))

  const REGISTER: Record<MemberKind, (scope: Scope, ids: readonly string[]) => Promise<Named[]>> = {
    person: people.facts,
    personGroup: groups.names,
    device: devices.names,
    deviceGroup: devices.groupNames,
    accessGroup: accessGroupNames,
  }

  /** The fields that name whom to look out for: no door lets them in. */
  async function specialAmong(scope: Scope, { personIds = [], personGroupIds = [] }: Partial<Members>): Promise<string[]> {
    const [persons, types] = await Promise.all([people.facts(scope, personIds), groups.types(scope, personGroupIds)])
    return [
      ...(persons.some(({ kind }) => kind === 'special') ? [FIELD_OF.person] : []),
      ...(types.some(({ type }) => type === personGroupType.blacklist) ? [FIELD_OF.personGroup] : []),
    ]
  }

  /**
   * What a change leaves out stays, whether or not it exists for whoever makes it.
   * @throws InvalidRequest for each field that names something this park does not have, or nobody may be let in by
   */
  async function assertMembers(scope: Scope, sent: StrategyChange): Promise<void> {
    const found = await Promise.all(
      KINDS.map(async (kind) => {
        const wanted = distinct(sent[FIELD_OF[kind]] ?? [])
        if (wanted.length === 0) return true
        return wanted.every(isUuid) && (await REGISTER[kind](scope, wanted)).length === wanted.length
      }),
    )
    const unknown = KINDS.filter((_, index) => !found[index])
    if (unknown.length > 0) throw new InvalidRequest(unknown.map((kind) => ({ path: FIELD_OF[kind], rule: 'unknown' })))
    const special = await specialAmong(scope, sent)
    if (special.length > 0) throw new InvalidRequest(special.map((path) => ({ path, rule: 'specialMember' })))
  }

  /** How much strategies reach now, groups and those below them resolved. */
  async function countsOf(scope: Scope, reaches: readonly Reach[]): Promise<{ personCount: number; deviceCount: number }[]> {
    const [persons, doors] = await Promise.all([
      people.sizes(
        scope,
        reaches.map(({ personIds, personGroupIds }) => ({ ids: personIds, groupIds: personGroupIds })),
      ),
      devices.sizes(
        scope,
        reaches.map(({ deviceIds, deviceGroupIds }) => ({ ids: deviceIds, groupIds: deviceGroupIds })),
      ),
    ])
    return reaches.map((_, place) => ({ personCount: persons[place]!, deviceCount: doors[place]! }))
  }

  const presented = (row: data.StrategyRow) => ({
    ...row,
    accessType: accessTypeOf(row.methods),
    effective: effectiveOf(row.validFrom as number | null, platform.clock.now()),
    validFrom: row.validFrom as number | null,
    validTo: row.validTo as number | null,
    updatedAt: row.updatedAt as number,
  })

  async function existing(scope: Scope, id: string): Promise<data.StrategyRow> {
    const [row] = isUuid(id) ? await data.findStrategies(scope, db, [id]) : []
    // Associated rules are read and changed as such.
    if (row === undefined || (await findAbout(scope, db, [id])).length > 0) refuse(300101)
    return row
  }

  /** Writes what a strategy names; its rules cannot be deleted meanwhile. */
  async function saveLinks(scope: Scope, tx: Tx<StrategyTables>, id: string, values: StoredStrategy): Promise<void> {
    const members = KINDS.flatMap((kind) => values[FIELD_OF[kind]].map((memberId) => ({ kind, id: memberId })))
    await data.replaceMembers(scope, tx, id, members)
    await data.replaceRules(scope, tx, id, values.timeRuleIds)
  }

  /** Notes what decides of each strategy, as this transaction leaves it; one by one, since each may name thousands. */
  async function note(scope: Scope, tx: Tx<StrategyTables>, strategyIds: readonly string[]): Promise<void> {
    for (const strategyId of strategyIds.toSorted())
      await platform.history.noteAll(tx, scope, 'strategy', [strategyId], () => settingsOf(scope, tx, strategyId))
  }

  /** What the operation log tells of a strategy: persons by their ids, so that a name that is erased stands nowhere. */
  async function logged(scope: Scope, values: StoredStrategy): Promise<Logged> {
    const namesOf = async (names: Promise<readonly Named[]>): Promise<string[]> => (await names).map(({ name }) => name).toSorted()
    const [personGroups, deviceNames, deviceGroups, accessGroups, timeRules] = await Promise.all([
      namesOf(groups.names(scope, values.personGroupIds)),
      namesOf(devices.names(scope, values.deviceIds)),
      namesOf(devices.groupNames(scope, values.deviceGroupIds)),
      namesOf(accessGroupNames(scope, values.accessGroupIds)),
      namesOf(values.timeRuleIds.every(isUuid) ? findTimeRules(scope, db, values.timeRuleIds) : Promise.resolve([])),
    ])
    const { name, kind, authorizedObject: whom, methods, validFrom, validTo, personIds } = values
    return {
      name,
      kind,
      authorisedObject: whom,
      methods,
      validFrom,
      validTo,
      personIds,
      personGroups,
      devices: deviceNames,
      deviceGroups,
      accessGroups,
      timeRules,
    }
  }

  /** What a strategy names and nobody may delete, or change behind its back, while it is saved. */
  async function lockNamed(scope: Scope, tx: Tx<StrategyTables>, { timeRuleIds, accessGroupIds }: StoredStrategy): Promise<void> {
    const rules = timeRuleIds.every(isUuid) ? await lockTimeRules(scope, tx, timeRuleIds, 'share') : []
    if (rules.length < timeRuleIds.length) refuse(300001, 'timeRuleIds')
    const accessGroups = await lockAccessGroups(scope, tx, accessGroupIds, 'share')
    if (accessGroups.length < accessGroupIds.length) throw new InvalidRequest([{ path: FIELD_OF.accessGroup, rule: 'unknown' }])
  }

  async function conflictOf(scope: Scope, tx: Tx<StrategyTables>, id: string, values: StoredStrategy): Promise<Conflict> {
    const [row] = await data.findStrategies(scope, tx, [id])
    if (row === undefined) return new Conflict(['version'])
    const current = await storedStrategy(scope, tx, row)
    const differing = (Object.keys(values) as (keyof StoredStrategy)[]).filter(
      (key) => JSON.stringify(current[key]) !== JSON.stringify(values[key]),
    )
    return new Conflict(differing.length > 0 ? differing : ['version'])
  }

  async function forgetIn(open: OpenTransaction, scope: Scope, kind: MemberKind, memberIds: readonly string[]): Promise<void> {
    const tx = open as Tx<StrategyTables>
    const naming = await data.removeMembers(scope, tx, kind, memberIds)
    const accessGroupIds = kind === 'device' || kind === 'deviceGroup' ? await removeDoors(scope, tx, kind, memberIds) : []
    const through = await data.findStrategyIdsNaming(scope, tx, [{ kind: 'accessGroup', ids: accessGroupIds }])
    await reachChanged(open, scope, distinct([...naming, ...through]))
  }

  async function reachChanged(open: OpenTransaction, scope: Scope, strategyIds: readonly string[]): Promise<void> {
    const tx = open as Tx<StrategyTables>
    await note(scope, tx, strategyIds)
    await platform.events.announceAll(
      tx,
      strategiesChanged,
      scope.parkId,
      eventBatches(strategyIds).map((batch) => ({ strategyIds: batch })),
    )
  }

  return {
    async list(scope, query) {
      const { page, size } = pageOf(query)
      const { content, total } = await data.listStrategies(scope, db, query, page, size)
      const ids = idsOf(content)
      const [members, rules] = await Promise.all([namedMembersOf(scope, db, ids), data.findRulesOf(scope, db, ids)])
      const reach = await withDoors(scope, db, members)
      const everyGroup = distinct([...members.values()].flatMap((one) => one.personGroupIds))
      const everyDevice = distinct([...members.values()].flatMap((one) => one.deviceIds))
      const everyDeviceGroup = distinct([...members.values()].flatMap((one) => one.deviceGroupIds))
      const everyAccessGroup = distinct([...members.values()].flatMap((one) => one.accessGroupIds))
      const [personGroups, deviceNames, deviceGroups, accessGroups, counts] = await Promise.all([
        groups.names(scope, everyGroup),
        devices.names(scope, everyDevice),
        devices.groupNames(scope, everyDeviceGroup),
        accessGroupNames(scope, everyAccessGroup),
        countsOf(
          scope,
          ids.map((id) => reach.get(id)!),
        ),
      ])
      const rows = content.map((row, index): StrategyListRow => {
        const own = members.get(row.id)!
        const timeRules = rules.filter((rule) => rule.strategyId === row.id).map(({ id, name }) => ({ id, name }))
        const among = (named: readonly Named[], memberIds: readonly string[]) => withIds(named, memberIds).toSorted(byName)
        return {
          ...presented(row),
          personGroups: among(personGroups, own.personGroupIds),
          devices: among(deviceNames, own.deviceIds),
          deviceGroups: among(deviceGroups, own.deviceGroupIds),
          accessGroups: among(accessGroups, own.accessGroupIds),
          timeRules,
          personGroupIds: own.personGroupIds,
          deviceIds: own.deviceIds,
          deviceGroupIds: own.deviceGroupIds,
          accessGroupIds: own.accessGroupIds,
          timeRuleIds: idsOf(timeRules),
          ...counts[index]!,
        }
      })
      return { total, content: rows, page, size }
    },
    names: (scope) => data.nameStrategies(scope, db),
    async read(scope, asked) {
      const row = await existing(scope, asked)
      const { id } = row
      const named = await namedMembersOf(scope, db, [id])
      const members = named.get(id)!
      const [persons, personGroups, deviceNames, deviceGroups, accessGroups, rules, [counts]] = await Promise.all([
        people.facts(scope, members.personIds),
        groups.names(scope, members.personGroupIds),
        devices.names(scope, members.deviceIds),
        devices.groupNames(scope, members.deviceGroupIds),
        accessGroupNames(scope, members.accessGroupIds),
        data.findRulesOf(scope, db, [id]),
        withDoors(scope, db, named).then((reaches) => countsOf(scope, [reaches.get(id)!])),
      ])
      // Only what is still there: a form sends back what it was given, and must not be refused for it.
      return {
        ...presented(row),
        persons: persons
          .map((person) => ({ id: person.id, name: person.name, workNumber: person.workNumber ?? '' }))
          .toSorted(personOrder(scope)),
        personGroups: personGroups.toSorted(byName),
        devices: deviceNames.toSorted(byName),
        deviceGroups: deviceGroups.toSorted(byName),
        accessGroups: accessGroups.toSorted(byName),
        timeRules: rules.map((rule) => ({ id: rule.id, name: rule.name })),
        personIds: idsOf(persons),
        personGroupIds: idsOf(personGroups),
        deviceIds: idsOf(deviceNames),
        deviceGroupIds: idsOf(deviceGroups),
        accessGroupIds: idsOf(accessGroups),
        timeRuleIds: idsOf(rules),
        ...counts!,
      }
    },
    async create(scope, fields, { approved, alongside, directAt = null } = {}) {
      const values = changedStrategy(fields, null, said(scope))
      await assertMembers(scope, fields)
      await assertRulesAgree(scope, db, fields.timeRuleIds)
      const after = await logged(scope, values)
      const id = newId()
      const isDefault = fields.isDefault === true
      const save = (): Promise<void> =>
        platform
          .transaction(async (tx: Tx<StrategyTables>) => {
            await assertRulesAgree(scope, tx, fields.timeRuleIds)
            await lockNamed(scope, tx, values)
            if (isDefault) await data.clearDefault(scope, tx, { id, kind: values.kind }, platform.clock.now())
            await data.insertStrategy(scope, tx, { id, directAt }, { ...values, isDefault }, platform.clock.now())
            platform.audit.note({ entity: 'strategy', id, label: values.name, after: { ...after, ...(isDefault && { isDefault }) } })
            await saveLinks(scope, tx, id, values)
            await note(scope, tx, [id])
            await platform.events.announce(tx, strategiesChanged, scope.parkId, { strategyIds: [id] })
            await alongside?.(tx as OpenTransaction & typeof tx)
          })
          .catch(taken)
      await guard.during(scope, async () => ({ of: 'strategy', id: UNMADE, fields: namedBy(decidingOf(values)) }), save, { approved })
      return id
    },
    async change(scope, asked, version, fields, { approved, alongside } = {}) {
      const row = await existing(scope, asked)
      const { id } = row
      const stored = await storedStrategy(scope, db, row)
      const values = changedStrategy(fields, stored, said(scope))
      await assertMembers(scope, fields)
      await assertRulesAgree(scope, db, fields.timeRuleIds, stored.timeRuleIds)
      const isDefault = fields.isDefault ?? row.isDefault
      const changes = difference(
        { ...(await logged(scope, stored)), isDefault: row.isDefault },
        { ...(await logged(scope, values)), isDefault },
      )
      const save = (): Promise<void> =>
        platform
          .transaction(async (tx: Tx<StrategyTables>) => {
            await assertRulesAgree(scope, tx, fields.timeRuleIds, stored.timeRuleIds)
            await lockNamed(scope, tx, values)
            const now = platform.clock.now()
            if (isDefault) await data.clearDefault(scope, tx, { id, kind: values.kind }, now)
            const updated = await data.updateStrategy(scope, tx, id, { ...values, isDefault }, version ?? row.version, now)
            if (!updated) throw await conflictOf(scope, tx, id, values)
            await data.keepDirectAt(scope, tx, id, soleTargetOf(values))
            platform.audit.note({ entity: 'strategy', id, label: values.name, ...changes })
            await saveLinks(scope, tx, id, values)
            await note(scope, tx, [id])
            await platform.events.announce(tx, strategiesChanged, scope.parkId, { strategyIds: [id] })
            await alongside?.(tx as OpenTransaction & typeof tx)
          })
          .catch(taken)
      await guard.during(scope, async () => ({ of: 'strategy', id, fields: namedBy(decidingOf(values)) }), save, { approved })
    },
    async delete(scope, asked, version) {
      const row = await existing(scope, asked)
      const { id } = row
      if (row.isDefault) refuse(300103)
      const before = await logged(scope, await storedStrategy(scope, db, row))
      await platform.transaction(async (tx: Tx<StrategyTables>) => {
        if (!(await data.deleteStrategy(scope, tx, id, version))) throw new Conflict(['version'])
        platform.audit.note({ entity: 'strategy', id, label: row.name, before })
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
        // By groups the asker is not shown devices are opened that they are shown; which those are, their names say.
        const inGroups = own.deviceGroupIds.length === 0 ? [] : await devices.idsInGroups(seeingAll(scope), own.deviceGroupIds)
        for (const deviceId of new Set([...own.deviceIds, ...inGroups]))
          opening.set(deviceId, [...(opening.get(deviceId) ?? []), { id, name }])
      }
      const named = await devices.names(scope, [...opening.keys()])
      return named.toSorted(byName).map((device) => ({ deviceId: device.id, deviceName: device.name, strategies: opening.get(device.id)! }))
    },
    forget: (scope, kind, memberIds) => platform.transaction((tx: Tx<StrategyTables>) => forgetIn(tx, scope, kind, memberIds)),
    forgetIn,
    reachChanged,
  }
}

type Logged = Record<string, unknown>

/** Of lists only what left and what came: one name among thousands is the news. */
function difference(before: Logged, after: Logged): { before: Logged; after: Logged } {
  const without = (some: unknown, others: unknown): unknown => {
    if (!Array.isArray(some) || !Array.isArray(others)) return some
    const known = new Set(others)
    return some.filter((one) => !known.has(one))
  }
  const names = Object.keys(before)
  return {
    before: Object.fromEntries(names.map((name) => [name, without(before[name], after[name])])),
    after: Object.fromEntries(names.map((name) => [name, without(after[name], before[name])])),
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
