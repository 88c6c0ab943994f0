/** The park's own curve through its calls, on people with known similarity. */
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { ownCurveCalls, type OwnCurveState } from '@gatehouse/contract/faces/own-curve-calls'
import { facePolicyCalls } from '@gatehouse/contract/faces/policy'
import { faceCalls } from '@gatehouse/contract/faces/calls'
import { peopleCalls } from '@gatehouse/contract/people/calls'
import { startWorld, type Site, type World, type WorldTerminal } from '@gatehouse/dev-env/world'
import { thresholdAt } from '@gatehouse/access-rules'
import { sql } from '../../platform/database/database.ts'
import { newId } from '../../platform/database/ids.ts'
import { until } from '../../../../../tests/support/until.ts'
import { ALIKE, peopleOf, seedPeople, UNLIKE, type SeededPerson } from './testing/people.ts'

let world: World
beforeAll(async () => {
  world = await startWorld()
})
afterAll(() => world?.stop())

/** Return another person with the same face. */
const again = ({ faces, ...person }: SeededPerson, name: string): SeededPerson => ({
  ...person,
  id: newId(),
  name,
  faces: [{ embedding: faces[0]!.embedding, id: newId() }],
})

const read = (site: Site) => site.call(ownCurveCalls.read, {})
const pairsOf = (site: Site) => site.call(ownCurveCalls.pairs, { query: { page: 1, size: 100 } })

async function parkWithDoors(): Promise<World> {
  const site = await world.inPark()
  onTestFinished(() => site.stop())
  return site
}
/** Send people who were inserted directly to the doors. */
async function released(site: World): Promise<void> {
  world.server.contexts.synchronisation.service.mark({ parkId: site.park.id }, { everything: true })
  await site.settled()
}

/** Return the state after all measurements have ended. */
async function measured(site: Site): Promise<OwnCurveState> {
  return until('the measuring to end', async () => {
    const state = await read(site)
    return state.work === null || ['waiting', 'running'].includes(state.work.state) ? null : state
  })
}
async function measure(site: Site): Promise<OwnCurveState> {
  await site.call(ownCurveCalls.measure, { body: {} })
  const state = await measured(site)
  expect(state.work, JSON.stringify(state.work)).toMatchObject({ state: 'done', done: state.work!.total })
  await world.server.platform.events.settled()
  return read(site)
}
const settingsOf = async (site: Site, { device }: WorldTerminal) => {
  const synchronisation = world.server.contexts.synchronisation.service
  return (await synchronisation.manifest({ deviceId: device.id, code: device.code, parkId: site.park.id, released: true })).settings
}

test('people more alike than those of the model are asked for more, at terminals too, and it is said how that was found', async () => {
  const site = await parkWithDoors()
  const terminal = await site.terminal()
  // A terminal may be online before the register has the new device.
  await site.settled()
  const before = await settingsOf(site, terminal)
  expect(await read(site)).toMatchObject({ measuredAt: null, people: null, persons: 0, doubtful: 0, looser: false, work: null })

  const group = await site.personGroup()
  await seedPeople(world, site, peopleOf(60, group, ALIKE, 'alike', 2))
  await site.strategy({ personGroups: [group], devices: [terminal.device] })
  await released(site)
  const plain = terminal.state().device!.threshold
  const state = await measure(site)
  expect(state).toMatchObject({ persons: 60, people: { persons: 60 }, doors: [], looser: false })
  const { people, score, shippedScore, heldOut, missed, doubtful } = state
  expect(people!.pairs + doubtful).toBe((60 * 59) / 2)
  expect(people!.timesAsOften).toBeGreaterThan(2)
  expect(people!.timesAsOftenLow).toBeLessThan(people!.timesAsOften)
  expect(people!.timesAsOftenHigh).toBeGreaterThan(people!.timesAsOften)
  expect(score).toBeGreaterThan(shippedScore + 1)
  // Two photos of each person, all near each other.
  expect(missed).toEqual({ pairs: 60, share: 0 })
  expect(heldOut).toBeNull()

  const { purposes, curve } = await site.call(facePolicyCalls.read, {})
  expect(purposes.find(({ purpose }) => purpose === 'door')!.score).toBeCloseTo(score, 6)
  const after = await settingsOf(site, terminal)
  expect(after.promise).toEqual({ strangersPerThousand: 10, curve })
  expect(after.threshold).toBeGreaterThan(before.threshold)
  await site.settled()
  const there = terminal.state()
  expect(there.held.persons).toBe(60)
  expect(there.device!.threshold).toBeGreaterThan(plain + 1)
  // All people of the park may come to this door, and two photos are one template.
  expect(there.device!.threshold).toBeCloseTo(score, 6)

  await world.interrupted(async () => {})
  expect(await read(site)).toMatchObject({ score, measuredAt: state.measuredAt })
})

