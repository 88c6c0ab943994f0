/**
 * Measures the replay of a task over a week of captures in one process with its server: comparing all captures with the persons of a
 * group, part by part, how long the server answers nothing else meanwhile, and what a step of the slider takes. Templates are random
 * directions, without a face behind them. `REPLAYED=10000` and `REPLAYED_PERSONS=100` measure smaller ones.
 */
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { deviceType } from '@gatehouse/contract/enums/devices'
import { replayCalls } from '@gatehouse/contract/surveillance/replay'
import { replayAlarms, summaryOfReplay, type ComparedCapture } from '@gatehouse/contract/surveillance/replay-rules'
import { ALWAYS_OPEN } from '@gatehouse/dev-env/site'
import { startWorld, type World } from '@gatehouse/dev-env/world'
import { seedPeople } from '@gatehouse/server/contexts/faces/testing/people'
import { newId } from '@gatehouse/server/platform/database/ids'
import { seedCaptures } from './capture-rows.ts'
import { direction, randomNumbers } from './random-directions.ts'
import { median, type BenchResult } from './result.ts'
import { settings } from './settings.ts'

const WEEK_MS = 7 * 86_400_000
const CAMERAS = 4
/** Scores at which the slider stops. */
const STEPS = Array.from({ length: 41 }, (_, step) => 60 + step)

export async function run(): Promise<BenchResult[]> {
  const [captures, persons] = [settings.REPLAYED, settings.REPLAYED_PERSONS]
  const world = await startWorld({ checkAnswers: false })
  try {
    const group = await world.personGroup()
    const random = randomNumbers(5)
    const { dimensions } = world.server.contexts.faces.service.description
    const people = Array.from({ length: persons }, (_, at) => ({
      id: newId(),
      name: `Person ${at}`,
      groupId: group.id,
      gender: 1,
      birthday: null,
      faces: [{ id: newId(), embedding: direction(dimensions, random) }],
    }))
    await seedPeople(world, world, people)
    const devices = await Promise.all(Array.from({ length: CAMERAS }, () => world.device({ type: deviceType.captureCamera, model: 1 })))
    const deviceIds = devices.map(({ id }) => id)
    const until = world.clock.now()
    await seedCaptures(world, { count: captures, from: until - WEEK_MS, until, deviceIds, face: () => direction(dimensions, random) })

    const delays = monitorEventLoopDelay({ resolution: 5 })
    delays.enable()
    const [startedAt, busyBefore] = [performance.now(), process.cpuUsage()]
    const found = await replayed(world, { deviceIds, personGroupIds: [group.id], startTime: until - WEEK_MS, endTime: until })
    const duration = performance.now() - startedAt
    const busy = process.cpuUsage(busyBefore)
    delays.disable()
    if (found.length !== captures) throw new Error(`${found.length} of ${captures} captures were compared`)
    const steps = STEPS.map((threshold) => {
      const at = performance.now()
      summaryOfReplay(replayAlarms(found, { threshold, lowThreshold: 60, highThreshold: 80, strangerAlarm: true, repeatSeconds: 300 }))
      return performance.now() - at
    })
    const name = `${captures.toLocaleString('en')} captures among ${persons.toLocaleString('en')} persons`
    return [
      { name: `${name}: compared, with all answers read`, value: duration / 1000, unit: 's', goal: 20 },
      { name: `${name}: processor time without the database’s`, value: (busy.user + busy.system) / 1e6, unit: 's' },
      { name: `${name}: longest time that the server did nothing else`, value: delays.max / 1e6, unit: 'ms' },
      { name: `${name}: a step of the slider, slowest of ${STEPS.length}`, value: Math.max(...steps), unit: 'ms', goal: 1000 },
      { name: `${name}: a step of the slider`, value: median(steps), unit: 'ms' },
    ]
  } finally {
    await world.stop()
  }
}

/** Ask for all parts of a replay, as the console does. */
async function replayed(
  world: World,
  window: { deviceIds: string[]; personGroupIds: string[]; startTime: number; endTime: number },
): Promise<ComparedCapture[]> {
  const found: ComparedCapture[] = []
  for (let after: string | undefined; ;) {
    const body = { ...window, periods: ALWAYS_OPEN, ...(after !== undefined && { after }) }
    const part = await world.call(replayCalls.compare, { body })
    for (const capture of part.captures) found.push(capture)
    after = part.next
    if (after === undefined) return found
  }
}
