/** Writes of contacts, in the transactions of those who change a person. */
import { isDeepStrictEqual } from 'node:util'
import type { FieldIssue } from '@gatehouse/contract'
import { unmask } from '@gatehouse/contract/masking'
import { contactFields, type Contact, type ContactsChange } from '@gatehouse/contract/people/contacts'
import { FORBIDDEN_IN_NAME } from '@gatehouse/contract/people/fields'
import type { Platform } from '../../platform/context.ts'
import type { Transaction } from '../../platform/database/database.ts'
import { newId } from '../../platform/database/ids.ts'
import { leftAsItWas } from '../../platform/http/left-out.ts'
import { InvalidRequest, NotFound } from '../../platform/http/refusal.ts'
import type { Scope } from '../../platform/session/session.ts'
import type { FacesService } from '../faces/index.ts'
import type { ContactRows } from './contact-rows.ts'
import type { ContactService, ContactSender, ContactFields } from './contacts-types.ts'
import * as data from './contacts-data.ts'
import { hideContactOfWatched } from './former-watched.ts'

const logged = ({ relation, name, phone, gender }: Omit<data.ContactRow, 'id' | 'personId'>, photo: string) => ({
  relation,
  name,
  phone,
  gender,
  photo,
})

/**
 * Return the fields as they are stored.
 * @param stored values that masked ones stand for
 * @param path prefix of the fields' names in a refusal
 * @throws InvalidRequest
 */
function checked(fields: ContactFields, { masking }: ContactSender, stored: Record<string, unknown> = {}, path = ''): ContactFields {
  const { values, issues } = masking ? unmask(contactFields, fields, stored) : { values: fields, issues: [] as FieldIssue[] }
  if (issues.length > 0) throw new InvalidRequest(issues.map((issue) => ({ ...issue, path: path + issue.path })))
  // The schema lets masked names pass; a name that is still masked here was typed.
  if (FORBIDDEN_IN_NAME.test(values.name)) throw new InvalidRequest([{ path: `${path}name`, rule: 'name' }])
  return values
}

/** @throws InvalidRequest for ids that are none of this person's contacts, or that occur twice */
function assertOwnContacts(existing: readonly Contact[], all: ContactsChange): void {
  const ids = all.map(({ id }) => id)
  const issues = ids.flatMap((id, at): FieldIssue[] => {
    if (id === undefined) return []
    if (!existing.some((contact) => contact.id === id)) return [{ path: `contacts.${at}.id`, rule: 'unknown' }]
    return ids.indexOf(id) < at ? [{ path: `contacts.${at}.id`, rule: 'duplicate' }] : []
  })
  if (issues.length > 0) throw new InvalidRequest(issues)
}

export interface ContactWrites extends Pick<ContactService, 'addAll' | 'exchange' | 'release'> {
  checked(fields: ContactFields, sender: ContactSender): ContactFields
  add(tx: Transaction, scope: Scope, personId: string, fields: ContactFields): Promise<string>
  alter(tx: Transaction, scope: Scope, contact: Contact, change: ContactsChange[number], sender: ContactSender): Promise<void>
  /** @throws NotFound */
  remove(tx: Transaction, scope: Scope, id: string): Promise<void>
}

export function createContactWrites(platform: Platform, faces: FacesService, { within, present }: ContactRows): ContactWrites {
  async function add(tx: Transaction, scope: Scope, personId: string, fields: ContactFields, path = ''): Promise<string> {
    const id = newId()
    await data.insertContact(scope, within(tx), { ...fields, id, personId }, platform.clock.now())
    await faces.assignContact(tx, scope, id, fields.photo, `${path}photo`)
    platform.audit.note({ entity: 'personContact', id, label: fields.name, labelMask: 'name', after: logged(fields, fields.photo) })
    return id
  }

  /** @param path prefix of the fields' names in a refusal */
  async function alter(
    tx: Transaction,
    scope: Scope,
    { personId: _person, face: _face, id, ...current }: Contact,
    change: ContactsChange[number],
    sender: ContactSender,
    path = '',
  ): Promise<void> {
    const before = current as ContactFields
    const after = checked(leftAsItWas(before, change), sender, { ...before }, path)
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

  async function remove(tx: Transaction, scope: Scope, id: string): Promise<void> {
    await faces.releaseContacts(tx, scope, [id])
    await hideContactOfWatched(platform.audit, tx, scope, id)
    if (!(await data.deleteContact(scope, tx, id))) throw new NotFound()
    await platform.audit.forget(tx, 'personContact', [id])
    platform.audit.note({ entity: 'personContact', id, before: {} })
  }

  return {
    checked,
    add,
    alter,
    remove,
    async addAll(tx, scope, personId, all, sender) {
      for (const [at, fields] of all.entries())
        await add(tx, scope, personId, checked(fields, sender, {}, `contacts.${at}.`), `contacts.${at}.`)
    },
    async exchange(tx, scope, personId, all, sender) {
      const current = await present(scope, await data.findContactsOf(scope, within(tx), [personId]), tx)
      assertOwnContacts(current, all)
      for (const { id } of current) if (!all.some((contact) => contact.id === id)) await remove(tx, scope, id)
      for (const [at, { id, ...change }] of all.entries()) {
        const path = `contacts.${at}.`
        const before = current.find((contact) => contact.id === id)
        if (before) await alter(tx, scope, before, change, sender, path)
        else await add(tx, scope, personId, checked(change as ContactFields, sender, {}, path), path)
      }
    },
    async release(tx, scope, personIds) {
      const ids = (await data.findContactsOf(scope, within(tx), personIds)).map(({ id }) => id)
      await faces.releaseContacts(tx, scope, ids)
      await platform.audit.forget(tx, 'personContact', ids)
    },
  }
}
