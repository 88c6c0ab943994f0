/** The persons of visits: doors and searches know them, the calls on persons do not. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { writtenRuleCalls } from '@gatehouse/contract/approvals/written-rules'
import { permitCalls } from '@gatehouse/contract/approvals/permits'
import { VISITOR_GROUP_NAME } from '@gatehouse/contract/built-in-names'
import { cardCalls } from '@gatehouse/contract/cards/calls'
import { deviceProtocolCalls } from '@gatehouse/contract/device/protocol-calls'
import { enrolmentCalls } from '@gatehouse/contract/enrolment/calls'
import { accessMethod, personGroupType } from '@gatehouse/contract/enums'
import { faceCalls } from '@gatehouse/contract/faces/calls'
import { peopleCalls } from '@gatehouse/contract/people/calls'
import { contactCalls } from '@gatehouse/contract/people/contacts'
import { searchCalls } from '@gatehouse/contract/people/search'
import { privacyCalls } from '@gatehouse/contract/privacy/calls'
import { recordCalls } from '@gatehouse/contract/records/calls'
import { strategyCalls } from '@gatehouse/contract/strategies/calls'
import { createClient } from '@gatehouse/dev-env/client'
import { startWorld, type Made, type MadeDevice, type Site, type World } from '@gatehouse/dev-env/world'
import { until } from '../../../../../tests/support/until.ts'
import { Hindered, InvalidRequest, NotFound } from '../../platform/http/refusal.ts'
import type { VisitorFields } from './index.ts'

const NOBODY = '0198f3a0-2222-7000-8000-000000000a07'
const DAY = 86_400_000
const { face, card } = accessMethod

let world: World
let guest: { file: Buffer; door: Buffer }
beforeAll(async () => {
  world = await startWorld()
  const person = world.photographs.people[0]!
  guest = { file: await person.photo(1), door: await person.photo(2) }
})
afterAll(() => world?.stop())

const people = () => world.server.contexts.people.service
const written = async (): Promise<void> => {}
const cached = async (site: Site, file: Buffer): Promise<string> => (await site.call(faceCalls.cache, { body: {}, file })).faceId

/** Create a park with a door, an access rule for visitors that opens it, and what admits a visitor there. */
async function reception() {
  const site = await world.addPark()
  const scope = { parkId: site.park.id }
  const door = await site.device({ name: 'Reception' })
  const strategy = await site.strategy({ kind: 'visitor', devices: [door], methods: [face, card] })
  const groupId = await people().visitorGroup(scope)
  const fields = (change: Partial<VisitorFields> = {}): VisitorFields => ({
    name: 'Grace Hopper',
    groupId,
    validFrom: null,
    validTo: Date.now() + DAY,
    methods: [face],
    faceId: null,
    cardNumber: null,
    cardNumberFormat: 'decimal',
    ...change,
  })
  const admit = (change: Partial<VisitorFields> = {}, strategyIds: readonly string[] = [strategy.id]): Promise<string> =>
    people().admitVisitor(scope, fields(change), { strategyIds, alongside: written })
  const remove = (id: string): Promise<void> => world.server.platform.transaction((tx) => people().remove(tx, scope, [id]))
  return { site, scope, door, strategy, groupId, admit, remove }
}

async function settled(): Promise<void> {
  await world.server.platform.events.settled()
  await world.server.contexts.synchronisation.service.settled()
}

/** Return what a door stores of a person. */
async function storedAt(door: MadeDevice, id: string) {
  await settled()
  const client = createClient(world.url, { basic: [door.code, door.secret] })
  const { audience } = await client.call(deviceProtocolCalls.manifest, {})
  const { modelId } = world.server.contexts.faces.service
  const answer = await client.call(deviceProtocolCalls.persons, { params: { audience }, body: { ids: [id], modelId } })
  return answer.persons[0]
}

