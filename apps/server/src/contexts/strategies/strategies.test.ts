import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { strategyCalls, timeRuleCalls } from '@gatehouse/contract/strategies/calls'
import { accessGroupCalls } from '@gatehouse/contract/strategies/access-groups'
import { permitCalls } from '@gatehouse/contract/approvals/permits'
import { questionCalls } from '@gatehouse/contract/questions/calls'
import { deviceCalls } from '@gatehouse/contract/devices/calls'
import { deviceProtocolCalls } from '@gatehouse/contract/device/protocol-calls'
import { peopleCalls } from '@gatehouse/contract/people/calls'
import { specialCalls } from '@gatehouse/contract/people/special'
import { createClient } from '@gatehouse/dev-env/client'
import { startWorld, type Made, type MadeDevice, type Site, type World } from '@gatehouse/dev-env/world'

let world: World
beforeAll(async () => {
  world = await startWorld()
})
afterAll(() => world?.stop())

/** Face or card: a strategy needs a method for people without a photo. */
const METHODS = [1, 4]
const sorted = (things: readonly { id: string }[]) => things.map(({ id }) => id).sort()

async function deviceGroup(park: Site, name: string, parent?: Made): Promise<Made> {
  const { id } = await park.call(deviceCalls.createGroup, { body: { name, parentId: parent?.id } })
  return { id, name }
}

/** Return what is sent to a door: its strategies and rules, and for each person by name the strategies that cover them there. */
async function entitlements(device: MadeDevice) {
  await world.settled()
  const client = createClient(world.url, { basic: [device.code, device.secret] })
  const { audience, strategies, timeRules } = await client.call(deviceProtocolCalls.manifest, {})
  const { persons } = await client.call(deviceProtocolCalls.shelf, { params: { audience, first: 0, count: 256 }, query: { modelId: '' } })
  return { strategies, timeRules, persons: new Map(persons.map((person) => [person.name, person.strategyIds])) }
}

/** Create a park with nested groups on both sides, with a person and a door in each. */
async function campus() {
  const park = await world.addPark()
  const office = await park.personGroup({ name: 'Office' })
  const sales = await park.personGroup({ name: 'Sales', parentId: office.id })
  const site = await deviceGroup(park, 'Site')
  const lobby = await deviceGroup(park, 'Lobby', site)
  return {
    park,
    office,
    sales,
    site,
    lobby,
    chief: await park.person({ name: 'Chief', groupId: office.id }),
    seller: await park.person({ name: 'Seller', groupId: sales.id }),
    guest: await park.person({ name: 'Guest' }),
    gate: await park.device({ name: 'Gate', groupId: site.id }),
    door: await park.device({ name: 'Door', groupId: lobby.id }),
    cellar: await park.device({ name: 'Cellar' }),
  }
}

