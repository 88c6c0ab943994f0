/** A password that is typed again: what it permits, for whom and how long. */
import { request } from 'node:http'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { toJSONSchema } from 'zod'
import { CONFIRMED_FOR, LOCK_AFTER, LOCK_FOR, isWrite, type Call } from '@gatehouse/contract'
import { clientCalls } from '@gatehouse/contract/identity/clients'
import { identityCalls } from '@gatehouse/contract/identity/calls'
import { ownCalls } from '@gatehouse/contract/identity/own'
import { roleCalls } from '@gatehouse/contract/identity/roles'
import { userCalls } from '@gatehouse/contract/identity/users'
import { DEVICE_PACKAGE_MAX } from '@gatehouse/contract/limits'
import { upgradeCalls } from '@gatehouse/contract/upgrades/calls'
import { confirmPassword, createClient, logIn, sealPassword, type Client } from '@gatehouse/dev-env/client'
import { ADMIN, startWorld, type World } from '@gatehouse/dev-env/world'
import { settledUser } from '../../../../../tests/support/accounts.ts'
import { ALL_CALLS, ask, grantsPower } from '../../../../../tests/support/all-calls.ts'
import { changedTables, contentsOf } from '../../../../../tests/support/contents.ts'
import { newId } from '../../platform/database/ids.ts'

const MINUTE = 60_000
let world: World
let time = Date.now()
beforeAll(async () => {
  world = await startWorld({ clock: { now: () => time }, jobsAsleep: true })
})
afterAll(() => world?.stop())

/** Create a session whose login is too long ago to count as a confirmation. */
async function newSession(): Promise<Client> {
  const client = await world.as(ADMIN)
  time += CONFIRMED_FOR * MINUTE
  return client
}
const tryPassword = async (client: Client, password: string) =>
  client.ask(ownCalls.confirm, { body: { password: await sealPassword(client, password) } })
/** A call that requires the password, about an object that does not exist. */
const tryCall = (client: Client) => client.ask(upgradeCalls.approve, { params: { id: newId() } })
const NEEDED = {
  status: 403,
  code: 403,
  message: expect.stringMatching(/password/),
  data: { fields: [{ path: '', rule: 'passwordNeeded' }] },
}

test('a call that asks for the password is answered for some minutes after it was typed, in that session alone', async () => {
  const [client, other] = [await newSession(), await newSession()]
  expect(await tryCall(client)).toMatchObject(NEEDED)
  const answer = await tryPassword(client, ADMIN.password)
  expect(answer).toMatchObject({ status: 200, code: 0, data: { until: time + CONFIRMED_FOR * MINUTE } })
  expect(await tryCall(client)).toMatchObject({ status: 404 })
  expect(await tryCall(other)).toMatchObject(NEEDED)
  time += CONFIRMED_FOR * MINUTE - 1
  expect(await tryCall(client)).toMatchObject({ status: 404 })
  time += 1
  expect(await tryCall(client)).toMatchObject(NEEDED)
  await client.call(identityCalls.revoke, {})
  expect(await tryCall(client)).toMatchObject({ status: 401 })
})

test('a login by password counts as having typed it, and no refreshed session for longer', async () => {
  const client = createClient(world.url)
  const tokens = await logIn(client, ADMIN)
  const session = client.as({ bearer: tokens.access_token })
  expect(await tryCall(session)).toMatchObject({ status: 404 })
  time += CONFIRMED_FOR * MINUTE - 1
  const body = { grant_type: 'refresh_token' as const, refresh_token: tokens.refresh_token }
  const { access_token: bearer } = await client.as({ basic: ['console', ''] }).call(identityCalls.token, { body })
  expect(await tryCall(client.as({ bearer }))).toMatchObject({ status: 404 })
  time += 1
  expect(await tryCall(client.as({ bearer }))).toMatchObject(NEEDED)
})

