/**
 * Measures what the first search of a day of captures takes that is not in memory, in one process with its server: its templates are read
 * from the database, opened, and made codes of. As a ratio to reading the same rows and nothing else; and how long the server answers
 * nothing else meanwhile. Templates are random directions, without a face behind them. `DAY_CAPTURES=10000` measures a smaller day.
 */
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { deviceType, topN } from '@gatehouse/contract/enums'
import { faceSearchCalls } from '@gatehouse/contract/surveillance/face-search'
import { startWorld, type World } from '@gatehouse/dev-env/world'
import { DAY_MS, readOfDay, type TemplateOfCapture } from '@gatehouse/server/contexts/surveillance/search-data'
import { seedCaptures } from './capture-rows.ts'
import { direction, randomNumbers } from './random-directions.ts'
import { median, type BenchResult } from './result.ts'
import { settings } from './settings.ts'

const CAMERAS = 10
/** Starts of the server, after each of which the day is read. */
const COLD = 3
const WARM = 7
/** Rows that are read at a time, as by the search. */
const PAGE = 2000

export async function run(): Promise<BenchResult[]> {
  const captures = settings.DAY_CAPTURES
  const world = await startWorld({ checkAnswers: false })
  try {
    const random = randomNumbers(7)
    const { dimensions } = world.server.contexts.faces.service.description
    const cameras = await Promise.all(Array.from({ length: CAMERAS }, () => world.device({ type: deviceType.captureCamera, model: 1 })))
    const deviceIds = cameras.map(({ id }) => id)
    // The last whole day.
    const day = Math.floor(world.clock.now() / DAY_MS) - 1
    const [from, until] = [day * DAY_MS, (day + 1) * DAY_MS]
    await seedCaptures(world, { count: captures, from, until, deviceIds, face: () => direction(dimensions, random) })
    const [first] = await page(world, day, null, 1)

    /** Search the day; return the milliseconds it takes. */
    const search = async (): Promise<number> => {
      const startedAt = performance.now()
      const body = { captureId: first!.id, startTime: from, endTime: until - 1, top: topN.fifty, reason: 'Benchmark' }
      const { searched, hits } = await world.call(faceSearchCalls.search, { body })
      if (searched !== captures || hits[0]?.captureId !== first!.id) throw new Error(`${searched} of ${captures} captures were compared`)
      return performance.now() - startedAt
    }

    const [cold, read, blocked]: [number[], number[], number[]] = [[], [], []]
    for (let start = 0; start < COLD; start++) {
      await world.interrupted(async () => {})
      read.push(await reading(world, day, captures))
      const delays = monitorEventLoopDelay({ resolution: 5 })
      delays.enable()
      cold.push(await search())
      delays.disable()
      blocked.push(delays.max / 1e6)
    }
    const warm: number[] = []
    while (warm.length < WARM) warm.push(await search())
    const name = `a day of ${captures.toLocaleString('en')} captures of ${dimensions} numbers`
    return [
      {
        name: `${name}: first search, not in memory`,
        value: median(cold),
        unit: 'ms',
        ratioTo: 'reading its rows',
        ratio: median(cold) / median(read),
      },
      { name: `${name}: longest time that the server did nothing else`, value: median(blocked), unit: 'ms' },
      { name: `${name}: search in memory, with the request`, value: median(warm), unit: 'ms', goal: 1000 },
    ]
  } finally {
    await world.stop()
  }
}

const page = ({ server: { platform, contexts }, park }: World, day: number, after: TemplateOfCapture | null, limit: number) =>
  readOfDay({ parkId: park.id }, platform.db, day, contexts.faces.service.modelId, after, limit)

/** Read all rows of the day, sealed as they are; return the milliseconds it takes. */
async function reading(world: World, day: number, captures: number): Promise<number> {
  const startedAt = performance.now()
  let count = 0
  for (let after: TemplateOfCapture | null = null; ;) {
    const rows: TemplateOfCapture[] = await page(world, day, after, PAGE)
    count += rows.length
    if (rows.length < PAGE) break
    after = rows.at(-1)!
  }
  if (count !== captures) throw new Error(`${count} of ${captures} captures were read`)
  return performance.now() - startedAt
}
