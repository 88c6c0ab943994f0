/** The persons of the watch list and their groups (M05), as point 7.4 of calls.txt and the entity SpecialPerson name them. */
import { expect } from 'vitest'
import { bears, type Ground, type Integrator, type Json, type SpecifiedCall } from './specified.ts'
import { cachedFace, flat, nextNumber } from './making-people.ts'

/** Returned as a person by its own id, which `personId` would repeat. */
const WITHOUT_PERSON = { without: ['personId'] }
const WITHOUT_PASSWORD = { without: ['personalPassword'] }

async function madeGroup({ done }: Pick<Ground, 'done'>, options: Json = {}): Promise<{ id: string; name: string }> {
  const { name = `Watched_${nextNumber()}` } = options
  const { id } = await done('biz', 'POST', '/person/special/group', { ...options, name })
  return { id: id as string, name: name as string }
}

async function madeSpecial(ground: Pick<Ground, 'done'>, options: Json = {}) {
  const { name = `Suspect ${nextNumber()}`, groupId = (await madeGroup(ground)).id } = options
  const { id } = await ground.done('biz', 'POST', '/person/special', { ...options, name, groupId })
  return { id: id as string, name: name as string, groupId: groupId as string }
}

/** Return the administrator in another park: the watch list does not exist for role sign other, which a new session has. */
async function anotherPark({ world, by }: Ground): Promise<Integrator> {
  const { client } = await world.addPark()
  return by((client.credentials as { bearer: string }).bearer)
}

const special = ({ done }: Integrator, id: string) => done('biz', 'GET', `/person/special?id=${id}`)
const list = ({ listed }: Integrator, query: string) => listed('biz', 'GET', `/person/special/list?${query}`)
const gone = async ({ ask }: Integrator, id: string) => (await ask('biz', 'GET', `/person/special?id=${id}`)).status === 404
const tree = ({ done }: Integrator) => done<Json[]>('biz', 'GET', '/person/special/group/tree')
const groupOf = async (by: Integrator, id: string) => flat(await tree(by)).find((node) => node['id'] === id)

