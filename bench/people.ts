/**
 * Measures the requests of the register with 100,000 persons in 5,000 groups against a time limit; and an export of fifty thousand of them.
 */
import { setTimeout as delay } from 'node:timers/promises'
import { importCalls } from '@gatehouse/contract/imports/calls'
import { SERVER_EXPORT_RECORDS, type InputOf } from '@gatehouse/contract'
import { peopleCalls } from '@gatehouse/contract/people/calls'
import { createClient } from '@gatehouse/dev-env/client'
import { startWorld, type World } from '@gatehouse/dev-env/world'
import { GROUPS, PERSONS, insertRegister, sealRegister } from './people-rows.ts'
import type { BenchResult } from './result.ts'
import { bareStream, drained } from './streams.ts'

/** Maximum milliseconds of the server for a screen. */
const LIMIT = 300
const WARM_UP = 2
const ROUNDS = 15
/** Rows of a page, also of the last page of the whole register. */
const PAGE = 100
const MEGABYTE = 1_000_000

type Query = InputOf<(typeof peopleCalls)['list']['query']>

interface Question {
  name: string
  ask(): Promise<unknown>
}

const percentile = (values: readonly number[], share: number): number =>
  values.toSorted((a, b) => a - b)[Math.ceil(values.length * share) - 1]!

/** Filters of the list, each alone and some together. */
const filtersOf = (topGroup: string, leafGroup: string): Record<string, Query> => ({
  'the whole register': {},
  staff: { kind: 'staff' },
  'whom to look out for': { kind: 'special' },
  'a surname': { name: '王' },
  'a name many have': { name: '王伟' },
  'a name few have': { name: '李娜 9' },
  'a name nobody has': { name: 'Nobody at all' },
  'the end of a work number': { workNumber: '4711' },
  'two digits of a work number': { workNumber: '47' },
  'the end of a phone number': { phone: '7919' },
  'the end of a card number': { cardNumber: '4711' },
  'a group with all below it': { groupId: topGroup },
  'a group without any below it': { groupId: leafGroup },
  enabled: { status: 1 },
  disabled: { status: 0 },
  expired: { status: 2 },
  'ends within 7 days': { expiringDays: 7 },
  'ends within 15 days': { expiringDays: 15 },
  'ends within 30 days': { expiringDays: 30 },
  'with a photograph': { hasFace: 1 },
  'without a photograph': { hasFace: 0 },
  'fewer than two photographs': { facesBelow: 2 },
  'fewer than three photographs': { facesBelow: 3 },
  'consent given': { consent: 'given' },
  'consent withdrawn': { consent: 'withdrawn' },
  'staff of a group that is enabled, without a photograph': { kind: 'staff', groupId: topGroup, status: 1, hasFace: 0 },
  'customers of a surname that end within 30 days': { kind: 'customer', name: '王', expiringDays: 30 },
})

const SORTS: readonly NonNullable<Query['sort']>[] = ['createdAt', 'name', 'workNumber', 'validTo']

async function questionsOf(world: World): Promise<Question[]> {
  const client = createClient(world.url, world.client.credentials)
  const tree = await client.call(peopleCalls.groupTree, { query: {} })
  const top = tree.find(({ children }) => children.length > 0)!
  const filters = filtersOf(top.id, top.children[0]!.id)
  const list = (query: Query) => client.call(peopleCalls.list, { query })
  const lastPage = Math.floor((await list({ size: PAGE })).total / PAGE)
  return [
    ...Object.entries(filters).map(([name, query]) => ({ name, ask: () => list(query) })),
    ...Object.entries(filters).map(([name, query]) => ({
      name: `${name}, a hundred from row 10,000 on`,
      ask: () => list({ ...query, page: 101, size: PAGE }),
    })),
    ...SORTS.flatMap((sort) =>
      (['asc', 'desc'] as const).flatMap((order) => [
        { name: `sorted by ${sort} ${order}`, ask: () => list({ sort, order }) },
        { name: `sorted by ${sort} ${order}, last page`, ask: () => list({ sort, order, page: lastPage, size: PAGE }) },
        { name: `staff sorted by ${sort} ${order}`, ask: () => list({ kind: 'staff', sort, order }) },
      ]),
    ),
    { name: 'the list by POST', ask: () => client.call(peopleCalls.find, { body: { kind: 'staff', size: PAGE } }) },
    { name: 'groups with their counts', ask: () => client.call(peopleCalls.groupTree, { query: { type: 1 } }) },
    { name: 'counts of the home page', ask: () => client.call(peopleCalls.summary, {}) },
    { name: 'photographs that are missing, by group', ask: () => client.call(importCalls.photoBoard, { query: { kind: 'staff' } }) },
  ]
}

async function measure({ ask }: Question): Promise<number[]> {
  const times: number[] = []
  for (let round = -WARM_UP; round < ROUNDS; round++) {
    const startedAt = performance.now()
    await ask()
    if (round >= 0) times.push(performance.now() - startedAt)
  }
  return times
}

async function exported(world: World, format: 'csv' | 'xlsx'): Promise<BenchResult[]> {
  const { bearer } = world.client.credentials as { bearer: string }
  const before = process.memoryUsage().rss
  let [peak, over] = [before, false]
  const watching = (async () => {
    for (; !over; await delay(20)) peak = Math.max(peak, process.memoryUsage().rss)
  })()
  const startedAt = performance.now()
  const bytes = await drained(
    await fetch(`${world.url}${peopleCalls.export.url}?kind=customer&format=${format}`, { headers: { authorization: `Bearer ${bearer}` } }),
  )
  const seconds = (performance.now() - startedAt) / 1_000
  over = true
  await watching
  const bare = await bareStream(bytes)
  const name = `${SERVER_EXPORT_RECORDS.toLocaleString('en')} persons as ${format}`
  return [
    { name, value: seconds, unit: 's', ratioTo: 'a bare stream of its bytes', ratio: seconds / bare },
    { name: `${name}: rate`, value: bytes / MEGABYTE / seconds, unit: 'MB/s' },
    { name: `${name}: size`, value: bytes / MEGABYTE, unit: 'MB' },
    { name: `${name}: memory above what there was, at most`, value: (peak - before) / MEGABYTE, unit: 'MB' },
  ]
}

export async function run(): Promise<BenchResult[]> {
  const world = await startWorld({ checkAnswers: false })
  try {
    const filledFrom = performance.now()
    await world.interrupted(() => insertRegister(world.connectionString, world.park.id))
    const results: BenchResult[] = [
      { name: `${PERSONS} persons in ${GROUPS} groups written`, value: (performance.now() - filledFrom) / 1_000, unit: 's' },
    ]
    await sealRegister(world)
    await world.settled()
    let worst = { name: '', p95: 0 }
    for (const question of await questionsOf(world)) {
      const times = await measure(question)
      const p95 = percentile(times, 0.95)
      if (p95 > worst.p95) worst = { name: question.name, p95 }
      results.push({ name: `${question.name}, p50`, value: percentile(times, 0.5), unit: 'ms' })
      results.push({ name: `${question.name}, p95`, value: p95, unit: 'ms', ratioTo: `${LIMIT} ms`, ratio: p95 / LIMIT, goal: 1 })
    }
    results.push({
      name: `the slowest: ${worst.name}, p95`,
      value: worst.p95,
      unit: 'ms',
      ratioTo: `${LIMIT} ms`,
      ratio: worst.p95 / LIMIT,
      goal: 1,
    })
    for (const format of ['csv', 'xlsx'] as const) results.push(...(await exported(world, format)))
    return results
  } finally {
    await world.stop()
  }
}
