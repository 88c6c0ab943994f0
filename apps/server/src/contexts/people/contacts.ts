/** Contacts of a person: who to reach, and who a door may recognise by a photograph in the person's place. */
import { CONTACTS_PER_PERSON } from '@gatehouse/contract'
import type { Contact } from '@gatehouse/contract/people/contacts'
import type { Platform } from '../../platform/context.ts'
import type { Transaction } from '../../platform/database/database.ts'
import { InvalidRequest, NotFound, refuse } from '../../platform/http/refusal.ts'
import type { Scope } from '../../platform/session/session.ts'
import type { FacesService } from '../faces/index.ts'
import { createContactRows } from './contact-rows.ts'
import { createContactWrites } from './contact-writes.ts'
import * as data from './contacts-data.ts'
import { lockPersons, touchPerson } from './data.ts'
import { personsChanged } from './events.ts'
import { humanOf } from './human.ts'
import type { ContactService, RecognisableContact } from './contacts-types.ts'

export function createContactService(platform: Platform, faces: FacesService): ContactService {
  const rows = createContactRows(platform, faces)
  const { reading, within, present } = rows
  const writes = createContactWrites(platform, faces, rows)

  /** Lock the person, and count the change, so that a form that was opened before it conflicts. @throws NotFound; Refusal 200224 */
  async function lockPerson(tx: Transaction, scope: Scope, personId: string): Promise<void> {
    const [person] = await lockPersons(scope, tx, [personId])
    if (person === undefined) throw new NotFound()
    if (!person.enabled) refuse(200224)
    await touchPerson(scope, tx, personId, platform.clock.now())
  }

  /** Announce a change of the person, with whom doors get the contacts. */
  const announce = (tx: Transaction, scope: Scope, personId: string): Promise<void> =>
    platform.events.announce(tx, personsChanged, scope.parkId, { personIds: [personId] })

  async function existing(scope: Scope, id: string): Promise<Contact> {
    const row = await data.findContact(scope, reading, id)
    const [contact] = row === undefined ? [] : await present(scope, [row])
    if (contact === undefined) throw new NotFound()
    return contact
  }

  return {
    addAll: writes.addAll,
    exchange: writes.exchange,
    release: writes.release,
    read: existing,
    async list(scope, personId) {
      return present(scope, await data.findContactsOf(scope, reading, [personId]))
    },
    create(scope, personId, sent, sender) {
      const fields = writes.checked(sent, sender)
      return platform.transaction(async (tx) => {
        await lockPerson(tx, scope, personId)
        if ((await data.findContactsOf(scope, within(tx), [personId])).length >= CONTACTS_PER_PERSON)
          throw new InvalidRequest([{ path: 'personId', rule: 'contactsFull', params: { limit: CONTACTS_PER_PERSON } }])
        const id = await writes.add(tx, scope, personId, fields)
        await announce(tx, scope, personId)
        return id
      })
    },
    async change(scope, id, change, sender) {
      const contact = await existing(scope, id)
      await platform.transaction(async (tx) => {
        await lockPerson(tx, scope, contact.personId)
        await writes.alter(tx, scope, contact, change, sender)
        await announce(tx, scope, contact.personId)
      })
    },
    async delete(scope, id) {
      const contact = await existing(scope, id)
      await platform.transaction(async (tx) => {
        await lockPerson(tx, scope, contact.personId)
        await writes.remove(tx, scope, id)
        await announce(tx, scope, contact.personId)
      })
    },
    async ofPersons(scope, personIds) {
      const contacts = await data.findContactsOf(scope, reading, personIds)
      const faceIds = await faces.facesOfContacts(
        scope,
        contacts.map(({ id }) => id),
      )
      const contactsByPerson = new Map<string, RecognisableContact[]>()
      for (const { id, personId, name, relation, phone } of contacts) {
        const faceId = faceIds.get(id)
        // Deleted meanwhile.
        if (faceId !== undefined)
          contactsByPerson.set(personId, [
            ...(contactsByPerson.get(personId) ?? []),
            { id, name, relation, faceId, human: humanOf(platform.crypto, scope, { name, phone }) },
          ])
      }
      return contactsByPerson
    },
    async named(scope, ids) {
      return new Map(
        (await data.findContacts(scope, reading, ids)).map(({ id, personId, name, relation }) => [id, { personId, name, relation }]),
      )
    },
  }
}
