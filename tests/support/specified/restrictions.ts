/** Restriction areas (M07), as point 7.5 of calls.txt and the entities RestrictionArea and RestrictionPersonStatus name them. */
import { expect } from 'vitest'
import { bears, type Ground, type Json, type SpecifiedCall } from './specified.ts'

const DEVICE_IN_TWO_AREAS = 510_012
const [OUTSIDE, INSIDE] = [0, 1]

let areas = 0
/** Create an area with two doors, for at most twelve persons. */
async function madeArea({ done, park }: Pick<Ground, 'done' | 'park'>, options: Json = {}) {
  const fields = {
    name: `Restriction ${++areas}`,
    limitType: 'flowLimit',
    deviceIds: [(await park.device()).id, (await park.device()).id].toSorted(),
    limitCount: 12,
    antiSneakBack: true,
    flowLimit: true,
    ...options,
  }
  const { id } = await done<{ id: string }>('biz', 'POST', '/access/restriction/config', fields)
  return { id, fields }
}

async function read({ done }: Pick<Ground, 'done'>, id: string): Promise<Json> {
  const answered = await done('biz', 'GET', `/access/restriction/config/detail/${id}`)
  return { ...answered, deviceIds: (answered['deviceIds'] as string[]).toSorted() }
}

/** Return the statuses of persons of an area. */
const statusesIn = ({ listed }: Pick<Ground, 'listed'>, restrictionId: string, filter: Json = {}) =>
  listed('biz', 'POST', '/access/restriction/antiSneakBack/person/status/list', { restrictionId, ...filter })

