/** Device groups and the trees made of them, as a user who manages devices sees them. */
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { DEVICE_GROUP_DEPTH_SERVER } from '@gatehouse/contract'
import { strategyCalls } from '@gatehouse/contract/strategies/calls'
import { deviceCalls } from '@gatehouse/contract/devices/calls'
import type { DeviceGroupNode, DeviceTreeNode } from '@gatehouse/contract/devices/groups'
import { startWorld, type Made, type Site, type World } from '@gatehouse/dev-env/world'
import { query } from '../../../../../tests/support/embedded-postgres.ts'
import { until } from '../../../../../tests/support/until.ts'

let world: World
beforeAll(async () => {
  world = await startWorld()
})
afterAll(() => world?.stop())

const treeOf = (park: Site) => park.call(deviceCalls.groupTree, {})
/** Return names from the top down, with those below in parentheses. */
const drawn = (nodes: readonly { name: string; children: never[] | readonly DeviceGroupNode[] | readonly DeviceTreeNode[] }[]): string =>
  nodes.map(({ name, children }) => (children.length > 0 ? `${name}(${drawn(children as never)})` : name)).join(' ')
const add = (park: Site, name: string, parent?: Made, more: object = {}) =>
  park.ask(deviceCalls.createGroup, { body: { name, parentId: parent?.id, ...more } })
const made = async (park: Site, name: string, parent?: Made): Promise<Made> => ({
  name,
  ...(await park.call(deviceCalls.createGroup, { body: { name, parentId: parent?.id } })),
})
const change = (park: Site, group: Made, body: object) => park.ask(deviceCalls.changeGroup, { body: { id: group.id, ...body } })
const remove = (park: Site, group: Made) => park.ask(deviceCalls.deleteGroup, { query: { id: group.id } })
const invalid = (path: string, rule: string) => ({ status: 400, data: { fields: [expect.objectContaining({ path, rule })] } })
/** Return the ids of devices at which the strategy lets its persons pass. */
const reachedBy = async (park: Site, strategy: Made) => {
  await world.server.platform.events.settled()
  const synchronisation = world.server.contexts.synchronisation.service
  await synchronisation.settled()
  return synchronisation.view.devicesOf({ parkId: park.park.id }, strategy.id).toSorted()
}

test('a group has a name of 1 to 32 characters, spaces around it apart', async () => {
  const park = await world.addPark()
  for (const name of ['', '   ']) expect(await add(park, name)).toMatchObject(invalid('name', 'required'))
  expect(await add(park, 'n'.repeat(33))).toMatchObject(invalid('name', 'max.string'))
  const group = await made(park, ` ${'n'.repeat(32)} `)
  expect(drawn(await treeOf(park))).toBe('n'.repeat(32))
  expect(await change(park, group, { name: ' ' })).toMatchObject(invalid('name', 'required'))
})

