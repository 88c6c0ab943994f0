/** Handlers of the group calls. */
import { personGroupType } from '@gatehouse/contract/enums/people'
import { peopleCalls } from '@gatehouse/contract/people/calls'
import { handler, type MountedCall } from '../../platform/context.ts'
import { NotFound } from '../../platform/refusal.ts'
import type { Session } from '../../platform/session.ts'
import type { GroupService, GroupTypes } from './groups.ts'
import type { PeopleNeeds } from './needs.ts'
import { seesSpecial } from './special-sight.ts'

/** For whom persons to look out for are not there, their groups are not either. */
const seenBy = (session: Session): GroupTypes =>
  personGroupType.values.filter((type) => type !== personGroupType.blacklist || seesSpecial(session))

export const groupHandlers = (groups: GroupService, { reach }: Pick<PeopleNeeds, 'reach'>): MountedCall[] => [
  handler(peopleCalls.groupTree, async ({ scope, session, query: { type, parkId, kind } }) => {
    const park = parkId === undefined || parkId === scope.parkId ? scope : await reach(session, parkId)
    if (park === null) throw new NotFound()
    return groups.tree(
      park,
      seenBy(session).filter((seen) => type === undefined || type === seen),
      kind,
    )
  }),
  handler(peopleCalls.createGroup, async ({ scope, session, body }) => ({ id: await groups.create(scope, body, seenBy(session)) })),
  handler(peopleCalls.changeGroup, async ({ scope, session, body: { id, name, parentId } }) => {
    await groups.change(scope, id, { name, ...(parentId !== undefined && { parentId }) }, seenBy(session))
    return { id }
  }),
  handler(peopleCalls.topGroup, async ({ scope, session, body: { id } }) => {
    await groups.top(scope, id, seenBy(session))
    return { id }
  }),
  handler(peopleCalls.deleteGroup, async ({ scope, session, query: { id } }) => {
    await groups.delete(scope, id, seenBy(session))
    return { id }
  }),
]
