/** Associated rules: persons of a linked park may pass here, as long as both parks agree. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { associatedRuleCalls, associatedSyncCalls } from '@gatehouse/contract/strategies/associated-rules'
import { recordCalls } from '@gatehouse/contract/records/calls'
import { strategyCalls, timeRuleCalls } from '@gatehouse/contract/strategies/calls'
import { accessMethod, personSyncStatus } from '@gatehouse/contract/enums/access'
import { areaCalls } from '@gatehouse/contract/organisation/areas'
import { peopleCalls } from '@gatehouse/contract/people/calls'
import { privacyCalls } from '@gatehouse/contract/privacy/calls'
import { relationCalls } from '@gatehouse/contract/relations/calls'
import { startWorld, type Site, type World, type WorldTerminal } from '@gatehouse/dev-env/world'
import { query } from '../../../../../tests/support/embedded-postgres.ts'
import { until } from '../../../../../tests/support/until.ts'
import { dismiss, entitled, expectedAt, idsOf, link, linkedParks, ruleOf } from './testing/associated.ts'

let world: World
let photos: Buffer[]
let offset = 0
beforeAll(async () => {
  world = await startWorld({ clock: { now: () => Date.now() + offset } })
  const [one] = world.photographs.kind === 'real' ? [world.photographs.person('colin_powell')] : world.photographs.people
  photos = await Promise.all([one!.photo(1), one!.photo(2)])
})
afterAll(() => world?.stop())

const DAY = 86_400_000
const { create, change, read, list, relatedParks, persons } = associatedRuleCalls

const synchronisation = () => world.server.contexts.synchronisation.service

describe('a rule', () => {
  test('is added, read, listed, changed and deleted by the park that lets pass', async () => {
    const { home, host, first, second, group, rule, door } = await linkedParks(world)
    const { id } = await host.call(create, { body: rule })
    expect(await host.call(read, { query: { id } })).toMatchObject({
      ...rule,
      everybodyConfirmed: true,
      kind: 'staff',
      parkName: home.park.name,
      linked: true,
      personCount: 2,
      deviceCount: 1,
      persons: [],
      personGroups: [],
      validFrom: null,
      validTo: null,
      devices: [{ id: door.id, name: door.name }],
    })
    expect((await host.call(list, { body: {} })).content).toMatchObject([{ id, name: rule.name, personCount: 2, parkName: home.park.name }])
    const { version } = await host.call(read, { query: { id } })
    await host.call(change, { body: { ...rule, id, version, name: 'Only one', everybody: false, personIds: [first.id] } })
    expect(await host.call(read, { query: { id } })).toMatchObject({
      name: 'Only one',
      everybody: false,
      persons: [{ id: first.id, name: 'Ann', workNumber: first.workNumber }],
      personCount: 1,
    })
    expect(await expectedAt(world, host, door)).toEqual(idsOf(first))
    expect(await host.ask(change, { body: { ...rule, id, version } })).toMatchObject({ status: 409 })
    await host.call(change, { body: { ...rule, id, everybody: false, personGroupIds: [group.id] } })
    expect(await host.call(read, { query: { id } })).toMatchObject({ personGroups: [{ id: group.id, name: 'Crew' }], personCount: 2 })
    expect(await expectedAt(world, host, door)).toEqual(idsOf(first, second))
    const listed = async (body: object) => (await host.call(list, { body })).total
    expect([
      await listed({ name: 'guests' }),
      await listed({ name: 'nobody' }),
      await listed({ kind: 'visitor' }),
      await listed({ parkId: home.park.id }),
      await listed({ parkId: host.park.id }),
      await listed({ parkId: '00000000-0000-4000-8000-000000000000' }),
    ]).toEqual([1, 0, 0, 1, 0, 0])
    await host.call(associatedRuleCalls.delete, { query: { id } })
    expect(await host.ask(read, { query: { id } })).toMatchObject({ code: 300101 })
    expect(await host.ask(associatedRuleCalls.delete, { query: { id } })).toMatchObject({ code: 300101 })
    expect(await expectedAt(world, host, door)).toEqual([])
  })

  test('stands beside strategies and is none of them to others: no other park sees it, no strategy call changes it', async () => {
    const { home, host, rule } = await linkedParks(world)
    const { id } = await host.call(create, { body: rule })
    expect(await home.ask(read, { query: { id } })).toMatchObject({ code: 300101 })
    expect((await host.call(strategyCalls.find, { body: {} })).content.map((row) => row.id)).not.toContain(id)
    expect((await host.call(strategyCalls.all, { query: {} })).map((row) => row.id)).not.toContain(id)
    expect(await host.ask(strategyCalls.read, { query: { id } })).toMatchObject({ code: 300101 })
    expect(await host.ask(strategyCalls.delete, { query: { id } })).toMatchObject({ code: 300101 })
    const strategy = await host.strategy()
    expect(await host.ask(read, { query: { id: strategy.id } })).toMatchObject({ code: 300101 })
    expect(await host.ask(associatedSyncCalls.counts, { query: { strategyId: strategy.id } })).toMatchObject({ code: 300101 })
  })

  test('is refused with what strategies are refused with', async () => {
    const { host, rule } = await linkedParks(world)
    await host.call(create, { body: rule })
    const refused = async (fields: object) => (await host.ask(create, { body: { ...rule, name: 'Another', ...fields } })).code
    expect(await refused({ name: rule.name })).toBe(900004)
    expect(await refused({ methods: [accessMethod.face] })).toBe(300206)
    expect(await refused({ validFrom: 2000, validTo: 1000 })).toBe(900007)
    expect(await refused({ timeRuleIds: ['01920000-0000-7000-8000-000000000001'] })).toBe(300001)
    expect(await refused({ timeRuleIds: [] })).toBe(400)
  })

  test('names only a park that is linked, persons and groups it shares, and devices of its own park', async () => {
    const { home, host, first, alone, rule } = await linkedParks(world)
    const strange = await world.addPark()
    const field = async (fields: object) => {
      const answer = await host.ask(create, { body: { ...rule, everybody: false, personIds: [first.id], ...fields } })
      return answer.status === 400
        ? (answer.data as unknown as { fields: { path: string; rule: string }[] }).fields.map(({ path, rule: name }) => `${path} ${name}`)
        : answer.code
    }
    expect(await field({ parkId: strange.park.id })).toEqual(['parkId unknown'])
    expect(await field({ parkId: host.park.id })).toEqual(['parkId unknown'])
    expect(await field({ personIds: [alone.id] })).toEqual(['personIds unknown'])
    expect(await field({ personIds: [(await host.person()).id] })).toEqual(['personIds unknown'])
    expect(await field({ personGroupIds: [alone.groupId] })).toEqual(['personGroupIds unknown'])
    expect(await field({ deviceIds: [(await home.device()).id], deviceGroupIds: ['00000000-0000-4000-8000-000000000000'] })).toEqual([
      'deviceIds unknown',
      'deviceGroupIds unknown',
    ])
    // The same link does not let the sharing park create rules at the other's doors.
    expect(await home.ask(create, { body: { ...rule, parkId: host.park.id } })).toMatchObject({ status: 400 })
  })

  test('about visitors is kept and lets nobody of the staff pass', async () => {
    const { home, host, rule, door } = await linkedParks(world)
    const { id } = await host.call(create, { body: { ...rule, kind: 'visitor', everybody: false } })
    expect(await host.call(read, { query: { id } })).toMatchObject({
      kind: 'visitor',
      everybody: true,
      personCount: 0,
      parkId: home.park.id,
    })
    expect((await host.call(list, { body: { kind: 'visitor' } })).total).toBe(1)
    expect(await expectedAt(world, host, door)).toEqual([])
  })

  test('keeps its time rule from being deleted', async () => {
    const { host, rule } = await linkedParks(world)
    const { id } = await host.call(create, { body: rule })
    const remove = () => host.ask(timeRuleCalls.delete, { body: { ids: rule.timeRuleIds } })
    const inUse = await remove()
    const other = await host.strategy({ timeRules: [await host.timeRule({ name: 'Used' })] })
    const used = await host.call(strategyCalls.read, { query: { id: other.id } })
    expect(inUse.code).toBe((await host.ask(timeRuleCalls.delete, { body: { ids: used.timeRuleIds } })).code)
    expect(inUse.code).not.toBe(0)
    await host.call(associatedRuleCalls.delete, { query: { id } })
    expect((await remove()).code).toBe(0)
  })

  test('offers the parks that share, how many, by which groups, and whom', async () => {
    const { home, host, first, group } = await linkedParks(world)
    expect(await host.call(relatedParks, {})).toEqual([
      { id: home.park.id, parkName: home.park.name, personCount: 2, personGroups: [{ id: group.id, name: 'Crew', personCount: 2 }] },
    ])
    expect(await home.call(relatedParks, {})).toEqual([])
    const offered = async (name: string) => (await host.call(persons, { query: { parkId: home.park.id, name } })).content
    expect((await offered('')).map(({ name }) => name)).toEqual(['Ann', 'Bea'])
    expect(await offered('an')).toEqual([{ id: first.id, name: 'Ann', workNumber: first.workNumber }])
    expect(await home.ask(persons, { query: { parkId: host.park.id } })).toMatchObject({ status: 400 })
    const masked = await world.session({ park: host.park, permissions: ['park.access.rule'], masking: true })
    expect((await masked.call(persons, { query: { parkId: home.park.id } })).content.map(({ name }) => name)).not.toContain('Ann')
  })

  test('is for those who may, and for nobody else', async () => {
    const { host, rule } = await linkedParks(world)
    const guard = await world.session({ park: host.park, permissions: ['access.rule', 'person.list', 'park.related'] })
    for (const answer of [
      await guard.ask(list, { body: {} }),
      await guard.ask(create, { body: rule }),
      await guard.ask(relatedParks, {}),
      await guard.ask(associatedSyncCalls.persons, { query: { strategyId: 'any' } }),
    ])
      expect(answer).toMatchObject({ status: 403, code: 100510 })
    const able = await world.session({ park: host.park, permissions: ['park.access.rule'] })
    expect((await able.ask(create, { body: rule })).code).toBe(0)
  })
})

describe('whom a door holds', () => {
  test(
    'follows the link: agreed, about others, dismissed by either, and not agreed anew by another link ' +
      '[STATE:parkSyncApplication:applied>agreed] [STATE:parkSyncApplication:agreed>dismissed]',
    async () => {
      const { home, host, first, second, alone, relation, door, rule } = await linkedParks(world)
      const { id } = await host.call(create, { body: rule })
      expect(await expectedAt(world, host, door)).toEqual(idsOf(first, second))
      await home.call(relationCalls.change, { body: { id: relation, personIds: [alone.id] } })
      expect(await expectedAt(world, host, door)).toEqual(idsOf(first, second, alone))
      await home.call(relationCalls.change, { body: { id: relation, personGroupIds: [] } })
      expect(await expectedAt(world, host, door)).toEqual(idsOf(alone))
      await dismiss(home, relation)
      expect(await expectedAt(world, host, door)).toEqual([])
      expect(await host.call(read, { query: { id } })).toMatchObject({ linked: false, personCount: 0, persons: [] })
      await link(home, host, { personIds: [first.id] })
      // For persons who may pass again, the park has to save the rule again.
      expect(await expectedAt(world, host, door)).toEqual([])
      await host.call(change, { body: { ...rule, id } })
      expect(await expectedAt(world, host, door)).toEqual(idsOf(first))
    },
  )

  test('follows the park that has them: who comes into the group or below it, moves away or is deleted', async () => {
    const { home, host, group, first, second, door, rule } = await linkedParks(world)
    await host.call(create, { body: rule })
    const below = await home.personGroup({ parentId: group.id })
    const third = await home.person({ groupId: below.id })
    expect(await expectedAt(world, host, door)).toEqual(idsOf(first, second, third))
    await home.call(peopleCalls.move, { body: { ids: [second.id], groupId: (await home.personGroup()).id } })
    expect(await expectedAt(world, host, door)).toEqual(idsOf(first, third))
    await home.call(peopleCalls.delete, { query: { ids: [first.id] }, body: undefined })
    expect(await expectedAt(world, host, door)).toEqual(idsOf(third))
    await home.call(peopleCalls.changeGroup, { body: { id: below.id, parentId: null } })
    expect(await expectedAt(world, host, door)).toEqual([])
  })

  test('lets those go whose validity at home has ended, and takes nobody before it begins', async () => {
    const { home, host, group, first, second, door, rule } = await linkedParks(world)
    await host.call(create, { body: rule })
    const now = Date.now()
    const ending = await home.person({ groupId: group.id, validTo: now + DAY })
    const later = await home.person({ groupId: group.id, validFrom: now + 20 * DAY })
    expect(await expectedAt(world, host, door)).toEqual(idsOf(first, second, ending))
    offset = 2 * DAY
    synchronisation().passTime()
    expect(await expectedAt(world, host, door)).toEqual(idsOf(first, second))
    offset = 14 * DAY
    synchronisation().passTime()
    expect(await expectedAt(world, host, door)).toEqual(idsOf(first, second, later))
    offset = 0
    synchronisation().passTime()
  })

  test('takes nobody out of a rule for all when one of the chosen is deleted: a rule about chosen ones stays one', async () => {
    const { home, host, first, second, door, rule } = await linkedParks(world)
    const { id } = await host.call(create, { body: { ...rule, everybody: false, personIds: [first.id] } })
    await home.call(peopleCalls.delete, { query: { ids: [first.id] }, body: undefined })
    expect(await expectedAt(world, host, door)).toEqual([])
    expect(await host.call(read, { query: { id } })).toMatchObject({ everybody: false, personIds: [], personCount: 0 })
    expect(second.id).not.toBe(first.id)
  })

  test('is what it was after a restart', async () => {
    const { host, first, second, door, rule } = await linkedParks(world)
    await host.call(create, { body: rule })
    const before = await expectedAt(world, host, door)
    await world.interrupted(async () => {})
    expect(await expectedAt(world, host, door)).toEqual(before)
    expect(before).toEqual(idsOf(first, second))
  })

  test('ends with the park that shared', async () => {
    const { home, host, door, rule } = await linkedParks(world)
    await host.call(create, { body: rule })
    expect(await expectedAt(world, host, door)).toHaveLength(2)
    expect((await world.ask(areaCalls.delete, { params: { id: home.park.id } })).code).toBe(0)
    expect(await expectedAt(world, host, door)).toEqual([])
    expect((await host.call(list, { body: {} })).total).toBe(0)
  })

  test('is answered as strategies answer it: who can pass, now and at a moment that is over', async () => {
    const { host, relation, door, rule } = await linkedParks(world)
    await host.call(create, { body: rule })
    await expectedAt(world, host, door)
    expect((await entitled(host, door)).toSorted()).toEqual(['Ann', 'Bea'])
    const then = Date.now()
    await until('the clock to move on', () => Date.now() > then + 5)
    await dismiss(host, relation)
    expect(await entitled(host, door)).toEqual([])
    expect((await entitled(host, door, { at: then })).toSorted()).toEqual(['Ann', 'Bea'])
  })
})

/** Create a park that shares one person with a photo, and a terminal of another park that admits them. */
async function passing(): Promise<{
  home: Site
  host: Site
  person: { id: string; name: string; workNumber: string }
  relation: string
  rule: { id: string }
  terminal: WorldTerminal
  look(): ReturnType<WorldTerminal['show']>
}> {
  const [home, host] = [await world.addPark({ name: 'Riverside' }), await world.addPark()]
  const person = await home.person({ name: 'Ada Guest', workNumber: `G-${host.park.id.slice(-8)}`, photo: photos[0]! })
  const relation = await link(home, host, { personIds: [person.id] })
  const terminal = await world.terminal(await host.device({ name: 'East door' }))
  const rule = await host.call(create, { body: await ruleOf(host, home, [terminal.device]) })
  await world.settled()
  return { home, host, person, relation, rule, terminal, look: () => terminal.show(photos[1]!) }
}

