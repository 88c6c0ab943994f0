/** Synchronisation status, requested as a console does; devices report what a test makes them report. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { InputOf } from '@gatehouse/contract'
import { strategyCalls } from '@gatehouse/contract/strategies/calls'
import { synchronisationCalls as calls, type SyncCounts, type syncRetry } from '@gatehouse/contract/synchronisation/calls'
import { deviceProtocolCalls } from '@gatehouse/contract/device/protocol-calls'
import { personSyncStatus as statusOf } from '@gatehouse/contract/enums/access'
import { peopleCalls } from '@gatehouse/contract/people/calls'
import { createClient } from '@gatehouse/dev-env/client'
import { startWorld, type MadeDevice, type Site, type World } from '@gatehouse/dev-env/world'

const MINUTE = 60_000

let world: World
let passed = 0
beforeAll(async () => {
  world = await startWorld({ clock: { now: () => Date.now() + passed } })
})
afterAll(() => world?.stop())

const synchronisation = () => world.server.contexts.synchronisation.service

async function settled(): Promise<void> {
  await world.server.platform.events.settled()
  await synchronisation().settled()
}

/** Return actions in a park. Each has taken effect everywhere when it resolves. */
function parkOf(site: Site) {
  const devices = new Map<string, MadeDevice>()
  const known = async <T>(work: Promise<T>): Promise<T> => {
    const result = await work
    await settled()
    return result
  }
  const named = (ids: readonly string[]) => ids.map((id) => ({ id, name: '' }))
  return {
    site,
    person: async (name: string) => (await known(site.person({ name }))).id,
    async device(name: string) {
      const made = await known(site.device({ name }))
      devices.set(made.id, made)
      return made.id
    },
    strategy: async (persons: readonly string[], at: readonly string[]) =>
      (await known(site.strategy({ persons: named(persons), devices: named(at) }))).id,
    async change(id: string, personIds: string[], deviceIds: string[]) {
      const { name, timeRuleIds, methods } = await site.call(strategyCalls.read, { query: { id } })
      await known(site.call(strategyCalls.change, { body: { id, name, timeRuleIds, methods, personIds, deviceIds } }))
    },
    async rename(id: string, name: string) {
      const { groupId } = await site.call(peopleCalls.read, { query: { id } })
      await known(site.call(peopleCalls.change, { body: { id, groupId, name } }))
    },
    deletePerson: (id: string) => known(site.call(peopleCalls.delete, { query: {}, body: { ids: [id] } })),
    /** Report that the device has stored all persons but these, each with a reason. */
    async takes(deviceId: string, refused: Readonly<Record<string, string>> = {}) {
      const { code, secret } = devices.get(deviceId)!
      const principal = { deviceId, code, parkId: site.park.id }
      const { revision, audience, head: cursor, digest } = synchronisation().current(principal)!
      const exceptions = Object.entries(refused).map(([personId, reason]) => ({ personId, version: '0'.repeat(16), reason }))
      await createClient(world.url, { basic: [code, secret] }).call(deviceProtocolCalls.exceptions, {
        body: { audience, cursor, exceptions },
      })
      const { persons } = synchronisation().view.audienceOf({ parkId: site.park.id }, deviceId)!
      synchronisation().noteHoldings(principal, {
        revision,
        audience,
        cursor,
        digest,
        persons: persons - exceptions.length,
        failed: exceptions.length,
      })
      await settled()
    },
    resend: (body: InputOf<typeof syncRetry>) => site.call(calls.retry, { body }),
    counts: (query: InputOf<(typeof calls.counts)['query']>) => site.call(calls.counts, { query }),
    personsOfDevice: (query: InputOf<(typeof calls.personsOfDevice)['query']>) => site.call(calls.personsOfDevice, { query }),
    devicesOfPerson: (query: InputOf<(typeof calls.devicesOfPerson)['query']>) => site.call(calls.devicesOfPerson, { query }),
    persons: (query: InputOf<(typeof calls.persons)['query']>) => site.call(calls.persons, { query }),
    devices: (query: InputOf<(typeof calls.devices)['query']>) => site.call(calls.devices, { query }),
  }
}
type TestingPark = ReturnType<typeof parkOf>

