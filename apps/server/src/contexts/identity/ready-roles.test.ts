/**
 * The built-in roles of every installation: they can be assigned and copied at once, cannot be changed, and permit exactly what they say.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { PERMISSION_CODES, isWrite, permissionsByModule, type Call, type PermissionCode } from '@gatehouse/contract'
import { BUILT_CODES } from '@gatehouse/contract/built'
import { deviceCalls } from '@gatehouse/contract/devices/calls'
import { doorCalls } from '@gatehouse/contract/doors/calls'
import { identityCalls } from '@gatehouse/contract/identity/calls'
import { READY_ROLES, READY_ROLE_KEYS, type ReadyRoleKey } from '@gatehouse/contract/identity/ready-roles'
import { roleCalls } from '@gatehouse/contract/identity/roles'
import { userCalls } from '@gatehouse/contract/identity/users'
import { organisationCalls } from '@gatehouse/contract/organisation/calls'
import { peopleCalls } from '@gatehouse/contract/people/calls'
import { specialCalls } from '@gatehouse/contract/people/special'
import { grantToken } from '@gatehouse/dev-env/accounts'
import { createClient, type Client } from '@gatehouse/dev-env/client'
import { startWorld, type World } from '@gatehouse/dev-env/world'
import { ALL_CALLS, ask, codesOf } from '../../../../../tests/support/all-calls.ts'
import { query } from '../../../../../tests/support/embedded-postgres.ts'

let world: World
beforeAll(async () => {
  world = await startWorld()
})
afterAll(() => world?.stop())

const { guard, auditor, parkAdministrator } = READY_ROLES
const ADMINISTERS = ['system', 'system.user', 'system.role', 'system.area'] as const
/** Return a user who can grant all of them: an administrator of a park, without permissions for the installation. */
const administratorOfPark = () =>
  world.session({ roleSign: 'parkAdmin', permissions: [...new Set([...ADMINISTERS, ...parkAdministrator.permissions])] })

let number = 0
/** Create a user of the park with one built-in role only, and a session of theirs. */
async function holder(key: ReadyRoleKey): Promise<{ id: string; client: Client }> {
  const { id } = await world.call(userCalls.create, {
    body: { account: `ready${++number}`, realName: 'Holder', organisationId: world.park.id, roles: [READY_ROLES[key].id] },
  })
  return { id, client: createClient(world.url, { bearer: (await grantToken(world.server, id, world.park.id)).bearer }) }
}

/** Return the data of a reading call in a language. */
async function inLanguage<Data>({ credentials }: Pick<Client, 'credentials'>, url: string, language: string): Promise<Data> {
  const authorization = `Bearer ${(credentials as { bearer: string }).bearer}`
  const answer = await fetch(world.url + url, { headers: { authorization, 'accept-language': language } })
  return ((await answer.json()) as { data: Data }).data
}
type Named = { content: { name: string; remark: string; ready: string | null }[] }

