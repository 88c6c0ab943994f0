/** `npm run test:flakes -- N`: repeats tests to find those that fail by chance. */
import { randomBytes } from 'node:crypto'
import type { Outcome } from './outcome.ts'
import { liveOutput } from './program.ts'
import type { Result } from './schedule.ts'
import { runVitest } from './vitest.ts'

/** Delays of the steps of a test, and of the requests of a page: see `tests/support/slowness.ts`. */
const PACES: readonly Record<string, string>[] = [{ BROWSER_PACE: '150' }, { BROWSER_LATENCY: '400' }]

/**
 * Repeat browser and system tests this many times at each pace.
 * @returns a result for each round, and each test that ever failed with the number of its failures
 */
export async function countFlakes([times = '1']: readonly string[]): Promise<Result[]> {
  const rounds = Number(times)
  if (!Number.isInteger(rounds) || rounds < 1) throw new Error(`How many times? ${times} is none.`)
  const results: Result[] = []
  async function round(name: string, run: () => Promise<Outcome>): Promise<void> {
    const startedAt = performance.now()
    results.push({ name, outcome: await run(), seconds: (performance.now() - startedAt) / 1_000 })
  }
  for (let number = 1; number <= rounds; number++) {
    for (const env of PACES) {
      const [pace] = Object.entries(env).map((setting) => setting.join('='))
      await round(`browser ${number}, ${pace}`, () => runVitest('browser', { projects: ['browser'], workers: 3, env }, liveOutput))
    }
    const seed = randomBytes(4).toString('hex')
    await round(`system ${number}, SEED=${seed}`, () =>
      runVitest('system', { projects: ['system'], workers: 1, env: { SEED: seed } }, liveOutput),
    )
  }
  const failed = Map.groupBy(
    results.flatMap(({ outcome }) => outcome.failures.map((failure) => failure.split('\n')[0]!)),
    (name) => name,
  )
  for (const [name, often] of failed) liveOutput.say(`failed ${often.length} of ${results.length} rounds: ${name}`)
  return results
}
