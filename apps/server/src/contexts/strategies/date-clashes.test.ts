/** Exception dates across the time rules of one strategy: a date that one rule opens must not be closed by another. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { associatedRuleCalls } from '@gatehouse/contract/strategies/associated-rules'
import { strategyCalls, timeRuleCalls } from '@gatehouse/contract/strategies/calls'
import { writtenRuleCalls } from '@gatehouse/contract/approvals/written-rules'
import { startWorld, type Made, type Site, type World } from '@gatehouse/dev-env/world'
import { query } from '../../../../../tests/support/embedded-postgres.ts'
import { linkedParks } from './testing/associated.ts'

let world: World
beforeAll(async () => {
  world = await startWorld()
})
afterAll(() => world?.stop())

const HOLIDAY = '2026-12-25'
const idsOf = (...rules: Made[]) => rules.map(({ id }) => id)
const clashing = (path: string, params: object = { date: HOLIDAY, allowing: 'Open', forbidding: 'Shut' }) => ({
  status: 400,
  code: 400,
  data: { fields: [{ path, rule: 'clashingDateElsewhere', params }] },
})

/** Create time rules of a park: one that opens a holiday, one that closes it, one without exception dates. */
const rulesOf = async (park: Site) => ({
  open: await park.timeRule({ name: 'Open', allowedExceptionDates: ['2026-12-24', HOLIDAY] }),
  shut: await park.timeRule({ name: 'Shut', forbiddenExceptionDates: [HOLIDAY, '2026-12-26'] }),
  plain: await park.timeRule({ name: 'Plain' }),
})
const add = (park: Site, name: string, ...rules: Made[]) =>
  park.ask(strategyCalls.create, { body: { name, timeRuleIds: idsOf(...rules), methods: [4] } })
const readRule = (park: Site, { id }: Made) => park.call(timeRuleCalls.read, { params: { id } })

test('time rules that contradict each other cannot be combined by one strategy, and can be used by two [VAL-148]', async () => {
  const park = await world.addPark()
  const { open, shut, plain } = await rulesOf(park)
  expect(await add(park, 'Both', plain, open, shut)).toMatchObject(clashing('timeRuleIds.2'))
  expect(await add(park, 'Both', shut, open)).toMatchObject(clashing('timeRuleIds.1'))
  // Guards come on the holiday, staff do not.
  const guards = await add(park, 'Guards', open, plain)
  const staff = await add(park, 'Staff', plain, shut)
  expect([guards.code, staff.code]).toEqual([0, 0])
  const id = (staff.data as { id: string }).id
  const change = (...rules: Made[]) => park.ask(strategyCalls.change, { body: { id, timeRuleIds: idsOf(...rules) } })
  expect(await change(open, shut)).toMatchObject(clashing('timeRuleIds.1'))
  expect(await park.call(strategyCalls.read, { query: { id } })).toMatchObject({
    timeRules: [{ name: 'Plain' }, { name: 'Shut' }],
    version: 1,
  })
  expect(await change(open)).toMatchObject({ code: 0 })
})

test('nor by one rule for a linked park [VAL-148]', async () => {
  const { host, rule } = await linkedParks(world)
  const { open, shut } = await rulesOf(host)
  const { create, change, read } = associatedRuleCalls
  expect(await host.ask(create, { body: { ...rule, timeRuleIds: idsOf(open, shut) } })).toMatchObject(clashing('timeRuleIds.1'))
  const { id } = await host.call(create, { body: { ...rule, timeRuleIds: idsOf(open) } })
  expect(await host.ask(change, { body: { id, timeRuleIds: idsOf(shut, open) } })).toMatchObject(clashing('timeRuleIds.1'))
  expect((await host.call(read, { query: { id } })).timeRuleIds).toEqual([open.id])
  expect(await host.ask(change, { body: { id, timeRuleIds: idsOf(shut) } })).toMatchObject({ code: 0 })
})

