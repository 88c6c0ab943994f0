/** From when a time rule is in effect: as it is reported, and as a terminal decides. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { EFFECT_MINUTES, timeRuleCalls } from '@gatehouse/contract/strategies/calls'
import { failReason } from '@gatehouse/contract/enums'
import type { Client } from '@gatehouse/dev-env/client'
import { ALWAYS_OPEN } from '@gatehouse/dev-env/site'
import { startWorld, type Made, type MadeDevice, type World, type WorldTerminal } from '@gatehouse/dev-env/world'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
/** 18:00 in the park's zone. */
const NOW = Date.parse('2027-03-01T10:00:00Z')
let now = NOW
let world: World
beforeAll(async () => {
  world = await startWorld({ clock: { now: () => now } })
  await world.server.contexts.organisation.service.change(world.park.id, { name: world.park.name, zone: 'Asia/Shanghai' })
})
afterAll(() => world?.stop())

const CARD = '1234567890'
const effectOf = async ({ id }: Made, client: Pick<Client, 'call'> = world) =>
  (await client.call(timeRuleCalls.read, { params: { id } })).effect
const setFrom = (rule: Made, effectiveDate: string | null) =>
  world.call(timeRuleCalls.change, { body: { id: rule.id, name: rule.name, periods: ALWAYS_OPEN, effectiveDate } })

/** Create a person with a card whom a rule of their own lets pass a door. */
async function doorOf(name: string, cardNumber: string): Promise<{ door: MadeDevice; rule: Made }> {
  const [door, rule] = [await world.device({ name }), await world.timeRule({ name: `Rule of ${name}` })]
  const person = await world.person({ name: `Holder of ${name}`, cardType: 1, cardNumberFormat: 'decimal', cardNumber })
  await world.strategy({ name: `Strategy of ${name}`, persons: [person], devices: [door], timeRules: [rule] })
  return { door, rule }
}
async function pass(terminal: WorldTerminal): Promise<{ verdict: string; failReason: number | null }> {
  const response = await fetch(`${terminal.url}input/card`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ number: CARD }),
  })
  return (await response.json()) as { verdict: string; failReason: number | null }
}

test(
  'a rule set for today is in effect once its terminals hold it, seconds after the setting [BEH-165] ' +
    '[STATE:effectiveRule:takes effect today>in effect]',
  async () => {
    const { door, rule } = await doorOf('Gate', '77')
    // No terminal has connected there yet: there is nothing to wait for.
    expect(await effectOf(rule)).toEqual({ state: 'inEffect', terminals: 0, holding: 0 })
    const terminal = await world.terminal(door)
    await world.settled()
    expect(await effectOf(rule)).toEqual({ state: 'inEffect', terminals: 1, holding: 1 })

    await terminal.stop()
    await expect
      .poll(async () => (await world.server.contexts.devices.service.some({ parkId: world.park.id }, [door.id]))[0]!.onlineStatus)
      .toBe(0)
    await setFrom(rule, '2027-03-01')
    await world.settled()
    expect(await effectOf(rule)).toEqual({ state: 'today', terminals: 1, holding: 0 })
    expect((await world.call(timeRuleCalls.list, { query: { name: rule.name } })).content).toMatchObject([{ effect: { state: 'today' } }])
    now += EFFECT_MINUTES * MINUTE - 1
    expect((await effectOf(rule)).state).toBe('today')
    const again = await world.terminal(door)
    await world.settled()
    expect(await effectOf(rule)).toEqual({ state: 'inEffect', terminals: 1, holding: 1 })
    await again.stop()
  },
)

test('a terminal that stays away is waited for ten minutes; it is counted, and follows when it is back [BEH-165]', async () => {
  const { door, rule } = await doorOf('Shed', '78')
  const terminal = await world.terminal(door)
  await world.settled()
  await terminal.stop()
  await expect
    .poll(async () => (await world.server.contexts.devices.service.some({ parkId: world.park.id }, [door.id]))[0]!.onlineStatus)
    .toBe(0)
  await setFrom(rule, '2027-03-01')
  await world.settled()
  expect((await effectOf(rule)).state).toBe('today')
  now += EFFECT_MINUTES * MINUTE
  expect(await effectOf(rule)).toEqual({ state: 'inEffect', terminals: 1, holding: 0 })
})

test(
  'a rule from tomorrow refuses today and lets pass from the park’s midnight on, without a server [BEH-165] ' +
    '[STATE:effectiveRule:takes effect tomorrow>in effect]',
  async () => {
    now = NOW
    const { door, rule } = await doorOf('Yard', CARD)
    const terminal = await world.terminal(door)
    await world.settled()
    expect(await pass(terminal)).toMatchObject({ verdict: 'allowed' })
    await setFrom(rule, '2027-03-03')
    expect((await effectOf(rule)).state).toBe('later')
    await setFrom(rule, '2027-03-02')
    await world.settled()
    expect(await effectOf(rule)).toEqual({ state: 'tomorrow', terminals: 1, holding: 1 })
    // The same card shown again at once is the same passage.
    now += MINUTE
    expect(await pass(terminal)).toMatchObject({ verdict: 'rejected', failReason: failReason.outsidePassageTime })

    await world.interrupted(async () => {
      now = Date.parse('2027-03-01T15:59:00Z')
      expect(await pass(terminal)).toMatchObject({ verdict: 'rejected', failReason: failReason.outsidePassageTime })
      now += MINUTE
      expect(await pass(terminal)).toMatchObject({ verdict: 'allowed' })
    })
    now += HOUR
    const later = await world.session()
    await expect.poll(() => effectOf(rule, later)).toEqual({ state: 'inEffect', terminals: 1, holding: 1 })
    await terminal.stop()
  },
)
