/** The first administrator's password: a configured one has to follow the rules, a printed one is replaced if it is not used in time. */
import { join } from 'node:path'
import { scratchDatabase } from '@gatehouse/server/platform/postgres/scratch'
import { startServer } from '@gatehouse/server/server'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { ADMIN, startWorld, type World } from '@gatehouse/dev-env/world'
import { changeExpired, tryLogin } from '../../../../../tests/support/accounts.ts'
import { query } from '../../../../../tests/support/embedded-postgres.ts'
import { scratchFolder } from '../../../../../tests/support/scratch-folder.ts'

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
  // Another user has an account by now.
  await world.session()
  await givenDaysAgo(8)
  expect(await startedAgain()).toBeNull()
})

test('that is given keeps the rules of every password, where it is used', async () => {
  const database = await scratchDatabase()
  onTestFinished(database.drop)
  const dataDir = join(scratchFolder(), 'data')
  const begin = (adminPassword: string) =>
    startServer({
      config: {
        ...world.server.platform.config,
        dataDir,
        databaseUrl: database.connectionString,
        port: 0,
        mqttPort: 0,
        adminPassword,
      },
      connectionString: database.connectionString,
    })
  for (const weak of ['admin123', 'Short-1', 'No-digits-here', 'far-too-Long-a-password-1'])
    await expect(begin(weak), weak).rejects.toThrow('ADMIN_PASSWORD must have 8 to 14 characters')
  await (await begin('Gate-house-7')).stop()
})

test('that was left in the environment does not end a later start', async () => {
  const { config } = world.server.platform
  const before = config.adminPassword
  onTestFinished(() => void Object.assign(config, { adminPassword: before }))
  Object.assign(config, { adminPassword: 'admin123' })
  await startedAgain()
  expect((await tryLogin(world, 'admin', 'admin123')).code).toBe(100401)
})
