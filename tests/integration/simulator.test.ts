/**
 * The fleet simulator against a real server: with every failure it can simulate, nothing is lost and nothing arrives twice.
 * @module-tag extended
 */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { recordCalls } from '@gatehouse/contract/records/calls'
import { strategyCalls } from '@gatehouse/contract/strategies/calls'
import { deviceCalls } from '@gatehouse/contract/devices/calls'
import { accessResult } from '@gatehouse/contract/enums'
import { peopleCalls } from '@gatehouse/contract/people/calls'
import { enrolDevices, permit, PREFIX, removeDevices, storedRecords, type Enrolment } from '@gatehouse/dev-env/simulator/enrolment'
import { FAULTS, type Fault } from '@gatehouse/dev-env/simulator/faults'
import { startFleet, type Fleet, type FleetOptions } from '@gatehouse/dev-env/simulator/fleet'
import { picture } from '@gatehouse/dev-env/simulator/picture'
import { prove } from '@gatehouse/dev-env/simulator/proof'
import { startWorld, type Made, type MadePerson, type World } from '@gatehouse/dev-env/world'
import { drawnFace } from '../support/fixtures.ts'
import { until } from '../support/until.ts'

const SEED = 7
const DEVICES = 20
const DAYS_BEFORE = 10 * 86_400_000

let world: World
let group: Made
const persons: MadePerson[] = []
let enrolment: Enrolment
let strategyId: string

beforeAll(async () => {
  console.log(`The fleet is simulated with seed ${SEED}.`)
  world = await startWorld()
  group = await world.personGroup()
  const photo = await drawnFace()
  persons.push(await world.person({ groupId: group.id, photo }))
  for (let made = 1; made < 12; made++) persons.push(await world.person({ groupId: group.id, photo: made < 4 ? photo : [] }))
  enrolment = await enrolDevices(world.client, DEVICES)
  strategyId = await permit(world.client, enrolment, [group.id])
  await world.settled()
})
afterAll(() => world?.stop())

async function fleetOf(options: Partial<FleetOptions>): Promise<Fleet> {
  const modelId = world.server.contexts.faces.service.modelId
  const retry = { first: 50, limit: 500 }
  return startFleet({
    server: world.url,
    devices: enrolment.devices,
    modelId,
    seed: SEED,
    retry,
    resendAfter: 1_000,
    picture: await picture(),
    startsPerSecond: 1_000,
    ...options,
  })
}

const records = (from: readonly { id: string }[] = enrolment.devices) =>
  storedRecords(
    world.client,
    from.map(({ id }) => id),
    Date.now() - DAYS_BEFORE,
  )

test('devices decide by what they hold, and come to hold what changes meanwhile', async () => {
  const devices = enrolment.devices.slice(0, 3)
  const fleet = await fleetOf({ devices, rate: 0 })
  try {
    expect(await fleet.settled(30_000)).toBe(true)
    const { holdings } = fleet.devices[0]!.store.disk
    expect(holdings.counts()).toEqual({ persons: 4, failed: 8 })
    expect([...holdings.exceptions().values()].map(({ reason }) => reason)).toEqual(Array(8).fill('noFace'))
    await until(
      'the server to know what is held',
      async () => (await world.call(deviceCalls.read, { params: { id: devices[0]!.id } })).personsFailed === 8,
    )

    const [first, second] = persons as [MadePerson, MadePerson]
    // At different times, by which records are sorted.
    const moment = Date.now()
    await fleet.devices[0]!.pass({ personId: first.id, score: 95, moment: moment - 2 })
    await fleet.devices[0]!.pass({ personId: null, score: 20, moment: moment - 1 })
    await world.call(peopleCalls.status, { body: { ids: [first.id], status: 0 } })
    await world.call(peopleCalls.delete, { query: { ids: [second.id] } })
    await until('the change to be held everywhere', () =>
      fleet.devices.every(
        (device) => device.store.disk.holdings.person(first.id)?.enabled === false && device.store.disk.holdings.counts().persons === 3,
      ),
    )
    await fleet.devices[0]!.pass({ personId: first.id, score: 95, moment: Date.now() })

    const listed = () => world.call(recordCalls.find, { body: { deviceId: devices[0]!.id } })
    const content = await until('the records to be stored', async () => ((await listed()).total === 3 ? (await listed()).content : null))
    expect(content.map(({ personId, result }) => [personId, result])).toEqual([
      [first.id, accessResult.rejected],
      [null, accessResult.rejected],
      [first.id, accessResult.allowed],
    ])
  } finally {
    await fleet.stop()
  }
})

