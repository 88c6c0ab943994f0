/** The tree of device groups: where devices stand, and what strategies name besides single devices. */
import { DEVICE_GROUP_DEPTH_SERVER } from '@gatehouse/contract'
import type { DeviceGroupNode, DeviceTreeNode } from '@gatehouse/contract/devices/calls'
import type { Platform } from '../../platform/context.ts'
import { isReferenced, violatedConstraint, type Database, type Tx } from '../../platform/database/database.ts'
import { newId } from '../../platform/database/ids.ts'
import { InvalidRequest, NotFound, refuse } from '../../platform/http/refusal.ts'
import { seeingAll, seesAllDevices, type Scope } from '../../platform/session/session.ts'
import { treeOf, withDescendants } from '../../platform/tree.ts'
import { findLeaves } from './data.ts'
import { deviceGroupDeleted, deviceGroupsChanged } from './events.ts'
import * as data from './groups-data.ts'
import type { DevicesTables } from './schema.ts'

export interface GroupFields {
  name: string
  parentId?: string | null | undefined
  defaultDirection?: number | null | undefined
}

export interface DeviceGroups {
  /** Counts include what lies below. */
  tree(scope: Scope): Promise<DeviceGroupNode[]>
  /** Groups with their devices, to choose from. @param all also groups without any */
  treeWithDevices(scope: Scope, all: boolean): Promise<DeviceTreeNode[]>
  /** @throws Refusal 200107 a sibling has this name; InvalidRequest too deep, or no such group above */
  create(scope: Scope, fields: GroupFields): Promise<string>
  /** What is left out stays. @throws NotFound; as create; InvalidRequest below itself */
  change(scope: Scope, id: string, fields: Partial<GroupFields>): Promise<void>
  /** Where it would stand if it were changed like this; undefined: where it is. @throws as change */
  moving(scope: Scope, id: string, parentId: string | null | undefined): Promise<string | null>
  /** @throws as delete */
  assertRemovable(scope: Scope, id: string): Promise<void>
  /** @throws NotFound; Refusal 200102 groups stand below it, 900109 devices are in it */
  delete(scope: Scope, id: string): Promise<void>
  list(scope: Scope): Promise<data.GroupRow[]>
  rows(scope: Scope): Promise<{ id: string; parentId: string | null }[]>
  /** A group and all below it; unknown ids are left out. */
  withDescendants(scope: Scope, ids: readonly string[]): Promise<string[]>
  /** The parks of groups, whatever park they are of; those that are gone are left out. */
  parksOf(ids: readonly string[]): Promise<Map<string, string>>
  /** Groups and all below them, whatever park they are of. */
  below(ids: readonly string[]): Promise<string[]>
}

/** A group, and whether it exists for the asker. */
interface SeenRow extends data.GroupRow {
  seen: boolean
}

