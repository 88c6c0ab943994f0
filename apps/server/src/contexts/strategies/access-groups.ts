/** Access groups: doors under one name. A strategy that names one opens whatever the group holds at the time. */
import type { z } from 'zod'
import type { accessGroupDraft } from '@gatehouse/contract/questions/effects'
import type { AccessGroup, accessGroupChangeFields, accessGroupFields } from '@gatehouse/contract/strategies/access-groups'
import type { Platform } from '../../platform/context.ts'
import { violatedConstraint, type Database, type OpenTransaction, type Tx } from '../../platform/database/database.ts'
import { isUuid, newId } from '../../platform/database/ids.ts'
import { leftAsItWas } from '../../platform/http/left-out.ts'
import { Conflict, InvalidRequest, refuse } from '../../platform/http/refusal.ts'
import type { Scope } from '../../platform/session/session.ts'
import * as data from './access-groups-data.ts'
import type { DoorKind } from './access-groups-schema.ts'
import type { Admission, Guarding, NamedDoors } from './changes.ts'
import type { StrategyDependencies } from './dependencies.ts'
import type { StrategyTables } from './schema.ts'
import { distinct } from './strategy-changes.ts'
import type { StrategyService } from './strategies.ts'
import { findStrategyIdsNaming } from './strategies-data.ts'

export type AccessGroupFields = z.output<typeof accessGroupFields>
export type AccessGroupChange = z.output<typeof accessGroupChangeFields>

export interface AccessGroupService {
  /** By name. */
  all(scope: Scope): Promise<AccessGroup[]>
  /** @throws Refusal 300101 */
  read(scope: Scope, id: string): Promise<AccessGroup>
  /** @throws Refusal 900004; InvalidRequest for doors that are not in this park */
  create(scope: Scope, fields: AccessGroupFields): Promise<string>
  /** @throws as create; Refusal 300101; Conflict where it is not at `version` any more; AgainstWrittenRules */
  change(scope: Scope, id: string, version: number | undefined, fields: AccessGroupChange, admission?: Admission): Promise<void>
  /** The doors it would have: none where it is deleted. @throws as change and delete */
  drafted(scope: Scope, draft: z.output<typeof accessGroupDraft>): Promise<NamedDoors>
  /** @throws Refusal 300101, 300102 a strategy names it */
  delete(scope: Scope, id: string): Promise<void>
}

interface Doors {
  deviceIds: string[]
  deviceGroupIds: string[]
}
type Values = Doors & { name: string }
const FIELD_OF = { device: 'deviceIds', deviceGroup: 'deviceGroupIds' } as const satisfies Record<DoorKind, keyof Doors>
const KINDS = Object.keys(FIELD_OF) as DoorKind[]

const valuesOf = ({ name, deviceIds, deviceGroupIds }: AccessGroupFields): Values => ({
  name,
  deviceIds: distinct(deviceIds),
  deviceGroupIds: distinct(deviceGroupIds),
})

function taken(error: unknown): never {
  if (violatedConstraint(error) === 'access_group_name') refuse(900004, 'name')
  throw error
}

async function doorsOf(scope: Scope, on: Database<StrategyTables>, groupIds: readonly string[]): Promise<Map<string, Doors>> {
  const doors = new Map(groupIds.map((id): [string, Doors] => [id, { deviceIds: [], deviceGroupIds: [] }]))
  for (const row of await data.findDoorsOf(scope, on, groupIds)) doors.get(row.groupId)![FIELD_OF[row.kind]] = row.memberIds
  return doors
}

/** An access group as a change would save it. */
export async function changedAccessGroup(
  scope: Scope,
  db: Database<StrategyTables>,
  { id, name }: data.AccessGroupRow,
  change: AccessGroupChange,
): Promise<{ before: Values; after: Values }> {
  const before: Values = { name, ...(await doorsOf(scope, db, [id])).get(id)! }
  return { before, after: valuesOf(leftAsItWas(before, change)) }
}

