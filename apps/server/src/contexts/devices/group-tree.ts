/** Rules of the tree of device groups: where a group may be put, and which one may be removed, by the rows of its park. */
import { DEVICE_GROUP_DEPTH_SERVER } from '@gatehouse/contract'
import type { DeviceTreeNode } from '@gatehouse/contract/devices/groups'
import { InvalidRequest, NotFound, refuse } from '../../platform/http/refusal.ts'
import { seesAllDevices, type Scope } from '../../platform/session/session.ts'
import { withDescendants } from '../../platform/tree.ts'
import type * as data from './groups-data.ts'

/** A group, and whether it exists for the caller. */
export interface SeenRow extends data.GroupRow {
  seen: boolean
}

/** @throws NotFound */
function among(rows: readonly SeenRow[], id: string): SeenRow {
  const row = rows.find((one) => one.id === id)
  if (row?.seen !== true) throw new NotFound()
  return row
}

/** @throws NotFound; Refusal 200102 */
export function removable(rows: readonly SeenRow[], id: string): SeenRow {
  const row = among(rows, id)
  if (rows.some(({ parentId }) => parentId === id)) refuse(200102)
  return row
}

/** Return the group below which a branch is to be put; null: the top. @param levels depth of the branch @throws InvalidRequest */
export function parentIn(scope: Scope, rows: readonly SeenRow[], parentId: string | null, levels: number): SeenRow | null {
  if (parentId === null) {
    // At the top, the group would be outside all that exists for the caller.
    if (!seesAllDevices(scope)) throw new InvalidRequest([{ path: 'parentId', rule: 'required' }])
    return null
  }
  const parent = rows.find(({ id }) => id === parentId)
  if (parent?.seen !== true) throw new InvalidRequest([{ path: 'parentId', rule: 'unknown' }])
  if (levelsIn(rows).get(parent.id)! + levels > DEVICE_GROUP_DEPTH_SERVER)
    throw new InvalidRequest([{ path: 'parentId', rule: 'depth', params: { limit: DEVICE_GROUP_DEPTH_SERVER } }])
  return parent
}

/** Return where a group is, and where it is to be put. @throws as changing it */
export function placed(scope: Scope, rows: readonly SeenRow[], id: string, parentId: string | null | undefined) {
  const before = among(rows, id)
  const above = rows.find((row) => row.id === before.parentId) ?? null
  // A parent that does not exist for the caller counts as none.
  const moves = parentId !== undefined && parentId !== (above?.seen === true ? above.id : null)
  // The group would leave the tree, with all groups below it.
  if (moves && parentId !== null && withDescendants(rows, [id]).includes(parentId))
    throw new InvalidRequest([{ path: 'parentId', rule: 'groupBelowItself' }])
  return { before, above, moves, parent: moves ? parentIn(scope, rows, parentId, levelsBelow(rows, id)) : above }
}

/** Return the fields of a group as the audit log shows them. */
export const auditForm = ({ name, defaultDirection }: data.GroupRow, parent: data.GroupRow | null) => ({
  name,
  parent: parent?.name ?? null,
  direction: defaultDirection,
})

export const withoutEmpty = (nodes: readonly DeviceTreeNode[]): DeviceTreeNode[] =>
  nodes.flatMap((node) => {
    if (node.kind === 'device') return [node]
    const children = withoutEmpty(node.children)
    return children.length > 0 ? [{ ...node, children }] : []
  })

/** Return the level of every group; 1 at the top. */
export function levelsIn(rows: readonly data.GroupRow[]): Map<string, number> {
  const byId = new Map(rows.map((row) => [row.id, row]))
  const levels = new Map<string, number>()
  const levelAt = ({ id, parentId }: data.GroupRow): number => {
    const cached = levels.get(id)
    if (cached !== undefined) return cached
    const parent = byId.get(parentId ?? '')
    const level = parent === undefined ? 1 : levelAt(parent) + 1
    levels.set(id, level)
    return level
  }
  rows.forEach(levelAt)
  return levels
}

/** Return the number of levels of a group and all groups below it; 1 if there are none below. */
function levelsBelow(rows: readonly data.GroupRow[], id: string): number {
  return 1 + Math.max(0, ...rows.filter(({ parentId }) => parentId === id).map((child) => levelsBelow(rows, child.id)))
}
