/** Which values the sensors of a park have measured so far, so that screens omit columns and figures that are always empty. */
import { sentRows } from '../../platform/database/sent-rows.ts'
import { temperatureMark } from '@gatehouse/contract/statistics/calls'
import type { Measures } from '@gatehouse/contract/organisation/calls'
import { sql, type Database } from '../../platform/database/database.ts'
import type { Scope } from '../../platform/session/session.ts'
import type { NewRecord } from '../records/index.ts'
import { markOf } from './cells.ts'

type Measuring = Pick<NewRecord, 'parkId' | 'temperature' | 'temperatureStatus' | 'mask' | 'helmet'>

/** For each value, whether a record contains a measurement of it. */
const HAS_MEASURED: Readonly<Record<keyof Measures, (row: Measuring) => boolean>> = {
  temperature: (row) => markOf(row) !== temperatureMark.blank,
  mask: ({ mask }) => mask !== null,
  helmet: ({ helmet }) => helmet !== null,
}
const KINDS = Object.keys(HAS_MEASURED) as (keyof Measures)[]

/** Store which values these records contain, in their transaction. Unscoped: one transaction takes records of many parks. */
export async function noteMeasuresUnscoped(db: Database, rows: readonly Measuring[]): Promise<void> {
  const measured = KINDS.flatMap((kind) => {
    const parks = new Set(rows.filter(HAS_MEASURED[kind]).map((row) => row.parkId))
    return [...parks].map((parkId) => ({ parkId, kind }))
  })
  if (measured.length === 0) return
  // Always in the same order, so that two transactions cannot deadlock.
  await sql`
    INSERT INTO park_measure (park_id, kind)
    SELECT park_id, kind FROM ${sentRows(measured, { parkId: 'uuid', kind: 'text' })} AS measured ORDER BY 1, 2
    ON CONFLICT DO NOTHING`.execute(db)
}

/** Return which values the park's records have contained so far. */
export async function findMeasures(scope: Scope, db: Database): Promise<Measures> {
  const rows = await db.selectFrom('parkMeasure').select('kind').where('parkId', '=', scope.parkId).execute()
  const measuredKinds = new Set(rows.map(({ kind }) => kind))
  return { temperature: measuredKinds.has('temperature'), mask: measuredKinds.has('mask'), helmet: measuredKinds.has('helmet') }
}