/** Create two doors and three persons of one strategy; no device has reported anything yet. */
async function campus() {
  const park = parkOf(await world.addPark())
  const [ada, ben, cleo] = [await park.person('Ada'), await park.person('Ben'), await park.person('Cleo')]
  const [gate, lift] = [await park.device('Gate'), await park.device('Lift')]
  const strategyId = await park.strategy([ada, ben, cleo], [gate, lift])
  return { park, ada, ben, cleo, gate, lift, strategyId }
}

const byName = (one: { personName: string }, other: { personName: string }) => one.personName.localeCompare(other.personName)
const pairsAt = async (park: TestingPark, deviceId: string, query: { status?: number } = {}) =>
  (await park.personsOfDevice({ ...query, deviceId })).content
const statusesAt = async (park: TestingPark, deviceId: string) =>
  Object.fromEntries((await pairsAt(park, deviceId)).map((pair) => [pair.personName, pair.status]))
const countsAt = async (park: TestingPark, deviceId: string): Promise<SyncCounts> => (await park.counts({ deviceIds: [deviceId] })).total
const some = (counts: Partial<SyncCounts>): SyncCounts => ({
  syncing: 0,
  failed: 0,
  success: 0,
  deleting: 0,
  overtime: 0,
  photoMissing: 0,
  ...counts,
})

