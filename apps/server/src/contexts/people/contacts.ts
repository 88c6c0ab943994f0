/** Contacts of a person: whom to reach, and by whose photograph a door may know them. */
import { isDeepStrictEqual } from 'node:util'
import { CONTACTS_PER_PERSON, type FieldIssue, type OutputOf } from '@gatehouse/contract'
import { contactFields, type Contact, type contactCalls, type ContactsChange } from '@gatehouse/contract/people/contacts'
import { unmask } from '@gatehouse/contract/masking'
import { FORBIDDEN_IN_NAME } from '@gatehouse/contract/people/fields'
import type { Platform } from '../../platform/context.ts'
import type { Database, OpenTransaction, Tx } from '../../platform/database/database.ts'
import { newId } from '../../platform/database/ids.ts'
import { leftAsItWas } from '../../platform/http/left-out.ts'
import { InvalidRequest, NotFound, refuse } from '../../platform/http/refusal.ts'
import type { Scope, Session } from '../../platform/session/session.ts'
import type { FacesService } from '../faces/index.ts'
import * as data from './contacts-data.ts'
import { lockPersons, touchPerson, type Reading } from './data.ts'
import { personsChanged } from './events.ts'
import { hideContactOfWatched } from './former-watched.ts'
import { humanOf } from './human.ts'
import type { PeopleTables } from './schema.ts'

type ContactFields = Omit<OutputOf<(typeof contactCalls)['create']['body']>, 'personId'>
type Whose = Pick<Session, 'masking'>

/** A contact as a door may know him. */
export interface KnownContact {
  id: string
  name: string
  relation: number
  faceId: string
  /** Equal for whoever is the same human. */
  human: string
}

export interface ContactService {
  /** @throws NotFound for a person who is not there */
  list(scope: Scope, personId: string): Promise<Contact[]>
  read(scope: Scope, id: string): Promise<Contact>
  /** @throws InvalidRequest there are four; Refusal 200224, 200201 for a photograph that somebody has */
  create(scope: Scope, personId: string, fields: ContactFields, whose: Whose): Promise<string>
  change(scope: Scope, id: string, change: Partial<ContactFields>, whose: Whose): Promise<void>
  delete(scope: Scope, id: string): Promise<void>
  /** Contacts of many persons, in the order they were added; whoever has none is left out. */
  ofPersons(scope: Scope, personIds: readonly string[]): Promise<Map<string, KnownContact[]>>
  /** Whose contacts these are, by contact, with what they are to him; unknown ids are left out. */
  named(scope: Scope, ids: readonly string[]): Promise<Map<string, { personId: string; name: string; relation: number }>>
  /** Contacts of a person who is being registered. */
  addAll(tx: OpenTransaction, scope: Scope, personId: string, all: readonly ContactFields[], whose: Whose): Promise<void>
  /**
   * Contacts of a person whom the caller's transaction has changed, in place of all there are.
   * @throws InvalidRequest for one that is another's
   */
  exchange(tx: OpenTransaction, scope: Scope, personId: string, all: ContactsChange, whose: Whose): Promise<void>
  /** Lets photographs of these persons' contacts go, and what the log says of them; the contacts go with the persons. */
  release(tx: OpenTransaction, scope: Scope, personIds: readonly string[]): Promise<void>
}

