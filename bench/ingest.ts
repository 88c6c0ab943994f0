/**
 * Measures the ingest of records and pictures against its minimum cost: the same batches inserted bare into the same indexed, partitioned
 * tables with the same events, and the same files written and synced bare.
 * INGEST_DEVICES (200) and INGEST_SECONDS (20): how many devices send over MQTT for how long; the reference figure is with 2,000 for 600
 * seconds. DATABASE_URL names another database than a built-in one that syncs its writes.
 */
import { randomBytes, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { mkdir, open } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { startWorld, type MadeDevice, type World } from '@gatehouse/dev-env/world'
import { passage, sentBy } from '@gatehouse/server/contexts/records/testing/records'
import { recordId } from '@gatehouse/server/platform/database/ids'
import { startEmbeddedPostgres } from '@gatehouse/server/platform/postgres/embedded'
import pg from 'pg'
import sharp from 'sharp'
import type { DevicesReport, DevicesTask, PicturesTask } from './ingest-devices.ts'
import type { BenchResult } from './result.ts'
import { settings } from './settings.ts'

const BATCH = 500
const BATCHES = 60
const WARM_UP = 10
const PERSONS = 300
/** Devices that call the service at once, and records per message there and over MQTT. */
const SENDERS = 100
const MESSAGE = 25
const IDS_PER_EVENT = 50
const PICTURES = 2_000
const PICTURE_BYTES = 30_000
const AT_ONCE = 16

const quiet = { debug: () => {}, info: () => {}, warn: () => {}, error: (message: string) => console.error(message) }

/** The columns of a batch, and one statement each for rows and events: nothing is read, checked or numbered. */
const COLUMNS = `id uuid, park_id uuid, occurred_at timestamptz, received_at timestamptz, clock_offset_ms bigint, zone text,
  local_date date,
  local_hour smallint, device_id uuid, device_name text, person_id uuid, person_name text, work_number text, direction smallint,
  verify_type smallint, result smallint, score double precision, checks text, settings_revision text`
const NAMES = COLUMNS.split(',')
  .map((column) => column.trim().split(' ')[0])
  .join(', ')
const INSERT_ROWS = `INSERT INTO access_record (${NAMES}) SELECT ${NAMES} FROM json_to_recordset($1::json) AS sent (${COLUMNS})`
const INSERT_EVENTS = `INSERT INTO outbox (id, name, park_id, payload, created_at)
  SELECT id, 'bench.bare', $2, payload, now() FROM json_to_recordset($1::json) AS event (id uuid, payload jsonb)`

/** Return rows as the service would create them, ready to be sent. */
function bareBatches(
  world: World,
  device: MadeDevice,
  persons: readonly { id: string; name: string }[],
): { rows: string; events: string }[] {
  const { id: parkId, zone } = world.park
  return Array.from({ length: WARM_UP + BATCHES }, () => {
    const at = new Date().toISOString()
    const rows = Array.from({ length: BATCH }, (_, index) => {
      const person = persons[index % persons.length]!
      const { checks, direction, score } = passage(index + 1)
      return {
        id: randomUUID(),
        park_id: parkId,
        occurred_at: at,
        received_at: at,
        clock_offset_ms: 0,
        zone,
        local_date: at.slice(0, 10),
        local_hour: new Date(at).getUTCHours(),
        device_id: device.id,
        device_name: device.name,
        person_id: person.id,
        person_name: person.name,
        work_number: '',
        direction,
        verify_type: 1,
        result: 1,
        score,
        checks,
        settings_revision: 'revision-1',
      }
    })
    const ids = rows.map(({ id }) => id)
    const events = Array.from({ length: Math.ceil(ids.length / IDS_PER_EVENT) }, (_, index) => ({
      id: randomUUID(),
      payload: { recordIds: ids.slice(index * IDS_PER_EVENT, (index + 1) * IDS_PER_EVENT) },
    }))
    return { rows: JSON.stringify(rows), events: JSON.stringify(events) }
  })
}

/** Return records per second, bare. The server is stopped: it would number the events, and read them. */
async function bareRate(world: World, batches: readonly { rows: string; events: string }[]): Promise<number> {
  return world.interrupted(async () => {
    const client = new pg.Client(world.connectionString)
    await client.connect()
    try {
      let startedAt = 0
      for (const [index, { rows, events }] of batches.entries()) {
        if (index === WARM_UP) startedAt = performance.now()
        await client.query('BEGIN')
        await client.query(INSERT_ROWS, [rows])
        await client.query(INSERT_EVENTS, [events, world.park.id])
        await client.query('COMMIT')
      }
      const rate = (BATCHES * BATCH * 1000) / (performance.now() - startedAt)
      await client.query(`DELETE FROM outbox WHERE name = 'bench.bare'`)
      return rate
    } finally {
      await client.end()
    }
  })
}

/** Return records per second through the service: each device sends its next message when the one before it is stored. */
async function serviceRate(
  world: World,
  devices: readonly MadeDevice[],
  personIds: readonly string[],
  epoch: string,
  count: number,
): Promise<number> {
  const { ingest } = world.server.contexts.records
  const send = (device: MadeDevice, first: number) => {
    const now = Date.now()
    const personId = (seq: number) => personIds[seq % personIds.length]!
    const records = Array.from({ length: MESSAGE }, (_, index) =>
      passage(first + index, { occurredAt: now, personId: personId(first + index) }),
    )
    return ingest({ deviceId: device.id, parkId: world.park.id }, sentBy(records, { epoch, sentAt: now }))
  }
  const messages = Math.ceil(count / devices.length / MESSAGE)
  const round = (from: number, to: number) =>
    Promise.all(
      devices.map(async (device) => {
        for (let message = from; message < to; message++) await send(device, message * MESSAGE + 1)
      }),
    )
  await round(0, 4)
  const startedAt = performance.now()
  await round(4, 4 + messages)
  return (messages * MESSAGE * devices.length * 1000) / (performance.now() - startedAt)
}

async function inThread<Report>(task: DevicesTask | PicturesTask): Promise<Report> {
  const worker = new Worker(new URL('ingest-devices.ts', import.meta.url), { workerData: task })
  try {
    const [report] = (await once(worker, 'message')) as [Report]
    return report
  } finally {
    await worker.terminate()
  }
}

/** Return files per second, written and synced bare, as many at once as pictures are sent. */
async function bareFileRate(world: World, picture: Uint8Array): Promise<number> {
  const folder = join(world.dataDir, 'bare')
  for (let number = 0; number < 256; number++) await mkdir(join(folder, String(number)), { recursive: true })
  const numbers = Array.from({ length: PICTURES }, (_, number) => number).values()
  const startedAt = performance.now()
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      for (const number of numbers) {
        const file = await open(join(folder, String(number % 256), String(number)), 'wx')
        await file.writeFile(picture)
        await file.sync()
        await file.close()
      }
    }),
  )
  return (PICTURES * 1000) / (performance.now() - startedAt)
}

