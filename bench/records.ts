/**
 * Measures lists and statistics of ten million access records against a time limit, and against the bare queries for the same rows. RECORDS
 * (10,000,000): their number; DATABASE_URL names another database than a built-in one.
 */
import { setTimeout as delay } from 'node:timers/promises'
import type { InputOf } from '@gatehouse/contract'
import { recordCalls } from '@gatehouse/contract/records/calls'
import { statisticsCalls } from '@gatehouse/contract/statistics/calls'
import { createClient } from '@gatehouse/dev-env/client'
import { startWorld, type World } from '@gatehouse/dev-env/world'
import { countRecords, listRecords, type RecordFilter } from '@gatehouse/server/contexts/records/records-data'
import { DAYS, DOORS, insertRecords, someoneOf } from './records-rows.ts'
import type { BenchResult } from './result.ts'
import { settings } from './settings.ts'

/** Maximum milliseconds of the server for a list, a day's report, and a month's. */
const LIMITS = { list: 300, day: 1_000, month: 3_000 }
const WARM_UP = 2
const ROUNDS = 9
const PAGE = 50
/** Number of the last page. */
const DEEP = 200
const DAY = 86_400_000
/** Milliseconds of bare queries from which on a call is compared with them. */
const NOTICED = 20
const MEGABYTE = 1_000_000

type Filter = Omit<RecordFilter, 'from' | 'to' | 'direction' | 'result'> &
  Pick<InputOf<(typeof recordCalls)['find']['body']>, 'direction' | 'result'>
type Query = InputOf<(typeof statisticsCalls)['statistics']['query']>

const percentile = (values: readonly number[], share: number): number =>
  values.toSorted((a, b) => a - b)[Math.ceil(values.length * share) - 1]!

/** Return the milliseconds of each, in turns: other load of the machine affects all alike. */
async function measure(...asks: (() => Promise<unknown>)[]): Promise<number[][]> {
  const times: number[][] = asks.map(() => [])
  for (let round = -WARM_UP; round < ROUNDS; round++)
    for (const [at, ask] of asks.entries()) {
      const startedAt = performance.now()
      await ask()
      if (round >= 0) times[at]!.push(performance.now() - startedAt)
    }
  return times
}

/** Return each filter of the list alone. */
const filtersOf = (deviceId: string, personId: string): Record<string, Filter> => ({
  'all of them': {},
  'of a person': { personId },
  'a name many have': { personName: '王伟' },
  'a surname': { personName: '王' },
  'a name few have': { personName: '李娜 9' },
  'a name nobody has': { personName: 'Nobody at all' },
  'a name many contacts have': { personName: 'Wang Fang' },
  'a name few contacts have': { personName: 'wang fang 88' },
  'at a door': { deviceId },
  inwards: { direction: 1 },
  refused: { result: 0 },
  allowed: { result: 1 },
  'a reason that is common': { failReason: 6 },
  'a reason that is rare': { failReason: 7 },
  'a reason there is not': { failReason: 903 },
  'of strangers': { stranger: true },
  'of nobody unknown': { stranger: false },
})

