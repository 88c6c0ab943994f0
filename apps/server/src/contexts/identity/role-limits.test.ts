/** Roles limited to device groups: what their users see, what cannot be limited, and who can pass a limit on. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { addressOf, codesOfModules, type PermissionCode } from '@gatehouse/contract'
import { recordCalls } from '@gatehouse/contract/records/calls'
import { statisticsCalls } from '@gatehouse/contract/statistics/calls'
import { strategyCalls } from '@gatehouse/contract/strategies/calls'
import { deviceCalls } from '@gatehouse/contract/devices/calls'
import { doorCalls } from '@gatehouse/contract/doors/calls'
import { exportStatus } from '@gatehouse/contract/enums'
import { exportCalls } from '@gatehouse/contract/exports/calls'
import { clientCalls } from '@gatehouse/contract/identity/clients'
import { identityCalls } from '@gatehouse/contract/identity/calls'
import { roleCalls, type Role } from '@gatehouse/contract/identity/roles'
import { screenLinkCalls } from '@gatehouse/contract/identity/screen-links'
import { userCalls } from '@gatehouse/contract/identity/users'
import { topics } from '@gatehouse/contract/realtime'
import { createClient, type Client } from '@gatehouse/dev-env/client'
import { listen } from '@gatehouse/dev-env/live'
import { grantToken } from '@gatehouse/dev-env/accounts'
import { startWorld, type MadeDevice, type World } from '@gatehouse/dev-env/world'
import { recordAt } from '../../../../../tests/support/fixtures.ts'
import { withRoles } from '../../../../../tests/support/out-of-reach.ts'
import { until } from '../../../../../tests/support/until.ts'
import { fieldsRefused } from '../../../../../tests/support/users.ts'

let world: World
/** Ids of groups: one, one below it, and another. */
let [east, below, west]: string[] = []
/** A device in each group, and one in none. */
let devices: { east: MadeDevice; below: MadeDevice; west: MadeDevice; nowhere: MadeDevice }

const grouped = async (name: string, parentId?: string): Promise<string> =>
  (await world.call(deviceCalls.createGroup, { body: { name, ...(parentId !== undefined && { parentId }) } })).id

beforeAll(async () => {
  world = await startWorld()
  east = await grouped('East')
  below = await grouped('East, cellar', east)
  west = await grouped('West')
  devices = {
    east: await world.device({ groupId: east }),
    below: await world.device({ groupId: below }),
    west: await world.device({ groupId: west }),
    nowhere: await world.device(),
  }
})
afterAll(() => world?.stop())

const LOOK: PermissionCode[] = ['device', 'device.list']
const sorted = (ids: readonly string[]): string[] => ids.toSorted()
const shownTo = async ({ call }: Pick<Client, 'call'>): Promise<string[]> =>
  sorted((await call(deviceCalls.list, { query: { size: 100 } })).content.map(({ id }) => id))
const idsOf = (...names: (keyof typeof devices)[]): string[] => sorted(names.map((name) => devices[name].id))
const everything = (): string[] => idsOf('east', 'below', 'west', 'nowhere')
const groupsIn = (nodes: readonly { id: string; children: readonly never[] }[]): string[] =>
  nodes.flatMap(({ id, children }) => [id, ...groupsIn(children)])
const treeOf = async ({ call }: Pick<Client, 'call'>): Promise<string[]> => groupsIn((await call(deviceCalls.groupTree, {})) as never)

let number = 0
const fieldsOf = (
  overrides: Partial<{ name: string; permissions: string[]; roleSign: string; deviceGroupIds: string[]; organisationId: string }> = {},
) =>
  ({ name: `Limited ${++number}`, permissions: LOOK, organisationId: world.park.id, ...overrides }) as {
    name: string
    permissions: PermissionCode[]
    roleSign: Role['roleSign']
    organisationId: string
  }
const make = async (overrides: Parameters<typeof fieldsOf>[0] = {}) =>
  (await world.call(roleCalls.create, { body: fieldsOf(overrides) })).id
