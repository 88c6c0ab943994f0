/** Passages as statistics count them. */
import { temperatureMark, type TemperatureMark } from '@gatehouse/contract/statistics/calls'
import type { NewRecord } from '../records/index.ts'
import { NO_GROUP, NO_REASON, type PassageCell } from './schema.ts'

type Counting = Pick<
  NewRecord,
  | 'park_id'
  | 'local_date'
  | 'local_hour'
  | 'device_id'
  | 'person_group_id'
  | 'direction'
  | 'result'
  | 'fail_reason'
  | 'temperature'
  | 'temperature_status'
> &
  Pick<PassageCell, 'watched'>

/**
 * What a terminal's sensor told: its own verdict, else the mark its value is, else `measured`. Marks are no degrees, and
 * are never taken for some.
 */
export function markOf({ temperature, temperature_status: status }: Pick<Counting, 'temperature' | 'temperature_status'>): TemperatureMark {
  if (status !== null && status >= temperatureMark.fever && status <= temperatureMark.measurementFailed) return status as TemperatureMark
  if (temperature === null || temperature === temperatureMark.blank) return temperatureMark.blank
  return temperature === temperatureMark.warning ? temperatureMark.warning : temperatureMark.measured
}

/** Rows of records as cells, those alike as one. @param by what each counts for: 1, or -1 where they are deleted */
export function cellsOf(rows: readonly Counting[], by = 1): PassageCell[] {
  const cells = new Map<string, PassageCell>()
  for (const row of rows) {
    const cell = {
      park_id: row.park_id,
      local_date: row.local_date,
      local_hour: row.local_hour,
      device_id: row.device_id,
      person_group_id: row.person_group_id ?? NO_GROUP,
      direction: row.direction,
      result: row.result,
      fail_reason: row.fail_reason ?? NO_REASON,
      temperature_mark: markOf(row),
      watched: row.watched,
    }
    const key = Object.values(cell).join(' ')
    const known = cells.get(key)
    if (known === undefined) cells.set(key, { ...cell, count: by })
    else known.count += by
  }
  return [...cells.values()]
}
