/** The trees of person groups: one of staff, one of the watch list, one of visitors. A group never changes its tree. */
import type { PersonGroupNode } from '@gatehouse/contract/people/groups'
import type { PersonKind } from '@gatehouse/contract/people/person-fields'
import { isGroupNameAfter } from '@gatehouse/contract/people/fields'
import type { Platform } from '../../platform/context.ts'
import { isReferenced, violatedConstraint, type Transaction, type Database } from '../../platform/database/database.ts'
import { newId } from '../../platform/database/ids.ts'
import { InvalidRequest, refuse } from '../../platform/http/refusal.ts'
import type { Scope } from '../../platform/session/session.ts'
import { treeOf, withDescendants } from '../../platform/tree.ts'
import { groupDeleted, groupsChanged } from './events.ts'
import type { PersonGuard } from './extension-points.ts'
import { ALL_TYPES, assertDepth, groupIn, placementOf, type GroupTypes } from './group-placement.ts'
import { visibleGroupTypes } from './policy.ts'
import * as data from './groups-data.ts'

export interface GroupNeeds {
  /** Return whether a monitoring task watches for the persons of a group, in the transaction that deletes it. */
  isWatched(tx: Transaction, scope: Scope, groupId: string): Promise<boolean>
  /** Move a group in a transaction that the guard opens, unless a written rule of the park hinders it. */
  admittingGroup: PersonGuard['group']
}

