/** The watch list: a register of its own, which the calls on other persons do not open, and whose calls open no other persons. */
import { personGroupType } from '@gatehouse/contract/enums/people'
import type { PersonGroupNode } from '@gatehouse/contract/people/groups'
import { specialCalls } from '@gatehouse/contract/people/special'
import { handler, type MountedCall } from '../../platform/context.ts'
import { NotFound } from '../../platform/http/refusal.ts'
import type { Scope } from '../../platform/session/session.ts'
import { deletedIds } from '../../platform/http/deleted-ids.ts'
import type { GroupService } from './groups.ts'
import type { PeopleService } from './service-types.ts'

const KIND = 'special'
const TREE = [personGroupType.blacklist]

/**
 * Without the level of a group that only holds the others: where one group stands at the top, with groups below it and
 * nobody in it, those below stand at the top instead.
 */
export function withoutTop(tree: PersonGroupNode[]): PersonGroupNode[] {
  const [top, ...others] = tree
  if (top === undefined || others.length > 0 || top.children.length === 0) return tree
  const below = top.children.reduce((sum, { personCount }) => sum + personCount, 0)
  return top.personCount > below ? tree : top.children
}

export function specialHandlers(people: PeopleService, groups: GroupService): MountedCall[] {
  /** @throws NotFound for a person of another kind */
  async function among(scope: Scope, ids: readonly string[]): Promise<string[]> {
    const distinct = [...new Set(ids)]
    const existing = await people.describe(scope, distinct)
    if (existing.length < distinct.length || existing.some(({ kind }) => kind !== KIND)) throw new NotFound()
    return distinct
  }

  return [
    handler(specialCalls.list, ({ scope, query }) => people.list(scope, { ...query, kind: KIND })),
    handler(specialCalls.read, async ({ scope, query: { id } }) => {
      await among(scope, [id])
      return people.read(scope, id)
    }),
    handler(specialCalls.create, async ({ scope, session, body }) => ({
      id: await people.create(scope, body, session),
    })),
    handler(specialCalls.change, async ({ scope, session, body: { id, version, ...change } }) => {
      await among(scope, [id])
      await people.change(scope, id, version, change, session)
      return { id }
    }),
    handler(specialCalls.deleteBatch, async ({ scope, ...request }) => ({
      deleted: await people.delete(scope, await among(scope, deletedIds(request))),
    })),
    handler(specialCalls.move, async ({ scope, body }) => ({
      moved: await people.move(scope, await among(scope, body.ids), body.groupId),
    })),
    handler(specialCalls.status, async ({ scope, body }) => ({
      changed: await people.setEnabled(scope, await among(scope, body.ids), body.status === 1),
    })),
    handler(specialCalls.groupTree, ({ scope }) => groups.tree(scope, TREE)),
    handler(specialCalls.pickerTree, async ({ scope }) => withoutTop(await groups.tree(scope, TREE))),
    handler(specialCalls.createGroup, async ({ scope, body }) => ({
      id: await groups.create(scope, { ...body, type: personGroupType.blacklist }, TREE),
    })),
    handler(specialCalls.changeGroup, async ({ scope, body: { id, name, parentId } }) => {
      await groups.change(scope, id, { name, ...(parentId !== undefined && { parentId }) }, TREE)
      return { id }
    }),
    handler(specialCalls.deleteGroup, async ({ scope, params: { id } }) => {
      await groups.delete(scope, id, TREE)
      return { id }
    }),
    handler(specialCalls.topGroup, async ({ scope, body: { id } }) => {
      await groups.top(scope, id, TREE)
      return { id }
    }),
  ]
}
