/** The effects of a change before it is saved: who gains and loses access to which doors. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { DataOf, InputOf } from '@gatehouse/contract'
import { strategyCalls } from '@gatehouse/contract/strategies/calls'
import { accessGroupCalls } from '@gatehouse/contract/strategies/access-groups'
import { questionCalls } from '@gatehouse/contract/questions/calls'
import { accessMethod } from '@gatehouse/contract/enums'
import { peopleCalls } from '@gatehouse/contract/people/calls'
import { ALWAYS_OPEN } from '@gatehouse/dev-env/site'
import { startWorld, type Made, type Site, type World } from '@gatehouse/dev-env/world'

const HOUR = 3_600_000
const DAY = 24 * HOUR
/** A Monday, 10:00 in UTC. */
const NOW = Date.parse('2027-03-01T10:00:00Z')

const now = NOW
let world: World
beforeAll(async () => {
  world = await startWorld({ clock: { now: () => now } })
})
afterAll(() => world?.stop())

type Draft = InputOf<(typeof questionCalls)['strategyEffect']['body']>
const idsOf = (things: readonly Made[]): string[] => things.map(({ id }) => id)
const effect = (park: Pick<Site, 'call'>, body: Draft) => park.call(questionCalls.strategyEffect, { body })
const named = async (
  park: Pick<Site, 'call'>,
  body: Draft,
  what: 'gain' | 'lose',
  more: { deviceId?: string; page?: number; size?: number } = {},
) => (await park.call(questionCalls.strategyEffectPersons, { body: { ...body, what, ...more } })).content.map(({ name }) => name)
/** Return `Lab +2 -1` for each door, with a star where hours change. */
const summaryOf = ({ devices }: Pick<DataOf<(typeof questionCalls)['strategyEffect']>, 'devices'>): string[] =>
  devices.map(({ name, gain, lose, changedHours }) => `${name} +${gain} -${lose}${changedHours ? ' *' : ''}`).toSorted()

interface Place {
  park: Site
  lab: Made
  canteen: Made
  staff: Made
  guests: Made
  ann: Made
  bob: Made
  cy: Made
  rule: Made
}
/** Create a park in UTC: two members of staff, one guest, two doors, and a rule that is open from eight to six on weekdays. */
async function place(): Promise<Place> {
  const park = await world.addPark({ zone: 'UTC' })
  const [staff, guests] = [await park.personGroup(), await park.personGroup()]
  const person = (name: string, groupId: string) => park.person({ name, groupId })
  const [ann, bob, cy] = [await person('Ann', staff.id), await person('Bob', staff.id), await person('Cy', guests.id)]
  const [lab, canteen] = [await park.device({ name: 'Lab' }), await park.device({ name: 'Canteen' })]
  return { park, lab, canteen, staff, guests, ann, bob, cy, rule: await park.timeRule({ name: 'Office', periods: OFFICE }) }
}
const OFFICE = [1, 2, 3, 4, 5].map((weekday) => ({ weekday, start: '08:00', end: '18:00' }))
const OFFICE_MINUTES = 5 * 600
const draftOf = (rules: readonly Made[], groups: readonly Made[], doors: readonly Made[], more: Partial<Draft> = {}): Draft => ({
  personGroupIds: idsOf(groups),
  deviceIds: idsOf(doors),
  timeRuleIds: idsOf(rules),
  methods: [accessMethod.face, accessMethod.card],
  ...more,
})