export const restrictionCalls: readonly SpecifiedCall[] = [
  {
    id: 'CALL-198',
    service: 'biz',
    method: 'POST',
    path: '/access/restriction/config/list',
    does: 'lists restriction areas in pages, with everything an area has',
    async holds(ground) {
      const { id, fields } = await madeArea(ground)
      await madeArea(ground)
      const list = (page: Json) => ground.listed('biz', 'POST', '/access/restriction/config/list', page)
      const all = await list({ page: 1, size: 100 })
      const found = all.find((area) => area['id'] === id)!
      bears(found, 'RestrictionArea')
      expect(found).toMatchObject({ ...fields, deviceIds: expect.arrayContaining(fields.deviceIds) })
      expect(await list({ page: 2, size: 1 })).toMatchObject([{ id: all[1]!['id'] }])
    },
  },
  {
    id: 'CALL-199',
    service: 'biz',
    method: 'POST',
    path: '/access/restriction/config',
    does: 'creates an area by what it is for, or with both rules; refuses a device that is in another area',
    async holds(ground) {
      const { id, fields } = await madeArea(ground)
      expect(await read(ground, id)).toMatchObject({ id, ...fields })
      const create = (body: Json) => ground.done<{ id: string }>('biz', 'POST', '/access/restriction/config', body)
      const flow = await create({ name: 'By flow', limitType: 'flowLimit', deviceIds: [(await ground.park.device()).id], limitCount: 3 })
      expect(await read(ground, flow.id)).toMatchObject({ flowLimit: true, antiSneakBack: false, limitCount: 3 })
      const sneak = await create({ name: 'By sneaking back', limitType: 'antiSneakBack', deviceIds: [(await ground.park.device()).id] })
      expect(await read(ground, sneak.id)).toMatchObject({ flowLimit: false, antiSneakBack: true, limitCount: null })
      expect(
        await ground.ask('biz', 'POST', '/access/restriction/config', { ...fields, name: 'Twice', deviceIds: [fields.deviceIds[0]] }),
      ).toMatchObject({ code: DEVICE_IN_TWO_AREAS })
    },
  },
  {
    id: 'CALL-200',
    service: 'biz',
    method: 'PUT',
    path: '/access/restriction/config',
    does: 'takes back what was read, with what changed, and keeps the rest; refuses a device that is in another area',
    async holds(ground) {
      const [{ id, fields }, other] = [await madeArea(ground), await madeArea(ground)]
      await ground.done('biz', 'PUT', '/access/restriction/config', { ...(await read(ground, id)), name: `${fields.name} renamed` })
      expect(await read(ground, id)).toMatchObject({ ...fields, name: `${fields.name} renamed` })
      await ground.done('biz', 'PUT', '/access/restriction/config', { id, limitCount: 7, antiSneakBack: false })
      const changed = { ...fields, name: `${fields.name} renamed`, limitCount: 7, antiSneakBack: false }
      expect(await read(ground, id)).toMatchObject(changed)
      const deviceIds = [fields.deviceIds[0], other.fields.deviceIds[0]]
      expect(await ground.ask('biz', 'PUT', '/access/restriction/config', { id, deviceIds })).toMatchObject({ code: DEVICE_IN_TWO_AREAS })
      expect(await read(ground, id)).toMatchObject(changed)
    },
  },
  {
    id: 'CALL-201',
    service: 'biz',
    method: 'DELETE',
    path: '/access/restriction/config/{id}',
    does: 'deletes an area, whose devices are free for another one',
    async holds(ground) {
      const { id, fields } = await madeArea(ground)
      const other = await ground.elsewhere()
      expect((await other.ask('biz', 'DELETE', `/access/restriction/config/${id}`)).status).toBe(404)
      await ground.done('biz', 'DELETE', `/access/restriction/config/${id}`)
      expect((await ground.ask('biz', 'GET', `/access/restriction/config/detail/${id}`)).status).toBe(404)
      await madeArea(ground, { deviceIds: fields.deviceIds })
    },
  },
  {
    id: 'CALL-202',
    service: 'biz',
    method: 'GET',
    path: '/access/restriction/config/detail/{id}',
    does: 'reads one area; another park does not have it',
    async holds(ground) {
      const { id, fields } = await madeArea(ground)
      const answered = await read(ground, id)
      bears(answered, 'RestrictionArea')
      expect(answered).toMatchObject({ id, ...fields })
      const other = await ground.elsewhere()
      expect((await other.ask('biz', 'GET', `/access/restriction/config/detail/${id}`)).status).toBe(404)
    },
  },
  {
    id: 'CALL-203',
    service: 'biz',
    method: 'POST',
    path: '/access/restriction/antiSneakBack/person/status/list',
    does: 'lists in pages whether persons are inside an area, and knows nothing of them in another',
    async holds(ground) {
      const [area, other] = [await madeArea(ground), await madeArea(ground)]
      const [inside, outside] = [await ground.park.person(), await ground.park.person()]
      const put = (personId: string, status: number) =>
        ground.done('biz', 'PUT', '/access/restriction/antiSneakBack/person/status', { restrictionId: area.id, personId, status })
      await put(inside.id, INSIDE)
      await put(outside.id, OUTSIDE)
      const all = await statusesIn(ground, area.id, { page: 1, size: 20 })
      bears(all[0]!, 'RestrictionPersonStatus')
      expect(all.map(({ restrictionId, personId, status }) => [restrictionId, personId, status]).toSorted()).toEqual(
        [
          [area.id, inside.id, INSIDE],
          [area.id, outside.id, OUTSIDE],
        ].toSorted(),
      )
      expect(await statusesIn(ground, area.id, { status: INSIDE })).toMatchObject([{ personId: inside.id, personName: inside.name }])
      expect(await statusesIn(ground, area.id, { page: 2, size: 1 })).toMatchObject([{ personId: all[1]!['personId'] }])
      expect(await statusesIn(ground, other.id)).toEqual([])
    },
  },
  {
    id: 'CALL-204',
    service: 'biz',
    method: 'PUT',
    path: '/access/restriction/antiSneakBack/person/status',
    does: 'sets whether a person is inside, of a person this park has',
    async holds(ground) {
      const [{ id: restrictionId }, person] = [await madeArea(ground), await ground.park.person()]
      const put = (personId: string, status: number) =>
        ground.ask('biz', 'PUT', '/access/restriction/antiSneakBack/person/status', { restrictionId, personId, status })
      expect((await put(person.id, INSIDE)).code).toBe(0)
      expect(await statusesIn(ground, restrictionId)).toMatchObject([{ personId: person.id, status: INSIDE }])
      expect((await put(person.id, OUTSIDE)).code).toBe(0)
      expect(await statusesIn(ground, restrictionId)).toMatchObject([{ personId: person.id, status: OUTSIDE }])
      const abroad = await (await ground.elsewhere()).park.person()
      expect((await put(abroad.id, INSIDE)).code).not.toBe(0)
      expect(await statusesIn(ground, restrictionId)).toHaveLength(1)
    },
  },
  {
    id: 'CALL-205',
    service: 'biz',
    method: 'PUT',
    path: '/access/restriction/flowLimit/status/{id}',
    does: 'switches the flow limit off and on, and keeps the rest',
    async holds(ground) {
      const { id, fields } = await madeArea(ground)
      const path = `/access/restriction/flowLimit/status/${id}`
      await ground.done('biz', 'PUT', path, { status: 0 })
      expect(await read(ground, id)).toMatchObject({ ...fields, flowLimit: false })
      await ground.done('biz', 'PUT', path, { status: 1 })
      expect(await read(ground, id)).toMatchObject({ ...fields, flowLimit: true })
      await ground.done('biz', 'PUT', path, { flowLimit: false })
      expect(await read(ground, id)).toMatchObject({ ...fields, flowLimit: false })
      expect((await (await ground.elsewhere()).ask('biz', 'PUT', path, { status: 1 })).status).toBe(404)
      expect(await read(ground, id)).toMatchObject({ flowLimit: false })
    },
  },
]
