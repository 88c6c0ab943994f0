/** Compliance rules: a change that would let a person pass against a rule is refused, or needs the approval of another user. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { InputOf } from '@gatehouse/contract'
import { associatedRuleCalls } from '@gatehouse/contract/strategies/associated-rules'
import { strategyCalls, timeRuleCalls } from '@gatehouse/contract/strategies/calls'
import { accessGroupCalls } from '@gatehouse/contract/strategies/access-groups'
import { permitCalls } from '@gatehouse/contract/approvals/permits'
import { questionCalls } from '@gatehouse/contract/questions/calls'
import { pendingChangeCalls, PENDING_DAYS, writtenRuleCalls, type Breach } from '@gatehouse/contract/approvals/written-rules'
import { auditCalls } from '@gatehouse/contract/audit/calls'
import { deviceCalls } from '@gatehouse/contract/devices/calls'
import { accessMethod, personGroupType } from '@gatehouse/contract/enums'
import { identityCalls } from '@gatehouse/contract/identity/calls'
import { clientCalls } from '@gatehouse/contract/identity/clients'
import { importCalls } from '@gatehouse/contract/imports/calls'
import { mask } from '@gatehouse/contract/masking'
import { areaCalls } from '@gatehouse/contract/organisation/areas'
import { peopleCalls } from '@gatehouse/contract/people/calls'
import { relationCalls } from '@gatehouse/contract/relations/calls'
import { createClient } from '@gatehouse/dev-env/client'
import { ALWAYS_OPEN } from '@gatehouse/dev-env/site'
import { startWorld, type Made, type World } from '@gatehouse/dev-env/world'
import { query } from '../../../../../tests/support/embedded-postgres.ts'
import { addSheet } from '../../../../../tests/support/import-sheet.ts'
import { placeOf } from '../../platform/encryption/sealed-column.ts'
import { PENDING_BODY } from './written-rules-schema.ts'

/** A Monday, 10:00 in UTC. */
const NOW = Date.parse('2027-03-01T10:00:00Z')
const DAY = 86_400_000
const HOUR = 3_600_000
let now = NOW
let world: World
beforeAll(async () => {
  world = await startWorld({ clock: { now: () => now } })
})
afterAll(() => world?.stop())

type RuleFields = Partial<InputOf<(typeof writtenRuleCalls)['create']['body']>>
const METHODS = [accessMethod.face, accessMethod.card]
const every = (start: string, end: string) => [1, 2, 3, 4, 5, 6, 7].map((weekday) => ({ weekday, start, end }))
const DAYTIME = every('08:00', '20:00')
const EVENING = every('20:00', '24:00')

interface Refused {
  code: number
  message: string
  status: number
  data: { fields: { path: string; rule: string; params: Record<string, unknown> }[]; breaches: Breach[]; pendingChangeId?: string }
}
/** Return the refusal of a call by a compliance rule. @throws where the call is not refused */
async function hindered(asking: Promise<unknown>): Promise<Refused> {
  const answer = (await asking) as Refused
  expect(answer).toMatchObject({ status: 409, code: 409 })
  return answer
}

/** Create a park with a vault and a hall, cleaners below the services, staff, and a rule that is open by day. */
async function place() {
  const park = await world.addPark({ zone: 'Asia/Shanghai' })
  const services = await park.personGroup({ name: 'Services' })
  const cleaners = await park.personGroup({ name: 'Cleaners', parentId: services.id })
  const staff = await park.personGroup({ name: 'Staff' })
  const floor = await park.deviceGroup('Floor 3')
  return {
    park,
    services,
    cleaners,
    staff,
    floor,
    cleo: await park.person({ name: 'Cleo', groupId: cleaners.id }),
    stan: await park.person({ name: 'Stan', groupId: staff.id }),
    vault: await park.device({ name: 'Vault', groupId: floor.id }),
    hall: await park.device({ name: 'Hall' }),
    byDay: await park.timeRule({ name: 'By day', periods: DAYTIME }),
    writes: async (fields: RuleFields): Promise<Made> => {
      const name = fields.name ?? 'Nobody at the vault'
      return { name, id: (await park.call(writtenRuleCalls.create, { body: { ...fields, name } })).id }
    },
    /** Another administrator of the park. */
    second: () => world.session({ park: park.park, permissions: ['access', 'access.rule'] }),
  }
}
const bodyOf = (
  name: string,
  { persons = [], groups = [], doors, rules }: { persons?: Made[]; groups?: Made[]; doors: Made[]; rules: Made[] },
) => ({
  name,
  personIds: persons.map(({ id }) => id),
  personGroupIds: groups.map(({ id }) => id),
  deviceIds: doors.map(({ id }) => id),
  timeRuleIds: rules.map(({ id }) => id),
  methods: METHODS,
})

