/** Scheduled jobs on a real database: each slot is run once, by the leading node, and a missed one is made up for. */
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { createVitals } from '../vitals.ts'
import { openDatabase, sql, type DatabaseHandle } from '../database/database.ts'
import { migrate, noKeys } from '../database/migrations.ts'
import { createLog } from '../log.ts'
import { scratchDatabase, type ScratchDatabase } from '../postgres/scratch.ts'
import { until } from '../../../../../tests/support/until.ts'
import { createJobs, type Job, type JobOutcome, type Jobs } from './jobs.ts'
import { jobsMigration } from './jobs-migration.ts'

const MINUTE = 60_000
const YEARLY = '0 0 1 1 *'

let database: ScratchDatabase
let handle: DatabaseHandle
beforeAll(async () => {
  database = await scratchDatabase()
  handle = openDatabase(database.connectionString)
  await migrate(handle.db, [jobsMigration], noKeys)
})
afterAll(async () => {
  await handle?.close()
  await database?.drop()
})

const started: Jobs[] = []
afterEach(async () => {
  await Promise.all(started.splice(0).map((jobs) => jobs.stop()))
  await sql`DELETE FROM scheduled_job`.execute(handle.db)
})

const jobOf = (name: string, run: () => Promise<JobOutcome> | JobOutcome = () => ({ outcome: 'success' }), schedule = YEARLY): Job => ({
  name,
  schedule,
  run: async () => run(),
})
/** A node that leads by default. */
async function node(jobs: readonly Job[], term: () => number | null = () => 1): Promise<Jobs> {
  const one = createJobs({ db: handle.db, jobs, log: createLog('silent'), events: { term } })
  started.push(one)
  await one.start()
  return one
}
interface Row {
  schedule: string
  dueAt: number
  tries: number
  startedAt: number | null
  endedAt: number | null
}
async function rowOf(name: string): Promise<Row | undefined> {
  const { rows } = await sql<Row>`SELECT schedule, due_at AS "dueAt", tries, started_at AS "startedAt", ended_at AS "endedAt"
    FROM scheduled_job WHERE name = ${name}`.execute(handle.db)
  return rows[0]
}
const makeDue = (name: string) => sql`UPDATE scheduled_job SET due_at = now() - interval '1 hour' WHERE name = ${name}`.execute(handle.db)
const entered = (name: string, row: Partial<Record<'due_at' | 'started_at' | 'ended_at', Date>> & { schedule?: string; tries?: number }) =>
  sql`INSERT INTO scheduled_job (name, schedule, due_at, tries, started_at, ended_at) VALUES (${name}, ${row.schedule ?? YEARLY},
    ${row.due_at ?? new Date(Date.now() + 1e9)}, ${row.tries ?? 0}, ${row.started_at ?? null}, ${row.ended_at ?? null})`.execute(handle.db)
const isOver = (name: string) =>
  until('the run to be noted', async () => {
    const row = await rowOf(name)
    return row?.endedAt != null && row.endedAt >= row.startedAt!
  })
const seen = () => createVitals(handle.db, '.').jobs()