const change = async (id: string, overrides: Parameters<typeof fieldsOf>[0], by: Pick<Client, 'ask'> = world) => {
  const { name, permissions, roleSign, organisationId } = await world.call(roleCalls.read, { params: { id } })
  return by.ask(roleCalls.change, {
    body: { id, ...fieldsOf({ name, permissions: codesOfModules(permissions), roleSign, organisationId, ...overrides }) },
  })
}
const limitOf = async (id: string) => (await world.call(roleCalls.read, { params: { id } })).deviceGroupIds
/** Create a user with these roles of the register, and a session of theirs. */
async function holder(...roles: string[]): Promise<Client> {
  const { id } = await world.call(userCalls.create, {
    body: { account: `limited${++number}`, realName: 'Holder', organisationId: world.park.id, roles },
  })
  return createClient(world.url, { bearer: (await grantToken(world.server, id, world.park.id, { confirmed: true })).bearer })
}
const bearerOf = ({ credentials }: Client): string => (credentials as { bearer: string }).bearer
const listening = <T extends (typeof topics)[keyof typeof topics]>(client: Client, topic: T) =>
  listen({ url: client.url, bearer: bearerOf(client), areaCode: world.park.areaCode }, topic)

describe('a limited role', () => {
  test('shows the devices of its groups and those below them, and no others', async () => {
    const somebody = await holder(await make({ deviceGroupIds: [east!] }))
    expect(await shownTo(somebody)).toEqual(idsOf('east', 'below'))
    expect(await somebody.call(deviceCalls.summary, {})).toMatchObject({ total: 2 })
    expect(await treeOf(somebody)).toEqual([east, below])
    expect(await somebody.ask(deviceCalls.read, { params: { id: devices.west.id } })).toMatchObject({ status: 404 })
    expect(await somebody.ask(deviceCalls.list, { query: { groupId: west! } })).toMatchObject({ status: 404 })
  })

  test('follows devices that come and go', async () => {
    const somebody = await holder(await make({ deviceGroupIds: [below!] }))
    const mover = await world.device({ groupId: west! })
    const seen = async () => (await shownTo(somebody)).includes(mover.id)
    expect(await seen()).toBe(false)
    await world.call(deviceCalls.move, { body: { ids: [mover.id], groupId: below! } })
    expect(await seen()).toBe(true)
    await world.call(deviceCalls.move, { body: { ids: [mover.id], groupId: null } })
    expect(await seen()).toBe(false)
    await world.call(deviceCalls.delete, { query: { ids: [mover.id] } })
  })

  test('names groups of a park at or below its node', async () => {
    const refused = async (overrides: Parameters<typeof fieldsOf>[0]) =>
      fieldsRefused(await world.ask(roleCalls.create, { body: fieldsOf(overrides) }))
    const other = await world.addPark()
    const foreign = await other.deviceGroup()
    expect(await refused({ deviceGroupIds: [foreign.id] })).toEqual(['deviceGroupIds unknown'])
    expect(await refused({ deviceGroupIds: [east!, crypto.randomUUID()] })).toEqual(['deviceGroupIds unknown'])
    const root = world.server.contexts.organisation.service.root().id
    expect(await refused({ deviceGroupIds: [east!, foreign.id], organisationId: root })).toEqual([])
  })

  test('grants nothing that concerns all devices, and is of no administrator or operator', async () => {
    const refused = async (overrides: Parameters<typeof fieldsOf>[0]) =>
      fieldsRefused(await world.ask(roleCalls.create, { body: fieldsOf({ deviceGroupIds: [east!], ...overrides }) }))
    for (const code of [
      'access.rule',
      'device.setting',
      'own:device.edit',
      'own:device.pair',
      'card.key.all',
      'development',
      'system.user',
      'screen',
    ])
      expect(await refused({ permissions: [...LOOK, code] })).toEqual(['permissions beyondDeviceGroups'])
    const root = world.server.contexts.organisation.service.root().id
    for (const roleSign of ['admin', 'operator'])
      expect(await refused({ roleSign, organisationId: root })).toEqual(['roleSign signBeyondDeviceGroups'])
    expect(await refused({ roleSign: 'parkAdmin' })).toEqual([])
  })

  test('is refused the same where it is changed', async () => {
    const id = await make({ permissions: [...LOOK, 'access.rule'] })
    expect(fieldsRefused(await change(id, { deviceGroupIds: [east!] }))).toEqual(['permissions beyondDeviceGroups'])
    expect(await limitOf(id)).toEqual([])
    const limited = await make({ deviceGroupIds: [east!] })
    expect(fieldsRefused(await change(limited, { permissions: [...LOOK, 'access.rule'] }))).toEqual(['permissions beyondDeviceGroups'])
  })

  test('keeps a group that is deleted, and holds for none of it: never for more', async () => {
    const gone = await grouped('Torn down')
    const id = await make({ deviceGroupIds: [gone] })
    const somebody = await holder(id)
    await world.call(deviceCalls.deleteGroup, { query: { id: gone } })
    expect(await limitOf(id)).toEqual([gone])
    expect(await shownTo(somebody)).toEqual([])
    expect(await treeOf(somebody)).toEqual([])
    // A change that leaves out the limit keeps it, as does one that repeats it.
    expect(await change(id, { name: 'Of nothing' })).toMatchObject({ code: 0 })
    expect(await change(id, { deviceGroupIds: [gone] })).toMatchObject({ code: 0 })
    expect(await shownTo(somebody)).toEqual([])
    expect(await change(id, { deviceGroupIds: [gone, east!] })).toMatchObject({ code: 0 })
    expect(await shownTo(somebody)).toEqual(idsOf('east', 'below'))
  })
})

