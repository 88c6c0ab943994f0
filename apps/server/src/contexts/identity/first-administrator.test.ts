/** The password that is printed at the first start, where nobody used it in time. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ADMIN, startWorld, type World } from '@gatehouse/dev-env/world'
import { changeExpired, tryLogin } from '../../../../../tests/support/accounts.ts'
import { query } from '../../../../../tests/support/embedded-postgres.ts'

let world: World
beforeAll(async () => {
  world = await startWorld()
})
afterAll(() => world?.stop())

const givenDaysAgo = (days: number) =>
  query(
    world.connectionString,
    `UPDATE user_account SET must_change = true, password_changed_at = now() - interval '${days} days' WHERE account = 'admin'`,
  )
const startedAgain = async (): Promise<string | null> => {
  await world.interrupted(async () => {})
  return world.server.initialPassword
}

test('is another one after the next start, while there is nobody else who could reset it', async () => {
  await givenDaysAgo(6)
  expect(await startedAgain()).toBeNull()
  await givenDaysAgo(8)
  const printed = await startedAgain()
  expect((await tryLogin(world, 'admin', ADMIN.password)).code).toBe(100401)
  expect((await changeExpired(world, 'admin', printed!, ADMIN.password)).code).toBe(0)
  // Somebody else has an account by now.
  await world.session()
  await givenDaysAgo(8)
  expect(await startedAgain()).toBeNull()
})