describe('a person at a device', () => {
  test('is waited for from the assignment on, and there once the device says so [STATE:sync:*>0] [STATE:sync:0>2]', async () => {
    const { park, gate, lift } = await campus()
    expect(await statusesAt(park, gate)).toEqual({ Ada: statusOf.syncing, Ben: statusOf.syncing, Cleo: statusOf.syncing })
    await park.takes(gate)
    expect(await statusesAt(park, gate)).toEqual({ Ada: statusOf.success, Ben: statusOf.success, Cleo: statusOf.success })
    expect(await statusesAt(park, lift)).toEqual({ Ada: statusOf.syncing, Ben: statusOf.syncing, Cleo: statusOf.syncing })
    expect(await countsAt(park, gate)).toEqual(some({ success: 3 }))
    expect(await countsAt(park, lift)).toEqual(some({ syncing: 3 }))
  })

  test('is waited for again when something of the person changes, alone [STATE:sync:*>0] [STATE:sync:0>2]', async () => {
    const { park, ada, gate } = await campus()
    await park.takes(gate)
    await park.rename(ada, 'Ada Lovelace')
    expect(await statusesAt(park, gate)).toEqual({ 'Ada Lovelace': statusOf.syncing, Ben: statusOf.success, Cleo: statusOf.success })
    expect(await countsAt(park, gate)).toEqual(some({ syncing: 1, success: 2 }))
    await park.takes(gate)
    expect(await countsAt(park, gate)).toEqual(some({ success: 3 }))
  })

  test('that is refused is named with device and reason, known or not [STATE:sync:0>1] [FIELD-8]', async () => {
    const { park, ada, ben, gate, strategyId } = await campus()
    await park.takes(gate, { [ada]: 'photoRefused', [ben]: 'somethingElse' })
    const failed = await pairsAt(park, gate, { status: statusOf.failed })
    expect(failed.toSorted(byName)).toEqual([
      expect.objectContaining({ personName: 'Ada', deviceName: 'Gate', status: statusOf.failed, message: 'photoRefused', leaving: false }),
      expect.objectContaining({ personName: 'Ben', deviceName: 'Gate', status: statusOf.failed, message: 'somethingElse', leaving: false }),
    ])
    expect(await countsAt(park, gate)).toEqual(some({ failed: 2, success: 1 }))
    const { content } = await park.devicesOfPerson({ personId: ada, strategyId })
    expect(content.map(({ deviceName, status, message }) => [deviceName, status, message])).toEqual([
      ['Gate', statusOf.failed, 'photoRefused'],
      ['Lift', statusOf.syncing, null],
    ])
  })

  test('that has no photo has not failed, and sending again does not offer to help', async () => {
    const { park, ada, ben, gate, lift, strategyId } = await campus()
    const refused = { [ada]: 'noFace', [ben]: 'photoRefused' }
    await park.takes(gate, refused)
    await park.takes(lift, { [ada]: 'noFace' })
    expect(await statusesAt(park, gate)).toEqual({ Ada: statusOf.photoMissing, Ben: statusOf.failed, Cleo: statusOf.success })
    expect(await pairsAt(park, gate, { status: statusOf.photoMissing })).toMatchObject([{ personName: 'Ada', message: 'noFace' }])
    expect(await countsAt(park, gate)).toEqual(some({ photoMissing: 1, failed: 1, success: 1 }))
    expect(await countsAt(park, lift)).toEqual(some({ photoMissing: 1, success: 2 }))
    const { content } = await park.persons({ strategyId })
    expect(content.map(({ name, status, counts }) => [name, status, counts])).toEqual([
      ['Ben', statusOf.failed, some({ failed: 1, success: 1 })],
      ['Ada', statusOf.photoMissing, some({ photoMissing: 2 })],
      ['Cleo', statusOf.success, some({ success: 2 })],
    ])
    expect(await park.resend({ personId: ada, deviceId: gate })).toEqual({ resent: 0, remaining: 0 })
    expect(await park.resend({ strategyId })).toEqual({ resent: 1, remaining: 0 })
    await park.takes(gate, refused)
    // Once there is a photo, devices have to store the person.
    await park.rename(ada, 'Ada Lovelace')
    expect(await countsAt(park, gate)).toEqual(some({ syncing: 1, failed: 1, success: 1 }))
  })

  test('stays refused through a change that is refused again', async () => {
    const { park, ada, gate } = await campus()
    await park.takes(gate, { [ada]: 'photoRefused' })
    await park.rename(ada, 'Ada Lovelace')
    expect(await statusesAt(park, gate)).toMatchObject({ 'Ada Lovelace': statusOf.syncing })
    await park.takes(gate, { [ada]: 'photoRefused' })
    expect(await statusesAt(park, gate)).toMatchObject({ 'Ada Lovelace': statusOf.failed })
  })

  test('is overtime after ten minutes without an answer, whether to come or to go [STATE:sync:0>4]', async () => {
    const { park, ada, ben, cleo, gate, lift, strategyId } = await campus()
    await park.takes(gate)
    passed += 9 * MINUTE
    expect(await countsAt(park, lift)).toEqual(some({ syncing: 3 }))
    await park.rename(ada, 'Ada Lovelace')
    await park.change(strategyId, [ada, cleo], [gate, lift])
    passed += 2 * MINUTE
    expect(await countsAt(park, lift)).toEqual(some({ overtime: 2 }))
    expect(await countsAt(park, gate)).toEqual(some({ syncing: 1, deleting: 1, success: 1 }))
    passed += 9 * MINUTE
    expect(await countsAt(park, gate)).toEqual(some({ overtime: 2, success: 1 }))
    const overtime = await pairsAt(park, gate, { status: statusOf.overtime })
    expect(overtime.toSorted(byName).map(({ personId, leaving }) => [personId, leaving])).toEqual([
      [ada, false],
      [ben, true],
    ])
  })

  test('is taken off when a person leaves the strategy, forgotten once confirmed [STATE:sync:2>3] [STATE:sync:3>(gone)]', async () => {
    const { park, ada, cleo, ben, gate, lift, strategyId } = await campus()
    await park.takes(gate)
    await park.change(strategyId, [ada, cleo], [gate, lift])
    expect(await statusesAt(park, gate)).toEqual({ Ada: statusOf.success, Ben: statusOf.deleting, Cleo: statusOf.success })
    const { content } = await park.devicesOfPerson({ personId: ben })
    expect(content.map(({ deviceName, status, leaving }) => [deviceName, status, leaving])).toEqual([['Gate', statusOf.deleting, true]])
    await park.takes(gate)
    expect(await statusesAt(park, gate)).toEqual({ Ada: statusOf.success, Cleo: statusOf.success })
  })

  test('is taken off when the device leaves the strategy [STATE:sync:2>3]', async () => {
    const { park, ada, ben, cleo, gate, lift, strategyId } = await campus()
    await park.takes(gate)
    await park.change(strategyId, [ada, ben, cleo], [lift])
    expect(await statusesAt(park, gate)).toEqual({ Ada: statusOf.deleting, Ben: statusOf.deleting, Cleo: statusOf.deleting })
    await park.takes(gate)
    expect(await pairsAt(park, gate)).toEqual([])
  })

  test('without a name any more is still shown while the device holds it', async () => {
    const { park, ada, gate } = await campus()
    await park.takes(gate)
    await park.deletePerson(ada)
    expect((await pairsAt(park, gate, { status: statusOf.deleting })).map(({ personId, personName }) => [personId, personName])).toEqual([
      [ada, ''],
    ])
  })
})