describe('several roles', () => {
  test('limit each permission by those that grant it', async () => {
    const somebody = await withRoles(world, [
      { permissions: LOOK, deviceGroupIds: [below!] },
      { permissions: [...LOOK, 'own:door.open'], deviceGroupIds: [west!] },
      { permissions: ['access.record'] },
    ])
    expect(await shownTo(somebody)).toEqual(idsOf('below', 'west'))
    const open = (deviceId: string) => somebody.ask(doorCalls.controlDoor, { body: { deviceId, operateType: 1 } })
    expect(await open(devices.below.id)).toMatchObject({ status: 404 })
    // The device is not connected.
    expect(await open(devices.west.id)).toMatchObject({ status: 200, code: 400205 })
    const person = await world.person()
    const at = await recordAt(world, { site: world, device: devices.nowhere }, person, { epoch: 'several', revision: 'none' })
    expect(await somebody.call(recordCalls.read, { params: { id: at } })).toMatchObject({ deviceId: devices.nowhere.id })
  })

  test('limit nothing that one of them grants for every device', async () => {
    const somebody = await withRoles(world, [{ permissions: LOOK, deviceGroupIds: [below!] }, { permissions: LOOK }])
    expect(await shownTo(somebody)).toEqual(everything())
    expect(await treeOf(somebody)).toEqual([east, below, west])
  })

  test('show groups to choose from as far as any of them shows devices', async () => {
    const others: PermissionCode[] = ['system.role', 'system.user']
    expect(await treeOf(await withRoles(world, [{ permissions: LOOK, deviceGroupIds: [west!] }, { permissions: others }]))).toEqual([west])
    expect(await treeOf(await withRoles(world, [{ permissions: ['person.list'], deviceGroupIds: [west!] }]))).toEqual([west])
    const rules = await withRoles(world, [{ permissions: LOOK, deviceGroupIds: [west!] }, { permissions: ['access.rule'] }])
    expect(await treeOf(rules)).toEqual([east, below, west])
    expect(await treeOf(await withRoles(world, [{ permissions: others }]))).toEqual([east, below, west])
  })

  test('that may change devices change those that all codes reach, and put them nowhere else', async () => {
    const somebody = await withRoles(world, [{ permissions: LOOK, deviceGroupIds: [east!] }, { permissions: ['own:device.edit'] }])
    const mine = await world.device({ groupId: east! })
    const move = (ids: string[], groupId: string | null) => somebody.ask(deviceCalls.move, { body: { ids, groupId } })
    expect(await move([mine.id, devices.west.id], below!)).toMatchObject({ status: 404 })
    for (const groupId of [west!, null]) expect(fieldsRefused(await move([mine.id], groupId))).toEqual(['groupId unknown'])
    expect(await move([mine.id], below!)).toMatchObject({ code: 0 })
    const create = (overrides: object) =>
      somebody.ask(deviceCalls.create, { body: { code: `NEW-${++number}`, name: `New ${number}`, ...overrides } as never })
    expect(fieldsRefused(await create({}))).toEqual(['groupId unknown'])
    expect(fieldsRefused(await create({ groupId: west! }))).toEqual(['groupId unknown'])
    expect(await create({ groupId: east! })).toMatchObject({ code: 0 })
    const group = (body: { name: string; parentId?: string }) => somebody.ask(deviceCalls.createGroup, { body })
    expect(fieldsRefused(await group({ name: 'Beside' }))).toEqual(['parentId required'])
    expect(fieldsRefused(await group({ name: 'Beside', parentId: west! }))).toEqual(['parentId unknown'])
    const { data } = await group({ name: 'Beneath', parentId: below! })
    expect(await treeOf(somebody)).toContain((data as { id: string }).id)
    expect(await somebody.ask(deviceCalls.deleteGroup, { query: { id: west! } })).toMatchObject({ status: 404 })
  })

  test('leave a group where it stands whose parent is not shown', async () => {
    const somebody = await withRoles(world, [{ permissions: LOOK, deviceGroupIds: [below!] }, { permissions: ['own:device.edit'] }])
    const [shown] = await somebody.call(deviceCalls.groupTree, {})
    expect(shown).toMatchObject({ id: below, parentId: null })
    await somebody.call(deviceCalls.changeGroup, { body: { id: below!, name: 'Vault', parentId: null } })
    const [top] = (await world.call(deviceCalls.groupTree, {})).filter(({ id }) => id === east)
    expect(top!.children.map(({ id, name }) => [id, name])).toEqual([[below, 'Vault']])
  })
})

