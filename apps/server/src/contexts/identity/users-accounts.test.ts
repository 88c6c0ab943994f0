import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { PERMISSION_CODES } from '@gatehouse/contract'
import { passwordFault } from '@gatehouse/contract/account'
import { identityCalls } from '@gatehouse/contract/identity/calls'
import { roleCalls } from '@gatehouse/contract/identity/roles'
import { userCalls } from '@gatehouse/contract/identity/users'
import { messageCalls } from '@gatehouse/contract/system/messages'
import { createClient, logIn, sealPassword, type Client } from '@gatehouse/dev-env/client'
import { startWorld, type Site, type World } from '@gatehouse/dev-env/world'
import { fieldsRefused, PASSWORD, usersOf } from '../../../../../tests/support/users.ts'

let world: World
let root: string
let users: ReturnType<typeof usersOf>
beforeAll(async () => {
  world = await startWorld()
  root = world.server.contexts.organisation.service.root().id
  users = usersOf(world)
})
afterAll(() => world?.stop())

describe('somebody who has more', () => {
  test('cannot be taken over by a new password, changed, disabled or deleted', async () => {
    const { data } = await users.create({ roles: [await users.role([...PERMISSION_CODES])] })
    const modest = await world.session({ permissions: ['system', 'system.user'], roleSign: 'other' })
    const params = { id: data.id }
    expect(await modest.ask(userCalls.read, { params })).toMatchObject({ code: 0 })
    const refused = [
      await modest.ask(userCalls.resetPassword, { params, body: {} }),
      await modest.ask(userCalls.disable, { params }),
      await modest.ask(userCalls.delete, { params }),
      await modest.ask(userCalls.change, { body: await users.changeBodyOf(data.id) }),
    ]
    for (const answer of refused) expect(answer).toMatchObject({ status: 403, code: 100510 })
    expect(await users.read(data.id)).toMatchObject({ status: 1, version: 1 })
  })
})

describe('somebody who sees personal data masked', () => {
  test('makes nobody who sees more', async () => {
    const blinkered = await world.session({ masking: true })
    expect(await users.create({}, blinkered)).toMatchObject({
      status: 403,
      code: 100510,
      data: { fields: [{ path: 'enablePageDataMasking' }] },
    })
    const { data } = await users.create({ enablePageDataMasking: true }, blinkered)
    expect(
      await blinkered.ask(userCalls.change, { body: await users.changeBodyOf(data.id, { enablePageDataMasking: false }) }),
    ).toMatchObject({ status: 403, code: 100510 })
    const { data: seeing } = await users.create()
    expect(await blinkered.ask(userCalls.resetPassword, { params: { id: seeing.id }, body: {} })).toMatchObject({
      status: 403,
      code: 100510,
    })
    expect(await blinkered.ask(userCalls.resetPassword, { params: { id: data.id }, body: {} })).toMatchObject({ code: 0 })
  })
})

describe('the current user', () => {
  test('cannot be deleted or disabled, nor given a password without the old one [VAL-213, BEH-197]', async () => {
    const { id, client } = await users.loggedIn({ roles: [await users.role(['system', 'system.user'])] })
    for (const answer of [
      await client.ask(userCalls.delete, { params: { id } }),
      await client.ask(userCalls.disable, { params: { id } }),
      await client.ask(userCalls.resetPassword, { params: { id }, body: {} }),
    ])
      expect(fieldsRefused(answer)).toEqual(['id ownAccount'])
    expect(await users.read(id)).toMatchObject({ status: 1 })
  })

  test('cannot leave the installation without an administrator', async () => {
    const admin = (await world.call(userCalls.list, { query: { account: 'admin', state: 'enabled' } })).content.find(
      ({ account }) => account === 'admin',
    )!
    const others = (await world.call(userCalls.list, { query: { organisationId: root, size: 100 } })).content.filter(
      (user) =>
        user.organisationId === root &&
        user.id !== admin.id &&
        user.roleDetails.some(({ roleSign }) => roleSign === 'admin') &&
        user.status === 1,
    )
    for (const { id } of others) await world.call(userCalls.disable, { params: { id } })
    const answer = await world.ask(userCalls.change, {
      body: await users.changeBodyOf(admin.id, { roles: [await users.role([...PERMISSION_CODES], { organisationId: root })] }),
    })
    expect(fieldsRefused(answer)).toEqual(['roles lastAdministrator'])
    expect(await world.ask(userCalls.change, { body: await users.changeBodyOf(admin.id, { expiry: 1 }) })).toMatchObject({ status: 400 })
    expect(await world.ask(userCalls.change, { body: await users.changeBodyOf(admin.id, { realName: 'Root' }) })).toMatchObject({ code: 0 })
  })
})