export function createContactService(platform: Platform, faces: FacesService): ContactService {
  const within = (db: Database<PeopleTables>): Reading => ({ db, crypto: platform.crypto })
  const reading = within(platform.db as unknown as Database<PeopleTables>)

  async function present(scope: Scope, rows: readonly data.ContactRow[]): Promise<Contact[]> {
    const photos = await faces.photosOfContacts(
      scope,
      rows.map(({ id }) => id),
    )
    return rows.flatMap((row) => {
      const face = photos.get(row.id)
      // Deleted meanwhile.
      return face === undefined ? [] : [{ ...row, photo: face.faceId, face }]
    })
  }

  const logged = ({ relation, name, phone, gender }: Omit<data.ContactRow, 'id' | 'personId'>, photo: string) => ({
    relation,
    name,
    phone,
    gender,
    photo,
  })

  /** The fields as they are stored. @param path before the fields' own names */
  function checked(fields: ContactFields, { masking }: Whose, stored: Record<string, unknown> = {}, path = ''): ContactFields {
    const { values, issues } = masking ? unmask(contactFields, fields, stored) : { values: fields, issues: [] as FieldIssue[] }
    if (issues.length > 0) throw new InvalidRequest(issues.map((issue) => ({ ...issue, path: path + issue.path })))
    // The schema lets masked names pass; what still is one here was typed.
    if (FORBIDDEN_IN_NAME.test(values.name)) throw new InvalidRequest([{ path: `${path}name`, rule: 'name' }])
    return values
  }

  async function add(tx: Tx<PeopleTables>, scope: Scope, personId: string, fields: ContactFields, path = ''): Promise<string> {
    const id = newId()
    await data.insertContact(scope, within(tx), { ...fields, id, personId }, platform.clock.now())
    await faces.assignContact(tx, scope, id, fields.photo, `${path}photo`)
    platform.audit.note({ entity: 'personContact', id, label: fields.name, labelMask: 'name', after: logged(fields, fields.photo) })
    return id
  }

  /** @param path before the fields' own names */
  async function alter(
    tx: Tx<PeopleTables>,
    scope: Scope,
    { personId: _person, face: _face, id, ...stands }: Contact,
    change: ContactsChange[number],
    whose: Whose,
    path = '',
  ): Promise<void> {
    const before = stands as ContactFields
    const after = checked(leftAsItWas(before, change), whose, { ...before }, path)
    if (isDeepStrictEqual(after, before)) return
    if (!(await data.updateContact(scope, within(tx), { ...after, id }))) throw new NotFound()
    await faces.assignContact(tx, scope, id, after.photo, `${path}photo`)
    platform.audit.note({
      entity: 'personContact',
      id,
      label: after.name,
      labelMask: 'name',
      before: logged(before, before.photo),
      after: logged(after, after.photo),
    })
  }

  async function remove(tx: Tx<PeopleTables>, scope: Scope, id: string): Promise<void> {
    await faces.releaseContacts(tx, scope, [id])
    await hideContactOfWatched(platform.audit, tx, scope, id)
    if (!(await data.deleteContact(scope, tx, id))) throw new NotFound()
    await platform.audit.forget(tx, 'personContact', [id])
    platform.audit.note({ entity: 'personContact', id, before: {} })
  }

  /** Which contacts of a list are none of this person's, or named twice. */
  function assertKnown(there: readonly Contact[], all: ContactsChange): void {
    const ids = all.map(({ id }) => id)
    const issues = ids.flatMap((id, at): FieldIssue[] => {
      if (id === undefined) return []
      if (!there.some((one) => one.id === id)) return [{ path: `contacts.${at}.id`, rule: 'unknown' }]
      return ids.indexOf(id) < at ? [{ path: `contacts.${at}.id`, rule: 'duplicate' }] : []
    })
    if (issues.length > 0) throw new InvalidRequest(issues)
  }

  /** Keeps the person as he is meanwhile; a form that was opened before knows of it by the version. @throws NotFound; Refusal 200224 */
  async function hold(tx: Tx<PeopleTables>, scope: Scope, personId: string): Promise<void> {
    const [person] = await lockPersons(scope, tx, [personId])
    if (person === undefined) throw new NotFound()
    if (!person.enabled) refuse(200224)
    await touchPerson(scope, tx, personId, platform.clock.now())
  }

  /** Contacts come to doors with the person. */
  const announce = (tx: Tx<PeopleTables>, scope: Scope, personId: string): Promise<void> =>
    platform.events.announce(tx, personsChanged, scope.parkId, { personIds: [personId] })

  async function existing(scope: Scope, id: string): Promise<Contact> {
    const row = await data.findContact(scope, reading, id)
    const [contact] = row === undefined ? [] : await present(scope, [row])
    if (contact === undefined) throw new NotFound()
    return contact
  }

  return {
    read: existing,
    async list(scope, personId) {
      return present(scope, await data.findContactsOf(scope, reading, [personId]))
    },
    create(scope, personId, sent, whose) {
      const fields = checked(sent, whose)
      return platform.transaction(async (tx: Tx<PeopleTables>) => {
        await hold(tx, scope, personId)
        if ((await data.findContactsOf(scope, within(tx), [personId])).length >= CONTACTS_PER_PERSON)
          throw new InvalidRequest([{ path: 'personId', rule: 'contactsFull', params: { limit: CONTACTS_PER_PERSON } }])
        const id = await add(tx, scope, personId, fields)
        await announce(tx, scope, personId)
        return id
      })
    },
    async change(scope, id, change, whose) {
      const contact = await existing(scope, id)
      await platform.transaction(async (tx: Tx<PeopleTables>) => {
        await hold(tx, scope, contact.personId)
        await alter(tx, scope, contact, change, whose)
        await announce(tx, scope, contact.personId)
      })
    },
    async delete(scope, id) {
      const contact = await existing(scope, id)
      await platform.transaction(async (tx: Tx<PeopleTables>) => {
        await hold(tx, scope, contact.personId)
        await remove(tx, scope, id)
        await announce(tx, scope, contact.personId)
      })
    },
    async ofPersons(scope, personIds) {
      const rows = await data.findContactsOf(scope, reading, personIds)
      const faceIds = await faces.facesOfContacts(
        scope,
        rows.map(({ id }) => id),
      )
      const known = new Map<string, KnownContact[]>()
      for (const { id, personId, name, relation, phone } of rows) {
        const faceId = faceIds.get(id)
        // Deleted meanwhile.
        if (faceId !== undefined)
          known.set(personId, [
            ...(known.get(personId) ?? []),
            { id, name, relation, faceId, human: humanOf(platform.crypto, scope, { name, phone }) },
          ])
      }
      return known
    },
    async named(scope, ids) {
      return new Map(
        (await data.findContacts(scope, reading, ids)).map(({ id, personId, name, relation }) => [id, { personId, name, relation }]),
      )
    },
    async addAll(open, scope, personId, all, whose) {
      for (const [at, fields] of all.entries())
        await add(open as Tx<PeopleTables>, scope, personId, checked(fields, whose, {}, `contacts.${at}.`), `contacts.${at}.`)
    },
    async exchange(open, scope, personId, all, whose) {
      const tx = open as Tx<PeopleTables>
      const there = await present(scope, await data.findContactsOf(scope, within(tx), [personId]))
      assertKnown(there, all)
      for (const { id } of there) if (!all.some((one) => one.id === id)) await remove(tx, scope, id)
      for (const [at, { id, ...change }] of all.entries()) {
        const path = `contacts.${at}.`
        const before = there.find((one) => one.id === id)
        if (before) await alter(tx, scope, before, change, whose, path)
        else await add(tx, scope, personId, checked(change as ContactFields, whose, {}, path), path)
      }
    },
    async release(open, scope, personIds) {
      const ids = (await data.findContactsOf(scope, within(open as Tx<PeopleTables>), personIds)).map(({ id }) => id)
      await faces.releaseContacts(open, scope, ids)
      await platform.audit.forget(open, 'personContact', ids)
    },
  }
}
