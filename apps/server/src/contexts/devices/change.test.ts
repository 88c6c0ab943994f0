/** What a change of a device or a group keeps, and what it removes: fields that are left out stay, null or an empty value removes. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Call } from '@gatehouse/contract'
import { deviceCalls } from '@gatehouse/contract/devices/calls'
import { deviceType } from '@gatehouse/contract/enums/devices'
import { peopleCalls } from '@gatehouse/contract/people/calls'
import { specialCalls } from '@gatehouse/contract/people/special'
import { startWorld, type Site, type World } from '@gatehouse/dev-env/world'
import { fieldsRefused } from '../../../../../tests/support/users.ts'

let world: World
beforeAll(async () => {
  world = await startWorld()
})
afterAll(() => world?.stop())

const RECORDER = {
  type: deviceType.nvr,
  model: 7,
  direction: 2,
  ip: '10.0.0.9',
  port: 8000,
  userName: 'admin',
  accessType: 4,
  relayMac: '00:1A:2B:3C:4D:5E',
  lockMacs: ['00:1A:2B:3C:4D:5F'],
  openDoorConfirm: true,
  channelCount: 2,
  supportsVideo: true,
} as const

let deviceCount = 0
/** Create a device in a group, with a value in every field. */
async function prepare(overrides: object = {}) {
  const site = await world.addPark()
  const { id: groupId } = await site.deviceGroup()
  const { id } = await site.call(deviceCalls.create, {
    body: {
      code: `CHANGE-${site.park.id}`,
      name: 'Recorder',
      groupId,
      ...RECORDER,
      digitalCode: String(4711 + ++deviceCount),
      password: 'Secret#1',
      devicePassword: '123456',
      ...overrides,
    },
  } as never)
  const read = () => site.call(deviceCalls.read, { params: { id } })
  const change = (body: object) => site.ask(deviceCalls.change as Call, { body: { id, ...body } } as never)
  return { site, id, groupId, read, change }
}

/** Return a device without the fields that differ after every change. */
const settled = ({ version: _version, ...device }: { version: number }): object => device

describe('a change of a device', () => {
  test('keeps what it leaves out, its group too', async () => {
    const { read, change, groupId } = await prepare()
    const before = await read()
    expect(before).toMatchObject({ ...RECORDER, groupId, hasPassword: true, hasDevicePassword: true })
    for (const body of [{}, { name: before.name }, { direction: before.direction }]) {
      expect(await change(body)).toMatchObject({ status: 200, code: 0 })
      expect(settled(await read())).toEqual(settled(before))
    }
  })

  test('removes what is null, one by one', async () => {
    const { read, change } = await prepare({ type: deviceType.faceAccessController, model: 4 })
    const removed = {
      groupId: null,
      direction: 1,
      ip: '',
      port: null,
      userName: '',
      accessType: null,
      relayMac: '',
      lockMacs: [],
      digitalCode: '',
      openDoorConfirm: false,
      channelCount: 1,
      supportsVideo: false,
    }
    let before = await read()
    for (const [field, nothing] of Object.entries(removed)) {
      expect(await change({ [field]: null }), field).toMatchObject({ status: 200, code: 0 })
      const after = await read()
      expect(settled(after), field).toEqual({ ...settled(before), [field]: nothing, ...(field === 'groupId' && { groupName: '' }) })
      before = after
    }
    expect(await change({ password: null, devicePassword: null })).toMatchObject({ code: 0 })
    expect(await read()).toMatchObject({ hasPassword: false, hasDevicePassword: false })
    for (const nothing of [null, '']) expect(fieldsRefused(await change({ name: nothing }))).toEqual(['name required'])
  })

  test('is held to what its type needs with what it keeps', async () => {
    const { change } = await prepare()
    expect(fieldsRefused(await change({ ip: null }))).toEqual(['ip required'])
    expect(fieldsRefused(await change({ password: null }))).toEqual(['password required'])
    expect(await change({ model: 4 })).toMatchObject({ code: 400204 })
  })

  test('is taken where it is what was read, and refused where it says something only the device can', async () => {
    const { read, change } = await prepare()
    const before = await read()
    // In the meantime the device may have been seen, and people may have passed.
    const body = { ...before, lastSeenAt: 1, onlineStatus: 1, todayAccessCount: 7 }
    expect(await change(body)).toMatchObject({ status: 200, code: 0 })
    expect(settled(await read())).toEqual(settled(before))
    expect(fieldsRefused(await change({ code: 'ANOTHER' }))).toEqual(['code readOnly'])
    expect(fieldsRefused(await change({ released: !before.released }))).toEqual(['released readOnly'])
    expect(fieldsRefused(await change({ colour: 'red' }))).toEqual(['colour unknownField'])
  })
})

describe.each([
  {
    of: 'devices',
    add: deviceCalls.createGroup,
    alter: deviceCalls.changeGroup,
    tree: (site: Site) => site.call(deviceCalls.groupTree, {}),
    more: { defaultDirection: 2 as number | null },
  },
  {
    of: 'persons',
    add: peopleCalls.createGroup,
    alter: peopleCalls.changeGroup,
    tree: (site: Site) => site.call(peopleCalls.groupTree, { query: { type: 1 } }),
    more: {},
  },
  {
    of: 'persons to look out for',
    add: specialCalls.createGroup,
    alter: specialCalls.changeGroup,
    tree: (site: Site) => site.call(specialCalls.groupTree, {}),
    more: {},
  },
])('a change of a group of $of', ({ add, alter, tree, more }) => {
  test('keeps what it leaves out, moves to the top by null, and takes what was read', async () => {
    const site = await world.addPark()
    const added = (body: object): Promise<{ id: string }> => site.call(add as typeof deviceCalls.createGroup, { body: body as never })
    const change = (body: object) => site.ask(alter as Call, { body } as never)
    const above = await added({ name: 'Above' })
    const { id } = await added({ name: 'Below', parentId: above.id, ...more })
    const read = async () => {
      const top: { id: string; children: unknown[] }[] = await tree(site)
      return [...top, ...top.flatMap(({ children }) => children as typeof top)].find((one) => one.id === id)!
    }
    const before = await read()
    expect(before).toMatchObject({ parentId: above.id, ...more })
    for (const body of [{ id }, { id, name: 'Below' }, before]) expect(await change(body), JSON.stringify(body)).toMatchObject({ code: 0 })
    expect(await read()).toEqual(before)
    expect(await change({ id, name: 'Renamed' })).toMatchObject({ code: 0 })
    expect(await read()).toMatchObject({ name: 'Renamed', parentId: above.id, ...more })
    expect(await change({ id, parentId: null })).toMatchObject({ code: 0 })
    expect(await read()).toMatchObject({ name: 'Renamed', parentId: null, ...more })
    for (const field of Object.keys(more)) {
      expect(await change({ id, [field]: null })).toMatchObject({ code: 0 })
      expect(await read()).toMatchObject({ [field]: null })
    }
    for (const nothing of [null, '']) expect(fieldsRefused(await change({ id, name: nothing }))).toEqual(['name required'])
    expect(fieldsRefused(await change({ id, [Object.keys(more).length > 0 ? 'level' : 'type']: 7 }))).toHaveLength(1)
  })
})
