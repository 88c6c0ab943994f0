/**
 * A device is offline for thirty days, across the end of a month, and comes back: its records arrive once and in their months, and it
 * stores exactly what it should.
 */
import { join } from 'node:path'
import sharp from 'sharp'
import { afterAll, expect, test } from 'vitest'
import { recordCalls } from '@gatehouse/contract/records/calls'
import { deviceProtocolCalls } from '@gatehouse/contract/device/protocol-calls'
import { peopleCalls } from '@gatehouse/contract/people/calls'
import { createClient, logIn } from '@gatehouse/dev-env/client'
import { createSite } from '@gatehouse/dev-env/site'
import { ADMIN, startWorld, type MadePerson, type Site, type World } from '@gatehouse/dev-env/world'
import { portrait } from '@gatehouse/dev-env/portraits'
import { passageAt, startCore } from '../support/device.ts'
import { query } from '../support/embedded-postgres.ts'
import { startProxy } from '../support/proxy.ts'
import { until } from '../support/until.ts'

const MINUTE = 60_000
const DAY = 86_400_000
const DAYS = 30
/** Start time of the device: another month begins during the test, both in UTC and in the zone of the park. */
const FIRST_DAY = Date.UTC(2026, 8, 14, 6)
const BEFORE = 300
const PER_DAY = 120
const PICTURES_PER_DAY = 5
/** Room for some of the pictures of thirty days. */
const PICTURES_KEPT = 60
/** Milliseconds by which the device's clock is behind when it comes back. */
const DRIFT_MS = 90_000

let world: World | undefined
afterAll(() => world?.stop())

const dateOf = (moment: number, zone: string) =>
  Temporal.Instant.fromEpochMilliseconds(moment).toZonedDateTimeISO(zone).toPlainDate().toString()
const partitionOf = (moment: number) => `access_record_${new Date(moment).toISOString().slice(0, 7).replace('-', '_')}`

