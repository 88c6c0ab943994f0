/**
 * Measures the requests of the screens for a large register of devices against a time limit: 4,000 devices in 5,000 groups.
 * `DEVICES_SHARE=0.1` takes a tenth of them.
 */
import type { InputOf } from '@gatehouse/contract'
import { deviceCalls } from '@gatehouse/contract/devices/calls'
import { createClient } from '@gatehouse/dev-env/client'
import { startWorld, type World } from '@gatehouse/dev-env/world'
import { DEVICES, GROUPS, insertDevices } from './devices-rows.ts'
import type { BenchResult } from './result.ts'
import { settings } from './settings.ts'

/** Maximum milliseconds of the server for a screen. */
const LIMIT = 300
const WARM_UP = 3
const ROUNDS = 25
const PAGE = 100
const SHARE = settings.DEVICES_SHARE

type Query = InputOf<(typeof deviceCalls)['list']['query']>

interface Question {
  name: string
  ask(): Promise<unknown>
}

const percentile = (values: readonly number[], share: number): number =>
  values.toSorted((a, b) => a - b)[Math.ceil(values.length * share) - 1]!

async function questionsOf(world: World): Promise<Question[]> {
  const client = createClient(world.url, world.client.credentials)
  const top = (await client.call(deviceCalls.groupTree, {})).find(({ children }) => children.length > 0)!
  const list = (query: Query) => client.call(deviceCalls.list, { query })
  const { total, content } = await list({ size: PAGE })
  const filters: Record<string, Query> = {
    'all devices': {},
    'all devices, a hundred': { size: PAGE },
    'all devices, last page': { size: PAGE, page: Math.ceil(total / PAGE) },
    'by name': { name: 'Door 1' },
    'by code': { code: 'DOOR-39' },
    'by a name none has': { name: 'Nowhere at all' },
    'of a type': { type: 3 },
    offline: { onlineStatus: 0, size: PAGE },
    'of a group with all below it': { groupId: top.id, size: PAGE },
    'not paired': { attention: 'notPaired', size: PAGE },
    'not in sync': { attention: 'notSynced', size: PAGE },
    'nearly full': { attention: 'nearlyFull', size: PAGE },
  }
  return [
    ...Object.entries(filters).map(([name, query]) => ({ name: `devices: ${name}`, ask: () => list(query) })),
    { name: 'groups with their counts', ask: () => client.call(deviceCalls.groupTree, {}) },
    { name: 'devices to choose from', ask: () => client.call(deviceCalls.deviceTree, {}) },
    { name: 'devices and groups to choose from', ask: () => client.call(deviceCalls.deviceAndGroupTree, {}) },
    { name: 'counts of the home page', ask: () => client.call(deviceCalls.summary, {}) },
    { name: 'one device', ask: () => client.call(deviceCalls.read, { params: { id: content[0]!.id } }) },
  ]
}

export async function run(): Promise<BenchResult[]> {
  const world = await startWorld({ checkAnswers: false })
  try {
    const filledFrom = performance.now()
    await world.interrupted(() => insertDevices(world.connectionString, world.park.id, SHARE))
    await world.settled()
    const results: BenchResult[] = [
      {
        name: `${DEVICES * SHARE} devices in ${GROUPS * SHARE} groups written and read`,
        value: (performance.now() - filledFrom) / 1_000,
        unit: 's',
      },
    ]
    for (const { name, ask } of await questionsOf(world)) {
      const times: number[] = []
      for (let round = -WARM_UP; round < ROUNDS; round++) {
        const startedAt = performance.now()
        await ask()
        if (round >= 0) times.push(performance.now() - startedAt)
      }
      const p95 = percentile(times, 0.95)
      results.push({ name: `${name}, p50`, value: percentile(times, 0.5), unit: 'ms' })
      results.push({ name: `${name}, p95`, value: p95, unit: 'ms', ratioTo: `${LIMIT} ms`, ratio: p95 / LIMIT, goal: 1 })
    }
    return results
  } finally {
    await world.stop()
  }
}