describe('a ready role', () => {
  test('is there in every installation, before those that were made, and says what it is in the language of the request', async () => {
    const { content, total } = await world.call(roleCalls.list, { query: { size: 100 } })
    expect(content.map(({ ready }) => ready)).toEqual([
      ...READY_ROLE_KEYS,
      ...Array.from({ length: total - READY_ROLE_KEYS.length }, () => null),
    ])
    expect(content[0]).toMatchObject({
      id: guard.id,
      name: 'Guard',
      roleSign: 'parkAdmin',
      users: 0,
      can: { change: false, delete: false },
      deviceGroupIds: [],
    })
    const chinese = await inLanguage<Named>(world.client, `${roleCalls.list.url}?size=100`, 'zh-CN')
    expect(chinese.content[0]).toMatchObject({ name: '保安', ready: 'guard' })
    expect(chinese.content[0]!.remark).toContain('重点人员')
    expect(await world.call(roleCalls.read, { params: { id: guard.id } })).toMatchObject({
      ready: 'guard',
      permissions: permissionsByModule(guard.permissions),
    })
  })

  test('is found by its name in the language of the request, and by no other', async () => {
    const called = async (name: string, language: string) =>
      (await inLanguage<Named>(world.client, `${roleCalls.list.url}?name=${encodeURIComponent(name)}`, language)).content.map(
        ({ ready }) => ready,
      )
    expect(await called('gUAr', 'en')).toEqual(['guard'])
    expect(await called('保安', 'zh-CN')).toEqual(['guard'])
    expect(await called('Guard', 'zh-TW')).toEqual([])
    expect(await called('%', 'en')).toEqual([])
  })

  test('is nobody’s to change or delete, and both are told why', async () => {
    const { id, name } = await world.call(roleCalls.read, { params: { id: guard.id } })
    const change = await world.ask(roleCalls.change, { body: { id, name, permissions: ['device.list'] } })
    expect(change).toMatchObject({ status: 400, data: { fields: [{ path: 'id', rule: 'readyRole' }] } })
    const deletion = await world.ask(roleCalls.delete, { params: { id } })
    expect(deletion).toMatchObject({ status: 400, data: { fields: [{ path: 'id', rule: 'readyRole' }] } })
    expect(await world.call(roleCalls.read, { params: { id } })).toMatchObject({ permissions: permissionsByModule(guard.permissions) })
  })

  test('leaves its name to a role that somebody makes, and its parts to a copy', async () => {
    const { name, permissions, roleSign, remark } = await world.call(roleCalls.read, { params: { id: guard.id } })
    const { id } = await world.call(roleCalls.create, {
      body: { name, permissions: permissions as PermissionCode[], roleSign, remark, organisationId: world.park.id },
    })
    expect(await world.call(roleCalls.read, { params: { id } })).toMatchObject({
      name,
      permissions,
      roleSign,
      remark,
      ready: null,
      can: { change: true, delete: true },
    })
  })

  test('is given by a park’s administrator to users of the park, whose number tells of no other park', async () => {
    const administrator = await administratorOfPark()
    const offered = await administrator.call(roleCalls.subRoles, { query: {} })
    expect(offered.filter(({ ready }) => ready !== null).map(({ ready }) => ready)).toEqual(READY_ROLE_KEYS)
    const before = (await administrator.call(roleCalls.read, { params: { id: auditor.id } })).users
    const create = (account: string, organisationId: string, by: Pick<Client, 'ask'>) =>
      by.ask(userCalls.create, { body: { account, realName: 'Given', organisationId, roles: [auditor.id] } })
    expect(await create('given.here', world.park.id, administrator)).toMatchObject({ code: 0 })
    const other = await world.addPark()
    expect(await create('given.there', other.park.id, world)).toMatchObject({ code: 0 })
    const [here, everywhere] = await Promise.all(
      [administrator, world].map((by) => by.call(roleCalls.read, { params: { id: auditor.id } })),
    )
    expect(here).toMatchObject({ users: before + 1, organisationId: world.park.id, organisationName: world.park.name })
    expect(everywhere!.users).toBe(before + 2)
    const listed = await administrator.call(roleCalls.list, { query: { name: 'Auditor' } })
    expect(listed).toMatchObject({ total: 1, content: [{ users: before + 1 }] })
  })

  test('is given by nobody who lacks any of it, or whose role sign reaches less far', async () => {
    const makers = {
      lacksDoors: await world.session({
        roleSign: 'parkAdmin',
        permissions: [...ADMINISTERS, ...guard.permissions.filter((code) => code !== 'own:door.open')],
      }),
      reachesLess: await world.session({ roleSign: 'other', permissions: [...ADMINISTERS, ...guard.permissions] }),
    }
    for (const [why, maker] of Object.entries(makers)) {
      expect(
        (await maker.call(roleCalls.subRoles, { query: {} })).map(({ ready }) => ready),
        why,
      ).not.toContain('guard')
      const given = await maker.ask(userCalls.create, {
        body: { account: `refused${++number}`, realName: 'Refused', organisationId: world.park.id, roles: [guard.id] },
      })
      expect(given, why).toMatchObject({ status: 403, code: 100510 })
    }
  })

  test('is called in the language of the request wherever its holders are named', async () => {
    const { id, client } = await holder('guard')
    type Profile = { roleName: string; roles: { name: string }[] }
    expect(await inLanguage<Profile>(client, identityCalls.profile.url, 'zh-TW')).toMatchObject({
      roleName: '保全',
      roles: [{ name: '保全' }],
    })
    type Parks = { content: { roleName: string }[] }
    expect((await inLanguage<Parks>(client, organisationCalls.parkList.url, 'zh-CN')).content[0]).toMatchObject({ roleName: '保安' })
    type Users = { content: { roleDetails: { name: string }[] }[] }
    const users = await inLanguage<Users>(world.client, `${userCalls.list.url}?roleId=${guard.id}`, 'zh-CN')
    expect(users.content[0]!.roleDetails).toEqual([{ id: guard.id, name: '保安', roleSign: 'parkAdmin' }])
    expect((await world.call(userCalls.read, { params: { id } })).roleDetails).toMatchObject([{ name: 'Guard' }])
  })

  test('consists of what the product has today', () => {
    for (const key of READY_ROLE_KEYS)
      expect(
        READY_ROLES[key].permissions.filter((code) => !BUILT_CODES.includes(code)),
        key,
      ).toEqual([])
  })

  test('is what this version says it is, from its next start on', async () => {
    const { client } = await holder('reception')
    expect(await client.ask(peopleCalls.list, { query: {} })).toMatchObject({ code: 0 })
    await world.interrupted(() =>
      query(world.connectionString, "UPDATE role SET permissions = '{person}', role_sign = 'parkAdmin' WHERE ready = 'reception'"),
    )
    expect(await world.call(roleCalls.read, { params: { id: READY_ROLES.reception.id } })).toMatchObject({
      roleSign: 'other',
      permissions: permissionsByModule(READY_ROLES.reception.permissions),
    })
    expect(await client.ask(peopleCalls.list, { query: {} })).toMatchObject({ code: 0 })
  })
})

