/**
 * Measures a door command from the request to the answer, over HTTP to the server and over MQTT to the device and back, with a thousand
 * idle devices connected. Unlike in production, server and devices share one process.
 */
import { doorCalls } from '@gatehouse/contract/doors/calls'
import { organisationCalls } from '@gatehouse/contract/organisation/calls'
import { startFleet } from '@gatehouse/dev-env/simulator/fleet'
import { seedDevices } from '@gatehouse/dev-env/simulator/seeder'
import { startWorld } from '@gatehouse/dev-env/world'
import type { BenchResult } from './result.ts'

const DEVICES = 1_000
const PATIENCE_MS = 300_000
const WARM_UP = 100
const ROUNDS = 600
/** Doors of one batch. */
const BATCH = 100

const percentile = (values: readonly number[], share: number): number =>
  values.toSorted((a, b) => a - b)[Math.ceil(values.length * share) - 1]!

async function timed(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now()
  await work()
  return performance.now() - startedAt
}

export async function run(): Promise<BenchResult[]> {
  const world = await startWorld({ checkAnswers: false })
  const { devices } = await seedDevices(world, { prefix: 'DOOR', count: DEVICES })
  const fleet = await startFleet({
    server: world.url,
    devices,
    modelId: world.server.contexts.faces.service.modelId,
    seed: 1,
    startsPerSecond: 500,
  })
  try {
    if (!(await fleet.settled(PATIENCE_MS))) throw new Error(`the devices did not come to rest: ${JSON.stringify(fleet.figures())}`)
    await world.settled()
    const open = async (at: number): Promise<void> => {
      const { isSuccess, errorType } = await world.call(doorCalls.controlDoor, {
        body: { deviceId: devices[at % DEVICES]!.id, operateType: 1 },
      })
      if (!isSuccess) throw new Error(`a door answers error type ${errorType}`)
    }
    const times = { door: [] as number[], nothing: [] as number[] }
    // In turns, so that other load of the machine affects both alike; no door twice in a row.
    for (let round = -WARM_UP; round < ROUNDS; round++) {
      const [door, nothing] = [
        await timed(() => open((round + WARM_UP) * 7)),
        await timed(() => world.call(organisationCalls.parkInfo, {})),
      ]
      if (round < 0) continue
      times.door.push(door)
      times.nothing.push(nothing)
    }
    const batch = await timed(async () => {
      const { results } = await world.call(doorCalls.controlMany, {
        body: { deviceIds: devices.slice(0, BATCH).map(({ id }) => id), operateType: 1 },
      })
      if (results.some(({ isSuccess }) => !isSuccess)) throw new Error('a door of the batch did not open')
    })
    const name = `door command to answer, ${DEVICES} idle devices connected`
    return [
      { name: 'a call that reads from memory', value: percentile(times.nothing, 0.5), unit: 'ms' },
      { name: `${name}: p50`, value: percentile(times.door, 0.5), unit: 'ms' },
      { name: `${name}: p95`, value: percentile(times.door, 0.95), unit: 'ms', goal: 100 },
      { name: `${BATCH} doors in one batch`, value: batch, unit: 'ms' },
    ]
  } finally {
    await fleet.stop()
    await world.stop()
  }
}
