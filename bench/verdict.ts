/** Measures the time from a picture dropped on a terminal to its verdict, and from the verdict to the row on the guard's screen. */
import { topics } from '@gatehouse/contract/realtime'
import { startWorld } from '@gatehouse/dev-env/world'
import type { BenchResult } from './result.ts'

const WARM_UP = 5
const DROPS = 60

const percentile = (values: readonly number[], share: number): number =>
  values.toSorted((a, b) => a - b)[Math.ceil(values.length * share) - 1]!

export async function run(): Promise<BenchResult[]> {
  const world = await startWorld({ checkAnswers: false })
  try {
    const terminal = await world.terminal()
    // The details include the time of the engine.
    terminal.showCheckDetails(true)
    const [somebody] = world.photographs.people
    const photos = await Promise.all([1, 2].map((number) => somebody!.photo(number)))
    await world.person({ name: somebody!.name, photo: photos[0]!, permittedAt: terminal.device })
    await world.settled()

    const shownAt = new Map<string, number>()
    const live = await world.listen(topics.accessRecord, ({ id }) => {
      if (!shownAt.has(id)) shownAt.set(id, performance.now())
    })
    const overhead: number[] = []
    const arrival: number[] = []
    for (let drop = -WARM_UP; drop < DROPS; drop++) {
      const droppedAt = performance.now()
      const verdict = await terminal.show(photos[1]!)
      const decidedAt = performance.now()
      if (verdict.recordId === null) throw new Error(`no record of the drop: ${JSON.stringify(verdict)}`)
      await live.row('the record', ({ id }) => id === verdict.recordId)
      if (drop < 0) continue
      overhead.push(decidedAt - droppedAt - verdict.timings!.engine)
      arrival.push(Math.max(0, shownAt.get(verdict.recordId)! - decidedAt))
    }
    await live.stop()
    return [
      { name: 'drop to verdict without the engine, p95', value: percentile(overhead, 0.95), unit: 'ms', goal: 50 },
      { name: 'verdict to the row on the screen, p95', value: percentile(arrival, 0.95), unit: 'ms', goal: 300 },
    ]
  } finally {
    await world.stop()
  }
}
