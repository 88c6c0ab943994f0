/** The person form of a park (M05), its fields as the entity CustomField names them. */
import { expect } from 'vitest'
import { bears, type Json, type SpecifiedCall } from './specified.ts'
import { madePerson, personById } from './making-people.ts'

const SHIRT = { title: 'Shirt', required: false, visible: true, order: 2 }
const LOCKER = { title: 'Locker', required: false, visible: false, order: 1 }

export const personFormCalls: readonly SpecifiedCall[] = [
  {
    id: 'CALL-102',
    service: 'biz',
    method: 'GET',
    path: '/person/form',
    does: 'tells the fields a park has added, which its persons then have',
    async holds(ground) {
      const at = await ground.elsewhere()
      await at.done('biz', 'POST', '/person/form', { fields: [SHIRT, LOCKER] })
      const { fields } = await at.done<{ fields: Json[] }>('biz', 'GET', '/person/form')
      for (const field of fields) bears(field, 'CustomField')
      expect(fields).toMatchObject([LOCKER, SHIRT])
      const [, shirt] = fields
      const { id } = await madePerson(at, { customFields: [{ id: shirt!['id'], value: 'XL' }] })
      expect((await personById(at, id))['customFields']).toContainEqual({ id: shirt!['id'], title: 'Shirt', value: 'XL' })
    },
  },
  {
    id: 'CALL-103',
    service: 'biz',
    method: 'POST',
    path: '/person/form',
    does: 'takes back what was read, with what changed; asks for what is required, and refuses two fields of one title',
    async holds(ground) {
      const at = await ground.elsewhere()
      await at.done('biz', 'POST', '/person/form', { fields: [LOCKER, SHIRT] })
      const read = await at.done<{ fields: Json[] }>('biz', 'GET', '/person/form')
      const [locker, shirt] = read.fields
      await at.done('biz', 'POST', '/person/form', {
        ...read,
        fields: [
          { ...shirt, order: 1, required: true },
          { ...locker, order: 2 },
        ],
      })
      const { fields } = await at.done<{ fields: Json[] }>('biz', 'GET', '/person/form')
      expect(fields).toEqual([
        { ...shirt, order: 1, required: true },
        { ...locker, order: 2 },
      ])
      const { id: groupId } = await at.park.personGroup()
      expect(await at.ask('biz', 'POST', '/person/base', { name: 'Bare', groupId })).toMatchObject({ status: 400 })
      const twice = [{ title: 'Locker' }, { title: 'Locker' }]
      expect(await at.ask('biz', 'POST', '/person/form', { fields: twice })).toMatchObject({ code: 900004 })
    },
  },
]
