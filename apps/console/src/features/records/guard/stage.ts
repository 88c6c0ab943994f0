/** Which passage has the stage of guard mode: the newest, but never so short that a guard cannot look. Pure: the clock is handed in. */
import type { AccessRecord } from '@gatehouse/contract/records/calls'
import { accessResult } from '@gatehouse/contract/enums/access'
import { isHit } from '../../../shared/watchList.ts'

export type Weight = 'admitted' | 'refused' | 'hit'
/** What weighs less waits for so long; milliseconds. */
export const HOLD: Record<Weight, number> = { admitted: 1000, refused: 4000, hit: 12_000 }
/** What weighs as much waits for so long, so that many at once do not flicker; what weighs more does not wait. Milliseconds. */
export const HOLD_AMONG_EQUALS = 1000
/** What reaches the server later than this after it happened takes the stage only where it is the newest; milliseconds. */
export const LIVE = 60_000

const ORDER: readonly Weight[] = ['admitted', 'refused', 'hit']
const rankOf = (weight: Weight): number => ORDER.indexOf(weight)

export function weightOf(record: AccessRecord): Weight {
  if (isHit(record)) return 'hit'
  return record.result === accessResult.allowed ? 'admitted' : 'refused'
}

export interface Stage {
  /** Undefined while nobody has passed yet. */
  record: AccessRecord | undefined
  /** When it took the stage; epoch milliseconds. */
  since: number
  /** Records that had the stage or gave way to another, each with its weight: one that turns out to weigh more comes once more. */
  past: ReadonlySet<string>
}

/** Entries of `past` that are kept: more than a list holds. */
const PAST_MAX = 500
const withPast = (past: ReadonlySet<string>, keys: readonly string[]): ReadonlySet<string> => new Set([...past, ...keys].slice(-PAST_MAX))
const keyOf = (record: AccessRecord): string => `${record.id} ${weightOf(record)}`

/** What is to take the stage next, whether it has to wait or not: of the heaviest that came, the newest. */
function candidateOf({ record, past }: Stage, rows: readonly AccessRecord[]): AccessRecord | undefined {
  const found = rows.findIndex(({ id }) => id === record?.id)
  const place = found < 0 ? Infinity : found
  const waiting = rows.filter(
    (row, at) => row.id !== record?.id && !past.has(keyOf(row)) && (at < place || row.receivedAt - row.time <= LIVE),
  )
  const heaviest = Math.max(...waiting.map((row) => rankOf(weightOf(row))))
  return waiting.find((row) => rankOf(weightOf(row)) === heaviest)
}

/** When a record may take the stage; epoch milliseconds. */
function freeAt({ record, since }: Stage, next: AccessRecord): number {
  if (record === undefined) return since
  const [shown, coming] = [weightOf(record), weightOf(next)]
  if (rankOf(coming) > rankOf(shown)) return since
  return since + (coming === shown ? HOLD_AMONG_EQUALS : HOLD[shown])
}

/**
 * The stage as it is now.
 *
 * @param stage as it was; undefined at the beginning, when the newest takes it
 * @param rows newest first, each as it is known now
 * @param now epoch milliseconds
 * @returns the same object where nothing has changed
 */
export function nextStage(stage: Stage | undefined, rows: readonly AccessRecord[], now: number): Stage {
  if (stage === undefined) return { record: rows[0], since: Math.min(now, rows[0]?.time ?? now), past: new Set(rows.map(keyOf)) }
  const here = rows.find(({ id }) => id === stage.record?.id)
  if (here !== undefined && here !== stage.record) {
    const since = stage.record !== undefined && weightOf(here) === weightOf(stage.record) ? stage.since : now
    return nextStage({ record: here, since, past: withPast(stage.past, [keyOf(here)]) }, rows, now)
  }
  const next = candidateOf(stage, rows)
  if (next === undefined || now < freeAt(stage, next)) return stage
  // Newer ones weigh less, and wait.
  const over = rows.slice(rows.indexOf(next))
  return { record: next, since: now, past: withPast(stage.past, over.map(keyOf)) }
}

/** When the stage is to be looked at again, although nothing comes; epoch milliseconds. Undefined: not before something does. */
export function nextTurn(stage: Stage, rows: readonly AccessRecord[]): number | undefined {
  const next = candidateOf(stage, rows)
  return next && freeAt(stage, next)
}
