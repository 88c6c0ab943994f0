/** The trees of person groups: one of staff, one of persons to look out for, one of visitors. A group never changes its tree. */
import { PERSON_GROUP_DEPTH } from '@gatehouse/contract'
import { personGroupType } from '@gatehouse/contract/enums/people'
import type { PersonGroupNode, PersonKind } from '@gatehouse/contract/people/calls'
import { isGroupNameAfter } from '@gatehouse/contract/people/fields'
import type { Platform } from '../../platform/context.ts'
import { isReferenced, violatedConstraint, type Database, type OpenTransaction, type Tx } from '../../platform/database/database.ts'
import { newId } from '../../platform/database/ids.ts'
import { InvalidRequest, NotFound, refuse } from '../../platform/http/refusal.ts'
import type { Scope } from '../../platform/session/session.ts'
import { treeOf, withDescendants } from '../../platform/tree.ts'
import { groupDeleted, groupsChanged } from './events.ts'
import { seenTypes } from './group-sight.ts'
import * as data from './groups-data.ts'
import type { PeopleTables } from './schema.ts'

/** Which trees a call is about, of those that exist for its asker; groups of the others are not there. */
export type GroupTypes = readonly number[]
const ALL_TYPES: GroupTypes = personGroupType.values

export interface GroupNeeds {
  /** Whether a monitoring task watches for the persons of a group, asked in the transaction that deletes it. */
  isWatched(tx: OpenTransaction, scope: Scope, groupId: string): Promise<boolean>
}