test('people who are less alike change nothing', async () => {
  const site = await world.addPark()
  await seedPeople(world, site, peopleOf(60, await site.personGroup(), UNLIKE, 'unlike'))
  const { score, shippedScore, people, doubtful } = await measure(site)
  expect(score).toBe(shippedScore)
  expect(people!.timesAsOften).toBeLessThan(0.1)
  expect(doubtful).toBe(0)
})

test('too few people say nothing, and are not measured by themselves', async () => {
  const site = await world.addPark()
  await seedPeople(world, site, peopleOf(20, await site.personGroup(), ALIKE, 'few'))
  const { score, shippedScore, people, persons } = await measure(site)
  expect({ people, persons }).toEqual({ people: null, persons: 20 })
  expect(score).toBe(shippedScore)
})

describe('what was measured last', () => {
  test('loosens doors only once somebody says so, of what they saw', async () => {
    const site = await world.addPark()
    const group = await site.personGroup()
    const alike = peopleOf(60, group, ALIKE, 'alike')
    await seedPeople(world, site, alike)
    const strict = await measure(site)
    await seedPeople(world, site, peopleOf(140, group, UNLIKE, 'unlike'))
    await site.call(peopleCalls.delete, { query: { ids: alike.slice(0, 55).map(({ id }) => id) }, body: undefined })
    const looser = await measure(site)
    expect(looser.people!.persons).toBe(145)
    expect(looser.looser).toBe(true)
    // More people, and no less similar.
    expect(looser.score).toBeGreaterThan(looser.shippedScore + 1)
    expect(looser.score - looser.shippedScore).toBeCloseTo(strict.score - strict.shippedScore, -1)

    expect(await site.ask(ownCurveCalls.confirm, { body: { measuredAt: strict.measuredAt! } })).toMatchObject({ status: 409 })
    expect((await read(site)).score).toBe(looser.score)
    const confirmed = await site.call(ownCurveCalls.confirm, { body: { measuredAt: looser.measuredAt! } })
    await world.server.platform.events.settled()
    expect(confirmed.looser).toBe(false)
    expect(confirmed.score).toBeLessThan(looser.score - 1)
    expect((await read(site)).score).toBe(confirmed.score)
  })
})

describe('two who may be one person twice', () => {
  test('count only once somebody has said that they are two, and are not asked about again', async () => {
    const site = await world.addPark()
    const group = await site.personGroup()
    const people = peopleOf(60, group, ALIKE, 'alike')
    await seedPeople(world, site, [...people, again(people[0]!, 'Again'), again(people[1]!, 'Twin'), again(people[2]!, 'Another')])
    const before = await measure(site)
    expect(before.doubtful).toBeGreaterThanOrEqual(3)
    const { content, total } = await pairsOf(site)
    expect(total).toBe(before.doubtful)
    expect(content.map(({ score }) => score)).toEqual(content.map(({ score }) => score).toSorted((one, other) => other - one))
    const of = (name: string) => content.find(({ first, second }) => [first.personName, second.personName].includes(name))
    const [twice, other] = [of('Again'), of('Twin')]
    expect([twice!.first.personName, twice!.second.personName].toSorted()).toEqual(['Again', 'alike 0'])

    const answer = ({ first: one, second: two }: (typeof content)[0], samePerson: boolean) =>
      site.ask(ownCurveCalls.answer, { body: { personId: one.personId, otherId: two.personId, samePerson } })
    expect((await answer(twice!, true)).data).toEqual({ doubtful: total - 1 })
    // In either order.
    expect((await answer({ ...other!, first: other!.second, second: other!.first }, false)).data).toEqual({ doubtful: total - 2 })
    // A wrong answer can be corrected.
    expect((await answer(twice!, false)).data).toEqual({ doubtful: total - 2 })
    expect((await answer(twice!, true)).data).toEqual({ doubtful: total - 2 })
    expect(await site.ask(ownCurveCalls.answer, { body: { personId: newId(), otherId: newId(), samePerson: true } })).toMatchObject({
      status: 404,
    })
    // An answer given during a measurement counts from the next measurement on, at most ten minutes later.
    const after = await until('what was said to count', async () => {
      const state = await measure(site)
      return state.people!.pairs === before.people!.pairs + 1 ? state : null
    })
    expect(after.doubtful).toBe(total - 2)
    // Also long after the measurement that used the answer.
    expect(await answer(twice!, false)).toMatchObject({ status: 200 })
    expect(await answer(twice!, true)).toMatchObject({ status: 200 })
    await measured(site)

    const left = of('Another')!
    await site.call(peopleCalls.delete, { query: { ids: [left.first.personId] }, body: undefined })
    expect((await pairsOf(site)).content.some(({ first: one }) => one.personId === left.first.personId)).toBe(false)
    await site.call(peopleCalls.delete, { query: { ids: [other!.first.personId] }, body: undefined })
    const answers = await sql<{
      count: number
    }>`SELECT count(*)::int AS count FROM face_pair_answer WHERE park_id = ${site.park.id}::uuid`.execute(world.server.platform.db)
    expect(answers.rows[0]!.count).toBe(1)
  })

  test('are left out where doors know that they look alike, and those who may not see persons get no names', async () => {
    const site = await world.addPark()
    const people = peopleOf(60, await site.personGroup(), ALIKE, 'alike')
    await seedPeople(world, site, [...people, again(people[0]!, 'Again'), again(people[1]!, 'Twin')])
    const { doubtful, people: before } = await measure(site)
    const [pair] = (await pairsOf(site)).content
    await site.call(faceCalls.addPair, { body: { personId: pair!.first.personId, otherId: pair!.second.personId } })
    const after = await measure(site)
    expect(after.doubtful).toBe(doubtful - 1)
    expect(after.people!.pairs).toBe(before!.pairs)
    const other = await world.session({ park: site.park, permissions: ['device.setting'] })
    const { content } = await other.call(ownCurveCalls.pairs, { query: { page: 1, size: 1 } })
    expect(content).toMatchObject([{ first: { personName: '', thumbnail: '' }, second: { personName: '', thumbnail: '' } }])
  })
})

