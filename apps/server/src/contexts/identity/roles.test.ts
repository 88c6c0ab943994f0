import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { codesOfModules, PERMISSION_CODES, permissionModules, type PermissionCode } from '@gatehouse/contract'
import { identityCalls } from '@gatehouse/contract/identity/calls'
import { roleCalls, type Role } from '@gatehouse/contract/identity/roles'
import { userCalls } from '@gatehouse/contract/identity/users'
import { peopleCalls } from '@gatehouse/contract/people/calls'
import { grantToken } from '@gatehouse/dev-env/accounts'
import { createClient, type Client } from '@gatehouse/dev-env/client'
import { startWorld, type World } from '@gatehouse/dev-env/world'

let world: World
let root: string
let park: string
beforeAll(async () => {
  world = await startWorld()
  root = world.server.contexts.organisation.service.root().id
  park = world.park.id
})
afterAll(() => world?.stop())

let number = 0
const fieldsOf = (
  overrides: Partial<{
    name: string
    permissions: PermissionCode[]
    organisationId: string
    roleSign: Role['roleSign']
    remark: string
  }> = {},
) => ({
  name: `Role ${++number}`,
  permissions: ['person', 'person.list'] as PermissionCode[],
  organisationId: park,
  ...overrides,
})
const make = async (overrides: Parameters<typeof fieldsOf>[0] = {}) =>
  (await world.call(roleCalls.create, { body: fieldsOf(overrides) })).id
const read = (id: string) => world.call(roleCalls.read, { params: { id } })
const change = async (id: string, overrides: Parameters<typeof fieldsOf>[0], by: Pick<Client, 'ask'> = world) => {
  const { name, permissions, organisationId, roleSign, remark } = await read(id)
  return by.ask(roleCalls.change, {
    body: { id, name, permissions, organisationId, roleSign, remark, ...overrides },
  })
}
const fieldsRefused = (answer: { data: unknown }): string[] =>
  ((answer.data as { fields?: { path: string; rule: string }[] } | undefined)?.fields ?? []).map(({ path, rule }) => `${path} ${rule}`)

/** Create a user of the park with this role, and a session of theirs. */
async function holder(roleId: string, organisationId = park): Promise<{ id: string; client: Client }> {
  const { id } = await world.call(userCalls.create, {
    body: { account: `holder${++number}`, realName: 'Holder', organisationId, roles: [roleId] },
  })
  return { id, client: createClient(world.url, { bearer: (await grantToken(world.server, id, park)).bearer }) }
}