test('a visitor is admitted by a terminal, and not any more once removed', async () => {
  const { site, scope, door, admit, remove } = await reception()
  const terminal = await world.terminal(door)
  const id = await admit({ faceId: await cached(site, guest.file) })
  await world.settled()
  expect(await terminal.show(guest.door)).toMatchObject({ verdict: 'allowed', personId: id })
  const record = await until('the record', async () => (await site.call(recordCalls.find, { body: { personId: id } })).content[0])
  expect(record).toMatchObject({ personId: id, personName: 'Grace Hopper' })

  // The person may use no other method from now on.
  await people().changeVisitor(scope, id, { methods: [card] }, { alongside: written })
  await world.settled()
  expect(await terminal.show(guest.door)).not.toMatchObject({ verdict: 'allowed' })
  await people().changeVisitor(scope, id, { methods: [face, card] }, { alongside: written })
  await world.settled()
  expect(await terminal.show(guest.door)).toMatchObject({ verdict: 'allowed', personId: id })

  await remove(id)
  await world.settled()
  expect(await terminal.show(guest.door)).toMatchObject({ verdict: 'rejected', personId: null })
  expect(await people().facts(scope, [id])).toEqual([])
})

describe('admitting', () => {
  test('writes person, access rules and what comes with them in one transaction', async () => {
    const { scope, strategy, admit, groupId } = await reception()
    const id = await admit()
    const [facts] = await people().facts(scope, [id])
    expect(facts).toMatchObject({ kind: 'visitor', enabled: true, groupId, methods: [face], workNumber: null })
    expect(facts).not.toHaveProperty('human')
    const fails = people().admitVisitor(
      scope,
      {
        name: 'Nobody',
        groupId,
        validFrom: null,
        validTo: null,
        methods: [face],
        faceId: null,
        cardNumber: null,
        cardNumberFormat: 'decimal',
      },
      { strategyIds: [strategy.id], alongside: () => Promise.reject(new Error('the visit is not written')) },
    )
    await expect(fails).rejects.toThrow('the visit is not written')
    expect(await people().idsNamed(scope, 'Nobody')).toEqual([])
  })

  test('refuses other groups, other access rules, no methods, and a card that another person has', async () => {
    const { site, admit, groupId } = await reception()
    const staff = await site.personGroup()
    const invalid = (path: string, rule: string) => expect.objectContaining({ fields: [{ path, rule }] })
    await expect(admit({ groupId: staff.id })).rejects.toEqual(invalid('groupId', 'kindOfGroup'))
    await expect(admit({ groupId: NOBODY })).rejects.toEqual(invalid('groupId', 'unknown'))
    const ofStaff = await site.strategy()
    const elsewhere = await reception()
    for (const id of [ofStaff.id, elsewhere.strategy.id, NOBODY, 'no uuid'])
      await expect(admit({}, [id])).rejects.toEqual(invalid('accessGroupIds', 'unknown'))
    await expect(admit({ methods: [] })).rejects.toEqual(invalid('methods', 'required'))
    await expect(admit({ validFrom: 2, validTo: 1 })).rejects.toBeInstanceOf(InvalidRequest)
    await site.person({ cardNumber: '175' } as never)
    await expect(admit({ cardNumber: '00af', cardNumberFormat: 'hex' })).rejects.toMatchObject({ code: 200207 })
    await admit({ cardNumber: '4711' })
    const taken = await site.ask(peopleCalls.create, { body: { name: 'Ann', workNumber: 'A1', groupId: staff.id, cardNumber: '4711' } })
    expect(taken.code).toBe(200207)
    expect(groupId).not.toBe(staff.id)
  })

  test('is refused where a written rule forbids visitors the door, and only there', async () => {
    const { site, scope, door, strategy, admit } = await reception()
    const lobby = await site.device({ name: 'Lobby' })
    const open = await site.strategy({ kind: 'visitor', devices: [lobby], methods: [face, card] })
    await site.call(writtenRuleCalls.create, { body: { name: 'No visitors', kinds: ['visitor'], deviceIds: [door.id] } as never })
    await expect(admit()).rejects.toBeInstanceOf(Hindered)
    await expect(admit({}, [open.id, strategy.id])).rejects.toBeInstanceOf(Hindered)
    const id = await admit({}, [open.id])
    await expect(people().changeVisitor(scope, id, {}, { strategyIds: [strategy.id], alongside: written })).rejects.toBeInstanceOf(Hindered)
    expect((await storedAt(lobby, id))?.strategyIds).toEqual([open.id])
    expect(await storedAt(door, id)).toBeUndefined()
    // Of a visitor who is extended nothing is newly allowed.
    await people().changeVisitor(scope, id, { validTo: Date.now() + 2 * DAY }, { alongside: written })
  })
})

