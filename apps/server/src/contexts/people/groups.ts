/** The tree of person groups. */
import type { z } from 'zod'
import type { PersonGroupNode, personGroupFields } from '@gatehouse/contract/people/calls'
import type { Platform } from '../../platform/context.ts'
import { violatedConstraint, type Database, type Tx } from '../../platform/database.ts'
import { newId } from '../../platform/ids.ts'
import { NotFound, refuse } from '../../platform/refusal.ts'
import type { Scope } from '../../platform/session.ts'
import { treeOf, withDescendants } from '../../platform/tree.ts'
import * as data from './data.ts'
import { groupDeleted, groupsChanged } from './events.ts'
import type { PeopleTables } from './schema.ts'

export interface GroupService {
  tree(scope: Scope, type?: number): Promise<PersonGroupNode[]>
  create(scope: Scope, fields: z.output<typeof personGroupFields>): Promise<string>
  change(scope: Scope, id: string, fields: { name?: string; parentId?: string | null }): Promise<void>
  delete(scope: Scope, id: string): Promise<void>
  /** A group and all below it; unknown ids are left out. */
  withDescendants(scope: Scope, ids: readonly string[]): Promise<string[]>
  names(scope: Scope, ids: readonly string[]): Promise<{ id: string; name: string }[]>
  /** All groups with what is above them. */
  rows(scope: Scope): Promise<{ id: string; parentId: string | null }[]>
}

export function createGroupService(platform: Platform): GroupService {
  const db = platform.db as unknown as Database<PeopleTables>

  const withGroupsBelow = async (scope: Scope, ids: readonly string[]): Promise<string[]> => withDescendants(await data.listGroups(scope, db), ids)

  async function existing(scope: Scope, id: string): Promise<data.GroupRow> {
    const row = (await data.listGroups(scope, db)).find((one) => one.id === id)
    if (row === undefined) throw new NotFound()
    return row
  }

  const duplicateName = (error: unknown): never => {
    if (violatedConstraint(error) === 'person_group_name') refuse(200107, 'name')
    throw error
  }

  return {
    withDescendants: withGroupsBelow,
    rows: (scope) => data.findGroupRows(scope, db),
    async tree(scope, type) {
      const rows = await data.listGroups(scope, db)
      return treeOf(type === undefined ? rows : rows.filter((row) => row.type === type), 'personCount')
    },
    async create(scope, fields) {
      const parent = fields.parentId == null ? null : await existing(scope, fields.parentId)
      const id = newId()
      await platform
        .transaction(async (tx: Tx<PeopleTables>) => {
          const group = { id, name: fields.name, parentId: parent?.id ?? null, type: parent?.type ?? fields.type }
          await data.insertGroup(scope, tx, group, platform.clock.now())
          await platform.history.note(tx, scope, 'personGroup', id, { parentId: group.parentId })
          await platform.events.announce(tx, groupsChanged, scope.parkId, {})
        })
        .catch(duplicateName)
      return id
    },
    async change(scope, id, fields) {
      await existing(scope, id)
      if (fields.parentId != null) {
        await existing(scope, fields.parentId)
        // A group moved below itself would drop out of the tree.
        if ((await withGroupsBelow(scope, [id])).includes(fields.parentId)) refuse(900109, 'parentId')
      }
      await platform
        .transaction(async (tx: Tx<PeopleTables>) => {
          await data.updateGroup(scope, tx, id, {
            ...(fields.name !== undefined && { name: fields.name }),
            ...(fields.parentId !== undefined && { parent_id: fields.parentId }),
          })
          if (fields.parentId !== undefined) await platform.history.note(tx, scope, 'personGroup', id, { parentId: fields.parentId })
          await platform.events.announce(tx, groupsChanged, scope.parkId, {})
        })
        .catch(duplicateName)
    },
    async delete(scope, id) {
      const group = await existing(scope, id)
      const rows = await data.listGroups(scope, db)
      if (rows.some((row) => row.parentId === id)) refuse(200102)
      if (group.personCount > 0) refuse(900109)
      await platform.transaction(async (tx: Tx<PeopleTables>) => {
        await data.deleteGroup(scope, tx, id)
        await platform.history.note(tx, scope, 'personGroup', id, null)
        await platform.events.announce(tx, groupDeleted, scope.parkId, { groupId: id })
      })
    },
    async names(scope, ids) {
      const rows = await data.listGroups(scope, db)
      return rows.filter((row) => ids.includes(row.id)).map(({ id, name }) => ({ id, name }))
    },
  }
}