test('a time rule does not take exception dates that another rule of a strategy contradicts [VAL-148]', async () => {
  const park = await world.addPark()
  const { open, shut, plain } = await rulesOf(park)
  await add(park, 'Guards', open, plain)
  const change = (body: object) => park.ask(timeRuleCalls.change, { body: { id: plain.id, ...body } })
  expect(await change({ forbiddenExceptionDates: ['2026-05-01', HOLIDAY] })).toMatchObject(
    clashing('forbiddenExceptionDates.1', { date: HOLIDAY, allowing: 'Open', forbidding: 'Plain' }),
  )
  expect(await readRule(park, plain)).toMatchObject({ forbiddenExceptionDates: [], version: 1 })
  // Rules that no strategy combines may contradict each other.
  expect(await change({ allowedExceptionDates: [HOLIDAY, '2026-12-26'] })).toMatchObject({ code: 0 })
  expect(await add(park, 'Staff', plain, shut)).toMatchObject({ status: 400 })
  await change({ allowedExceptionDates: [] })
  await add(park, 'Staff', plain, shut)
  expect(await change({ name: 'Renamed', allowedExceptionDates: ['2026-12-26'] })).toMatchObject(
    clashing('allowedExceptionDates.0', { date: '2026-12-26', allowing: 'Renamed', forbidding: 'Shut' }),
  )
  // Another rule of the same park may do so.
  expect((await park.ask(timeRuleCalls.change, { body: { id: open.id, forbiddenExceptionDates: ['2026-12-26'] } })).code).toBe(0)
})

test('what clashed before is kept and saved as it was, until its rules or dates are changed [VAL-148]', async () => {
  const park = await world.addPark()
  const { open, shut, plain } = await rulesOf(park)
  await park.call(timeRuleCalls.change, { body: { id: shut.id, forbiddenExceptionDates: [] } })
  const { id } = (await add(park, 'Both', open, shut)).data as { id: string }
  await query(world.connectionString, 'UPDATE time_rule SET forbidden_dates = $1 WHERE id = $2', [[HOLIDAY], shut.id])

  const strategy = await park.call(strategyCalls.read, { query: { id } })
  expect(await park.ask(strategyCalls.change, { body: { ...strategy, name: 'Renamed' } as never })).toMatchObject({ code: 0 })
  const rule = await readRule(park, shut)
  expect(await park.ask(timeRuleCalls.change, { body: { ...rule, name: 'Closed' } as never })).toMatchObject({ code: 0 })

  expect(await park.ask(strategyCalls.change, { body: { id, timeRuleIds: idsOf(open, shut, plain) } })).toMatchObject(
    clashing('timeRuleIds.1', { date: HOLIDAY, allowing: 'Open', forbidding: 'Closed' }),
  )
  const dates = (forbiddenExceptionDates: string[]) => park.ask(timeRuleCalls.change, { body: { id: shut.id, forbiddenExceptionDates } })
  expect(await dates(['2026-12-31', HOLIDAY])).toMatchObject(
    clashing('forbiddenExceptionDates.1', { date: HOLIDAY, allowing: 'Open', forbidding: 'Closed' }),
  )
  expect(await dates(['2026-12-31'])).toMatchObject({ code: 0 })
})

test('is never got round by combining two rules while one of them changes, or by changing both at once', async () => {
  const park = await world.addPark()
  for (let round = 0; round < 8; round++) {
    const [one, two] = [await park.timeRule({ allowedExceptionDates: [HOLIDAY] }), await park.timeRule()]
    const closes = park.ask(timeRuleCalls.change, { body: { id: two.id, forbiddenExceptionDates: [HOLIDAY] } })
    const codes = (await Promise.all([add(park, `Race ${round}`, one, two), closes])).map(({ code }) => code)
    expect(codes.toSorted()).toEqual([0, 400])

    const both = [await park.timeRule(), await park.timeRule()] as const
    await add(park, `Pair ${round}`, ...both)
    const [opened, closed] = await Promise.all([
      park.ask(timeRuleCalls.change, { body: { id: both[0].id, allowedExceptionDates: [HOLIDAY] } }),
      park.ask(timeRuleCalls.change, { body: { id: both[1].id, forbiddenExceptionDates: [HOLIDAY] } }),
    ])
    expect([opened.code, closed.code].toSorted()).toEqual([0, 400])
  }
})

test('is refused before a second person is asked to approve the change', async () => {
  const park = await world.addPark()
  const [person, door] = [await park.person(), await park.device()]
  await park.call(writtenRuleCalls.create, {
    body: {
      name: 'Ask first',
      everybodyExcept: true,
      deviceIds: [door.id],
      periods: [{ weekday: 1, start: '00:00', end: '24:00' }],
      reaction: 'ask',
    },
  })
  const { open, shut, plain } = await rulesOf(park)
  const body = { name: 'Both', personIds: [person.id], deviceIds: [door.id], methods: [4] }
  expect(await park.ask(strategyCalls.create, { body: { ...body, timeRuleIds: idsOf(plain) } })).toMatchObject({ status: 409 })
  expect(await park.ask(strategyCalls.create, { body: { ...body, timeRuleIds: idsOf(open, shut) } })).toMatchObject({ status: 400 })
})