describe('a job', () => {
  test('is planned for its next slot and not run before', async () => {
    let runs = 0
    await node([jobOf('test.yearly', () => (runs++, { outcome: 'success' }))])
    expect(await seen()).toEqual([{ name: 'test.yearly', lastRunAt: null, outcome: null, counts: {}, reason: null, error: '' }])
    expect(new Date((await rowOf('test.yearly'))!.dueAt).toISOString()).toMatch(/^\d{4}-01-01T00:00:00/)
    expect(runs).toBe(0)
  })

  test('is run by its schedule and says what came of it', async () => {
    await node([jobOf('test.counts', () => ({ outcome: 'success', counts: { tokens: 3 } }), '*/5 * * * *')])
    const { dueAt } = (await rowOf('test.counts'))!
    expect(dueAt % (5 * MINUTE)).toBe(0)
    await makeDue('test.counts')
    await isOver('test.counts')
    expect(await seen()).toMatchObject([{ outcome: 'success', counts: { tokens: 3 }, lastRunAt: expect.any(Number) }])
    expect((await rowOf('test.counts'))!.dueAt).toBeGreaterThanOrEqual(dueAt)
  })

  test('whose moment passed while no node ran is run when one starts, once', async () => {
    let runs = 0
    await entered('test.missed', { due_at: new Date(Date.now() - 8 * 60 * MINUTE) })
    await node([jobOf('test.missed', () => (runs++, { outcome: 'success' }))])
    await isOver('test.missed')
    expect((await rowOf('test.missed'))!.dueAt).toBeGreaterThan(Date.now())
    expect(runs).toBe(1)
  })

  test('is not run by two nodes that both believe they lead', async () => {
    let runs = 0
    const job = jobOf('test.twice', () => (runs++, { outcome: 'success' }))
    const marker = jobOf('test.after')
    await node([job, marker])
    await node([job, marker])
    for (let slot = 1; slot <= 3; slot++) {
      await makeDue('test.twice')
      await isOver('test.twice')
      await until('the slot to be taken', async () => (await rowOf('test.twice'))!.dueAt > Date.now())
      // Each node has checked once more before the marker ran.
      await makeDue('test.after')
      await until('the marker', async () => (await rowOf('test.after'))!.dueAt > Date.now())
      expect(runs).toBe(slot)
    }
  })

  test('does not overlap with itself, and holds up no other', async () => {
    const { promise: opened, resolve: release } = Promise.withResolvers<void>()
    let runs = 0
    const long = jobOf('test.long', async () => {
      runs++
      await opened
      return { outcome: 'success' }
    })
    await node([long, jobOf('test.other')])
    await makeDue('test.long')
    await until('it to run', () => runs === 1)
    await makeDue('test.long')
    await makeDue('test.other')
    await isOver('test.other')
    expect(runs).toBe(1)
    release()
    await until('its next run', () => runs === 2)
  })

  test('is left to the node that leads', async () => {
    let term: number | null = null
    let runs = 0
    await node([jobOf('test.leads', () => (runs++, { outcome: 'success' }))], () => term)
    expect(await rowOf('test.leads')).toBeUndefined()
    await entered('test.leads', { due_at: new Date(0) })
    term = 1
    await until('the run', () => runs === 1)
  })

  test('that throws is tried again after a minute, three times in all, and then by its schedule', async () => {
    await node([jobOf('test.throws', () => Promise.reject(new Error('no space left')))])
    for (const tries of [1, 2, 0]) {
      const next = await (async () => {
        await makeDue('test.throws')
        await until('it to be tried', async () => (await rowOf('test.throws'))!.dueAt > Date.now())
        await isOver('test.throws')
        return (await rowOf('test.throws'))!
      })()
      expect(next.tries).toBe(tries)
      if (tries > 0) expect(next.dueAt).toBe(next.endedAt! + MINUTE)
      else expect(next.dueAt).toBeGreaterThan(next.endedAt! + MINUTE)
    }
    expect(await seen()).toMatchObject([{ outcome: 'failed', reason: null, error: 'no space left' }])
  })

  test('that says it failed is left to its schedule', async () => {
    await node([jobOf('test.fails', () => ({ outcome: 'failed', reason: 'monthInUse' }))])
    const { dueAt } = (await rowOf('test.fails'))!
    await makeDue('test.fails')
    await isOver('test.fails')
    expect(await rowOf('test.fails')).toMatchObject({ tries: 0, dueAt })
    expect(await seen()).toMatchObject([{ outcome: 'failed', reason: 'monthInUse', error: '' }])
  })

  test('that was cut off with its node is tried again soon, unless it has been too often', async () => {
    const startedAt = new Date(Date.now() - MINUTE)
    await entered('test.cutOff', { started_at: startedAt, tries: 1 })
    await entered('test.deadly', { started_at: startedAt, tries: 3 })
    await entered('test.ended', { started_at: startedAt, ended_at: startedAt, tries: 0 })
    await node(['test.cutOff', 'test.deadly', 'test.ended'].map((name) => jobOf(name)))
    expect((await rowOf('test.cutOff'))!.dueAt).toBeLessThanOrEqual(Date.now() + MINUTE)
    for (const name of ['test.deadly', 'test.ended']) expect((await rowOf(name))!.dueAt).toBeGreaterThan(Date.now() + MINUTE)
  })
})

describe('the plan', () => {
  test('follows the program: other schedules hold at once, and jobs that are gone are listed no more', async () => {
    await entered('test.gone', {})
    await entered('test.changed', { schedule: '* * * * *', due_at: new Date(0) })
    let runs = 0
    await node([jobOf('test.changed', () => (runs++, { outcome: 'success' }))])
    expect(await rowOf('test.gone')).toBeUndefined()
    expect(await rowOf('test.changed')).toMatchObject({ schedule: YEARLY })
    expect((await rowOf('test.changed'))!.dueAt).toBeGreaterThan(Date.now())
    expect(runs).toBe(0)
  })

  test('is mended where a clock that was wrong put a slot far ahead', async () => {
    await entered('test.ahead', { schedule: '* * * * *', due_at: new Date(Date.now() + 1e12) })
    await node([jobOf('test.ahead', undefined, '* * * * *')])
    expect((await rowOf('test.ahead'))!.dueAt).toBeLessThanOrEqual(Date.now() + MINUTE)
  })
})

test('stopping waits for what runs and starts nothing more', async () => {
  const { promise: opened, resolve: release } = Promise.withResolvers<void>()
  const events: string[] = []
  const jobs = await node([
    jobOf('test.ends', async () => {
      events.push('began')
      await opened
      events.push('ended')
      return { outcome: 'success' }
    }),
  ])
  await makeDue('test.ends')
  await until('it to run', () => events.length === 1)
  const stopped = jobs.stop().then(() => events.push('stopped'))
  await makeDue('test.ends')
  release()
  await stopped
  expect(events).toEqual(['began', 'ended', 'stopped'])
  const row = (await rowOf('test.ends'))!
  expect(row.endedAt).toBeGreaterThanOrEqual(row.startedAt!)
})

describe('the upgrade', () => {
  async function upgraded(statements: readonly string[]): Promise<boolean> {
    const own = await scratchDatabase()
    const { db, close } = openDatabase(own.connectionString)
    try {
      for (const statement of statements) await sql.raw(statement).execute(db)
      await migrate(db, [jobsMigration], noKeys)
      const { rows } = await sql<{ there: boolean }>`SELECT to_regnamespace('jobs') IS NOT NULL AS there`.execute(db)
      return rows[0]!.there
    } finally {
      await close()
      await own.drop()
    }
  }

  test('removes the schema in which pg-boss kept jobs', async () => {
    const tables = ['job', 'schedule', 'version'].map((name) => `CREATE TABLE jobs.${name} (id integer PRIMARY KEY)`)
    expect(await upgraded(['CREATE SCHEMA jobs', ...tables])).toBe(false)
  })

  test('leaves a schema of that name which is somebody else’s', async () => {
    expect(await upgraded(['CREATE SCHEMA jobs', 'CREATE TABLE jobs.job (id integer PRIMARY KEY)'])).toBe(true)
  })
})
