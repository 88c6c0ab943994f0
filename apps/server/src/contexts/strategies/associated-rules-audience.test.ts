/** The persons an associated rule applies to: all people only where that is explicitly requested, else exactly those it names. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { associatedRuleCalls } from '@gatehouse/contract/strategies/associated-rules'
import { auditCalls } from '@gatehouse/contract/audit/calls'
import { startWorld, type Site, type World } from '@gatehouse/dev-env/world'
import { query } from '../../../../../tests/support/embedded-postgres.ts'
import { entitled, expectedAt, idsOf, link, linkedParks } from './testing/associated.ts'

let world: World
beforeAll(async () => {
  world = await startWorld()
})
afterAll(() => world?.stop())

const { create, change, read, list, confirmEverybody } = associatedRuleCalls

describe('a rule', () => {
  test('is about everybody or about a list, and says which: nothing is guessed from what is left out', async () => {
    const { host, first, second, group, door, rule } = await linkedParks(world)
    const { everybody: _, ...specified } = rule
    const refusals = async (fields: object) => {
      const { status, data } = await host.ask(create, { body: { ...specified, ...fields } })
      return [status, ...(data as unknown as { fields: { path: string; rule: string }[] }).fields.map((one) => `${one.path} ${one.rule}`)]
    }
    expect(await refusals({})).toEqual([400, 'personIds nobodyChosen'])
    expect(await refusals({ everybody: false, personIds: [], personGroupIds: [] })).toEqual([400, 'personIds nobodyChosen'])
    expect(await refusals({ everybody: true, personIds: [first.id] })).toEqual([400, 'everybody everybodyOrChosen'])
    expect(await refusals({ everybody: true, personGroupIds: [group.id] })).toEqual([400, 'everybody everybodyOrChosen'])
    expect(await refusals({ kind: 'visitor', personIds: [first.id] })).toEqual([400, 'personIds visitorsAll'])
    expect((await host.call(list, { body: {} })).total).toBe(0)

    const { id } = await host.call(create, { body: { ...specified, personIds: [first.id] } })
    expect(await host.call(read, { query: { id } })).toMatchObject({ everybody: false, personIds: [first.id], personCount: 1 })
    expect(await expectedAt(world, host, door)).toEqual(idsOf(first))
    await host.call(change, { body: { ...specified, id, personIds: [], personGroupIds: [group.id] } })
    expect(await host.call(read, { query: { id } })).toMatchObject({ everybody: false, personIds: [], personGroupIds: [group.id] })
    expect(await expectedAt(world, host, door)).toEqual(idsOf(first, second))
    await host.call(change, { body: { ...specified, id, personIds: [second.id], personGroupIds: null } })
    expect(await entitled(host, door)).toEqual(['Bea'])
    expect(await host.ask(change, { body: { ...specified, id, personIds: [] } })).toMatchObject({ status: 400 })
    expect(await host.ask(change, { body: { ...rule, id, personIds: [second.id] } })).toMatchObject({ status: 400 })
    expect(await entitled(host, door)).toEqual(['Bea'])
  })

  test('is about one person where the fields of the specification name one, added or changed', async () => {
    const { home, host, first, second, group, door } = await linkedParks(world)
    const { id: timeRuleId } = await host.timeRule()
    const entity = {
      name: 'Ann alone',
      parkId: home.park.id,
      personIds: [first.id],
      personGroupIds: [],
      deviceIds: [door.id],
      timeRuleIds: [timeRuleId],
      kind: 'staff' as const,
      methods: [1, 4],
      validFrom: null,
      validTo: null,
    }
    const { id } = await host.call(create, { body: entity })
    expect(await host.call(read, { query: { id } })).toMatchObject({ ...entity, everybody: false, personCount: 1 })
    expect(await expectedAt(world, host, door)).toEqual(idsOf(first))
    await host.call(change, { body: { ...entity, id, personIds: [second.id] } })
    expect(await expectedAt(world, host, door)).toEqual(idsOf(second))
    // A rule for all people becomes one for a person when it names them; a group is added only when it is named.
    await host.call(change, { body: { id, everybody: true } })
    expect(await host.call(read, { query: { id } })).toMatchObject({ everybody: true, personIds: [], personGroupIds: [] })
    await host.call(change, { body: { ...entity, id } })
    expect(await host.call(read, { query: { id } })).toMatchObject({ everybody: false, personIds: [first.id] })
    await host.call(change, { body: { id, personGroupIds: [group.id] } })
    expect(await host.call(read, { query: { id } })).toMatchObject({ personIds: [first.id], personGroupIds: [group.id] })
    expect(await host.ask(change, { body: { id, everybody: true, personIds: [first.id] } })).toMatchObject({
      status: 400,
      data: { fields: [{ path: 'everybody', rule: 'everybodyOrChosen' }] },
    })
  })

  test('keeps what a change leaves out, and can be sent back as it was read', async () => {
    const { host, first, door, rule } = await linkedParks(world)
    const { id } = await host.call(create, { body: { ...rule, everybody: false, personIds: [first.id], validTo: Date.now() + 86_400_000 } })
    const before = await host.call(read, { query: { id } })
    await host.call(change, { body: { id, name: 'Renamed' } })
    const { name: _n, version: _v, updatedAt: _u, ...kept } = before
    expect(await host.call(read, { query: { id } })).toMatchObject({ ...kept, name: 'Renamed' })
    expect(await host.ask(change, { body: (await host.call(read, { query: { id } })) as never })).toMatchObject({ code: 0 })
    await host.call(change, { body: { id, deviceIds: null, validTo: null } })
    expect(await host.call(read, { query: { id } })).toMatchObject({ deviceIds: [], validTo: null, personIds: [first.id] })
    expect(await expectedAt(world, host, door)).toEqual([])
  })

  test('is said anew whom it is about with another park, and with another kind', async () => {
    const { host, first, rule } = await linkedParks(world)
    const elsewhere = await world.addPark()
    const cousin = await elsewhere.person({ name: 'Dan' })
    await link(elsewhere, host, { personIds: [cousin.id] })
    const { id } = await host.call(create, { body: rule })
    const refused = { status: 400, data: { fields: [{ path: 'personIds', rule: 'nobodyChosen' }] } }
    expect(await host.ask(change, { body: { id, parkId: elsewhere.park.id } })).toMatchObject(refused)
    const visitors = await host.call(create, { body: { ...rule, name: 'Visitors', kind: 'visitor' } })
    expect(await host.ask(change, { body: { id: visitors.id, kind: 'staff' } })).toMatchObject(refused)
    expect(await host.ask(change, { body: { id, parkId: elsewhere.park.id, personIds: [first.id] } })).toMatchObject({
      status: 400,
      data: { fields: [{ path: 'personIds', rule: 'unknown' }] },
    })
    await host.call(change, { body: { id, parkId: elsewhere.park.id, personIds: [cousin.id] } })
    expect(await host.call(read, { query: { id } })).toMatchObject({ parkId: elsewhere.park.id, everybody: false, personIds: [cousin.id] })
  })

  test('keeps its kind and its validity where a change leaves them out', async () => {
    const { host, rule } = await linkedParks(world)
    const limits = { kind: 'visitor' as const, validFrom: 1_000, validTo: 2_000 }
    const { id } = await host.call(create, { body: { ...rule, ...limits } })
    await host.call(change, { body: { ...rule, id } })
    expect(await host.call(read, { query: { id } })).toMatchObject(limits)
    const unlimited = { kind: 'staff' as const, validFrom: null, validTo: null }
    await host.call(change, { body: { ...rule, id, ...unlimited } })
    expect(await host.call(read, { query: { id } })).toMatchObject(unlimited)
  })
})

/** Store rules as they were before rules for all people needed a confirmation. */
const storedBefore = (...rules: { id: string }[]) =>
  query(world.connectionString, 'UPDATE associated_rule SET everybody_confirmed = DEFAULT WHERE strategy_id = ANY ($1)', [
    rules.map(({ id }) => id),
  ])

