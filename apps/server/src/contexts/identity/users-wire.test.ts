/** Accounts under the names of the specification alone, as sent by a program that was written from it. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { userCalls } from '@gatehouse/contract/identity/users'
import { sealPassword } from '@gatehouse/dev-env/client'
import { startWorld, type World } from '@gatehouse/dev-env/world'
import { sendingAs, type Send } from '../../../../../tests/support/as-written.ts'
import { usersOf } from '../../../../../tests/support/users.ts'

const DAY = 86_400_000
const PASSWORD = 'Turnstile-7'

let world: World
let users: ReturnType<typeof usersOf>
let send: Send
beforeAll(async () => {
  world = await startWorld()
  users = usersOf(world)
  send = sendingAs(world.client)
})
afterAll(() => world?.stop())

const USERS = '/asService/uface/v1/users'
const read = async (id: unknown): Promise<Record<string, unknown>> => (await send('GET', `${USERS}/${String(id)}`)).data

let number = 0
const asWritten = async (overrides: Record<string, unknown> = {}) => ({
  account: `written${++number}`,
  realName: 'Ada Lovelace',
  administratorName: 'Front office',
  roles: [await users.role(), await users.role(['device', 'device.list'])],
  email: `ada${number}@example.org`,
  phone: '+44207946',
  organisationId: world.park.id,
  expiry: Date.now() + DAY,
  idCard: '110101199003074477',
  ...overrides,
})

describe('an account, by the names of the specification', () => {
  test('is created with all of them, and read with what was sent', async () => {
    const sent = await asWritten()
    const { code, data } = await send('POST', USERS, sent)
    expect(code).toBe(0)
    expect(await read(data['id'])).toMatchObject({ ...sent, status: 1, lastLogin: null })
    const list = await send('GET', `${USERS}?account=${sent.account}`)
    expect(list.data['content']).toMatchObject([{ ...sent, roleDetails: sent.roles.map((id) => ({ id })) }])
  })

  test('cannot log in once its expiry is over', async () => {
    const sent = await asWritten({ password: await sealPassword(world, PASSWORD), expiry: Date.now() - 1000 })
    expect(await send('POST', USERS, sent)).toMatchObject({ code: 0 })
    await expect(world.as({ account: sent.account, password: PASSWORD })).rejects.toMatchObject({ code: 904 })
  })

  test('comes back whole in a change, and what was changed of it is changed', async () => {
    const { data } = await send('POST', USERS, await asWritten())
    const whole = await read(data['id'])
    expect(await send('PUT', USERS, whole)).toMatchObject({ status: 200, code: 0 })
    const again = await read(data['id'])
    expect(again).toEqual({ ...whole, version: 2 })
    expect(await send('PUT', USERS, { ...again, phone: '110', expiry: null, administratorName: '' })).toMatchObject({ code: 0 })
    expect(await read(data['id'])).toMatchObject({ phone: '110', expiry: null, administratorName: '', roles: whole['roles'] })
  })

  test('is changed by a program that still knows the former names', async () => {
    const { data } = await send('POST', USERS, await asWritten())
    const whole = await read(data['id'])
    expect(whole).toMatchObject({ telephone: whole['phone'], expiresAt: whole['expiry'], roleIds: whole['roles'], lastLoginAt: null })
    expect(await send('PUT', USERS, { ...whole, telephone: '112', expiresAt: null })).toMatchObject({ status: 200, code: 0 })
    expect(await read(data['id'])).toMatchObject({ phone: '112', expiry: null })
    const both = await send('PUT', USERS, { id: data['id'], phone: '1', telephone: '2' })
    expect(both.data.fields).toMatchObject([{ path: 'telephone', rule: 'twoNames' }])
  })

  test('loses nothing that a change leaves out, and what a change says is empty', async () => {
    const sent = await asWritten({ passwordValidity: '3m', enablePageDataMasking: true })
    const { data } = await send('POST', USERS, sent)
    const before = await read(data['id'])
    expect(await send('PUT', USERS, { id: data['id'], realName: 'Augusta King' })).toMatchObject({ code: 0 })
    expect(await read(data['id'])).toEqual({ ...before, realName: 'Augusta King', version: 2 })
    await send('PUT', USERS, { id: data['id'], email: null, phone: '', idCard: null, expiry: null, passwordValidity: null })
    expect(await read(data['id'])).toMatchObject({ email: '', phone: '', idCard: '', expiry: null, passwordValidity: 'forever' })
    for (const gone of [{ realName: '' }, { realName: null }, { roles: [] }, { roles: null }, { organisationId: null }])
      expect((await send('PUT', USERS, { id: data['id'], ...gone })).data.fields?.[0]?.path).toBe(Object.keys(gone)[0])
  })

  test('is refused with a name that means nothing, and with what only the server changes', async () => {
    const sent = await asWritten()
    const typo = await send('POST', USERS, { ...sent, expires: sent.expiry })
    expect(typo).toMatchObject({ status: 400, data: { fields: [{ path: 'expires', rule: 'unknownField' }] } })
    const { data } = await send('POST', USERS, sent)
    const whole = await read(data['id'])
    const other = await send('PUT', USERS, { ...whole, account: 'another' })
    expect(other).toMatchObject({ status: 400, data: { fields: [{ path: 'account', rule: 'readOnly' }] } })
  })

  test('can have come to log in and be locked between reading and writing', async () => {
    const { id } = await users.loggedIn()
    const whole = await read(id)
    await world.as({ account: String(whole['account']), password: PASSWORD })
    const momentary = { ...whole, state: 'locked', lockedUntil: Date.now() + DAY, lastLogin: 5, lastLoginAt: 5 }
    expect(await send('PUT', USERS, momentary)).toMatchObject({ status: 200, code: 0 })
  })

  test('has an administrator name of 64 characters at most', async () => {
    expect((await send('POST', USERS, await asWritten({ administratorName: 'a'.repeat(65) }))).data.fields).toMatchObject([
      { path: 'administratorName', rule: 'max.string' },
    ])
    const { data } = await send('POST', USERS, await asWritten({ administratorName: '王'.repeat(64) }))
    const blinkered = await world.session({ masking: true })
    expect((await blinkered.call(userCalls.read, { params: { id: String(data['id']) } })).administratorName).toMatch(/^王\*+王$/)
  })
})