describe('the tree', () => {
  test('is at most seven levels deep, whoever asks and however it grows [VAL-104]', async () => {
    const park = await world.addPark()
    const levels = [await made(park, 'L1')]
    for (let level = 2; level <= DEVICE_GROUP_DEPTH_SERVER; level++) levels.push(await made(park, `L${level}`, levels.at(-1)))
    const tooDeep = { status: 400, data: { fields: [{ path: 'parentId', rule: 'depth', params: { limit: 7 } }] } }
    expect(await add(park, 'L8', levels.at(-1))).toMatchObject(tooDeep)
    // A group is moved together with everything below it.
    const pair = await made(park, 'Pair')
    await made(park, 'Inner', pair)
    expect(await change(park, pair, { parentId: levels.at(-2)!.id })).toMatchObject(tooDeep)
    expect((await change(park, pair, { parentId: levels.at(-3)!.id })).code).toBe(0)
    const [top] = await treeOf(park)
    expect(top).toMatchObject({ level: 1, children: [{ level: 2 }] })
  })

  test('lets a group be renamed, moved with what is below it, and told how people pass there', async () => {
    const park = await world.addPark()
    const [north, south] = [await made(park, 'North'), await made(park, 'South')]
    const hall = await made(park, 'Hall', north)
    const device = await park.device({ groupId: hall.id })
    expect((await change(park, hall, { name: 'Great hall' })).code).toBe(0)
    expect((await change(park, north, { parentId: south.id, defaultDirection: 2 })).code).toBe(0)
    expect(drawn(await treeOf(park))).toBe('South(North(Great hall))')
    expect((await treeOf(park))[0]).toMatchObject({
      deviceCount: 1,
      defaultDirection: null,
      children: [{ defaultDirection: 2, deviceCount: 1 }],
    })
    expect(await park.call(deviceCalls.read, { params: { id: device.id } })).toMatchObject({ groupName: 'Great hall', direction: 1 })
    expect((await change(park, north, { parentId: null })).code).toBe(0)
    expect(drawn(await treeOf(park))).toBe('North(Great hall) South')
  })

  test('has no ring, and a name once among siblings', async () => {
    const park = await world.addPark()
    const [a, b] = [await made(park, 'A'), await made(park, 'B')]
    const inner = await made(park, 'Inner', a)
    for (const parentId of [a.id, inner.id])
      expect(await change(park, a, { parentId })).toMatchObject(invalid('parentId', 'groupBelowItself'))
    expect(await add(park, 'a')).toMatchObject({ code: 200107, data: { fields: [{ path: 'name' }] } })
    expect(await change(park, b, { name: 'A' })).toMatchObject({ code: 200107 })
    await made(park, 'Inner', b)
    expect(await change(park, inner, { parentId: b.id })).toMatchObject({ code: 200107 })
    const answers = await Promise.all([change(park, a, { parentId: b.id }), change(park, b, { parentId: a.id })])
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 400])
  })

  test('is of its park: what another has is not there', async () => {
    const [park, other] = [await world.addPark(), await world.addPark()]
    const [own, foreign] = [await made(park, 'Own'), await made(other, 'Foreign')]
    expect((await change(park, foreign, { name: 'Mine' })).status).toBe(404)
    expect((await remove(park, foreign)).status).toBe(404)
    expect(await change(park, own, { parentId: foreign.id })).toMatchObject(invalid('parentId', 'unknown'))
    expect(await add(park, 'Below', foreign)).toMatchObject(invalid('parentId', 'unknown'))
    expect(drawn(await treeOf(other))).toBe('Foreign')
  })

  test('comes whole with more than a hundred groups at one level [FIELD-3]', async () => {
    const park = await world.addPark()
    const names = Array.from({ length: 150 }, (_, at) => `Group_${at}`)
    await Promise.all(names.map((name) => made(park, name)))
    expect((await treeOf(park)).map(({ name }) => name).toSorted()).toEqual(names.toSorted())
    expect(await park.call(deviceCalls.deviceAndGroupTree, {})).toHaveLength(150)
  })

  test('takes names with commas, equals signs, underscores and per cents for what they are [FIELD-4]', async () => {
    const park = await world.addPark()
    const names = ['A,B', 'A=B', 'A_B', 'A%B', "A'B", 'A&B=C,D']
    for (const name of names) await made(park, name)
    expect((await treeOf(park)).map(({ name }) => name)).toEqual(names)
    const groups = new Map((await treeOf(park)).map(({ name, id }) => [name, { id, name }]))
    const devices = new Map<string, string>()
    for (const [name, group] of groups) devices.set(name, (await park.device({ name: `At ${name}`, groupId: group.id })).id)
    const person = await park.person()
    const strategy = await park.strategy({ persons: [person], deviceGroups: [groups.get('A,B')!, groups.get('A%B')!] })
    expect(await reachedBy(park, strategy)).toEqual([devices.get('A,B'), devices.get('A%B')].toSorted())
    expect((await park.call(deviceCalls.list, { query: { groupId: groups.get('A_B')!.id } })).content.map(({ name }) => name)).toEqual([
      'At A_B',
    ])
  })
})

describe('a group that is deleted', () => {
  test('has no group below it: the lowest go first [VAL-111]', async () => {
    const park = await world.addPark()
    const north = await made(park, 'North')
    const hall = await made(park, 'Hall', north)
    expect(await remove(park, north)).toMatchObject({ status: 200, code: 200102 })
    expect(drawn(await treeOf(park))).toBe('North(Hall)')
    expect((await remove(park, hall)).code).toBe(0)
    expect((await remove(park, north)).code).toBe(0)
    expect(drawn(await treeOf(park))).toBe('')
  })

  test('has no device in it', async () => {
    const park = await world.addPark()
    const north = await made(park, 'North')
    const device = await park.device({ groupId: north.id })
    expect(await remove(park, north)).toMatchObject({ status: 200, code: 900109 })
    await park.call(deviceCalls.move, { body: { ids: [device.id], groupId: null } })
    expect((await remove(park, north)).code).toBe(0)
    expect(await park.call(deviceCalls.read, { params: { id: device.id } })).toMatchObject({ groupId: null })
  })

  test('A_B takes neither AxB nor its devices along [FIELD-1]', async () => {
    const park = await world.addPark()
    const [wild, plain] = [await made(park, 'A_B'), await made(park, 'AxB')]
    const device = await park.device({ groupId: plain.id, name: 'PxQ' })
    await park.device({ groupId: plain.id, name: 'P_Q' })
    expect((await remove(park, wild)).code).toBe(0)
    expect(await treeOf(park)).toMatchObject([{ id: plain.id, name: 'AxB', deviceCount: 2 }])
    expect(await park.call(deviceCalls.read, { params: { id: device.id } })).toMatchObject({ groupId: plain.id })
    expect((await park.call(deviceCalls.list, { query: { name: 'P_Q' } })).content.map(({ name }) => name)).toEqual(['P_Q'])
  })

  test('leaves the strategies that named it', async () => {
    const park = await world.addPark()
    const [going, staying] = [await made(park, 'Going'), await made(park, 'Staying')]
    const strategy = await park.strategy({ persons: [await park.person()], deviceGroups: [going, staying] })
    const named = async () => (await park.call(strategyCalls.read, { query: { id: strategy.id } })).deviceGroups
    expect(await named()).toHaveLength(2)
    await remove(park, going)
    await until('the strategy to name one group', async () => (await named()).length === 1)
    expect(await named()).toEqual([{ id: staying.id, name: staying.name }])
  })
})