describe('sending again', () => {
  test('one person at one device leaves the others alone [BEH-166] [STATE:sync:1>0]', async () => {
    const { park, ada, ben, gate } = await campus()
    await park.takes(gate, { [ada]: 'photoRefused', [ben]: 'photoRefused' })
    expect(await park.resend({ personId: ada, deviceId: gate })).toEqual({ resent: 1, remaining: 0 })
    expect(await statusesAt(park, gate)).toEqual({ Ada: statusOf.syncing, Ben: statusOf.failed, Cleo: statusOf.success })
    await park.takes(gate, { [ben]: 'photoRefused' })
    expect(await statusesAt(park, gate)).toEqual({ Ada: statusOf.success, Ben: statusOf.failed, Cleo: statusOf.success })
  })

  test('all failed of a device, of a strategy, and all there are [BEH-166] [STATE:sync:1>0]', async () => {
    const { park, ada, ben, gate, lift, strategyId } = await campus()
    await park.takes(gate, { [ada]: 'photoRefused', [ben]: 'photoRefused' })
    await park.takes(lift, { [ada]: 'photoRefused' })
    expect(await park.resend({ deviceId: gate })).toEqual({ resent: 2, remaining: 0 })
    expect(await countsAt(park, gate)).toEqual(some({ syncing: 2, success: 1 }))
    await park.takes(gate, { [ada]: 'photoRefused', [ben]: 'photoRefused' })
    await park.takes(lift, { [ada]: 'photoRefused' })
    expect(await park.resend({ strategyId })).toEqual({ resent: 3, remaining: 0 })
    expect((await park.counts({ strategyId })).total).toEqual(some({ syncing: 4, success: 2 }))
    await park.takes(gate, { [ada]: 'photoRefused', [ben]: 'photoRefused' })
    await park.takes(lift, { [ada]: 'photoRefused' })
    const other = await campus()
    await other.park.takes(other.gate, { [other.ada]: 'photoRefused' })
    expect(await park.resend({})).toEqual({ resent: 3, remaining: 0 })
    // Failures in another park can only be sent again by that park.
    expect(await countsAt(other.park, other.gate)).toEqual(some({ failed: 1, success: 2 }))
  })

  test('asks a device that did not answer, and waits for it anew [BEH-166] [STATE:sync:4>0]', async () => {
    const { park, ada, gate, lift } = await campus()
    await park.takes(gate)
    passed += 11 * MINUTE
    expect(await countsAt(park, lift)).toEqual(some({ overtime: 3 }))
    expect(await park.resend({ personId: ada, deviceId: lift })).toEqual({ resent: 1, remaining: 0 })
    expect(await countsAt(park, lift)).toEqual(some({ syncing: 3 }))
    passed += 11 * MINUTE
    expect(await countsAt(park, lift)).toEqual(some({ overtime: 3 }))
  })

  test('does nothing for whom nothing failed, and refuses what is not there', async () => {
    const { park, ada, gate } = await campus()
    await park.takes(gate)
    expect(await park.resend({ personId: ada, deviceId: gate })).toEqual({ resent: 0, remaining: 0 })
    const nobody = '00000000-0000-4000-8000-000000000000'
    const answered = async (body: InputOf<typeof syncRetry>) => {
      const { status, code } = await park.site.ask(calls.retry, { body })
      return [status, code]
    }
    expect(await answered({ deviceId: nobody })).toEqual([404, 404])
    expect(await answered({ personId: nobody, deviceId: gate })).toEqual([404, 404])
    expect(await answered({ strategyId: nobody })).toEqual([200, 300101])
    expect(await answered({ strategyId: 'nothing' })).toEqual([400, 400])
  })

  test('by address takes no token from the address, which ends up in histories', async () => {
    const { park, ada, gate } = await campus()
    await park.takes(gate, { [ada]: 'photoRefused' })
    const { bearer } = park.site.client.credentials as { bearer: string }
    const address = `${world.url}${calls.retryByAddress.url}?deviceId=${gate}`
    expect((await fetch(`${address}&st=${bearer}`)).status).toBe(401)
    expect(await park.site.call(calls.retryByAddress, { query: { deviceId: gate } })).toEqual({ resent: 1, remaining: 0 })
  })
})