export function createDeviceGroups(platform: Platform): DeviceGroups {
  const db = platform.db as unknown as Database<DevicesTables>

  /** The shape of the tree is that of all groups, those among them that do not exist for the asker. */
  async function seenRows(scope: Scope, on: Database<DevicesTables>): Promise<SeenRow[]> {
    const rows = await data.listGroups(seeingAll(scope), on)
    const seen = new Set(seesAllDevices(scope) ? rows.map(({ id }) => id) : (await data.findGroupRows(scope, on)).map(({ id }) => id))
    return rows.map((row) => ({ ...row, seen: seen.has(row.id) }))
  }

  /** Changes a tree that nobody else changes meanwhile. */
  const rearranging = <T>(scope: Scope, work: (tx: Tx<DevicesTables>, rows: readonly SeenRow[]) => Promise<T>): Promise<T> =>
    platform
      .transaction(async (tx: Tx<DevicesTables>) => {
        await data.lockGroups(scope, tx)
        return work(tx, await seenRows(scope, tx))
      })
      .catch((error: unknown) => {
        if (violatedConstraint(error) === 'device_group_name') refuse(200107, 'name')
        if (isReferenced(error)) refuse(900109)
        throw error
      })

  function among(rows: readonly SeenRow[], id: string): SeenRow {
    const row = rows.find((one) => one.id === id)
    if (row?.seen !== true) throw new NotFound()
    return row
  }

  /** @throws NotFound; Refusal 200102 */
  function removable(rows: readonly SeenRow[], id: string): SeenRow {
    const row = among(rows, id)
    if (rows.some(({ parentId }) => parentId === id)) refuse(200102)
    return row
  }

  /** @param levels of the branch that is to hang there */
  function parentIn(scope: Scope, rows: readonly SeenRow[], parentId: string | null, levels: number): SeenRow | null {
    if (parentId === null) {
      // At the top it would stand beside all that exists for the asker.
      if (!seesAllDevices(scope)) throw new InvalidRequest([{ path: 'parentId', rule: 'required' }])
      return null
    }
    const parent = rows.find(({ id }) => id === parentId)
    if (parent?.seen !== true) throw new InvalidRequest([{ path: 'parentId', rule: 'unknown' }])
    if (levelOf(rows, parent) + levels > DEVICE_GROUP_DEPTH_SERVER)
      throw new InvalidRequest([{ path: 'parentId', rule: 'depth', params: { limit: DEVICE_GROUP_DEPTH_SERVER } }])
    return parent
  }

  /** Where a group is, and where it is to be put. @throws as changing it */
  function placed(scope: Scope, rows: readonly SeenRow[], id: string, parentId: string | null | undefined) {
    const before = among(rows, id)
    const above = rows.find((row) => row.id === before.parentId) ?? null
    // A group above that does not exist for the asker is none to them.
    const moves = parentId !== undefined && parentId !== (above?.seen === true ? above.id : null)
    // It would drop out of the tree with all that is below it.
    if (moves && parentId !== null && withDescendants(rows, [id]).includes(parentId))
      throw new InvalidRequest([{ path: 'parentId', rule: 'groupBelowItself' }])
    return { before, above, moves, parent: moves ? parentIn(scope, rows, parentId, levelsBelow(rows, id)) : above }
  }

  const told = ({ name, defaultDirection }: data.GroupRow, parent: data.GroupRow | null) => ({
    name,
    parent: parent?.name ?? null,
    direction: defaultDirection,
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
        platform.audit.note({ entity: 'deviceGroup', id: group.id, label: name, after: told(group, parent) })
        await platform.events.announce(tx, deviceGroupsChanged, scope.parkId, {})
        return group.id
      }),
    change: (scope, id, fields) =>
      rearranging(scope, async (tx, rows) => {
        const { before, above, moves, parent } = placed(scope, rows, id, fields.parentId)
        const group: data.GroupRow = {
          id,
          name: fields.name ?? before.name,
          parentId: parent?.id ?? null,
          defaultDirection: fields.defaultDirection === undefined ? before.defaultDirection : fields.defaultDirection,
        }
        await data.updateGroup(scope, tx, group)
        if (moves) await platform.history.note(tx, scope, 'deviceGroup', id, { parentId: group.parentId })
        platform.audit.note({ entity: 'deviceGroup', id, label: group.name, before: told(before, above), after: told(group, parent) })
        if (moves) await platform.events.announce(tx, deviceGroupsChanged, scope.parkId, {})
      }),
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
    rows: (scope) => data.findGroupRows(scope, db),
    withDescendants: async (scope, ids) => withDescendants(await data.findGroupRows(scope, db), ids),
    parksOf: async (ids) => new Map((await data.findParksOfGroupsUnscoped(db, ids)).map(({ id, parkId }) => [id, parkId])),
    below: (ids) => data.findGroupsBelowUnscoped(db, ids),
  }
}

/** The group a device is to stand in: null for none, undefined where there is none such for the asker. Whoever is shown only some groups puts devices nowhere else. */
export function groupNamed(scope: Scope, rows: readonly data.GroupRow[], id: string | null | undefined): data.GroupRow | null | undefined {
  if (id == null) return seesAllDevices(scope) ? null : undefined
  return rows.find((row) => row.id === id)
}

const withoutEmpty = (nodes: readonly DeviceTreeNode[]): DeviceTreeNode[] =>
  nodes.flatMap((node) => {
    if (node.kind === 'device') return [node]
    const children = withoutEmpty(node.children)
    return children.length > 0 ? [{ ...node, children }] : []
  })

/** 1 at the top. */
function levelOf(rows: readonly data.GroupRow[], row: data.GroupRow): number {
  const parent = rows.find(({ id }) => id === row.parentId)
  return parent === undefined ? 1 : levelOf(rows, parent) + 1
}

/** Of every group; 1 at the top. */
function levelsIn(rows: readonly data.GroupRow[]): Map<string, number> {
  const byId = new Map(rows.map((row) => [row.id, row]))
  const levels = new Map<string, number>()
  const levelAt = ({ id, parentId }: data.GroupRow): number => {
    const known = levels.get(id)
    if (known !== undefined) return known
    const parent = byId.get(parentId ?? '')
    const level = parent === undefined ? 1 : levelAt(parent) + 1
    levels.set(id, level)
    return level
  }
  rows.forEach(levelAt)
  return levels
}

/** Levels of a group and all below it; 1 where nothing is. */
function levelsBelow(rows: readonly data.GroupRow[], id: string): number {
  return 1 + Math.max(0, ...rows.filter(({ parentId }) => parentId === id).map((child) => levelsBelow(rows, child.id)))
}