describe('a role', () => {
  test('is made by whoever holds the permission, and by nobody else [BEH-188]', async () => {
    const maker = await world.session({ permissions: ['system', 'system.role', 'person', 'person.list'] })
    const { id } = await maker.call(roleCalls.create, { body: { ...fieldsOf(), remark: 'of the guards' } })
    expect(await read(id)).toMatchObject({
      permissions: { person: ['person', 'person.list'] },
      roleSign: 'other',
      roleLabel: 2,
      organisationName: world.park.name,
      remark: 'of the guards',
      users: 0,
      can: { change: true, delete: true },
    })
    const other = await world.session({ permissions: PERMISSION_CODES.filter((code) => code !== 'system.role') })
    expect(await other.ask(roleCalls.create, { body: fieldsOf() })).toMatchObject({ status: 403, code: 100510 })
  })

  test('needs a permission [VAL-208]', async () => {
    expect(await world.ask(roleCalls.create, { body: fieldsOf({ permissions: [] }) })).toMatchObject({
      status: 200,
      code: 100200,
      data: { fields: [{ path: 'permissions' }] },
    })
    expect(await change(await make(), { permissions: [] })).toMatchObject({ code: 100200 })
  })

  test('has a name of its own [VAL-209]', async () => {
    await make({ name: 'Reception' })
    expect(await world.ask(roleCalls.create, { body: fieldsOf({ name: 'Reception' }) })).toMatchObject({
      status: 200,
      code: 100203,
      data: { fields: [{ path: 'name' }] },
    })
    expect(await change(await make(), { name: 'Reception' })).toMatchObject({ code: 100203 })
    const answers = await Promise.all([1, 2].map(() => world.ask(roleCalls.create, { body: fieldsOf({ name: 'At once' }) })))
    expect(answers.map(({ code }) => code).toSorted()).toEqual([0, 100203])
  })

  test('that somebody holds cannot be deleted [VAL-210, BEH-191]', async () => {
    const id = await make()
    const { id: userId } = await holder(id)
    expect(await read(id)).toMatchObject({ users: 1 })
    expect(await world.ask(roleCalls.delete, { params: { id } })).toMatchObject({ status: 200, code: 100201 })
    await world.call(userCalls.delete, { params: { id: userId } })
    expect(await world.ask(roleCalls.delete, { params: { id } })).toMatchObject({ code: 0 })
    expect(await world.ask(roleCalls.read, { params: { id } })).toMatchObject({ status: 404 })
  })

  test('given to somebody while it is deleted is either held or gone', async () => {
    const id = await make()
    const [deleted, created] = await Promise.all([
      world.ask(roleCalls.delete, { params: { id } }),
      world.ask(userCalls.create, { body: { account: `race${++number}`, realName: 'Racer', organisationId: park, roles: [id] } }),
    ])
    expect([deleted.code === 0, created.code === 0].filter(Boolean)).toHaveLength(1)
    expect([200, 403]).toContain(created.status)
  })

  test('that changes is felt by its holders at the next call', async () => {
    const id = await make()
    const { client } = await holder(id)
    expect(await client.ask(peopleCalls.list, { query: {} })).toMatchObject({ code: 0 })
    await change(id, { permissions: ['device', 'device.list'] })
    expect(await client.ask(peopleCalls.list, { query: {} })).toMatchObject({ status: 403, code: 100510 })
    expect((await client.call(identityCalls.profile, {})).capabilities.permissions.toSorted()).toEqual(['device', 'device.list'])
  })

  test('is changed by one of two who read the same version', async () => {
    const id = await make()
    const { version } = await read(id)
    const [first, second] = await Promise.all([1, 2].map(() => world.ask(roleCalls.change, { body: { id, version, ...fieldsOf() } })))
    expect([first!.status, second!.status].toSorted()).toEqual([200, 409])
  })

  test('cannot be moved away from those who hold it', async () => {
    const id = await make({ organisationId: root })
    await holder(id)
    const other = await world.addPark()
    expect(await change(id, { organisationId: other.park.id })).toMatchObject({
      code: 100201,
      data: { fields: [{ path: 'organisationId' }] },
    })
    expect(await change(id, { organisationId: park })).toMatchObject({ code: 0 })
  })
})

describe('the administrators’ role', () => {
  let alone: World
  let top: string
  let administrator: Role
  beforeAll(async () => {
    alone = await startWorld()
    top = alone.server.contexts.organisation.service.root().id
    administrator = (await alone.call(roleCalls.list, { query: { roleSign: 'admin' } })).content[0]!
  })
  afterAll(() => alone?.stop())

  const now = () => alone.call(roleCalls.read, { params: { id: administrator.id } })
  const asked = (overrides: { permissions?: PermissionCode[]; roleSign?: Role['roleSign'] }) =>
    alone.ask(roleCalls.change, {
      body: {
        id: administrator.id,
        name: 'Administrator',
        roleSign: 'admin',
        organisationId: top,
        permissions: [...PERMISSION_CODES],
        ...overrides,
      },
    })
  const without = (code: PermissionCode) => asked({ permissions: PERMISSION_CODES.filter((one) => one !== code) })

  test('keeps a permission that a role further down still grants and no other above it has [VAL-211]', async () => {
    const makeThere = async (name: string, organisationId: string, roleSign: Role['roleSign']) =>
      (await alone.call(roleCalls.create, { body: { name, permissions: ['device.list'], organisationId, roleSign } })).id
    const guard = await makeThere('Guard', alone.park.id, 'other')
    expect(await without('device.list')).toMatchObject({
      status: 200,
      code: 100101,
      data: { fields: [{ path: 'permissions' }], permissions: ['device.list'] },
    })
    expect((await now()).permissions.device).toContain('device.list')
    // The operator's role is above the guard's and below the administrators': it covers the guard's, but needs a role above itself too.
    const operator = await makeThere('Operator', top, 'operator')
    expect(await without('device.list')).toMatchObject({ code: 100101 })
    expect(
      await alone.ask(roleCalls.change, {
        body: { id: operator, name: 'Operator', roleSign: 'operator', organisationId: top, permissions: ['device'] },
      }),
    ).toMatchObject({ code: 0 })
    await alone.call(roleCalls.delete, { params: { id: guard } })
    expect(await without('device.list')).toMatchObject({ code: 0 })
  })

  test('stays what administrators need as long as there are no others', async () => {
    const currentCodes = codesOfModules((await now()).permissions)
    for (const overrides of [
      { permissions: currentCodes.filter((code) => code !== 'system.user') },
      { permissions: currentCodes.filter((code) => code !== 'system.role') },
      { permissions: currentCodes, roleSign: 'operator' as const },
    ])
      expect(fieldsRefused(await asked(overrides))).toEqual(['permissions lastAdministrator'])
    expect(await now()).toMatchObject({
      roleSign: 'admin',
      permissions: { system: expect.arrayContaining(['system.user', 'system.role']) },
    })
  })
})

