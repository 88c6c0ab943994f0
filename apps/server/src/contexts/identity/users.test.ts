import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { identityCalls } from '@gatehouse/contract/identity/calls'
import { roleCalls } from '@gatehouse/contract/identity/roles'
import { ownCalls } from '@gatehouse/contract/identity/own'
import { userCalls } from '@gatehouse/contract/identity/users'
import { sealPassword, type Client } from '@gatehouse/dev-env/client'
import { startWorld, type World } from '@gatehouse/dev-env/world'
import { PASSWORD, fieldsRefused, usersOf } from '../../../../../tests/support/users.ts'

let world: World
let root: string
let park: string
let users: ReturnType<typeof usersOf>
beforeAll(async () => {
  world = await startWorld()
  root = world.server.contexts.organisation.service.root().id
  park = world.park.id
  users = usersOf(world)
})
afterAll(() => world?.stop())

describe('the name of an account', () => {
  test('begins with a letter [VAL-005]', async () => {
    for (const account of ['1ada', '-ada', '_ada', '亞達'])
      expect(await users.create({ account })).toMatchObject({ status: 400, data: { fields: [{ path: 'account', rule: 'account' }] } })
    expect(await users.create({ account: 'a1-da' })).toMatchObject({ status: 200, code: 0 })
  })

  test('has 2 to 16 characters [VAL-006]', async () => {
    expect(fieldsRefused(await users.create({ account: 'a' }))).toEqual(['account min.string'])
    expect(fieldsRefused(await users.create({ account: 'a'.repeat(17) }))).toEqual(['account max.string'])
    for (const account of ['ab', 'b'.repeat(16)]) expect(await users.create({ account })).toMatchObject({ status: 200, code: 0 })
  })

  test('is given once in the installation, in whatever case [VAL-007]', async () => {
    await users.create({ account: 'unique' })
    expect(await world.call(userCalls.checkUsername, { query: { username: 'uniQue' } })).toEqual({ available: false })
    expect(await world.call(userCalls.checkUsername, { query: { username: 'other1' } })).toEqual({ available: true })
    const other = await world.addPark()
    const answer = await users.create({
      account: 'UNIQUE',
      organisationId: other.park.id,
      roles: [await users.role(['person'], { organisationId: other.park.id })],
    })
    expect(answer).toMatchObject({ status: 200, code: 100402, data: { fields: [{ path: 'account' }] } })
  })

  test('is given once even to two who ask at the same time', async () => {
    const answers = await Promise.all([users.create({ account: 'twins' }), users.create({ account: 'twins' })])
    expect(answers.map(({ code }) => code).toSorted()).toEqual([0, 100402])
  })
})