describe('a guest at a real terminal', () => {
  test('is let in; the record names him and his park, tells why, and his own park sees it', async () => {
    const { home, host, person, rule, terminal, look } = await passing()
    expect(await look()).toMatchObject({ verdict: 'allowed', personId: person.id })
    await world.settled()
    const { content } = await host.call(recordCalls.find, { body: {} })
    expect(content).toMatchObject([
      {
        personId: person.id,
        personName: 'Ada Guest',
        workNumber: person.workNumber,
        personParkName: 'Riverside',
        result: 1,
        deviceId: terminal.device.id,
        registeredImage: expect.stringContaining('/files/'),
      },
    ])
    const why = await host.call(recordCalls.why, { params: { id: content[0]!.id } })
    expect(why).toMatchObject({
      strategy: { id: rule.id, name: expect.stringContaining('Guests') },
      currency: { current: true, changes: [] },
    })
    const seen = await home.call(recordCalls.linkedOfPerson, { query: { personId: person.id } })
    expect(seen.content).toMatchObject([{ parkName: host.park.name, personName: 'Ada Guest' }])
    await terminal.stop()
  })

  test('is refused where the rule names others of his park only, and let in once it names him', async () => {
    const { home, host, person, relation, rule, terminal, look } = await passing()
    const other = await home.person({ name: 'Bea Other' })
    await home.call(relationCalls.change, { body: { id: relation, personIds: [person.id, other.id] } })
    const { everybody: _, ...specified } = await ruleOf(host, home, [terminal.device])
    await host.call(associatedRuleCalls.delete, { query: { id: rule.id } })
    const { id } = await host.call(create, { body: { ...specified, kind: 'staff', personIds: [other.id] } })
    await world.settled()
    expect(await look()).toMatchObject({ verdict: 'rejected' })
    await host.call(change, { body: { ...specified, kind: 'staff', id, personIds: [person.id] } })
    await world.settled()
    expect(await look()).toMatchObject({ verdict: 'allowed', personId: person.id })
    await host.call(change, { body: { ...specified, kind: 'staff', id, personIds: [other.id] } })
    await world.settled()
    expect(await look()).toMatchObject({ verdict: 'rejected' })
    await terminal.stop()
  })

  test.each([
    [
      'the link is dismissed by the park that lets pass [STATE:parkSyncApplication:agreed>dismissed]',
      ({ host, relation }: Awaited<ReturnType<typeof passing>>) => dismiss(host, relation),
    ],
    [
      'the link is no longer about him',
      ({ home, relation }: Awaited<ReturnType<typeof passing>>) =>
        home.call(relationCalls.change, { body: { id: relation, personIds: [] } }),
    ],
    [
      'the rule is deleted',
      ({ host, rule }: Awaited<ReturnType<typeof passing>>) => host.call(associatedRuleCalls.delete, { query: { id: rule.id } }),
    ],
    [
      'he is deleted at home',
      ({ home, person }: Awaited<ReturnType<typeof passing>>) =>
        home.call(peopleCalls.delete, { query: { ids: [person.id] }, body: undefined }),
    ],
  ])('is let go by the terminal when %s', async (_, end) => {
    const at = await passing()
    expect(await at.look()).toMatchObject({ verdict: 'allowed' })
    await end(at)
    await world.settled()
    expect(await at.look()).toMatchObject({ verdict: 'rejected', personId: null })
    const scope = { parkId: at.host.park.id }
    expect(await synchronisation().confirmedDeletions(scope, at.terminal.device.id, [at.person.id])).toEqual([at.person.id])
    await at.terminal.stop()
  })

  test('who is erased at home leaves no name here: the receipt waits for the terminal of the linked park', async () => {
    const { home, host, person, terminal, look } = await passing()
    expect(await look()).toMatchObject({ verdict: 'allowed' })
    await world.settled()
    await home.call(privacyCalls.changePolicy, {
      body: {
        consentRequired: false,
        consentText: {},
        recordsOnErasure: 'pseudonymise',
        retention: { staff: null, customer: null, special: null },
      },
    })
    await terminal.stop()
    const preview = await home.call(privacyCalls.preview, { query: { personIds: [person.id] } })
    expect(preview.places).toEqual(
      expect.arrayContaining([
        { place: 'terminal', count: 1, kept: false },
        { place: 'records', count: 1, kept: false },
      ]),
    )
    const { erasureIds } = await home.call(privacyCalls.erase, { body: { personIds: [person.id], reason: 'Asked for' } })
    const receipt = () => home.call(privacyCalls.read, { params: { id: erasureIds[0]! } })
    const waiting = await until('all but the terminal', async () => {
      const now = await receipt()
      return now.places.every(({ state, deviceId }) => state !== 'pending' || deviceId !== null) ? now : null
    })
    expect(waiting.places.filter(({ state }) => state === 'pending')).toMatchObject(
      ['terminal', 'terminalRecords'].map((place) => ({ place, name: `East door (${host.park.name})`, deviceId: terminal.device.id })),
    )
    const back = await world.terminal(terminal.device)
    const done = await until('the receipt to be complete', async () => {
      const now = await receipt()
      return now.completedAt === null ? null : now
    })
    expect(done.places.filter(({ deviceId }) => deviceId !== null)).toMatchObject([
      { state: 'done', removed: false },
      { state: 'done', removed: false },
    ])
    const records = (await host.call(recordCalls.find, { body: {} })).content
    expect(records).toMatchObject([{ personName: expect.stringMatching(/^#/), workNumber: '' }])
    expect(
      await query(world.connectionString, 'SELECT 1 FROM history WHERE strpos(content::text, $1) > 0 OR entity_id = $1::uuid', [person.id]),
    ).toEqual([])
    await back.stop()
  })

  test('stands in the status of the rule, by person and by device, and of strategies nothing is told', async () => {
    const { host, person, rule, terminal } = await passing()
    // The host's own person, whom the terminal cannot recognise without a photo, does not count for the rule.
    await host.person({ name: 'Own One', permittedAt: terminal.device })
    await world.settled()
    const strategyId = rule.id
    const { persons: byPerson, devices, personsOfDevice, devicesOfPerson, counts, retry } = associatedSyncCalls
    expect((await host.call(byPerson, { query: { strategyId } })).content).toMatchObject([
      { id: person.id, name: 'Ada Guest', status: personSyncStatus.success, counts: { success: 1 } },
    ])
    expect((await host.call(byPerson, { query: { strategyId, name: 'nobody' } })).total).toBe(0)
    expect((await host.call(byPerson, { query: { strategyId, name: 'ada' } })).total).toBe(1)
    expect((await host.call(devices, { query: { strategyId } })).content).toMatchObject([
      { id: terminal.device.id, counts: { success: 1, failed: 0, photoMissing: 0 } },
    ])
    expect((await host.call(personsOfDevice, { query: { strategyId, deviceId: terminal.device.id } })).content).toMatchObject([
      { personId: person.id, personName: 'Ada Guest', status: personSyncStatus.success },
    ])
    expect((await host.call(devicesOfPerson, { query: { strategyId, personId: person.id } })).content).toMatchObject([
      { deviceId: terminal.device.id },
    ])
    expect((await host.call(counts, { query: { strategyId } })).devices).toHaveLength(1)
    expect(await host.call(retry, { body: { strategyId } })).toEqual({ resent: 0, remaining: 0 })
    expect(await host.ask(retry, { body: { strategyId: '01920000-0000-7000-8000-000000000001' } })).toMatchObject({ code: 300101 })
    await terminal.stop()
  })
})
