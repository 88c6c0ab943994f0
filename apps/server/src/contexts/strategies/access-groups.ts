/** Access groups: doors under one name. A strategy that names one opens whatever the group holds at the time. */
import type { Platform } from '../../platform/context.ts'
import { violatedConstraint, type Database, type Transaction } from '../../platform/database/database.ts'
import { isUuid, newId } from '../../platform/database/ids.ts'
import { Conflict, InvalidRequest, refuse } from '../../platform/http/refusal.ts'
import type { Scope } from '../../platform/session/session.ts'
import {
  changedAccessGroup,
  doorsOf,
  FIELD_OF,
  KINDS,
  valuesOf,
  type AccessGroupChange,
  type Doors,
  type Values,
} from './access-group-doors.ts'
import { createAccessGroupQueries, existingAccessGroup } from './access-group-queries.ts'
import * as data from './access-groups-data.ts'
import type { Guarding } from './changes.ts'
import type { StrategyDependencies } from './dependencies.ts'
import { distinct } from './strategy-changes.ts'
import type { StrategyService } from './strategies-types.ts'
import { findStrategyIdsNaming } from './strategies-data.ts'
import type { AccessGroupService } from './access-groups-types.ts'

function taken(error: unknown): never {
  if (violatedConstraint(error) === 'access_group_name') refuse(900004, 'name')
  throw error
}

export function createAccessGroupService(
  platform: Platform,
  { devices }: Pick<StrategyDependencies, 'devices'>,
  strategies: Pick<StrategyService, 'reachChanged'>,
  guard: Guarding,
): AccessGroupService {
  const db = platform.db
  const REGISTER = { device: devices.names, deviceGroup: devices.groupNames }

  /**
   * Check the doors a change names; what it leaves out stays, whether or not it exists for the caller.
   * @throws InvalidRequest for each field that names something this park does not have
   */
  async function assertDoors(scope: Scope, sent: AccessGroupChange): Promise<void> {
    const found = await Promise.all(
      KINDS.map(async (kind) => {
        const ids = distinct(sent[FIELD_OF[kind]] ?? [])
        return ids.length === 0 || (ids.every(isUuid) && (await REGISTER[kind](scope, ids)).length === ids.length)
      }),
    )
    const unknown = KINDS.filter((_, index) => !found[index])
    if (unknown.length > 0) throw new InvalidRequest(unknown.map((kind) => ({ path: FIELD_OF[kind], rule: 'unknown' })))
  }

  /** Return a group for the operation log: its doors by their names. */
  async function logged(scope: Scope, { name, deviceIds, deviceGroupIds }: Values) {
    const [named, groups] = await Promise.all([devices.names(scope, deviceIds), devices.groupNames(scope, deviceGroupIds)])
    const names = (rows: readonly { name: string }[]): string[] => rows.map((row) => row.name).toSorted()
    return { name, devices: names(named), deviceGroups: names(groups) }
  }

  const saveDoors = (scope: Scope, tx: Transaction, id: string, values: Doors): Promise<void> =>
    data.replaceDoors(
      scope,
      tx,
      id,
      KINDS.flatMap((kind) => values[FIELD_OF[kind]].map((memberId) => ({ kind, id: memberId }))),
    )

  async function conflictOf(scope: Scope, tx: Transaction, id: string, values: Values): Promise<Conflict> {
    const [row] = await data.findAccessGroups(scope, tx, [id])
    if (row === undefined) return new Conflict(['version'])
    const current: Values = { name: row.name, ...(await doorsOf(scope, tx, [id])).get(id)! }
    const differing = (Object.keys(values) as (keyof Values)[]).filter(
      (key) => JSON.stringify(current[key]) !== JSON.stringify(values[key]),
    )
    return new Conflict(differing.length > 0 ? differing : ['version'])
  }

  const naming = (scope: Scope, on: Database, id: string): Promise<string[]> =>
    findStrategyIdsNaming(scope, on, [{ kind: 'accessGroup', ids: [id] }])

  return {
    ...createAccessGroupQueries(platform, { devices }),
    async create(scope, fields) {
      const values = valuesOf(fields)
      await assertDoors(scope, fields)
      const after = await logged(scope, values)
      const id = newId()
      await platform
        .transaction(async (tx) => {
          await data.insertAccessGroup(scope, tx, { id, name: values.name }, platform.clock.now())
          await saveDoors(scope, tx, id, values)
          platform.audit.note({ entity: 'accessGroup', id, label: values.name, after })
        })
        .catch(taken)
      return id
    },
    async change(scope, id, version, fields, { approved, alongside } = {}) {
      const row = await existingAccessGroup(scope, db, id)
      const { before: stored, after: values } = await changedAccessGroup(scope, db, row, fields)
      await assertDoors(scope, fields)
      const [before, after] = await Promise.all([logged(scope, stored), logged(scope, values)])
      const save = async (tx: Transaction): Promise<void> => {
        // From here on a transaction that saves a strategy that names the group waits, and sees the new doors.
        if (!(await data.updateAccessGroup(scope, tx, { id, name: values.name }, version ?? row.version, platform.clock.now())))
          throw await conflictOf(scope, tx, id, values)
        await saveDoors(scope, tx, id, values)
        platform.audit.note({ entity: 'accessGroup', id, label: values.name, before, after })
        await strategies.reachChanged(tx, scope, await naming(scope, tx, id))
        await alongside?.(tx)
      }
      await guard.during(scope, async () => ({ of: 'accessGroup', id, fields: values }), save, { approved }).catch(taken)
    },
    async drafted(scope, { id, deleted, name: _, ...doors }) {
      const row = await existingAccessGroup(scope, db, id)
      if (deleted) {
        if ((await naming(scope, db, id)).length > 0) refuse(300102)
        return { deviceIds: [], deviceGroupIds: [] }
      }
      await assertDoors(scope, doors)
      return (await changedAccessGroup(scope, db, row, doors)).after
    },
    async delete(scope, id) {
      const row = await existingAccessGroup(scope, db, id)
      await platform.transaction(async (tx) => {
        if ((await data.lockAccessGroups(scope, tx, [id], 'update')).length === 0) refuse(300101)
        if ((await naming(scope, tx, id)).length > 0) refuse(300102)
        await data.deleteAccessGroup(scope, tx, id)
        platform.audit.note({ entity: 'accessGroup', id, label: row.name, before: { name: row.name } })
      })
    },
  }
}
