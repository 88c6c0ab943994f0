/**
 * A change guarded by compliance rules is one transaction on one connection, waits for its turn without a connection, and never waits for
 * itself.
 */
import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { associatedRuleCalls } from '@gatehouse/contract/strategies/associated-rules'
import { strategyCalls, timeRuleCalls } from '@gatehouse/contract/strategies/calls'
import { accessGroupCalls } from '@gatehouse/contract/strategies/access-groups'
import { writtenRuleCalls } from '@gatehouse/contract/approvals/written-rules'
import { deviceCalls } from '@gatehouse/contract/devices/calls'
import { accessMethod } from '@gatehouse/contract/enums'
import { faceCalls } from '@gatehouse/contract/faces/calls'
import { importCalls } from '@gatehouse/contract/imports/calls'
import { areaCalls } from '@gatehouse/contract/organisation/areas'
import { peopleCalls } from '@gatehouse/contract/people/calls'
import { personCreate } from '@gatehouse/contract/people/person-fields'
import { relationCalls } from '@gatehouse/contract/relations/calls'
import { ALWAYS_OPEN } from '@gatehouse/dev-env/site'
import { startWorld, type Made, type World } from '@gatehouse/dev-env/world'
import { drawnFace } from '../../../../../tests/support/fixtures.ts'
import { addSheet } from '../../../../../tests/support/import-sheet.ts'
import { isInTransaction } from '../../platform/database/nesting.ts'

/** Connections of the server: fewer than there are writers. */
const CONNECTIONS = 3
let world: World
/** Stacks of calls that took another connection while they had a transaction open. */
const more: string[] = []
beforeAll(async () => {
  const connect = pg.Pool.prototype.connect as (this: pg.Pool, ...words: unknown[]) => unknown
  vi.spyOn(pg.Pool.prototype, 'connect').mockImplementation(function (this: pg.Pool, ...words: unknown[]) {
    // The keys of parks use a separate connection.
    if (isInTransaction() && this.options.max === CONNECTIONS) more.push(new Error('one more connection').stack ?? '')
    return connect.apply(this, words) as never
  })
  world = await startWorld({ connections: CONNECTIONS })
})
beforeEach(() => void more.splice(0))
afterAll(async () => {
  await world?.stop()
  vi.restoreAllMocks()
})

const LOCK = `SELECT pg_advisory_lock(hashtextextended('written rules ' || $1, 0))`
const METHODS = [accessMethod.face, accessMethod.card]
const strategyOf = (name: string, personIds: string[], deviceIds: string[], timeRuleId: string) => ({
  name,
  personIds,
  deviceIds,
  timeRuleIds: [timeRuleId],
  methods: METHODS,
})

/** Create a park with a rule that forbids cleaners to pass at the vault; staff may pass there. */
async function guardedPark() {
  const park = await world.addPark()
  const [staff, cleaners] = [await park.personGroup({ name: 'Staff' }), await park.personGroup({ name: 'Cleaners' })]
  const [vault, hall] = [await park.device({ name: 'Vault' }), await park.device({ name: 'Hall' })]
  await park.strategy({ personGroups: [staff], devices: [vault] })
  const pass = await park.strategy({ personGroups: [cleaners], devices: [hall] })
  await park.call(writtenRuleCalls.create, {
    body: { name: 'Nobody at the vault', personGroupIds: [cleaners.id], deviceIds: [vault.id] },
  })
  const face = async (): Promise<string> => (await park.call(faceCalls.cache, { body: {}, file: await drawnFace() })).faceId
  const create = (name: string, group: Made = staff) =>
    park.ask(peopleCalls.create, { body: { name, workNumber: name, groupId: group.id } })
  return { park, staff, cleaners, vault, hall, pass, face, create }
}

