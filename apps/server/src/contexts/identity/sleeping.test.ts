import { afterAll, beforeAll, expect, test } from 'vitest'
import { userCalls } from '@gatehouse/contract/identity/users'
import { roleCalls } from '@gatehouse/contract/identity/roles'
import type { Client } from '@gatehouse/dev-env/client'
import { startWorld, type World } from '@gatehouse/dev-env/world'

const DAY = 86_400_000
let world: World
let time = Date.UTC(2026, 0, 1)
beforeAll(async () => {
  world = await startWorld({ clock: { now: () => time } })
})
afterAll(() => world?.stop())

const disable = () => world.server.contexts.identity.sleeping.disable()
const admin = async () => {
  const { server } = world
  return world.session({ roleSign: 'admin', organisationId: server.contexts.organisation.service.root().id })
}
let number = 0
async function account(by: Client): Promise<string> {
  const { id: roleId } = await by.call(roleCalls.create, { body: { name: `Sleeper ${++number}`, permissions: ['person'] } })
  return (
    await by.call(userCalls.create, {
      body: { account: `sleeper${number}`, realName: 'Sleeper', organisationId: world.park.id, roles: [roleId] },
    })
  ).id
}

test('accounts nobody uses are disabled after so many days, if that is wanted; the last administrator is spared', async () => {
  const keeper = await admin()
  expect(await keeper.call(userCalls.sleepingConfig, {})).toEqual({ days: 0, version: 0 })
  const [asleep, woken] = [await account(keeper), await account(keeper)]
  time += 400 * DAY
  expect(await disable()).toBe(0)

  const chief = await admin()
  await chief.call(userCalls.saveSleepingConfig, { body: { days: 30 } })
  expect(await chief.ask(userCalls.saveSleepingConfig, { body: { days: 31, version: 0 } })).toMatchObject({ status: 409 })
  const awake = await account(chief)
  expect(await disable()).toBeGreaterThanOrEqual(2)
  const stateOf = async (id: string) => (await chief.call(userCalls.read, { params: { id } })).state
  expect([await stateOf(asleep), await stateOf(woken)]).toEqual(['disabled', 'disabled'])
  expect(await stateOf(awake)).not.toBe('disabled')

  // An account that was enabled again is disabled after the same number of days, not the same night.
  await chief.call(userCalls.enable, { params: { id: woken } })
  await disable()
  expect(await stateOf(woken)).not.toBe('disabled')

  // If all administrators were inactive for too long, the one who was active last can still log in.
  time += 60 * DAY
  await disable()
  const late = await admin()
  const { content } = await late.call(userCalls.list, { query: { size: 100 } })
  const left = content.filter(({ status, roleDetails }) => status === 1 && roleDetails.some(({ roleSign }) => roleSign === 'admin'))
  expect(left).toHaveLength(2)
})

test('the days are bounded', async () => {
  const chief = await admin()
  for (const days of [-1, 3651, 1.5])
    expect(await chief.ask(userCalls.saveSleepingConfig, { body: { days } })).toMatchObject({ status: 400 })
})
