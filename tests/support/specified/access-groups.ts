/** Access groups (M07), as point 7.5 of calls.txt and the entity AccessGroup name them. */
import { expect } from 'vitest'
import { bears, type Ground, type Json, type SpecifiedCall } from './specified.ts'

const NOT_FOUND = 300101
const IN_USE = 300102
const NAME_TAKEN = 900004

let groups = 0
/** Create a group of two doors. */
async function madeGroup({ done, park }: Pick<Ground, 'done' | 'park'>): Promise<{ id: string; name: string; deviceIds: string[] }> {
  const fields = { name: `Access group ${++groups}`, deviceIds: [(await park.device()).id, (await park.device()).id] }
  const { id } = await done<{ id: string }>('biz', 'POST', '/access/group', fields)
  return { id, ...fields }
}
/** The specification promises no order. */
const withDevices = (deviceIds: readonly string[]) => ({
  deviceIds: expect.toSatisfy((answered: string[]) => areSame(answered, deviceIds)),
})
const areSame = (one: readonly string[], other: readonly string[]) => String(one.toSorted()) === String(other.toSorted())

export const accessGroupCalls: readonly SpecifiedCall[] = [
  {
    id: 'CALL-187',
    service: 'biz',
    method: 'GET',
    path: '/access/group/list/all',
    does: 'lists all access groups of the park, and no other’s',
    async holds(ground) {
      const { id, name, deviceIds } = await madeGroup(ground)
      const foreign = await madeGroup(await ground.elsewhere())
      const all = await ground.done<Json[]>('biz', 'GET', '/access/group/list/all')
      const found = all.find((group) => group['id'] === id)!
      bears(found, 'AccessGroup')
      expect(found).toMatchObject({ name, ...withDevices(deviceIds) })
      expect(all.map((group) => group['id'])).not.toContain(foreign.id)
    },
  },
  {
    id: 'CALL-188',
    service: 'biz',
    method: 'POST',
    path: '/access/group',
    does: 'creates a group of devices; refuses a name that is taken, and devices of another park',
    async holds(ground) {
      const { id, name, deviceIds } = await madeGroup(ground)
      expect(await ground.done('biz', 'GET', `/access/group?id=${id}`)).toMatchObject({ id, name, ...withDevices(deviceIds) })
      expect(await ground.ask('biz', 'POST', '/access/group', { name, deviceIds })).toMatchObject({ code: NAME_TAKEN })
      const abroad = await (await ground.elsewhere()).park.device()
      expect((await ground.ask('biz', 'POST', '/access/group', { name: 'Abroad', deviceIds: [abroad.id] })).code).not.toBe(0)
    },
  },
  {
    id: 'CALL-189',
    service: 'biz',
    method: 'PUT',
    path: '/access/group',
    does: 'takes back what was read, with what changed, and keeps the rest',
    async holds(ground) {
      const { id, name, deviceIds } = await madeGroup(ground)
      const read = await ground.done('biz', 'GET', `/access/group?id=${id}`)
      await ground.done('biz', 'PUT', '/access/group', { ...read, name: `${name} renamed` })
      expect(await ground.done('biz', 'GET', `/access/group?id=${id}`)).toMatchObject({
        name: `${name} renamed`,
        ...withDevices(deviceIds),
      })
      await ground.done('biz', 'PUT', '/access/group', { id, deviceIds: [deviceIds[1]] })
      expect(await ground.done('biz', 'GET', `/access/group?id=${id}`)).toMatchObject({
        name: `${name} renamed`,
        deviceIds: [deviceIds[1]],
      })
    },
  },
  {
    id: 'CALL-190',
    service: 'biz',
    method: 'GET',
    path: '/access/group',
    does: 'reads one group; another park does not have it',
    async holds(ground) {
      const { id, name, deviceIds } = await madeGroup(ground)
      const read = await ground.done('biz', 'GET', `/access/group?id=${id}`)
      bears(read, 'AccessGroup')
      expect(read).toMatchObject({ id, name, ...withDevices(deviceIds) })
      expect(await (await ground.elsewhere()).ask('biz', 'GET', `/access/group?id=${id}`)).toMatchObject({ code: NOT_FOUND })
    },
  },
  {
    id: 'CALL-191',
    service: 'biz',
    method: 'DELETE',
    path: '/access/group/{id}',
    does: 'deletes a group, but none that a strategy names',
    async holds(ground) {
      const [free, used] = [await madeGroup(ground), await madeGroup(ground)]
      await ground.park.strategy({ accessGroupIds: [used.id] })
      expect(await ground.ask('biz', 'DELETE', `/access/group/${used.id}`)).toMatchObject({ code: IN_USE })
      await ground.done('biz', 'DELETE', `/access/group/${free.id}`)
      expect(await ground.ask('biz', 'GET', `/access/group?id=${free.id}`)).toMatchObject({ code: NOT_FOUND })
      expect(await ground.done('biz', 'GET', `/access/group?id=${used.id}`)).toMatchObject({ name: used.name })
    },
  },
]
