import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { strategyCalls } from '@gatehouse/contract/strategies/calls'
import { accessGroupCalls } from '@gatehouse/contract/strategies/access-groups'
import { auditCalls } from '@gatehouse/contract/audit/calls'
import { deviceCalls } from '@gatehouse/contract/devices/calls'
import { deviceProtocolCalls } from '@gatehouse/contract/device/protocol-calls'
import { createClient } from '@gatehouse/dev-env/client'
import { startWorld, type Made, type MadeDevice, type Site, type World } from '@gatehouse/dev-env/world'

let world: World
beforeAll(async () => {
  world = await startWorld()
})
afterAll(() => world?.stop())

const METHODS = [1, 4]
const NOBODY = '00000000-0000-4000-8000-000000000000'
let number = 0

async function accessGroup(park: Site, doors: { devices?: Made[]; deviceGroups?: Made[] } = {}, givenName?: string): Promise<Made> {
  const name = givenName ?? `Doors ${++number}`
  const ids = (things: Made[] = []) => things.map(({ id }) => id)
  const { id } = await park.call(accessGroupCalls.create, {
    body: { name, deviceIds: ids(doors.devices), deviceGroupIds: ids(doors.deviceGroups) },
  })
  return { id, name }
}
const read = (park: Site, { id }: Made) => park.call(accessGroupCalls.read, { query: { id } })

/** Create a park with a door in a group below another, one without a group, and a person. */
async function campus() {
  const park = await world.addPark()
  const site = await park.deviceGroup('Site')
  const lobby: Made = { id: (await park.call(deviceCalls.createGroup, { body: { name: 'Lobby', parentId: site.id } })).id, name: 'Lobby' }
  return {
    park,
    site,
    lobby,
    person: await park.person({ name: 'Ann' }),
    door: await park.device({ name: 'Door', groupId: lobby.id }),
    cellar: await park.device({ name: 'Cellar' }),
  }
}

/** Return the names of the persons a door should store. */
async function storedAt(device: MadeDevice): Promise<string[]> {
  await world.settled()
  const client = createClient(world.url, { basic: [device.code, device.secret] })
  const { audience } = await client.call(deviceProtocolCalls.manifest, {})
  const { persons } = await client.call(deviceProtocolCalls.shelf, { params: { audience, first: 0, count: 256 }, query: { modelId: '' } })
  return persons.map(({ name }) => name)
}