describe('a written rule', () => {
  test('comes back with the names of what it names, is found, changed and deleted, and changes nobody’s permission', async () => {
    const { park, cleaners, cleo, vault, byDay, writes } = await place()
    const strategy = bodyOf('Cleaning', { persons: [cleo], doors: [vault], rules: [byDay] })
    await park.call(strategyCalls.create, { body: strategy })
    const { id } = await writes({
      personGroupIds: [cleaners.id],
      kinds: ['visitor'],
      deviceIds: [vault.id],
      periods: DAYTIME,
      sentence: 'Ask the treasurer.',
    })
    const read = await park.call(writtenRuleCalls.read, { params: { id } })
    expect(read).toMatchObject({
      name: 'Nobody at the vault',
      everybodyExcept: false,
      kinds: ['visitor'],
      personGroups: [{ name: 'Cleaners' }],
      devices: [{ name: 'Vault' }],
      periods: DAYTIME,
      reaction: 'refuse',
      enabled: true,
      sentence: 'Ask the treasurer.',
      version: 1,
    })
    expect((await park.call(questionCalls.whoCanPass, { body: { deviceIds: [vault.id] } })).content.map(({ name }) => name)).toEqual([
      'Cleo',
    ])
    const { version, updatedAt: _, persons: _p, personGroups: _g, devices: _d, deviceGroups: _e, ...fields } = read
    await park.call(writtenRuleCalls.change, { body: { ...fields, name: 'Vault', version, enabled: false } })
    expect(await park.ask(writtenRuleCalls.change, { body: { ...fields, version } })).toMatchObject({
      status: 409,
      data: { fields: [{ path: 'version', rule: 'conflict' }] },
    })
    expect((await park.call(writtenRuleCalls.list, { query: { name: 'vau' } })).content).toMatchObject([{ name: 'Vault', enabled: false }])
    const { id: _i, ...copied } = fields
    expect(await park.ask(writtenRuleCalls.create, { body: { ...copied, name: 'VAULT' } })).toMatchObject({ code: 900004 })
    await park.call(writtenRuleCalls.delete, { params: { id } })
    expect(await park.ask(writtenRuleCalls.read, { params: { id } })).toMatchObject({ status: 404 })
  })

  test('keeps what a change leaves out: it forbids no less than before', async () => {
    const { park, cleaners, vault, writes } = await place()
    const { id } = await writes({
      everybodyExcept: true,
      kinds: ['staff'],
      personGroupIds: [cleaners.id],
      deviceIds: [vault.id],
      periods: DAYTIME,
    })
    const stored = await park.call(writtenRuleCalls.read, { params: { id } })
    await park.call(writtenRuleCalls.change, { body: { id, name: 'Renamed' } })
    const { version: _, updatedAt: _u, ...kept } = stored
    expect(await park.call(writtenRuleCalls.read, { params: { id } })).toMatchObject({ ...kept, name: 'Renamed' })
    await park.call(writtenRuleCalls.change, { body: { id, name: 'Renamed', periods: [], kinds: [] } })
    expect(await park.call(writtenRuleCalls.read, { params: { id } })).toMatchObject({ everybodyExcept: true, periods: [], kinds: [] })
  })

  test('looks at a change as it would be saved: what the change leaves out stays', async () => {
    const { park, cleo, vault, hall, byDay, writes } = await place()
    const cleaning = bodyOf('Cleaning', { persons: [cleo], doors: [hall], rules: [byDay] })
    const { id } = await park.call(strategyCalls.create, { body: { ...cleaning, validTo: NOW - DAY } })
    await writes({ kinds: ['staff'], deviceIds: [vault.id] })
    const ended = { ...cleaning, id, deviceIds: [vault.id] }
    expect(await park.call(writtenRuleCalls.breaches, { body: { strategy: ended } })).toEqual([])
    expect(await park.call(writtenRuleCalls.breaches, { body: { strategy: { ...ended, validTo: null } } })).toMatchObject([
      { personCount: 1 },
    ])
    await park.call(strategyCalls.change, { body: ended })
    await hindered(park.ask(strategyCalls.change, { body: { ...ended, validTo: null } }))
  })

  test('is about somebody and some door of this park, at hours that can be read', async () => {
    const { park, vault } = await place()
    const { cleaners } = await place()
    const rulesOf = async (fields: RuleFields) =>
      ((await park.ask(writtenRuleCalls.create, { body: { name: 'Rule', ...fields } })) as unknown as Refused).data.fields.map(
        ({ path, rule }) => `${path} ${rule}`,
      )
    expect(await rulesOf({})).toEqual(['personGroupIds required', 'deviceGroupIds required'])
    expect(await rulesOf({ everybodyExcept: true })).toEqual(['deviceGroupIds required'])
    expect(await rulesOf({ personGroupIds: [cleaners.id], deviceIds: [vault.id] })).toEqual(['personGroupIds unknown'])
    expect(await rulesOf({ kinds: ['staff'], deviceIds: [vault.id], periods: [{ weekday: 1, start: '09:00', end: '08:00' }] })).toEqual([
      'periods.0.end periodOrder',
    ])
  })

  test('says who stands against it already, page by page', async () => {
    const { park, services, cleaners, cleo, vault, hall, floor, byDay } = await place()
    const clara = await park.person({ name: 'Clara', groupId: cleaners.id })
    await park.call(strategyCalls.create, {
      body: { ...bodyOf('Cleaning', { groups: [cleaners], doors: [hall], rules: [byDay] }), deviceGroupIds: [floor.id] },
    })
    const rule = { personGroupIds: [services.id], deviceGroupIds: [floor.id], periods: every('19:00', '21:00') }
    const answer = await park.call(writtenRuleCalls.standing, { body: rule })
    expect(answer).toMatchObject({
      total: 2,
      content: [
        { id: clara.id, name: 'Clara', deviceCount: 1, deviceNames: ['Vault'], periods: every('19:00', '20:00'), dates: [] },
        { id: cleo.id, name: 'Cleo' },
      ],
    })
    expect((await park.call(writtenRuleCalls.standing, { body: { ...rule, size: 1, page: 2 } })).content.map(({ name }) => name)).toEqual([
      'Cleo',
    ])
    expect((await park.call(writtenRuleCalls.standing, { body: { ...rule, periods: EVENING } })).total).toBe(0)
    expect(
      (
        await park.call(writtenRuleCalls.standing, {
          body: { ...rule, personGroupIds: [], everybodyExcept: true, deviceGroupIds: [], deviceIds: [vault.id] },
        })
      ).total,
    ).toBe(2)
    const masked = await world.session({ park: park.park, masking: true })
    expect((await masked.call(writtenRuleCalls.standing, { body: rule })).content.map(({ name }) => name)).not.toContain('Clara')
  })
})

