/** The empty counts of passages, and which kinds of lines are times. */
import type { StatisticsBy, StatisticsCounts } from '@gatehouse/contract/statistics/calls'

export const isTime = (by: StatisticsBy): by is 'hour' | 'day' | 'month' => by !== 'device' && by !== 'group'

export const NOTHING: StatisticsCounts = { total: 0, allowed: 0, rejected: 0, entries: 0, exits: 0, checked: 0, fever: 0 }
