/** Handlers of the calls on statistics. */
import { statisticsCalls } from '@gatehouse/contract/statistics/calls'
import { handler, type MountedCall } from '../../platform/context.ts'
import type { StatisticsService } from './statistics.ts'
import type { StatisticsCounting } from './counting.ts'

export const statisticsHandlers = ({
  statistics,
  counting,
}: {
  statistics: StatisticsService
  counting: StatisticsCounting
}): MountedCall[] => [
  handler(statisticsCalls.statistics, ({ scope, query }) => statistics.read(scope, query, false)),
  handler(statisticsCalls.exportStatistics, ({ scope, query, language }) => statistics.file(scope, query, false, language)),
  handler(statisticsCalls.checkStatistics, ({ scope, query }) => statistics.read(scope, query, true)),
  handler(statisticsCalls.exportCheckStatistics, ({ scope, query, language }) => statistics.file(scope, query, true, language)),
  handler(statisticsCalls.recountStatistics, async ({ scope }) => ({ id: await counting.recount(scope) })),
]