describe('a change that goes against a written rule', () => {
  test('is refused with who, where and when, and nothing is saved; one that does not passes', async () => {
    const { park, cleaners, cleo, stan, vault, hall, byDay, writes } = await place()
    await writes({ personGroupIds: [cleaners.id], deviceIds: [vault.id], periods: every('18:00', '24:00'), sentence: 'Ask the treasurer.' })
    const body = bodyOf('Cleaning', { groups: [cleaners], persons: [stan], doors: [vault, hall], rules: [byDay] })
    const breaches = await park.call(writtenRuleCalls.breaches, { body: { strategy: body } })
    expect(breaches).toMatchObject([
      {
        rule: { name: 'Nobody at the vault', sentence: 'Ask the treasurer.' },
        reaction: 'refuse',
        personCount: 1,
        deviceCount: 1,
        deviceNames: ['Vault'],
        periods: every('18:00', '20:00'),
        dates: [],
      },
    ])
    const refused = await hindered(park.ask(strategyCalls.create, { body }))
    expect(refused.data.breaches).toEqual(breaches)
    expect(refused.data.fields).toMatchObject([
      { rule: 'writtenRule', params: { name: 'Nobody at the vault', persons: 1, doors: 'Vault', hours: '18:00–20:00' } },
    ])
    expect(refused.message).toContain('Nobody at the vault')
    expect(await park.call(writtenRuleCalls.breachers, { body: { strategy: body, writtenRuleId: breaches[0]!.rule.id } })).toMatchObject({
      total: 1,
      content: [{ id: cleo.id, name: 'Cleo', deviceNames: ['Vault'] }],
    })
    expect((await park.call(strategyCalls.find, { body: {} })).total).toBe(0)

    const { id } = await park.call(strategyCalls.create, { body: { ...body, deviceIds: [hall.id] } })
    await hindered(park.ask(strategyCalls.change, { body: { ...body, id } }))
    await park.call(strategyCalls.change, { body: { ...body, id, personGroupIds: [] } })
    expect((await park.call(strategyCalls.read, { query: { id } })).deviceIds).toHaveLength(2)
  })

  test('refuses a permission at that door alone: others are given', async () => {
    const { park, cleaners, cleo, vault, hall, writes } = await place()
    await writes({ personGroupIds: [cleaners.id], deviceIds: [vault.id] })
    const outcomes = await park.call(permitCalls.persons, { body: { personIds: [cleo.id], deviceIds: [hall.id, vault.id] } })
    expect(outcomes.map(({ name, outcome, breaches }) => `${name.split(' ')[0]} ${outcome} ${breaches.length}`).toSorted()).toEqual([
      'Hall added 0',
      'Vault refused 1',
    ])
    expect(await park.call(strategyCalls.ofPerson, { query: { personId: cleo.id } })).toMatchObject([{ deviceId: hall.id }])
    // The strategy that was created for the door that stays closed is deleted again.
    const { content: strategies } = await park.call(strategyCalls.find, { body: {} })
    expect(strategies.map(({ name }) => name)).toEqual(['Hall · direct access'])
  })

  test('is not refused for what was so before, nor by a rule that is off', async () => {
    const { park, cleaners, cleo, vault, byDay, writes } = await place()
    const body = bodyOf('Cleaning', { persons: [cleo], doors: [vault], rules: [byDay] })
    const { id } = await park.call(strategyCalls.create, { body })
    await writes({ personGroupIds: [cleaners.id], deviceIds: [vault.id] })
    await park.call(strategyCalls.change, { body: { ...body, id, name: 'Cleaning anew' } })
    const night = await park.timeRule({ name: 'Night', periods: EVENING })
    await hindered(park.ask(strategyCalls.change, { body: { ...body, id, timeRuleIds: [byDay.id, night.id] } }))
    await writes({ name: 'Off', everybodyExcept: true, deviceIds: [vault.id], enabled: false })
    expect(
      await park.ask(strategyCalls.create, {
        body: bodyOf('Others', { persons: [await park.person()], doors: [vault], rules: [night] }),
      }),
    ).toMatchObject({ code: 0 })
  })

  test('by a time rule: hours, and days that are open as a whole', async () => {
    const { park, cleaners, vault, byDay, writes } = await place()
    await park.call(strategyCalls.create, { body: bodyOf('Cleaning', { groups: [cleaners], doors: [vault], rules: [byDay] }) })
    await writes({ kinds: ['staff'], deviceIds: [vault.id], periods: EVENING })
    const rule = { id: byDay.id, name: 'By day', periods: DAYTIME }
    await hindered(park.ask(timeRuleCalls.change, { body: { ...rule, periods: every('08:00', '21:00') } }))
    const dated = await hindered(park.ask(timeRuleCalls.change, { body: { ...rule, allowedExceptionDates: ['2027-05-01'] } }))
    expect(dated.data.breaches).toMatchObject([{ personCount: 1, periods: [], dates: ['2027-05-01'] }])
    expect(
      await park.ask(timeRuleCalls.change, {
        body: { ...rule, periods: every('09:00', '20:00'), allowedExceptionDates: ['2026-05-01'] },
      }),
    ).toMatchObject({ code: 0 })
  })

  test('by an access group, a door that moves, or a group of doors that moves', async () => {
    const { park, cleaners, vault, hall, floor, byDay, writes } = await place()
    const { id: groupId } = await park.call(accessGroupCalls.create, { body: { name: 'Rounds', deviceIds: [hall.id] } })
    const tower = await park.deviceGroup('Tower')
    await park.call(strategyCalls.create, {
      body: {
        ...bodyOf('Cleaning', { groups: [cleaners], doors: [], rules: [byDay] }),
        accessGroupIds: [groupId],
        deviceGroupIds: [tower.id],
      },
    })
    await writes({ personGroupIds: [cleaners.id], deviceGroupIds: [floor.id] })
    await hindered(park.ask(accessGroupCalls.change, { body: { id: groupId, name: 'Rounds', deviceIds: [hall.id, vault.id] } }))
    // A door that all people may pass moves to where the rule applies.
    expect((await hindered(park.ask(deviceCalls.move, { body: { ids: [hall.id], groupId: floor.id } }))).data.fields).toMatchObject([
      { path: 'groupId', rule: 'writtenRule' },
    ])
    await hindered(park.ask(deviceCalls.changeGroup, { body: { id: floor.id, name: 'Floor 3', parentId: tower.id } }))
    await park.call(deviceCalls.move, { body: { ids: [hall.id], groupId: tower.id } })
    await hindered(park.ask(deviceCalls.changeGroup, { body: { id: tower.id, parentId: floor.id } }))
  })

  test('by a person who is moved, changed, added, enabled or whose validity is drawn out, and by a group that moves', async () => {
    const { park, services, cleaners, staff, cleo, stan, vault, byDay, writes } = await place()
    await park.call(strategyCalls.create, {
      body: bodyOf('Staff', { groups: [staff], persons: [cleo], doors: [vault], rules: [byDay] }),
    })
    const shielded = await park.personGroup({ name: 'Interns' })
    const intern = await park.person({ name: 'Ina', groupId: shielded.id })
    await writes({ name: 'Not by the services', personGroupIds: [services.id], personIds: [intern.id], deviceIds: [vault.id] })
    // Stan could pass through his group before, and is now one of the people the rule forbids.
    await park.call(strategyCalls.create, { body: bodyOf('Key', { persons: [stan], doors: [vault], rules: [byDay] }) })
    await hindered(park.ask(peopleCalls.move, { body: { ids: [stan.id], groupId: cleaners.id } }))
    await hindered(park.ask(peopleCalls.move, { body: { ids: [intern.id], groupId: staff.id } }))
    const form = { name: 'Ina', workNumber: intern.workNumber, groupId: staff.id }
    expect((await hindered(park.ask(peopleCalls.change, { body: { ...form, id: intern.id } }))).data.fields).toMatchObject([
      { path: 'groupId', rule: 'writtenRule', params: { name: 'Not by the services' } },
    ])
    expect((await park.call(peopleCalls.read, { query: { id: intern.id } })).groupId).toBe(shielded.id)
    await hindered(park.ask(peopleCalls.changeGroup, { body: { id: staff.id, name: 'Staff', parentId: services.id } }))

    await writes({ name: 'No customers', kinds: ['customer'], deviceIds: [vault.id] })
    await hindered(park.ask(peopleCalls.create, { body: { name: 'Cora', workNumber: 'C-1', groupId: staff.id, kind: 'customer' } }))
    expect(
      await park.ask(peopleCalls.create, { body: { name: 'Cora', workNumber: 'C-1', groupId: shielded.id, kind: 'customer' } }),
    ).toMatchObject({ code: 0 })

    const gone = await park.person({ name: 'Gus', groupId: staff.id, validTo: now - DAY })
    await writes({ name: 'Not Gus', personIds: [gone.id], deviceIds: [vault.id] })
    const same = { id: gone.id, name: 'Gus', workNumber: gone.workNumber, groupId: staff.id }
    await hindered(park.ask(peopleCalls.change, { body: { ...same, validTo: null } }))
    // A validity that is left out is not extended.
    expect(await park.ask(peopleCalls.change, { body: same })).toMatchObject({ code: 0 })
  })

  test('by a group of visitors, and for everybody but those it names', async () => {
    const { park, staff, vault, byDay, writes } = await place()
    const visitors = await park.personGroup({ name: 'Guests', type: personGroupType.visitor })
    await park.person({ name: 'Vera', groupId: visitors.id })
    const finance = await park.personGroup({ name: 'Finance' })
    await park.person({ name: 'Fin', groupId: finance.id })
    await writes({ name: 'Only Finance', everybodyExcept: true, personGroupIds: [finance.id], deviceIds: [vault.id], reaction: 'refuse' })
    await writes({ name: 'No visitors', kinds: ['visitor'], deviceIds: [vault.id] })
    const rulesFor = async (groups: Made[]) =>
      (await park.call(writtenRuleCalls.breaches, { body: { strategy: bodyOf('Try', { groups, doors: [vault], rules: [byDay] }) } })).map(
        ({ rule, personCount }) => `${rule.name} ${personCount}`,
      )
    expect(await rulesFor([finance])).toEqual([])
    expect(await rulesFor([staff, finance])).toEqual(['Only Finance 1'])
    expect(await rulesFor([visitors])).toEqual(['No visitors 1', 'Only Finance 1'])
  })

  test('by contacts who come in their place: a rule about everybody but some holds for them, one about persons does not', async () => {
    const { park, cleaners, cleo, stan, vault, byDay, writes } = await place()
    const body = (authorizedObject: 'person' | 'contact' | 'both') => ({
      ...bodyOf('Cleaning', { groups: [cleaners], persons: [stan], doors: [vault], rules: [byDay] }),
      authorizedObject,
    })
    const { id } = await writes({ personGroupIds: [cleaners.id], deviceIds: [vault.id] })
    const breachesOf = async (authorizedObject: 'person' | 'contact' | 'both') =>
      (await park.call(writtenRuleCalls.breaches, { body: { strategy: body(authorizedObject) } })).map(({ personCount }) => personCount)
    expect([await breachesOf('contact'), await breachesOf('person'), await breachesOf('both')]).toEqual([[], [1], [1]])
    const made = await park.call(strategyCalls.create, { body: body('contact') })
    await hindered(park.ask(strategyCalls.change, { body: { ...body('both'), id: made.id } }))
    const rule = { personGroupIds: [cleaners.id], deviceIds: [vault.id] }
    expect((await park.call(writtenRuleCalls.standing, { body: rule })).total).toBe(0)
    expect(await park.call(questionCalls.whoCanPass, { body: { deviceIds: [vault.id] } })).toMatchObject({ total: 0 })
    expect(await park.call(questionCalls.whereCanPass, { body: { personIds: [cleo.id] } })).toMatchObject({ total: 0 })
    await park.call(writtenRuleCalls.delete, { params: { id } })

    // A rule cannot name contacts: even those of persons it names count as other people.
    const others = { everybodyExcept: true, personGroupIds: [cleaners.id], deviceIds: [vault.id] }
    const against = async () =>
      (await park.call(writtenRuleCalls.standing, { body: others })).content.map(({ name, contactsOnly }) => [name, contactsOnly])
    expect(await against()).toEqual([
      ['Cleo', true],
      ['Stan', true],
    ])
    await park.call(strategyCalls.change, { body: { ...body('both'), id: made.id } })
    expect(await against()).toEqual([
      ['Cleo', true],
      ['Stan', false],
    ])
    await park.call(strategyCalls.change, { body: { ...body('person'), id: made.id } })
    expect(await against()).toEqual([['Stan', false]])
    await writes({ name: 'Cleaners alone', ...others })
    const refused = await hindered(park.ask(strategyCalls.change, { body: { ...body('contact'), id: made.id } }))
    expect(refused.data.breaches).toMatchObject([{ rule: { name: 'Cleaners alone' }, personCount: 2, deviceNames: ['Vault'] }])
  })

  test('by a person is judged by what stands at that moment, whatever stood for the person before', async () => {
    const { park, staff, services, vault, hall, floor, byDay, writes } = await place()
    await writes({ kinds: ['customer'], deviceGroupIds: [floor.id] })
    let number = 0
    const customer = (group: Made) =>
      park.ask(peopleCalls.create, { body: { name: 'Carl', workNumber: `C${++number}`, groupId: group.id, kind: 'customer' } })
    const passes = async (group: Made): Promise<void> => expect(await customer(group)).toMatchObject({ code: 0 })
    await passes(services)
    // A strategy.
    const { id: strategyId } = await park.call(strategyCalls.create, {
      body: bodyOf('Staff', { groups: [staff], doors: [vault], rules: [byDay] }),
    })
    expect((await hindered(customer(staff))).data.fields).toMatchObject([
      { path: 'groupId', rule: 'writtenRule', params: { doors: 'Vault' } },
    ])
    // A group of persons, and the name of a door.
    const apprentices = await park.personGroup({ name: 'Apprentices', parentId: staff.id })
    await park.call(deviceCalls.change, { body: { id: vault.id, name: 'Treasury', groupId: floor.id } })
    expect((await hindered(customer(apprentices))).data.fields).toMatchObject([{ params: { doors: 'Treasury' } }])
    await park.call(strategyCalls.delete, { query: { id: strategyId } })
    await passes(apprentices)
    // A door that moves, and a door group that moves.
    const covered = async (name: string, door: Made): Promise<Made> => {
      const group = await park.personGroup({ name })
      await park.call(strategyCalls.create, { body: bodyOf(name, { groups: [group], doors: [door], rules: [byDay] }) })
      return group
    }
    const [lobby, tower] = [await park.device({ name: 'Lobby' }), await park.deviceGroup('Tower')]
    const [hosts, guards] = [await covered('Hosts', lobby), await covered('Guards', hall)]
    await park.call(deviceCalls.move, { body: { ids: [hall.id], groupId: tower.id } })
    await passes(services)
    await park.call(deviceCalls.move, { body: { ids: [lobby.id], groupId: floor.id } })
    await hindered(customer(hosts))
    await passes(services)
    await park.call(deviceCalls.changeGroup, { body: { id: tower.id, parentId: floor.id } })
    await hindered(customer(guards))
    // Hours.
    const gate = await park.device({ name: 'Gate' })
    const porters = await covered('Porters', gate)
    await writes({ name: 'Quiet evenings', kinds: ['customer'], deviceIds: [gate.id], periods: EVENING })
    await passes(services)
    await park.call(timeRuleCalls.change, { body: { id: byDay.id, name: 'By day', periods: ALWAYS_OPEN } })
    await hindered(customer(porters))
  })

  test('by a row of an import, which is refused with the reason', async () => {
    const { park, cleaners, staff, vault, byDay, writes } = await place()
    await park.call(strategyCalls.create, { body: bodyOf('Cleaning', { groups: [cleaners], doors: [vault], rules: [byDay] }) })
    await writes({ everybodyExcept: true, personGroupIds: [staff.id], deviceIds: [vault.id], reaction: 'ask' })
    const { id } = await park.call(importCalls.create, { body: { kind: 'staff', groupId: cleaners.id } })
    await addSheet(park.client, world.url, id, ['Name,Work no.,Group', 'Row One,R-1,Cleaners', 'Row Two,R-2,Staff'])
    await park.call(importCalls.start, { params: { id }, body: {} })
    await expect.poll(async () => (await park.call(importCalls.read, { params: { id } })).state).toBe('done')
    const rows = (await park.call(importCalls.rows, { params: { id }, query: {} })).content
    expect(
      rows.map(({ workNumber, outcome, issues }) => [workNumber, outcome, issues.map(({ field, rule }) => `${field} ${rule}`)]),
    ).toEqual([
      ['R-1', 'refused', ['groupName writtenRuleAsks']],
      ['R-2', 'create', []],
    ])
    expect(rows[0]!.issues[0]!.words).toContain('Nobody at the vault')
    const limited = await world.session({ park: park.park, permissions: ['person.list'], deviceGroupIds: [(await park.deviceGroup()).id] })
    const [limitedRow] = (await limited.call(importCalls.rows, { params: { id }, query: {} })).content
    expect(limitedRow!.issues.map(({ rule, params }) => [rule, params])).toEqual([
      ['writtenRuleElsewhere', { name: 'Nobody at the vault', sentence: '' }],
    ])
  })

  test('names no door to whoever is shown others alone', async () => {
    const { park, cleaners, stan, vault, hall, floor, byDay, writes } = await place()
    await park.call(strategyCalls.create, { body: bodyOf('Single', { persons: [stan], doors: [hall, vault], rules: [byDay] }) })
    await writes({ personGroupIds: [cleaners.id], deviceIds: [hall.id, vault.id] })
    const lobby = await park.deviceGroup('Lobby')
    const shown = async (groupId: string) => {
      const limited = await world.session({
        park: park.park,
        permissions: ['person.list', 'own:person.edit'],
        deviceGroupIds: [groupId],
      })
      return hindered(limited.ask(peopleCalls.move, { body: { ids: [stan.id], groupId: cleaners.id } }))
    }
    const whole = await hindered(park.ask(peopleCalls.move, { body: { ids: [stan.id], groupId: cleaners.id } }))
    expect(whole.data.breaches).toMatchObject([{ deviceCount: 2, deviceNames: ['Hall', 'Vault'] }])
    const some = await shown(floor.id)
    expect(some.data).toMatchObject({
      fields: [{ rule: 'writtenRule' }],
      breaches: [{ deviceCount: 1, deviceNames: ['Vault'], personCount: 1 }],
    })
    const none = await shown(lobby.id)
    expect(none.data).toMatchObject({
      fields: [{ rule: 'writtenRuleElsewhere' }],
      breaches: [{ deviceCount: 0, deviceNames: [], periods: [], dates: [], personCount: 1 }],
    })
    expect(JSON.stringify([some, none])).not.toContain('Hall')
    expect(JSON.stringify(none)).not.toContain('Vault')
  })

  test('of two that together do what neither does alone, one is refused', async () => {
    const { park, cleaners, stan, vault, hall, byDay, writes } = await place()
    const { id } = await park.call(strategyCalls.create, {
      body: bodyOf('Single', { persons: [stan], doors: [hall], rules: [byDay] }),
    })
    await writes({ personGroupIds: [cleaners.id], deviceIds: [vault.id] })
    const both = await Promise.all([
      park.ask(peopleCalls.move, { body: { ids: [stan.id], groupId: cleaners.id } }),
      park.ask(strategyCalls.change, {
        body: { ...bodyOf('Single', { persons: [stan], doors: [hall, vault], rules: [byDay] }), id },
      }),
    ])
    expect(both.map(({ status }) => status).toSorted()).toEqual([200, 409])
  })
})