describe('a strategy', () => {
  test('comes back with the names of all it names, and what it reaches', async () => {
    const { park, office, chief, seller, guest, site, gate, door, cellar } = await campus()
    const rule = await park.timeRule({ name: 'Office hours' })
    const { id } = await park.strategy({
      name: 'Staff',
      persons: [guest, seller, guest],
      personGroups: [office],
      devices: [cellar],
      deviceGroups: [site],
      timeRules: [rule],
      methods: [4, 1, 4],
      validFrom: 1_000,
      validTo: 2_000,
    })
    const read = await park.call(strategyCalls.read, { query: { id } })
    expect(read).toMatchObject({
      name: 'Staff',
      kind: 'staff',
      isDefault: false,
      methods: [1, 4],
      validFrom: 1_000,
      validTo: 2_000,
      persons: [
        { id: guest.id, name: 'Guest', workNumber: guest.workNumber },
        { id: seller.id, name: 'Seller', workNumber: seller.workNumber },
      ],
      personGroups: [{ id: office.id, name: 'Office' }],
      devices: [{ id: cellar.id, name: 'Cellar' }],
      deviceGroups: [{ id: site.id, name: 'Site' }],
      timeRules: [{ id: rule.id, name: 'Office hours' }],
      personCount: new Set([guest.id, seller.id, chief.id]).size,
      deviceCount: new Set([cellar.id, gate.id, door.id]).size,
      version: 1,
    })
    const { persons, personIds, ...row } = read
    expect([...personIds].sort()).toEqual(sorted(persons))
    expect(await park.call(strategyCalls.find, { body: {} })).toEqual({ total: 1, page: 1, size: 20, content: [row] })
    expect(await park.call(strategyCalls.all, { query: {} })).toEqual([{ id, name: 'Staff' }])
  })

  test('is found by name and kind, page by page', async () => {
    const park = await world.addPark()
    for (const name of ['Alpha', 'Beta', 'Alphabet'])
      await park.strategy({ name, methods: METHODS, kind: name === 'Beta' ? 'visitor' : 'staff' })
    const names = async (body: object) => (await park.call(strategyCalls.find, { body })).content.map((row) => row.name)
    expect(await names({ name: 'alpha' })).toEqual(['Alphabet', 'Alpha'])
    expect(await names({ kind: 'visitor' })).toEqual(['Beta'])
    expect(await names({ pageNo: 1, pageSize: 2 })).toEqual(['Alpha'])
    expect(await names({ name: '%' })).toEqual([])
  })

  test('takes over exactly the members it is changed to', async () => {
    const { park, office, sales, chief, seller, gate, door, site, lobby } = await campus()
    const [first, second] = [await park.timeRule(), await park.timeRule()]
    const { id } = await park.strategy({
      persons: [chief],
      personGroups: [sales],
      devices: [gate],
      deviceGroups: [lobby],
      timeRules: [first],
      methods: METHODS,
    })
    const fields = {
      name: 'Changed',
      personIds: [seller.id],
      personGroupIds: [sales.id, office.id],
      deviceIds: [door.id],
      deviceGroupIds: [site.id],
      timeRuleIds: [second.id],
      methods: [4],
      kind: 'visitor' as const,
    }
    await park.call(strategyCalls.change, { body: { id, ...fields } })
    const read = await park.call(strategyCalls.read, { query: { id } })
    expect(read).toMatchObject({ ...fields, personGroupIds: expect.arrayContaining(fields.personGroupIds), version: 2 })
    expect(read.personGroupIds).toHaveLength(2)
  })

  test('keeps its kind, its validity and whether contacts pass where a change leaves them out, and loses them on demand', async () => {
    const { park, chief, gate } = await campus()
    const rule = await park.timeRule()
    const fields = { name: 'Until spring', personIds: [chief.id], deviceIds: [gate.id], timeRuleIds: [rule.id], methods: METHODS }
    const limits = { kind: 'visitor' as const, authorizedObject: 'contact' as const, validFrom: 1_000, validTo: 2_000 }
    const { id } = await park.call(strategyCalls.create, { body: { ...fields, ...limits } })
    await park.call(strategyCalls.change, { body: { ...fields, id, name: 'Until then' } })
    const read = () => park.call(strategyCalls.read, { query: { id } })
    expect(await read()).toMatchObject({ ...fields, ...limits, name: 'Until then' })
    // The preview shows what would be saved: a strategy that has ended gives no access.
    expect(await park.call(questionCalls.strategyEffect, { body: { ...fields, id } })).toMatchObject({ gain: 0, lose: 0 })
    const unlimited = { kind: 'staff' as const, authorizedObject: 'person' as const, validFrom: null, validTo: null }
    expect(await park.call(questionCalls.strategyEffect, { body: { ...fields, id, ...unlimited } })).toMatchObject({ gain: 1 })
    await park.call(strategyCalls.change, { body: { ...fields, id, ...unlimited } })
    expect(await read()).toMatchObject(unlimited)
  })

  test.each([
    ['only ways in that need a face', { methods: [1, 5] }, 200, 300206, 'methods'],
    ['a validity that ends before it begins', { methods: METHODS, validFrom: 2_000, validTo: 1_000 }, 200, 900007, 'validTo'],
    ['a rule nobody knows', { methods: METHODS, timeRuleIds: ['00000000-0000-4000-8000-000000000000'] }, 200, 300001, 'timeRuleIds'],
    ['no rule', { methods: METHODS, timeRuleIds: [] }, 400, 400, 'timeRuleIds'],
    ['no way in', { methods: [] }, 400, 400, 'methods'],
    ['a person that is none', { methods: METHODS, personIds: ['nobody'] }, 400, 400, 'personIds.0'],
  ])('is refused with %s', async (_, fields, status, code, path) => {
    const rule = await world.timeRule()
    const answer = await world.ask(strategyCalls.create, { body: { name: 'Refused', timeRuleIds: [rule.id], ...fields } })
    expect(answer).toMatchObject({ status, code, data: { fields: [expect.objectContaining({ path })] } })
  })

  test('names nothing of another park, and says which fields do', async () => {
    const other = await campus()
    const { id } = await world.strategy({ name: 'At home', methods: METHODS })
    const foreign = {
      personIds: [other.chief.id],
      personGroupIds: [other.office.id],
      deviceIds: [other.gate.id],
      deviceGroupIds: [other.site.id],
    }
    const refused = {
      status: 400,
      data: { fields: ['personIds', 'personGroupIds', 'deviceIds', 'deviceGroupIds'].map((path) => ({ path, rule: 'unknown' })) },
    }
    const timeRuleIds = [(await world.timeRule()).id]
    expect(await world.ask(strategyCalls.create, { body: { name: 'Abroad', timeRuleIds, methods: METHODS, ...foreign } })).toMatchObject(
      refused,
    )
    expect(
      await world.ask(strategyCalls.change, { body: { id, name: 'Abroad', timeRuleIds, methods: METHODS, ...foreign } }),
    ).toMatchObject(refused)
    const foreignRule = await other.park.timeRule()
    expect(
      await world.ask(strategyCalls.create, { body: { name: 'Abroad', timeRuleIds: [foreignRule.id], methods: METHODS } }),
    ).toMatchObject({ code: 300001 })
  })

  test('keeps its name to itself within the park', async () => {
    const park = await world.addPark()
    await park.strategy({ name: 'Staff', methods: METHODS })
    const rule = await park.timeRule()
    const body = { name: 'STAFF', timeRuleIds: [rule.id], methods: METHODS }
    const taken = { status: 200, code: 900004, data: { fields: [{ path: 'name', rule: 'code.900004' }] } }
    expect(await park.ask(strategyCalls.create, { body })).toMatchObject(taken)
    const { id } = await park.strategy({ methods: METHODS })
    expect(await park.ask(strategyCalls.change, { body: { ...body, id } })).toMatchObject(taken)
  })

  test('tells the second of two editors which fields differ', async () => {
    const { park, chief, seller } = await campus()
    const rule = await park.timeRule()
    const { id, name } = await park.strategy({ persons: [chief], timeRules: [rule], methods: METHODS })
    const body = { id, version: 1, name, timeRuleIds: [rule.id], methods: METHODS }
    await park.call(strategyCalls.change, { body: { ...body, personIds: [seller.id] } })
    const late = await park.ask(strategyCalls.change, { body: { ...body, personIds: [chief.id], validTo: 5_000 } })
    expect(late).toMatchObject({ status: 409, code: 409 })
    expect((late.data as unknown as { fields: { path: string }[] }).fields.map((field) => field.path).sort()).toEqual([
      'personIds',
      'validTo',
    ])
    expect(await park.call(strategyCalls.read, { query: { id } })).toMatchObject({ personIds: [seller.id], version: 2 })
  })

  test('is gone once deleted', async () => {
    const { id } = await world.strategy({ methods: METHODS })
    expect(await world.call(strategyCalls.delete, { query: { id } })).toEqual({ id })
    for (const gone of [id, '00000000-0000-4000-8000-000000000000']) {
      expect(await world.ask(strategyCalls.delete, { query: { id: gone } })).toMatchObject({ status: 200, code: 300101 })
      expect(await world.ask(strategyCalls.read, { query: { id: gone } })).toMatchObject({ status: 200, code: 300101 })
    }
    const foreign = await (await world.addPark()).strategy({ methods: METHODS })
    expect(await world.ask(strategyCalls.delete, { query: { id: foreign.id } })).toMatchObject({ code: 300101 })
  })

  test('that is the default of its park cannot be deleted; another one takes that from it, of the same kind and park', async () => {
    const [park, elsewhere] = [await world.addPark(), await world.addPark()]
    const rule = await park.timeRule()
    const fields = (name: string) => ({ name, timeRuleIds: [rule.id], methods: [...METHODS] })
    const made = async (name: string, more: object = {}) =>
      (await park.call(strategyCalls.create, { body: { ...fields(name), ...more } })).id
    const [first, second, third] = [
      await made('First', { isDefault: true }),
      await made('Second'),
      await made('Visitors', { kind: 'visitor' }),
    ]
    const theirs = await elsewhere.strategy({ methods: METHODS })
    const change = (id: string, body: object) => park.call(strategyCalls.change, { body: { id, ...body } as never })
    const read = (id: string) => park.call(strategyCalls.read, { query: { id } })
    const defaults = async () => {
      const { content } = await park.call(strategyCalls.find, { body: {} })
      return content.flatMap(({ id, isDefault }) => (isDefault ? [id] : [])).toSorted()
    }
    const deleted = async (id: string) => (await park.ask(strategyCalls.delete, { query: { id } })).code
    await change(third, { ...fields('Visitors'), isDefault: true })
    expect(await defaults()).toEqual([first, third].toSorted())
    expect(await deleted(first)).toBe(300103)
    const { version } = await read(first)
    await change(second, { ...fields('Second'), isDefault: true })
    expect(await defaults()).toEqual([second, third].toSorted())
    // A user who has the former default open is refused, and does not revert the change by saving.
    expect(await park.ask(strategyCalls.change, { body: { id: first, ...fields('First'), isDefault: true, version } })).toMatchObject({
      status: 409,
    })
    // If it is left out it stays unchanged; for another kind of person it becomes the default there.
    await change(second, fields('Second renamed'))
    expect(await defaults()).toEqual([second, third].toSorted())
    await change(second, { ...fields('Second'), kind: 'visitor' })
    expect(await defaults()).toEqual([second])
    expect([await deleted(first), await deleted(third), await deleted(second)]).toEqual([0, 0, 300103])
    await change(second, { ...fields('Second'), isDefault: false })
    expect(await deleted(second)).toBe(0)
    expect(await elsewhere.call(strategyCalls.read, { query: { id: theirs.id } })).toMatchObject({ isDefault: false, version: 1 })
  })

  test('is for those who may, except its name', async () => {
    expect(await world.client.as(null).ask(strategyCalls.find, { body: {} })).toMatchObject({ status: 401, code: 100412 })
    const guard = await world.session({ permissions: ['access.record'] })
    expect(await guard.ask(strategyCalls.find, { body: {} })).toMatchObject({ status: 403, code: 100510 })
    expect(await guard.ask(strategyCalls.delete, { query: { id: 'any' } })).toMatchObject({ status: 403, code: 100510 })
    expect(await guard.ask(strategyCalls.all, { query: {} })).toMatchObject({ status: 200, code: 0 })
  })
})