describe('the data of a user', () => {
  test('may lack an e-mail address and a telephone number [VAL-031, VAL-037]', async () => {
    const { data } = await users.create()
    expect(await users.read(data.id)).toMatchObject({ email: '', phone: '' })
    expect(await users.create({ email: '', phone: null })).toMatchObject({ status: 200, code: 0 })
  })

  test('keep an e-mail address within 64 characters and in its form [VAL-032, VAL-033]', async () => {
    const long = (length: number) => `${'a'.repeat(length - '@example.org'.length)}@example.org`
    expect(await users.create({ email: long(64) })).toMatchObject({ status: 200, code: 0 })
    expect(fieldsRefused(await users.create({ email: long(65) }))).toHaveLength(1)
    for (const email of ['ada', 'ada@', '@example.org', 'ada@example', 'a da@example.org'])
      expect((await users.create({ email })).status, email).toBe(400)
  })

  test('have a real name of 1 to 64 characters [VAL-035, VAL-036]', async () => {
    expect(fieldsRefused(await users.create({ realName: '  ' }))).toEqual(['realName required'])
    expect(fieldsRefused(await users.create({ realName: undefined }))).toEqual(['realName required'])
    expect(fieldsRefused(await users.create({ realName: '王'.repeat(65) }))).toEqual(['realName max.string'])
    expect(await users.create({ realName: '王'.repeat(64) })).toMatchObject({ status: 200, code: 0 })
  })

  test('keep to digits and + * # in a telephone number, 64 at most [VAL-038, VAL-039]', async () => {
    expect(await users.create({ phone: '+86*10#1' })).toMatchObject({ status: 200, code: 0 })
    expect(await users.create({ phone: '010 123' })).toMatchObject({
      status: 200,
      code: 900114,
      data: { fields: [{ path: 'phone' }] },
    })
    expect(fieldsRefused(await users.create({ phone: '1'.repeat(65) }))).toEqual(['phone max.string'])
    expect(await users.create({ phone: '1'.repeat(64) })).toMatchObject({ status: 200, code: 0 })
  })

  test('come back as they were given, the ID number encrypted where it lies', async () => {
    const given = {
      email: 'ada@example.org',
      phone: '123',
      idCard: '110101199003074477',
      expiry: 4_000_000_000_000,
      enablePageDataMasking: true,
    }
    const { data } = await users.create(given)
    expect(await users.read(data.id)).toMatchObject({ ...given, status: 1, organisationName: world.park.name, version: 1 })
    const db = world.server.platform.db
    const row = await db.selectFrom('userAccount').selectAll().where('id', '=', data.id).executeTakeFirstOrThrow()
    expect(JSON.stringify(row)).not.toContain(given.idCard)
    expect(row.idCardSealed!.toString('latin1')).not.toContain(given.idCard)
  })

  test('that came masked stay what they were when they are sent back', async () => {
    const { data } = await users.create({ email: 'ada@example.org', phone: '13800138000', idCard: '110101199003074477' })
    const blinkered = await world.session({ masking: true })
    const seen = await blinkered.call(userCalls.read, { params: { id: data.id } })
    expect(seen).toMatchObject({ realName: 'A********e', email: 'a***@example.org', phone: '138****8000', idCard: '110********77' })
    const { realName, email, phone, idCard, organisationId, roles } = seen
    await blinkered.call(userCalls.change, {
      body: { id: data.id, realName, email, phone, idCard, organisationId, roles, passwordValidity: '1y' },
    })
    expect(await users.read(data.id)).toMatchObject({
      realName: 'Ada Lovelace',
      email: 'ada@example.org',
      phone: '13800138000',
      idCard: '110101199003074477',
      passwordValidity: '1y',
    })
    const other = await blinkered.ask(userCalls.change, {
      body: { id: data.id, realName: 'B********e', email, phone, idCard, organisationId, roles },
    })
    expect(fieldsRefused(other)).toEqual(['realName masked'])
  })

  test('are found by name, role, node and state, and never those of other nodes', async () => {
    const site = await world.addPark()
    const there = await users.role(['person'], { organisationId: site.park.id })
    const { data } = await users.create({ account: 'needle_1', organisationId: site.park.id, roles: [there] })
    await users.create({ account: 'needleX1' })
    const accounts = async (query: Record<string, unknown>) =>
      (await world.call(userCalls.list, { query })).content.map(({ account }) => account)
    expect(await accounts({ account: 'LE_1' })).toEqual(['needle_1'])
    expect(await accounts({ roleId: there })).toEqual(['needle_1'])
    expect(await accounts({ organisationId: site.park.id })).toEqual(['needle_1'])
    await world.call(userCalls.disable, { params: { id: data.id } })
    expect(await accounts({ organisationId: site.park.id, state: 'disabled' })).toEqual(['needle_1'])
    expect(await accounts({ organisationId: site.park.id, state: 'enabled' })).toEqual([])
    const neighbour = await world.session({ park: (await world.addPark()).park })
    expect(await neighbour.ask(userCalls.list, { query: { organisationId: site.park.id } })).toMatchObject({ code: 100413 })
    expect((await neighbour.call(userCalls.list, { query: { account: 'needle' } })).total).toBe(0)
  })
})