describe('a strategy', () => {
  test('that is new gives doors to whom no other lets pass them', async () => {
    const { park, lab, canteen, staff, guests, ann, rule } = await place()
    await park.strategy({ persons: [ann], devices: [lab], timeRules: [rule] })
    const draft = draftOf([rule], [staff, guests], [lab, canteen])
    const answer = await effect(park, draft)
    expect(answer).toMatchObject({ gain: 3, lose: 0, otherHours: 0, minutesLost: 0, deviceCount: 2 })
    expect(summaryOf(answer)).toEqual(['Canteen +3 -0', 'Lab +2 -0'])
    expect(answer.minutesGained).toBe(OFFICE_MINUTES)
    expect(await named(park, draft, 'gain')).toEqual(['Ann', 'Bob', 'Cy'])
    expect(await named(park, draft, 'gain', { deviceId: lab.id })).toEqual(['Bob', 'Cy'])
    expect(await named(park, draft, 'lose')).toEqual([])
    // Nothing has been saved.
    expect((await park.call(strategyCalls.find, { body: {} })).total).toBe(1)
  })

  test('that is changed takes and gives, and names them page by page', async () => {
    const { park, lab, canteen, staff, guests, rule } = await place()
    const { id } = await park.strategy({ personGroups: [staff], devices: [canteen], timeRules: [rule] })
    const draft = draftOf([rule], [guests], [lab, canteen], { id })
    const answer = await effect(park, draft)
    expect(answer).toMatchObject({
      gain: 1,
      lose: 2,
      otherHours: 0,
      minutesGained: OFFICE_MINUTES,
      minutesLost: OFFICE_MINUTES,
      deviceCount: 2,
    })
    expect(summaryOf(answer)).toEqual(['Canteen +1 -2', 'Lab +1 -0'])
    expect(await named(park, draft, 'lose')).toEqual(['Ann', 'Bob'])
    expect(await named(park, draft, 'lose', { page: 2, size: 1 })).toEqual(['Bob'])
    const [first] = (await park.call(questionCalls.strategyEffectPersons, { body: { ...draft, what: 'gain' } })).content
    expect(first).toMatchObject({ name: 'Cy', deviceCount: 2, deviceNames: ['Canteen', 'Lab'] })
    expect(await effect(park, draftOf([rule], [staff], [canteen], { id }))).toMatchObject({
      gain: 0,
      lose: 0,
      otherHours: 0,
      deviceCount: 0,
      devices: [],
    })
  })

  test('that loses somebody whom another one lets pass at least as long takes nothing from him', async () => {
    const { park, lab, staff, ann, bob, rule } = await place()
    const [always, morning] = [
      await park.timeRule({ periods: ALWAYS_OPEN }),
      await park.timeRule({ periods: [{ weekday: 1, start: '11:00', end: '12:00' }] }),
    ]
    const { id } = await park.strategy({ personGroups: [staff], devices: [lab], timeRules: [rule] })
    await park.strategy({ persons: [ann], devices: [lab], timeRules: [always] })
    await park.strategy({ persons: [bob], devices: [lab], timeRules: [morning] })
    const nobody = draftOf([rule], [], [lab], { id })
    const answer = await effect(park, nobody)
    // Ann keeps all of it; Bob keeps an hour on Monday.
    expect(answer).toMatchObject({ gain: 0, lose: 0, otherHours: 1, minutesGained: 0, minutesLost: OFFICE_MINUTES - 60, deviceCount: 1 })
    expect(summaryOf(answer)).toEqual(['Lab +0 -0 *'])
  })

  test('that is deleted takes everything it alone gave', async () => {
    const { park, lab, canteen, staff, ann, rule } = await place()
    const { id } = await park.strategy({ personGroups: [staff], devices: [lab, canteen], timeRules: [rule] })
    await park.strategy({ persons: [ann], devices: [lab], timeRules: [rule] })
    const answer = await effect(park, draftOf([rule], [staff], [lab, canteen], { id, deleted: true }))
    expect(answer).toMatchObject({ gain: 0, lose: 2, deviceCount: 2 })
    expect(summaryOf(answer)).toEqual(['Canteen +0 -2', 'Lab +0 -1'])
  })

  test('counts only whom it would let pass within seven days', async () => {
    const { park, lab, guests, rule } = await place()
    const later = await park.timeRule({ periods: OFFICE, effectiveDate: '2027-03-08' })
    const member = (name: string, more: object) => park.person({ name, groupId: guests.id, ...more })
    const disabled = await member('Disabled', {})
    await member('Ends soon', { validTo: NOW + HOUR })
    await member('Begins in a month', { validFrom: NOW + 30 * DAY })
    await member('Begins on Saturday', { validFrom: NOW + 5 * DAY })
    await park.call(peopleCalls.status, { body: { ids: [disabled.id], status: 0 } })
    expect(await named(park, draftOf([rule], [guests], [lab]), 'gain')).toEqual(['Cy', 'Begins on Saturday', 'Ends soon'].toSorted())
    // From Saturday on only Monday morning remains; for a validity of one more hour, that hour.
    expect(await effect(park, draftOf([rule], [guests], [lab], { validTo: NOW + 2 * HOUR }))).toMatchObject({ gain: 2, minutesGained: 120 })
    expect(await effect(park, draftOf([rule], [guests], [lab], { validFrom: NOW + 7 * DAY }))).toMatchObject({ gain: 0, deviceCount: 0 })
    // Monday of next week from 00:00 to 10:00, when the seven days end.
    expect(await effect(park, draftOf([later], [guests], [lab]))).toMatchObject({ gain: 2, minutesGained: 120 })
  })

  test('reaches whom groups below its own reach, at doors of groups below its own', async () => {
    const { park, staff, rule } = await place()
    const { id: below } = await park.call(peopleCalls.createGroup, { body: { name: 'Below', parentId: staff.id } })
    await park.person({ name: 'Deep', groupId: below })
    const group = await park.deviceGroup()
    await park.device({ name: 'Cellar', groupId: group.id })
    const answer = await effect(park, draftOf([rule], [staff], [], { deviceGroupIds: [group.id] }))
    expect([answer.gain, ...summaryOf(answer)]).toEqual([3, 'Cellar +3 -0'])
  })

  test('opens the doors of the access groups it names', async () => {
    const { park, lab, canteen, staff, rule } = await place()
    const group = await park.deviceGroup()
    await park.device({ name: 'Cellar', groupId: group.id })
    const { id } = await park.call(accessGroupCalls.create, { body: { name: 'House', deviceIds: [lab.id], deviceGroupIds: [group.id] } })
    expect(summaryOf(await effect(park, draftOf([rule], [staff], [canteen], { accessGroupIds: [id] })))).toEqual([
      'Canteen +2 -0',
      'Cellar +2 -0',
      'Lab +2 -0',
    ])
    // The strategy has the door already: naming it instead of the group changes nothing.
    const saved = await park.strategy({ personGroups: [staff], timeRules: [rule], accessGroupIds: [id] })
    expect(await effect(park, draftOf([rule], [staff], [lab], { id: saved.id, deviceGroupIds: [group.id] }))).toMatchObject({
      gain: 0,
      lose: 0,
      otherHours: 0,
    })
  })

  test('is refused as it would be when it is saved', async () => {
    const [{ park, lab, staff, rule }, other] = [await place(), await place()]
    const ask = (body: Draft) => park.ask(questionCalls.strategyEffect, { body })
    const draft = draftOf([rule], [staff], [lab])
    for (const id of [(await other.park.strategy()).id, 'no-id', '\0']) expect((await ask({ ...draft, id })).code).not.toBe(0)
    expect(await ask({ ...draft, id: crypto.randomUUID() })).toMatchObject({ code: 300101 })
    expect(await ask({ ...draft, timeRuleIds: [other.rule.id] })).toMatchObject({
      code: 300001,
      data: { fields: [{ path: 'timeRuleIds' }] },
    })
    expect(await ask({ ...draft, methods: [accessMethod.face] })).toMatchObject({ code: 300206, data: { fields: [{ path: 'methods' }] } })
    expect(await ask({ ...draft, validFrom: 2, validTo: 1 })).toMatchObject({ code: 900007, data: { fields: [{ path: 'validTo' }] } })
    expect(await ask({ ...draft, deleted: true })).toMatchObject({ status: 400, data: { fields: [{ path: 'id', rule: 'required' }] } })
    const foreign = {
      personIds: [other.ann.id],
      personGroupIds: [other.staff.id],
      deviceIds: [other.lab.id],
      deviceGroupIds: [crypto.randomUUID()],
      accessGroupIds: [crypto.randomUUID()],
    }
    for (const [path, ids] of Object.entries(foreign))
      expect(await ask({ ...draft, [path]: ids }), path).toMatchObject({ status: 400, data: { fields: [{ path, rule: 'unknown' }] } })
    const client = await world.session({ permissions: ['person.list'], park: park.park })
    expect(await client.ask(questionCalls.strategyEffect, { body: draft })).toMatchObject({ status: 403 })
  })
})

