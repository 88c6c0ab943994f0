/** Persons (M05), as point 7.4 of calls.txt and the entity Person name them. */
import { randomUUID } from 'node:crypto'
import { expect } from 'vitest'
import { drawnFace } from '../fixtures.ts'
import { flatPng } from '../pictures.ts'
import { until } from '../until.ts'
import { bears, type Ground, type Integrator, type Json, type SpecifiedCall } from './specified.ts'
import { cachedFace, fileForm, madeGroup, madePerson, nextNumber, personById } from './making-people.ts'

const MINUTE = 60_000
const at = (date: string): number => Date.parse(`${date}T00:00:00Z`)
/** Passwords can be set and are never returned. */
const WITHOUT_PASSWORD = { without: ['personalPassword'] }
/** Contacts are returned with a single person, and by their own list. */
const IN_A_LIST = { without: [...WITHOUT_PASSWORD.without, 'contacts'] }

/** Return values for all text and number fields of a person. */
function everything(): Json {
  const number = nextNumber()
  return {
    name: '王小明',
    workNumber: `J-${number}`,
    phone: `1380013${String(number).padStart(4, '0')}`,
    gender: 2,
    cardType: 2,
    cardNumberFormat: 'hex',
    cardNumber: `A1B2${number}`,
    idType: 'passport',
    idNumber: `E${number}12345`,
    nationality: 'CN',
    birthday: '1990-02-03',
    validFrom: at('2026-01-01'),
    validTo: at('2099-12-31'),
    status: 1,
    remark: 'Second floor',
    kind: 'customer',
  }
}

const list = (by: Integrator, query: string): Promise<Json[]> => by.listed('biz', 'GET', `/person/base/list?${query}`)
const namesOf = (rows: readonly Json[]) => rows.map(({ name }) => name).toSorted()
const gone = async ({ ask }: Integrator, id: string) => (await ask('biz', 'GET', `/person/base?id=${id}`)).status === 404

/** Return the synchronisation status of a person at the one door that admits them. */
async function statusAtDoor({ listed }: Ground, personId: string): Promise<unknown> {
  const [pair] = await listed('biz', 'GET', `/person/sync/status/person/device?personId=${personId}`)
  return pair?.['status']
}

