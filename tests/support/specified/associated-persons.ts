/** Persons of linked parks (M05), as point 7.4 of calls.txt names them. */
import { expect } from 'vitest'
import { bears, type Ground, type Integrator, type Json, type SpecifiedCall } from './specified.ts'

/** Fields of a person that another park does not receive: what they are recognised by, and their data in their home park. */
const OF_THE_OTHER_PARK = [
  'groupId',
  'cardType',
  'cardNumberFormat',
  'cardNumber',
  'idType',
  'idNumber',
  'nationality',
  'birthday',
  'facePhotos',
  'idPhoto',
  'registrationPhoto',
  'remark',
  'customFields',
  'contacts',
  'kind',
  'personalPassword',
]

/** Create two people of another park, which shares one of them with this one. */
async function shared(ground: Ground): Promise<{ person: Json; home: Integrator }> {
  const home = await ground.elsewhere()
  const [person, unshared] = [await home.park.person({ gender: 2, phone: '13700137000' }), await home.park.person()]
  const { verificationCode } = await ground.done('biz', 'GET', '/areaCodes/getVerificationCode')
  const { id } = await home.done('biz', 'POST', '/relation/config', { authorisationCode: verificationCode, personIds: [person.id] })
  await ground.done('biz', 'PUT', '/relation/config', { id, status: 'agreed' })
  expect((await ground.ask('biz', 'GET', `/person/relation?id=${unshared.id}`)).status).toBe(404)
  return { home, person: { id: person.id, name: person.name, workNumber: person.workNumber, phone: '13700137000', gender: 2 } }
}

export const associatedPersonCalls: readonly SpecifiedCall[] = [
  {
    id: 'CALL-146',
    service: 'biz',
    method: 'GET',
    path: '/person/relation/list',
    does: 'lists the people whom linked parks share, in pages, and tells the sharing park none',
    async holds(ground) {
      const { person, home } = await shared(ground)
      const listed = await ground.listed('biz', 'GET', '/person/relation/list?page=1&size=100')
      const found = listed.find(({ id }) => id === person['id'])!
      bears(found, 'Person', { without: OF_THE_OTHER_PARK })
      expect(found).toMatchObject({ ...person, status: 1 })
      expect(await ground.listed('biz', 'GET', `/person/relation/list?workNumber=${String(person['workNumber'])}`)).toHaveLength(1)
      expect(await home.listed('biz', 'GET', '/person/relation/list')).toEqual([])
    },
  },
  {
    id: 'CALL-147',
    service: 'biz',
    method: 'GET',
    path: '/person/relation',
    does: 'reads one person whom a linked park shares, and is not the call for people of this park',
    async holds(ground) {
      const { person } = await shared(ground)
      const read = await ground.done('biz', 'GET', `/person/relation?id=${String(person['id'])}`)
      bears(read, 'Person', { without: OF_THE_OTHER_PARK })
      expect(read).toMatchObject({ ...person, status: 1 })
      const own = await ground.park.person()
      expect((await ground.ask('biz', 'GET', `/person/relation?id=${own.id}`)).status).toBe(404)
    },
  },
]