describe('one connection is all that', () => {
  test('is counted here: of a transaction that reads beside itself, two', async () => {
    const { platform, contexts } = world.server
    await platform.transaction(async () => contexts.people.service.count({ parkId: world.park.id }))
    expect(more).toHaveLength(1)
  })

  test('a change of persons or of their groups takes', async () => {
    const { park, staff, cleaners, face } = await guardedPark()
    const contact = async (name: string) => ({ relation: 2 as const, name, phone: '13800000001', gender: 2 as const, photo: await face() })
    const body = { name: 'Stan', workNumber: 'S1', groupId: staff.id, facePhotos: [await face()], contacts: [await contact('Ada')] }
    const { id } = await park.call(peopleCalls.create, { body })
    const { contacts } = await park.call(peopleCalls.read, { query: { id } })
    const kept = { id: contacts[0]!.id, name: 'Ada Byron' }
    await park.call(peopleCalls.change, { body: { id, remark: 'Later.', validTo: Date.now() + 86_400_000, contacts: [kept] } as never })
    await park.call(peopleCalls.status, { body: { ids: [id], status: 0 } })
    await park.call(peopleCalls.status, { body: { ids: [id], status: 1 } })
    const other = await world.addPark()
    await park.call(peopleCalls.copy, { body: { ids: [id], groupId: (await other.personGroup()).id, parkId: other.park.id } })
    const apprentices = await park.personGroup({ name: 'Apprentices' })
    await park.call(peopleCalls.move, { body: { ids: [id], groupId: apprentices.id } })
    await park.call(peopleCalls.changeGroup, { body: { id: apprentices.id, parentId: staff.id } })
    await park.call(strategyCalls.create, { body: strategyOf('Key', [id], [(await park.device()).id], (await park.timeRule()).id) })
    expect((await park.ask(peopleCalls.change, { body: { id, groupId: cleaners.id } as never })).code).toBe(0)
    expect(more).toEqual([])
  })

  test('a change of devices or of their groups takes', async () => {
    const { park } = await guardedPark()
    const [floor, tower] = [await park.deviceGroup(), await park.deviceGroup()]
    const { id } = await park.call(deviceCalls.create, { body: { code: 'ONE', name: 'One', groupId: floor.id, release: true } as never })
    await park.call(deviceCalls.createMany, { body: { devices: [{ code: 'TWO', name: 'Two' }], release: true } as never })
    await park.call(deviceCalls.change, { body: { id, name: 'First', groupId: tower.id } })
    await park.call(deviceCalls.move, { body: { ids: [id], groupId: floor.id } })
    await park.call(deviceCalls.changeGroup, { body: { id: floor.id, parentId: tower.id } })
    await park.call(deviceCalls.resetSecret, { params: { id }, body: { release: true } as never })
    await park.call(deviceCalls.resetSecret, { params: { id }, body: { release: false } as never })
    await park.call(deviceCalls.release, { params: { id } })
    expect(more).toEqual([])
  })

  test('a change of strategies, time rules, access groups or associated rules takes', async () => {
    const { park, staff, hall, pass } = await guardedPark()
    const rule = await park.timeRule({ periods: [{ weekday: 1, start: '08:00', end: '09:00' }] })
    await park.call(strategyCalls.change, { body: { id: pass.id, timeRuleIds: [rule.id] } })
    await park.call(timeRuleCalls.change, { body: { id: rule.id, periods: ALWAYS_OPEN } })
    const { id: groupId } = await park.call(accessGroupCalls.create, { body: { name: 'Rounds', deviceIds: [] } })
    await park.strategy({ personGroups: [staff], accessGroupIds: [groupId] } as never)
    await park.call(accessGroupCalls.change, { body: { id: groupId, deviceIds: [hall.id] } })
    const home = await world.addPark()
    const crew = await home.personGroup()
    await home.person({ groupId: crew.id })
    const { verificationCode: authorisationCode } = await park.call(areaCalls.verificationCode, { query: {} })
    const { id: relationId } = await home.call(relationCalls.apply, { body: { authorisationCode, personGroupIds: [crew.id] } })
    await park.call(relationCalls.change, { body: { id: relationId, status: 'agreed' } })
    const guests = { name: 'Crew', parkId: home.park.id, deviceIds: [hall.id], timeRuleIds: [rule.id], methods: METHODS }
    const { id } = await park.call(associatedRuleCalls.create, { body: { ...guests, personGroupIds: [crew.id] } as never })
    await park.call(associatedRuleCalls.change, { body: { id, everybody: true } as never })
    expect(more).toEqual([])
  })

  test('a refusal takes, of whoever is shown some doors alone', async () => {
    const { park, staff, cleaners, vault } = await guardedPark()
    const stan = await park.person({ groupId: staff.id })
    await park.strategy({ persons: [stan], devices: [vault] })
    const limited = await world.session({
      park: park.park,
      permissions: ['person.list', 'own:person.edit'],
      deviceGroupIds: [(await park.deviceGroup()).id],
    })
    expect((await limited.ask(peopleCalls.move, { body: { ids: [stan.id], groupId: cleaners.id } })).status).toBe(409)
    expect(more).toEqual([])
  })
})

