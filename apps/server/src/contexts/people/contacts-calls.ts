/** Handlers of the calls on contacts. */
import { contactCalls } from '@gatehouse/contract/people/contacts'
import { handler, type MountedCall } from '../../platform/context.ts'
import { NotFound } from '../../platform/refusal.ts'
import type { Scope, Session } from '../../platform/session.ts'
import type { ContactService } from './contacts.ts'
import type { PeopleService } from './service.ts'
import { assertSeen } from './special-sight.ts'

export function contactHandlers(people: PeopleService, contacts: ContactService): MountedCall[] {
  /** A contact of somebody the caller may know of. @throws NotFound */
  async function seen(scope: Scope, session: Session, id: string) {
    const contact = await contacts.read(scope, id)
    await assertSeen(people, session, [contact.personId])
    return contact
  }

  return [
    handler(contactCalls.list, async ({ scope, session, query: { personId } }) => {
      await assertSeen(people, session, [personId])
      if ((await people.describe(scope, [personId])).length === 0) throw new NotFound()
      return contacts.list(scope, personId)
    }),
    handler(contactCalls.read, ({ scope, session, query }) => seen(scope, session, query.id)),
    handler(contactCalls.create, async ({ scope, session, body: { personId, ...fields } }) => {
      await assertSeen(people, session, [personId])
      return { id: await contacts.create(scope, personId, fields, session) }
    }),
    handler(contactCalls.change, async ({ scope, session, body: { id, ...fields } }) => {
      await seen(scope, session, id)
      await contacts.change(scope, id, fields, session)
      return { id }
    }),
    handler(contactCalls.delete, async ({ scope, session, query: { id } }) => {
      await seen(scope, session, id)
      await contacts.delete(scope, id)
      return { id }
    }),
  ]
}