describe('a rule that asks for a second person', () => {
  /** Create a requester, and a change that is pending approval. */
  async function waiting() {
    const at = await place()
    const { id: ruleId } = await at.writes({
      personGroupIds: [at.cleaners.id],
      deviceGroupIds: [at.floor.id],
      reaction: 'ask',
      sentence: 'Ask the treasurer.',
    })
    const body = { ...bodyOf('Cleaning', { groups: [at.cleaners], doors: [at.vault], rules: [at.byDay] }), deviceGroupIds: [at.floor.id] }
    const refused = await hindered(at.park.ask(strategyCalls.create, { body }))
    return { ...at, ruleId, body, refused, pendingId: refused.data.pendingChangeId! }
  }

  test('lets the change wait, and whoever else agrees makes it; the log names both', async () => {
    const { park, vault, refused, pendingId, second } = await waiting()
    expect(refused.data.fields).toMatchObject([{ path: '', rule: 'writtenRuleWaits', params: { name: 'Nobody at the vault' } }])
    expect((await park.call(strategyCalls.find, { body: {} })).total).toBe(0)
    expect(await park.ask(pendingChangeCalls.decide, { body: { id: pendingId, agree: true } })).toMatchObject({
      status: 400,
      data: { fields: [{ path: '', rule: 'pendingOwn' }] },
    })

    const other = await second()
    const read = await other.call(pendingChangeCalls.read, { params: { id: pendingId } })
    expect([(await park.call(pendingChangeCalls.read, { params: { id: pendingId } })).can, read.can]).toEqual([
      { decide: false },
      { decide: true },
    ])
    expect(read).toMatchObject({
      kind: 'strategy.create',
      label: 'Cleaning',
      state: 'waiting',
      own: false,
      expiresAt: NOW + PENDING_DAYS * DAY,
      breaches: refused.data.breaches,
      draft: { strategy: { name: 'Cleaning', deviceIds: [vault.id] } },
    })
    expect(await other.call(pendingChangeCalls.decide, { body: { id: pendingId, agree: true, remark: 'Once a year.' } })).toMatchObject({
      state: 'confirmed',
    })
    expect(
      (await park.call(questionCalls.whoCanPass, { body: { deviceIds: [vault.id], at: NOW + DAY } })).content.map(({ name }) => name),
    ).toEqual(['Cleo'])
    const decided = await park.call(pendingChangeCalls.read, { params: { id: pendingId } })
    expect(decided).toMatchObject({ state: 'confirmed', own: true, decidedBy: 'Somebody', remark: 'Once a year.', draft: null })
    expect(await other.ask(pendingChangeCalls.decide, { body: { id: pendingId, agree: true } })).toMatchObject({
      status: 400,
      data: { fields: [{ rule: 'pendingDecided' }] },
    })
    const entry = (await park.call(auditCalls.operations, { query: { size: 100 } })).content.find(({ url }) =>
      url.endsWith('pendingChange/decide'),
    )
    const detail = JSON.stringify(await park.call(auditCalls.operation, { params: { id: entry!.id } }))
    for (const words of ['"strategy"', '"pendingChange"', 'requestedBy', 'decidedBy', read.requestedBy, 'Somebody'])
      expect(detail).toContain(words)
  })

  test('lets a permission wait as well, and tells of each strategy what became of it', async () => {
    const { park, ruleId, cleo, vault, hall, second } = await waiting()
    const permit = () => park.call(permitCalls.persons, { body: { personIds: [cleo.id], deviceIds: [hall.id, vault.id] } })
    const outcomes = new Map((await permit()).map((one) => [one.name.split(' ')[0], one]))
    expect(outcomes.get('Hall')).toMatchObject({ outcome: 'added', breaches: [] })
    const waits = outcomes.get('Vault')!
    expect(waits).toMatchObject({ outcome: 'pending', breaches: [{ rule: { id: ruleId }, personCount: 1 }] })
    const passes = async () => (await park.call(strategyCalls.ofPerson, { query: { personId: cleo.id } })).map((one) => one.deviceId)
    expect(await passes()).toEqual([hall.id])
    await (await second()).call(pendingChangeCalls.decide, { body: { id: waits.pendingChangeId!, agree: true } })
    expect((await passes()).toSorted()).toEqual([hall.id, vault.id].toSorted())
    expect((await permit()).map(({ outcome }) => outcome)).toEqual(['already', 'already'])
  })

  test('asks once for the same: what is asked for later takes the place of what was asked before', async () => {
    const { park, body, pendingId, second, byDay } = await waiting()
    const later = await hindered(park.ask(strategyCalls.create, { body: { ...body, timeRuleIds: [byDay.id, (await park.timeRule()).id] } }))
    expect(later.data.pendingChangeId).not.toBe(pendingId)
    const waits = await (await second()).call(pendingChangeCalls.list, { query: { state: 'waiting' } })
    expect(waits.content.map(({ id }) => id)).toEqual([later.data.pendingChangeId])
  })

  test('rejects it with a remark, and nothing was changed', async () => {
    const { park, pendingId, second } = await waiting()
    expect(await (await second()).call(pendingChangeCalls.decide, { body: { id: pendingId, agree: false, remark: 'No.' } })).toEqual({
      id: pendingId,
      state: 'rejected',
    })
    expect((await park.call(strategyCalls.find, { body: {} })).total).toBe(0)
    expect((await park.call(pendingChangeCalls.list, { query: { state: 'rejected' } })).content).toMatchObject([
      { remark: 'No.', decidedBy: 'Somebody' },
    ])
  })

  test('is asked about what a change leaves out as it is stored, and makes the change with nothing else changed', async () => {
    const { park, cleaners, vault, hall, byDay, writes, second } = await place()
    const strategy = bodyOf('Cleaning', { groups: [cleaners], doors: [hall], rules: [byDay] })
    const { id } = await park.call(strategyCalls.create, { body: { ...strategy, validTo: now + 86_400_000 * 30 } })
    const before = await park.call(strategyCalls.read, { query: { id } })
    await writes({ personGroupIds: [cleaners.id], deviceIds: [vault.id], reaction: 'ask' })
    const change = { id, deviceIds: [hall.id, vault.id] }
    expect(await park.call(writtenRuleCalls.breaches, { body: { strategy: change } })).toMatchObject([{ personCount: 1, deviceCount: 1 }])
    const { data } = await hindered(park.ask(strategyCalls.change, { body: change }))
    const other = await second()
    const waits = await other.call(pendingChangeCalls.read, { params: { id: data.pendingChangeId! } })
    expect(waits).toMatchObject({ label: 'Cleaning', kind: 'strategy.change', draft: { strategy: change } })
    expect(await park.call(questionCalls.strategyEffect, { body: waits.draft!.strategy! })).toMatchObject({ gain: 1, lose: 0 })
    await other.call(pendingChangeCalls.decide, { body: { id: data.pendingChangeId!, agree: true } })
    const { devices: _d, deviceIds: _i, deviceCount: _c, version: _v, updatedAt: _u, ...kept } = before
    const after = await park.call(strategyCalls.read, { query: { id } })
    expect(after).toMatchObject(kept)
    expect(after.deviceIds.toSorted()).toEqual(change.deviceIds.toSorted())
    const rule = { id: byDay.id, periods: ALWAYS_OPEN }
    await writes({ name: 'No nights', personGroupIds: [cleaners.id], deviceIds: [hall.id], periods: EVENING, reaction: 'ask' })
    const { data: night } = await hindered(park.ask(timeRuleCalls.change, { body: rule }))
    expect(await other.call(pendingChangeCalls.read, { params: { id: night.pendingChangeId! } })).toMatchObject({ label: 'By day' })
    const group = await park.call(accessGroupCalls.create, { body: { name: 'Cellars', deviceIds: [] } })
    await park.call(strategyCalls.change, { body: { id, accessGroupIds: [group.id], deviceIds: [] } })
    const { data: doors } = await hindered(park.ask(accessGroupCalls.change, { body: { id: group.id, deviceIds: [vault.id] } }))
    expect(await other.call(pendingChangeCalls.read, { params: { id: doors.pendingChangeId! } })).toMatchObject({ label: 'Cellars' })
  })

  test('finds it outdated where what was to be changed is another by now', async () => {
    const { park, cleaners, cleo, vault, byDay, writes, second, hall } = await place()
    await park.call(strategyCalls.create, { body: bodyOf('Cleaning', { groups: [cleaners], doors: [vault], rules: [byDay] }) })
    await writes({ personIds: [cleo.id], deviceIds: [vault.id], periods: EVENING, reaction: 'ask' })
    const changed = { id: byDay.id, name: 'By day', periods: ALWAYS_OPEN }
    const { data } = await hindered(park.ask(timeRuleCalls.change, { body: changed }))
    await park.call(timeRuleCalls.change, { body: { ...changed, periods: every('09:00', '17:00') } })
    const other = await second()
    expect(await other.call(pendingChangeCalls.decide, { body: { id: data.pendingChangeId!, agree: true } })).toMatchObject({
      state: 'outdated',
    })
    expect((await park.call(timeRuleCalls.read, { params: { id: byDay.id } })).periods).toEqual(every('09:00', '17:00'))

    // The same for members that are no longer in this park.
    const { data: again } = await hindered(
      park.ask(strategyCalls.create, {
        body: bodyOf('Gone', { persons: [cleo], doors: [vault, hall], rules: [await park.timeRule()] }),
      }),
    )
    await park.call(deviceCalls.delete, { query: { ids: [hall.id] } })
    expect(await other.call(pendingChangeCalls.decide, { body: { id: again.pendingChangeId!, agree: true } })).toMatchObject({
      state: 'outdated',
    })
  })

  test('looks again when it is confirmed: a rule that refuses by now refuses', async () => {
    const { park, cleaners, vault, pendingId, second, writes } = await waiting()
    await writes({ name: 'Never', personGroupIds: [cleaners.id], deviceIds: [vault.id] })
    const other = await second()
    await hindered(other.ask(pendingChangeCalls.decide, { body: { id: pendingId, agree: true } }))
    expect((await park.call(strategyCalls.find, { body: {} })).total).toBe(0)
    expect(await other.call(pendingChangeCalls.read, { params: { id: pendingId } })).toMatchObject({ state: 'waiting' })
  })

  test.each<[string, (at: Awaited<ReturnType<typeof place>>) => Promise<unknown>]>([
    ['a person', ({ park, cleaners, stan }) => park.call(peopleCalls.move, { body: { ids: [stan.id], groupId: cleaners.id } })],
    [
      'a person in the place of another',
      async ({ park, cleaners, staff, cleo, stan }) => {
        await park.call(peopleCalls.move, { body: { ids: [stan.id], groupId: cleaners.id } })
        await park.call(peopleCalls.move, { body: { ids: [cleo.id], groupId: staff.id } })
      },
    ],
    ['an hour', ({ park, byDay }) => park.call(timeRuleCalls.change, { body: { id: byDay.id, name: byDay.name, periods: ALWAYS_OPEN } })],
    [
      'a day',
      ({ park, byDay }) =>
        park.call(timeRuleCalls.change, {
          body: { id: byDay.id, name: byDay.name, periods: DAYTIME, allowedExceptionDates: ['2027-03-03'] },
        }),
    ],
    ['a door', ({ park, hall, floor }) => park.call(deviceCalls.move, { body: { ids: [hall.id], groupId: floor.id } })],
    [
      'another rule that asks',
      ({ vault, staff, writes }) =>
        writes({ name: 'Staff alone', everybodyExcept: true, personGroupIds: [staff.id], deviceIds: [vault.id], reaction: 'ask' }),
    ],
  ])('finds it outdated where %s came to what whoever agrees was shown', async (_, widens) => {
    const at = await waiting()
    await widens(at)
    expect(await (await at.second()).call(pendingChangeCalls.decide, { body: { id: at.pendingId, agree: true } })).toMatchObject({
      state: 'outdated',
    })
    expect((await at.park.call(strategyCalls.find, { body: {} })).total).toBe(0)
  })

  test('is made where fewer would pass, at fewer hours, than was shown', async () => {
    const { park, cleaners, staff, cleo, vault, byDay, writes, second } = await place()
    const clara = await park.person({ name: 'Clara', groupId: cleaners.id })
    await writes({ personGroupIds: [cleaners.id], deviceIds: [vault.id], reaction: 'ask' })
    const { data } = await hindered(
      park.ask(strategyCalls.create, { body: bodyOf('Cleaning', { groups: [cleaners], doors: [vault], rules: [byDay] }) }),
    )
    await park.call(peopleCalls.move, { body: { ids: [clara.id], groupId: staff.id } })
    await park.call(timeRuleCalls.change, { body: { id: byDay.id, name: byDay.name, periods: every('09:00', '10:00') } })
    expect(await (await second()).call(pendingChangeCalls.decide, { body: { id: data.pendingChangeId!, agree: true } })).toMatchObject({
      state: 'confirmed',
    })
    await world.settled()
    const { content } = await park.call(questionCalls.whoCanPass, { body: { deviceIds: [vault.id], at: NOW + DAY - 8.5 * HOUR } })
    expect(content.map(({ id }) => id)).toEqual([cleo.id])
  })

  test('finds it outdated where what was shown was not kept, as it once was not', async () => {
    const { park, pendingId, second } = await waiting()
    await query(world.connectionString, 'UPDATE pending_change SET passages = NULL WHERE id = $1', [pendingId])
    expect(await (await second()).call(pendingChangeCalls.decide, { body: { id: pendingId, agree: true } })).toMatchObject({
      state: 'outdated',
    })
    expect((await park.call(strategyCalls.find, { body: {} })).total).toBe(0)
  })

  test('cannot be asked by an API user, whose maker could agree: what it wants is refused', async () => {
    const { park, cleaners, vault, byDay, writes } = await place()
    const rule = await writes({ personGroupIds: [cleaners.id], deviceIds: [vault.id], reaction: 'ask', sentence: 'Ask the treasurer.' })
    const { ApiKey, ApiSecret } = await park.call(clientCalls.create, {
      body: { name: `Rosters ${park.park.id}`, permissions: ['access', 'access.rule'], organisationId: park.park.id },
    })
    const { data } = await createClient(world.url, { basic: [ApiKey, ApiSecret] }).ask(identityCalls.token, {
      body: { grant_type: 'client_credentials' },
    })
    const program = createClient(world.url, { bearer: data.access_token })
    const strategy = bodyOf('Cleaning', { groups: [cleaners], doors: [vault], rules: [byDay] })
    for (const asking of [
      program.ask(strategyCalls.create, { body: strategy }),
      program.ask(writtenRuleCalls.change, { body: { id: rule.id, name: rule.name, enabled: false } }),
      program.ask(writtenRuleCalls.delete, { params: { id: rule.id } }),
    ]) {
      const refused = await hindered(asking)
      expect(refused.data.fields).toMatchObject([{ path: '', rule: 'writtenRuleByPerson', params: { name: rule.name } }])
      expect(refused.data).not.toHaveProperty('pendingChangeId')
      expect(refused.data.breaches).toMatchObject([{ rule: { id: rule.id } }])
    }
    expect((await park.call(pendingChangeCalls.list, { query: {} })).total).toBe(0)
    expect((await park.call(writtenRuleCalls.read, { params: { id: rule.id } })).enabled).toBe(true)
  })

  test('shows who asked and who decided masked to whoever sees names so', async () => {
    const { park, pendingId, second } = await waiting()
    await (await second()).call(pendingChangeCalls.decide, { body: { id: pendingId, agree: false } })
    const masking = await world.session({ park: park.park, masking: true })
    expect(await masking.call(pendingChangeCalls.read, { params: { id: pendingId } })).toMatchObject({
      requestedBy: mask('name', 'Administrator'),
      decidedBy: mask('name', 'Somebody'),
    })
  })

  test('forgets it after seven days', async () => {
    const { park, pendingId, second } = await waiting()
    now += PENDING_DAYS * DAY - 1
    expect(await (await second()).call(pendingChangeCalls.read, { params: { id: pendingId } })).toMatchObject({ state: 'waiting' })
    now += 1
    const later = await second()
    expect(await later.call(pendingChangeCalls.read, { params: { id: pendingId } })).toMatchObject({ state: 'expired', draft: null })
    expect(await later.ask(pendingChangeCalls.decide, { body: { id: pendingId, agree: true } })).toMatchObject({ status: 400 })
    expect((await later.call(pendingChangeCalls.list, { query: { state: 'waiting' } })).total).toBe(0)
    await world.server.contexts.approvals.pendingChanges.upkeep()
    expect((await later.call(pendingChangeCalls.list, { query: { state: 'expired' } })).content.map(({ id }) => id)).toEqual([pendingId])
    now = NOW
    expect((await park.call(strategyCalls.find, { body: {} })).total).toBe(0)
  })
})

