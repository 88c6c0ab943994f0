/**
 * Measures the export of fifty thousand records with their pictures to one file: how fast it is made and downloaded, compared with a bare
 * stream of its bytes, and its memory.
 */
import { randomBytes } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { SERVER_EXPORT_RECORDS } from '@gatehouse/contract'
import { exportStatus } from '@gatehouse/contract/enums'
import { exportCalls } from '@gatehouse/contract/exports/calls'
import { startWorld, type World } from '@gatehouse/dev-env/world'
import { passages, sentBy } from '@gatehouse/server/contexts/records/testing/records'
import { recordId } from '@gatehouse/server/platform/database/ids'
import pg from 'pg'
import sharp from 'sharp'
import { median, type BenchResult } from './result.ts'
import { bareStream, drained } from './streams.ts'

/** Number of different pictures; each belongs to many records. */
const PICTURES = 400
const PICTURE_BYTES = 15_000
const MEGABYTE = 1_000_000
const LOOK_EVERY_MS = 100
/** Number of downloads of the file, each beside a bare stream. */
const ROUNDS = 7

/** Return a WebP of about this many bytes: noise hardly compresses. */
async function noise(): Promise<Buffer> {
  for (let side = 64; ; side += 8) {
    const picture = await sharp(randomBytes(side * side * 3), { raw: { width: side, height: side, channels: 3 } })
      .webp({ quality: 82 })
      .toBuffer()
    if (picture.length >= PICTURE_BYTES) return picture
  }
}

/** Create this many records, each with a picture. */
async function fill(world: World): Promise<void> {
  const door = await world.device()
  const scope = { parkId: world.park.id }
  const { ingest, records } = world.server.contexts.records
  const now = Date.now()
  await ingest(
    { deviceId: door.id, ...scope },
    sentBy(passages(Array.from({ length: PICTURES }, (_, index) => ({ occurredAt: now - index * 1_000, hasPicture: true }))), {
      sentAt: now,
    }),
  )
  for (let seq = 1; seq <= PICTURES; seq++)
    await records.attachPicture(scope, { deviceId: door.id }, recordId(door.id, 'boot-1', seq), await noise())
  const client = new pg.Client({ connectionString: world.connectionString })
  await client.connect()
  try {
    await client.query(
      `INSERT INTO access_record (id, park_id, occurred_at, received_at, zone, local_date, local_hour, device_id, device_name,
        person_name, work_number, direction, verify_type, result, checks, settings_revision, capture_file_id)
      SELECT gen_random_uuid(), park_id, occurred_at - number * interval '1 millisecond', received_at, zone, local_date, local_hour,
        device_id, device_name, '', '', direction, verify_type, result, checks, settings_revision, capture_file_id
      FROM access_record, generate_series(1, $1::integer) number WHERE device_id = $2 AND capture_file_id IS NOT NULL`,
      [SERVER_EXPORT_RECORDS / PICTURES - 1, door.id],
    )
  } finally {
    await client.end()
  }
}

export async function run(): Promise<BenchResult[]> {
  const world = await startWorld({ checkAnswers: false })
  try {
    await fill(world)
    const before = process.memoryUsage().rss
    let [peak, over] = [before, false]
    const watching = (async () => {
      for (; !over; await delay(20)) peak = Math.max(peak, process.memoryUsage().rss)
    })()
    const madeFrom = performance.now()
    const { id } = await world.call(exportCalls.accessRecord, { body: { format: 'zip' } })
    let size = 0
    for (let done = false; !done; await delay(LOOK_EVERY_MS)) {
      const task = await world.call(exportCalls.progress, { query: { id } })
      if (task.status === exportStatus.failed) throw new Error('the export failed')
      done = task.status === exportStatus.exported
      size = task.size ?? 0
    }
    const made = (performance.now() - madeFrom) / 1_000
    const { bearer } = world.client.credentials as { bearer: string }
    const rounds: { had: number; bare: number }[] = []
    while (rounds.length < ROUNDS) {
      const hadFrom = performance.now()
      const bytes = await drained(
        await fetch(`${world.url}${exportCalls.download.url}?id=${id}`, { headers: { authorization: `Bearer ${bearer}` } }),
      )
      const had = (performance.now() - hadFrom) / 1_000
      if (bytes !== size) throw new Error(`${bytes} bytes of ${size} came`)
      rounds.push({ had, bare: await bareStream(bytes) })
    }
    over = true
    await watching
    const [bare, had] = [median(rounds.map((round) => round.bare)), median(rounds.map((round) => round.had))]
    const worst = Math.max(...rounds.map((round) => round.had / round.bare))
    const name = `${SERVER_EXPORT_RECORDS.toLocaleString('en')} records with pictures`
    return [
      { name: `${name}: made`, value: made, unit: 's', ratioTo: 'a bare stream of its bytes', ratio: made / bare },
      { name: `${name}: had`, value: had, unit: 's', ratioTo: 'a bare stream of its bytes', ratio: had / bare, goal: 2 },
      {
        name: `${name}: had, worst of ${ROUNDS} rounds`,
        value: Math.max(...rounds.map((round) => round.had)),
        unit: 's',
        ratioTo: 'the bare stream beside it',
        ratio: worst,
      },
      { name: `${name}: size`, value: size / MEGABYTE, unit: 'MB' },
      { name: `${name}: rate of making`, value: size / MEGABYTE / made, unit: 'MB/s' },
      { name: `${name}: rate of having`, value: size / MEGABYTE / had, unit: 'MB/s' },
      { name: `${name}: memory above what there was, at most`, value: (peak - before) / MEGABYTE, unit: 'MB', goal: 200 },
    ]
  } finally {
    await world.stop()
  }
}
