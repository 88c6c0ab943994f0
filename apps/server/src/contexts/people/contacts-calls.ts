/** Handlers of the calls on contacts. */
import { contactCalls } from '@gatehouse/contract/people/contacts'
import { handler, type MountedCall } from '../../platform/context.ts'
import { NotFound } from '../../platform/http/refusal.ts'
import { deletedId } from '../../platform/http/deleted-ids.ts'
import type { ContactService } from './contacts-types.ts'
import { VISITOR_KIND } from './policy.ts'
import type { PeopleService } from './service-types.ts'

export function contactHandlers(people: PeopleService, contacts: ContactService): MountedCall[] {
  return [
    handler(contactCalls.list, async ({ scope, query: { personId } }) => {
      const [person] = await people.describe(scope, [personId])
      if (person === undefined || person.kind === VISITOR_KIND) throw new NotFound()
      return contacts.list(scope, personId)
    }),
    handler(contactCalls.read, ({ scope, query }) => contacts.read(scope, query.id)),
    handler(contactCalls.create, async ({ scope, session, body: { personId, ...fields } }) => ({
      id: await contacts.create(scope, personId, fields, session),
    })),
    handler(contactCalls.change, async ({ scope, session, body: { id, ...fields } }) => {
      await contacts.change(scope, id, fields, session)
      return { id }
    }),
    handler(contactCalls.delete, async ({ scope, ...request }) => {
      const id = deletedId(request)
      await contacts.delete(scope, id)
      return { id }
    }),
  ]
}