describe('without a strategy', () => {
  test('all devices are listed and counted, of one device its persons, and persons of nothing at all are refused', async () => {
    const { park, ada, gate, lift } = await campus()
    const [door, dora] = [await park.device('Door'), await park.person('Dora')]
    const other = await park.strategy([dora], [gate])
    await park.takes(gate, { [ada]: 'photoRefused' })
    await park.takes(door)
    expect((await park.devices({})).content.map(({ deviceId, status, counts }) => [deviceId, status, counts])).toEqual([
      [gate, statusOf.failed, some({ failed: 1, success: 3 })],
      [lift, statusOf.syncing, some({ syncing: 3 })],
      [door, statusOf.success, some({})],
    ])
    expect(await park.counts({})).toEqual({
      persons: null,
      total: some({ failed: 1, syncing: 3, success: 3 }),
      devices: expect.arrayContaining([{ id: door, deviceId: door, counts: some({}) }]),
    })
    expect((await park.counts({ deviceId: lift })).devices).toEqual([{ id: lift, deviceId: lift, counts: some({ syncing: 3 }) }])
    const names = async (query: Parameters<typeof park.persons>[0]) => (await park.persons(query)).content.map(({ name }) => name)
    expect(await names({ deviceId: gate })).toEqual(['Ada', 'Ben', 'Cleo', 'Dora'])
    expect(await names({ deviceId: gate, strategyId: other })).toEqual(['Dora'])
    expect(await names({ deviceId: door })).toEqual([])
    expect(await park.site.ask(calls.persons, { query: {} })).toMatchObject({
      status: 400,
      data: { fields: [{ path: 'strategyId', rule: 'required' }] },
    })
  })
})