describe('loosening a rule that asks for a second person', () => {
  /** Create a rule that forbids cleaners to pass the vault by day, unless another user agrees. */
  async function guarded() {
    const at = await place()
    const { id } = await at.writes({
      personGroupIds: [at.cleaners.id, at.services.id],
      personIds: [at.cleo.id],
      kinds: ['customer'],
      deviceIds: [at.vault.id, at.hall.id],
      deviceGroupIds: [at.floor.id],
      periods: DAYTIME,
      reaction: 'ask',
      sentence: 'Ask the treasurer.',
    })
    const read = () => at.park.call(writtenRuleCalls.read, { params: { id } })
    const change = (fields: RuleFields) => at.park.ask(writtenRuleCalls.change, { body: { id, name: 'Nobody at the vault', ...fields } })
    const remove = () => at.park.ask(writtenRuleCalls.delete, { params: { id } })
    return { ...at, id, read, change, remove }
  }
  type Guarded = Awaited<ReturnType<typeof guarded>>

  const LOOSER: [string, (at: Guarded) => RuleFields][] = [
    ['switching it off', () => ({ enabled: false })],
    ['refusing instead, which one person can switch off', () => ({ reaction: 'refuse' })],
    ['a group less', ({ cleaners }) => ({ personGroupIds: [cleaners.id] })],
    ['a person less', () => ({ personIds: [] })],
    ['a kind less', () => ({ kinds: [] })],
    ['a door less', ({ vault }) => ({ deviceIds: [vault.id] })],
    ['a group of doors less', () => ({ deviceGroupIds: [] })],
    ['others than those named', () => ({ everybodyExcept: true })],
    ['shorter hours', () => ({ periods: every('09:00', '20:00') })],
  ]
  test.each(LOOSER)('waits: %s', async (_, fieldsOf) => {
    const at = await guarded()
    const before = await at.read()
    const { data } = await hindered(at.change(fieldsOf(at)))
    expect(data).toMatchObject({
      fields: [{ path: '', rule: 'writtenRuleLoosened', params: { name: 'Nobody at the vault', sentence: 'Ask the treasurer.' } }],
      breaches: [{ rule: { id: at.id }, personCount: 0 }],
      pendingChangeId: expect.any(String),
    })
    expect(await at.read()).toEqual(before)
  })

  test('of everybody except some waits where it lets more pass', async () => {
    const { park, cleaners, staff, vault, writes } = await place()
    const rule = { everybodyExcept: true, personGroupIds: [cleaners.id], deviceIds: [vault.id], reaction: 'ask' as const }
    const { id } = await writes(rule)
    await hindered(park.ask(writtenRuleCalls.change, { body: { id, name: 'Wider', personGroupIds: [cleaners.id, staff.id] } }))
    expect(await park.call(writtenRuleCalls.change, { body: { id, name: 'Stricter', personGroupIds: [] } })).toEqual({ id })
  })

  test('needs nobody where it becomes stricter, is called otherwise, or is not in force', async () => {
    const { park, id, change, read, remove, staff, second } = await guarded()
    const { personGroupIds } = await read()
    expect(await change({ name: 'Called otherwise', sentence: 'Ask somebody.' })).toMatchObject({ status: 200 })
    expect(await change({ personGroupIds: [...personGroupIds, staff.id], periods: [] })).toMatchObject({ status: 200 })
    const off = await hindered(change({ enabled: false }))
    await (await second()).call(pendingChangeCalls.decide, { body: { id: off.data.pendingChangeId!, agree: true } })
    expect(await read()).toMatchObject({ enabled: false })
    expect(await change({ personIds: [], deviceGroupIds: [] })).toMatchObject({ status: 200 })
    expect(await change({ enabled: true })).toMatchObject({ status: 200 })
    await hindered(remove())
    expect((await park.call(writtenRuleCalls.read, { params: { id } })).enabled).toBe(true)
  })

  test('is made once somebody else agrees, who sees what would become of the rule', async () => {
    const { park, id, change, second, read, remove } = await guarded()
    const { data } = await hindered(change({ enabled: false }))
    expect((await park.call(writtenRuleCalls.list, { query: {} })).content).toMatchObject([
      { id, waiting: { id: data.pendingChangeId, requestedBy: 'Administrator' } },
    ])
    expect(await park.ask(pendingChangeCalls.decide, { body: { id: data.pendingChangeId!, agree: true } })).toMatchObject({
      status: 400,
      data: { fields: [{ rule: 'pendingOwn' }] },
    })
    const other = await second()
    expect(await other.call(pendingChangeCalls.read, { params: { id: data.pendingChangeId! } })).toMatchObject({
      kind: 'writtenRule.change',
      label: 'Nobody at the vault',
      draft: null,
      ruleEdit: {
        stored: { id, enabled: true },
        wanted: { id, enabled: false, personGroups: [{ name: 'Cleaners' }, { name: 'Services' }] },
      },
    })
    await other.call(pendingChangeCalls.decide, { body: { id: data.pendingChangeId!, agree: true } })
    expect(await read()).toMatchObject({ enabled: false })
    expect((await park.call(writtenRuleCalls.list, { query: {} })).content).toMatchObject([{ id, waiting: null }])

    await change({ enabled: true })
    const removal = await hindered(remove())
    expect(await other.call(pendingChangeCalls.read, { params: { id: removal.data.pendingChangeId! } })).toMatchObject({
      kind: 'writtenRule.delete',
      ruleEdit: { stored: { id }, wanted: null },
    })
    await other.call(pendingChangeCalls.decide, { body: { id: removal.data.pendingChangeId!, agree: true } })
    expect(await park.ask(writtenRuleCalls.read, { params: { id } })).toMatchObject({ status: 404 })
  })

  test('is outdated once the rule is another', async () => {
    const { change, remove, second } = await guarded()
    const [off, removal] = [await hindered(change({ enabled: false })), await hindered(remove())]
    await change({ name: 'Called otherwise' })
    const other = await second()
    for (const { data } of [off, removal])
      expect(await other.call(pendingChangeCalls.decide, { body: { id: data.pendingChangeId!, agree: true } })).toMatchObject({
        state: 'outdated',
      })
  })

  test('cannot be gone round by switching the rule off for the time of a change', async () => {
    const { park, cleaners, vault, byDay, change } = await guarded()
    await hindered(change({ enabled: false }))
    await hindered(park.ask(strategyCalls.create, { body: bodyOf('Cleaning', { groups: [cleaners], doors: [vault], rules: [byDay] }) }))
    expect((await park.call(strategyCalls.find, { body: {} })).total).toBe(0)
  })
})