export function createAccessGroupService(
  platform: Platform,
  { devices }: Pick<StrategyDependencies, 'devices'>,
  strategies: Pick<StrategyService, 'reachChanged'>,
  guard: Guarding,
): AccessGroupService {
  const db = platform.db as unknown as Database<StrategyTables>
  const REGISTER = { device: devices.names, deviceGroup: devices.groupNames }

  /**
   * What a change leaves out stays, whether or not it exists for whoever makes it.
   * @throws InvalidRequest for each field that names something this park does not have
   */
  async function assertDoors(scope: Scope, sent: AccessGroupChange): Promise<void> {
    const found = await Promise.all(
      KINDS.map(async (kind) => {
        const wanted = distinct(sent[FIELD_OF[kind]] ?? [])
        return wanted.length === 0 || (wanted.every(isUuid) && (await REGISTER[kind](scope, wanted)).length === wanted.length)
      }),
    )
    const unknown = KINDS.filter((_, index) => !found[index])
    if (unknown.length > 0) throw new InvalidRequest(unknown.map((kind) => ({ path: FIELD_OF[kind], rule: 'unknown' })))
  }

  async function present(scope: Scope, rows: readonly data.AccessGroupRow[]): Promise<AccessGroup[]> {
    const doors = await doorsOf(
      scope,
      db,
      rows.map(({ id }) => id),
    )
    const every = (field: keyof Doors): string[] => distinct([...doors.values()].flatMap((one) => one[field]))
    const [deviceNames, groupNames, reached] = await Promise.all([
      devices.names(scope, every('deviceIds')),
      devices.groupNames(scope, every('deviceGroupIds')),
      Promise.all(
        rows.map(({ id }) => (doors.get(id)!.deviceGroupIds.length === 0 ? [] : devices.idsInGroups(scope, doors.get(id)!.deviceGroupIds))),
      ),
    ])
    const among = (named: readonly { id: string; name: string }[], ids: readonly string[]) => {
      const wanted = new Set(ids)
      return named.filter(({ id }) => wanted.has(id)).toSorted((one, other) => one.name.localeCompare(other.name))
    }
    // Only what is still there: a form sends back what it was given, and must not be refused for it.
    return rows.map((row, index) => {
      const own = doors.get(row.id)!
      const [named, groups] = [among(deviceNames, own.deviceIds), among(groupNames, own.deviceGroupIds)]
      return {
        ...row,
        updatedAt: row.updatedAt as number,
        devices: named,
        deviceGroups: groups,
        deviceIds: named.map(({ id }) => id),
        deviceGroupIds: groups.map(({ id }) => id),
        deviceCount: new Set([...named.map(({ id }) => id), ...reached[index]!]).size,
      }
    })
  }

  async function existing(scope: Scope, id: string): Promise<data.AccessGroupRow> {
    const [row] = isUuid(id) ? await data.findAccessGroups(scope, db, [id]) : []
    return row ?? refuse(300101)
  }

  /** What the operation log tells of a group: its doors by their names. */
  async function logged(scope: Scope, { name, deviceIds, deviceGroupIds }: Values) {
    const [named, groups] = await Promise.all([devices.names(scope, deviceIds), devices.groupNames(scope, deviceGroupIds)])
    const names = (rows: readonly { name: string }[]): string[] => rows.map((row) => row.name).toSorted()
    return { name, devices: names(named), deviceGroups: names(groups) }
  }

  const saveDoors = (scope: Scope, tx: Tx<StrategyTables>, id: string, values: Doors): Promise<void> =>
    data.replaceDoors(
      scope,
      tx,
      id,
      KINDS.flatMap((kind) => values[FIELD_OF[kind]].map((memberId) => ({ kind, id: memberId }))),
    )

  async function conflictOf(scope: Scope, tx: Tx<StrategyTables>, id: string, values: Values): Promise<Conflict> {
    const [row] = await data.findAccessGroups(scope, tx, [id])
    if (row === undefined) return new Conflict(['version'])
    const current: Values = { name: row.name, ...(await doorsOf(scope, tx, [id])).get(id)! }
    const differing = (Object.keys(values) as (keyof Values)[]).filter(
      (key) => JSON.stringify(current[key]) !== JSON.stringify(values[key]),
    )
    return new Conflict(differing.length > 0 ? differing : ['version'])
  }

  const naming = (scope: Scope, on: Database<StrategyTables>, id: string): Promise<string[]> =>
    findStrategyIdsNaming(scope, on, [{ kind: 'accessGroup', ids: [id] }])

  return {
    all: async (scope) => present(scope, await data.listAccessGroups(scope, db)),
    read: async (scope, id) => (await present(scope, [await existing(scope, id)]))[0]!,
    async create(scope, fields) {
      const values = valuesOf(fields)
      await assertDoors(scope, fields)
      const after = await logged(scope, values)
      const id = newId()
      await platform
        .transaction(async (tx: Tx<StrategyTables>) => {
          await data.insertAccessGroup(scope, tx, { id, name: values.name }, platform.clock.now())
          await saveDoors(scope, tx, id, values)
          platform.audit.note({ entity: 'accessGroup', id, label: values.name, after })
        })
        .catch(taken)
      return id
    },
    async change(scope, id, version, fields, { approved, alongside } = {}) {
      const row = await existing(scope, id)
      const { before: stored, after: values } = await changedAccessGroup(scope, db, row, fields)
      await assertDoors(scope, fields)
      const [before, after] = await Promise.all([logged(scope, stored), logged(scope, values)])
      const save = (): Promise<void> =>
        platform
          .transaction(async (tx: Tx<StrategyTables>) => {
            // From here on whoever saves a strategy that names it waits, and sees the doors it then has.
            if (!(await data.updateAccessGroup(scope, tx, { id, name: values.name }, version ?? row.version, platform.clock.now())))
              throw await conflictOf(scope, tx, id, values)
            await saveDoors(scope, tx, id, values)
            platform.audit.note({ entity: 'accessGroup', id, label: values.name, before, after })
            await strategies.reachChanged(tx as OpenTransaction, scope, await naming(scope, tx, id))
            await alongside?.(tx as OpenTransaction)
          })
          .catch(taken)
      await guard.during(scope, async () => ({ of: 'accessGroup', id, fields: values }), save, { approved })
    },
    async drafted(scope, { id, deleted, name: _, ...doors }) {
      const row = await existing(scope, id)
      if (deleted) {
        if ((await naming(scope, db, id)).length > 0) refuse(300102)
        return { deviceIds: [], deviceGroupIds: [] }
      }
      await assertDoors(scope, doors)
      return (await changedAccessGroup(scope, db, row, doors)).after
    },
    async delete(scope, id) {
      const row = await existing(scope, id)
      await platform.transaction(async (tx: Tx<StrategyTables>) => {
        if ((await data.lockAccessGroups(scope, tx, [id], 'update')).length === 0) refuse(300101)
        if ((await naming(scope, tx, id)).length > 0) refuse(300102)
        await data.deleteAccessGroup(scope, tx, id)
        platform.audit.note({ entity: 'accessGroup', id, label: row.name, before: { name: row.name } })
      })
    },
  }
}
