/** Handlers of the calls of linked parks. */
import { associatedPersonCalls } from '@gatehouse/contract/people/relation'
import { relationCalls } from '@gatehouse/contract/relations/calls'
import { handler, type MountedCall } from '../../platform/context.ts'
import type { RelationService } from './service-types.ts'

export const relationHandlers = (relations: RelationService): MountedCall[] => [
  handler(relationCalls.parks, ({ session }) => relations.parks(session)),
  handler(relationCalls.list, ({ session, query }) => relations.list(session, query)),
  handler(relationCalls.apply, async ({ session, body }) => ({ id: await relations.apply(session, body) })),
  handler(relationCalls.change, async ({ scope, body }) => {
    await relations.change(scope, body)
    return { id: body.id }
  }),
  handler(relationCalls.delete, async ({ scope, params }) => {
    await relations.delete(scope, params.id)
    return { id: params.id }
  }),
  handler(associatedPersonCalls.list, ({ scope, query }) => relations.associated(scope, query)),
  handler(associatedPersonCalls.read, ({ scope, query }) => relations.associatedPerson(scope, query.id)),
]