describe('administrators', () => {
  test('who all disable each other at once leave one of them', async () => {
    const alone = await startWorld()
    const top = alone.server.contexts.organisation.service.root().id
    const clients = [
      alone.client,
      ...(await Promise.all(Array.from({ length: 7 }, () => alone.session({ roleSign: 'admin', organisationId: top })))),
    ]
    const ids = await Promise.all(clients.map(async (client) => (await client.call(identityCalls.profile, {})).id))
    await Promise.all(clients.map((client, index) => client.ask(userCalls.disable, { params: { id: ids[(index + 1) % ids.length]! } })))
    const left = await Promise.all(clients.map((client) => client.ask(identityCalls.profile, {})))
    await alone.stop()
    expect(left.filter(({ code }) => code === 0).length).toBeGreaterThan(0)
    expect(left.filter(({ code }) => code === 901).length).toBeGreaterThan(0)
  })
})

describe('an account', () => {
  test('that is disabled is shown so, and refused at call and login [BEH-086, FIELD-6, STATE:account:enabled>disabled (901)]', async () => {
    const { id, account, client } = await users.loggedIn()
    expect(await client.ask(identityCalls.profile, {})).toMatchObject({ code: 0 })
    await world.call(userCalls.disable, { params: { id } })
    expect(await users.read(id)).toMatchObject({ status: 0, state: 'disabled' })
    expect((await world.call(userCalls.list, { query: { account } })).content).toMatchObject([{ status: 0, state: 'disabled' }])
    expect(await client.ask(identityCalls.profile, {})).toMatchObject({ status: 403, code: 901 })
    await expect(world.as({ account, password: PASSWORD })).rejects.toMatchObject({ status: 400, code: 901 })
  })

  test('that is enabled again is let in again [STATE:account:disabled (901)>enabled]', async () => {
    const { id, account, client } = await users.loggedIn()
    await world.call(userCalls.disable, { params: { id } })
    await world.call(userCalls.enable, { params: { id } })
    expect(await users.read(id)).toMatchObject({ status: 1, state: 'enabled' })
    expect(await client.ask(identityCalls.profile, {})).toMatchObject({ status: 200, code: 0 })
    expect(await (await world.as({ account, password: PASSWORD })).call(identityCalls.profile, {})).toMatchObject({ username: account })
  })

  test('that is disabled can be neither changed nor deleted nor given a password [VAL-215]', async () => {
    const { data } = await users.create()
    await world.call(userCalls.disable, { params: { id: data.id } })
    for (const answer of [
      await world.ask(userCalls.change, { body: await users.changeBodyOf(data.id, { realName: 'Other' }) }),
      await world.ask(userCalls.delete, { params: { id: data.id } }),
      await world.ask(userCalls.resetPassword, { params: { id: data.id }, body: {} }),
    ]) {
      expect(answer.status).toBe(400)
      expect(fieldsRefused(answer)).toEqual(['status accountDisabled'])
    }
    expect(await users.read(data.id)).toMatchObject({ realName: 'Ada Lovelace' })
    await world.call(userCalls.enable, { params: { id: data.id } })
    await world.call(userCalls.delete, { params: { id: data.id } })
    expect(await world.ask(userCalls.read, { params: { id: data.id } })).toMatchObject({ status: 404 })
  })

  test('that is deleted ends with its sessions', async () => {
    const { id, client } = await users.loggedIn()
    await world.call(userCalls.delete, { params: { id } })
    expect(await client.ask(identityCalls.profile, {})).toMatchObject({ status: 401, code: 100412 })
  })

  test('is changed by one of two who read the same version', async () => {
    const { data } = await users.create()
    const [first, second] = await Promise.all(['One', 'Two'].map((realName) => users.changeBodyOf(data.id, { realName })))
    await world.call(userCalls.change, { body: first! })
    expect(await world.ask(userCalls.change, { body: second! })).toMatchObject({ status: 409 })
    expect((await users.read(data.id)).realName).toBe('One')
  })

  test('can be enabled, disabled, reset and deleted; a reset shows the first password or mails it [BEH-195]', async () => {
    const { id, account, client } = await users.loggedIn({ email: 'ada@example.org' })
    for (let wrong = 0; wrong < 6; wrong++) await world.as({ account, password: 'wrong-password' }).catch(() => {})
    expect(await users.read(id)).toMatchObject({ state: 'locked' })
    const { initialPassword } = await world.call(userCalls.resetPassword, { params: { id }, body: {} })
    expect(passwordFault(initialPassword!)).toBeNull()
    expect(await client.ask(identityCalls.profile, {})).toMatchObject({ status: 401, code: 100412 })
    // The lock is removed, and another person knows the password: it only permits to change it.
    await expect(world.as({ account, password: initialPassword! })).rejects.toMatchObject({ code: 902 })
    expect(await users.read(id)).toMatchObject({ state: 'passwordExpired' })

    const mailed = await world.call(userCalls.resetPassword, { params: { id }, body: { sendByEmail: true } })
    expect(mailed).toEqual({ id, sentTo: 'a***@example.org' })
    const { content } = await world.call(messageCalls.messages, { query: { size: 1 } })
    expect(content[0]).toMatchObject({ channel: 'email', to: 'ada@example.org', userId: id })
    const { text } = await world.call(messageCalls.message, { params: { id: content[0]!.id } })
    expect(text).toContain(account)
    const password = /password is (\S+)/.exec(text!)![1]!
    await expect(world.as({ account, password })).rejects.toMatchObject({ code: 902 })

    const { data } = await users.create()
    expect(await world.ask(userCalls.resetPassword, { params: { id: data.id }, body: { sendByEmail: true } })).toMatchObject({
      code: 1200001,
    })
    await world.call(userCalls.disable, { params: { id } })
    await world.call(userCalls.enable, { params: { id } })
    await world.call(userCalls.delete, { params: { id } })
    expect(await world.ask(userCalls.read, { params: { id } })).toMatchObject({ status: 404 })
  })
})

