/** What alerts show of visits. Every function takes the scope first. */
import { oneOf, type Database } from '../../platform/database/database.ts'
import type { Scope } from '../../platform/session/session.ts'

/** Return what an alert shows of these visits of the park, in no order. */
export async function findAlerted(scope: Scope, db: Database, ids: readonly string[]) {
  if (ids.length === 0) return []
  return db
    .selectFrom('visit')
    .select(['id', 'status', 'name', 'hostName', 'reason', 'visitAt', 'enteredAt', 'signInSource', 'remark', 'photoFileId'])
    .where('parkId', '=', scope.parkId)
    .where('id', '=', oneOf(ids))
    .execute()
}
export type AlertedRow = Awaited<ReturnType<typeof findAlerted>>[number]
