/** Contacts of persons (M05), as the entity Contact names them. */
import { expect } from 'vitest'
import { bears, type Ground, type Json, type SpecifiedCall } from './specified.ts'
import { cachedFace, madePerson } from './making-people.ts'

/** Create a contact of a person, a new one unless given. */
async function madeContact(ground: Ground, { personId, ...options }: Json = {}): Promise<Json> {
  const fields = {
    personId: personId ?? (await madePerson(ground)).id,
    relation: 4,
    name: 'Li Mei',
    phone: '13900139000',
    gender: 2,
    photo: await cachedFace(ground, 'contact'),
    ...options,
  }
  const { id } = await ground.done('biz', 'POST', '/person/contact', fields)
  return { ...fields, id }
}

const contactsOf = ({ done }: Ground, personId: unknown) => done<Json[]>('biz', 'GET', `/person/contact/list?personId=${String(personId)}`)
const contact = ({ done }: Ground, id: unknown) => done('biz', 'GET', `/person/contact?id=${String(id)}`)
/** A photo is stored under an id of its own. */
const withoutPhoto = ({ photo: _photo, ...rest }: Json) => rest

export const contactCalls: readonly SpecifiedCall[] = [
  {
    id: 'CALL-118',
    service: 'biz',
    method: 'GET',
    path: '/person/contact/list',
    does: 'lists the contacts of a person, and of nobody else',
    async holds(ground) {
      const first = await madeContact(ground)
      const second = await madeContact(ground, { personId: first['personId'], relation: 7, name: 'Aunt', gender: 3 })
      await madeContact(ground, { name: 'Stranger' })
      const listed = await contactsOf(ground, first['personId'])
      expect(listed).toHaveLength(2)
      for (const one of listed) bears(one, 'Contact')
      for (const one of [first, second]) expect(listed).toContainEqual(expect.objectContaining(withoutPhoto(one)))
    },
  },
  {
    id: 'CALL-119',
    service: 'biz',
    method: 'POST',
    path: '/person/contact',
    does: 'adds a contact with its photograph; refuses one without and a fifth',
    async holds(ground) {
      const made = await madeContact(ground)
      const { personId } = made
      expect(await contactsOf(ground, personId)).toMatchObject([withoutPhoto(made)])
      const { photo: _photo, ...without } = made
      expect(await ground.ask('biz', 'POST', '/person/contact', { ...without, id: undefined })).toMatchObject({ status: 400 })
      for (const relation of [1, 2, 3]) await madeContact(ground, { personId, relation })
      const fifth = { personId, relation: 5, name: 'Fifth', phone: '139', gender: 1, photo: await cachedFace(ground, 'fifth') }
      expect((await ground.ask('biz', 'POST', '/person/contact', fifth)).code).not.toBe(0)
      expect(await contactsOf(ground, personId)).toHaveLength(4)
    },
  },
  {
    id: 'CALL-120',
    service: 'biz',
    method: 'PUT',
    path: '/person/contact',
    does: 'takes back what was read, with what changed, and keeps the rest; refuses a phone that is none',
    async holds(ground) {
      const { id } = await madeContact(ground)
      const read = await contact(ground, id)
      await ground.done('biz', 'PUT', '/person/contact', { ...read, name: 'Li Na', relation: 6 })
      const { face: _face, ...rest } = read
      expect(await contact(ground, id)).toMatchObject({ ...rest, name: 'Li Na', relation: 6 })
      await ground.done('biz', 'PUT', '/person/contact', { id, phone: '13900139001' })
      expect(await contact(ground, id)).toMatchObject({ ...rest, name: 'Li Na', relation: 6, phone: '13900139001' })
      expect(await ground.ask('biz', 'PUT', '/person/contact', { id, phone: 'none' })).toMatchObject({ code: 900114 })
    },
  },
  {
    id: 'CALL-121',
    service: 'biz',
    method: 'DELETE',
    path: '/person/contact',
    does: 'deletes a contact, named in the address or in the body, and no other',
    async holds(ground) {
      const { personId, id } = await madeContact(ground)
      const [byBody, kept] = [await madeContact(ground, { personId }), await madeContact(ground, { personId })]
      await ground.done('biz', 'DELETE', `/person/contact?id=${String(id)}`)
      await ground.done('biz', 'DELETE', '/person/contact', { id: byBody['id'] })
      expect((await contactsOf(ground, personId)).map((one) => one['id'])).toEqual([kept['id']])
      expect((await ground.ask('biz', 'GET', `/person/contact?id=${String(id)}`)).status).toBe(404)
    },
  },
  {
    id: 'CALL-122',
    service: 'biz',
    method: 'GET',
    path: '/person/contact',
    does: 'reads one contact; another park does not see it',
    async holds(ground) {
      const made = await madeContact(ground)
      const read = await contact(ground, made['id'])
      bears(read, 'Contact')
      expect(read).toMatchObject(withoutPhoto(made))
      const other = await ground.elsewhere()
      expect((await other.ask('biz', 'GET', `/person/contact?id=${String(made['id'])}`)).status).toBe(404)
    },
  },
]
