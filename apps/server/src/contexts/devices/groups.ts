/** The tree of device groups, which contain devices and which strategies name besides single devices. */
import type { DeviceGroupNode, DeviceTreeNode } from '@gatehouse/contract/devices/groups'
import type { Platform } from '../../platform/context.ts'
import { isReferenced, violatedConstraint, type Database, type Transaction } from '../../platform/database/database.ts'
import { newId } from '../../platform/database/ids.ts'
import { refuse } from '../../platform/http/refusal.ts'
import { seeingAll, seesAllDevices, type Scope } from '../../platform/session/session.ts'
import { treeOf, withDescendants } from '../../platform/tree.ts'
import type { DeviceGuarding } from './admission.ts'
import { findLeaves } from './data.ts'
import { deviceGroupDeleted, deviceGroupsChanged } from './events.ts'
import { levelsIn, parentIn, placed, removable, auditForm, withoutEmpty, type SeenRow } from './group-tree.ts'
import * as data from './groups-data.ts'

export interface GroupFields {
  name: string
  parentId?: string | null | undefined
  defaultDirection?: number | null | undefined
}

export interface DeviceGroups {
  /** Return the tree; the counts of a group include the groups below it. */
  tree(scope: Scope): Promise<DeviceGroupNode[]>
  /** Return groups with their devices, to choose from. @param all includes groups without devices */
  treeWithDevices(scope: Scope, all: boolean): Promise<DeviceTreeNode[]>
  /** @throws Refusal 200107 a sibling has this name; InvalidRequest too deep, or no such parent */
  create(scope: Scope, fields: GroupFields): Promise<string>
  /** Change a group; fields left out stay unchanged. @throws NotFound; as create; InvalidRequest below itself */
  change(scope: Scope, id: string, fields: Partial<GroupFields>): Promise<void>
  /** Return the parent a group would have after a change. @param parentId undefined: unchanged @throws as change */
  moving(scope: Scope, id: string, parentId: string | null | undefined): Promise<string | null>
  /** @throws as delete */
  assertRemovable(scope: Scope, id: string): Promise<void>
  /** @throws NotFound; Refusal 200102 groups are below it, 900109 devices are in it */
  delete(scope: Scope, id: string): Promise<void>
  list(scope: Scope): Promise<data.GroupRow[]>
  /** @param within read through this transaction */
  rows(scope: Scope, within?: Transaction): Promise<{ id: string; parentId: string | null }[]>
  /** Return these groups and all below them; unknown ids are left out. */
  withDescendants(scope: Scope, ids: readonly string[]): Promise<string[]>
  /** Return the parks of groups of any park; deleted groups are left out. */
  parksOf(ids: readonly string[]): Promise<Map<string, string>>
  /** Return groups of any park and all groups below them. */
  below(ids: readonly string[]): Promise<string[]>
}

