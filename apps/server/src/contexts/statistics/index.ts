/** Statistics of passages: the reports, the figures of the home page, and the counts of devices. */
import { statisticsCalls } from '@gatehouse/contract/statistics/calls'
import { defineContext, handler, type Context } from '../../platform/context.ts'
import { on } from '../../platform/events/events.ts'
import { extend } from '../../platform/extension-points.ts'
import { devicesContext, passageCounts } from '../devices/index.ts'
import { measureSources, organisationContext } from '../organisation/index.ts'
import { peopleContext, personsChanged, personsDeleted } from '../people/index.ts'
import { recordCompanions, recordsContext } from '../records/index.ts'
import { statisticsHandlers } from './calls.ts'
import { cellsOf } from './cells.ts'
import { createStatisticsCounting, type StatisticsCounting } from './counting.ts'
import { deleteWatchedOfDevices, insertDeleted, insertPendingUnscoped } from './data.ts'
import type { StatisticsDependencies } from './dependencies.ts'
import { createDeviceCounts } from './device-counts.ts'
import { findMeasures, noteMeasuresUnscoped } from './measures.ts'
import { statisticsMigrations } from './schema.ts'
import { createStatistics } from './statistics.ts'
import { createToday } from './today.ts'
import { createCountAsWatched } from './watched-passages.ts'

export interface StatisticsContext extends Context {
  counting: StatisticsCounting
}

export const statisticsContext = defineContext({
  name: 'statistics',
  uses: { organisation: organisationContext, people: peopleContext, devices: devicesContext, records: recordsContext },
  create(platform, { organisation, people, devices }): StatisticsContext {
    const needs: StatisticsDependencies = {
      people: people.service,
      groups: people.groups,
      devices: devices.service,
      organisation: organisation.service,
      measures: organisation.measures,
    }
    const db = platform.db
    const counting = createStatisticsCounting(platform)
    const countAsWatched = createCountAsWatched(platform, needs)
    const today = createToday(platform, needs)
    platform.events.consume({
      name: 'access.watchedPassages',
      mode: 'once',
      handlers: [personsChanged, personsDeleted].map((event) => on(event, ({ payload }) => countAsWatched(payload.personIds))),
    })
    return {
      counting,
      calls: [
        ...statisticsHandlers({ statistics: createStatistics(platform, needs), counting }),
        handler(statisticsCalls.today, ({ scope }) => today(scope)),
      ],
      migrations: statisticsMigrations,
      start: () => counting.start(),
      stop: () => counting.stop(),
      extensions: [
        extend(passageCounts, createDeviceCounts(platform, needs)),
        extend(measureSources, (scope) => findMeasures(scope, db)),
        extend(recordCompanions, {
          async stored(tx, records) {
            await insertPendingUnscoped(tx, cellsOf(records))
            await noteMeasuresUnscoped(tx, records)
          },
          deleted: (tx, scope, records) => insertDeleted(scope, tx, cellsOf(records, -1)),
          unnumbered: (tx, scope, deviceIds) => deleteWatchedOfDevices(scope, tx, deviceIds),
          emptied: counting.dropEmpty,
          erased: counting.erasePark,
        }),
      ],
    }
  },
})
