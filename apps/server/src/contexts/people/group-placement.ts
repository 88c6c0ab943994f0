/** Where groups stand in their trees, and where they may be put. */
import { PERSON_GROUP_DEPTH } from '@gatehouse/contract'
import { personGroupType } from '@gatehouse/contract/enums/people'
import { InvalidRequest, NotFound } from '../../platform/http/refusal.ts'
import { withDescendants } from '../../platform/tree.ts'
import type { GroupRow } from './groups-data.ts'

/** The trees a call is about, of those that exist for its scope; groups of other trees do not exist for it. */
export type GroupTypes = readonly number[]
export const ALL_TYPES: GroupTypes = personGroupType.values

/** Return the level of a group; 1 at the top. */
function levelOf(rows: readonly GroupRow[], row: GroupRow): number {
  const parent = rows.find(({ id }) => id === row.parentId)
  return parent === undefined ? 1 : levelOf(rows, parent) + 1
}

/** Return the levels of a group with those below it; 1 where there are none. */
function levelsOf(rows: readonly GroupRow[], id: string): number {
  return 1 + Math.max(0, ...rows.filter(({ parentId }) => parentId === id).map((child) => levelsOf(rows, child.id)))
}

/** Return the group of an id, if it is of these types. @throws NotFound */
export function groupIn(rows: readonly GroupRow[], id: string, types: GroupTypes = ALL_TYPES): GroupRow {
  const row = rows.find((group) => group.id === id)
  if (row === undefined || !types.includes(row.type)) throw new NotFound()
  return row
}

/** @param levels of the branch that is to hang there @throws InvalidRequest */
export function assertDepth(rows: readonly GroupRow[], parent: GroupRow | null, levels: number): void {
  if ((parent === null ? 0 : levelOf(rows, parent)) + levels > PERSON_GROUP_DEPTH)
    throw new InvalidRequest([{ path: 'parentId', rule: 'depth', params: { limit: PERSON_GROUP_DEPTH } }])
}

/**
 * Return where a group is, and where it is to be put.
 * @param parentId undefined: where it is
 * @throws NotFound; InvalidRequest below itself, in another tree, or too deep
 */
export function placementOf(rows: readonly GroupRow[], id: string, parentId: string | null | undefined, types?: GroupTypes) {
  const group = groupIn(rows, id, types)
  const moves = parentId !== undefined && parentId !== group.parentId
  const before = group.parentId === null ? null : groupIn(rows, group.parentId)
  const parent = !moves ? before : parentId === null ? null : groupIn(rows, parentId, types)
  if (moves && parent !== null) {
    // Below itself it would drop out of the tree, with all groups below it.
    if (withDescendants(rows, [id]).includes(parent.id)) throw new InvalidRequest([{ path: 'parentId', rule: 'groupBelowItself' }])
    if (parent.type !== group.type) throw new InvalidRequest([{ path: 'parentId', rule: 'groupKind' }])
    assertDepth(rows, parent, levelsOf(rows, id))
  }
  return { group, before, moves, parent }
}