test('whoever holds one session locks nobody out of the others', async () => {
  const user = await settledUser(world)
  const [taken, own] = [await world.as(user), await world.as(user)]
  for (let failures = 1; failures <= LOCK_AFTER; failures++) await tryPassword(taken, `Wrong-pass-${failures}`)
  expect(await tryPassword(taken, user.password)).toMatchObject({ status: 400, code: 903 })
  expect(await tryPassword(own, user.password)).toMatchObject({ status: 200, code: 0 })
  await own.call(ownCalls.endOtherSessions, {})
  expect((await taken.ask(identityCalls.profile, {})).status).toBe(401)
})

test('a wrong password stands at its field and is counted as at a login: nobody can guess with an open session', async () => {
  const client = await newSession()
  for (let failures = 1; failures < LOCK_AFTER; failures++)
    expect(await tryPassword(client, `Wrong-pass-${failures}`)).toMatchObject({
      status: 400,
      code: 100401,
      data: { failures, limit: LOCK_AFTER, fields: [{ path: 'password', rule: 'code.100401' }] },
    })
  expect(await tryPassword(client, 'Wrong-pass-9')).toMatchObject({ status: 400, code: 903 })
  expect(await tryPassword(client, ADMIN.password)).toMatchObject({ status: 400, code: 903 })
  expect(await tryCall(client)).toMatchObject(NEEDED)
  time += LOCK_FOR * MINUTE
  await confirmPassword(client, ADMIN.password)
  expect(await client.ask(ownCalls.confirm, { body: { password: 'no cipher text' } })).toMatchObject({
    status: 400,
    data: { fields: [{ path: 'password', rule: 'invalid' }] },
  })
})

test('an API user has no password to type', async () => {
  const made = await world.call(clientCalls.create, {
    body: { name: 'Robot', permissions: ['device', 'device.upgrade'], organisationId: world.park.id },
  })
  const { access_token: bearer } = await createClient(world.url, { basic: [made.ApiKey, made.ApiSecret] }).call(identityCalls.token, {
    body: { grant_type: 'client_credentials' },
  })
  const robot = createClient(world.url, { bearer })
  expect(await tryPassword(robot, ADMIN.password)).toMatchObject({ status: 403, code: 100510 })
  expect(await tryCall(robot)).toMatchObject({ status: 403, code: 100510 })
})

test('a large upload is refused before any of its bytes is read', async () => {
  const { bearer } = (await newSession()).credentials as { bearer: string }
  const status = await new Promise<number>((resolve, reject) => {
    const asking = request(
      world.url + upgradeCalls.saveVersion.url,
      {
        method: 'POST',
        headers: {
          authorization: `Bearer ${bearer}`,
          'content-type': 'multipart/form-data; boundary=parts',
          'content-length': DEVICE_PACKAGE_MAX,
        },
      },
      (answer) => {
        answer.resume()
        resolve(answer.statusCode ?? 0)
        asking.destroy()
      },
    )
    asking.on('error', reject)
    asking.flushHeaders()
  })
  expect(status).toBe(403)
})

const shown = ({ method, url }: Call): string => `${method} ${url.slice(url.indexOf('/v1/') + 3)}`
const asking = (of: Call['freshPassword']): string[] =>
  ALL_CALLS.filter(({ freshPassword }) => freshPassword === of)
    .map(shown)
    .toSorted()

test('calls on upgrades, addresses and factors of accounts, codes, the log and screens without a login ask for the password', () => {
  expect(asking(true)).toEqual([
    'DELETE /users/{id}/second/factor',
    'GET /system/message/{id}',
    'POST /device/app/version/save',
    'POST /device/upgrade/add',
    'POST /device/upgrade/{id}/approve',
    'POST /system/demo/remove',
    'POST /system/saveipaddress',
    'POST /system/screen/link',
    'POST /system/second/factor/config',
    'POST /system/sleeping/config',
    'POST /system/third/config',
    'POST /users/second/factor',
    'POST /users/second/factor/begin',
    'POST /users/second/factor/recovery',
    'POST /users/second/factor/remove',
    'PUT /log/retention',
    'PUT /users/update/personal',
  ])
})