test('records, figures and strategies are of the devices that are shown', async () => {
  const person = await world.person({ permittedAt: [devices.east, devices.west] })
  const [east1, west1] = [
    await recordAt(world, { site: world, device: devices.east }, person, { epoch: 'figures', revision: 'none' }),
    await recordAt(world, { site: world, device: devices.west }, person, { epoch: 'figures', revision: 'none' }),
  ]
  const somebody = await world.session({
    permissions: [...LOOK, 'access.record', 'person.list', 'own:access.record.delete'],
    deviceGroupIds: [west!],
  })
  const list = await somebody.call(recordCalls.find, { body: { personId: person.id } })
  expect([list.total, list.content.map(({ id }) => id)]).toEqual([1, [west1]])
  const elsewhere = await somebody.call(recordCalls.find, { body: { deviceId: devices.east.id } })
  expect([elsewhere.total, elsewhere.content]).toEqual([0, []])
  expect(await somebody.ask(recordCalls.delete, { params: { id: east1 } })).toMatchObject({ status: 404 })
  const figures = await somebody.call(statisticsCalls.statistics, { query: { by: 'device' } })
  expect(figures.rows.map(({ key }) => key)).toEqual([devices.west.id])
  const [all, some] = await Promise.all([world, somebody].map(({ call }) => call(statisticsCalls.today, {})))
  expect(some!.rejected).toBeLessThan(all!.rejected)
  const doors = await somebody.call(strategyCalls.ofPerson, { query: { personId: person.id } })
  expect(doors.map(({ deviceId }) => deviceId)).toEqual([devices.west.id])
})

test('a strategy that names a group above opens the devices below for whoever is shown those alone', async () => {
  const person = await world.person()
  await world.strategy({ persons: [person], deviceGroups: [{ id: east!, name: 'East' }] })
  const somebody = await world.session({ permissions: ['person.list', ...LOOK], deviceGroupIds: [below!] })
  const doors = await somebody.call(strategyCalls.ofPerson, { query: { personId: person.id } })
  expect(sorted(doors.map(({ deviceId }) => deviceId))).toEqual(await shownTo(somebody))
  expect(doors.map(({ deviceId }) => deviceId)).toContain(devices.below.id)
})

