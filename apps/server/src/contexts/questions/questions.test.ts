/** Who can pass where at a moment: now from the tables, in the past from history. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { strategyCalls, timeRuleCalls } from '@gatehouse/contract/strategies/calls'
import { questionCalls } from '@gatehouse/contract/questions/calls'
import { configurationCalls } from '@gatehouse/contract/configuration/calls'
import { deviceCalls } from '@gatehouse/contract/devices/calls'
import { accessMethod } from '@gatehouse/contract/enums'
import { peopleCalls } from '@gatehouse/contract/people/calls'
import { specialCalls } from '@gatehouse/contract/people/special'
import { startWorld, type Made, type Site, type World } from '@gatehouse/dev-env/world'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

// Slightly in the future, so that everything happens after the moment history begins.
let now = Date.now() + MINUTE
let world: World
beforeAll(async () => {
  world = await startWorld({ clock: { now: () => now } })
})
afterAll(() => world?.stop())

interface QuestionOptions {
  at?: number
  name?: string
  page?: number
  size?: number
}
const whoAt = (park: Pick<Site, 'call'>, doors: readonly Made[], more: QuestionOptions & { groups?: readonly Made[] } = {}) => {
  const { groups = [], ...rest } = more
  return park.call(questionCalls.whoCanPass, {
    body: { deviceIds: doors.map(({ id }) => id), deviceGroupIds: groups.map(({ id }) => id), ...rest },
  })
}
const namesAt = async (...asked: Parameters<typeof whoAt>): Promise<string[]> => (await whoAt(...asked)).content.map(({ name }) => name)
const whereOf = (park: Pick<Site, 'call'>, persons: readonly Made[], more: QuestionOptions & { groups?: readonly Made[] } = {}) => {
  const { groups = [], ...rest } = more
  return park.call(questionCalls.whereCanPass, {
    body: { personIds: persons.map(({ id }) => id), personGroupIds: groups.map(({ id }) => id), ...rest },
  })
}
const doorsOf = async (...asked: Parameters<typeof whereOf>): Promise<(string | null)[]> =>
  (await whereOf(...asked)).content.map(({ name }) => name)

/** Return periods that are open on one day of the week only, all day. */
const onlyOn = (weekday: number) => [{ weekday, start: '00:00', end: '24:00' }]
/** Return the day of the week in a zone, 1 Monday to 7 Sunday. */
const weekdayIn = (zone: string, moment: number): number =>
  Temporal.Instant.fromEpochMilliseconds(moment).toZonedDateTimeISO(zone).dayOfWeek
const dateIn = (zone: string, moment: number): string =>
  Temporal.Instant.fromEpochMilliseconds(moment).toZonedDateTimeISO(zone).toPlainDate().toString()

