/** Rows of own curves and of what was said of doubtful pairs; every function takes the scope first. */
import { sql, timestamp, type Database } from '../../platform/database/database.ts'
import type { Scope } from '../../platform/session/session.ts'
import type { CurvesInForce, Measured, OwnCurveTables } from './own-curve-schema.ts'

type Db = Database<OwnCurveTables>

export interface OwnCurveRow {
  modelId: string
  measuredAt: number
  stamp: string
  measured: Measured
  inForce: CurvesInForce
  doubtful: Buffer
}

/** Two persons, the one with the lesser id first. */
export interface AnsweredPair {
  firstId: string
  secondId: string
  samePerson: boolean
}

const columns = ['model_id as modelId', 'measured_at as measuredAt', 'stamp', 'measured', 'in_force as inForce', 'doubtful'] as const

export async function findOwnCurve({ parkId }: Scope, db: Db): Promise<OwnCurveRow | null> {
  const row = await db.selectFrom('face_own_curve').select(columns).where('park_id', '=', parkId).executeTakeFirst()
  return (row as OwnCurveRow | undefined) ?? null
}

/** Of all parks; unscoped: memory of the installation. */
export async function readCurvesUnscoped(db: Db): Promise<{ parkId: string; inForce: CurvesInForce }[]> {
  const rows = await db.selectFrom('face_own_curve').select(['park_id as parkId', 'in_force as inForce']).execute()
  return rows as { parkId: string; inForce: CurvesInForce }[]
}

export async function saveOwnCurve({ parkId }: Scope, db: Db, row: OwnCurveRow): Promise<void> {
  const values = {
    model_id: row.modelId,
    measured_at: timestamp(row.measuredAt),
    stamp: row.stamp,
    measured: JSON.stringify(row.measured),
    in_force: JSON.stringify(row.inForce),
    doubtful: row.doubtful,
  }
  await db
    .insertInto('face_own_curve')
    .values({ park_id: parkId, ...values })
    .onConflict((conflict) => conflict.column('park_id').doUpdateSet(values))
    .execute()
}

/** Takes what was measured at that moment in force; false where it was measured anew. */
export async function takeInForce({ parkId }: Scope, db: Db, measuredAt: number, inForce: CurvesInForce): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('face_own_curve')
    .set({ in_force: JSON.stringify(inForce) })
    .where('park_id', '=', parkId)
    .where('measured_at', '=', timestamp(measuredAt))
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

export async function findAnswers({ parkId }: Scope, db: Db): Promise<AnsweredPair[]> {
  return db
    .selectFrom('face_pair_answer')
    .select(['first_id as firstId', 'second_id as secondId', 'same_person as samePerson'])
    .where('park_id', '=', parkId)
    .execute()
}

export async function saveAnswer({ parkId }: Scope, db: Db, { firstId, secondId, samePerson }: AnsweredPair, now: number): Promise<void> {
  const said = { same_person: samePerson, answered_at: timestamp(now) }
  await db
    .insertInto('face_pair_answer')
    .values({ park_id: parkId, first_id: firstId, second_id: secondId, ...said })
    .onConflict((conflict) => conflict.columns(['park_id', 'first_id', 'second_id']).doUpdateSet(said))
    .execute()
}

/** What was said of persons who are being deleted. */
export async function deleteAnswersOf({ parkId }: Scope, db: Db, personIds: readonly string[]): Promise<void> {
  await sql`DELETE FROM face_pair_answer WHERE park_id = ${parkId}::uuid
    AND (first_id = ANY(${personIds}::uuid[]) OR second_id = ANY(${personIds}::uuid[]))`.execute(db)
}

export async function deleteOwnCurve({ parkId }: Scope, db: Db): Promise<void> {
  await db.deleteFrom('face_own_curve').where('park_id', '=', parkId).execute()
  await db.deleteFrom('face_pair_answer').where('park_id', '=', parkId).execute()
}
