import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { recordCalls } from '@gatehouse/contract/records/calls'
import { startWorld, type World } from '@gatehouse/dev-env/world'
import pg from 'pg'
import sharp from 'sharp'
import { recordId } from '../../platform/database/ids.ts'
import { createPartitionsJob } from './partitions-job.ts'
import { passage, passages, sentBy } from './testing/records.ts'

const NOW = Date.parse('2026-11-20T12:00:00Z')
const OLD = Date.parse('2026-02-10T12:00:00Z')

let world: World
beforeAll(async () => {
  world = await startWorld({ clock: { now: () => NOW } })
})
afterAll(() => world?.stop())

const run = (retentionMonths: number | null) => createPartitionsJob(world.server.platform, { retentionMonths }).run()

async function connection(): Promise<pg.Client> {
  const client = new pg.Client(world.connectionString)
  await client.connect()
  onTestFinished(() => client.end())
  return client
}

async function tables(): Promise<string[]> {
  const { rows } = await (
    await connection()
  ).query<{ name: string }>(`SELECT relname AS name FROM pg_class WHERE relkind = 'r' AND relname LIKE 'access\\_record\\_%' ORDER BY 1`)
  return rows.map(({ name }) => name)
}

/** Create a park with a door that has a record with a picture at each moment. */
async function parkWith(moments: readonly number[]) {
  const park = await world.addPark()
  const door = await park.device()
  const { ingest, records } = world.server.contexts.records
  const send = (sent = passages(moments.map((occurredAt) => ({ occurredAt, hasPicture: true })))) =>
    ingest({ deviceId: door.id, parkId: park.park.id }, sentBy(sent, { sentAt: NOW }))
  await send()
  const picture = await sharp({ create: { width: 200, height: 200, channels: 3, background: 'red' } })
    .webp()
    .toBuffer()
  const attach = (seq: number) =>
    records.attachPicture({ parkId: park.park.id }, { deviceId: door.id }, recordId(door.id, 'boot-1', seq), picture)
  for (const index of moments.keys()) await attach(index + 1)
  const kept = async () => {
    const { rows } = await (
      await connection()
    ).query<{ kept: boolean }>('SELECT kept FROM file WHERE park_id = $1 ORDER BY kept', [park.park.id])
    return rows.map((row) => row.kept)
  }
  const total = async () => (await park.call(recordCalls.find, { body: { startTime: OLD - 1 } })).total
  return { park, send, kept, total }
}

describe('the months of records', () => {
  test('are made two ahead, once', async () => {
    expect(await run(null)).toMatchObject({ outcome: 'success' })
    expect(await run(null)).toMatchObject({ outcome: 'success' })
    expect(await tables()).toEqual(expect.arrayContaining(['access_record_2026_11', 'access_record_2026_12', 'access_record_2027_01']))
  })

  test('stay for ever unless it is said for how long', async () => {
    const { total, kept } = await parkWith([OLD, NOW])
    await run(null)
    expect(await total()).toBe(2)
    expect(await kept()).toEqual([true, true])
  })

  test('go when wholly past the time, with their pictures, and come back for a record that comes late', async () => {
    const march = Date.parse('2026-03-01T00:00:00.000Z')
    const { send, total, kept } = await parkWith([OLD, march, NOW])
    expect(await run(8)).toMatchObject({ outcome: 'success' })
    expect(await tables()).not.toContain('access_record_2026_02')
    expect(await tables()).toContain('access_record_2026_03')
    expect(await total()).toBe(2)
    expect(await kept()).toEqual([false, true, true])
    expect(await send([passage(4, { occurredAt: OLD })])).toBe(4)
    expect(await total()).toBe(3)
    expect(await run(8)).toMatchObject({ outcome: 'success' })
    expect(await run(8)).toMatchObject({ outcome: 'skipped' })
    expect(await total()).toBe(2)
  })

  test('are dropped by the next run where one was stopped half way', async () => {
    const { kept, total } = await parkWith([OLD, NOW])
    const client = await connection()
    await client.query('ALTER TABLE access_record DETACH PARTITION access_record_2026_02')
    await client.query('ALTER TABLE access_record_2026_02 RENAME TO access_record_dropped_2026_02')
    await run(8)
    expect((await tables()).filter((name) => name.endsWith('2026_02'))).toEqual([])
    expect(await kept()).toEqual([false, true])
    expect(await total()).toBe(1)
  })

  test('are listed while one cannot be taken off because it is read, and it goes the next time', { tags: 'extended' }, async () => {
    const { park, total } = await parkWith([OLD, NOW])
    const client = await connection()
    await client.query('BEGIN')
    await client.query('SELECT count(*) FROM access_record WHERE park_id = $1', [park.park.id])
    const running = run(8)
    let ended = false
    void running.then(() => (ended = true))
    const totals: number[] = []
    while (!ended) totals.push(await total())
    expect(await running).toMatchObject({ outcome: 'failed', reason: 'monthInUse' })
    expect(new Set(totals)).toEqual(new Set([2]))
    await client.query('ROLLBACK')
    expect(await run(8)).toMatchObject({ outcome: 'success' })
    expect(await total()).toBe(1)
  })
})
