/**
 * Measures the requests of the screens for strategies and of questions about them: 4,000 doors and 100,000 persons, each in 5,000 groups,
 * with 500 strategies between them.
 */
import { strategyCalls, timeRuleCalls } from '@gatehouse/contract/strategies/calls'
import { questionCalls } from '@gatehouse/contract/questions/calls'
import { synchronisationCalls } from '@gatehouse/contract/synchronisation/calls'
import { writtenRuleCalls } from '@gatehouse/contract/approvals/written-rules'
import { createClient } from '@gatehouse/dev-env/client'
import { startWorld, type World } from '@gatehouse/dev-env/world'
import { DEVICES, GROUPS as DEVICE_GROUPS } from './devices-rows.ts'
import { GROUPS as PERSON_GROUPS, PERSONS } from './people-rows.ts'
import type { BenchResult } from './result.ts'
import { STRATEGIES, insertRules } from './rules-rows.ts'

/** Maximum milliseconds for a list, and for the effects of a change. */
const LIST = 300
const EFFECT = 1_000
const WARM_UP = 2
const ROUNDS = 10
const PAGE = 100
/** Persons saved in a row. */
const SAVED = 30
const MEGABYTE = 1_000_000

interface Question {
  name: string
  limit: number
  ask(): Promise<unknown>
}

const percentile = (values: readonly number[], share: number): number =>
  values.toSorted((a, b) => a - b)[Math.ceil(values.length * share) - 1]!

async function questionsOf(world: World): Promise<Question[]> {
  const client = createClient(world.url, world.client.credentials)
  const find = (name: string) =>
    client.call(strategyCalls.find, { body: { name } }).then(({ content }) => content.find((row) => row.name === name)!.id)
  const read = (id: string) => client.call(strategyCalls.read, { query: { id } })
  const rule = (await client.call(timeRuleCalls.list, { query: {} })).content.find(({ isDefault }) => !isDefault)!
  /** A strategy of ordinary size, and one with a whole branch of both trees. */
  const [ordinary, branch] = await Promise.all(['Strategy 7', 'Strategy 10'].map(async (name) => read(await find(name))))
  const ids = (things: readonly { id: string }[]) => things.map(({ id }) => id)
  const drafts = [ordinary!, branch!].map((one) => ({
    id: one.id,
    name: one.name,
    personIds: ids(one.persons),
    personGroupIds: ids(one.personGroups),
    deviceIds: ids(one.devices),
    deviceGroupIds: ids(one.deviceGroups),
    accessGroupIds: ids(one.accessGroups),
    timeRuleIds: ids(one.timeRules),
    methods: one.methods,
  }))
  const [small, large] = drafts as [(typeof drafts)[number], (typeof drafts)[number]]
  const effect = (body: (typeof drafts)[number] & { deleted?: boolean }) => client.call(questionCalls.strategyEffect, { body })
  const list = (name: string, ask: () => Promise<unknown>): Question => ({ name, limit: LIST, ask })
  const question = (name: string, ask: () => Promise<unknown>): Question => ({ name, limit: EFFECT, ask })
  return [
    list('strategies', () => client.call(strategyCalls.find, { body: {} })),
    list('strategies, a hundred', () => client.call(strategyCalls.find, { body: { size: PAGE } })),
    list('strategies by name', () => client.call(strategyCalls.find, { body: { name: 'gy 4' } })),
    list('time rules', () => client.call(timeRuleCalls.list, { query: { size: PAGE } })),
    list('a strategy with a branch of both trees', () => read(large.id)),
    ...[small, large].flatMap(({ id, name }) => [
      list(`${name}: its persons and how far they are`, () =>
        client.call(synchronisationCalls.persons, { query: { strategyId: id, size: PAGE } }),
      ),
      list(`${name}: its devices and how far they are`, () =>
        client.call(synchronisationCalls.devices, { query: { strategyId: id, size: PAGE } }),
      ),
      list(`${name}: counts of its devices`, () => client.call(synchronisationCalls.counts, { query: { strategyId: id } })),
    ]),
    question('effect of one group more', () => effect({ ...small, personGroupIds: [...small.personGroupIds, large.personGroupIds[0]!] })),
    question('effect of a branch of doors more', () => effect({ ...small, deviceGroupIds: large.deviceGroupIds })),
    question('effect of other hours of a strategy with branches', () => effect({ ...large, timeRuleIds: [rule.id] })),
    question('effect of deleting a strategy with branches', () => effect({ ...large, deleted: true })),
    question('effect of a rule that ten strategies follow', () =>
      client.call(questionCalls.ruleEffect, { body: { id: rule.id, name: rule.name, periods: rule.periods.slice(1) } }),
    ),
    question('who would gain, by name', () =>
      client.call(questionCalls.strategyEffectPersons, { body: { ...small, deviceGroupIds: large.deviceGroupIds, what: 'gain' } }),
    ),
    question('who can pass a branch of doors', () =>
      client.call(questionCalls.whoCanPass, { body: { deviceGroupIds: [large.deviceGroupIds[0]!] } }),
    ),
    question('where a branch of persons can pass', () =>
      client.call(questionCalls.whereCanPass, { body: { personGroupIds: [large.personGroupIds[0]!] } }),
    ),
  ]
}

