/** Which passage is on the stage of guard mode: the newest, but each long enough for a guard to see it. Pure: the time is a parameter. */
import type { AccessRecord } from '@gatehouse/contract/records/calls'
import { accessResult } from '@gatehouse/contract/enums/access'
import { isHit } from '../../../shared/watchList.ts'

export type Weight = 'admitted' | 'refused' | 'hit'
/** Milliseconds for which a record of less weight waits. */
export const HOLD: Record<Weight, number> = { admitted: 1000, refused: 4000, hit: 12_000 }
/** Milliseconds for which a record of equal weight waits, so that many at once do not flicker; one of more weight does not wait. */
export const HOLD_AMONG_EQUALS = 1000
/** Milliseconds: a record that reaches the server later than this after its time takes the stage only if it is newer than the one there. */
export const LIVE = 60_000

const ORDER: readonly Weight[] = ['admitted', 'refused', 'hit']
const rankOf = (weight: Weight): number => ORDER.indexOf(weight)

export function weightOf(record: AccessRecord): Weight {
  if (isHit(record)) return 'hit'
  return record.result === accessResult.allowed ? 'admitted' : 'refused'
}

export interface Stage {
  /** Undefined until a first person passes. */
  record: AccessRecord | undefined
  /** When it took the stage; epoch milliseconds. */
  since: number
  /**
   * Keys of the records that were on the stage or were passed over, each with its weight: a record whose weight changes later can come
   * again.
   */
  past: ReadonlySet<string>
}

/** Entries of `past` that are kept: more than a list holds. */
const PAST_MAX = 500
const withPast = (past: ReadonlySet<string>, keys: readonly string[]): ReadonlySet<string> => new Set([...past, ...keys].slice(-PAST_MAX))
const keyOf = (record: AccessRecord): string => `${record.id} ${weightOf(record)}`

/** Return the record that takes the stage next, whether it has to wait or not: the newest of those with the most weight. */
function candidateOf({ record, past }: Stage, rows: readonly AccessRecord[]): AccessRecord | undefined {
  const found = rows.findIndex(({ id }) => id === record?.id)
  const place = found < 0 ? Infinity : found
  const waiting = rows.filter(
    (row, at) => row.id !== record?.id && !past.has(keyOf(row)) && (at < place || row.receivedAt - row.time <= LIVE),
  )
  const heaviest = Math.max(...waiting.map((row) => rankOf(weightOf(row))))
  return waiting.find((row) => rankOf(weightOf(row)) === heaviest)
}

/** Return when a record may take the stage; epoch milliseconds. */
function freeAt({ record, since }: Stage, next: AccessRecord): number {
  if (record === undefined) return since
  const [shown, coming] = [weightOf(record), weightOf(next)]
  if (rankOf(coming) > rankOf(shown)) return since
  return since + (coming === shown ? HOLD_AMONG_EQUALS : HOLD[shown])
}

/**
 * Return the present stage.
 * @param stage the former one; undefined at the beginning, when the newest record takes it
 * @param rows newest first, each in its latest version
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
  // Newer ones have less weight, and wait.
  const over = rows.slice(rows.indexOf(next))
  return { record: next, since: now, past: withPast(stage.past, over.map(keyOf)) }
}

/** Return when the stage has to be updated although no record arrives; epoch milliseconds. Undefined: not before one arrives. */
export function nextTurn(stage: Stage, rows: readonly AccessRecord[]): number | undefined {
  const next = candidateOf(stage, rows)
  return next && freeAt(stage, next)
}