describe('an access group', () => {
  test('comes back with the names of its doors, how many these are now, and how many strategies name it', async () => {
    const { park, site, cellar, door } = await campus()
    const group = await accessGroup(park, { devices: [cellar, door, cellar], deviceGroups: [site] })
    const there = await read(park, group)
    expect(there).toMatchObject({
      name: group.name,
      devices: [
        { id: cellar.id, name: 'Cellar' },
        { id: door.id, name: 'Door' },
      ],
      deviceGroups: [{ id: site.id, name: 'Site' }],
      deviceCount: 2,
      strategyCount: 0,
      version: 1,
    })
    await park.strategy({ accessGroupIds: [group.id], methods: METHODS })
    expect(await park.call(accessGroupCalls.all, {})).toEqual([{ ...there, strategyCount: 1 }])
  })

  test('keeps its name to itself within the park, whatever its capitals', async () => {
    const { park } = await campus()
    await accessGroup(park, {}, 'Laboratories')
    const other = await accessGroup(park)
    const taken = { status: 200, code: 900004, data: { fields: [{ path: 'name', rule: 'code.900004' }] } }
    expect(await park.ask(accessGroupCalls.create, { body: { name: 'LABORATORIES' } })).toMatchObject(taken)
    expect(await park.ask(accessGroupCalls.change, { body: { id: other.id, name: 'laboratories' } })).toMatchObject(taken)
    await accessGroup(await world.addPark(), {}, 'Laboratories')
  })

  test.each([
    ['no name', { name: ' ' }, 'name'],
    ['a name that is too long', { name: 'x'.repeat(33) }, 'name'],
    ['a door nobody knows', { name: 'Refused', deviceIds: [NOBODY] }, 'deviceIds'],
    ['a door that is none', { name: 'Refused', deviceIds: ['a\0b'] }, 'deviceIds.0'],
    ['a group that is none', { name: 'Refused', deviceGroupIds: ['nothing'] }, 'deviceGroupIds.0'],
  ])('is refused with %s', async (_, body, path) => {
    expect(await world.ask(accessGroupCalls.create, { body })).toMatchObject({
      status: 400,
      data: { fields: [expect.objectContaining({ path })] },
    })
  })

  test('keeps every field that a change leaves out, removes what is null or empty, and can be sent back as it was read', async () => {
    const { park, site, cellar } = await campus()
    const group = await accessGroup(park, { devices: [cellar], deviceGroups: [site] })
    const { id } = group
    await park.call(accessGroupCalls.change, { body: { id, name: 'Renamed' } })
    expect(await read(park, group)).toMatchObject({ name: 'Renamed', deviceIds: [cellar.id], deviceGroupIds: [site.id] })
    const before = await read(park, group)
    await park.strategy({ accessGroupIds: [id], methods: METHODS })
    await park.device({ groupId: site.id })
    expect(await park.ask(accessGroupCalls.change, { body: before as never })).toMatchObject({ code: 0 })
    await park.call(accessGroupCalls.change, { body: { id, deviceIds: null } })
    expect(await read(park, group)).toMatchObject({ name: 'Renamed', deviceIds: [], deviceGroupIds: [site.id] })
    expect(await park.ask(accessGroupCalls.change, { body: { id, name: null } as never })).toMatchObject({ status: 400 })
  })

  test('tells the second of two editors which fields differ', async () => {
    const { park, door, cellar } = await campus()
    const group = await accessGroup(park, { devices: [door] })
    await park.call(accessGroupCalls.change, { body: { id: group.id, version: 1, name: group.name, deviceIds: [cellar.id] } })
    expect(
      await park.ask(accessGroupCalls.change, { body: { id: group.id, version: 1, name: 'Other', deviceIds: [door.id] } }),
    ).toMatchObject({
      status: 409,
      data: {
        fields: [
          { path: 'name', rule: 'conflict' },
          { path: 'deviceIds', rule: 'conflict' },
        ],
      },
    })
    expect(await read(park, group)).toMatchObject({ deviceIds: [cellar.id], version: 2 })
  })

  test('that a strategy names stays, and goes once none does', async () => {
    const { park } = await campus()
    const group = await accessGroup(park)
    const strategy = await park.strategy({ accessGroupIds: [group.id], methods: METHODS })
    expect(await park.ask(accessGroupCalls.delete, { params: { id: group.id } })).toMatchObject({ status: 200, code: 300102 })
    await park.call(strategyCalls.delete, { query: { id: strategy.id } })
    expect(await park.call(accessGroupCalls.delete, { params: { id: group.id } })).toEqual({ id: group.id })
    expect(await park.ask(accessGroupCalls.read, { query: { id: group.id } })).toMatchObject({ status: 200, code: 300101 })
  })

  test('is never deleted from under a strategy that is just being saved', async () => {
    const { park } = await campus()
    const rule = await park.timeRule()
    for (let round = 0; round < 6; round++) {
      const group = await accessGroup(park)
      const [saved, deleted] = await Promise.all([
        park.ask(strategyCalls.create, {
          body: { name: `Race ${round}`, timeRuleIds: [rule.id], accessGroupIds: [group.id], methods: METHODS },
        }),
        park.ask(accessGroupCalls.delete, { params: { id: group.id } }),
      ])
      expect([
        [0, 300102],
        [400, 0],
      ]).toContainEqual([saved.code, deleted.code])
    }
  })

  test('of another park, or of none, is not found, and no strategy here may name it', async () => {
    const foreign = await accessGroup((await campus()).park)
    for (const id of [foreign.id, NOBODY]) {
      expect(await world.ask(accessGroupCalls.read, { query: { id } })).toMatchObject({ code: 300101 })
      expect(await world.ask(accessGroupCalls.change, { body: { id, name: 'Stolen' } })).toMatchObject({ code: 300101 })
      expect(await world.ask(accessGroupCalls.delete, { params: { id } })).toMatchObject({ code: 300101 })
      const strategy = { name: 'Abroad', timeRuleIds: [(await world.timeRule()).id], methods: METHODS, accessGroupIds: [id] }
      expect(await world.ask(strategyCalls.create, { body: strategy })).toMatchObject({
        status: 400,
        data: { fields: [{ path: 'accessGroupIds', rule: 'unknown' }] },
      })
    }
  })

  test('is for those who may change strategies', async () => {
    const guard = await world.session({ permissions: ['access.record'] })
    expect(await guard.ask(accessGroupCalls.all, {})).toMatchObject({ status: 403, code: 100510 })
    expect(await guard.ask(accessGroupCalls.create, { body: { name: 'Forbidden' } })).toMatchObject({ status: 403, code: 100510 })
  })

  test('is told in the operation log with the names of its doors, and a strategy with the names of its groups', async () => {
    const { park, door, cellar, site } = await campus()
    const newest = async () => {
      const { content } = await park.call(auditCalls.operations, { query: { size: 1 } })
      const { changes } = await park.call(auditCalls.operation, { params: { id: content[0]!.id } })
      const { entity, label, fields } = changes[0]!
      return { entity, label, fields: Object.fromEntries(fields.map(({ field, before, after }) => [field, [before, after]])) }
    }
    const group = await accessGroup(park, { devices: [door] }, 'Night doors')
    expect(await newest()).toMatchObject({ entity: 'accessGroup', label: 'Night doors', fields: { devices: [null, ['Door']] } })
    await park.call(accessGroupCalls.change, {
      body: { id: group.id, name: 'Night doors', deviceIds: [cellar.id], deviceGroupIds: [site.id] },
    })
    expect((await newest()).fields).toEqual({ devices: [['Door'], ['Cellar']], deviceGroups: [[], ['Site']] })
    const strategy = await park.strategy({ name: 'Watch', methods: METHODS })
    const { timeRuleIds } = await park.call(strategyCalls.read, { query: { id: strategy.id } })
    await park.call(strategyCalls.change, {
      body: { id: strategy.id, name: 'Watch', timeRuleIds, methods: METHODS, accessGroupIds: [group.id] },
    })
    expect(await newest()).toMatchObject({ entity: 'strategy', fields: { accessGroups: [[], ['Night doors']] } })
    expect(await park.call(strategyCalls.read, { query: { id: strategy.id } })).toMatchObject({
      accessGroupIds: [group.id],
      version: 2,
    })
  })
})

