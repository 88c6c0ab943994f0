/** Trees of devices and their groups, and the locations of devices (M06), as the entity DeviceGroup names them. */
import { expect } from 'vitest'
import { bears, type Ground, type Json, type SpecifiedCall } from './specified.ts'
import { flat } from './making-people.ts'

/** Create a group by a call of our own, as the specification has none for it. */
async function group({ done }: Pick<Ground, 'done'>, fields: Json): Promise<string> {
  return (await done('biz', 'POST', '/device/group', fields))['id'] as string
}

const idsOf = (tree: readonly Json[]) => flat(tree).map(({ id }) => id)

/** Create a park of its own: a group with a device in it below another, and a group without any. */
async function parkWithDevices(ground: Ground) {
  const at = await ground.elsewhere()
  const above = await group(at, { name: 'Building', defaultDirection: 2 })
  const [below, empty] = [await group(at, { name: 'Floor', parentId: above }), await group(at, { name: 'Roof' })]
  const device = await at.park.device({ groupId: below })
  return { at, above, below, empty, device }
}

export const deviceTreeCalls: readonly SpecifiedCall[] = [
  {
    id: 'CALL-038',
    service: 'as',
    method: 'POST',
    path: '/areaCodes/deviceTree',
    does: 'gives the devices of the park below their groups',
    async holds(ground) {
      const { at, above, below, empty, device } = await parkWithDevices(ground)
      const tree = await at.done<Json[]>('as', 'POST', '/areaCodes/deviceTree', {})
      expect(tree).toMatchObject([
        { id: above, name: 'Building', children: [{ id: below, children: [{ id: device.id, name: device.name }] }] },
      ])
      expect(idsOf(tree)).not.toContain(empty)
      expect(idsOf(await ground.done<Json[]>('as', 'POST', '/areaCodes/deviceTree'))).not.toContain(device.id)
    },
  },
  {
    id: 'CALL-039',
    service: 'as',
    method: 'POST',
    path: '/areaCodes/deviceGroup',
    does: 'gives the device groups of the park as a tree, with level and default direction, which a new device takes',
    async holds(ground) {
      const { at, above, below, empty } = await parkWithDevices(ground)
      const tree = await at.done<Json[]>('as', 'POST', '/areaCodes/deviceGroup', {})
      for (const node of flat(tree)) bears(node, 'DeviceGroup')
      expect(tree).toContainEqual(
        expect.objectContaining({
          id: above,
          name: 'Building',
          parentId: null,
          level: 1,
          defaultDirection: 2,
          children: [expect.objectContaining({ id: below, name: 'Floor', parentId: above, level: 2 })],
        }),
      )
      expect(idsOf(tree)).toContain(empty)
      const device = await at.park.device({ groupId: above })
      expect(await at.done('biz', 'GET', `/device/${device.id}`)).toMatchObject({ direction: 2 })
    },
  },
  {
    id: 'CALL-042',
    service: 'biz',
    method: 'POST',
    path: '/areaCodes/deviceAndGroupTree',
    does: 'gives all device groups of the park with the devices in them',
    async holds(ground) {
      const { at, above, below, empty, device } = await parkWithDevices(ground)
      const loose = await at.park.device()
      const tree = await at.done<Json[]>('biz', 'POST', '/areaCodes/deviceAndGroupTree', {})
      expect(idsOf(tree).toSorted()).toEqual([above, below, empty, device.id, loose.id].toSorted())
      expect(tree.find(({ id }) => id === above)).toMatchObject({ children: [{ id: below, children: [{ id: device.id }] }] })
    },
  },
  {
    id: 'CALL-228',
    service: 'biz',
    method: 'POST',
    path: '/device/move',
    does: 'moves devices to a group, and out of any; to a group of another park it refuses',
    async holds(ground) {
      const [first, second] = [await ground.park.device(), await ground.park.device()]
      const { id: groupId } = await ground.park.deviceGroup()
      const groupOf = async ({ id }: { id: string }) => (await ground.done('biz', 'GET', `/device/${id}`))['groupId']
      await ground.done('biz', 'POST', '/device/move', { ids: [first.id, second.id], groupId })
      expect([await groupOf(first), await groupOf(second)]).toEqual([groupId, groupId])
      const { id: foreign } = await (await ground.elsewhere()).park.deviceGroup()
      expect((await ground.ask('biz', 'POST', '/device/move', { ids: [first.id], groupId: foreign })).code).not.toBe(0)
      await ground.done('biz', 'POST', '/device/move', { ids: [first.id], groupId: null })
      expect([await groupOf(first), await groupOf(second)]).toEqual([null, groupId])
    },
  },
]