describe('who can pass a door', () => {
  test('those a strategy covers singly or by a group, with the strategies, rules and methods', async () => {
    const park = await world.addPark()
    const door = await park.device({ name: 'Lab 2' })
    const [crew, single, other] = [await park.personGroup(), await park.person({ name: 'Ada' }), await park.person({ name: 'Zoe' })]
    const member = await park.person({ name: 'Bob', groupId: crew.id })
    const rule = await park.timeRule({ name: 'Any time' })
    const one = await park.strategy({
      name: 'Single',
      persons: [single, member],
      devices: [door],
      timeRules: [rule],
      methods: [accessMethod.card],
    })
    const two = await park.strategy({ name: 'Crew', personGroups: [crew], devices: [door], timeRules: [rule] })
    const { total, content } = await whoAt(park, [door])
    expect(total).toBe(2)
    const way = (strategy: Made, methods: number[]) => ({
      strategy: { id: strategy.id, name: strategy.name },
      timeRule: { id: rule.id, name: 'Any time' },
      methods,
      count: 1,
    })
    expect(content).toEqual([
      { id: single.id, name: 'Ada', workNumber: single.workNumber, ways: [way(one, [accessMethod.card])] },
      {
        id: member.id,
        name: 'Bob',
        workNumber: member.workNumber,
        ways: expect.arrayContaining([way(one, [accessMethod.card]), way(two, [accessMethod.face, accessMethod.card])]),
      },
    ])
    expect(content[1]!.ways).toHaveLength(2)
    expect(content.map(({ id }) => id)).not.toContain(other.id)
  })

  test('of several doors and groups of doors, with those below them; a page at a time, and by name', async () => {
    const park = await world.addPark()
    const above = await park.deviceGroup()
    const { id: below } = await park.call(deviceCalls.createGroup, { body: { name: 'Below', parentId: above.id } })
    const [first, second, third] = [await park.device(), await park.device({ groupId: below }), await park.device()]
    const persons = await Promise.all(['Cy', 'Ann', 'Bea'].map((name) => park.person({ name })))
    await park.strategy({ persons: persons.slice(0, 2), devices: [first] })
    await park.strategy({ persons: [persons[2]!], devices: [second] })
    const all = await whoAt(park, [first], { groups: [above] })
    expect(all.content.map(({ name }) => name)).toEqual(['Ann', 'Bea', 'Cy'])
    expect(await namesAt(park, [first])).toEqual(['Ann', 'Cy'])
    expect(await namesAt(park, [third])).toEqual([])
    expect(await whoAt(park, [first], { groups: [above], page: 2, size: 2 })).toMatchObject({
      total: 3,
      content: [{ name: 'Cy' }],
      page: 2,
      size: 2,
    })
    expect(await namesAt(park, [first], { groups: [above], name: 'be' })).toEqual(['Bea'])
    expect(await namesAt(park, [first], { groups: [above], name: persons[0]!.workNumber })).toContain('Cy')
  })

  test('counts a person once, however many doors and strategies there are', async () => {
    const park = await world.addPark()
    const [person, doors] = [await park.person(), [await park.device(), await park.device()]]
    await park.strategy({ persons: [person], devices: doors })
    await park.strategy({ persons: [person], devices: doors })
    const { total, content } = await whoAt(park, doors)
    expect(total).toBe(1)
    expect(content[0]!.ways.map(({ count }) => count)).toEqual([2, 2])
  })

  test('nobody who is disabled, before or after the validity, or under special attention', async () => {
    const park = await world.addPark()
    const [door, group] = [await park.device(), await park.personGroup()]
    const inGroup = (name: string, more = {}) => park.person({ name, groupId: group.id, ...more })
    const disabled = await inGroup('Disabled')
    await inGroup('Ended', { validTo: now - HOUR })
    await inGroup('Later', { validFrom: now + HOUR })
    await inGroup('Until', { validTo: now })
    await park.strategy({ personGroups: [group], devices: [door] })
    await park.call(peopleCalls.status, { body: { ids: [disabled.id], status: 0 } })
    expect(await namesAt(park, [door])).toEqual(['Until'])
    expect(await namesAt(park, [door], { at: now + 2 * HOUR })).toEqual(['Later'])

    const { id: watched } = await park.call(specialCalls.createGroup, { body: { name: 'Watched' } })
    const { id } = await park.call(specialCalls.create, { body: { name: 'Moriarty', groupId: watched } })
    const asked = await park.ask(questionCalls.whereCanPass, { body: { personIds: [id] } })
    expect(asked).toMatchObject({ status: 400, data: { fields: [{ path: 'personIds', rule: 'unknown' }] } })
    expect(await doorsOf(park, [], { groups: [{ id: watched, name: '' }] })).toEqual([])
  })

  test('only while a strategy holds and its rule is open, by the clock at the door', async () => {
    const park = await world.addPark({ zone: 'Asia/Shanghai' })
    const [door, away] = [await park.device(), await park.device()]
    const person = await park.person({ name: 'Ada' })
    const today = weekdayIn('Asia/Shanghai', now)
    const rule = await park.timeRule({ periods: onlyOn(today) })
    await park.strategy({ persons: [person], devices: [door, away], timeRules: [rule], validTo: now + 8 * DAY })
    expect(await namesAt(park, [door])).toEqual(['Ada'])
    expect(await namesAt(park, [door], { at: now + DAY })).toEqual([])
    expect(await namesAt(park, [door], { at: now + 7 * DAY })).toEqual(['Ada'])
    expect(await namesAt(park, [door], { at: now + 14 * DAY })).toEqual([])

    // Noon of a day in Shanghai is the evening before at UTC-11.
    const noon = Temporal.PlainDate.from(dateIn('Asia/Shanghai', now))
      .add({ days: 7 })
      .toZonedDateTime({ timeZone: 'Asia/Shanghai', plainTime: '12:00' }).epochMilliseconds
    await park.call(configurationCalls.add, { body: { deviceId: away.id, settings: { timeZone: -660 } } as never })
    expect(await namesAt(park, [door], { at: noon })).toEqual(['Ada'])
    expect(await namesAt(park, [away], { at: noon })).toEqual([])
  })

  test('not on forbidden dates, all day on allowed ones', async () => {
    const park = await world.addPark({ zone: 'UTC' })
    const [door, person] = [await park.device(), await park.person({ name: 'Ada' })]
    const [today, tomorrow] = [weekdayIn('UTC', now), weekdayIn('UTC', now + DAY)]
    const [forbidden, allowed] = [dateIn('UTC', now), dateIn('UTC', now + 2 * DAY)]
    const rule = await park.timeRule({
      periods: [...onlyOn(today), ...onlyOn(tomorrow)],
      forbiddenExceptionDates: [forbidden],
      allowedExceptionDates: [allowed],
    })
    await park.strategy({ persons: [person], devices: [door], timeRules: [rule] })
    expect(await Promise.all([0, 1, 2, 3].map((days) => namesAt(park, [door], { at: now + days * DAY })))).toEqual([
      [],
      ['Ada'],
      ['Ada'],
      [],
    ])
  })

  test('by the methods the door accepts', async () => {
    const park = await world.addPark()
    const [door, person] = [await park.device(), await park.person({ name: 'Ada' })]
    await park.strategy({ persons: [person], devices: [door] })
    await park.call(configurationCalls.add, { body: { deviceId: door.id, settings: { verificationMode: [accessMethod.card] } } as never })
    expect((await whoAt(park, [door])).content[0]!.ways).toMatchObject([{ methods: [accessMethod.card] }])
    await park.call(configurationCalls.add, {
      body: { deviceId: door.id, settings: { verificationMode: [accessMethod.handprint] } } as never,
    })
    expect(await namesAt(park, [door])).toEqual([])
  })
})

