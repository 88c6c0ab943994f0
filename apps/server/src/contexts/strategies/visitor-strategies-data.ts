/** Rows of strategies for visitors, and of the persons of visits that strategies name; every function takes the scope first. */
import { oneOf, sql, type Database } from '../../platform/database/database.ts'
import type { Scope } from '../../platform/session/session.ts'
import { PERSONS } from '../people/index.ts'
import { ownStrategies } from './strategies-data.ts'

const forVisitors = (scope: Scope, db: Database, ids: readonly string[]) =>
  ownStrategies(scope, db).select('id').where('kind', '=', 'visitor').where('id', '=', oneOf(ids)).orderBy('id')

/** Return those of these ids that are of strategies for visitors. @param ids uuids */
export const findVisitorStrategies = async (scope: Scope, db: Database, ids: readonly string[]): Promise<string[]> =>
  ids.length === 0 ? [] : (await forVisitors(scope, db, ids).execute()).map(({ id }) => id)

/** The same, locked against changes until the transaction ends. */
export const lockVisitorStrategies = async (scope: Scope, db: Database, ids: readonly string[]): Promise<string[]> =>
  ids.length === 0 ? [] : (await forVisitors(scope, db, ids).forShare().execute()).map(({ id }) => id)

export async function addMember(scope: Scope, db: Database, personId: string, strategyIds: readonly string[]): Promise<void> {
  if (strategyIds.length === 0) return
  await db
    .insertInto('strategyMember')
    .values(strategyIds.map((strategyId) => ({ strategyId, parkId: scope.parkId, kind: 'person' as const, memberId: personId })))
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

export async function removeMemberFrom(scope: Scope, db: Database, personId: string, strategyIds: readonly string[]): Promise<void> {
  if (strategyIds.length === 0) return
  await db
    .deleteFrom('strategyMember')
    .where('parkId', '=', scope.parkId)
    .where('kind', '=', 'person')
    .where('memberId', '=', personId)
    .where('strategyId', 'in', strategyIds)
    .execute()
}

/** Return the ids of the persons of visits that a strategy names, in order. */
export async function findVisitorMembers(scope: Scope, db: Database, strategyId: string): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`SELECT member_id AS id FROM strategy_member
    JOIN ${PERSONS} ON person.id = strategy_member.member_id AND person.park_id = strategy_member.park_id
    WHERE strategy_member.park_id = ${scope.parkId}::uuid AND strategy_id = ${strategyId}::uuid
      AND strategy_member.kind = 'person' AND person.kind = 'visitor' ORDER BY member_id`.execute(db)
  return rows.map(({ id }) => id)
}