describe('what a terminal is to hold', () => {
  test('follows groups down to those below, for persons and for devices', async () => {
    const { park, office, sales, site, chief, seller, guest, gate, door, cellar } = await campus()
    const rule = await park.timeRule({ name: 'Hours', forbiddenExceptionDates: ['2026-12-25'] })
    const everywhere = await park.strategy({
      personGroups: [office],
      deviceGroups: [site],
      timeRules: [rule],
      methods: METHODS,
      validTo: 9_000,
    })
    const atDoor = await park.strategy({ persons: [guest], personGroups: [sales], devices: [door], timeRules: [rule], methods: [4] })

    const atGate = await entitlements(gate)
    expect(atGate.strategies).toEqual([{ id: everywhere.id, timeRuleIds: [rule.id], methods: METHODS, validFrom: null, validTo: 9_000 }])
    expect(atGate.timeRules).toEqual([
      {
        id: rule.id,
        name: 'Hours',
        periods: expect.any(Array),
        allowedExceptionDates: [],
        forbiddenExceptionDates: ['2026-12-25'],
        effectiveDate: null,
      },
    ])
    expect(atGate.persons).toEqual(
      new Map([
        [chief.name, [everywhere.id]],
        [seller.name, [everywhere.id]],
      ]),
    )

    const below = await entitlements(door)
    expect(below.strategies.map((strategy) => strategy.id)).toEqual([everywhere.id, atDoor.id])
    expect(below.persons).toEqual(
      new Map([
        [chief.name, [everywhere.id]],
        [seller.name, [everywhere.id, atDoor.id]],
        [guest.name, [atDoor.id]],
      ]),
    )

    expect(await entitlements(cellar)).toEqual({ strategies: [], timeRules: [], persons: new Map() })
  })

  test('is shown for a person by the doors that open, and by which strategy', async () => {
    const { park, office, lobby, chief, seller, guest, gate, door } = await campus()
    const wide = await park.strategy({ name: 'Wide', personGroups: [office], deviceGroups: [lobby], devices: [gate], methods: METHODS })
    const narrow = await park.strategy({ name: 'Narrow', persons: [seller], devices: [door], methods: METHODS })
    const of = (person: Made) => park.call(strategyCalls.ofPerson, { query: { personId: person.id } })
    expect(await of(seller)).toEqual([
      { deviceId: door.id, deviceName: 'Door', strategies: [narrow, wide] },
      { deviceId: gate.id, deviceName: 'Gate', strategies: [wide] },
    ])
    expect((await of(chief)).map((row) => row.deviceName)).toEqual(['Door', 'Gate'])
    expect(await of(guest)).toEqual([])
    expect(await world.ask(strategyCalls.ofPerson, { query: { personId: seller.id } })).toMatchObject({ status: 404 })
  })
})