describe('whoever is limited hands on', () => {
  const GRANTS: PermissionCode[] = ['system', 'system.role', 'system.user', 'system.api']
  let limited: Client
  beforeAll(async () => {
    limited = await withRoles(world, [{ permissions: GRANTS }, { permissions: LOOK, deviceGroupIds: [east!] }])
  })

  test('no role that holds for more devices than they have', async () => {
    const create = (overrides: Parameters<typeof fieldsOf>[0]) => limited.ask(roleCalls.create, { body: fieldsOf(overrides) })
    for (const deviceGroupIds of [[], [west!], [below!, west!]]) {
      const answer = await create({ deviceGroupIds })
      expect([answer.status, fieldsRefused(answer).map((field) => field.split(' ')[0])]).toEqual([403, ['deviceGroupIds']])
    }
    for (const deviceGroupIds of [[east!], [below!]]) expect(await create({ deviceGroupIds })).toMatchObject({ code: 0 })
    // Permissions they have for every device can be granted for every device.
    expect(await create({ permissions: ['system.user'] })).toMatchObject({ code: 0 })
  })

  test('changes no such role, and gives it to nobody', async () => {
    const [wide, narrow] = [await make(), await make({ deviceGroupIds: [below!] })]
    expect(await limited.call(roleCalls.read, { params: { id: wide } })).toMatchObject({ can: { change: false } })
    expect(await limited.call(roleCalls.read, { params: { id: narrow } })).toMatchObject({ can: { change: true } })
    expect(await change(wide, { name: 'Taken over' }, limited)).toMatchObject({ status: 403 })
    expect(await change(narrow, { deviceGroupIds: [] }, limited)).toMatchObject({ status: 403 })
    expect(await change(narrow, { deviceGroupIds: [below!], name: 'Mine' }, limited)).toMatchObject({ code: 0 })
    const assignable = (await limited.call(roleCalls.subRoles, { query: { organisationId: world.park.id } })).map(({ id }) => id)
    expect([assignable.includes(wide), assignable.includes(narrow)]).toEqual([false, true])
    const give = (roleId: string) =>
      limited.ask(userCalls.create, {
        body: { account: `given${++number}`, realName: 'Given', organisationId: world.park.id, roles: [roleId] },
      })
    expect(await give(wide)).toMatchObject({ status: 403 })
    expect(await give(narrow)).toMatchObject({ code: 0 })
  })

  test('acts on no account that has more', async () => {
    const { id } = await world.call(userCalls.create, {
      body: { account: `wide${++number}`, realName: 'Wide', organisationId: world.park.id, roles: [await make()] },
    })
    expect(await limited.ask(userCalls.disable, { params: { id } })).toMatchObject({ status: 403 })
  })

  test('to no API user what holds for some devices, since those are never limited', async () => {
    const body = (permissions: PermissionCode[]) => ({ name: `Program ${++number}`, permissions, organisationId: world.park.id })
    expect(await limited.ask(clientCalls.create, { body: body(LOOK) })).toMatchObject({ status: 403 })
    expect(await limited.ask(clientCalls.create, { body: body(['system.user']) })).toMatchObject({ code: 0 })
  })
})

