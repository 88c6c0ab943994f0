/** Each filter of both logs finds its rows by an index, in the order of the list where it can. */
import type { CompiledQuery, LogEvent } from 'kysely'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { startWorld, type World } from '@gatehouse/dev-env/world'
import { query } from '../../../../../tests/support/embedded-postgres.ts'
import { databaseOver, type Database } from '../../platform/database/database.ts'
import { newId } from '../../platform/database/ids.ts'
import { countOperations, countReads, listOperations, listReads, type LogScope } from './data.ts'

/** Enough for the planner to prefer an index. */
const ROWS = Number(process.env.ROWS ?? 40_000)
const DAY = 86_400_000
const NOW = Date.now()
const PARKS = 4

let world: World
let parkId = ''
beforeAll(async () => {
  world = await startWorld()
  parkId = world.park.id
  const other = newId()
  // Three parks share most entries; rare values are rare, and spread over a year.
  await query(
    world.connectionString,
    `INSERT INTO operation_log (id, park_id, user_id, account, operator, source, module, method, url, ip, occurred_at, changes)
     SELECT gen_random_uuid(), CASE WHEN at % ${PARKS} = 0 THEN $1::uuid ELSE $2::uuid END, NULL,
     CASE WHEN at % 2000 = 0 THEN 'quill' ELSE 'user' || at % 90 END,
     CASE WHEN at % 2000 = 0 THEN 'Quillfeather' ELSE 'Operator ' || at % 90 END,
            CASE WHEN at % 2000 = 0 THEN 'thirdParty' ELSE 'local' END,
            CASE WHEN at % 2000 = 0 THEN 'epidemic' ELSE 'person' END,
            'PUT', '/x', '10.0.0.1', to_timestamp($3::bigint / 1000.0) - at * interval '365 days' / ${ROWS},
            jsonb_build_array(jsonb_build_object('entity', 'person', 'id', 'p' || at, 'label', 'Person ' || md5(at::text)))
       FROM generate_series(1, ${ROWS}) at`,
    [parkId, other, NOW],
  )
  await query(
    world.connectionString,
    `INSERT INTO read_log (id, park_id, user_id, account, operator, source, method, url, ip, occurred_at, subjects)
     SELECT gen_random_uuid(), CASE WHEN at % ${PARKS} = 0 THEN $1::uuid ELSE $2::uuid END, NULL,
     CASE WHEN at % 2000 = 0 THEN 'quill' ELSE 'user' || at % 90 END, 'Operator', 'local', 'GET', '/x', '10.0.0.1',
            to_timestamp($3::bigint / 1000.0) - at * interval '365 days' / ${ROWS}, ARRAY['s' || at % 5000, 's' || at % 777]
       FROM generate_series(1, ${ROWS}) at`,
    [parkId, other, NOW],
  )
  await query(world.connectionString, 'VACUUM ANALYZE operation_log, read_log')
}, 300_000)
afterAll(() => world?.stop())

interface Plan {
  'Node Type': string
  'Index Name'?: string
  'Relation Name'?: string
  Plans?: Plan[]
}
const nodesOf = (plan: Plan): Plan[] => [plan, ...(plan.Plans ?? []).flatMap(nodesOf)]

/** Return the plans of the queries of a data function, and the milliseconds each takes. */
async function explained(ask: (db: Database) => Promise<unknown>): Promise<{ indexes: string[]; whole: boolean; took: number }> {
  const asked: CompiledQuery[] = []
  const pool = new pg.Pool({ connectionString: world.connectionString })
  const db = databaseOver(pool, ({ query: one }: LogEvent) => void asked.push(one))
  onTestFinished(() => db.destroy())
  const begin = performance.now()
  await ask(db)
  const took = performance.now() - begin
  expect(asked.length).toBeGreaterThan(0)
  const plans = await Promise.all(
    asked.map(
      async (one) =>
        (
          await query<{ 'QUERY PLAN': [{ Plan: Plan }] }>(world.connectionString, `EXPLAIN (FORMAT JSON) ${one.sql}`, [...one.parameters])
        )[0]!['QUERY PLAN'][0].Plan,
    ),
  )
  const nodes = plans.flatMap(nodesOf)
  return {
    indexes: nodes.flatMap((node) => node['Index Name'] ?? []),
    whole: nodes.some((node) => node['Node Type'] === 'Seq Scan' && node['Relation Name']?.endsWith('_log')),
    took,
  }
}

const YEAR = { from: NOW - 366 * DAY, to: null }
/** The default time window. */
const WEEK = { from: NOW - 7 * DAY, to: null }
const page = { page: 1, size: 20 }
const place = { after: null, offset: 0, limit: 21 }
const here = (): LogScope => ({ parkId })

describe('the operation log', () => {
  const cases: [string, object, () => LogScope, string][] = [
    ['nothing', {}, here, 'operation_log_newest'],
    ['all parks', {}, () => 'all', 'operation_log_age'],
    ['a rare module', { module: 'epidemic' }, here, 'operation_log_module'],
    ['a rare source', { source: 'thirdParty' }, here, 'operation_log_source'],
    ['an account', { account: 'quill' }, here, 'operation_log_account'],
    ['an operator', { operator: 'LLFEA' }, here, 'operation_log_operator'],
    ['a subject', { subject: 'c4ca4238' }, here, 'operation_log_labels'],
    ['a subject in all parks', { subject: 'c4ca4238' }, () => 'all', 'operation_log_labels'],
  ]
  test.each(cases)('filtered by %s uses its index', async (_, filter, scope, index) => {
    const asked = { ...page, ...(Object.keys(filter).length === 0 ? WEEK : YEAR), ...filter }
    for (const ask of [
      (db: Database) => listOperations(scope(), db, asked, null, place),
      (db: Database) => countOperations(scope(), db, asked, null),
    ]) {
      const { indexes, whole, took } = await explained(ask)
      if (process.env.ROWS) console.log(Object.keys(filter).join(), indexes.join(), `${took.toFixed(0)} ms`)
      expect(whole).toBe(false)
      expect(indexes).toContain(index)
    }
  })

  test('goes on by cursor deep in the list without reading what lies before', async () => {
    const after = { time: NOW - 300 * DAY, id: newId() }
    const { indexes, whole } = await explained((db) => listOperations(here(), db, { ...page, ...YEAR }, null, { ...place, after }))
    expect(whole).toBe(false)
    expect(['operation_log_newest', 'operation_log_age']).toContain(indexes[0])
  })
})

describe('the log of reads', () => {
  const cases: [string, object, () => LogScope, string][] = [
    ['nothing', {}, here, 'read_log_newest'],
    ['all parks', {}, () => 'all', 'read_log_age'],
    ['a subject', { subject: 's4242' }, here, 'read_log_subjects'],
    ['an account', { account: 'quill' }, here, 'read_log_account'],
  ]
  test.each(cases)('filtered by %s uses its index', async (_, filter, scope, index) => {
    const asked = { ...page, ...(Object.keys(filter).length === 0 ? WEEK : YEAR), ...filter }
    for (const ask of [
      (db: Database) => listReads(scope(), db, asked, null, place),
      (db: Database) => countReads(scope(), db, asked, null),
    ]) {
      const { indexes, whole, took } = await explained(ask)
      if (process.env.ROWS) console.log(Object.keys(filter).join(), indexes.join(), `${took.toFixed(0)} ms`)
      expect(whole).toBe(false)
      expect(indexes).toContain(index)
    }
  })
})
