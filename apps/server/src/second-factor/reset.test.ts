/** The second factor of a person who lost phone and recovery codes is removed on the machine, while the server runs. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { auditCalls } from '@gatehouse/contract/audit/calls'
import { identityCalls } from '@gatehouse/contract/identity/calls'
import { startWorld, type World } from '@gatehouse/dev-env/world'
import { settledUser, tryLogin } from '../../../../tests/support/accounts.ts'
import { setUpSecondFactor } from '../../../../tests/support/authenticator.ts'
import { until } from '../../../../tests/support/until.ts'
import type { Config } from '../config.ts'
import { resetSecondFactor } from './reset.ts'

let world: World
let config: Config
beforeAll(async () => {
  world = await startWorld()
  config = { ...world.server.platform.config, databaseUrl: world.connectionString }
})
afterAll(() => world?.stop())

test('it is gone, the sessions of the account end, and the log says who did it', async () => {
  const [user, other] = [await settledUser(world), await settledUser(world)]
  const [client, otherClient] = [await world.as(user), await world.as(other)]
  for (const session of [client, otherClient]) await setUpSecondFactor(session, world.clock)
  expect((await tryLogin(world, user.account, user.password)).code).toBe(906)
  expect(await resetSecondFactor({ config, account: user.account.toUpperCase() })).toEqual({ ended: 1 })
  expect((await tryLogin(world, user.account, user.password)).code).toBe(0)
  await until('the session to end', async () => (await client.ask(identityCalls.profile, {})).status === 401)
  expect((await tryLogin(world, other.account, other.password)).code).toBe(906)
  expect((await otherClient.ask(identityCalls.profile, {})).status).toBe(200)
  const { content } = await world.call(auditCalls.operations, { query: { size: 100, all: true } })
  const entry = content.find(({ subjects }) => subjects.some(({ id, entity }) => entity === 'user' && id === user.id))!
  expect(entry).toMatchObject({ account: 'npm run reset-second-factor', method: 'DELETE' })
  const { changes } = await world.call(auditCalls.operation, { params: { id: entry.id } })
  expect(changes[0]!.fields).toEqual([{ field: 'secondFactor', before: true, after: false }])
})

test('a sentence says what is wrong', async () => {
  await expect(resetSecondFactor({ config, account: 'nobody' })).rejects.toThrow('There is no account nobody.')
  await expect(resetSecondFactor({ config, account: 'admin' })).rejects.toThrow('The account admin has no second factor.')
})