describe('a change of a role', () => {
  test('reaches open sessions at once', async () => {
    const id = await make()
    const somebody = await holder(id)
    expect(await shownTo(somebody)).toEqual(
      everything()
        .concat(await shownBeside())
        .toSorted(),
    )
    await change(id, { deviceGroupIds: [west!] })
    expect(await shownTo(somebody)).toEqual(idsOf('west'))
    await change(id, { deviceGroupIds: [] })
    expect(await somebody.ask(deviceCalls.read, { params: { id: devices.east.id } })).toMatchObject({ code: 0 })
  })

  /** Return the visible devices that other tests have added. */
  const shownBeside = async (): Promise<string[]> => (await shownTo(world)).filter((id) => !everything().includes(id))

  test('reaches live screens at once', async () => {
    const id = await make({ permissions: ['access.record'] })
    const somebody = await holder(id)
    const screen = await listening(somebody, topics.accessRecord)
    const person = await world.person()
    const pass = (device: MadeDevice, epoch: string) => recordAt(world, { site: world, device }, person, { epoch, revision: 'none' })
    const before = await pass(devices.east, 'before the limit')
    await screen.row('the passage before', ({ id: row }) => row === before)
    await change(id, { deviceGroupIds: [west!] })
    await pass(devices.east, 'after the limit')
    const last = await pass(devices.west, 'after the limit')
    await screen.row('the passage at the other door', ({ id: row }) => row === last)
    expect(screen.rows.map(({ deviceId }) => deviceId)).toEqual([devices.east.id, devices.west.id])
    await screen.stop()
  })

  test('leaves no file that was made with more', async () => {
    const id = await make({ permissions: ['access.record', 'own:access.record.export'] })
    const somebody = await holder(id)
    const task = await somebody.call(exportCalls.accessRecord, { body: { format: 'csv' } })
    const download = () =>
      fetch(`${world.url}${addressOf(exportCalls.download)}?id=${task.id}`, { headers: { authorization: `Bearer ${bearerOf(somebody)}` } })
    await until(
      'the export',
      async () => (await somebody.call(exportCalls.progress, { query: { id: task.id } })).status === exportStatus.exported,
    )
    expect((await download()).status).toBe(200)
    await change(id, { deviceGroupIds: [west!] })
    expect((await download()).status).toBe(403)
  })
})

describe('live frames', () => {
  test.each(['deviceStatus', 'doors'] as const)('of %s tell of the devices that are shown', async (topic) => {
    const somebody = await world.session({ permissions: LOOK, deviceGroupIds: [west!] })
    const [all, some] = await Promise.all([listening(world.client, topics[topic]), listening(somebody, topics[topic])])
    const sendStatus = async (device: MadeDevice): Promise<void> => {
      if (topic === 'doors') {
        world.server.contexts.doors.service.noteState({ deviceId: device.id, parkId: world.park.id }, 'opened')
      } else
        await world.server.contexts.devices.service.noteStatus({ parkId: world.park.id }, device.id, {
          online: true,
          lastSeenAt: world.clock.now(),
        })
    }
    const idOf = (row: object): string => (row as { deviceId?: string }).deviceId ?? (row as { id: string }).id
    await sendStatus(devices.east)
    await all.row('the device out of reach', (row) => idOf(row) === devices.east.id)
    await sendStatus(devices.west)
    await some.row('the device in reach', (row) => idOf(row) === devices.west.id)
    expect(new Set(some.rows.map(idOf))).toEqual(new Set([devices.west.id]))
    await Promise.all([all.stop(), some.stop()])
  })
})

test('API users are never limited', async () => {
  const { ApiKey, ApiSecret } = await world.call(clientCalls.create, {
    body: { name: 'Of every device', permissions: LOOK, organisationId: world.park.id },
  })
  const program = createClient(world.url, { basic: [ApiKey, ApiSecret] })
  const { data } = await program.ask(identityCalls.token, {
    body: { grant_type: 'client_credentials', areaCode: world.park.areaCode },
  })
  expect(await shownTo(createClient(world.url, { bearer: data.access_token }))).toEqual(await shownTo(world))
})

test('a link of a data screen shows what is shown to its maker', async () => {
  const maker = await withRoles(world, [
    { permissions: ['system.screen', 'screen'] },
    { permissions: [...LOOK, 'access.record', 'person.list'], deviceGroupIds: [west!] },
  ])
  const { token } = await maker.call(screenLinkCalls.create, { body: { name: 'Lobby' } })
  const wall = createClient(world.url, { bearer: token })
  expect(await wall.call(deviceCalls.summary, {})).toMatchObject({ total: 1 })
  const screen = await listening(wall, topics.accessRecord)
  const person = await world.person()
  const pass = (device: MadeDevice) => recordAt(world, { site: world, device }, person, { epoch: 'on a wall', revision: 'none' })
  await pass(devices.east)
  const seen = await pass(devices.west)
  await screen.row('the passage in reach', ({ id }) => id === seen)
  expect(screen.rows.map(({ id }) => id)).toEqual([seen])
  await screen.stop()
})