describe('changing', () => {
  test('extends a visit, gives a card, and replaces the access rules', async () => {
    const { site, scope, door, strategy, admit } = await reception()
    const lobby = await site.device({ name: 'Lobby' })
    const open = await site.strategy({ kind: 'visitor', devices: [lobby], methods: [face, card] })
    const id = await admit()
    expect(await storedAt(door, id)).toMatchObject({ methods: [face], strategyIds: [strategy.id] })
    const validTo = Date.now() + 3 * DAY
    await people().changeVisitor(scope, id, { validTo, cardNumber: '4711', methods: [card, face] }, { alongside: written })
    const [facts] = await people().facts(scope, [id])
    expect(facts).toMatchObject({ validTo, methods: [face, card], name: 'Grace Hopper' })
    expect(await people().credentials(scope, [id])).toEqual(new Map([[id, expect.objectContaining({ cardNumber: '4711' })]]))
    await people().changeVisitor(scope, id, {}, { strategyIds: [open.id], alongside: written })
    expect(await storedAt(door, id)).toBeUndefined()
    expect(await storedAt(lobby, id)).toMatchObject({ methods: [face, card], strategyIds: [open.id], validTo })
  })

  test('holds for the server, which a door asks, as well', async () => {
    const { scope, door, admit } = await reception()
    const id = await admit({ cardNumber: '4711', methods: [card] })
    await settled()
    const client = createClient(world.url, { basic: [door.code, door.secret] })
    const ask = (method: number, score: number | null) =>
      client.call(deviceProtocolCalls.verify, { body: { personId: id, moment: Date.now(), method, score } })
    expect([await ask(face, 90), await ask(card, null)]).toMatchObject([{ allowed: false }, { allowed: true }])
    await people().changeVisitor(scope, id, { methods: [face] }, { alongside: written })
    await settled()
    expect([await ask(face, 90), await ask(card, null)]).toMatchObject([{ allowed: true }, { allowed: false }])
  })

  test('is refused of whoever is no visitor', async () => {
    const { site, scope } = await reception()
    const { id } = await site.person()
    await expect(people().changeVisitor(scope, id, { name: 'Eve' }, { alongside: written })).rejects.toBeInstanceOf(NotFound)
    await expect(people().changeVisitor(scope, NOBODY, { name: 'Eve' }, { alongside: written })).rejects.toBeInstanceOf(NotFound)
  })
})

test('a park has one group of visitors, however many ask at once', async () => {
  const { park, call } = await world.addPark()
  const ids = await Promise.all(Array.from({ length: 5 }, () => people().visitorGroup({ parkId: park.id })))
  expect(new Set(ids).size).toBe(1)
  const tree = await call(peopleCalls.groupTree, { query: { type: personGroupType.visitor } })
  expect(tree).toMatchObject([{ id: ids[0], name: VISITOR_GROUP_NAME, personCount: 0 }])
})