export function createDeviceGroups(
  platform: Platform,
  { admittingDeviceGroup }: Pick<DeviceGuarding, 'admittingDeviceGroup'>,
): DeviceGroups {
  const db = platform.db

  /** Return all groups, including those that do not exist for the caller: all of them form the tree. */
  async function seenRows(scope: Scope, on: Database): Promise<SeenRow[]> {
    const rows = await data.listGroups(seeingAll(scope), on)
    const seen = new Set(seesAllDevices(scope) ? rows.map(({ id }) => id) : (await data.findGroupRows(scope, on)).map(({ id }) => id))
    return rows.map((row) => ({ ...row, seen: seen.has(row.id) }))
  }

  /** Lock the tree and change it. @param transaction opens the transaction of the change */
  const rearranging = <T>(
    scope: Scope,
    work: (tx: Transaction, rows: readonly SeenRow[]) => Promise<T>,
    transaction: Platform['transaction'] = platform.transaction,
  ): Promise<T> =>
    transaction(async (tx) => {
      await data.lockGroups(scope, tx)
      return work(tx, await seenRows(scope, tx))
    }).catch((error: unknown) => {
      if (violatedConstraint(error) === 'device_group_name') refuse(200107, 'name')
      if (isReferenced(error)) refuse(900109)
      throw error
    })

  return {
    async tree(scope) {
      const [rows, counts] = await Promise.all([data.listGroups(scope, db), data.countByGroup(scope, db)])
      const levels = levelsIn(rows)
      return treeOf(
        rows.map((row) => ({ ...row, level: levels.get(row.id)!, deviceCount: counts.get(row.id) ?? 0 })),
        'deviceCount',
      )
    },
    async treeWithDevices(scope, all) {
      const [rows, leaves] = await Promise.all([data.listGroups(scope, db), findLeaves(scope, db)])
      const leaf = ({ id, name, code }: (typeof leaves)[number]): DeviceTreeNode => ({ id, name, code, kind: 'device', children: [] })
      const nodes = new Map(rows.map(({ id, name }): [string, DeviceTreeNode] => [id, { id, name, kind: 'group', children: [] }]))
      const roots: DeviceTreeNode[] = []
      for (const { id, parentId } of rows) (nodes.get(parentId ?? '')?.children ?? roots).push(nodes.get(id)!)
      for (const device of leaves) (nodes.get(device.groupId ?? '')?.children ?? roots).push(leaf(device))
      return all ? roots : withoutEmpty(roots)
    },
    create: (scope, { name, parentId = null, defaultDirection = null }) =>
      rearranging(scope, async (tx, rows) => {
        const parent = parentIn(scope, rows, parentId, 1)
        const group = { id: newId(), name, parentId: parent?.id ?? null, defaultDirection }
        await data.insertGroup(scope, tx, group, platform.clock.now())
        await platform.history.note(tx, scope, 'deviceGroup', group.id, { parentId: group.parentId })
        platform.audit.note({ entity: 'deviceGroup', id: group.id, label: name, after: auditForm(group, parent) })
        await platform.events.announce(tx, deviceGroupsChanged, scope.parkId, {})
        return group.id
      }),
    change(scope, id, fields) {
      const { parentId } = fields
      const save = async (tx: Transaction, rows: readonly SeenRow[]): Promise<void> => {
        const { before, above, moves, parent } = placed(scope, rows, id, parentId)
        const group: data.GroupRow = {
          id,
          name: fields.name ?? before.name,
          parentId: parent?.id ?? null,
          defaultDirection: fields.defaultDirection === undefined ? before.defaultDirection : fields.defaultDirection,
        }
        await data.updateGroup(scope, tx, group)
        if (moves) await platform.history.note(tx, scope, 'deviceGroup', id, { parentId: group.parentId })
        platform.audit.note({
          entity: 'deviceGroup',
          id,
          label: group.name,
          before: auditForm(before, above),
          after: auditForm(group, parent),
        })
        if (moves) await platform.events.announce(tx, deviceGroupsChanged, scope.parkId, {})
      }
      return parentId === undefined
        ? rearranging(scope, save)
        : rearranging(scope, save, (work) => admittingDeviceGroup(scope, id, parentId, work))
    },
    moving: async (scope, id, parentId) => placed(scope, await seenRows(scope, db), id, parentId).parent?.id ?? null,
    async assertRemovable(scope, id) {
      removable(await seenRows(scope, db), id)
      if ((await data.countByGroup(seeingAll(scope), db)).has(id)) refuse(900109)
    },
    delete: (scope, id) =>
      rearranging(scope, async (tx, rows) => {
        const group = removable(rows, id)
        await data.deleteGroup(scope, tx, id)
        await platform.history.note(tx, scope, 'deviceGroup', id, null)
        platform.audit.note({ entity: 'deviceGroup', id, label: group.name, before: { name: group.name } })
        await platform.events.announce(tx, deviceGroupDeleted, scope.parkId, { groupId: id })
      }),
    list: (scope) => data.listGroups(scope, db),
    rows: (scope, within) => data.findGroupRows(scope, within ?? db),
    withDescendants: async (scope, ids) => withDescendants(await data.findGroupRows(scope, db), ids),
    parksOf: async (ids) => new Map((await data.findParksOfGroupsUnscoped(db, ids)).map(({ id, parkId }) => [id, parkId])),
    below: (ids) => data.findGroupsBelowUnscoped(db, ids),
  }
}

/**
 * Return the group in which a device is to be: null for none, undefined if it does not exist for the caller. A caller who
 * sees only some groups must name one of these.
 */
export function groupNamed(scope: Scope, rows: readonly data.GroupRow[], id: string | null | undefined): data.GroupRow | null | undefined {
  if (id == null) return seesAllDevices(scope) ? null : undefined
  return rows.find((row) => row.id === id)
}