describe('where somebody can pass', () => {
  test('the doors by name, each with the ways; of a group how many of its members', async () => {
    const park = await world.addPark()
    const group = await park.personGroup()
    const { id: below } = await park.call(peopleCalls.createGroup, { body: { name: 'Below', parentId: group.id } })
    const [one, two, three] = [
      await park.person({ groupId: group.id }),
      await park.person({ groupId: below }),
      await park.person({ groupId: below }),
    ]
    const [lab, canteen] = [await park.device({ name: 'Lab' }), await park.device({ name: 'Canteen' })]
    await park.device({ name: 'Nobody’s' })
    const everybody = await park.strategy({ name: 'Everybody', personGroups: [group], devices: [canteen] })
    const few = await park.strategy({ name: 'Few', persons: [one, two], devices: [lab, canteen] })
    await park.call(peopleCalls.status, { body: { ids: [three.id], status: 0 } })

    const { total, content } = await whereOf(park, [], { groups: [group] })
    expect(total).toBe(2)
    expect(content).toMatchObject([
      {
        id: canteen.id,
        name: 'Canteen',
        personCount: 2,
        ways: expect.arrayContaining([
          expect.objectContaining({ strategy: { id: everybody.id, name: 'Everybody' }, count: 2 }),
          expect.objectContaining({ strategy: { id: few.id, name: 'Few' }, count: 2 }),
        ]),
      },
      { id: lab.id, name: 'Lab', personCount: 2, ways: [{ strategy: { id: few.id, name: 'Few' }, count: 2 }] },
    ])
    expect((await whereOf(park, [two])).content).toMatchObject([
      { name: 'Canteen', personCount: 1 },
      { name: 'Lab', personCount: 1 },
    ])
    expect(await doorsOf(park, [three])).toEqual([])
    expect(await doorsOf(park, [two], { name: 'ant' })).toEqual(['Canteen'])
    expect(await whereOf(park, [two], { page: 2, size: 1 })).toMatchObject({ total: 2, content: [{ name: 'Lab' }] })
  })
})

