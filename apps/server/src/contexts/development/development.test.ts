/** Versions released to devices, what devices store, and the state of the server's parts. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { developmentCalls, SERVICE_PARTS } from '@gatehouse/contract/development/calls'
import { peopleCalls } from '@gatehouse/contract/people/calls'
import { startWorld, type World, type WorldTerminal } from '@gatehouse/dev-env/world'
import { runJob } from '../../../../../tests/support/jobs.ts'
import { until } from '../../../../../tests/support/until.ts'
import { sql } from '../../platform/database/database.ts'

let world: World
let terminal: WorldTerminal
beforeAll(async () => {
  world = await startWorld({ terminals: 1 })
  terminal = world.terminals[0]!
})
afterAll(() => world?.stop())

const released = async (id: string, query: object = {}) =>
  (await world.call(developmentCalls.released, { query })).content.find((device) => device.id === id)!
const figuresOf = async () => {
  const health = await world.call(developmentCalls.service, {})
  return {
    health,
    of: (part: string, name: string) =>
      health.parts.find((one) => one.part === part)!.figures.find((figure) => figure.name === name)!.value!,
  }
}

test('what a device was to come to, when it was told and when it took it', async () => {
  const door = terminal.device
  const group = await world.personGroup()
  await world.strategy({ personGroups: [group], devices: [door] })
  await world.person({ groupId: group.id })
  await world.settled()
  const person = await world.person({ groupId: group.id })
  await world.settled()
  const taken = await until('the device to hold it', async () => {
    const row = await released(door.id)
    return row.state === 'current' ? row : null
  })
  expect(taken).toMatchObject({ onlineStatus: 1, digestEqual: true, heldCursor: taken.desiredCursor, heldRevision: taken.desiredRevision })
  expect(taken.desiredCursor).toBeGreaterThan(0)
  for (const at of [taken.desiredAt, taken.toldAt, taken.takenAt]) expect(at).toBeGreaterThan(0)
  // Persons without a photo cannot be recognised: they are stored, as exceptions.
  expect(taken.exceptions).toBe(2)

  await terminal.stop()
  await until('the device to be away', async () => (await released(door.id)).onlineStatus === 0)
  await world.call(peopleCalls.delete, { query: { ids: [person.id] } })
  await world.server.platform.events.settled()
  const behind = await until('the device to be behind', async () => {
    const row = await released(door.id)
    return row.state === 'behind' ? row : null
  })
  expect(behind).toMatchObject({ digestEqual: false, heldCursor: taken.heldCursor })
  expect(behind.desiredCursor).toBeGreaterThan(taken.desiredCursor)
  terminal = await world.terminal(door)
})

test('devices are filtered and paged by the server, and one nobody has connected holds nothing yet', async () => {
  const park = await world.addPark()
  const devices = [await park.device({ name: 'North', code: 'REL-N' }), await park.device({ name: 'South', code: 'REL-S' })]
  await world.server.platform.events.settled()
  await world.server.contexts.synchronisation.service.settled()
  const list = (query: object) => park.call(developmentCalls.released, { query })
  expect(await list({ size: 1, page: 2 })).toMatchObject({ total: 2, content: [{ id: devices[0]!.id }] })
  expect((await list({ name: 'sou' })).content.map(({ name }) => name)).toEqual(['South'])
  expect((await list({ code: 'REL-N' })).content).toMatchObject([
    { state: 'behind', takenAt: null, heldCursor: 0, onlineStatus: 0, toldAt: null },
  ])
  expect((await list({ onlineStatus: 1 })).total).toBe(0)
})

test('what each device should hold, holds, and cannot recognise, by device and by person', async () => {
  const other = await world.terminal()
  const door = other.device
  const [seen, unseen] = [await world.person({ name: 'Ann Issued', permittedAt: door }), await world.person({ name: 'Bob Elsewhere' })]
  await world.settled()
  const device = await until('the device to hold them', async () => {
    const found = (await world.call(developmentCalls.issued, { query: { name: door.name } })).content.find(({ id }) => id === door.id)!
    return found.personsFailed > 0 ? found : null
  })
  expect(device).toMatchObject({ personsDesired: 1, personsFailed: 1, onlineStatus: 1, code: door.code })
  expect(await world.call(developmentCalls.personsOfDevice, { query: { deviceId: door.id, name: 'Ann' } })).toMatchObject({
    total: 1,
    content: [{ personId: seen.id, personName: 'Ann Issued', reason: 'noFace' }],
  })
  expect(await world.call(developmentCalls.devicesOfPerson, { query: { personId: seen.id } })).toMatchObject({
    total: 1,
    content: [{ deviceId: door.id, reason: 'noFace' }],
  })
  expect((await world.call(developmentCalls.devicesOfPerson, { query: { personId: unseen.id } })).total).toBe(0)
  await other.stop()
  await until('the device to be away', async () => (await released(door.id)).onlineStatus === 0)
})

test('the health of the parts is measured: numbers follow what happens', async () => {
  const before = await figuresOf()
  expect(before.health.parts.map(({ part }) => part)).toEqual([...SERVICE_PARTS])
  for (const { part, state, advice } of before.health.parts) expect(state === 'ok', `${part}: ${state} ${advice}`).toBe(advice === null)
  for (const part of ['database', 'broker', 'faces'] as const)
    expect(before.health.parts.find((one) => one.part === part)).toMatchObject({ state: 'ok' })
  expect(before.of('broker', 'connected')).toBe(1)
  expect(before.of('database', 'size')).toBeGreaterThan(1_000_000)
  expect(before.of('database', 'latency')).toBeGreaterThan(0)
  expect(before.of('storage', 'total')).toBeGreaterThan(before.of('storage', 'free'))
  expect(before.of('process', 'memory')).toBeGreaterThan(10_000_000)
  expect(before.of('faces', 'room')).toBeGreaterThan(0)
  expect(before.health.version).toMatch(/^\d+\.\d+\.\d+/)

  await world.person()
  await world.server.platform.events.settled()
  const after = await figuresOf()
  expect(after.of('events', 'head')).toBeGreaterThan(before.of('events', 'head'))
  expect(after.of('events', 'waitingEvents')).toBe(0)
  const another = await world.terminal()
  await until('both to be counted', async () => (await figuresOf()).of('broker', 'connected') === 2)
  await another.stop()
  await until('one to be gone', async () => (await figuresOf()).of('broker', 'connected') === 1)
})

test('background jobs are told with their last run', async () => {
  const { jobs } = await until('the jobs to be set up', async () => {
    const health = await world.call(developmentCalls.service, {})
    return health.jobs.length > 5 ? health : null
  })
  expect(jobs.map(({ name }) => name)).toEqual(expect.arrayContaining(['cards.keepDates', 'enrolment.dropOld']))
  for (const { lastRunAt, outcome } of jobs) expect(outcome === null).toBe(lastRunAt === null)
})

test('a job says what its last run did in codes and numbers, and what it was stopped by', async () => {
  const { db } = world.server.platform
  const name = 'faces.dropOldTemplates'
  const job = async () => (await world.call(developmentCalls.service, {})).jobs.find((one) => one.name === name)!
  await runJob(world, name)
  expect(await until('the job to have run', async () => ((await job()).lastRunAt === null ? null : job()))).toEqual({
    name,
    lastRunAt: expect.any(Number),
    outcome: 'success',
    counts: { templates: 0 },
    reason: null,
    error: '',
  })

  // As another version of the program, or a corrupt disk, may leave a run.
  const left = (output: object) => sql`UPDATE scheduled_job SET output = ${JSON.stringify(output)}::jsonb WHERE name = ${name}`.execute(db)
  await left({ outcome: 'success', counts: { templates: 2, unheardOf: 3 }, note: '3 unheard of' })
  expect(await job()).toMatchObject({ outcome: 'success', counts: { templates: 2 }, error: '' })
  await left({ outcome: 'failed', reason: 'monthInUse' })
  expect(await job()).toMatchObject({ outcome: 'failed', counts: {}, reason: 'monthInUse', error: '' })
  await left({ outcome: 'failed', message: 'ENOSPC: no space left on device' })
  expect(await job()).toMatchObject({ outcome: 'failed', counts: {}, reason: null, error: 'ENOSPC: no space left on device' })
})