describe('an e-mail address', () => {
  let shared: World
  beforeAll(async () => {
    shared = await startWorld({ config: { privatised: false } })
  })
  afterAll(() => shared?.stop())

  const createIn = (at: World, email: string) => usersOf(at).create({ email })

  test('belongs to one account, except in a private deployment [VAL-034]', async () => {
    const { data: first } = await createIn(shared, 'ada@example.org')
    expect(await createIn(shared, 'Ada@example.org')).toMatchObject({ status: 200, code: 100112, data: { fields: [{ path: 'email' }] } })
    expect(await shared.call(userCalls.checkEmail, { query: { email: 'ADA@example.org' } })).toEqual({ available: false })
    expect(await shared.call(userCalls.checkEmail, { query: { email: 'ada@example.org', userId: first.id } })).toEqual({ available: true })
    expect(await createIn(shared, '')).toMatchObject({ code: 0 })
    expect(await createIn(shared, '')).toMatchObject({ code: 0 })

    expect(await createIn(world, 'ada@example.org')).toMatchObject({ code: 0 })
    expect(await createIn(world, 'ada@example.org')).toMatchObject({ code: 0 })
    expect(await world.call(userCalls.checkEmail, { query: { email: 'ada@example.org' } })).toEqual({ available: true })
  })

  test('goes to one of two who take it at the same time', async () => {
    const answers = await Promise.all(['x@example.org', 'x@example.org', 'X@example.org'].map((email) => createIn(shared, email)))
    expect(answers.map(({ code }) => code).toSorted((a, b) => a - b)).toEqual([0, 100112, 100112])
  })
})

describe('roles of a user', () => {
  test('are one at least, or several, at one organisation [VAL-212, BEH-190]', async () => {
    expect(fieldsRefused(await users.create({ roles: [] }))).toEqual(['roles min.array'])
    const given = [await users.role(['person', 'person.list']), await users.role(['device', 'device.list'])]
    const { client, id } = await users.loggedIn({ roles: given })
    const { capabilities, roles } = await client.call(identityCalls.profile, {})
    expect(capabilities.permissions.toSorted()).toEqual(['device', 'device.list', 'person', 'person.list'])
    expect(roles.map((one) => one.id)).toEqual(given)
    expect((await users.read(id)).organisationId).toBe(park)
    const answer = await world.ask(userCalls.change, { body: await users.changeBodyOf(id, { roles: [] }) })
    expect(fieldsRefused(answer)).toEqual(['roles min.array'])
  })

  test('are only those that may be given at the node [VAL-214, BEH-192]', async () => {
    const other = await world.addPark()
    const [here, there, everywhere] = [
      await users.role(),
      await users.role(['person'], { organisationId: other.park.id }),
      await users.role(['person'], { organisationId: root }),
    ]
    const offered = (await world.call(roleCalls.subRoles, { query: { organisationId: park } })).map(({ id }) => id)
    expect(offered).toContain(here)
    expect(offered).toContain(everywhere)
    expect(offered).not.toContain(there)
    for (const roles of [[there], [here, there], ['01890000-0000-7000-8000-000000000000']])
      expect(await users.create({ roles })).toMatchObject({ status: 403, code: 100510, data: { fields: [{ path: 'roles' }] } })
    expect(await users.create({ roles: [everywhere] })).toMatchObject({ code: 0 })
    const { data } = await users.create({ roles: [here] })
    expect(await world.ask(userCalls.change, { body: await users.changeBodyOf(data.id, { roles: [there] }) })).toMatchObject({
      status: 403,
      code: 100510,
    })
  })

  test('never give more than the giver has', async () => {
    const modest = await world.session({ permissions: ['system', 'system.user', 'person'], roleSign: 'parkAdmin' })
    const [more, equal, higher] = [
      await users.role(['device']),
      await users.role(['person']),
      await users.role(['person'], { roleSign: 'operator' }),
    ]
    expect((await modest.call(roleCalls.subRoles, { query: {} })).map(({ id }) => id)).toContain(equal)
    for (const roles of [[more], [higher], [equal, more]])
      expect(await users.create({ roles }, modest)).toMatchObject({ status: 403, code: 100510 })
    expect(await users.create({ roles: [equal] }, modest)).toMatchObject({ code: 0 })
    expect(await users.create({ roles: [equal], organisationId: root }, modest)).toMatchObject({ status: 200, code: 100413 })
  })

  test('of administrators are given at the root alone', async () => {
    const administrator = (await world.call(roleCalls.list, { query: { roleSign: 'admin' } })).content[0]!.id
    expect(await users.create({ roles: [administrator] })).toMatchObject({ status: 403, code: 100510 })
    expect(await users.create({ roles: [administrator], organisationId: root })).toMatchObject({ code: 0 })
  })

  test('are felt at the next call when they change', async () => {
    const { id, client } = await users.loggedIn({ roles: [await users.role(['system', 'system.user'])] })
    expect(await client.ask(userCalls.list, { query: {} })).toMatchObject({ status: 200, code: 0 })
    await world.call(userCalls.change, { body: await users.changeBodyOf(id, { roles: [await users.role(['person'])] }) })
    expect(await client.ask(userCalls.list, { query: {} })).toMatchObject({ status: 403, code: 100510 })
  })
})

