/** Handlers of the person calls. */
import { peopleCalls, type PersonKind } from '@gatehouse/contract/people/calls'
import { handler, type MountedCall } from '../../platform/context.ts'
import { InvalidRequest, NotFound } from '../../platform/refusal.ts'
import type { Session } from '../../platform/session.ts'
import type { PersonQuery } from './data.ts'
import type { PeopleNeeds } from './needs.ts'
import { formChecker, type RealIdChecker } from './real-id.ts'
import type { PeopleService } from './service.ts'
import { assertSeen, seesSpecial } from './special-sight.ts'

/** Ids of a DELETE call come in the query or the body (AMBIGUITIES 51). */
export function idsOf({
  query,
  body,
}: {
  query: { ids?: string[] | undefined }
  body: { ids?: string[] | undefined } | undefined
}): string[] {
  const ids = query.ids ?? body?.ids ?? []
  if (ids.length === 0) throw new InvalidRequest([{ path: 'ids', rule: 'required' }])
  return ids
}

export function peopleHandlers(
  people: PeopleService,
  { reach, sendAgain }: Pick<PeopleNeeds, 'reach' | 'sendAgain'>,
  checker: RealIdChecker = formChecker,
): MountedCall[] {
  /** For whom persons to look out for are not there, asking for their register finds nobody. */
  async function list(session: Session, query: PersonQuery) {
    if (query.kind === 'special' && !seesSpecial(session)) return { total: 0, content: [], page: query.page, size: query.size }
    return people.list(session.scope, query)
  }

  /** The same for making somebody one of them. @throws InvalidRequest */
  function assertKind(session: Session, kind: PersonKind | null | undefined): void {
    if (kind === 'special' && !seesSpecial(session))
      throw new InvalidRequest([{ path: 'kind', rule: 'oneOf', params: { values: 'staff, customer' } }])
  }

  async function seen(session: Session, ids: string[]): Promise<string[]> {
    await assertSeen(people, session, ids)
    return ids
  }

  return [
    handler(peopleCalls.list, ({ session, query }) => list(session, query)),
    handler(peopleCalls.find, ({ session, body }) => list(session, body)),
    handler(peopleCalls.read, async ({ scope, session, query: { id } }) => {
      await assertSeen(people, session, [id])
      return people.read(scope, id)
    }),
    handler(peopleCalls.create, async ({ scope, session, body }) => {
      assertKind(session, body.kind)
      return { id: await people.create(scope, body, session) }
    }),
    handler(peopleCalls.change, async ({ scope, session, body: { id, version, ...fields } }) => {
      await assertSeen(people, session, [id])
      assertKind(session, fields.kind)
      await people.change(scope, id, version, fields, session)
      return { id }
    }),
    handler(peopleCalls.status, async ({ scope, session, body }) => ({
      changed: await people.setEnabled(scope, await seen(session, body.ids), body.status === 1),
    })),
    handler(peopleCalls.delete, async ({ scope, session, ...request }) => ({
      deleted: await people.delete(scope, await seen(session, idsOf(request))),
    })),
    handler(peopleCalls.confirm, async ({ scope, session, ...request }) => people.preview(scope, await seen(session, idsOf(request)))),
    handler(peopleCalls.summary, ({ scope }) => people.summary(scope)),
    handler(peopleCalls.move, async ({ scope, session, body }) => ({
      moved: await people.move(scope, await seen(session, body.ids), body.groupId),
    })),
    handler(peopleCalls.copy, async ({ scope, session, body }) => {
      assertKind(session, body.kind)
      const to = body.parkId == null || body.parkId === scope.parkId ? scope : await reach(session, body.parkId)
      if (to === null) throw new InvalidRequest([{ path: 'parkId', rule: 'unknown' }])
      return { copied: await people.copy(scope, { ...body, ids: await seen(session, body.ids) }, to, session) }
    }),
    handler(peopleCalls.retrySend, async ({ scope, session, body }) => {
      const ids = await seen(session, body.ids)
      const known = await people.describe(scope, ids)
      if (known.length < new Set(ids).size) throw new NotFound()
      return {
        devices: await sendAgain(
          scope,
          known.map(({ id }) => id),
        ),
      }
    }),
    handler(peopleCalls.realidIdentity, ({ query: { name, idNumber } }) => checker(name, idNumber)),
  ]
}