/** Measure the cost of saving a person where a compliance rule applies to a branch of doors, beside the cost where none does. */
async function underWrittenRule(world: World): Promise<BenchResult[]> {
  const client = createClient(world.url, world.client.credentials)
  const strategy = (await client.call(strategyCalls.find, { body: { name: 'Strategy 10' } })).content.find(
    ({ name }) => name === 'Strategy 10',
  )!
  const { deviceGroups, personGroups } = await client.call(strategyCalls.read, { query: { id: strategy.id } })
  const save = async (count: number): Promise<number> => {
    const startedAt = performance.now()
    for (let saved = 0; saved < count; saved++) await world.person({ name: `Newcomer ${saved}`, groupId: personGroups[0]!.id })
    return (performance.now() - startedAt) / count
  }
  await save(SAVED)
  const without = await save(SAVED)
  await client.call(writtenRuleCalls.create, { body: { name: 'No visitors', kinds: ['visitor'], deviceGroupIds: [deviceGroups[0]!.id] } })
  await save(WARM_UP)
  const under = await save(SAVED)
  return [
    { name: 'a person saved under a written rule', value: under, unit: 'ms', ratioTo: 'one where no rule stands', ratio: under / without },
  ]
}

export async function run(): Promise<BenchResult[]> {
  const world = await startWorld({ checkAnswers: false })
  try {
    const filledFrom = performance.now()
    await world.interrupted(() => insertRules(world.connectionString, world.park.id))
    await world.settled()
    const what = `${DEVICES} doors in ${DEVICE_GROUPS} groups, ${PERSONS} persons in ${PERSON_GROUPS}, ${STRATEGIES} strategies`
    const results: BenchResult[] = [{ name: `${what} written and read`, value: (performance.now() - filledFrom) / 1_000, unit: 's' }]
    for (const { name, limit, ask } of await questionsOf(world)) {
      const times: number[] = []
      for (let round = -WARM_UP; round < ROUNDS; round++) {
        const startedAt = performance.now()
        await ask()
        if (round >= 0) times.push(performance.now() - startedAt)
      }
      const p95 = percentile(times, 0.95)
      results.push({ name: `${name}, p50`, value: percentile(times, 0.5), unit: 'ms' })
      results.push({ name: `${name}, p95`, value: p95, unit: 'ms', ratioTo: `${limit} ms`, ratio: p95 / limit, goal: 1 })
    }
    results.push(...(await underWrittenRule(world)))
    results.push({ name: 'memory of the process, server and bench', value: process.memoryUsage().rss / MEGABYTE, unit: 'MB' })
    return results
  } finally {
    await world.stop()
  }
}