describe('a first password', () => {
  test('is given, made or mailed, keeps the rules, and must be replaced', async () => {
    const sealed = async (password: string) => sealPassword(world.client, password)
    expect(await users.create({ password: await sealed('simple') })).toMatchObject({
      code: 100420,
      data: { fields: [{ path: 'password' }] },
    })
    expect(fieldsRefused(await users.create({ password: 'in clear' }))).toEqual(['password invalid'])
    const given = await users.fieldsOf()
    expect(await world.call(userCalls.create, { body: { ...given, password: await sealed(PASSWORD) } })).not.toHaveProperty(
      'initialPassword',
    )
    const attempt = { account: given.account, password: PASSWORD }
    await expect(logIn(createClient(world.url), attempt)).rejects.toMatchObject({ status: 400, code: 902 })
    const { data: made } = await users.create()
    expect(passwordFault(made.initialPassword!)).toBeNull()
    const { data: mailed } = await users.create({ email: 'grace@example.org', sendByEmail: true })
    expect(mailed).toMatchObject({ sentTo: 'g***@example.org' })
    expect(mailed).not.toHaveProperty('initialPassword')
    expect(fieldsRefused(await users.create({ sendByEmail: true }))).toEqual(['email required'])
  })
})

describe('saved things of others', () => {
  let site: Site
  let neighbour: Client
  beforeAll(async () => {
    site = await world.addPark()
    neighbour = await world.session({ park: site.park, roleSign: 'parkAdmin' })
  })

  test('cannot be read by an id somebody knows: users and roles of other nodes [FIELD-20]', async () => {
    const { data } = await users.create()
    const roleId = await users.role()
    expect(await neighbour.ask(userCalls.read, { params: { id: data.id } })).toMatchObject({ status: 404 })
    expect(await neighbour.ask(roleCalls.read, { params: { id: roleId } })).toMatchObject({ status: 404 })
    expect(await neighbour.ask(roleCalls.permissions, { query: { id: roleId } })).toMatchObject({ status: 404 })
    expect((await neighbour.call(roleCalls.list, { query: { size: 100 } })).content.map(({ id }) => id)).not.toContain(roleId)
    expect((await neighbour.call(userCalls.list, { query: { size: 100 } })).content.map(({ id }) => id)).not.toContain(data.id)
    const unprivileged = await world.session({ permissions: ['person'] })
    expect(await unprivileged.ask(userCalls.list, { query: {} })).toMatchObject({ status: 403, code: 100510 })
    expect(await unprivileged.ask(roleCalls.list, { query: {} })).toMatchObject({ status: 403, code: 100510 })
  })
})