async function lists(world: World, deviceId: string, personId: string): Promise<BenchResult[]> {
  const client = createClient(world.url, world.client.credentials)
  const db = world.server.platform.db
  const scope = { parkId: world.park.id }
  const now = Date.now()
  const results: BenchResult[] = []
  let worst = { name: '', ms: 0, ratio: 0 }
  for (const [words, days] of [
    ['7 days', 7],
    [`${DAYS} days`, DAYS],
  ] as const)
    for (const [filterWords, filter] of Object.entries(filtersOf(deviceId, personId)))
      for (const [pageWords, page] of [
        ['first page', 1],
        ['last page by number', DEEP],
      ] as const) {
        const name = `${filterWords}, ${words}, ${pageWords}`
        const from = now - days * DAY
        const place = { after: null, offset: (page - 1) * PAGE, limit: PAGE + 1 }
        const least = { ...filter, from, to: null }
        const [bare, times] = (await measure(
          async () => JSON.stringify(await Promise.all([listRecords(scope, db, least, place), countRecords(scope, db, least)])),
          () => client.call(recordCalls.find, { body: { ...filter, startTime: from, page, size: PAGE } }),
        )) as [number[], number[]]
        const p95 = percentile(times, 0.95)
        const ratio = percentile(times, 0.5) / percentile(bare, 0.5)
        if (p95 > worst.ms) worst = { name, ms: p95, ratio }
        results.push({ name: `${name}, p95`, value: p95, unit: 'ms', ratioTo: `${LIMITS.list} ms`, ratio: p95 / LIMITS.list, goal: 1 })
        // For short queries most of the time is the round trip, which the bare query does not have.
        const noticed = percentile(bare, 0.5) >= NOTICED
        results.push({
          name: `${name}, p50`,
          value: percentile(times, 0.5),
          unit: 'ms',
          ratioTo: 'its bare queries',
          ratio,
          ...(noticed && { goal: 1.5 }),
        })
      }
  results.push({
    name: `the slowest: ${worst.name}, p95`,
    value: worst.ms,
    unit: 'ms',
    ratioTo: `${LIMITS.list} ms`,
    ratio: worst.ms / LIMITS.list,
    goal: 1,
  })
  results.push({ name: 'the slowest, against its bare queries', value: worst.ratio, unit: 'times', goal: 1.5 })
  return results
}

async function reports(world: World, deviceId: string, personGroupId: string): Promise<BenchResult[]> {
  const client = createClient(world.url, world.client.credentials)
  const dateBefore = (days: number): string => new Date(Date.now() - days * DAY).toISOString().slice(0, 10)
  const spans = { day: { from: dateBefore(1), to: dateBefore(1) }, month: { from: dateBefore(31), to: dateBefore(1) } }
  const narrowed: Record<string, Query> = {
    everything: {},
    'a door': { deviceId },
    'a group': { personGroupId },
    'a group at a door': { deviceId, personGroupId },
    refused: { result: 0 },
    'a reason': { failReason: 6 },
  }
  const results: BenchResult[] = []
  for (const [span, window] of Object.entries(spans) as [keyof typeof spans, Query][])
    for (const by of ['hour', 'day', 'device', 'group'] as const)
      for (const [words, query] of Object.entries(narrowed)) {
        const p95 = percentile(
          (await measure(() => client.call(statisticsCalls.statistics, { query: { ...window, ...query, by } })))[0]!,
          0.95,
        )
        const limit = LIMITS[span]
        results.push({
          name: `a ${span}'s report by ${by} of ${words}, p95`,
          value: p95,
          unit: 'ms',
          ratioTo: `${limit} ms`,
          ratio: p95 / limit,
          goal: 1,
        })
      }
  return results
}

/** Return the seconds from the start of the server until all records are counted. */
async function counted(world: World): Promise<number> {
  const startedAt = performance.now()
  for (; ; await delay(500)) {
    const { complete } = await world.call(statisticsCalls.statistics, { query: {} })
    if (complete) return (performance.now() - startedAt) / 1_000
  }
}

export async function run(): Promise<BenchResult[]> {
  const count = settings.RECORDS
  const world = await startWorld({ checkAnswers: false })
  try {
    const doors = []
    while (doors.length < DOORS) doors.push(await world.device())
    const deviceIds = doors.map(({ id }) => id)
    const filledFrom = performance.now()
    await world.interrupted(() => insertRecords(world.connectionString, world.park, deviceIds, count, Date.now()))
    const results: BenchResult[] = [
      { name: `${count.toLocaleString('en')} records of ${DAYS} days written`, value: (performance.now() - filledFrom) / 1_000, unit: 's' },
    ]
    results.push({ name: 'counted for statistics, all of them anew', value: await counted(world), unit: 's' })
    await world.settled()
    const { personId, groupId } = await someoneOf(world.connectionString)
    let [peak, over] = [0, false]
    const watching = (async () => {
      for (; !over; await delay(100)) peak = Math.max(peak, process.memoryUsage().rss)
    })()
    results.push(...(await lists(world, deviceIds[30]!, personId)))
    results.push(...(await reports(world, deviceIds[30]!, groupId)))
    over = true
    await watching
    results.push({ name: 'memory of server and benchmark, at most', value: peak / MEGABYTE, unit: 'MB' })
    return results
  } finally {
    await world.stop()
  }
}
