/** Measures the desk of visitors with a million visits of a year against a time limit. */
import pg from 'pg'
import type { InputOf } from '@gatehouse/contract'
import { visitorSource, visitorStatus, visitReason } from '@gatehouse/contract/enums/visitors'
import { visitorCalls } from '@gatehouse/contract/visitors/calls'
import { visitorConfigurationCalls } from '@gatehouse/contract/visitors/configuration'
import { createClient } from '@gatehouse/dev-env/client'
import { startWorld, type World } from '@gatehouse/dev-env/world'
import { openersOf, sealVisit } from '@gatehouse/server/contexts/visitors/details'
import { rowId } from './row-ids.ts'
import type { BenchResult } from './result.ts'

const VISITS = 1_000_000
/** Of them the newest, which pages show: they are sealed each for its own row, the others as one of them. */
const SHOWN = 4_000
/** Every how many visits one has a name that few have. */
const RARE = 10_000
const DAYS = 365
/** Maximum milliseconds of the server for a screen. */
const LIMIT = 300
const WARM_UP = 2
const ROUNDS = 15
const DAY = 86_400_000

type Query = InputOf<(typeof visitorCalls)['list']['query']>

/** Write the visits beside one that was made by a call. */
async function insertVisits(world: World): Promise<void> {
  await world.call(visitorConfigurationCalls.change, { body: { needAuthorisation: false } })
  const now = world.clock.now()
  const body = { source: visitorSource.reservation, name: 'Template', phone: '13900000000', reason: visitReason.business }
  const { id } = await world.call(visitorCalls.create, { body: { ...body, visitTime: now, visitEndTime: now + DAY / 24 } })
  const client = new pg.Client({ connectionString: world.connectionString })
  await client.connect()
  try {
    const { crypto } = world.server.platform
    const scope = { parkId: world.park.id }
    const { rows } = await client.query<{ details: Buffer }>('select details from visit where id = $1', [id])
    const details = (await openersOf(crypto, scope)).visit(id, rows[0]!.details)
    const surnames = `(ARRAY['王','李','张','刘','陈','杨','赵','黄'])[1 + n % 8]`
    const at = `now() - n * interval '${(DAYS * DAY) / VISITS} milliseconds'`
    await client.query(
      `INSERT INTO visit (id, park_id, status, source, name, details, phone_index, phone_ending, visitor_group_id, visitor_number, host_id,
         host_name, reason, appointed_at, visit_at, visit_end_at, expires_at, entered_at, ended_at, remark, custom_fields, access_group_ids,
         pass_methods, face_consent, registered_by, created_at, updated_at)
       SELECT ${rowId(`'visit' || n`)}, park_id, (ARRAY[3,4,6,7,8,3,3,8,3,3])[1 + n % 10], 1 + n % 3,
         CASE WHEN n % ${RARE} = 0 THEN 'Rare ' || n ELSE ${surnames} || n END, details, md5('phone' || n)::bytea,
         md5('end' || n % 10000)::bytea,
         visitor_group_id, 1, ${rowId(`'host' || n % 100`)}, 'Host ' || n % 100, 1, ${at}, ${at},
         ${at} + interval '1 hour',
         ${at} + interval '8 hours', ${at}, ${at} + interval '1 hour', '', custom_fields, '{}', '{}', false, 'Bench', ${at}, ${at}
       FROM visit, generate_series(1, ${VISITS}) n WHERE visit.id = $1`,
      [id],
    )
    const shown = await client.query<{ id: string }>(
      `(SELECT id FROM visit ORDER BY visit_at DESC LIMIT ${SHOWN}) UNION SELECT id FROM visit WHERE name LIKE 'Rare %'`,
    )
    for (const row of shown.rows)
      await client.query('UPDATE visit SET details = $2 WHERE id = $1', [row.id, await sealVisit(crypto, scope, row.id, details)])
    await client.query('VACUUM ANALYZE visit')
  } finally {
    await client.end()
  }
}

function questionsOf(world: World): Record<string, () => Promise<unknown>> {
  const client = createClient(world.url, world.client.credentials)
  const list = (query: Query) => () => client.call(visitorCalls.list, { query: { size: 20, ...query } })
  const year = { startTime: world.clock.now() - DAYS * DAY, endTime: world.clock.now() + DAY }
  return {
    'the last seven days': list({}),
    'a year': list(year),
    'waiting for review': list({ status: [visitorStatus.pendingReview] }),
    'waiting for review, in a year': list({ ...year, status: [visitorStatus.pendingReview] }),
    'refused, in a year': list({ ...year, status: [visitorStatus.refused] }),
    'of a source, in a year': list({ ...year, source: visitorSource.invitation }),
    'a surname, in a year': list({ ...year, keyword: '王' }),
    'a name few have, in a year': list({ ...year, keyword: 'Rare' }),
    'a name nobody has, in seven days': list({ keyword: 'Nobody at all' }),
    'a name nobody has, in a year': list({ ...year, keyword: 'Nobody at all' }),
    'visits in force': () => client.call(visitorCalls.valid, { query: { size: 20 } }),
    'the counts of the desk': () => client.call(visitorCalls.summary, {}),
  }
}

async function measure(ask: () => Promise<unknown>): Promise<number> {
  const times: number[] = []
  for (let round = -WARM_UP; round < ROUNDS; round++) {
    const startedAt = performance.now()
    await ask()
    if (round >= 0) times.push(performance.now() - startedAt)
  }
  return times.toSorted((a, b) => a - b)[Math.ceil(ROUNDS * 0.95) - 1]!
}

export async function run(): Promise<BenchResult[]> {
  const world = await startWorld({ checkAnswers: false, jobsAsleep: true })
  try {
    await insertVisits(world)
    const results: BenchResult[] = []
    for (const [name, ask] of Object.entries(questionsOf(world))) {
      const value = await measure(ask)
      results.push({ name: `${name} (p95)`, value, unit: 'ms', ratioTo: `the limit of ${LIMIT} ms`, ratio: value / LIMIT, goal: 1 })
    }
    return results
  } finally {
    await world.stop()
  }
}
