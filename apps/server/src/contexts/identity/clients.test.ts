import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { PermissionCode } from '@gatehouse/contract'
import { auditCalls } from '@gatehouse/contract/audit/calls'
import { identityCalls } from '@gatehouse/contract/identity/calls'
import { clientCalls } from '@gatehouse/contract/identity/clients'
import { peopleCalls } from '@gatehouse/contract/people/calls'
import { createClient, type Client } from '@gatehouse/dev-env/client'
import { startWorld, type World } from '@gatehouse/dev-env/world'

let world: World
let time = Date.now()
beforeAll(async () => {
  world = await startWorld({ clock: { now: () => time } })
})
afterAll(() => world?.stop())

let number = 0
const fieldsOf = (overrides: Record<string, unknown> = {}) => ({
  name: `Program ${++number}`,
  permissions: ['person', 'person.list'] as PermissionCode[],
  organisationId: world.park.id,
  ...overrides,
})
const make = (overrides: Record<string, unknown> = {}, by: Pick<Client, 'call'> = world) =>
  by.call(clientCalls.create, { body: fieldsOf(overrides) })
const read = (id: string) => world.call(clientCalls.read, { query: { id } })

interface Credentials {
  ApiKey: string
  ApiSecret: string
}
const tokens = ({ ApiKey, ApiSecret }: Credentials, areaCode?: string) =>
  createClient(world.url, { basic: [ApiKey, ApiSecret] }).ask(identityCalls.token, { body: { grant_type: 'client_credentials', areaCode } })
async function program(credentials: Credentials, areaCode?: string): Promise<Client> {
  const answer = await tokens(credentials, areaCode)
  expect(answer).toMatchObject({ status: 200, code: 0 })
  return createClient(world.url, { bearer: answer.data.access_token })
}