describe('the calls on persons', () => {
  let site: Site
  let id: string
  let group: Made
  let strategy: Made
  let groupId: string
  beforeAll(async () => {
    const at = await reception()
    ;({ site, strategy, groupId } = at)
    group = await site.personGroup()
    id = await at.admit({ faceId: await cached(site, guest.file), cardNumber: '99' })
    await settled()
  })

  test('list, count and export none', async () => {
    expect((await site.call(peopleCalls.list, { query: {} })).total).toBe(0)
    expect((await site.call(peopleCalls.list, { query: { groupId } })).total).toBe(0)
    expect((await site.call(peopleCalls.list, { query: { cardNumber: '99' } })).total).toBe(0)
    expect(await site.call(peopleCalls.summary, {})).toMatchObject({ total: 0, withoutFace: 0 })
    const tree = await site.call(peopleCalls.groupTree, { query: { type: personGroupType.visitor } })
    expect(tree.map(({ personCount }) => personCount)).toEqual([0])
    expect(await site.ask(peopleCalls.export, { query: { ids: [id] } as never })).toMatchObject({ status: 404 })
  })

  test('read, change, move, copy, disable and delete none', async () => {
    const answers = await Promise.all([
      site.ask(peopleCalls.read, { query: { id } }),
      site.ask(peopleCalls.standing, { query: { id } }),
      site.ask(peopleCalls.change, { body: { id, name: 'Eve' } as never }),
      site.ask(peopleCalls.status, { body: { ids: [id], status: 0 } }),
      site.ask(peopleCalls.move, { body: { ids: [id], groupId: group.id } }),
      site.ask(peopleCalls.copy, { body: { ids: [id], groupId: group.id } }),
      site.ask(peopleCalls.confirm, { query: { ids: [id] } } as never),
      site.ask(peopleCalls.delete, { query: { ids: [id] } } as never),
      site.ask(peopleCalls.retrySend, { body: { ids: [id] } }),
      site.ask(contactCalls.list, { query: { personId: id } }),
      site.ask(privacyCalls.consents, { params: { id } }),
      site.ask(enrolmentCalls.createLink, { body: { personId: id } } as never),
    ])
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 404))
    expect(await people().facts({ parkId: site.park.id }, [id])).toHaveLength(1)
  })

  test('nothing else that chooses persons takes one', async () => {
    const issued = await site.ask(cardCalls.issue, {
      body: { personId: id, type: 1, number: '100', effectiveDate: '2026-01-01', expiryDate: '2090-01-01' } as never,
    })
    expect(issued).toMatchObject({ status: 400 })
    expect(issued.data).toMatchObject({ fields: [{ path: 'personId', rule: 'unknown' }] })
    const permitted = await site.ask(permitCalls.persons, { body: { personIds: [id], strategyIds: [strategy.id] } as never })
    expect(permitted.data).toMatchObject({ fields: [{ path: 'personIds', rule: 'unknown' }] })
    const named = await site.ask(writtenRuleCalls.create, { body: { name: 'One', personIds: [id], deviceIds: [] } as never })
    expect(named).toMatchObject({ status: 400 })
  })

  test('the form of an access rule has none, and keeps them', async () => {
    const read = await site.call(strategyCalls.read, { query: { id: strategy.id } })
    expect(read).toMatchObject({ personIds: [], persons: [], personCount: 1 })
    const refused = await site.ask(strategyCalls.change, { body: { id: strategy.id, personIds: [id] } as never })
    expect(refused.data).toMatchObject({ fields: [{ path: 'personIds', rule: 'unknown' }] })
    const { id: staffId } = await site.person()
    await site.call(strategyCalls.change, { body: { id: strategy.id, personIds: [staffId], name: 'Renamed' } as never })
    await site.call(strategyCalls.change, { body: { id: strategy.id, name: 'Again' } as never })
    expect(await site.call(strategyCalls.read, { query: { id: strategy.id } })).toMatchObject({ personIds: [staffId], personCount: 2 })
    const rules = await site.call(strategyCalls.all, { query: { kind: 'visitor' } })
    expect(rules).toEqual([{ id: strategy.id, name: 'Again' }])
    expect(await site.call(strategyCalls.all, { query: { kind: 'staff' } })).toEqual([])
  })

  test('the search by a photo finds one', async () => {
    const search = async (body: object = {}) =>
      (await site.call(searchCalls.oneToN, { body: { faceId: await cached(site, guest.door), ...body } })).hits
    expect(await until('the photo to be searched', async () => ((await search()).length > 0 ? search() : null))).toMatchObject([
      { personId: id, kind: 'visitor', name: 'Grace Hopper' },
    ])
    expect(await search({ kinds: ['staff', 'customer'] })).toEqual([])
    expect(await search({ kinds: ['visitor'] })).toHaveLength(1)
  })
})
