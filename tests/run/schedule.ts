/**
 * Runs stages on three slots: the tests are planned for two cores, and a test on one slot waits for a fifth of its time, for a page, a
 * database or a deadline.
 */
import type { Outcome } from './outcome.ts'
import { failed } from './outcome.ts'
import { keptOutput, liveOutput, type Output } from './program.ts'

export type Slots = 1 | 2 | 3

export interface Stage {
  name: string
  /** Number of slots it takes. The output of a stage that takes all of them is shown while it runs, that of others once they have ended. */
  slots: Slots
  /** Names of stages that must have passed before; if one did not, this one is skipped and counts as failed. */
  after?: readonly string[]
  run(output: Output): Promise<Outcome>
}

export interface Result {
  name: string
  seconds: number
  outcome: Outcome
}

/** All slots: a stage that takes this many runs alone. */
export const SLOTS: Slots = 3
const title = (name: string): string => `\n── ${name} ${'─'.repeat(Math.max(0, 76 - name.length))}`

/**
 * Run all stages, each as soon as the stages it depends on have passed and there are free slots, earlier ones first.
 * @returns results in the order of the stages
 */
export async function runStages(stages: readonly Stage[]): Promise<Result[]> {
  const results = new Map<string, Result>()
  const waiting = [...stages]
  const running = new Map<string, Promise<void>>()
  let free = SLOTS

  const missing = ({ after = [] }: Stage): string[] => after.filter((name) => (results.get(name)?.outcome.failures.length ?? 0) > 0)
  const isDue = ({ after = [] }: Stage): boolean => after.every((name) => results.has(name) || !stages.some((stage) => stage.name === name))

  async function run(stage: Stage): Promise<void> {
    const kept = stage.slots === SLOTS ? null : keptOutput()
    if (kept === null) liveOutput.say(title(stage.name))
    const startedAt = performance.now()
    const outcome = await stage.run(kept ?? liveOutput).catch((error: unknown): Outcome => {
      const why = error instanceof Error ? error : new Error(String(error))
      ;(kept ?? liveOutput).say(why.stack ?? why.message)
      return failed(`${stage.name}: ${why.message}`)
    })
    if (kept !== null) liveOutput.say(`${title(stage.name)}\n${kept.text().trimEnd()}`)
    results.set(stage.name, { name: stage.name, seconds: (performance.now() - startedAt) / 1_000, outcome })
    running.delete(stage.name)
    free += stage.slots
  }

  while (waiting.length > 0 || running.size > 0) {
    const next = waiting.find(isDue)
    if (next !== undefined && missing(next).length > 0) {
      waiting.splice(waiting.indexOf(next), 1)
      results.set(next.name, {
        name: next.name,
        seconds: 0,
        outcome: failed(`${next.name}: left out, since ${missing(next).join(', ')} failed`),
      })
    } else if (next !== undefined && next.slots <= free) {
      waiting.splice(waiting.indexOf(next), 1)
      free -= next.slots
      running.set(next.name, run(next))
    } else await Promise.race(running.values())
  }
  return stages.map(({ name }) => results.get(name)!)
}