test('whatever gives or takes accounts, roles, API users and sessions, or answers a secret, asks users for it', () => {
  expect(ALL_CALLS.filter(grantsPower).filter(({ freshPassword }) => freshPassword === undefined)).toEqual([])
  expect(asking('ofUsers')).toEqual([
    'DELETE /areaCodes/{id}',
    'DELETE /clients',
    'DELETE /roles/{id}',
    'DELETE /users/sessions',
    'DELETE /users/sessions/{id}',
    'DELETE /users/{id}',
    'POST /areaCodes/update',
    'POST /carPark/config',
    'POST /clients/api-client',
    'POST /clients/enable',
    'POST /clients/{id}/resetClientSecret',
    'POST /device',
    'POST /device/batch',
    'POST /device/{id}/release',
    'POST /device/{id}/secret',
    'POST /roles',
    'POST /users',
    'POST /users/{id}/passwd',
    'PUT /clients',
    'PUT /roles',
    'PUT /users',
    'PUT /users/{id}/disable',
    'PUT /users/{id}/enable',
  ])
})

/** Return the names of the texts in a JSON schema, at any depth. */
function textsIn(schema: unknown): string[] {
  if (typeof schema !== 'object' || schema === null) return []
  return Object.entries(schema).flatMap(([name, inner]: [string, { type?: string; enum?: unknown } | null]) =>
    inner?.type === 'string' && inner.enum === undefined ? [name] : textsIn(inner),
  )
}

test('whatever answers a secret or a password asks for the password', () => {
  const mentions = ({ data }: Call): boolean =>
    data !== undefined &&
    textsIn(toJSONSchema(data as never, { unrepresentable: 'any' })).some((name) => /^(.*secret|.*password|token)$/i.test(name))
  const open = ALL_CALLS.filter((call) => !['public', 'basic', 'device'].includes(call.permission) && isWrite(call) && mentions(call))
  expect(open.length).toBeGreaterThan(5)
  expect(open.filter(({ freshPassword }) => freshPassword === undefined).map(shown)).toEqual([])
})

describe('a session in which nobody has typed the password lately', () => {
  const marked = ALL_CALLS.filter(({ freshPassword }) => freshPassword !== undefined)
  let left: Client
  beforeAll(async () => {
    left = await world.session({
      roleSign: 'admin',
      organisationId: world.server.contexts.organisation.service.root().id,
      confirmed: false,
    })
  })

  test.for(marked.map((call) => [shown(call), call] as const))('is not enough for %s', async ([, call]) => {
    const before = await contentsOf(world)
    expect(await ask(world, call, left.credentials, { id: newId() })).toMatchObject(NEEDED)
    expect(changedTables(before, await contentsOf(world))).toEqual([])
  })
})

test('an API user makes accounts, roles and API users by what it logs in with', async () => {
  const made = await world.call(clientCalls.create, {
    body: {
      name: 'Directory',
      permissions: ['person', 'system', 'system.user', 'system.role', 'system.api'],
      organisationId: world.park.id,
    },
  })
  const { access_token: bearer } = await createClient(world.url, { basic: [made.ApiKey, made.ApiSecret] }).call(identityCalls.token, {
    body: { grant_type: 'client_credentials' },
  })
  const directory = createClient(world.url, { bearer })
  const organisationId = world.park.id
  const { id: roleId } = await directory.call(roleCalls.create, { body: { name: 'Readers', permissions: ['person'], organisationId } })
  const { id } = await directory.call(userCalls.create, {
    body: { account: 'from.directory', realName: 'Ada Lovelace', organisationId, roles: [roleId] },
  })
  await directory.call(userCalls.disable, { params: { id } })
  await directory.call(clientCalls.create, { body: { name: 'Another', permissions: ['person'], organisationId } })
  expect(await world.call(userCalls.read, { params: { id } })).toMatchObject({ account: 'from.directory' })
})