export const personCalls: readonly SpecifiedCall[] = [
  {
    id: 'CALL-104',
    service: 'biz',
    method: 'GET',
    path: '/person/base',
    does: 'reads one person with everything that was said; another park does not see it',
    async holds(ground) {
      const facts = everything()
      const { id, groupId } = await madePerson(ground, facts)
      const read = await personById(ground, id)
      bears(read, 'Person', WITHOUT_PASSWORD)
      expect(read).toMatchObject({ ...facts, id, groupId, status: 1, facePhotos: [], contacts: [] })
      const other = await ground.elsewhere()
      expect(await gone(other, id)).toBe(true)
    },
  },
  {
    id: 'CALL-105',
    service: 'biz',
    method: 'POST',
    path: '/person/base',
    does: 'registers a person with photographs, contacts and a password; refuses numbers that are taken and a fourth photograph',
    async holds(ground) {
      const facts = everything()
      const { id: groupId } = await madeGroup(ground)
      const faces = [await cachedFace(ground, 'as-specified'), await cachedFace(ground, 'as-specified', 1)]
      const { url } = await ground.done('biz', 'POST', '/upload/image', fileForm(await drawnFace(), 'paper.jpg'))
      const { id } = await ground.done('biz', 'POST', '/person/base', {
        ...facts,
        groupId,
        facePhotos: faces,
        idPhoto: url,
        registrationPhoto: '',
        contacts: [{ relation: 2, name: 'Li Mei', phone: '13900139000', gender: 2, photo: await cachedFace(ground, 'mother') }],
        personalPassword: '445566',
      })
      const read = await personById(ground, id as string)
      expect(read).toMatchObject({ ...facts, groupId, contacts: [{ personId: id, relation: 2, name: 'Li Mei', gender: 2 }] })
      expect(read['facePhotos']).toHaveLength(2)
      expect((await fetch(ground.world.url + String(read['idPhoto']))).status).toBe(200)
      expect(JSON.stringify(read)).not.toContain('445566')
      const disabled = await madePerson(ground, { status: 0 })
      expect(await personById(ground, disabled.id)).toMatchObject({ status: 0 })
      const { phone, cardNumber, idNumber, workNumber } = facts
      for (const [taken, code] of [
        [{ phone }, 200005],
        [{ cardNumber, cardNumberFormat: 'hex' }, 200207],
        [{ idNumber }, 200214],
        [{ workNumber }, 200215],
      ] as const)
        expect(await ground.ask('biz', 'POST', '/person/base', { name: 'Second', groupId, ...taken })).toMatchObject({ code })
      const four = await Promise.all([0, 1, 2, 3].map((variant) => cachedFace(ground, 'four', variant)))
      expect(await ground.ask('biz', 'POST', '/person/base', { name: 'Four', groupId, facePhotos: four })).toMatchObject({ code: 200202 })
    },
  },
  {
    id: 'CALL-106',
    service: 'biz',
    method: 'PUT',
    path: '/person/base',
    does: 'takes back what was read, with what changed, and keeps the rest; refuses somebody disabled',
    async holds(ground) {
      const { id } = await madePerson(ground, { ...everything(), facePhotos: [await cachedFace(ground, 'changed')] })
      const read = await personById(ground, id)
      await ground.done('biz', 'PUT', '/person/base', { ...read, name: '王大明', gender: 1 })
      const { version: _version, updatedAt: _updatedAt, faces: _faces, ...rest } = read
      expect(await personById(ground, id)).toMatchObject({ ...rest, name: '王大明', gender: 1 })
      await ground.done('biz', 'PUT', '/person/base', { id, remark: 'Third floor' })
      expect(await personById(ground, id)).toMatchObject({ ...rest, name: '王大明', gender: 1, remark: 'Third floor' })
      await ground.done('biz', 'PUT', '/person/status', { ids: [id], status: 0 })
      expect(await ground.ask('biz', 'PUT', '/person/base', { id, remark: 'Fourth floor' })).toMatchObject({ code: 200224 })
    },
  },
  {
    id: 'CALL-107',
    service: 'biz',
    method: 'POST',
    path: '/person/base/move',
    does: 'moves persons to another group',
    async holds(ground) {
      const [first, second] = [await madePerson(ground), await madePerson(ground)]
      const { id: groupId } = await madeGroup(ground)
      await ground.done('biz', 'POST', '/person/base/move', { ids: [first.id, second.id], groupId })
      expect(namesOf(await list(ground, `groupId=${groupId}`))).toEqual([first.name, second.name].toSorted())
      expect(await list(ground, `groupId=${first.groupId}`)).toEqual([])
    },
  },
  {
    id: 'CALL-108',
    service: 'biz',
    method: 'POST',
    path: '/person/base/copy',
    does: 'copies persons into another group; the originals stay',
    async holds(ground) {
      const person = await madePerson(ground, { gender: 1, nationality: 'FR' })
      const { id: groupId } = await madeGroup(ground)
      await ground.done('biz', 'POST', '/person/base/copy', { ids: [person.id], groupId })
      const [copy] = await list(ground, `groupId=${groupId}`)
      expect(copy).toMatchObject({ name: person.name, gender: 1, nationality: 'FR' })
      expect(copy!['id']).not.toBe(person.id)
      expect(await list(ground, `groupId=${person.groupId}`)).toMatchObject([{ id: person.id }])
    },
  },
  {
    id: 'CALL-109',
    service: 'biz',
    method: 'GET',
    path: '/person/base/export',
    does: 'gives persons as a file, those of the filter; a CSV is UTF-8 with BOM, and none is refused',
    async holds(ground) {
      const person = await madePerson(ground, { name: '导出一人' })
      await madePerson(ground, { name: '不在其中' })
      const { bytes } = await ground.file('biz', 'GET', `/person/base/export?groupId=${person.groupId}`)
      expect(bytes.subarray(0, 2).toString()).toBe('PK')
      const { bytes: csv } = await ground.file('biz', 'GET', `/person/base/export?groupId=${person.groupId}&format=csv`)
      expect([...csv.subarray(0, 3)]).toEqual([0xef, 0xbb, 0xbf])
      expect(csv.toString()).toContain('导出一人')
      expect(csv.toString()).not.toContain('不在其中')
      const { id: nobodyIn } = await madeGroup(ground)
      expect((await ground.ask('biz', 'GET', `/person/base/export?groupId=${nobodyIn}`)).code).not.toBe(0)
    },
  },
  {
    id: 'CALL-110',
    service: 'biz',
    method: 'DELETE',
    path: '/person/base/delete',
    does: 'deletes persons named in the address or in the body, but nobody who is disabled',
    async holds(ground) {
      const [first, second, disabled] = [await madePerson(ground), await madePerson(ground), await madePerson(ground)]
      await ground.done('biz', 'DELETE', `/person/base/delete?ids=${first.id}`)
      await ground.done('biz', 'DELETE', '/person/base/delete', { ids: [second.id] })
      for (const { id } of [first, second]) expect(await gone(ground, id)).toBe(true)
      await ground.done('biz', 'PUT', '/person/status', { ids: [disabled.id], status: 0 })
      expect(await ground.ask('biz', 'DELETE', `/person/base/delete?ids=${disabled.id}`)).toMatchObject({ code: 200224 })
      expect(await gone(ground, disabled.id)).toBe(false)
    },
  },
  {
    id: 'CALL-111',
    service: 'biz',
    method: 'DELETE',
    path: '/person/base/confirm',
    does: 'tells what a deletion would lose, and deletes nothing',
    async holds(ground) {
      const [first, second] = [await madePerson(ground, { facePhotos: [await cachedFace(ground, 'lost')] }), await madePerson(ground)]
      expect(await ground.done('biz', 'DELETE', `/person/base/confirm?ids=${first.id},${second.id}`)).toMatchObject({
        persons: 2,
        faces: 1,
      })
      for (const { id } of [first, second]) expect(await gone(ground, id)).toBe(false)
    },
  },
  {
    id: 'CALL-112',
    service: 'biz',
    method: 'GET',
    path: '/person/base/list',
    does: 'lists persons in pages, with everything a person has, and finds by name, number, group and status',
    async holds(ground) {
      const { id: groupId } = await madeGroup(ground)
      const facts = { ...everything(), name: '赵一一' }
      const people = [facts, { name: '赵二' }, { name: '孙三' }]
      const ids = await Promise.all(people.map(async (one) => (await madePerson(ground, { ...one, groupId })).id))
      const page = await ground.done<{ total: number; content: Json[] }>('biz', 'GET', `/person/base/list?page=2&size=2&groupId=${groupId}`)
      expect(page).toMatchObject({ total: 3, content: [{}] })
      const [found] = await list(ground, `workNumber=${String(facts['workNumber' as never])}`)
      bears(found!, 'Person', IN_A_LIST)
      expect(found).toMatchObject({ ...facts, id: ids[0], groupId })
      expect(namesOf(await list(ground, `groupId=${groupId}&name=${encodeURIComponent('赵')}`))).toEqual(['赵一一', '赵二'])
      await ground.done('biz', 'PUT', '/person/status', { ids: [ids[2]], status: 0 })
      expect(namesOf(await list(ground, `groupId=${groupId}&status=0`))).toEqual(['孙三'])
    },
  },
  {
    id: 'CALL-113',
    service: 'biz',
    method: 'POST',
    path: '/person/base/list',
    does: 'lists persons by a filter in the body',
    async holds(ground) {
      const { id: groupId } = await madeGroup(ground)
      const staff = await madePerson(ground, { groupId, kind: 'staff' })
      const customer = await madePerson(ground, { groupId, kind: 'customer' })
      const find = (filter: Json) => ground.listed('biz', 'POST', '/person/base/list', { groupId, ...filter })
      expect(await find({ page: 1, size: 1 })).toHaveLength(1)
      const [found, ...others] = await find({ kind: 'customer' })
      expect(others).toEqual([])
      bears(found!, 'Person', IN_A_LIST)
      expect(found).toMatchObject(customer)
      expect(namesOf(await find({ kind: 'staff', page: 1, size: 20 }))).toEqual([staff.name])
    },
  },
  {
    id: 'CALL-114',
    service: 'biz',
    method: 'PUT',
    path: '/person/status',
    does: 'disables (0) and enables (1) persons; whoever is past the validity is expired (2)',
    async holds(ground) {
      const [first, second] = [await madePerson(ground), await madePerson(ground, { validTo: ground.world.clock.now() + 5 * MINUTE })]
      const ids = [first.id, second.id]
      const standing = () => Promise.all(ids.map(async (id) => (await personById(ground, id))['status']))
      await ground.done('biz', 'PUT', '/person/status', { ids, status: 0 })
      expect(await standing()).toEqual([0, 0])
      await ground.done('biz', 'PUT', '/person/status', { ids, status: 1 })
      expect(await standing()).toEqual([1, 1])
      expect(await ground.after(6 * MINUTE, standing)).toEqual([1, 2])
      expect(await ground.ask('biz', 'PUT', '/person/status', { ids, status: 2 })).toMatchObject({ status: 400 })
    },
  },
  {
    id: 'CALL-115',
    service: 'biz',
    method: 'PUT',
    path: '/person/base/retrySend',
    does: 'sends persons once more to the devices that are to hold them',
    async holds(ground) {
      const door = await ground.park.device()
      const person = await ground.park.person({ photo: await drawnFace(), permittedAt: door })
      const terminal = await ground.world.terminal(door)
      await until('the terminal to hold the person', async () => (await statusAtDoor(ground, person.id)) === 2)
      await terminal.stop()
      await ground.done('biz', 'PUT', '/person/base/retrySend', { ids: [person.id] })
      await until('the person to be on the way again', async () => (await statusAtDoor(ground, person.id)) === 0)
      const again = await ground.world.terminal(door)
      await until('the terminal to hold the person again', async () => (await statusAtDoor(ground, person.id)) === 2)
      await again.stop()
      expect((await ground.ask('biz', 'PUT', '/person/base/retrySend', { ids: [randomUUID()] })).status).toBe(404)
    },
  },
  {
    id: 'CALL-116',
    service: 'biz',
    method: 'GET',
    path: '/person/base/realidIdentity',
    does: 'tells an ID number that cannot be one from others',
    async holds({ done }) {
      const about = (idNumber: string) =>
        done('biz', 'GET', `/person/base/realidIdentity?name=${encodeURIComponent('王小明')}&idNumber=${idNumber}`)
      // Who owns a number cannot be verified without a register: only a negative answer is certain.
      expect(await about('11010519491231002X')).toMatchObject({ agrees: null })
      expect(await about('110105194912310021')).toMatchObject({ agrees: false })
      expect(await about('110105194913310029')).toMatchObject({ agrees: false })
    },
  },
  {
    id: 'CALL-117',
    service: 'biz',
    method: 'POST',
    path: '/face/cache',
    does: 'checks a photograph and keeps it for a person; refuses pictures without a face, too small or unreadable',
    async holds(ground) {
      const { id } = await madePerson(ground, { facePhotos: [await cachedFace(ground, 'cached')] })
      expect((await personById(ground, id))['facePhotos']).toHaveLength(1)
      const refused = async (bytes: Uint8Array, name = 'face.png') =>
        (await ground.ask('biz', 'POST', '/face/cache', fileForm(bytes, name))).code
      expect(await refused(flatPng(400, 400))).toBe(200204)
      expect(await refused(flatPng(64, 64))).toBe(200208)
      expect(await refused(Buffer.from('no picture at all'))).toBe(200205)
      const several = await ground.world.photographs.odd('group_two_people.jpg')
      if (several !== null) expect(await refused(several, 'group.jpg')).toBe(200218)
    },
  },
]