describe('the lists of a strategy', () => {
  test('show persons with their counts, the worst first, by name and by status', async () => {
    const { park, ada, cleo, gate, lift, strategyId } = await campus()
    await park.takes(gate, { [cleo]: 'noRoom' })
    await park.takes(lift)
    await park.rename(ada, 'Ada Lovelace')
    await park.takes(lift)
    const list = (query: object = {}) => park.persons({ ...query, strategyId })
    expect((await list()).content.map(({ name, status, counts }) => [name, status, counts])).toEqual([
      ['Cleo', statusOf.failed, some({ failed: 1, success: 1 })],
      ['Ada Lovelace', statusOf.syncing, some({ syncing: 1, success: 1 })],
      ['Ben', statusOf.success, some({ success: 2 })],
    ])
    const names = async (query: object) => {
      const { total, content } = await list(query)
      return [total, content.map(({ name }) => name)]
    }
    expect(await names({ status: statusOf.success })).toEqual([1, ['Ben']])
    expect(await names({ status: statusOf.syncing })).toEqual([1, ['Ada Lovelace']])
    expect(await names({ status: statusOf.deleting })).toEqual([0, []])
    expect(await names({ name: 'e' })).toEqual([3, ['Cleo', 'Ada Lovelace', 'Ben']])
    expect(await names({ name: 'Be' })).toEqual([1, ['Ben']])
    expect(await names({ page: 2, size: 2 })).toEqual([3, ['Ben']])
  })

  test('show persons as overtime where one device has not come over, whatever the others hold', async () => {
    const { park, gate, strategyId } = await campus()
    await park.takes(gate)
    passed += 11 * MINUTE
    const { content } = await park.persons({ strategyId, status: statusOf.overtime })
    expect(content.toSorted((one, other) => one.name.localeCompare(other.name)).map(({ name, counts }) => [name, counts])).toEqual(
      ['Ada', 'Ben', 'Cleo'].map((name) => [name, some({ success: 1, overtime: 1 })]),
    )
    expect((await park.persons({ strategyId, status: statusOf.success })).total).toBe(0)
  })

  test('show devices with their counts and how far they are behind', async () => {
    const { park, ada, ben, gate, lift, strategyId } = await campus()
    await park.takes(lift)
    await park.takes(gate, { [ben]: 'photoRefused' })
    await park.rename(ada, 'Ada Lovelace')
    await park.takes(lift)
    const list = (query: object = {}) => park.devices({ ...query, strategyId })
    expect((await list()).content.map(({ name, status, counts, behind }) => [name, status, counts, behind])).toEqual([
      ['Gate', statusOf.failed, some({ failed: 1, syncing: 1, success: 1 }), 1],
      ['Lift', statusOf.success, some({ success: 3 }), 0],
    ])
    expect((await list({ status: statusOf.success })).content.map(({ name }) => name)).toEqual(['Lift'])
    expect((await list({ name: 'gat' })).content.map(({ name }) => name)).toEqual(['Gate'])
    expect(await park.counts({ strategyId })).toEqual({
      persons: some({ failed: 1, syncing: 1, success: 1 }),
      total: some({ failed: 1, syncing: 1, success: 4 }),
      devices: [
        { id: gate, deviceId: gate, counts: some({ failed: 1, syncing: 1, success: 1 }) },
        { id: lift, deviceId: lift, counts: some({ success: 3 }) },
      ],
    })
  })

  test('count the persons of the strategy once, whoever else is at its doors', async () => {
    const { park, ada, ben, cleo, gate, lift, strategyId } = await campus()
    const dora = await park.person('Dora')
    const other = await park.strategy([dora, cleo], [gate])
    await park.takes(gate, { [dora]: 'photoRefused', [ada]: 'noFace' })
    expect(await countsAt(park, gate)).toEqual(some({ failed: 1, photoMissing: 1, success: 2 }))
    expect(await park.counts({ strategyId })).toEqual({
      persons: some({ photoMissing: 1, syncing: 2 }),
      total: some({ photoMissing: 1, success: 2, syncing: 3 }),
      devices: [
        { id: gate, deviceId: gate, counts: some({ photoMissing: 1, success: 2 }) },
        { id: lift, deviceId: lift, counts: some({ syncing: 3 }) },
      ],
    })
    expect((await park.counts({ strategyId: other })).persons).toEqual(some({ failed: 1, success: 1 }))
    expect((await park.devices({ strategyId })).content.map(({ name, counts }) => [name, counts])).toEqual([
      ['Gate', some({ photoMissing: 1, success: 2 })],
      ['Lift', some({ syncing: 3 })],
    ])
    const shown = await park.personsOfDevice({ deviceId: gate, strategyId: other })
    expect(shown.content.map(({ personId }) => personId)).toEqual([dora, cleo])
    // The others are not sent again either.
    expect(await park.resend({ strategyId })).toEqual({ resent: 0, remaining: 0 })
    await park.takes(gate)
    await park.change(strategyId, [ada, cleo], [gate, lift])
    expect((await park.personsOfDevice({ deviceId: gate, strategyId: other })).content.map(({ personId }) => personId)).toEqual(
      expect.arrayContaining([ben, dora, cleo]),
    )
  })

  test('have counts that are the totals of their filters, page by page', async () => {
    const { park, gate } = await campus()
    const many: string[] = []
    for (let number = 0; number < 25; number++) many.push(await park.person(`Many ${number}`))
    const door = await park.device('Door')
    await park.strategy(many, [door])
    await park.takes(door, Object.fromEntries(many.slice(0, 22).map((id) => [id, 'photoRefused'])))
    const pages = await Promise.all([1, 2].map((page) => park.personsOfDevice({ page, deviceId: door, status: statusOf.failed })))
    expect(pages.map(({ total, content }) => [total, content.length])).toEqual([
      [22, 20],
      [22, 2],
    ])
    expect(new Set(pages.flatMap(({ content }) => content.map(({ personId }) => personId))).size).toBe(22)
    expect(await countsAt(park, door)).toEqual(some({ failed: 22, success: 3 }))
    expect(await countsAt(park, gate)).toEqual(some({ syncing: 3 }))
  })
})