describe('the administrators’ role', () => {
  test('loses a permission that ready roles grant, unless somebody holds one of them', async () => {
    const there = await startWorld()
    try {
      const root = there.server.contexts.organisation.service.root().id
      const administrator = (await there.call(roleCalls.list, { query: { roleSign: 'admin' } })).content[0]!
      const without = (code: PermissionCode) =>
        there.ask(roleCalls.change, {
          body: {
            id: administrator.id,
            name: 'Administrator',
            roleSign: 'admin',
            organisationId: root,
            permissions: PERMISSION_CODES.filter((one) => one !== code),
          },
        })
      await there.call(userCalls.create, {
        body: { account: 'watchman', realName: 'Watchman', organisationId: there.park.id, roles: [guard.id] },
      })
      expect(await without('own:door.open')).toMatchObject({ code: 100101, data: { permissions: ['own:door.open'] } })
      expect(await without('own:person.edit')).toMatchObject({ code: 0 })
    } finally {
      await there.stop()
    }
  })
})

const expectMissing = (answer: { status: number; code: number }, about: string) =>
  expect(answer, about).toMatchObject({ status: 403, code: 100510 })

describe('what the roles can do', () => {
  test('a guard sees records, devices and the watch list and opens doors, and deletes nothing', async () => {
    const { client } = await holder('guard')
    const device = await world.device()
    expect(await client.ask(deviceCalls.list, { query: {} })).toMatchObject({ code: 0 })
    expect(await client.ask(specialCalls.list, { query: {} })).toMatchObject({ code: 0 })
    const opened = await client.ask(doorCalls.controlDoor, { body: { deviceId: device.id, operateType: 1 } })
    expect(opened).toMatchObject({ status: 200 })
    for (const refused of [
      await client.ask(deviceCalls.delete, { query: { ids: [device.id] } }),
      await client.ask(deviceCalls.move, { body: { ids: [device.id], groupId: null } }),
      await client.ask(deviceCalls.revoke, { params: { id: device.id } }),
      await client.ask(peopleCalls.delete, { query: { ids: [device.id] } }),
    ])
      expectMissing(refused, 'guard')
  })

  test('a receptionist opens doors and does not know of the watch list', async () => {
    const { client } = await holder('reception')
    expect(await client.ask(peopleCalls.list, { query: {} })).toMatchObject({ code: 0 })
    expectMissing(await client.ask(specialCalls.list, { query: {} }), 'reception')
  })

  /** Writing calls, except those about the caller's own account. */
  const WRITES = ALL_CALLS.filter((call) => isWrite(call) && !['public', 'self', 'basic', 'device'].includes(call.permission))
  const nameOf = ({ method, url }: Call): string => `${method} ${url}`

  test('an auditor changes nothing', async () => {
    const { client } = await holder('auditor')
    expect(WRITES.length).toBeGreaterThan(150)
    for (const call of WRITES) expectMissing(await ask(world, call, client.credentials), nameOf(call))
  })

  test('nobody else writes but by the codes of their role', async () => {
    for (const key of READY_ROLE_KEYS) {
      const { permissions } = READY_ROLES[key]
      const { client } = await holder(key)
      const beyond = WRITES.filter(
        (call) => call.permission === 'installation' || codesOf(call).some((code) => !(permissions as readonly string[]).includes(code)),
      )
      for (const call of beyond) expectMissing(await ask(world, call, client.credentials), `${key}: ${nameOf(call)}`)
    }
  })
})