describe('a moment that is over', () => {
  test('is answered as it stood then: person, group, strategy, rule and door', async () => {
    const park = await world.addPark()
    const [staff, guests] = [await park.personGroup(), await park.personGroup()]
    const [inside, outside] = [await park.deviceGroup(), await park.deviceGroup()]
    const door = await park.device({ name: 'Lab', groupId: inside.id })
    const [ada, bob, cy] = [
      await park.person({ name: 'Ada', groupId: staff.id }),
      await park.person({ name: 'Bob', groupId: guests.id }),
      await park.person({ name: 'Cy', groupId: guests.id }),
    ]
    const rule = await park.timeRule({ name: 'Hours' })
    const strategy = await park.strategy({ name: 'Staff', personGroups: [staff], persons: [cy], deviceGroups: [inside], timeRules: [rule] })
    const steps: number[] = []
    /** Advance the clock by a minute and store the moment just before the next change. */
    const step = () => {
      steps.push(now)
      now += MINUTE
    }
    step()
    await park.call(peopleCalls.move, { body: { ids: [bob.id], groupId: staff.id } })
    step()
    await park.call(peopleCalls.status, { body: { ids: [ada.id], status: 0 } })
    step()
    await park.call(strategyCalls.change, {
      body: {
        id: strategy.id,
        name: 'Staff',
        personIds: [],
        deviceIds: [],
        personGroupIds: [staff.id],
        deviceGroupIds: [inside.id],
        timeRuleIds: [rule.id],
        methods: [accessMethod.card],
      },
    })
    step()
    await park.call(timeRuleCalls.change, {
      body: { id: rule.id, name: 'Hours', periods: [{ weekday: 1, start: '00:00', end: '24:00' }], effectiveDate: '2099-01-01' },
    })
    step()
    await park.call(timeRuleCalls.change, {
      body: { id: rule.id, periods: [1, 2, 3, 4, 5, 6, 7].flatMap(onlyOn), effectiveDate: null },
    })
    step()
    await park.call(deviceCalls.move, { body: { ids: [door.id], groupId: outside.id } })
    step()
    expect(await Promise.all(steps.map((at) => namesAt(park, [door], { at })))).toEqual([
      ['Ada', 'Cy'],
      ['Ada', 'Bob', 'Cy'],
      ['Bob', 'Cy'],
      ['Bob'],
      [],
      ['Bob'],
      [],
    ])
    expect(await Promise.all(steps.map((at) => doorsOf(park, [bob], { at })))).toEqual([[], ['Lab'], ['Lab'], ['Lab'], [], ['Lab'], []])
    expect((await whoAt(park, [door], { at: steps[0]! })).content[0]!.ways).toMatchObject([
      { methods: [accessMethod.face, accessMethod.card] },
    ])
    expect((await whoAt(park, [door], { at: steps[3]! })).content[0]!.ways).toMatchObject([{ methods: [accessMethod.card] }])
  })

  test('knows what was deleted since, without its name', async () => {
    const park = await world.addPark()
    const [door, person] = [await park.device(), await park.person({ name: 'Gone' })]
    const strategy = await park.strategy({ persons: [person], devices: [door] })
    const before = now
    now += MINUTE
    await park.call(peopleCalls.delete, { query: {}, body: { ids: [person.id] } })
    await park.call(strategyCalls.delete, { query: { id: strategy.id } })
    now += MINUTE
    expect(await whoAt(park, [door], { at: before })).toMatchObject({
      total: 1,
      content: [{ id: person.id, name: '', ways: [{ strategy: { id: strategy.id, name: null } }] }],
    })
    expect(await namesAt(park, [door])).toEqual([])
  })

  test('in the zone the park had', async () => {
    const park = await world.addPark({ zone: 'Pacific/Kiritimati' })
    const [door, person] = [await park.device(), await park.person({ name: 'Ada' })]
    // At UTC+14 and UTC-11 the date is never the same.
    const rule = await park.timeRule({ periods: onlyOn(weekdayIn('Pacific/Kiritimati', now)) })
    await park.strategy({ persons: [person], devices: [door], timeRules: [rule] })
    const before = now
    now += 1000
    await world.server.contexts.organisation.service.change(park.park.id, { name: 'Park', zone: 'Pacific/Pago_Pago' })
    now += 1000
    expect(await namesAt(park, [door], { at: before })).toEqual(['Ada'])
    expect(await namesAt(park, [door])).toEqual([])
  })

  test('before history begins is refused with a sentence', async () => {
    const park = await world.addPark({ zone: 'UTC' })
    const door = await park.device()
    const answer = await park.ask(questionCalls.whoCanPass, { body: { deviceIds: [door.id], at: now - 400 * DAY } })
    expect(answer).toMatchObject({
      status: 400,
      data: { fields: [{ path: 'at', rule: 'beforeHistory', params: { since: expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d$/) } }] },
    })
  })
})

