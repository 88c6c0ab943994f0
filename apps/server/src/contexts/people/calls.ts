/** Handlers of the person calls. */
import { peopleCalls } from '@gatehouse/contract/people/calls'
import { handler, type MountedCall } from '../../platform/context.ts'
import { InvalidRequest } from '../../platform/refusal.ts'
import type { GroupService } from './groups.ts'
import type { PeopleService } from './service.ts'

/** Ids of a DELETE call come in the query or the body (AMBIGUITIES 51). */
function idsOf({ query, body }: { query: { ids?: string[] | undefined }; body: { ids?: string[] | undefined } | undefined }): string[] {
  const ids = query.ids ?? body?.ids ?? []
  if (ids.length === 0) throw new InvalidRequest([{ path: 'ids', rule: 'required' }])
  return ids
}

export function peopleHandlers(people: PeopleService, groups: GroupService): MountedCall[] {
  return [
    handler(peopleCalls.list, ({ scope, query }) => people.list(scope, query)),
    handler(peopleCalls.find, ({ scope, body }) => people.list(scope, body)),
    handler(peopleCalls.read, ({ scope, query }) => people.read(scope, query.id)),
    handler(peopleCalls.create, async ({ scope, body }) => ({ id: await people.create(scope, body) })),
    handler(peopleCalls.change, async ({ scope, body: { id, version, ...fields } }) => {
      await people.change(scope, id, version, fields)
      return { id }
    }),
    handler(peopleCalls.status, async ({ scope, body }) => ({ changed: await people.setEnabled(scope, body.ids, body.status === 1) })),
    handler(peopleCalls.delete, async ({ scope, ...request }) => ({ deleted: await people.delete(scope, idsOf(request)) })),
    handler(peopleCalls.confirm, ({ scope, ...request }) => people.preview(scope, idsOf(request))),
    handler(peopleCalls.summary, ({ scope }) => people.summary(scope)),
    handler(peopleCalls.groupTree, ({ scope, query }) => groups.tree(scope, query.type)),
    handler(peopleCalls.createGroup, async ({ scope, body }) => ({ id: await groups.create(scope, body) })),
    handler(peopleCalls.changeGroup, async ({ scope, body }) => {
      await groups.change(scope, body.id, { name: body.name, ...('parentId' in body && { parentId: body.parentId ?? null }) })
      return { id: body.id }
    }),
    handler(peopleCalls.deleteGroup, async ({ scope, query }) => {
      await groups.delete(scope, query.id)
      return { id: query.id }
    }),
  ]
}