describe('a rule about everybody from before everybody had to be asked for', () => {
  const unconfirmed = async (at: Site) => (await at.call(list, { body: { everybodyConfirmed: false } })).content.map(({ id }) => id)
  const changesIn = async (at: Site) => {
    const [newest] = (await at.call(auditCalls.operations, { query: { size: 1 } })).content
    const { url, changes } = await at.call(auditCalls.operation, { params: { id: newest!.id } })
    return { url, fields: changes.flatMap(({ fields }) => fields) }
  }

  test('works as it is stored, and is listed until somebody says that everybody is meant', async () => {
    const { host, first, second, group, door, rule } = await linkedParks(world)
    const make = async (name: string, fields: object) => host.call(create, { body: { ...rule, name, ...fields } })
    const old = await make('Old', {})
    const oldList = await make('Old list', { everybody: false, personGroupIds: [group.id] })
    const oldVisitors = await make('Old visitors', { kind: 'visitor' })
    await storedBefore(old, oldList, oldVisitors)
    const later = await make('Later', {})
    expect(await unconfirmed(host)).toEqual([old.id])
    const confirmed = Object.fromEntries((await host.call(list, { body: {} })).content.map((row) => [row.id, row.everybodyConfirmed]))
    expect(confirmed).toEqual({ [old.id]: false, [oldList.id]: true, [oldVisitors.id]: true, [later.id]: true })
    await host.call(associatedRuleCalls.delete, { query: { id: oldList.id } })
    await host.call(associatedRuleCalls.delete, { query: { id: later.id } })
    expect(await expectedAt(world, host, door)).toEqual(idsOf(first, second))

    expect(await host.call(confirmEverybody, { params: { id: old.id } })).toEqual({ id: old.id })
    expect(await changesIn(host)).toEqual({
      url: confirmEverybody.url,
      fields: [{ field: 'everybodyConfirmed', before: false, after: true }],
    })
    expect(await unconfirmed(host)).toEqual([])
    expect(await host.call(read, { query: { id: old.id } })).toMatchObject({ everybody: true, everybodyConfirmed: true })
    expect(await expectedAt(world, host, door)).toEqual(idsOf(first, second))
    // Repeating it changes nothing.
    expect(await host.ask(confirmEverybody, { params: { id: old.id } })).toMatchObject({ code: 0 })
  })

  test('is confirmed by saving it, for everybody or for a list', async () => {
    const { host, first, door, rule } = await linkedParks(world)
    const { id } = await host.call(create, { body: rule })
    await storedBefore({ id })
    const { everybody: _, ...others } = rule
    await host.call(change, { body: { ...others, id, name: 'Renamed' } })
    expect(await unconfirmed(host)).toEqual([id])
    expect(await host.call(read, { query: { id } })).toMatchObject({ name: 'Renamed', everybody: true })
    await host.call(change, { body: { ...rule, id, name: 'Everybody' } })
    expect(await unconfirmed(host)).toEqual([])
    expect((await changesIn(host)).fields).toContainEqual({ field: 'everybodyConfirmed', before: false, after: true })
    await storedBefore({ id })
    await host.call(change, { body: { ...rule, id, everybody: false, personIds: [first.id] } })
    expect(await unconfirmed(host)).toEqual([])
    expect(await expectedAt(world, host, door)).toEqual(idsOf(first))
  })

  test('is confirmed by the park that lets pass, and by nobody else', async () => {
    const { home, host, rule } = await linkedParks(world)
    const { id } = await host.call(create, { body: rule })
    await storedBefore({ id })
    const guard = await world.session({ park: host.park, permissions: ['access.rule', 'park.related'] })
    expect(await guard.ask(confirmEverybody, { params: { id } })).toMatchObject({ status: 403, code: 100510 })
    expect(await home.ask(confirmEverybody, { params: { id } })).toMatchObject({ code: 300101 })
    const strategy = await host.strategy()
    expect(await host.ask(confirmEverybody, { params: { id: strategy.id } })).toMatchObject({ code: 300101 })
    expect(await host.ask(confirmEverybody, { params: { id: 'any' } })).toMatchObject({ code: 404 })
    expect(await unconfirmed(host)).toEqual([id])
    const able = await world.session({ park: host.park, permissions: ['park.access.rule'] })
    expect(await able.ask(confirmEverybody, { params: { id } })).toMatchObject({ code: 0 })
  })
})