test('thirty days without a network lose nothing, and the device comes back to what it should hold', async () => {
  let now = FIRST_DAY
  let drift = 0
  world = await startWorld({ clock: { now: () => now } })
  const { server } = world
  const synchronisation = server.contexts.synchronisation.service

  const door = await world.device()
  const group = await world.personGroup()
  const person = async (site: Site, name: string, fields: { validFrom?: number; validTo?: number } = {}) =>
    site.person({ name, groupId: group.id, photo: await portrait(`offline ${name}`), ...fields })
  const made = new Map<string, MadePerson>()
  for (const [name, fields] of [
    ['Stays', {}],
    ['Renamed', {}],
    ['Deleted', {}],
    ['Ends', { validTo: now + 10 * DAY }],
    ['Begins', { validFrom: now + 20 * DAY }],
    ['Passes by', { validFrom: now + 10 * DAY, validTo: now + 15 * DAY }],
    ['Begins later', { validFrom: now + 45 * DAY }],
  ] as const)
    made.set(name, await person(world, name, fields))
  await world.strategy({ personGroups: [group], devices: [door] })

  const host = '127.0.0.9'
  const lines = await Promise.all([server.port, server.mqttPort].map((port) => startProxy({ host, port }, { host: '127.0.0.1', port })))
  const picture = await sharp({ create: { width: 160, height: 160, channels: 3, background: '#345678' } })
    .webp()
    .toBuffer()
  const sealed = picture.length + 28
  const gate = startCore({
    server: `http://${host}:${server.port}`,
    code: door.code,
    secret: door.secret,
    clock: () => now - drift,
    folder: join(world.dataDir, 'gate'),
    pictureQuota: PICTURES_KEPT * sealed,
  })
  const { device, store } = gate
  await until('the device to hold its persons', () => gate.names().join() === 'Deleted,Ends,Renamed,Stays')

  // A day with a network.
  const ids: string[] = []
  const moments = new Map<string, number>()
  function pass(hasPicture = false): string {
    const occurredAt = now - drift
    const { id } = device.appendRecord(passageAt(occurredAt, { hasPicture, revision: device.holdings.revision() }))!
    ids.push(id)
    moments.set(id, occurredAt)
    return id
  }
  for (let count = 0; count < BEFORE; count++) {
    now += MINUTE
    pass()
  }
  await until('the first records to be stored', () => device.state().queue.records === 0)
  const { cursor } = device.state().held!
  const wasAudience = device.state().held!.audience

  // The network is cut, and changes and passages go on.
  for (const line of lines) line.cut()
  await until('the device to notice', () => !device.isOnline())
  const offlineSince = now
  let number = 1_000
  const { url, park } = world
  /** Log the administrator in again: sessions do not last for days. */
  const admin = async () => createSite({ url, park, bearer: (await logIn(createClient(url), ADMIN)).access_token, next: () => ++number })
  const first = await admin()
  const { id, workNumber, groupId, faceIds } = made.get('Renamed')!
  await first.call(peopleCalls.change, { body: { id, workNumber, groupId, facePhotos: faceIds, name: 'Has another name' } })
  await first.call(peopleCalls.delete, { query: { ids: [made.get('Deleted')!.id] } })
  await person(first, 'Comes')
  await server.platform.events.settled()
  await synchronisation.settled()

  const pictured: string[] = []
  let lost = 0
  for (let day = 1; day <= DAYS; day++) {
    for (let count = 0; count < PER_DAY; count++) {
      now += Math.floor(DAY / PER_DAY)
      drift = Math.round((DRIFT_MS * (now - offlineSince)) / (DAYS * DAY))
      const hasPicture = count < PICTURES_PER_DAY
      const recordId = pass(hasPicture)
      if (!hasPicture) continue
      pictured.push(recordId)
      lost += device.addPicture(recordId, picture)
    }
    // As the terminal does every hour, and the server every minute and every day.
    store.prune()
    synchronisation.passTime()
    await synchronisation.upkeep()
  }
  now += 2 * 60 * MINUTE
  await synchronisation.upkeep()
  await synchronisation.settled()
  const waiting = DAYS * PER_DAY
  expect(device.state().queue).toEqual({ records: waiting, pictures: PICTURES_KEPT })
  expect(lost).toBe(DAYS * PICTURES_PER_DAY - PICTURES_KEPT)
  // Records the server had acknowledged were deleted, and nothing else.
  expect(store.outbox.waiting(new Map(), 1)!.oldestSeq).toBe(BEFORE + 1)

  // The changes since are older than those the server keeps: the device has to compare all persons.
  for (const line of lines) line.restore()
  const page = await device.client.request(deviceProtocolCalls.changes, {
    params: { audience: wasAudience },
    query: { after: cursor, modelId: 'any' },
  })
  expect(page.compare).toBe(true)
  await until('everything to arrive', () => device.state().queue.records + device.state().queue.pictures === 0, 120)
  await until('the device to hold what it should', () => gate.names().join() === 'Begins,Comes,Has another name,Stays', 60)

  const { connectionString } = world
  const rows = await query<{
    id: string
    part: string
    local_date: string
    moment: string
    zone: string
    clock_offset_ms: string
    capture_file_id: string | null
  }>(
    connectionString,
    'SELECT id, tableoid::regclass::text AS part, local_date::text, (extract(epoch FROM occurred_at) * 1000)::bigint::text AS ' +
      'moment, zone, clock_offset_ms, capture_file_id FROM access_record',
  )
  expect(rows).toHaveLength(ids.length)
  expect(new Set(rows.map((row) => row.id))).toEqual(new Set(ids))
  for (const row of rows) {
    const moment = moments.get(row.id)!
    expect([Number(row.moment), row.part, row.local_date]).toEqual([moment, partitionOf(moment), dateOf(moment, row.zone)])
  }
  expect(new Set(rows.map(({ part }) => part)).size).toBe(2)
  // The server stores by how much the device's clock was behind when it sent them.
  const late = rows.filter((row) => moments.get(row.id)! > offlineSince)
  expect(late.every((row) => Number(row.clock_offset_ms) === drift)).toBe(true)
  expect(new Set(rows.filter((row) => row.capture_file_id !== null).map((row) => row.id))).toEqual(new Set(pictured.slice(-PICTURES_KEPT)))
  expect(await query(connectionString, 'SELECT * FROM record_gap')).toEqual([])
  expect(await query(connectionString, 'SELECT * FROM unstorable_record')).toEqual([])

  // The calls find them too, in each month.
  const seen = await (await admin()).call(recordCalls.find, { body: { startTime: FIRST_DAY, endTime: now, size: 1 } })
  expect(seen.total).toBe(ids.length)

  const wanted = synchronisation.current((await server.contexts.devices.service.byCode(door.code))!)!
  await until(
    'what it holds to be what the server wants',
    () => device.state().held!.digest === wanted.digest && device.state().held!.cursor === wanted.head,
  )
  expect(device.state().held).toMatchObject({ revision: wanted.revision, audience: wanted.audience, persons: 4, failed: 0 })
  await gate.stop()
  await Promise.all(lines.map((line) => line.stop()))
})
