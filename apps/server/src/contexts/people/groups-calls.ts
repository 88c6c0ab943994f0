/** Handlers of the group calls. */
import { peopleCalls } from '@gatehouse/contract/people/calls'
import { handler, type MountedCall } from '../../platform/context.ts'
import { NotFound } from '../../platform/http/refusal.ts'
import { deletedId } from '../../platform/http/deleted-ids.ts'
import type { GroupService } from './groups.ts'
import type { PeopleNeeds } from './needs.ts'

export const groupHandlers = (groups: GroupService, { reach }: Pick<PeopleNeeds, 'reach'>): MountedCall[] => [
  handler(peopleCalls.groupTree, async ({ scope, session, query: { type, parkId, kind } }) => {
    const park = parkId === undefined || parkId === scope.parkId ? scope : await reach(session, parkId)
    if (park === null) throw new NotFound()
    return groups.tree(park, type === undefined ? undefined : [type], kind)
  }),
  handler(peopleCalls.createGroup, async ({ scope, body }) => ({ id: await groups.create(scope, body) })),
  handler(peopleCalls.changeGroup, async ({ scope, body: { id, name, parentId } }) => {
    await groups.change(scope, id, { name, ...(parentId !== undefined && { parentId }) })
    return { id }
  }),
  handler(peopleCalls.topGroup, async ({ scope, body: { id } }) => {
    await groups.top(scope, id)
    return { id }
  }),
  handler(peopleCalls.deleteGroup, async ({ scope, ...request }) => {
    const id = deletedId(request)
    await groups.delete(scope, id)
    return { id }
  }),
]