test('one picture under many names neither shuts doors nor breaks anything: it is asked about', async () => {
  const site = await parkWithDoors()
  const terminal = await site.terminal()
  const people = peopleOf(60, await site.personGroup(), UNLIKE, 'unlike')
  await seedPeople(world, site, [...people, ...Array.from({ length: 14 }, (_, at) => again(people[0]!, `Copy ${at}`))])
  const { score, shippedScore, doubtful, people: measuredPeople } = await measure(site)
  expect(score).toBe(shippedScore)
  expect(doubtful).toBe((15 * 14) / 2)
  expect(measuredPeople!.pairs).toBe((74 * 73) / 2 - doubtful)
  expect((await settingsOf(site, terminal)).promise).toEqual({ strangersPerThousand: 10 })
})

test('where the people of some doors are more alike than those of the park, these doors alone ask for more', async () => {
  const site = await parkWithDoors()
  const [one, two] = [await site.terminal(), await site.terminal()]
  const [alike, others] = [await site.personGroup(), await site.personGroup()]
  await seedPeople(world, site, [...peopleOf(100, alike, ALIKE, 'alike'), ...peopleOf(200, others, UNLIKE, 'others')])
  await site.strategy({ personGroups: [alike], devices: [one.device] })
  await site.strategy({ personGroups: [alike, others], devices: [two.device] })
  await released(site)
  const { doors, people } = await measure(site)
  expect(doors).toMatchObject([{ devices: [one.device.name], persons: 100 }])
  expect(doors[0]!.timesAsOften).toBeGreaterThan(2 * people!.timesAsOften)
  const [strict, usual] = [await settingsOf(site, one), await settingsOf(site, two)]
  expect(strict.promise!.curve).toBeDefined()
  expect(strict.promise!.curve).not.toEqual(usual.promise!.curve)
  // For the same number of people.
  const asked = (settings: typeof strict) => thresholdAt(settings, { templates: 100, loosest: 1e-4 })
  expect(asked(strict)).toBeGreaterThan(asked(usual) + 1)

  // Whatever strategies name the door, it is no less strict before the next measurement.
  await site.strategy({ personGroups: [await site.personGroup()], devices: [one.device] })
  await released(site)
  expect((await settingsOf(site, one)).promise).toEqual(strict.promise)
  // A user who may not see the door learns nothing about it.
  const { id: unseen } = await site.deviceGroup()
  const other = await site.session({ permissions: ['device.setting'], deviceGroupIds: [unseen] })
  expect((await other.call(ownCurveCalls.read, {})).doors).toEqual([])
})