describe('waiting', () => {
  test('of many for their turn takes no connection from anybody', async () => {
    const [at, elsewhere] = [await guardedPark(), await guardedPark()]
    const answers = await Promise.all(
      Array.from({ length: 30 }, (_, n) => [
        at.create(`Ann ${n}`),
        elsewhere.create(`Bob ${n}`),
        at.park.ask(peopleCalls.summary, {}),
      ]).flat(),
    )
    expect(answers.map(({ code }) => code)).toEqual(Array.from({ length: 90 }, () => 0))
  })

  test(
    'for a node that lets no other make changes ends, as does any for one that is busy',
    { tags: 'extended', timeout: 60_000 },
    async () => {
      const { park, create } = await guardedPark()
      const other = new pg.Client({ connectionString: world.connectionString })
      await other.connect()
      try {
        await other.query(LOCK, [park.park.id])
        expect(await create('Ann')).toMatchObject({ code: 900000 })
      } finally {
        await other.end()
      }
      expect(await create('Ann')).toMatchObject({ code: 0 })
    },
  )

  test('is done by a row of an import until others let it in', { tags: 'extended', timeout: 60_000 }, async () => {
    const { park, staff } = await guardedPark()
    const { id } = await park.call(importCalls.create, { body: { kind: 'staff', groupId: staff.id } })
    await addSheet(park.client, world.url, id, ['Name,Work no.', 'Row One,R-1'])
    const other = new pg.Client({ connectionString: world.connectionString })
    await other.connect()
    try {
      await other.query(LOCK, [park.park.id])
      await park.call(importCalls.start, { params: { id }, body: {} })
      // Longer than the lock timeout of a connection.
      await delay(12_000)
    } finally {
      await other.end()
    }
    await expect.poll(async () => (await park.call(importCalls.read, { params: { id } })).state, { timeout: 30_000 }).toBe('done')
    const { content } = await park.call(importCalls.rows, { params: { id }, query: {} })
    expect(content).toMatchObject([{ workNumber: 'R-1', outcome: 'create', issues: [] }])
  })

  test('for oneself is refused at once: a change within a change, or a transaction within one', async () => {
    const { park, staff, create } = await guardedPark()
    const scope = { parkId: park.park.id }
    const { platform, contexts } = world.server
    const somebody = (name: string, alongside?: () => Promise<void>) =>
      contexts.people.service.create(
        scope,
        personCreate.parse({ name, workNumber: name, groupId: staff.id }),
        { masking: false },
        alongside,
      )
    const nested = /a transaction is opened within a transaction/
    await expect(somebody('Outer', async () => void (await somebody('Inner')))).rejects.toThrow(nested)
    await expect(somebody('Outer', () => platform.transaction(async () => {}))).rejects.toThrow(nested)
    await expect(platform.transaction(async () => void (await somebody('Inner')))).rejects.toThrow(nested)
    const free = { parkId: (await world.addPark()).park.id }
    const devices = () => contexts.devices.service.move(free, [], null)
    await expect(platform.transaction(async () => void (await devices()))).rejects.toThrow(nested)
    // The change was not made, and blocks no other one.
    const { content } = await park.call(peopleCalls.find, { body: {} })
    expect(content.map(({ name }) => name)).toEqual([])
    expect(await create('Ann')).toMatchObject({ code: 0 })
  })

  test('is not refused to what a transaction starts and leaves behind', async () => {
    const { platform } = world.server
    const over = Promise.withResolvers<void>()
    const left = await platform.transaction(async () => ({ behind: over.promise.then(() => platform.transaction(async () => 'done')) }))
    over.resolve()
    expect(await left.behind).toBe('done')
  })
})
