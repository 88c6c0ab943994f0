/** Person groups (M05), as the entity PersonGroup names them. */
import { expect } from 'vitest'
import { bears, type Ground, type Json, type SpecifiedCall } from './specified.ts'
import { flat, madeGroup, madePerson } from './making-people.ts'

const tree = ({ done }: Pick<Ground, 'done'>, type = 1) => done<Json[]>('biz', 'GET', `/person/group/tree?type=${type}`)
const groupOf = async (ground: Ground, id: string) => flat(await tree(ground)).find((node) => node['id'] === id)

export const personGroupCalls: readonly SpecifiedCall[] = [
  {
    id: 'CALL-123',
    service: 'biz',
    method: 'GET',
    path: '/person/group/tree',
    does: 'gives the groups of each type as a tree',
    async holds(ground) {
      const above = await madeGroup(ground)
      const below = await madeGroup(ground, { parentId: above.id })
      const visitors = await madeGroup(ground, { type: 3 })
      const node = await groupOf(ground, above.id)
      bears(node!, 'PersonGroup')
      expect(node).toMatchObject({ ...above, type: 1, parentId: null, children: [{ ...below, parentId: above.id, type: 1 }] })
      expect(flat(await tree(ground, 3))).toContainEqual(expect.objectContaining({ ...visitors, type: 3 }))
      expect(await groupOf(ground, visitors.id)).toBeUndefined()
    },
  },
  {
    id: 'CALL-124',
    service: 'biz',
    method: 'POST',
    path: '/person/group',
    does: 'creates a group in which persons can be; refuses a name that is taken',
    async holds(ground) {
      const { id, name } = await madeGroup(ground, { name: '研发_R2' })
      expect(await groupOf(ground, id)).toMatchObject({ name: '研发_R2', parentId: null, type: 1 })
      await madePerson(ground, { groupId: id })
      expect(await ground.listed('biz', 'GET', `/person/base/list?groupId=${id}`)).toHaveLength(1)
      expect(await ground.ask('biz', 'POST', '/person/group', { name, type: 1 })).toMatchObject({ code: 200107 })
      expect(await ground.ask('biz', 'POST', '/person/group', { name: 'with blank', type: 1 })).toMatchObject({ status: 400 })
    },
  },
  {
    id: 'CALL-125',
    service: 'biz',
    method: 'PUT',
    path: '/person/group',
    does: 'takes back what was read, with what changed: another name, another parent',
    async holds(ground) {
      const [above, group] = [await madeGroup(ground), await madeGroup(ground)]
      await ground.done('biz', 'PUT', '/person/group', { ...(await groupOf(ground, group.id)), name: 'Renamed_1' })
      expect(await groupOf(ground, group.id)).toMatchObject({ name: 'Renamed_1', parentId: null })
      await ground.done('biz', 'PUT', '/person/group', { id: group.id, parentId: above.id })
      expect(await groupOf(ground, group.id)).toMatchObject({ name: 'Renamed_1', parentId: above.id })
      const sibling = await madeGroup(ground, { parentId: above.id })
      expect(await ground.ask('biz', 'PUT', '/person/group', { id: sibling.id, name: 'Renamed_1' })).toMatchObject({ code: 200107 })
    },
  },
  {
    id: 'CALL-126',
    service: 'biz',
    method: 'DELETE',
    path: '/person/group',
    does: 'deletes a group, named in the address or in the body, but none with others below it',
    async holds(ground) {
      const [above, other] = [await madeGroup(ground), await madeGroup(ground)]
      const below = await madeGroup(ground, { parentId: above.id })
      expect(await ground.ask('biz', 'DELETE', `/person/group?id=${above.id}`)).toMatchObject({ code: 200102 })
      await ground.done('biz', 'DELETE', `/person/group?id=${below.id}`)
      await ground.done('biz', 'DELETE', `/person/group?id=${above.id}`)
      await ground.done('biz', 'DELETE', '/person/group', { id: other.id })
      for (const { id } of [above, below, other]) expect(await groupOf(ground, id)).toBeUndefined()
    },
  },
  {
    id: 'CALL-127',
    service: 'biz',
    method: 'PUT',
    path: '/person/group/topping',
    does: 'puts a group before its siblings',
    async holds(ground) {
      const above = await madeGroup(ground)
      const below = []
      for (let count = 0; count < 3; count++) below.push(await madeGroup(ground, { parentId: above.id }))
      await ground.done('biz', 'PUT', '/person/group/topping', { id: below[2]!.id })
      const { children } = (await groupOf(ground, above.id)) as { children: Json[] }
      expect(children.map(({ id }) => id)).toEqual([below[2]!.id, below[0]!.id, below[1]!.id])
    },
  },
]
