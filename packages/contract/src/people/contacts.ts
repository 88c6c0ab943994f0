/** Contacts of a person: at most four, each with a photo by which a door can recognise them. */
import { z } from 'zod'
import { callsOf } from '../call.ts'
import { contactRelation, gender } from '../enums/people.ts'
import { facePhoto } from '../faces/calls.ts'
import { CONTACTS_PER_PERSON } from '../limits.ts'
import { masked } from '../masking.ts'
import { changeOf, created, id, idQuery, idToDelete } from '../schema.ts'
import { rule } from '../validation.ts'
import { personName, phone } from './fields.ts'

const call = callsOf('people')

export const contactFields = z.object({
  relation: contactRelation.schema,
  name: personName,
  phone,
  gender: gender.schema,
  /** `faceId` that `POST /face/cache` returned. */
  photo: id,
})

const contactChange = changeOf(contactFields)

/** All contacts of a person after a change: with `id` an existing one, without `id` a new one, which needs every field. */
export const contactsChange = z
  .array(contactChange.extend({ id: id.optional() }))
  .max(CONTACTS_PER_PERSON)
  .superRefine((contacts, context) => {
    for (const [at, one] of contacts.entries())
      for (const field of contactFields.keyof().options)
        if (one.id === undefined && one[field] === undefined) context.addIssue({ code: 'custom', path: [at, field], ...rule('required') })
  })
export type ContactsChange = z.output<typeof contactsChange>

export const contact = z.object({
  id,
  personId: id,
  relation: z.number().int(),
  name: masked('name', z.string()),
  phone: masked('phone', z.string()),
  gender: z.number().int(),
  photo: id,
  face: facePhoto,
})
export type Contact = z.output<typeof contact>

const errors = [200201, 200224, 200225, 900114] as const

const read = call({
  method: 'GET',
  service: 'biz',
  path: '/person/contact',
  permission: 'person.list',
  summary: 'One contact.',
  query: idQuery,
  data: contact,
})

export const contactCalls = {
  list: call({
    method: 'GET',
    service: 'biz',
    path: '/person/contact/list',
    permission: 'person.list',
    summary: 'Contacts of a person, at most four.',
    query: z.object({ personId: id }),
    data: z.array(contact).max(CONTACTS_PER_PERSON),
  }),
  read,
  create: call({
    method: 'POST',
    service: 'biz',
    path: '/person/contact',
    permission: 'person.list',
    besides: ['own:person.edit'],
    summary: 'Adds a contact; a fifth is refused.',
    body: contactFields.extend({ personId: id }),
    data: created,
    errors,
  }),
  change: call({
    method: 'PUT',
    service: 'biz',
    path: '/person/contact',
    permission: 'person.list',
    besides: ['own:person.edit'],
    summary: 'Changes a contact.',
    record: read,
    body: contactChange.extend({ id }),
    data: created,
    errors,
  }),
  delete: call({
    method: 'DELETE',
    service: 'biz',
    path: '/person/contact',
    permission: 'person.list',
    besides: ['own:person.edit'],
    summary: 'Deletes a contact with the photograph.',
    ...idToDelete,
    data: created,
    errors: [200224],
  }),
}
