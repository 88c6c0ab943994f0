/** A terminal that is deleted at the server, while it is online or offline, deletes all persons. */
import { cpSync, mkdtempSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { deviceCalls } from '@gatehouse/contract/devices/calls'
import { startWorld, type MadeDevice, type World } from '@gatehouse/dev-env/world'
import { passageAt, startCore, type Core } from '../../../../../tests/support/device.ts'
import { query } from '../../../../../tests/support/embedded-postgres.ts'
import { until } from '../../../../../tests/support/until.ts'

let world: World
let photo: Buffer
beforeAll(async () => {
  world = await startWorld()
  photo = await world.photographs.people[0]!.photo(1)
})
afterAll(() => world?.stop())

/** Return the number of rows a terminal stores, of the tables that contain data of persons. */
function keptAt({ code }: MadeDevice): Record<string, number> {
  // A running terminal keeps its file locked: a copy is read.
  const folder = mkdtempSync(join(world.dataDir, 'copy-'))
  cpSync(join(world.dataDir, `terminal-${code}`), folder, { recursive: true })
  const database = new DatabaseSync(join(folder, 'terminal.sqlite'))
  try {
    const tables = ['person', 'face', 'credential', 'record', 'picture']
    return Object.fromEntries(
      tables.map((table) => [table, (database.prepare(`SELECT count(*) AS rows FROM ${table}`).get() as { rows: number }).rows]),
    )
  } finally {
    database.close()
  }
}
const NOTHING = { person: 0, face: 0, credential: 0, record: 0, picture: 0 }

/** Create a terminal that stores a person, who has passed. */
async function known() {
  const door = await world.terminal()
  const person = await world.person({ photo, permittedAt: door.device })
  await world.settled()
  expect((await door.show(photo)).personId).toBe(person.id)
  await world.settled()
  expect(keptAt(door.device)).toMatchObject({ person: 1, face: 1, record: 1 })
  return door
}
const remove = (device: MadeDevice) => world.call(deviceCalls.delete, { query: { ids: [device.id] } })
const waiting = async (device: MadeDevice): Promise<number> =>
  (await query(world.connectionString, 'SELECT 1 FROM device_removal WHERE device_id = $1', [device.id])).length
const listed = async (): Promise<string[]> => (await world.call(deviceCalls.list, { query: {} })).content.map(({ code }) => code)

test('a terminal that is online hears of it at once, and the server forgets it; its code can be used again', async () => {
  const door = await known()
  const { device } = door
  await remove(device)
  await until('the terminal to say so', () => door.state().link.kind === 'removed')
  expect(keptAt(device)).toEqual(NOTHING)
  await until('the server to have heard', async () => (await waiting(device)) === 0)
  expect(await listed()).not.toContain(device.code)
  expect(await door.show(photo)).toMatchObject({ verdict: 'rejected', personId: null })
  await door.stop()

  const next = await world.terminal(await world.device({ code: device.code }))
  await until('it to be online again', () => next.state().link.kind === 'online')
  expect(next.device.id).not.toBe(device.id)
  await next.stop()
})

/** Start the core of a terminal on its folder; its secret may be wrong. */
function coreOf({ code, secret }: Pick<MadeDevice, 'code' | 'secret'>): Core {
  const core = startCore({
    server: world.url,
    code,
    secret,
    folder: join(world.dataDir, `terminal-${code}`),
    clock: () => world.clock.now(),
  })
  onTestFinished(core.stop)
  return core
}
const stateOf = ({ device }: Core) => device.state().link.kind

test('a terminal that was offline hears of it later; one whose secret is wrong or was reset does not, and keeps everybody', async () => {
  const [away, reset] = [await world.device(), await world.device()]
  await world.person({ photo, permittedAt: [away, reset] })
  for (const device of [away, reset]) {
    const core = coreOf(device)
    await until('the person to be held', () => stateOf(core) === 'online' && keptAt(device)['person'] === 1)
    core.device.appendRecord(passageAt(world.clock.now()))
    await until('the record to be delivered', () => core.store.outbox.length() === 0)
    await core.stop()
  }
  const all = { person: 1, record: 1 }
  await world.call(deviceCalls.resetSecret, { params: { id: reset.id }, body: {} })
  const former = coreOf(reset)
  await until('it to be refused', () => stateOf(former) === 'refused')
  expect(keptAt(reset)).toMatchObject(all)

  await remove(away)
  expect(await waiting(away)).toBe(1)
  const guessing = coreOf({ ...away, secret: 'a guess' })
  await until('it to be refused', () => stateOf(guessing) === 'refused')
  expect(keptAt(away)).toMatchObject(all)
  await guessing.stop()
  const back = coreOf(away)
  await until('it to say so', () => stateOf(back) === 'removed')
  expect(keptAt(away)).toEqual(NOTHING)
  await until('the server to have heard', async () => (await waiting(away)) === 0)
})

test('the server forgets a terminal that does not come for a year, and not before', async () => {
  const device = await world.device()
  const core = coreOf(device)
  await until('it to be online', () => stateOf(core) === 'online')
  // The server writes when the device was last online after the device has connected.
  await world.settled()
  await core.stop()
  await until(
    'the server to have seen it go',
    async () => (await world.call(deviceCalls.read, { params: { id: device.id } })).onlineStatus !== 1,
  )
  await remove(device)
  const job = world.server.contexts.devices.jobs!.find(({ name }) => name === 'devices.endRemovals')!
  await job.run()
  expect(await waiting(device)).toBe(1)
  await query(world.connectionString, "UPDATE device_removal SET removed_at = removed_at - interval '366 days' WHERE device_id = $1", [
    device.id,
  ])
  expect(await job.run()).toMatchObject({ counts: { secretsEnded: 1 } })
  expect(await waiting(device)).toBe(0)
})

test('nobody waits for a terminal that was never there', async () => {
  const device = await world.device()
  await remove(device)
  expect(await waiting(device)).toBe(0)
})