describe('a time rule', () => {
  const changed = (
    park: Pick<Site, 'call'>,
    id: string,
    periods: typeof OFFICE,
    more: { forbiddenExceptionDates?: string[]; effectiveDate?: string } = {},
  ) => park.call(questionCalls.ruleEffect, { body: { id, periods, ...more } })

  test('that opens longer says how much longer, for whom, and draws it', async () => {
    const { park, lab, canteen, staff, guests, rule } = await place()
    await park.strategy({ personGroups: [staff], devices: [lab], timeRules: [rule] })
    await park.strategy({ personGroups: [guests], devices: [canteen], timeRules: [rule] })
    const evening = { weekday: 1, start: '18:00', end: '20:00' }
    const answer = await changed(park, rule.id, [...OFFICE.slice(0, 4), evening])
    expect(answer).toMatchObject({
      strategyCount: 2,
      gain: 0,
      lose: 0,
      otherHours: 3,
      deviceCount: 2,
      minutesGained: 120,
      minutesLost: 600,
    })
    expect(answer.week).toEqual({ gained: [evening], lost: [OFFICE[4]], minutesGained: 120, minutesLost: 600 })
    expect(answer.sevenDays).toEqual({ minutesGained: 120, minutesLost: 600 })
  })

  test('that is shut takes doors, unless another rule of the strategy is open', async () => {
    const { park, lab, canteen, staff, rule } = await place()
    const monday = await park.timeRule({ periods: [{ weekday: 1, start: '11:00', end: '12:00' }] })
    await park.strategy({ personGroups: [staff], devices: [lab], timeRules: [rule] })
    await park.strategy({ personGroups: [staff], devices: [canteen], timeRules: [rule, monday] })
    const body = { id: rule.id, periods: OFFICE, effectiveDate: '2099-01-01' }
    const answer = await park.call(questionCalls.ruleEffect, { body })
    expect(summaryOf(answer)).toEqual(['Canteen +0 -0 *', 'Lab +0 -2'])
    // The weekly periods are unchanged: the exception date closes the door.
    expect(answer).toMatchObject({ lose: 2, week: { gained: [], lost: [], minutesLost: 0 }, sevenDays: { minutesLost: OFFICE_MINUTES } })
    const { content } = await park.call(questionCalls.ruleEffectPersons, { body: { ...body, what: 'lose', deviceId: lab.id } })
    expect(content.map(({ name, deviceNames }) => [name, deviceNames])).toEqual([
      ['Ann', ['Lab']],
      ['Bob', ['Lab']],
    ])
  })

  test('that no strategy follows changes nothing for anybody', async () => {
    const { park, rule } = await place()
    expect(await changed(park, rule.id, [{ weekday: 7, start: '00:00', end: '24:00' }])).toMatchObject({
      strategyCount: 0,
      gain: 0,
      lose: 0,
      otherHours: 0,
      deviceCount: 0,
      week: { minutesGained: 1440, minutesLost: OFFICE_MINUTES },
    })
  })

  test('is refused as it would be when it is saved', async () => {
    const [{ park, rule }, other] = [await place(), await place()]
    const ask = (body: object) => park.ask(questionCalls.ruleEffect, { body: body as never })
    expect(await ask({ id: other.rule.id, periods: OFFICE })).toMatchObject({ code: 300001 })
    expect(await ask({ id: crypto.randomUUID(), periods: OFFICE })).toMatchObject({ code: 300001 })
    expect(await ask({ id: rule.id, periods: [] })).toMatchObject({ code: 300204 })
    expect(await ask({ id: rule.id, periods: [...OFFICE, ...OFFICE] })).toMatchObject({ code: 300203 })
    expect(await ask({ id: rule.id, periods: OFFICE, allowedExceptionDates: ['300000-01-01'] })).toMatchObject({ status: 400 })
  })
})