export interface GroupService {
  /** @param kind of the persons that are counted; everybody unless told */
  tree(scope: Scope, types?: GroupTypes, kind?: PersonKind): Promise<PersonGroupNode[]>
  /**
   * Below a group it becomes one of the same tree, whatever `type` says.
   * @throws Refusal 200107 a sibling has this name; InvalidRequest too deep; NotFound
   */
  create(scope: Scope, fields: { name: string; parentId?: string | null | undefined; type: number }, types?: GroupTypes): Promise<string>
  /** @param fields `parentId` left out: stays where it is. @throws as create; InvalidRequest for another name that no group may have, below itself, or into another tree */
  change(scope: Scope, id: string, fields: { name?: string | undefined; parentId?: string | null }, types?: GroupTypes): Promise<void>
  /** Where it would stand if it were changed like this; undefined: where it is. @throws as change */
  moving(scope: Scope, id: string, parentId: string | null | undefined): Promise<string | null>
  /** Before all its siblings, until another one is. */
  top(scope: Scope, id: string, types?: GroupTypes): Promise<void>
  /** @throws Refusal 200102 groups stand below it, 200103 a monitoring task watches it, 900109 persons are in it */
  delete(scope: Scope, id: string, types?: GroupTypes): Promise<void>
  /** A group and all below it; unknown ids are left out. */
  withDescendants(scope: Scope, ids: readonly string[]): Promise<string[]>
  names(scope: Scope, ids: readonly string[]): Promise<{ id: string; name: string }[]>
  /** The trees they stand in; unknown ids are left out. */
  types(scope: Scope, ids: readonly string[]): Promise<{ id: string; name: string; type: number }[]>
  /** How the groups are called with those above them, such as `Research / Platform`; by id. */
  paths(scope: Scope): Promise<Map<string, string>>
  /** All groups with what is above them. */
  rows(scope: Scope): Promise<{ id: string; parentId: string | null }[]>
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

export function createGroupService(platform: Platform, needs: GroupNeeds): GroupService {
  const db = platform.db as unknown as Database<PeopleTables>

  const types = (scope: Scope, ids: readonly string[]) =>
    data.findGroups(
      scope,
      db,
      ids.filter((id) => UUID.test(id)),
    )

  /** Changes a tree that nobody else changes meanwhile. */
  const rearranging = <T>(scope: Scope, work: (tx: Tx<PeopleTables>, rows: data.GroupRow[]) => Promise<T>): Promise<T> =>
    platform
      .transaction(async (tx: Tx<PeopleTables>) => {
        await data.lockGroups(scope, tx)
        return work(tx, await data.listGroups(scope, tx))
      })
      .catch((error: unknown) => {
        if (violatedConstraint(error) === 'person_group_name') refuse(200107, 'name')
        // Somebody joined it since it was looked at.
        if (isReferenced(error)) refuse(900109)
        throw error
      })

  function among(rows: readonly data.GroupRow[], id: string, seen: GroupTypes = ALL_TYPES): data.GroupRow {
    const row = rows.find((one) => one.id === id)
    if (row === undefined || !seen.includes(row.type)) throw new NotFound()
    return row
  }

  /** @param levels of the branch that is to hang there */
  function assertDepth(rows: readonly data.GroupRow[], parent: data.GroupRow | null, levels: number): void {
    if ((parent === null ? 0 : levelOf(rows, parent)) + levels > PERSON_GROUP_DEPTH)
      throw new InvalidRequest([{ path: 'parentId', rule: 'depth', params: { limit: PERSON_GROUP_DEPTH } }])
  }

  /** Where a group is, and where it is to be put. @throws as changing it */
  function placed(rows: readonly data.GroupRow[], id: string, parentId: string | null | undefined, seen?: GroupTypes) {
    const group = among(rows, id, seen)
    const moves = parentId !== undefined && parentId !== group.parentId
    const before = group.parentId === null ? null : among(rows, group.parentId)
    const parent = !moves ? before : parentId === null ? null : among(rows, parentId, seen)
    if (moves && parent !== null) {
      // It would drop out of the tree with all that is below it.
      if (withDescendants(rows, [id]).includes(parent.id)) throw new InvalidRequest([{ path: 'parentId', rule: 'groupBelowItself' }])
      if (parent.type !== group.type) throw new InvalidRequest([{ path: 'parentId', rule: 'groupKind' }])
      assertDepth(rows, parent, levelsOf(rows, id))
    }
    return { group, before, moves, parent }
  }

  return {
    types,
    withDescendants: async (scope, ids) => withDescendants(await data.findGroupRows(scope, db), ids),
    rows: (scope) => data.findGroupRows(scope, db),
    names: async (scope, ids) => (await types(scope, ids)).map(({ id, name }) => ({ id, name })),
    async paths(scope) {
      const groups = new Map((await data.listGroups(scope, db)).map((group) => [group.id, group]))
      const pathOf = ({ name, parentId }: data.GroupRow): string => {
        const above = groups.get(parentId ?? '')
        return above === undefined ? name : `${pathOf(above)} / ${name}`
      }
      return new Map([...groups.values()].map((group) => [group.id, pathOf(group)]))
    },
    async tree(scope, seen = ALL_TYPES, kind) {
      const [rows, counts] = await Promise.all([data.listGroups(scope, db), data.countByGroup(scope, db, kind)])
      return treeOf(
        rows.filter(({ type }) => seen.includes(type)).map((row) => ({ ...row, personCount: counts.get(row.id) ?? 0 })),
        'personCount',
      )
    },
    create: (scope, { name, parentId, type }, seen = ALL_TYPES) =>
      rearranging(scope, async (tx, rows) => {
        const parent = parentId == null ? null : among(rows, parentId, seen)
        if (parent === null && !(seen.includes(type) && seenTypes(scope).includes(type)))
          throw new InvalidRequest([{ path: 'type', rule: 'unknown' }])
        assertDepth(rows, parent, 1)
        const group = { id: newId(), name, parentId: parent?.id ?? null, type: parent?.type ?? type }
        await data.insertGroup(scope, tx, group, platform.clock.now())
        await platform.history.note(tx, scope, 'personGroup', group.id, { parentId: group.parentId })
        platform.audit.note({
          entity: 'personGroup',
          id: group.id,
          label: name,
          after: { name, parent: parent?.name ?? null, type: group.type },
        })
        await platform.events.announce(tx, groupsChanged, scope.parkId, {})
        return group.id
      }),
    change: (scope, id, { name, parentId }, seen) =>
      rearranging(scope, async (tx, rows) => {
        const { group, before, moves, parent } = placed(rows, id, parentId, seen)
        if (name !== undefined && !isGroupNameAfter(group.name, name)) throw new InvalidRequest([{ path: 'name', rule: 'groupName' }])
        // Among new siblings it stands by its age: being on top was said of the old ones.
        await data.updateGroup(scope, tx, id, { ...(name !== undefined && { name }), ...(moves && { parent_id: parentId, position: 0 }) })
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
      }),
    moving: async (scope, id, parentId) => placed(await data.listGroups(scope, db), id, parentId).parent?.id ?? null,
    top: (scope, id, seen) =>
      rearranging(scope, async (tx, rows) => {
        const group = among(rows, id, seen)
        const siblings = rows.filter(({ parentId, type }) => parentId === group.parentId && type === group.type)
        platform.audit.note({ entity: 'personGroup', id, label: group.name, after: { name: group.name } })
        if (siblings[0]!.id === id) return
        await data.updateGroup(scope, tx, id, { position: Math.max(...siblings.map(({ order }) => order)) + 1 })
      }),
    delete: (scope, id, seen) =>
      rearranging(scope, async (tx, rows) => {
        const group = among(rows, id, seen)
        if (rows.some(({ parentId }) => parentId === id)) refuse(200102)
        if (await needs.isWatched(tx, scope, id)) refuse(200103)
        await data.deleteGroup(scope, tx, id)
        await platform.history.note(tx, scope, 'personGroup', id, null)
        platform.audit.note({ entity: 'personGroup', id, label: group.name, before: { name: group.name } })
        await platform.events.announce(tx, groupDeleted, scope.parkId, { groupId: id })
      }),
  }
}

/** 1 at the top. */
function levelOf(rows: readonly data.GroupRow[], row: data.GroupRow): number {
  const parent = rows.find(({ id }) => id === row.parentId)
  return parent === undefined ? 1 : levelOf(rows, parent) + 1
}

/** Levels of a group and all below it; 1 where nothing is. */
function levelsOf(rows: readonly data.GroupRow[], id: string): number {
  return 1 + Math.max(0, ...rows.filter(({ parentId }) => parentId === id).map((child) => levelsOf(rows, child.id)))
}