describe('what is asked badly', () => {
  const fields = async (park: Site, body: object) =>
    (await park.ask(questionCalls.whoCanPass, { body: body as never })) as {
      status: number
      data: { fields?: { path: string; rule: string }[] }
    }

  test('names no door or nobody', async () => {
    const park = await world.addPark()
    expect(await fields(park, {})).toMatchObject({ status: 400, data: { fields: [{ path: 'deviceIds', rule: 'required' }] } })
    expect(await park.ask(questionCalls.whereCanPass, { body: {} })).toMatchObject({
      status: 400,
      data: { fields: [{ path: 'personIds', rule: 'required' }] },
    })
  })

  test('or something of another park, which is as if it were not there', async () => {
    const [park, elsewhere] = [await world.addPark(), await world.addPark()]
    const own = await park.device()
    const foreign = [(await elsewhere.device()).id, crypto.randomUUID()]
    for (const id of foreign)
      expect((await fields(park, { deviceIds: [own.id, id] })).data.fields).toEqual([{ path: 'deviceIds', rule: 'unknown' }])
    for (const id of [(await elsewhere.deviceGroup()).id, crypto.randomUUID()])
      expect((await fields(park, { deviceIds: [own.id], deviceGroupIds: [id] })).data.fields).toEqual([
        { path: 'deviceGroupIds', rule: 'unknown' },
      ])
    const person = await elsewhere.person()
    expect(await park.ask(questionCalls.whereCanPass, { body: { personIds: [person.id] } })).toMatchObject({
      status: 400,
      data: { fields: [{ path: 'personIds', rule: 'unknown' }] },
    })
    expect(await park.ask(questionCalls.whereCanPass, { body: { personGroupIds: [person.groupId] } })).toMatchObject({
      status: 400,
      data: { fields: [{ path: 'personGroupIds', rule: 'unknown' }] },
    })
  })

  test('or of a moment no calendar has', async () => {
    const park = await world.addPark()
    const door = await park.device()
    for (const at of [8_640_000_000_000_000, 1e308, -1, 1.5, null, 'now'])
      expect(await fields(park, { deviceIds: [door.id], at })).toMatchObject({ status: 400, data: { fields: [{ path: 'at' }] } })
    expect((await fields(park, { deviceIds: [door.id], at: Date.UTC(9998, 0, 1) })).status).toBe(200)
  })

  test('by somebody who may not know; and names are masked for whom they are masked', async () => {
    const park = await world.addPark()
    const [door, person] = [await park.device(), await park.person({ name: 'Ada Lovelace' })]
    await park.strategy({ persons: [person], devices: [door] })
    const who = { body: { deviceIds: [door.id] } }
    const where = { body: { personIds: [person.id] } }
    const [records, rules, persons] = await Promise.all(
      [['access.record'], ['access.rule'], ['person.list']].map((permissions) => world.session({ permissions, park: park.park })),
    )
    for (const client of [records!, persons!]) expect(await client.ask(questionCalls.whoCanPass, who)).toMatchObject({ status: 403 })
    for (const client of [records!, rules!]) expect(await client.ask(questionCalls.whereCanPass, where)).toMatchObject({ status: 403 })
    expect(await doorsOf(persons!, [person])).toEqual([door.name])
    const masking = await world.session({ park: park.park, masking: true })
    expect(await namesAt(rules!, [door])).toEqual(['Ada Lovelace'])
    expect(await namesAt(masking, [door])).toEqual(['A********e'])
  })
})