describe('what a row says can be done with an account', () => {
  const actions = {
    change: async (by: Client, id: string) => by.ask(userCalls.change, { body: { id, realName: 'Grace Hopper' } }),
    resetPassword: (by: Client, id: string) => by.ask(userCalls.resetPassword, { params: { id }, body: {} }),
    disable: (by: Client, id: string) => by.ask(userCalls.disable, { params: { id } }),
    enable: (by: Client, id: string) => by.ask(userCalls.enable, { params: { id } }),
    delete: (by: Client, id: string) => by.ask(userCalls.delete, { params: { id } }),
  }
  type Action = keyof typeof actions
  let maker: { id: string; client: Client }
  beforeAll(async () => {
    maker = await users.loggedIn({ roles: [await users.role(['system', 'system.user', 'person', 'person.list'])] })
    await maker.client.call(ownCalls.confirm, { body: { password: await sealPassword(world, PASSWORD) } })
  })

  /** Return which of these actions the row offers, and which the server performs. */
  async function offeredAndDone(id: string, asked: readonly Action[]): Promise<{ said: Action[]; done: Action[] }> {
    const { can } = await maker.client.call(userCalls.read, { params: { id } })
    const { content } = await maker.client.call(userCalls.list, { query: { size: 100 } })
    expect(content.find((row) => row.id === id)?.can).toEqual(can)
    const done: Action[] = []
    for (const action of asked) if ((await actions[action](maker.client, id)).code === 0) done.push(action)
    return { said: asked.filter((action) => can[action]), done }
  }
  const both = (offered: Action[]) => ({ said: offered, done: offered })

  test('is all that the server lets be done', async () => {
    const { data } = await users.create()
    expect(await offeredAndDone(data.id, ['change', 'resetPassword', 'delete'])).toEqual(both(['change', 'resetPassword', 'delete']))
  })

  test('is changing alone of one’s own', async () => {
    expect(await offeredAndDone(maker.id, ['resetPassword', 'disable', 'delete', 'change'])).toEqual(both(['change']))
  })

  test('is enabling alone of a disabled one', async () => {
    const { data } = await users.create()
    await world.call(userCalls.disable, { params: { id: data.id } })
    expect(await offeredAndDone(data.id, ['change', 'resetPassword', 'delete', 'enable'])).toEqual(both(['enable']))
  })

  test('is nothing of one that has more', async () => {
    const { data } = await users.create({ roles: [await users.role(['device'])] })
    expect(await offeredAndDone(data.id, ['change', 'resetPassword', 'disable', 'delete'])).toEqual(both([]))
  })
})