describe('nobody grants', () => {
  test('a permission he lacks', async () => {
    const maker = await world.session({ permissions: ['system', 'system.role', 'person'] })
    expect(await maker.ask(roleCalls.create, { body: fieldsOf({ permissions: ['person', 'person.list'] }) })).toMatchObject({
      status: 403,
      code: 100510,
      data: { fields: [{ path: 'permissions' }] },
    })
    expect(await maker.ask(roleCalls.create, { body: fieldsOf({ permissions: ['person'] }) })).toMatchObject({ code: 0 })
  })

  test('a permission he lacks by taking a role over, or by leaving it in', async () => {
    const maker = await world.session({ permissions: ['system', 'system.role', 'person'] })
    const id = await make({ permissions: ['person', 'device'] })
    expect(await maker.call(roleCalls.read, { params: { id } })).toMatchObject({ can: { change: false, delete: false } })
    expect(await change(id, { name: 'Mine now' }, maker)).toMatchObject({ status: 403, code: 100510 })
    expect(await change(id, { permissions: ['person'] }, maker)).toMatchObject({ status: 403, code: 100510 })
    expect(await maker.ask(roleCalls.delete, { params: { id } })).toMatchObject({ status: 403, code: 100510 })
  })

  test('a role sign that reaches further than his own', async () => {
    const makers = await Promise.all(
      (['operator', 'parkAdmin', 'other'] as const).map(async (sign) => [sign, await world.session({ roleSign: sign })] as const),
    )
    const signs = ['admin', 'operator', 'parkAdmin', 'other'] as const
    for (const [own, maker] of makers)
      for (const roleSign of signs) {
        const allowed = signs.indexOf(roleSign) >= signs.indexOf(own)
        expect(await maker.ask(roleCalls.create, { body: fieldsOf({ roleSign }) }), `${own} grants ${roleSign}`).toMatchObject(
          allowed ? { code: 0 } : { status: 403, code: 100510 },
        )
      }
  })

  test('what an administrator is anywhere but at the root', async () => {
    expect(fieldsRefused(await world.ask(roleCalls.create, { body: fieldsOf({ roleSign: 'admin' }) }))).toEqual(['roleSign adminAtRoot'])
    const id = await make({ organisationId: root })
    await holder(id)
    expect(fieldsRefused(await change(id, { roleSign: 'admin' }))).toEqual(['roleSign adminAtRoot'])
    expect(await world.ask(roleCalls.create, { body: fieldsOf({ roleSign: 'admin', organisationId: root }) })).toMatchObject({ code: 0 })
  })

  test('an area he does not see', async () => {
    const other = await world.addPark()
    const maker = await world.session({ roleSign: 'parkAdmin' })
    for (const organisationId of [root, other.park.id])
      expect(await maker.ask(roleCalls.create, { body: fieldsOf({ organisationId }) })).toMatchObject({ status: 200, code: 100413 })
    const id = await make()
    expect(await change(id, { organisationId: other.park.id }, maker)).toMatchObject({ status: 200, code: 100413 })
    expect(await maker.ask(roleCalls.subRoles, { query: { organisationId: other.park.id } })).toMatchObject({ status: 200, code: 100413 })
  })
})

describe('permissions', () => {
  test('come from the server by module, as far as one may grant them [BEH-189]', async () => {
    const everything = await world.session()
    const groups = await everything.call(roleCalls.groups, {})
    expect(groups).toEqual(Object.entries(permissionModules).map(([module, permissions]) => ({ module, permissions })))
    const maker = await world.session({ permissions: ['system', 'system.role', 'person.list'] })
    expect(await maker.call(roleCalls.groups, {})).toEqual([
      { module: 'person', permissions: ['person.list'] },
      { module: 'system', permissions: ['system', 'system.role'] },
    ])
    expect(await maker.call(roleCalls.permissions, { query: {} })).toEqual(
      ['person.list', 'system', 'system.role'].map((permissionCode) => ({ permissionCode })),
    )
    expect(await maker.call(roleCalls.permissions, { query: { id: await make() } })).toEqual(
      ['person', 'person.list'].map((permissionCode) => ({ permissionCode })),
    )
  })
})