/** Return a WebP of about 30 kB: noise hardly compresses, so that its size depends on the number of its pixels. */
async function noise(): Promise<Buffer> {
  for (let side = 64; ; side += 8) {
    const picture = await sharp(randomBytes(side * side * 3), { raw: { width: side, height: side, channels: 3 } })
      .webp({ quality: 82 })
      .toBuffer()
    if (picture.length >= PICTURE_BYTES) return picture
  }
}

async function pictureRate(world: World, picture: Uint8Array): Promise<number> {
  const device = await world.device()
  const records = Array.from({ length: PICTURES }, (_, index) => passage(index + 1, { occurredAt: Date.now(), hasPicture: true }))
  const { ingest } = world.server.contexts.records
  for (let start = 0; start < PICTURES; start += BATCH) {
    const message = sentBy(records.slice(start, start + BATCH), { epoch: 'pictures', sentAt: Date.now() })
    await ingest({ deviceId: device.id, parkId: world.park.id }, message)
  }
  const recordIds = records.map(({ seq }) => recordId(device.id, 'pictures', seq))
  return PICTURES / (await inThread<number>({ url: world.url, device, recordIds, picture, atOnce: AT_ONCE }))
}

export async function run(): Promise<BenchResult[]> {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-bench-'))
  // The unprivileged account that the database runs under has to enter it.
  chmodSync(folder, 0o711)
  const given = process.env.DATABASE_URL
  const database = given === undefined ? await startEmbeddedPostgres({ dataDir: folder, log: quiet }) : null
  if (database !== null) process.env.DATABASE_URL = database.administratorConnectionString
  const { INGEST_DEVICES: count, INGEST_SECONDS: seconds } = settings
  const world = await startWorld({ checkAnswers: false })
  try {
    const group = await world.personGroup()
    const persons = []
    for (let made = 0; made < PERSONS; made++) persons.push(await world.person({ groupId: group.id }))
    const personIds = persons.map(({ id }) => id)
    const devices: MadeDevice[] = []
    while (devices.length < Math.max(count, SENDERS)) devices.push(await world.device())
    await world.settled()

    // The first record creates the partition of the month.
    await serviceRate(world, devices.slice(0, SENDERS), personIds, 'first', SENDERS * MESSAGE)
    // Bare before and after, so that other load of the machine, and a growing table, affect both alike.
    const before = await bareRate(world, bareBatches(world, devices[0]!, persons))
    const service = await serviceRate(world, devices.slice(0, SENDERS), personIds, 'service', BATCHES * BATCH)
    const { perSecond, waits } = await inThread<DevicesReport>({
      url: world.url,
      devices: devices.slice(0, count),
      personIds,
      records: MESSAGE,
      seconds,
    })
    await world.settled()
    const bare = (before + (await bareRate(world, bareBatches(world, devices[0]!, persons)))) / 2
    const mqtt = perSecond.reduce((sum, records) => sum + records, 0) / seconds
    const slowest = Math.min(...perSecond.slice(1, -1))
    const picture = await noise()
    const pictures = await pictureRate(world, picture)
    const files = await bareFileRate(world, picture)
    const against = (rate: number, ofBare: number) => ({ ratioTo: 'bare, time for time', ratio: ofBare / rate })
    return [
      { name: `bare inserts, batches of ${BATCH}`, value: bare, unit: 'records/s' },
      { name: 'the service, called directly', value: service, unit: 'records/s', ...against(service, bare), goal: 1 / 0.35 },
      { name: `MQTT, ${count} devices for ${seconds} s`, value: mqtt, unit: 'records/s', ...against(mqtt, bare), goal: 1 / 0.35 },
      { name: 'MQTT, time for a record', value: 1000 / mqtt, unit: 'ms', goal: 0.2 },
      { name: 'MQTT, slowest second', value: slowest, unit: 'records/s' },
      { name: 'MQTT, sending to acknowledgement, p99', value: waits[Math.ceil(waits.length * 0.99) - 1] ?? Number.NaN, unit: 'ms' },
      { name: `bare files of ${picture.length} bytes, written and synced`, value: files, unit: '1/s' },
      { name: 'pictures over HTTP', value: pictures, unit: '1/s', ...against(pictures, files), goal: 2 },
      { name: 'pictures over HTTP, time for one', value: 1000 / pictures, unit: 'ms', goal: 1000 / 150 },
    ]
  } finally {
    await world.stop()
    if (given === undefined) delete process.env.DATABASE_URL
    await database?.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}