describe('what is deleted elsewhere', () => {
  test('leaves every strategy that named it', async () => {
    const { park, chief, guest, gate, cellar } = await campus()
    const empty = await park.personGroup({ name: 'Empty' })
    const { id } = await park.strategy({ persons: [chief, guest], personGroups: [empty], devices: [gate, cellar], methods: METHODS })
    const untouched = await park.strategy({ persons: [guest], devices: [gate], methods: METHODS })

    await park.call(peopleCalls.delete, { query: {}, body: { ids: [chief.id] } })
    await park.call(peopleCalls.deleteGroup, { query: { id: empty.id } })
    await park.call(deviceCalls.delete, { query: { ids: [cellar.id] } })
    await world.server.platform.events.settled()

    expect(await park.call(strategyCalls.read, { query: { id } })).toMatchObject({
      personIds: [guest.id],
      personGroupIds: [],
      deviceIds: [gate.id],
      personCount: 1,
      deviceCount: 1,
    })
    const db = world.server.platform.db
    const left = await db.selectFrom('strategyMember').select('memberId as id').where('strategyId', '=', id).execute()
    expect(sorted(left)).toEqual([guest.id, gate.id].sort())
    expect(await park.call(strategyCalls.read, { query: { id: untouched.id } })).toMatchObject({
      personIds: [guest.id],
      deviceIds: [gate.id],
    })
  })
})

