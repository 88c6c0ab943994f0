/** How much of each day a time rule is open, for a picture of a month. */
import { localTimeOfClock } from './local-time.ts'
import type { TimeRule } from './model.ts'
import { unionOf } from './open-hours.ts'
import { dayOf, type RuleReason } from './time-rule.ts'

export interface DayOpenness {
  openness: 'open' | 'partly' | 'closed'
  /** What makes it so; `periods`: those of its weekday. */
  reason: Exclude<RuleReason, 'period' | 'noPeriod'> | 'periods'
  /** `HH:mm` past 00:00 as minutes, in order and apart; empty on a closed day. */
  hours: { from: number; to: number }[]
}

const DAY_MINUTES = 1440

/** A day of a rule by its date, `YYYY-MM-DD`; what clocks that are put forward or back do to it is left out. */
export function dayOpenness(rule: Omit<TimeRule, 'id'>, date: string): DayOpenness {
  const { reason, spans } = dayOf({ id: '', ...rule }, localTimeOfClock(Date.parse(date)))
  const hours = unionOf(spans.filter(({ start, end }) => start < end).map(({ start, end }) => ({ from: start, to: end })))
  const minutes = hours.reduce((sum, { from, to }) => sum + to - from, 0)
  return {
    openness: minutes === 0 ? 'closed' : minutes === DAY_MINUTES ? 'open' : 'partly',
    reason: reason === 'period' ? 'periods' : reason,
    hours,
  }
}
