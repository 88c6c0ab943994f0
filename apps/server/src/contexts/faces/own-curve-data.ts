/** Rows of own curves and of answers about doubtful pairs; every function takes the scope first. */
import { sql, timestamp, type Database } from '../../platform/database/database.ts'
import type { Scope } from '../../platform/session/session.ts'
import type { CurvesInForce, Measured } from './own-curve-schema.ts'

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

const columns = ['modelId', 'measuredAt', 'stamp', 'measured', 'inForce', 'doubtful'] as const

export async function findOwnCurve({ parkId }: Scope, db: Database): Promise<OwnCurveRow | null> {
  const row = await db.selectFrom('faceOwnCurve').select(columns).where('parkId', '=', parkId).executeTakeFirst()
  return (row as OwnCurveRow | undefined) ?? null
}

/** Return the curves of all parks. Unscoped: kept in memory for the installation. */
export async function readCurvesUnscoped(db: Database): Promise<{ parkId: string; inForce: CurvesInForce }[]> {
  const rows = await db.selectFrom('faceOwnCurve').select(['parkId', 'inForce']).execute()
  return rows as { parkId: string; inForce: CurvesInForce }[]
}

export async function saveOwnCurve({ parkId }: Scope, db: Database, row: OwnCurveRow): Promise<void> {
  const values = {
    modelId: row.modelId,
    measuredAt: timestamp(row.measuredAt),
    stamp: row.stamp,
    measured: JSON.stringify(row.measured),
    inForce: JSON.stringify(row.inForce),
    doubtful: row.doubtful,
  }
  await db
    .insertInto('faceOwnCurve')
    .values({ parkId, ...values })
    .onConflict((conflict) => conflict.column('parkId').doUpdateSet(values))
    .execute()
}

/** Put the curves of the measurement of that moment into force; return false where there is a newer measurement. */
export async function takeInForce({ parkId }: Scope, db: Database, measuredAt: number, inForce: CurvesInForce): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('faceOwnCurve')
    .set({ inForce: JSON.stringify(inForce) })
    .where('parkId', '=', parkId)
    .where('measuredAt', '=', timestamp(measuredAt))
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

export async function findAnswers({ parkId }: Scope, db: Database): Promise<AnsweredPair[]> {
  return db.selectFrom('facePairAnswer').select(['firstId', 'secondId', 'samePerson']).where('parkId', '=', parkId).execute()
}

export async function saveAnswer(
  { parkId }: Scope,
  db: Database,
  { firstId, secondId, samePerson }: AnsweredPair,
  now: number,
): Promise<void> {
  const answer = { samePerson, answeredAt: timestamp(now) }
  await db
    .insertInto('facePairAnswer')
    .values({ parkId, firstId, secondId, ...answer })
    .onConflict((conflict) => conflict.columns(['parkId', 'firstId', 'secondId']).doUpdateSet(answer))
    .execute()
}

/** Delete the answers about persons who are being deleted. */
export async function deleteAnswersOf({ parkId }: Scope, db: Database, personIds: readonly string[]): Promise<void> {
  await sql`DELETE FROM face_pair_answer WHERE park_id = ${parkId}::uuid
    AND (first_id = ANY(${personIds}::uuid[]) OR second_id = ANY(${personIds}::uuid[]))`.execute(db)
}

export async function deleteOwnCurve({ parkId }: Scope, db: Database): Promise<void> {
  await db.deleteFrom('faceOwnCurve').where('parkId', '=', parkId).execute()
  await db.deleteFrom('facePairAnswer').where('parkId', '=', parkId).execute()
}
