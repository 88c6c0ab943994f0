/** Statistics of access records: passages counted by time, device and group of persons (module M07). */
import { z } from 'zod'
import { callsOf } from '../call.ts'
import { accessResult, temperatureSpecialValue, temperatureStatus } from '../enums/access.ts'
import { created, date, id, queryNumber } from '../schema.ts'

const call = callsOf('statistics')

/** What a passage says of a temperature: the terminal's verdict, a mark in place of a value, or that there was a value and no verdict. */
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

/** Days that statistics by the hour may span. */
export const STATISTICS_HOURS_MAX = 31

/** What one line of statistics stands for. */
export const STATISTICS_BY = ['hour', 'day', 'month', 'device', 'group'] as const
export type StatisticsBy = (typeof STATISTICS_BY)[number]

export const statisticsQuery = z.object({
  /** Dates of the park, both inclusive; no more than 366 days, 31 by the hour. Left out: today. */
  from: date.optional(),
  to: date.optional(),
  by: z.enum(STATISTICS_BY).default('day'),
  deviceId: id.optional(),
  /** With all groups below, as they are now. */
  deviceGroupId: id.optional(),
  /** The group somebody was in when he passed; with all groups below, as they are now. */
  personGroupId: id.optional(),
  result: queryNumber.pipe(accessResult.schema).optional(),
  failReason: queryNumber.int().optional(),
})

const counts = z.object({
  total: z.number().int(),
  allowed: z.number().int(),
  rejected: z.number().int(),
  /** Of those allowed, by direction. */
  entries: z.number().int(),
  exits: z.number().int(),
  /** At which a sensor told of a temperature, with a value or with a mark. */
  checked: z.number().int(),
  fever: z.number().int(),
})
export type StatisticsCounts = z.output<typeof counts>

export const statisticsRow = counts.extend({
  /**
   * `2026-11-22T08`, `2026-11-22` or `2026-11` of the park's clock; else the device's or group's id, empty for passages
   * without a group.
   */
  key: z.string(),
  /** Of the device or group as it is called now; empty where it is gone, and for times. */
  name: z.string(),
})
export type StatisticsRow = z.output<typeof statisticsRow>

export const statistics = z.object({
  from: z.string(),
  to: z.string(),
  by: z.enum(STATISTICS_BY),
  summary: counts,
  /** Times in their order, those without a passage among them up to now; devices and groups by how many passed. */
  rows: z.array(statisticsRow),
  /** Why passages were refused, what happened most first. */
  reasons: z.array(z.object({ failReason: z.number().int(), count: z.number().int() })),
  /** Of all passages, blank ones among them. */
  temperatures: z.array(z.object({ mark: z.number().int(), count: z.number().int() })),
  /** False while records from before the server counted them are being counted. */
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
      /** The whole day before. */
      previous: z.object({
        allowed: z.number().int(),
        rejected: z.number().int(),
        hours: z.array(z.object({ hour: z.number().int(), in: z.number().int(), out: z.number().int() })),
      }),
    }),
    origin: 'own',
  }),
}
