/** Statistics of access records: access events counted by time, device and person group (module M07). */
import { z } from 'zod'
import { callsOf } from '../call.ts'
import { accessResult, temperatureSpecialValue, temperatureStatus } from '../enums/access.ts'
import { created, date, id, queryNumber } from '../schema.ts'

const call = callsOf('statistics')

/** Temperature of an access event: the terminal's verdict, a mark instead of a value, or a value without a verdict. */
export const temperatureMark = {
  fever: temperatureStatus.fever,
  normal: temperatureStatus.normal,
  low: temperatureStatus.low,
  measurementFailed: temperatureStatus.measurementFailed,
  measured: 0,
  warning: temperatureSpecialValue.warning,
  blank: temperatureSpecialValue.blank,
} as const
export type TemperatureMark = (typeof temperatureMark)[keyof typeof temperatureMark]

/** Maximum number of days of statistics by the hour. */
export const STATISTICS_HOURS_MAX = 31

/** What one row of the statistics counts. */
export const STATISTICS_BY = ['hour', 'day', 'month', 'device', 'group'] as const
export type StatisticsBy = (typeof STATISTICS_BY)[number]

export const statisticsQuery = z.object({
  /** Dates of the park, both inclusive; at most 366 days, by the hour 31. Absent: today. */
  from: date.optional(),
  to: date.optional(),
  by: z.enum(STATISTICS_BY).default('day'),
  deviceId: id.optional(),
  /** Device group with all groups below it, as they are now. */
  deviceGroupId: id.optional(),
  /** Group of the person at the time of the event; with all groups below it, as they are now. */
  personGroupId: id.optional(),
  result: queryNumber.pipe(accessResult.schema).optional(),
  failReason: queryNumber.int().optional(),
})

const counts = z.object({
  total: z.number().int(),
  allowed: z.number().int(),
  rejected: z.number().int(),
  /** Number of the admitted ones, by direction. */
  entries: z.number().int(),
  exits: z.number().int(),
  /** Number of events at which a sensor reported a temperature, as a value or as a mark. */
  checked: z.number().int(),
  fever: z.number().int(),
})
export type StatisticsCounts = z.output<typeof counts>

export const statisticsRow = counts.extend({
  /**
   * `2026-11-22T08`, `2026-11-22` or `2026-11` in the park's time; else the id of the device or group, empty for events without a group.
   */
  key: z.string(),
  /** Current name of the device or group; empty if it does not exist any more, and for times. */
  name: z.string(),
})
export type StatisticsRow = z.output<typeof statisticsRow>

export const statistics = z.object({
  from: z.string(),
  to: z.string(),
  by: z.enum(STATISTICS_BY),
  summary: counts,
  /** Times in their order up to now, including those without an event; devices and groups by their number of events, the largest first. */
  rows: z.array(statisticsRow),
  /** Reasons of refusals, the most frequent first. */
  reasons: z.array(z.object({ failReason: z.number().int(), count: z.number().int() })),
  /** Temperatures of all access events, including blank ones. */
  temperatures: z.array(z.object({ mark: z.number().int(), count: z.number().int() })),
  /** False while old records, which arrived before the server counted them, are still being counted. */
  complete: z.boolean(),
})
export type Statistics = z.output<typeof statistics>

const exportQuery = statisticsQuery.extend({ format: z.enum(['xlsx', 'csv']).default('xlsx') })

export const statisticsCalls = {
  statistics: call({
    method: 'GET',
    service: 'biz',
    path: '/access/record/statistics',
    permission: 'access.record',
    summary: 'Passages of a time counted by hour, day, month, device or group of persons, with reasons of refusal and temperatures.',
    query: statisticsQuery,
    data: statistics,
    errors: [900007],
    origin: 'own',
  }),
  exportStatistics: call({
    method: 'GET',
    service: 'biz',
    path: '/access/record/statistics/export',
    permission: 'access.record',
    summary: 'The same statistics as a file.',
    query: exportQuery,
    produces: 'file',
    errors: [900007],
    origin: 'own',
  }),
  checkStatistics: call({
    method: 'GET',
    service: 'biz',
    path: '/access/record/stat/check/record',
    permission: 'epidemic.prevention.record.list',
    summary: 'Statistics of the passages at which a temperature was looked at.',
    query: statisticsQuery,
    data: statistics,
    errors: [900007],
  }),
  exportCheckStatistics: call({
    method: 'GET',
    service: 'biz',
    path: '/access/record/export/stat',
    permission: 'epidemic.prevention.record.list',
    summary: 'Statistics of the passages at which a temperature was looked at, as a file.',
    query: exportQuery,
    produces: 'file',
    errors: [900007],
  }),
  recountStatistics: call({
    method: 'POST',
    service: 'biz',
    path: '/access/record/statistics/count',
    permission: 'system.base',
    summary:
      'Counts all records of the park anew, in the background; answers the id of that work. What was counted of records that ' +
      'are gone stays.',
    data: created,
    origin: 'own',
  }),
  today: call({
    method: 'GET',
    service: 'biz',
    path: '/access/record/today',
    permission: 'access.record',
    dataScreen: true,
    summary: "Now, today's curve against an ordinary day, and the day before, for the home page. Days and hours are of the park's zone.",
    data: z.object({
      inside: z.number().int(),
      allowed: z.number().int(),
      rejected: z.number().int(),
      strangers: z.number().int(),
      hours: z.array(z.object({ hour: z.number().int(), in: z.number().int(), out: z.number().int(), ordinary: z.number() })),
      /** The whole previous day. */
      previous: z.object({
        allowed: z.number().int(),
        rejected: z.number().int(),
        hours: z.array(z.object({ hour: z.number().int(), in: z.number().int(), out: z.number().int() })),
      }),
    }),
    origin: 'own',
  }),
}
