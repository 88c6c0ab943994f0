/** Conversion of records into the cells that statistics count. */
import { temperatureMark, type TemperatureMark } from '@gatehouse/contract/statistics/calls'
import type { NewRecord } from '../records/index.ts'
import { NO_GROUP, NO_REASON, type PassageCell } from './schema.ts'

type Counting = Pick<
  NewRecord,
  | 'parkId'
  | 'localDate'
  | 'localHour'
  | 'deviceId'
  | 'personGroupId'
  | 'direction'
  | 'result'
  | 'failReason'
  | 'temperature'
  | 'temperatureStatus'
> &
  Pick<PassageCell, 'watched'>

/**
 * Return the temperature mark of a record: the terminal's own verdict, otherwise the mark that the value stands for, otherwise
 * `measured`. Marks are not degrees and are never read as such.
 */
export function markOf({ temperature, temperatureStatus: status }: Pick<Counting, 'temperature' | 'temperatureStatus'>): TemperatureMark {
  if (status !== null && status >= temperatureMark.fever && status <= temperatureMark.measurementFailed) return status as TemperatureMark
  if (temperature === null || temperature === temperatureMark.blank) return temperatureMark.blank
  return temperature === temperatureMark.warning ? temperatureMark.warning : temperatureMark.measured
}

/** Return records as cells, equal ones merged. @param by what each record counts: 1, or -1 where records are deleted */
export function cellsOf(rows: readonly Counting[], by = 1): PassageCell[] {
  const cells = new Map<string, PassageCell>()
  for (const row of rows) {
    const cell = {
      parkId: row.parkId,
      localDate: row.localDate,
      localHour: row.localHour,
      deviceId: row.deviceId,
      personGroupId: row.personGroupId ?? NO_GROUP,
      direction: row.direction,
      result: row.result,
      failReason: row.failReason ?? NO_REASON,
      temperatureMark: markOf(row),
      watched: row.watched,
    }
    const key = Object.values(cell).join(' ')
    const counted = cells.get(key)
    if (counted === undefined) cells.set(key, { ...cell, count: by })
    else counted.count += by
  }
  return [...cells.values()]
}