describe('a strategy that names an access group', () => {
  test('opens its doors and those below its device groups, each once, and says so wherever it is asked', async () => {
    const { park, site, door, cellar, person } = await campus()
    const group = await accessGroup(park, { devices: [cellar, door], deviceGroups: [site] })
    const strategy = await park.strategy({
      name: 'Round',
      persons: [person],
      devices: [cellar],
      accessGroupIds: [group.id],
      methods: METHODS,
    })
    const there = await park.call(strategyCalls.read, { query: { id: strategy.id } })
    expect(there).toMatchObject({
      accessGroups: [group],
      accessGroupIds: [group.id],
      devices: [{ id: cellar.id, name: 'Cellar' }],
      deviceGroups: [],
      deviceCount: 2,
    })
    expect((await park.call(strategyCalls.find, { body: {} })).content[0]).toMatchObject({
      accessGroups: [group],
      accessGroupIds: [group.id],
      deviceCount: 2,
    })
    expect((await park.call(strategyCalls.ofPerson, { query: { personId: person.id } })).map(({ deviceName }) => deviceName)).toEqual([
      'Cellar',
      'Door',
    ])
    for (const device of [door, cellar]) {
      expect((await park.call(strategyCalls.ofDevice, { query: { deviceId: device.id } })).map(({ name }) => name)).toEqual(['Round'])
      expect(await storedAt(device)).toEqual(['Ann'])
    }
  })

  test('follows it to the terminals when its doors are others, and when a door moves into one of its groups', async () => {
    const { park, site, lobby, door, cellar, person } = await campus()
    const group = await accessGroup(park, { devices: [cellar] })
    await park.strategy({ persons: [person], accessGroupIds: [group.id], methods: METHODS })
    expect([await storedAt(cellar), await storedAt(door)]).toEqual([['Ann'], []])
    await park.call(accessGroupCalls.change, { body: { id: group.id, name: group.name, deviceIds: [], deviceGroupIds: [site.id] } })
    expect([await storedAt(cellar), await storedAt(door)]).toEqual([[], ['Ann']])
    await park.call(deviceCalls.move, { body: { ids: [cellar.id], groupId: lobby.id } })
    expect(await storedAt(cellar)).toEqual(['Ann'])
  })

  test('had the doors of the time: history tells when the group took them in', async () => {
    const { park, door, cellar } = await campus()
    const group = await accessGroup(park, { devices: [cellar] })
    const { id } = await park.strategy({ accessGroupIds: [group.id], methods: METHODS })
    const { history, clock } = world.server.platform
    const scope = { parkId: park.park.id }
    await park.call(accessGroupCalls.change, { body: { id: group.id, name: group.name, deviceIds: [cellar.id, door.id] } })
    const revisions = await history.between(scope, 'strategy', id, 0, clock.now())
    expect(revisions.map(({ content }) => content.deviceIds)).toEqual([[cellar.id], [cellar.id, door.id].sort()])
    // With another name it is the same group.
    await park.call(accessGroupCalls.change, { body: { id: group.id, name: 'Called otherwise', deviceIds: [door.id, cellar.id] } })
    expect(await history.between(scope, 'strategy', id, 0, clock.now())).toHaveLength(2)
  })

  test('loses a door that is deleted, and so does the group', async () => {
    const { park, door, cellar, person } = await campus()
    const empty = await park.deviceGroup('Empty')
    const group = await accessGroup(park, { devices: [cellar, door], deviceGroups: [empty] })
    const { id } = await park.strategy({ persons: [person], accessGroupIds: [group.id], methods: METHODS })
    await park.call(deviceCalls.delete, { query: { ids: [cellar.id] } })
    await park.call(deviceCalls.deleteGroup, { query: { id: empty.id } })
    await world.server.platform.events.settled()
    expect(await read(park, group)).toMatchObject({ deviceIds: [door.id], deviceGroupIds: [], deviceCount: 1 })
    expect(await park.call(strategyCalls.read, { query: { id } })).toMatchObject({ deviceCount: 1 })
    const entry = await world.server.platform.history.at({ parkId: park.park.id }, 'strategy', id, world.server.platform.clock.now())
    expect(entry!.content).toMatchObject({ deviceIds: [door.id], deviceGroupIds: [] })
  })
})

test('an erased park has no access groups left, and its neighbour its own', async () => {
  const [{ park, door }, neighbour] = [await campus(), await campus()]
  await accessGroup(park, { devices: [door] })
  const kept = await accessGroup(neighbour.park, { devices: [neighbour.door] })
  await world.server.platform.transaction((tx) => world.server.contexts.strategies.erasePark!(tx, { parkId: park.park.id }))
  expect(await park.call(accessGroupCalls.all, {})).toEqual([])
  expect(await read(neighbour.park, kept)).toMatchObject({ deviceIds: [neighbour.door.id] })
})
