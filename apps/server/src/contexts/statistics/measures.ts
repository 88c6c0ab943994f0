/** What sensors at the doors of a park have told, so that nobody is shown columns and figures that nothing ever fills. */
import { temperatureMark } from '@gatehouse/contract/statistics/calls'
import type { Measures } from '@gatehouse/contract/organisation/calls'
import { sql, type Database } from '../../platform/database/database.ts'
import type { Scope } from '../../platform/session/session.ts'
import type { NewRecord } from '../records/index.ts'
import type { Tables } from './data.ts'
import { markOf } from './cells.ts'

type Db = Database<Tables>
type Measuring = Pick<NewRecord, 'park_id' | 'temperature' | 'temperature_status' | 'mask' | 'helmet'>

/** Each with how a record tells that it was looked at. */
const TELLS: Readonly<Record<keyof Measures, (row: Measuring) => boolean>> = {
  temperature: (row) => markOf(row) !== temperatureMark.blank,
  mask: ({ mask }) => mask !== null,
  helmet: ({ helmet }) => helmet !== null,
}
const KINDS = Object.keys(TELLS) as (keyof Measures)[]

/** Notes what these records tell for the first time, in their transaction. Unscoped: one transaction takes records of many parks. */
export async function noteMeasuresUnscoped(db: Db, rows: readonly Measuring[]): Promise<void> {
  const told = KINDS.flatMap((kind) => {
    const parks = new Set(rows.filter(TELLS[kind]).map((row) => row.park_id))
    return [...parks].map((parkId) => ({ parkId, kind }))
  })
  if (told.length === 0) return
  // Always in one order: two that note the same wait for each other, never both.
  await sql`
    INSERT INTO park_measure (park_id, kind)
    SELECT "parkId", kind FROM json_to_recordset(${JSON.stringify(told)}::json) AS told ("parkId" uuid, kind text) ORDER BY 1, 2
    ON CONFLICT DO NOTHING`.execute(db)
}

/** What the park's records have told so far. */
export async function findMeasures(scope: Scope, db: Db): Promise<Measures> {
  const rows = await db.selectFrom('park_measure').select('kind').where('park_id', '=', scope.parkId).execute()
  const told = new Set(rows.map(({ kind }) => kind))
  return { temperature: told.has('temperature'), mask: told.has('mask'), helmet: told.has('helmet') }
}