export const specialPersonCalls: readonly SpecifiedCall[] = [
  {
    id: 'CALL-128',
    service: 'biz',
    method: 'GET',
    path: '/person/special/group/treenoblacklevel',
    does: 'gives the groups without the one at the top that only holds the others',
    async holds(ground) {
      const at = await anotherPark(ground)
      const top = await madeGroup(at)
      const below = await madeGroup(at, { parentId: top.id })
      const picked = await at.done<Json[]>('biz', 'GET', '/person/special/group/treenoblacklevel')
      bears(picked[0]!, 'PersonGroup')
      expect(picked).toMatchObject([{ ...below, type: 2 }])
      expect(await tree(at)).toMatchObject([{ ...top, children: [below] }])
    },
  },
  {
    id: 'CALL-129',
    service: 'biz',
    method: 'GET',
    path: '/person/special/list',
    does: 'lists them in pages, with everything a person has, and nobody of the staff',
    async holds(ground) {
      const { id: groupId } = await madeGroup(ground)
      const [first] = [
        await madeSpecial(ground, { groupId, gender: 1, idNumber: `X${nextNumber()}9` }),
        await madeSpecial(ground, { groupId }),
      ]
      await ground.park.person({ name: 'Clerk' })
      expect(await list(ground, `groupId=${groupId}&page=1&size=1`)).toHaveLength(1)
      const all = await list(ground, 'page=1&size=100')
      expect(all.map(({ name }) => name)).not.toContain('Clerk')
      const found = all.find(({ id }) => id === first.id)!
      bears(found, 'SpecialPerson', WITHOUT_PERSON)
      // Contacts are returned with a single person, and by their own list.
      bears(found, 'Person', { without: [...WITHOUT_PASSWORD.without, 'contacts'] })
      expect(found).toMatchObject({ ...first, gender: 1, status: 1 })
    },
  },
  {
    id: 'CALL-130',
    service: 'biz',
    method: 'GET',
    path: '/person/special',
    does: 'reads one of them; somebody of the staff is none, and another park sees none',
    async holds(ground) {
      const made = await madeSpecial(ground, { remark: 'Left without paying' })
      const read = await special(ground, made.id)
      bears(read, 'SpecialPerson', WITHOUT_PERSON)
      bears(read, 'Person', WITHOUT_PASSWORD)
      expect(read).toMatchObject({ ...made, remark: 'Left without paying', status: 1 })
      const staff = await ground.park.person()
      expect(await gone(ground, staff.id)).toBe(true)
      expect(await gone(await anotherPark(ground), made.id)).toBe(true)
    },
  },
  {
    id: 'CALL-131',
    service: 'biz',
    method: 'POST',
    path: '/person/special',
    does: 'adds one with a photograph to a group of the blacklist, and to no other group',
    async holds(ground) {
      const made = await madeSpecial(ground, {
        gender: 2,
        phone: `137${nextNumber()}00`,
        facePhotos: [await cachedFace(ground, 'suspect')],
      })
      const read = await special(ground, made.id)
      expect(read).toMatchObject({ ...made, gender: 2 })
      expect(read['facePhotos']).toHaveLength(1)
      const disabled = await madeSpecial(ground, { status: 0 })
      expect(await special(ground, disabled.id)).toMatchObject({ status: 0 })
      const { id: groupId } = await ground.park.personGroup()
      expect(await ground.ask('biz', 'POST', '/person/special', { name: 'Misplaced', groupId })).toMatchObject({ status: 400 })
    },
  },
  {
    id: 'CALL-132',
    service: 'biz',
    method: 'PUT',
    path: '/person/special',
    does: 'takes back what was read, with what changed, and keeps the rest; refuses somebody disabled',
    async holds(ground) {
      const { id } = await madeSpecial(ground, { gender: 2, nationality: 'IT' })
      await ground.done('biz', 'PUT', '/person/special', { ...(await special(ground, id)), name: 'Moriarty' })
      expect(await special(ground, id)).toMatchObject({ name: 'Moriarty', gender: 2, nationality: 'IT' })
      await ground.done('biz', 'PUT', '/person/special', { id, nationality: 'FR' })
      expect(await special(ground, id)).toMatchObject({ name: 'Moriarty', gender: 2, nationality: 'FR' })
      await ground.done('biz', 'PUT', '/person/special/status', { ids: [id], status: 0 })
      expect(await ground.ask('biz', 'PUT', '/person/special', { id, nationality: 'ES' })).toMatchObject({ code: 200224 })
    },
  },
  {
    id: 'CALL-133',
    service: 'biz',
    method: 'DELETE',
    path: '/person/special/batch/delete',
    does: 'deletes several of them, named in the address or in the body',
    async holds(ground) {
      const [first, second, third] = [await madeSpecial(ground), await madeSpecial(ground), await madeSpecial(ground)]
      await ground.done('biz', 'DELETE', `/person/special/batch/delete?ids=${first.id},${second.id}`)
      await ground.done('biz', 'DELETE', '/person/special/batch/delete', { ids: [third.id] })
      for (const { id } of [first, second, third]) expect(await gone(ground, id)).toBe(true)
      const staff = await ground.park.person()
      expect((await ground.ask('biz', 'DELETE', `/person/special/batch/delete?ids=${staff.id}`)).status).toBe(404)
    },
  },
  {
    id: 'CALL-134',
    service: 'biz',
    method: 'POST',
    path: '/person/special/move',
    does: 'moves several of them to another group',
    async holds(ground) {
      const [first, second] = [await madeSpecial(ground), await madeSpecial(ground)]
      const { id: groupId } = await madeGroup(ground)
      await ground.done('biz', 'POST', '/person/special/move', { ids: [first.id, second.id], groupId })
      expect(await list(ground, `groupId=${groupId}`)).toHaveLength(2)
      expect(await list(ground, `groupId=${first.groupId}`)).toEqual([])
    },
  },
  {
    id: 'CALL-135',
    service: 'biz',
    method: 'PUT',
    path: '/person/special/status',
    does: 'disables (0) and enables (1) several of them',
    async holds(ground) {
      const [first, second] = [await madeSpecial(ground), await madeSpecial(ground)]
      const ids = [first.id, second.id]
      const standing = () => Promise.all(ids.map(async (id) => (await special(ground, id))['status']))
      await ground.done('biz', 'PUT', '/person/special/status', { ids, status: 0 })
      expect(await standing()).toEqual([0, 0])
      await ground.done('biz', 'PUT', '/person/special/status', { ids, status: 1 })
      expect(await standing()).toEqual([1, 1])
    },
  },
  {
    id: 'CALL-136',
    service: 'biz',
    method: 'POST',
    path: '/person/special/group',
    does: 'creates a group of the blacklist; refuses a name that is taken',
    async holds(ground) {
      const { id, name } = await madeGroup(ground, { name: '重点_1' })
      const below = await madeGroup(ground, { parentId: id, type: 2 })
      expect(await groupOf(ground, id)).toMatchObject({ name, type: 2, parentId: null, children: [{ ...below, parentId: id }] })
      expect(await ground.ask('biz', 'POST', '/person/special/group', { name })).toMatchObject({ code: 200107 })
    },
  },
  {
    id: 'CALL-137',
    service: 'biz',
    method: 'PUT',
    path: '/person/special/group',
    does: 'takes back what was read, with what changed: another name, another parent',
    async holds(ground) {
      const [above, group] = [await madeGroup(ground), await madeGroup(ground)]
      await ground.done('biz', 'PUT', '/person/special/group', { ...(await groupOf(ground, group.id)), name: 'Wanted_1' })
      expect(await groupOf(ground, group.id)).toMatchObject({ name: 'Wanted_1', parentId: null })
      await ground.done('biz', 'PUT', '/person/special/group', { id: group.id, parentId: above.id })
      expect(await groupOf(ground, group.id)).toMatchObject({ name: 'Wanted_1', parentId: above.id })
      // The call does not find groups of staff.
      const { id } = await ground.park.personGroup()
      expect((await ground.ask('biz', 'PUT', '/person/special/group', { id, name: 'Taken_1' })).status).toBe(404)
    },
  },
  {
    id: 'CALL-138',
    service: 'biz',
    method: 'DELETE',
    path: '/person/special/group/{id}',
    does: 'deletes a group, but none with others below it or with persons in it',
    async holds(ground) {
      const above = await madeGroup(ground)
      const below = await madeGroup(ground, { parentId: above.id })
      expect(await ground.ask('biz', 'DELETE', `/person/special/group/${above.id}`)).toMatchObject({ code: 200102 })
      await ground.done('biz', 'DELETE', `/person/special/group/${below.id}`)
      await ground.done('biz', 'DELETE', `/person/special/group/${above.id}`)
      for (const { id } of [above, below]) expect(await groupOf(ground, id)).toBeUndefined()
      const { groupId } = await madeSpecial(ground)
      expect(await ground.ask('biz', 'DELETE', `/person/special/group/${groupId}`)).toMatchObject({ code: 900109 })
    },
  },
  {
    id: 'CALL-139',
    service: 'biz',
    method: 'GET',
    path: '/person/special/group/tree',
    does: 'gives the groups of the blacklist as a tree, and no others',
    async holds(ground) {
      const above = await madeGroup(ground)
      const below = await madeGroup(ground, { parentId: above.id })
      const { id: ofStaff } = await ground.park.personGroup()
      const node = await groupOf(ground, above.id)
      bears(node!, 'PersonGroup')
      expect(node).toMatchObject({ ...above, type: 2, children: [{ ...below, parentId: above.id }] })
      expect(await groupOf(ground, ofStaff)).toBeUndefined()
    },
  },
  {
    id: 'CALL-140',
    service: 'biz',
    method: 'PUT',
    path: '/person/special/group/topping',
    does: 'puts a group before its siblings',
    async holds(ground) {
      const above = await madeGroup(ground)
      const below = []
      for (let count = 0; count < 3; count++) below.push(await madeGroup(ground, { parentId: above.id }))
      await ground.done('biz', 'PUT', '/person/special/group/topping', { id: below[1]!.id })
      const { children } = (await groupOf(ground, above.id)) as { children: Json[] }
      expect(children.map(({ id }) => id)).toEqual([below[1]!.id, below[0]!.id, below[2]!.id])
    },
  },
]