test('with every fault at once nothing is lost, nothing comes twice, and all hold what they should in the end', async () => {
  const fleet = await fleetOf({ rate: 60, faults: Object.keys(FAULTS) as Fault[], misfortunesPerMinute: 20 })
  try {
    fleet.begin()
    await until('the first records', () => fleet.figures().made > 60)
    const [, , renamed, deleted] = persons as [MadePerson, MadePerson, MadePerson, MadePerson]
    await world.call(peopleCalls.change, {
      body: { id: renamed.id, name: 'Somebody else', groupId: group.id, facePhotos: renamed.faceIds },
    })
    await world.call(peopleCalls.delete, { query: { ids: [deleted.id] } })
    await until(
      'records, cuts and absences',
      () => {
        const { made, cuts, vanished } = fleet.figures()
        return made > 250 && cuts >= 15 && vanished >= 15
      },
      60,
    )
    fleet.calm()
    expect(await fleet.settled(60_000)).toBe(true)
    const accounts = await fleet.accounts()
    const before = await records()
    const earlier = new Set(before.filter(({ id }) => !accounts.some(({ made }) => made.has(id))).map(({ id }) => id))
    expect(earlier.size).toBe(3)
    const stored = before.filter(({ id }) => !earlier.has(id))
    const proof = prove(accounts, stored)
    expect(proof).toMatchObject({ holds: true, missing: [], twice: [], unknown: [], astray: [] })
    expect(proof.made).toBeGreaterThan(250)

    // The same check fails once the server has lost one of them.
    const [lost] = stored as [(typeof stored)[number]]
    await world.call(recordCalls.delete, { params: { id: lost.id } })
    const after = (await records()).filter(({ id }) => !earlier.has(id))
    expect(prove(accounts, after)).toMatchObject({ holds: false, missing: [lost.id] })
  } finally {
    await fleet.stop()
  }
})

test('what a broken disk did to the persons is healed without a full transfer', async () => {
  const devices = enrolment.devices.slice(0, 1)
  const fleet = await fleetOf({ devices, rate: 0 })
  try {
    expect(await fleet.settled(30_000)).toBe(true)
    const [device] = fleet.devices as [(typeof fleet.devices)[number]]
    const { holdings } = device.store.disk
    await device.stop()
    const [missing, , wrong] = persons as [MadePerson, MadePerson, MadePerson]
    holdings.tamper({ drop: [missing.id], hold: [crypto.randomUUID(), wrong.id].map((id) => ({ id, version: 'deadbeefdeadbeef' })) })
    const before = holdings.deliveries()
    device.powerOn()
    expect(await fleet.settled(30_000)).toBe(true)
    expect(holdings.deliveries() - before).toBeLessThanOrEqual(2)
    expect(prove(await fleet.accounts(), []).astray).toEqual([])
  } finally {
    await fleet.stop()
  }
})

test('a power cut that waits for the next write comes at the latest when the power is back, and not afterwards', async () => {
  const fleet = await fleetOf({ devices: enrolment.devices.slice(0, 1), faults: ['cuts'], rate: 0 })
  try {
    expect(await fleet.settled(30_000)).toBe(true)
    const [device] = fleet.devices as [(typeof fleet.devices)[number]]
    const before = device.running()
    device.powerCut('beforeFlush')
    expect(device.running()).toBe(before)
    device.powerOn()
    const after = device.running()
    expect([null, before]).not.toContain(after)
    expect(await fleet.settled(30_000)).toBe(true)
    expect(await device.pass({ personId: persons[0]!.id, score: 99, moment: device.clock.now() })).not.toBeNull()
    expect(device.running()).toBe(after)
  } finally {
    await fleet.stop()
  }
})

test('the devices are registered once, and removed with their strategy', async () => {
  const again = await enrolDevices(world.client, DEVICES)
  expect(again.devices.map(({ id }) => id)).toEqual(enrolment.devices.map(({ id }) => id))
  const strategies = async () => (await world.call(strategyCalls.find, { body: {} })).content.map(({ id }) => id)
  const before = await strategies()
  await removeDevices(
    world.client,
    again.devices.map(({ id }) => id),
    strategyId,
  )
  expect(await strategies()).toEqual(before.filter((id) => id !== strategyId))
  // What was already deleted does not stop the removal.
  await removeDevices(world.client, [], strategyId)
  const { content } = await world.call(deviceCalls.list, { query: { code: PREFIX } })
  expect(content).toEqual([])
})