describe('persons of a linked park', () => {
  /** Create a place linked to another park, which shares a crew of two with it. */
  async function linked() {
    const at = await place()
    const home = await world.addPark({ zone: 'Asia/Shanghai' })
    const crew = await home.personGroup({ name: 'Crew' })
    const [ann, bea] = [await home.person({ name: 'Ann', groupId: crew.id }), await home.person({ name: 'Bea', groupId: crew.id })]
    const { verificationCode: authorisationCode } = await at.park.call(areaCalls.verificationCode, { query: {} })
    const { id } = await home.call(relationCalls.apply, { body: { authorisationCode, personGroupIds: [crew.id] } })
    await at.park.call(relationCalls.change, { body: { id, status: 'agreed' } })
    const guests = (doors: Made[]) => ({
      name: 'Crew',
      parkId: home.park.id,
      everybody: true,
      deviceIds: doors.map((door) => door.id),
      timeRuleIds: [at.byDay.id],
      methods: METHODS,
    })
    return { ...at, home, crew, ann, bea, guests }
  }
  const { create, change, list } = associatedRuleCalls

  test('are let pass by no rule that goes against a written one, whoever of them it names', async () => {
    const { park, vault, hall, ann, guests, writes, home } = await linked()
    const { id: ruleId } = await writes({ kinds: ['staff'], deviceIds: [vault.id], sentence: 'Ask the treasurer.' })
    const refused = await hindered(park.ask(create, { body: guests([vault, hall]) }))
    expect(refused.data.breaches).toMatchObject([
      { rule: { id: ruleId }, reaction: 'refuse', personCount: 2, deviceCount: 1, deviceNames: ['Vault'], periods: DAYTIME },
    ])
    expect((await park.call(list, { body: {} })).total).toBe(0)

    const { everybody: _, ...specified } = guests([vault])
    const draft = { associatedRule: { ...specified, personIds: [ann.id] } }
    expect(await park.call(writtenRuleCalls.breaches, { body: draft })).toMatchObject([{ personCount: 1 }])
    expect((await park.call(writtenRuleCalls.breachers, { body: { ...draft, writtenRuleId: ruleId } })).content).toMatchObject([
      { id: ann.id, name: 'Ann', parkName: home.park.name, deviceNames: ['Vault'] },
    ])

    const { id } = await park.call(create, { body: guests([hall]) })
    expect((await hindered(park.ask(change, { body: { ...guests([hall, vault]), id } }))).data.breaches).toMatchObject([{ personCount: 2 }])
    await park.call(change, { body: { ...guests([hall]), id, name: 'The crew' } })
  })

  test('count where hours or doors change, and among those who stand against a rule already', async () => {
    const { park, vault, floor, hall, byDay, guests, writes, home, cleo } = await linked()
    await park.call(create, { body: guests([hall]) })
    await park.strategy({ name: 'Cleaning', persons: [cleo], devices: [hall], timeRules: [byDay] })
    await writes({ name: 'Quiet evenings', everybodyExcept: true, deviceIds: [hall.id], periods: EVENING })
    const open = { id: byDay.id, name: 'By day', periods: ALWAYS_OPEN }
    expect((await hindered(park.ask(timeRuleCalls.change, { body: open }))).data.breaches).toMatchObject([
      { personCount: 3, periods: EVENING },
    ])

    await writes({ name: 'Nobody on the floor', kinds: ['staff'], deviceGroupIds: [floor.id] })
    expect((await hindered(park.ask(deviceCalls.move, { body: { ids: [hall.id], groupId: floor.id } }))).data.breaches).toMatchObject([
      { personCount: 3 },
    ])

    const { content, total } = await park.call(writtenRuleCalls.standing, {
      body: { kinds: ['staff'], deviceIds: [hall.id, vault.id], size: 20 },
    })
    expect([total, ...content.map(({ name, parkName }) => [name, parkName])]).toEqual([
      3,
      ['Ann', home.park.name],
      ['Bea', home.park.name],
      ['Cleo', null],
    ])
    // Persons whom the other park shares later need no approval, but they are listed.
    await home.person({ name: 'Cid', groupId: (await home.call(peopleCalls.read, { query: { id: content[0]!.id } })).groupId })
    expect((await park.call(writtenRuleCalls.standing, { body: { kinds: ['staff'], deviceIds: [hall.id] } })).total).toBe(4)
  })

  test('pass by what a second person agrees to, once he has', async () => {
    const { park, vault, guests, writes, second } = await linked()
    await writes({ kinds: ['staff'], deviceIds: [vault.id], reaction: 'ask' })
    const { data } = await hindered(park.ask(create, { body: guests([vault]) }))
    const other = await second()
    expect(await other.call(pendingChangeCalls.read, { params: { id: data.pendingChangeId! } })).toMatchObject({
      kind: 'associatedRule.create',
      label: 'Crew',
      draft: { associatedRule: { name: 'Crew' } },
    })
    expect(await other.call(pendingChangeCalls.decide, { body: { id: data.pendingChangeId!, agree: true } })).toMatchObject({
      state: 'confirmed',
    })
    const [rule] = (await park.call(list, { body: {} })).content
    expect(rule).toMatchObject({ name: 'Crew', personCount: 2 })

    // Existing breaches need no further approval, and a change that has become outdated can no longer be approved.
    const body = { ...guests([vault]), id: rule!.id, timeRuleIds: [(await park.timeRule({ periods: ALWAYS_OPEN })).id] }
    const later = await hindered(park.ask(change, { body }))
    await park.call(change, { body: { ...guests([vault]), id: rule!.id, name: 'The crew' } })
    expect(await other.call(pendingChangeCalls.decide, { body: { id: later.data.pendingChangeId!, agree: true } })).toMatchObject({
      state: 'outdated',
    })
  })

  test('who are named pass, and nobody beside them, once a second person has agreed', async () => {
    const { park, vault, ann, guests, writes, second } = await linked()
    await writes({ kinds: ['staff'], deviceIds: [vault.id], reaction: 'ask' })
    const { everybody: _, ...specified } = guests([vault])
    const { data } = await hindered(park.ask(create, { body: { ...specified, personIds: [ann.id] } }))
    expect(data.breaches).toMatchObject([{ personCount: 1 }])
    await (await second()).call(pendingChangeCalls.decide, { body: { id: data.pendingChangeId!, agree: true } })
    expect((await park.call(list, { body: {} })).content).toMatchObject([{ everybody: false, personCount: 1 }])
    await world.settled()
    const { content } = await park.call(questionCalls.whoCanPass, { body: { deviceIds: [vault.id] } })
    expect(content.map(({ name }) => name)).toEqual(['Ann'])
  })

  test('named beside everybody, as was once taken, are not guessed about: nothing is made of it', async () => {
    const { park, vault, ann, guests, writes, second } = await linked()
    await writes({ kinds: ['staff'], deviceIds: [vault.id], reaction: 'ask' })
    const { data } = await hindered(park.ask(create, { body: guests([vault]) }))
    const asked = { ...guests([vault]), kind: 'staff', personIds: [ann.id], personGroupIds: [], deviceGroupIds: [] }
    const id = data.pendingChangeId!
    const sealed = await world.server.platform.crypto.seal(park.park.id, placeOf(PENDING_BODY, id), Buffer.from(JSON.stringify(asked)))
    await query(world.connectionString, 'UPDATE pending_change SET body = $2 WHERE id = $1', [id, sealed])
    expect(await (await second()).call(pendingChangeCalls.decide, { body: { id: data.pendingChangeId!, agree: true } })).toMatchObject({
      state: 'outdated',
    })
    expect((await park.call(list, { body: {} })).total).toBe(0)
  })
})
