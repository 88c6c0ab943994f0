/** Handlers of the person calls. */
import { peopleCalls } from '@gatehouse/contract/people/calls'
import type { PersonKind } from '@gatehouse/contract/people/person-fields'
import { handler, type MountedCall } from '../../platform/context.ts'
import { deletedIds } from '../../platform/http/deleted-ids.ts'
import { InvalidRequest, NotFound } from '../../platform/http/refusal.ts'
import type { PeopleNeeds } from './needs.ts'
import { VISITOR_KIND } from './policy.ts'
import { formChecker, type RealIdChecker } from './real-id.ts'
import type { PeopleService } from './service-types.ts'

export function peopleHandlers(
  people: PeopleService,
  { reach, sendAgain }: Pick<PeopleNeeds, 'reach' | 'sendAgain'>,
  checker: RealIdChecker = formChecker,
): MountedCall[] {
  return [
    handler(peopleCalls.list, ({ scope, query }) => people.list(scope, query)),
    handler(peopleCalls.find, ({ scope, body }) => people.list(scope, body)),
    handler(peopleCalls.read, ({ scope, query: { id } }) => people.read(scope, id)),
    handler(peopleCalls.standing, async ({ scope, query: { id } }) => {
      const [found] = await people.facts(scope, [id])
      if (found === undefined || found.kind === VISITOR_KIND) throw new NotFound()
      return { kind: found.kind as PersonKind, enabled: found.enabled }
    }),
    handler(peopleCalls.create, async ({ scope, session, body }) => ({ id: await people.create(scope, body, session) })),
    handler(peopleCalls.change, async ({ scope, session, body: { id, version, ...change } }) => {
      await people.change(scope, id, version, change, session)
      return { id }
    }),
    handler(peopleCalls.status, async ({ scope, body }) => ({
      changed: await people.setEnabled(scope, body.ids, body.status === 1, body.reason),
    })),
    handler(peopleCalls.delete, async ({ scope, ...request }) => ({ deleted: await people.delete(scope, deletedIds(request)) })),
    handler(peopleCalls.confirm, async ({ scope, ...request }) => people.preview(scope, deletedIds(request))),
    handler(peopleCalls.summary, ({ scope }) => people.summary(scope)),
    handler(peopleCalls.move, async ({ scope, body }) => ({ moved: await people.move(scope, body.ids, body.groupId) })),
    handler(peopleCalls.copy, async ({ scope, session, body }) => {
      const to = body.parkId == null || body.parkId === scope.parkId ? scope : await reach(session, body.parkId)
      if (to === null) throw new InvalidRequest([{ path: 'parkId', rule: 'unknown' }])
      return { copied: await people.copy(scope, body, to, session) }
    }),
    handler(peopleCalls.retrySend, async ({ scope, body }) => {
      const existing = (await people.describe(scope, body.ids)).filter(({ kind }) => kind !== VISITOR_KIND)
      if (existing.length < new Set(body.ids).size) throw new NotFound()
      return {
        devices: await sendAgain(
          scope,
          existing.map(({ id }) => id),
        ),
      }
    }),
    handler(peopleCalls.realidIdentity, ({ query: { name, idNumber } }) => checker(name, idNumber)),
  ]
}