describe('an API user', () => {
  test('made without permissions may do what its maker may, and nothing the maker may do for some devices only', async () => {
    const [permissions, { id: groupId }] = [['system.api', 'person.list', 'device.list'], await world.deviceGroup()]
    const { id } = await make({ permissions: undefined }, await world.session({ permissions }))
    expect((await read(id)).permissions.toSorted()).toEqual(permissions.toSorted())
    const limited = await world.session({ permissions, deviceGroupIds: [groupId] })
    expect(await limited.ask(clientCalls.create, { body: fieldsOf({ permissions: undefined }) })).toMatchObject({
      status: 403,
      code: 100510,
    })
  })

  test('is managed apart, with key and secret, can be enabled, disabled and given a new secret [BEH-196]', async () => {
    const made = await make({ purpose: 'Payroll', accessTokenValidity: 600, refreshTokenValidity: 1200 })
    expect(await read(made.id)).toMatchObject({
      ApiKey: made.ApiKey,
      purpose: 'Payroll',
      status: 1,
      accessTokenValidity: 600,
      refreshTokenValidity: 1200,
      lastUsedAt: null,
    })
    const client = await program(made)
    expect(await client.ask(peopleCalls.list, { query: {} })).toMatchObject({ code: 0 })
    expect((await read(made.id)).lastUsedAt).toBe(time)

    await world.call(clientCalls.enable, { body: { id: made.id, status: 0 } })
    expect(await read(made.id)).toMatchObject({ status: 0 })
    expect(await client.ask(peopleCalls.list, { query: {} })).toMatchObject({ status: 403, code: 901 })
    expect(await tokens(made)).toMatchObject({ status: 400, code: 901 })
    expect((await world.call(clientCalls.list, { query: { status: 0 } })).content.map(({ id }) => id)).toEqual([made.id])
    await world.call(clientCalls.enable, { body: { id: made.id, status: 1 } })
    expect(await client.ask(peopleCalls.list, { query: {} })).toMatchObject({ code: 0 })

    const renewed = await world.call(clientCalls.resetSecret, { params: { id: made.id } })
    expect(renewed.ApiKey).toBe(made.ApiKey)
    expect(renewed.ApiSecret).not.toBe(made.ApiSecret)
    expect(await client.ask(peopleCalls.list, { query: {} })).toMatchObject({ status: 401, code: 100412 })
    expect(await tokens(made)).toMatchObject({ status: 401 })
    await program(renewed)

    await world.call(clientCalls.delete, { query: { id: made.id } })
    expect(await tokens(renewed)).toMatchObject({ status: 401 })
    expect(await world.ask(clientCalls.read, { query: { id: made.id } })).toMatchObject({ status: 404 })
  })

  test('has a secret that is told once and lies hashed', async () => {
    const made = await make()
    const serialized = JSON.stringify([await read(made.id), await world.call(clientCalls.list, { query: {} })])
    expect(serialized).toContain(made.ApiKey)
    expect(serialized).not.toContain(made.ApiSecret)
    const row = await world.server.platform.db.selectFrom('apiClient').selectAll().where('id', '=', made.id).executeTakeFirstOrThrow()
    expect(row.secretHash).toHaveLength(32)
    expect(row.secretHash.toString('latin1')).not.toContain(made.ApiSecret)
  })

  test('does what its permissions say, in the parks of its node', async () => {
    const root = world.server.contexts.organisation.service.root().id
    const other = await world.addPark()
    const [wide, narrow] = [await make({ organisationId: root }), await make()]
    for (const site of [world, other]) {
      const person = await site.person()
      const client = await program(wide, site.park.areaCode)
      expect((await client.call(peopleCalls.list, { query: { name: person.name } })).content.map(({ id }) => id)).toEqual([person.id])
    }
    expect(await tokens(narrow, other.park.areaCode)).toMatchObject({ status: 400, code: 100413 })
    const client = await program(narrow)
    expect(await client.call(identityCalls.profile, {})).toMatchObject({ areaCode: world.park.areaCode, roleSign: 'other' })
    expect(await client.ask(clientCalls.list, { query: {} })).toMatchObject({ status: 403, code: 100510 })
  })

  test('feels a change of its permissions at the next call', async () => {
    const made = await make()
    const client = await program(made)
    await world.call(clientCalls.change, { body: { ...fieldsOf({ permissions: ['device'] }), id: made.id } })
    expect(await client.ask(peopleCalls.list, { query: {} })).toMatchObject({ status: 403, code: 100510 })
  })

  test('has tokens that hold as long as it says', async () => {
    const made = await make({ accessTokenValidity: 60, refreshTokenValidity: 120 })
    const { data } = await tokens(made)
    expect(data).toMatchObject({ expires_in: 60, refresh_expires_in: 120 })
    const client = createClient(world.url, { bearer: data.access_token })
    time += 61_000
    expect(await client.ask(peopleCalls.list, { query: {} })).toMatchObject({ status: 401, code: 40120 })
    const own = createClient(world.url, { basic: [made.ApiKey, made.ApiSecret] })
    const refreshed = await own.ask(identityCalls.token, { body: { grant_type: 'refresh_token', refresh_token: data.refresh_token } })
    expect(refreshed).toMatchObject({ status: 200, code: 0, data: { expires_in: 60 } })
    time += 121_000
    expect(
      await own.ask(identityCalls.token, { body: { grant_type: 'refresh_token', refresh_token: refreshed.data.refresh_token } }),
    ).toMatchObject({ status: 400, code: 100412 })
  })

  test('keeps its refresh token from others', async () => {
    const [made, other] = [await make(), await make()]
    const { data } = await tokens(made)
    for (const basic of [
      [other.ApiKey, other.ApiSecret],
      ['console', ''],
    ] as [string, string][])
      expect(
        await createClient(world.url, { basic }).ask(identityCalls.token, {
          body: { grant_type: 'refresh_token', refresh_token: data.refresh_token },
        }),
      ).toMatchObject({ status: 400, code: 100412 })
  })

  test('sees personal data masked where that is its setting', async () => {
    await world.person({ name: 'Wilhelmina' })
    const client = await program(await make({ enablePageDataMasking: true }))
    const names = (await client.call(peopleCalls.list, { query: { name: 'Wilhelmina' } })).content.map(({ name }) => name)
    expect(names).toEqual(['W********a'])
  })

  test('has a name of its own', async () => {
    await make({ name: 'Payroll' })
    expect(await world.ask(clientCalls.create, { body: fieldsOf({ name: 'Payroll' }) })).toMatchObject({
      status: 200,
      code: 900004,
      data: { fields: [{ path: 'name' }] },
    })
    const { id } = await make()
    expect(await world.ask(clientCalls.change, { body: { ...fieldsOf({ name: 'Payroll' }), id } })).toMatchObject({ code: 900004 })
  })

  test('needs a permission, and times within bounds', async () => {
    for (const overrides of [{ permissions: [] }, { accessTokenValidity: 59 }, { refreshTokenValidity: 366 * 86_400 }, { name: '' }])
      expect(await world.ask(clientCalls.create, { body: fieldsOf(overrides) })).toMatchObject({ status: 400 })
  })

  test('stands in the operation log as a third party', async () => {
    const made = await make({ permissions: ['person', 'person.list', 'own:person.edit'] })
    const client = await program(made)
    const { id } = await world.personGroup()
    expect(await client.ask(peopleCalls.changeGroup, { body: { id, name: `Group_${++number}` } })).toMatchObject({ code: 0 })
    const { content } = await world.call(auditCalls.operations, { query: { source: 'thirdParty', size: 100 } })
    expect(content.map(({ account }) => account)).toContain(made.ApiKey)
  })
})