describe('what a strategy reaches', () => {
  test('follows a group that moves below the one it names, and devices that move there', async () => {
    const park = await world.addPark()
    const [named, other] = [await made(park, 'Named'), await made(park, 'Other')]
    const [inOther, loose, third] = [await park.device({ groupId: other.id }), await park.device(), await park.device()]
    const strategy = await park.strategy({ persons: [await park.person()], deviceGroups: [named] })
    expect(await reachedBy(park, strategy)).toEqual([])
    await change(park, other, { parentId: named.id })
    expect(await reachedBy(park, strategy)).toEqual([inOther.id])
    expect(await park.call(deviceCalls.move, { body: { ids: [loose.id, third.id], groupId: named.id } })).toEqual({ moved: 2 })
    expect(await reachedBy(park, strategy)).toEqual([inOther.id, loose.id, third.id].toSorted())
    // A group that is added below it counts too.
    const late = await made(park, 'Late', named)
    const device = await park.device({ groupId: late.id })
    expect(await reachedBy(park, strategy)).toContain(device.id)
    await change(park, other, { parentId: null })
    await park.call(deviceCalls.move, { body: { ids: [loose.id], groupId: null } })
    expect(await reachedBy(park, strategy)).toEqual([third.id, device.id].toSorted())
  })
})

test('devices that are moved: all of them or none', async () => {
  const park = await world.addPark()
  const group = await made(park, 'Group')
  const [one, foreign] = [await park.device(), await world.device()]
  for (const ids of [
    [one.id, foreign.id],
    [one.id, crypto.randomUUID()],
  ])
    expect((await park.ask(deviceCalls.move, { body: { ids, groupId: group.id } })).status).toBe(404)
  expect(await park.call(deviceCalls.read, { params: { id: one.id } })).toMatchObject({ groupId: null, version: 1 })
  expect(await park.call(deviceCalls.move, { body: { ids: [one.id, one.id], groupId: group.id } })).toEqual({ moved: 1 })
  expect(await park.call(deviceCalls.read, { params: { id: one.id } })).toMatchObject({ groupId: group.id, groupName: 'Group', version: 2 })
})

test('a device that is added to a group, or changed to it, while somebody deletes the group is refused at the field', async () => {
  const park = await world.addPark()
  const device = await park.device()
  const client = new pg.Client(world.connectionString)
  await client.connect()
  const waits = `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE '%"device"%'`
  const waiting = async () => (await query(world.connectionString, waits)).length
  const answers = []
  for (const ask of [
    (groupId: string) => park.ask(deviceCalls.create, { body: { code: 'LATE-1', name: 'Late', groupId } }),
    (groupId: string) => park.ask(deviceCalls.change, { body: { id: device.id, name: device.name, groupId } }),
  ]) {
    const group = await park.deviceGroup()
    await client.query('BEGIN')
    await client.query('DELETE FROM device_group WHERE id = $1', [group.id])
    const answer = ask(group.id)
    await expect.poll(waiting, { interval: 20 }).toBe(1)
    await client.query('COMMIT')
    answers.push(await answer)
  }
  await client.end()
  for (const answer of answers) expect(answer).toMatchObject(invalid('groupId', 'unknown'))
})

test('the trees to choose from hold names and codes of the own park alone, also for whoever may not manage devices', async () => {
  const park = await world.addPark()
  const [north, empty] = [await made(park, 'North'), await made(park, 'Empty')]
  const inner = await made(park, 'Inner', north)
  const [loose, hall] = [await park.device({ name: 'Loose' }), await park.device({ name: 'Hall', groupId: inner.id })]
  await world.device({ name: 'Elsewhere' })
  const plain = await world.session({ park: park.park, permissions: [] })
  const device = ({ id, name, code }: Made & { code: string }) => ({ id, name, code, kind: 'device', children: [] })
  const northNode = {
    id: north.id,
    name: 'North',
    kind: 'group',
    children: [{ id: inner.id, name: 'Inner', kind: 'group', children: [device(hall)] }],
  }
  expect(await plain.call(deviceCalls.deviceTree, {})).toEqual([northNode, device(loose)])
  expect(await plain.call(deviceCalls.deviceAndGroupTree, {})).toEqual([
    northNode,
    { id: empty.id, name: 'Empty', kind: 'group', children: [] },
    device(loose),
  ])
})