/** A caller that reads within a transaction hands it over as `within`. */
export interface GroupService {
  /** @param kind of the persons that are counted; by default all but those of visits */
  tree(scope: Scope, types?: GroupTypes, kind?: PersonKind): Promise<PersonGroupNode[]>
  /**
   * Create a group; below a parent it becomes one of the parent's tree, whatever `type` says.
   * @throws Refusal 200107 a sibling has this name; InvalidRequest too deep; NotFound
   */
  create(scope: Scope, fields: { name: string; parentId?: string | null | undefined; type: number }, types?: GroupTypes): Promise<string>
  /** Return the first group at the top of a tree; create it with this name where the tree has none. */
  ensureTop(scope: Scope, type: number, name: string): Promise<string>
  /**
   * @param fields `parentId` left out: the group stays where it is
   * @throws as create; InvalidRequest for another name that no group may have, below itself, or into another tree
   */
  change(scope: Scope, id: string, fields: { name?: string | undefined; parentId?: string | null }, types?: GroupTypes): Promise<void>
  /** Return the parent that the group would have after this change. @param parentId undefined: the current one @throws as change */
  moving(scope: Scope, id: string, parentId: string | null | undefined): Promise<string | null>
  /** Put a group before all its siblings. */
  top(scope: Scope, id: string, types?: GroupTypes): Promise<void>
  /** @throws Refusal 200102 groups stand below it, 200103 a monitoring task watches it, 900109 persons are in it */
  delete(scope: Scope, id: string, types?: GroupTypes): Promise<void>
  /** Return these groups and all groups below them; unknown ids are left out. */
  withDescendants(scope: Scope, ids: readonly string[], within?: Transaction): Promise<string[]>
  names(scope: Scope, ids: readonly string[]): Promise<{ id: string; name: string }[]>
  /** Return the trees of these groups; unknown ids are left out. */
  types(scope: Scope, ids: readonly string[], within?: Transaction): Promise<{ id: string; name: string; type: number }[]>
  /** Return the names of the groups with those above them, such as `Research / Platform`, by id. */
  paths(scope: Scope): Promise<Map<string, string>>
  /** Return all groups with their parents. */
  rows(scope: Scope, within?: Transaction): Promise<{ id: string; parentId: string | null }[]>
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

export function createGroupService(platform: Platform, needs: GroupNeeds): GroupService {
  const db = platform.db

  const from = (within: Transaction | undefined): Database => within ?? db

  const types = (scope: Scope, ids: readonly string[], within?: Transaction) =>
    data.findGroups(
      scope,
      from(within),
      ids.filter((id) => UUID.test(id)),
    )

  /** Change a tree, locked against other changes. @param transaction opens the transaction of the change */
  const rearranging = <T>(
    scope: Scope,
    work: (tx: Transaction, rows: data.GroupRow[]) => Promise<T>,
    transaction: Platform['transaction'] = platform.transaction,
  ): Promise<T> =>
    transaction(async (tx) => {
      await data.lockGroups(scope, tx)
      return work(tx, await data.listGroups(scope, tx))
    }).catch((error: unknown) => {
      if (violatedConstraint(error) === 'person_group_name') refuse(200107, 'name')
      // A person joined the group since it was read.
      if (isReferenced(error)) refuse(900109)
      throw error
    })

  async function add(tx: Transaction, scope: Scope, name: string, type: number, parent: data.GroupRow | null): Promise<string> {
    const group = { id: newId(), name, parentId: parent?.id ?? null, type }
    await data.insertGroup(scope, tx, group, platform.clock.now())
    await platform.history.note(tx, scope, 'personGroup', group.id, { parentId: group.parentId })
    platform.audit.note({ entity: 'personGroup', id: group.id, label: name, after: { name, parent: parent?.name ?? null, type } })
    await platform.events.announce(tx, groupsChanged, scope.parkId, {})
    return group.id
  }

  return {
    types,
    withDescendants: async (scope, ids, within) => withDescendants(await data.findGroupRows(scope, from(within)), ids),
    rows: (scope, within) => data.findGroupRows(scope, from(within)),
    names: async (scope, ids) => (await types(scope, ids)).map(({ id, name }) => ({ id, name })),
    async paths(scope) {
      const groups = new Map((await data.listGroups(scope, db)).map((group) => [group.id, group]))
      const pathOf = ({ name, parentId }: data.GroupRow): string => {
        const above = groups.get(parentId ?? '')
        return above === undefined ? name : `${pathOf(above)} / ${name}`
      }
      return new Map([...groups.values()].map((group) => [group.id, pathOf(group)]))
    },
    async tree(scope, visibleTypes = ALL_TYPES, kind) {
      const [rows, counts] = await Promise.all([data.listGroups(scope, db), data.countByGroup(scope, db, kind ?? data.REGISTERED)])
      return treeOf(
        rows.filter(({ type }) => visibleTypes.includes(type)).map((row) => ({ ...row, personCount: counts.get(row.id) ?? 0 })),
        'personCount',
      )
    },
    create: (scope, { name, parentId, type }, visibleTypes = ALL_TYPES) =>
      rearranging(scope, async (tx, rows) => {
        const parent = parentId == null ? null : groupIn(rows, parentId, visibleTypes)
        if (parent === null && !(visibleTypes.includes(type) && visibleGroupTypes(scope).includes(type)))
          throw new InvalidRequest([{ path: 'type', rule: 'unknown' }])
        assertDepth(rows, parent, 1)
        return add(tx, scope, name, parent?.type ?? type, parent)
      }),
    async ensureTop(scope, type, name) {
      const topOf = (rows: readonly data.GroupRow[]) => rows.find((group) => group.type === type && group.parentId === null)?.id
      return (
        topOf(await data.listGroups(scope, db)) ??
        // Locked: of two callers the second finds the group of the first.
        rearranging(scope, async (tx, rows) => topOf(rows) ?? add(tx, scope, name, type, null))
      )
    },
    change(scope, id, { name, parentId }, visibleTypes) {
      const save = async (tx: Transaction, rows: data.GroupRow[]): Promise<void> => {
        const { group, before, moves, parent } = placementOf(rows, id, parentId, visibleTypes)
        if (name !== undefined && !isGroupNameAfter(group.name, name)) throw new InvalidRequest([{ path: 'name', rule: 'groupName' }])
        // Among new siblings it stands by its age: it was put on top of the former ones.
        await data.updateGroup(scope, tx, id, { ...(name !== undefined && { name }), ...(moves && { parentId, position: 0 }) })
        if (moves) await platform.history.note(tx, scope, 'personGroup', id, { parentId })
        const after = { name: name ?? group.name, parent: parent?.name ?? null }
        platform.audit.note({
          entity: 'personGroup',
          id,
          label: after.name,
          before: { name: group.name, parent: before?.name ?? null },
          after,
        })
        await platform.events.announce(tx, groupsChanged, scope.parkId, {})
      }
      return parentId === undefined
        ? rearranging(scope, save)
        : rearranging(scope, save, (work) => needs.admittingGroup(scope, id, parentId, work))
    },
    moving: async (scope, id, parentId) => placementOf(await data.listGroups(scope, db), id, parentId).parent?.id ?? null,
    top: (scope, id, visibleTypes) =>
      rearranging(scope, async (tx, rows) => {
        const group = groupIn(rows, id, visibleTypes)
        const siblings = rows.filter(({ parentId, type }) => parentId === group.parentId && type === group.type)
        platform.audit.note({ entity: 'personGroup', id, label: group.name, after: { name: group.name } })
        if (siblings[0]!.id === id) return
        await data.updateGroup(scope, tx, id, { position: Math.max(...siblings.map(({ order }) => order)) + 1 })
      }),
    delete: (scope, id, visibleTypes) =>
      rearranging(scope, async (tx, rows) => {
        const group = groupIn(rows, id, visibleTypes)
        if (rows.some(({ parentId }) => parentId === id)) refuse(200102)
        if (await needs.isWatched(tx, scope, id)) refuse(200103)
        await data.deleteGroup(scope, tx, id)
        await platform.history.note(tx, scope, 'personGroup', id, null)
        platform.audit.note({ entity: 'personGroup', id, label: group.name, before: { name: group.name } })
        await platform.events.announce(tx, groupDeleted, scope.parkId, { groupId: id })
      }),
  }
}