describe('nobody gives an API user', () => {
  test('what he lacks himself, or takes over one that has more', async () => {
    const made = await make({ permissions: ['person', 'device'] })
    const maker = await world.session({ permissions: ['system', 'system.api', 'person'] })
    expect(await maker.ask(clientCalls.create, { body: fieldsOf() })).toMatchObject({
      status: 403,
      code: 100510,
      data: { fields: [{ path: 'permissions' }] },
    })
    expect(await maker.ask(clientCalls.create, { body: fieldsOf({ permissions: ['person'] }) })).toMatchObject({ code: 0 })
    for (const answer of [
      await maker.ask(clientCalls.resetSecret, { params: { id: made.id } }),
      await maker.ask(clientCalls.change, { body: { ...fieldsOf({ permissions: ['person'] }), id: made.id } }),
      await maker.ask(clientCalls.enable, { body: { id: made.id, status: 0 } }),
      await maker.ask(clientCalls.delete, { query: { id: made.id } }),
    ])
      expect(answer).toMatchObject({ status: 403, code: 100510 })
    expect(await read(made.id)).toMatchObject({ status: 1 })
  })

  test('a sight of personal data that he has not himself', async () => {
    const blinkered = await world.session({ masking: true })
    expect(await blinkered.ask(clientCalls.create, { body: fieldsOf() })).toMatchObject({
      status: 403,
      code: 100510,
      data: { fields: [{ path: 'enablePageDataMasking' }] },
    })
    const { id } = await make({ enablePageDataMasking: true }, blinkered)
    const unmasking = { id, enablePageDataMasking: false }
    expect(await blinkered.ask(clientCalls.change, { body: unmasking })).toMatchObject({ status: 403, code: 100510 })
    expect(await blinkered.ask(clientCalls.change, { body: { ...unmasking, enablePageDataMasking: null } })).toMatchObject({ code: 100510 })
    const seeing = await make()
    expect(await blinkered.ask(clientCalls.resetSecret, { params: { id: seeing.id } })).toMatchObject({ status: 403, code: 100510 })
  })

  test('an area he does not see; what others have saved stays theirs [FIELD-20]', async () => {
    const made = await make()
    const other = await world.addPark()
    const neighbour = await world.session({ park: other.park })
    expect(await neighbour.ask(clientCalls.create, { body: fieldsOf() })).toMatchObject({ status: 200, code: 100413 })
    expect(await neighbour.ask(clientCalls.read, { query: { id: made.id } })).toMatchObject({ status: 404 })
    expect((await neighbour.call(clientCalls.list, { query: {} })).content).toEqual([])
    expect(await neighbour.ask(clientCalls.resetSecret, { params: { id: made.id } })).toMatchObject({ status: 404 })
  })
})

test('a row says what can be done with an API user, as the server lets it be done', async () => {
  const actions = {
    change: (by: Client, id: string) => by.ask(clientCalls.change, { body: { id, purpose: 'Payroll' } }),
    resetSecret: (by: Client, id: string) => by.ask(clientCalls.resetSecret, { params: { id } }),
    disable: (by: Client, id: string) => by.ask(clientCalls.enable, { body: { id, status: 0 } }),
    enable: (by: Client, id: string) => by.ask(clientCalls.enable, { body: { id, status: 1 } }),
    delete: (by: Client, id: string) => by.ask(clientCalls.delete, { query: { id }, body: {} }),
  }
  const permissions: PermissionCode[] = ['system', 'system.api', 'person', 'person.list']
  const [own, masked] = [await world.session({ permissions }), await world.session({ permissions, masking: true })]
  for (const [by, overrides] of [
    [own, {}],
    [own, { permissions: ['device'] }],
    [masked, {}],
    [masked, { enablePageDataMasking: true }],
  ] as const) {
    const { id } = await make(overrides)
    for (const [action, ask] of Object.entries(actions)) {
      const { can } = await by.call(clientCalls.read, { query: { id } })
      const { content } = await by.call(clientCalls.list, { query: { size: 100 } })
      expect(content.find((row) => row.id === id)?.can).toEqual(can)
      expect((await ask(by, id)).code === 0, action).toBe(can[action as keyof typeof can])
    }
  }
})
