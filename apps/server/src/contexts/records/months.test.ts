/**
 * Records are stored in months: where the moments of records are known, only their months are searched. Values that filters need
 * from a record's checks have their own columns.
 */
import type { CompiledQuery } from 'kysely'
import pg from 'pg'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { encodeChecks, type Restriction } from '@gatehouse/access-rules'
import { accessResult, failReason } from '@gatehouse/contract/enums'
import { recordCalls } from '@gatehouse/contract/records/calls'
import { startWorld, type Site, type World } from '@gatehouse/dev-env/world'
import { databaseOver, type Database } from '../../platform/database/database.ts'
import { spanOf } from './events.ts'
import { findRecords, findSeenIds } from './records-data.ts'
import { recordMigrations } from './schema.ts'
import { passages, sentBy } from './testing/records.ts'

const DAY = 86_400_000
const NOW = Date.parse('2026-11-20T12:00:00Z')
const LONG_AGO = Date.parse('2026-05-03T08:00:00Z')

let world: World
beforeAll(async () => {
  world = await startWorld({ clock: { now: () => NOW } })
})
afterAll(() => world?.stop())

async function sent(site: Site, records: Parameters<typeof passages>[0]): Promise<string[]> {
  const door = await site.device({ name: 'Main door' })
  await world.server.contexts.records.ingest({ deviceId: door.id, parkId: site.park.id }, sentBy(passages(records)))
  const { content } = await site.call(recordCalls.find, { body: { startTime: LONG_AGO - DAY, endTime: NOW + DAY } })
  return content.filter(({ deviceId }) => deviceId === door.id).map(({ id }) => id)
}

/** Return the names of the months that PostgreSQL searches for the queries of a function. */
async function monthsOf(ask: (db: Database) => Promise<unknown>): Promise<string[]> {
  const asked: CompiledQuery[] = []
  const pool = new pg.Pool({ connectionString: world.connectionString })
  const db = databaseOver(pool, ({ query }) => void asked.push(query))
  onTestFinished(() => db.destroy())
  await ask(db)
  expect(asked).toHaveLength(1)
  const client = new pg.Client(world.connectionString)
  await client.connect()
  try {
    const { rows } = await client.query<{ 'QUERY PLAN': unknown }>(`EXPLAIN (FORMAT JSON) ${asked[0]!.sql}`, [...asked[0]!.parameters])
    return [...new Set(JSON.stringify(rows).match(/access_record_\d{4}_\d{2}(?=")/g))].toSorted()
  } finally {
    await client.end()
  }
}

test('an event about records says between which moments they lie, and only their months are looked through', async () => {
  const site = await world.addPark()
  const ids = await sent(site, [{ occurredAt: LONG_AGO }, { occurredAt: LONG_AGO + DAY }, { occurredAt: NOW }])
  expect(ids).toHaveLength(3)
  const { payload } = await world.server.platform.db
    .selectFrom('outbox')
    .select('payload')
    .where('parkId', '=', site.park.id)
    .where('name', '=', 'records.received')
    .executeTakeFirstOrThrow()
  expect(payload).toMatchObject({ from: LONG_AGO, to: NOW })
  expect(spanOf({})).toBeUndefined()
  const scope = { parkId: site.park.id }
  const span = { from: LONG_AGO, to: LONG_AGO + DAY }
  expect(await monthsOf((db) => findRecords(scope, db, ids, span))).toEqual(['access_record_2026_05'])
  expect(await monthsOf((db) => findSeenIds(scope, db, ids, span))).toEqual(['access_record_2026_05'])
  expect((await monthsOf((db) => findRecords(scope, db, ids))).length).toBeGreaterThan(1)
  expect((await findRecords(scope, world.server.platform.db, ids, span)).map(({ time }) => time).toSorted()).toEqual([
    LONG_AGO,
    LONG_AGO + DAY,
  ])
})

test('a record of whichever month is read and deleted by its id alone', async () => {
  const site = await world.addPark()
  const [newest, oldest] = await sent(site, [{ occurredAt: LONG_AGO }, { occurredAt: NOW }])
  for (const id of [oldest!, newest!]) {
    expect(await site.call(recordCalls.read, { params: { id } })).toMatchObject({ id })
    expect(await site.call(recordCalls.delete, { params: { id } })).toEqual({ id })
    expect(await site.ask(recordCalls.read, { params: { id } })).toMatchObject({ status: 404 })
    expect(await site.ask(recordCalls.delete, { params: { id } })).toMatchObject({ status: 404 })
  }
})

test('the rule of an area that refused is read from the checks at arrival, and once of records that were there before', async () => {
  const site = await world.addPark()
  const refused = (restriction: Restriction | null, reason: number) => ({
    result: accessResult.rejected,
    failReason: reason,
    checks: encodeChecks([{ code: 'secondVerification', ok: false, outcome: 'refused', restriction }]),
  })
  await sent(site, [
    { occurredAt: NOW, ...refused('full', failReason.areaFull) },
    { occurredAt: NOW - 1, ...refused('alreadyInside', failReason.cloudRefused) },
    { occurredAt: NOW - 2, ...refused(null, failReason.cloudRefused) },
    // A device's own refusal with another reason does not count as the server's.
    { occurredAt: NOW - 3, ...refused('full', failReason.notRegistered) },
    { occurredAt: NOW - 4, result: accessResult.rejected, failReason: failReason.areaFull, checks: 'no checks' },
  ])
  const restrictions = async () => (await site.call(recordCalls.find, { body: {} })).content.map(({ restriction }) => restriction)
  const EXPECTED = ['full', 'alreadyInside', null, null, null]
  expect(await restrictions()).toEqual(EXPECTED)
  const migration = recordMigrations.find(({ name }) => name.endsWith('-records-restriction'))!
  const { db, crypto } = world.server.platform
  await db.schema.alterTable('accessRecord').dropColumn('restriction').execute()
  await migration.up(db.withoutPlugins(), async () => crypto)
  expect(await restrictions()).toEqual(EXPECTED)
})
