import { afterAll, beforeAll, expect, test } from 'vitest'
import { strategyCalls } from '@gatehouse/contract/strategies/calls'
import { startWorld, type SessionOptions, type World } from '@gatehouse/dev-env/world'

let now = Date.parse('2026-11-20T12:00:00Z')
let world: World
beforeAll(async () => {
  world = await startWorld({ clock: { now: () => now } })
})
afterAll(() => world?.stop())

const session = (options: SessionOptions = {}) => world.session({ permissions: ['access.rule'], ...options })
type Asker = Awaited<ReturnType<typeof session>>
const isFree = async (asker: Pick<Asker, 'call'>, password: string, personId?: string) =>
  (await asker.call(strategyCalls.checkPassword, { body: { personalPassword: password, personId } })).free

test('a pass password is free unless somebody in the park has it', async () => {
  await world.person({ personalPassword: '246810' })
  const asker = await session()
  expect(await isFree(asker, '246810')).toBe(false)
  expect(await isFree(asker, '246811')).toBe(true)
  expect(await isFree(await session({ park: (await world.addPark()).park }), '246810')).toBe(true)
})

test('a pass password is asked for by its former name too', async () => {
  await world.person({ personalPassword: '975310' })
  const asker = await session()
  expect(await asker.ask(strategyCalls.checkPassword, { body: { password: '975310' } as never })).toMatchObject({
    code: 0,
    data: { free: false },
  })
})

test('somebody’s own is free to whoever may change that person; nobody else learns whose it is', async () => {
  const [owner, other] = [await world.person({ personalPassword: '135791' }), await world.person()]
  const planner = await session()
  expect([await isFree(planner, '135791', owner.id), await isFree(planner, '135791', other.id)]).toEqual([false, false])
  const manager = await session({ permissions: ['access.rule', 'person.list'] })
  expect([await isFree(manager, '135791', owner.id), await isFree(manager, '135791', other.id)]).toEqual([true, false])
})

test('only 4 to 10 digits are asked for, of a person the park has [VAL-026]', async () => {
  const asker = await session()
  for (const personalPassword of ['123', '1'.repeat(11), '12a4', '１２３４', '12\x004'])
    expect(await asker.ask(strategyCalls.checkPassword, { body: { personalPassword } }), personalPassword).toMatchObject({
      status: 400,
      data: { fields: [{ path: 'personalPassword' }] },
    })
  const foreign = await (await world.addPark()).person({ personalPassword: '864201' })
  for (const personId of [foreign.id, crypto.randomUUID()])
    expect(await asker.ask(strategyCalls.checkPassword, { body: { personalPassword: '864201', personId } })).toMatchObject({
      status: 400,
      data: { fields: [{ path: 'personId', rule: 'unknown' }] },
    })
})

test('whoever asks often is stopped for a while, and nobody else with him', async () => {
  const [guesser, other] = [await session(), await session()]
  const statuses: number[] = []
  for (let guess = 0; guess < 40; guess++)
    statuses.push((await guesser.ask(strategyCalls.checkPassword, { body: { personalPassword: String(5000 + guess) } })).status)
  expect(statuses).toEqual([...Array<number>(30).fill(200), ...Array<number>(10).fill(429)])
  expect(await isFree(other, '5000')).toBe(true)
  now += 5 * 60_000
  const { status, headers } = await guesser.ask(strategyCalls.checkPassword, { body: { personalPassword: '5000' } })
  expect([status, Number(headers.get('retry-after'))]).toEqual([429, 10 * 60])
  now += 11 * 60_000
  expect(await isFree(guesser, '5000')).toBe(true)
})

test('is for those who may change strategies', async () => {
  const guard = await session({ permissions: ['access.record'] })
  expect(await guard.ask(strategyCalls.checkPassword, { body: { personalPassword: '1234' } })).toMatchObject({
    status: 403,
    code: 100510,
  })
})
