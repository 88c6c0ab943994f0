import { expect, onTestFinished, test } from 'vitest'
import { openDatabase, sql } from './database.ts'
import { scratchDatabase } from '../postgres/scratch.ts'

test('moments come as epoch milliseconds, whatever their year and however exact they are', async () => {
  const database = await scratchDatabase()
  onTestFinished(database.drop)
  const handle = openDatabase(database.connectionString, 1)
  onTestFinished(handle.close)
  const moments = [
    ['2026-11-29 02:06:19+00', Date.UTC(2026, 10, 29, 2, 6, 19)],
    ['2026-11-29 02:06:19.9+00', Date.UTC(2026, 10, 29, 2, 6, 19, 900)],
    ['2026-11-29 02:06:19.000999+00', Date.UTC(2026, 10, 29, 2, 6, 19)],
    ['2026-11-29 02:06:19.123+05:30', Date.UTC(2026, 10, 28, 20, 36, 19, 123)],
    ['1969-12-31 23:59:59.25+00', -750],
    ['0044-03-15 00:00:00+00', new Date('0044-03-15T00:00:00Z').getTime()],
    ['0044-03-15 00:00:00+00 BC', new Date('-000043-03-15T00:00:00Z').getTime()],
    ['12026-11-29 02:06:19+00', Date.UTC(12026, 10, 29, 2, 6, 19)],
  ] as const
  for (const [text, moment] of moments)
    expect((await sql<{ at: number }>`SELECT ${text}::timestamptz AS at`.execute(handle.db)).rows).toEqual([{ at: moment }])
})

test('names are in camel case here and in snake case there, raw SQL and what jsonb holds as they are written', async () => {
  const database = await scratchDatabase()
  onTestFinished(database.drop)
  const { db: whole, close } = openDatabase(database.connectionString, 1)
  onTestFinished(close)
  type Doors = { frontDoor: { openedAt: number; lock2Id: string; heldBy: { user_id: string } } }
  const db = whole.withTables<Doors>()
  await sql`CREATE TABLE front_door AS SELECT 7 AS opened_at, 'two' AS lock2_id, '{"user_id": "Ann"}'::jsonb AS held_by`.execute(db)
  const row = { openedAt: 7, lock2Id: 'two', heldBy: { user_id: 'Ann' } }
  expect(await db.selectFrom('frontDoor').selectAll().execute()).toEqual([row])
  expect(await db.selectFrom('frontDoor as door').select(['door.openedAt', 'lock2Id as secondLock']).execute()).toEqual([
    { openedAt: 7, secondLock: 'two' },
  ])
  expect((await sql`SELECT opened_at, 1 AS "keptAsWritten" FROM front_door`.execute(db)).rows).toEqual([{ openedAt: 7, keptAsWritten: 1 }])
  expect((await sql`SELECT opened_at FROM front_door`.execute(db.withoutPlugins())).rows).toEqual([{ opened_at: 7 }])
})