describe('permitting persons', () => {
  const idsOf = (...things: readonly Made[]): string[] => things.map(({ id }) => id)

  test('directly at a door makes one strategy that all who follow join, and terminals hold them', async () => {
    const { park, chief, seller, guest, gate } = await campus()
    const permit = (...persons: Made[]) => park.call(permitCalls.persons, { body: { personIds: idsOf(...persons), deviceIds: [gate.id] } })
    // Two at the same time, neither of which finds the strategy.
    const [[first], [other]] = await Promise.all([permit(chief), permit(seller)])
    expect(first).toMatchObject({ outcome: 'added', name: 'Gate · direct access', pendingChangeId: null, breaches: [] })
    expect(other).toMatchObject({ outcome: 'added', strategyId: first!.strategyId })
    expect(await permit(guest, chief)).toMatchObject([{ outcome: 'added', strategyId: first!.strategyId }])
    const read = () => park.call(strategyCalls.read, { query: { id: first!.strategyId } })
    const made = await read()
    expect(sorted(made.persons)).toEqual(sorted([chief, seller, guest]))
    expect(made).toMatchObject({ devices: [{ id: gate.id }], methods: METHODS, kind: 'staff', deviceCount: 1 })
    const { content: rules } = await park.call(timeRuleCalls.list, { query: {} })
    expect(made.timeRules).toEqual(rules.filter(({ isDefault }) => isDefault).map(({ id, name }) => ({ id, name })))
    expect(await permit(chief, guest)).toMatchObject([{ outcome: 'already', strategyId: first!.strategyId }])
    expect((await read()).version).toBe(made.version)
    expect([...(await entitlements(gate)).persons.keys()].toSorted()).toEqual(['Chief', 'Guest', 'Seller'])
  })

  test('lets many permit at one door at once, and takes ids however they are written', async () => {
    const { park, gate } = await campus()
    const people = await Promise.all(Array.from({ length: 8 }, () => park.person()))
    const permit = (person: Made) => park.call(permitCalls.persons, { body: { personIds: [person.id], deviceIds: [gate.id] } })
    const outcomes = (await Promise.all(people.map(permit))).flat()
    expect(outcomes.map(({ outcome }) => outcome)).toEqual(people.map(() => 'added'))
    const [{ strategyId }] = outcomes as [(typeof outcomes)[number]]
    expect(sorted((await park.call(strategyCalls.read, { query: { id: strategyId.toUpperCase() } })).persons)).toEqual(sorted(people))
    const body = { personIds: [people[0]!.id], strategyIds: [strategyId, strategyId.toUpperCase()], deviceIds: [gate.id.toUpperCase()] }
    expect(await park.call(permitCalls.persons, { body })).toMatchObject([{ strategyId, outcome: 'already' }])
  })

  test('adds to strategies, and at access groups, and asks nothing of a direct strategy that opens more by now', async () => {
    const { park, chief, guest, gate, cellar } = await campus()
    const staff = await park.strategy({ name: 'Staff', persons: [chief], devices: [gate] })
    const { id: groupId } = await park.call(accessGroupCalls.create, { body: { name: 'Cellar', deviceIds: [cellar.id] } })
    const permit = (more: { strategyIds?: string[]; accessGroupIds?: string[]; deviceIds?: string[] }) =>
      park.call(permitCalls.persons, { body: { personIds: [guest.id], ...more } })
    const outcomes = await permit({ strategyIds: [staff.id], accessGroupIds: [groupId], deviceIds: [cellar.id] })
    // A door and a group with the same name have strategies with different names.
    expect(outcomes.map(({ name, outcome }) => `${name}: ${outcome}`)).toEqual([
      'Staff: added',
      'Cellar · direct access: added',
      'Cellar · direct access 2: added',
    ])
    const { id, version, ...fields } = await park.call(strategyCalls.read, { query: { id: outcomes[1]!.strategyId } })
    await park.call(strategyCalls.change, {
      body: { ...fields, id, version, kind: 'staff', personIds: [], deviceIds: [cellar.id, gate.id] },
    })
    const [again] = await permit({ deviceIds: [cellar.id] })
    expect(again).toMatchObject({ outcome: 'added' })
    expect(again!.strategyId).not.toBe(id)
    expect(await park.call(strategyCalls.read, { query: { id: again!.strategyId } })).toMatchObject({ deviceIds: [cellar.id] })
  })

  test('tells beforehand which doors they may pass already, by what, and which they would gain', async () => {
    const { park, office, chief, seller, gate, door, cellar } = await campus()
    const rule = await park.timeRule({ name: 'Mondays', periods: [{ weekday: 1, start: '08:00', end: '18:00' }] })
    const staff = await park.strategy({ name: 'Staff', personGroups: [office], devices: [gate] })
    const mondays = await park.strategy({ name: 'Mondays', devices: [gate, door], timeRules: [rule] })
    const effect = (body: object) => park.call(permitCalls.effect, { body })
    const already = {
      total: 1,
      doors: [{ id: gate.id, name: 'Gate', personCount: 1, strategies: [{ id: staff.id, name: 'Staff' }] }],
    }
    const gains = (...doors: Made[]) => doors.map(({ id, name }) => ({ id, name, personCount: 1 }))
    const asRegistered = await effect({ groupId: office.id, deviceIds: [cellar.id, gate.id] })
    expect(asRegistered).toMatchObject({ already, gain: { total: 1, doors: gains(cellar), always: true }, longer: 0 })
    expect(await effect({ deviceIds: [gate.id] })).toMatchObject({ already: { total: 0, doors: [] }, gain: { doors: gains(gate) } })
    expect(await effect({ personIds: [chief.id], strategyIds: [mondays.id] })).toMatchObject({
      already,
      gain: { total: 1, doors: gains(door), always: false, timeRules: ['Mondays'] },
    })
    // Nothing was created.
    expect((await park.call(strategyCalls.find, { body: {} })).total).toBe(2)

    await park.call(permitCalls.persons, { body: { personIds: [chief.id], deviceIds: [cellar.id] } })
    expect(await effect({ personIds: idsOf(chief, seller), deviceIds: [cellar.id] })).toMatchObject({
      already: {
        total: 2,
        doors: [
          { id: cellar.id, personCount: 1 },
          { id: gate.id, personCount: 2 },
        ],
      },
      gain: { total: 1, doors: gains(cellar) },
    })
  })

  test('is offered strategies, groups and doors by name and code, none of them one of its own', async () => {
    const { park, guest, gate, cellar } = await campus()
    await park.strategy({ name: 'At the gate', devices: [gate] })
    await park.call(permitCalls.persons, { body: { personIds: [guest.id], deviceIds: [gate.id] } })
    const choices = (body: object) => park.call(permitCalls.choices, { body })
    expect(await choices({ text: 'gate' })).toMatchObject({
      strategies: [{ name: 'At the gate' }],
      accessGroups: [],
      devices: [{ id: gate.id, name: 'Gate', code: gate.code }],
    })
    expect((await choices({ text: cellar.code, deviceIds: [gate.id] })).devices.map(({ id }) => id)).toEqual(idsOf(gate, cellar))
  })

  test('is refused for whom no door lets in, whom the asker does not know, and what is not there', async () => {
    const { park, guest, gate } = await campus()
    const { id: watchGroup } = await park.call(specialCalls.createGroup, { body: { name: 'Watched' } })
    const { id: watched } = await park.call(specialCalls.create, { body: { name: 'Moriarty', groupId: watchGroup } })
    const guard = await world.session({ park: park.park, permissions: ['access', 'access.rule'] })
    const elsewhere = await (await world.addPark()).device()
    const refusals = async (asker: Pick<Site, 'ask'>, body: { personIds: string[]; deviceIds?: string[]; strategyIds?: string[] }) =>
      Promise.all([permitCalls.persons, permitCalls.effect].map((call) => asker.ask(call, { body })))
    const both = (field: string, rule: string) => [1, 2].map(() => ({ status: 400, data: { fields: [{ path: field, rule }] } }))
    const named = [guest.id, watched]
    expect(await refusals(park, { personIds: named, deviceIds: [gate.id] })).toMatchObject(both('personIds', 'specialMember'))
    expect(await refusals(guard, { personIds: named, deviceIds: [gate.id] })).toMatchObject(both('personIds', 'unknown'))
    expect(await park.ask(permitCalls.effect, { body: { groupId: watchGroup } })).toMatchObject({
      status: 400,
      data: { fields: [{ path: 'groupId', rule: 'specialMember' }] },
    })
    expect(await refusals(park, { personIds: [guest.id], deviceIds: [elsewhere.id] })).toMatchObject(both('deviceIds', 'unknown'))
    expect(await refusals(park, { personIds: [guest.id], strategyIds: [elsewhere.id] })).toMatchObject([{ code: 300101 }, { code: 300101 }])
    expect(await park.ask(permitCalls.persons, { body: { personIds: [guest.id] } })).toMatchObject({
      data: { fields: [{ path: 'deviceIds', rule: 'required' }] },
    })
    expect((await park.call(strategyCalls.find, { body: {} })).total).toBe(0)
  })
})
