/** Rows of keys; every function takes the scope first. */
import type { KeyType } from '@gatehouse/contract/cards/keys'
import { columnList } from '../../platform/database/column-list.ts'
import { timestamp, type Database } from '../../platform/database/database.ts'
import type { Scope } from '../../platform/session/session.ts'

const columns = columnList(['id', 'type', 'name', 'value', 'checkValue', 'createdAt'])

export const findKeys = (scope: Scope, db: Database) =>
  db.selectFrom('cardKey').select(columns).where('parkId', '=', scope.parkId).execute()
export type KeyRow = Awaited<ReturnType<typeof findKeys>>[number]

/** Lock the keys of the park against concurrent creation, and return them. */
export async function lockKeys(scope: Scope, db: Database): Promise<KeyRow[]> {
  return db.selectFrom('cardKey').select(columns).where('parkId', '=', scope.parkId).forUpdate().execute()
}

export async function insertKey(
  scope: Scope,
  db: Database,
  key: { id: string; type: KeyType; name: string; value: Buffer; checkValue: string },
  now: number,
): Promise<void> {
  await db
    .insertInto('cardKey')
    .values({
      id: key.id,
      parkId: scope.parkId,
      type: key.type,
      name: key.name,
      value: key.value,
      checkValue: key.checkValue,
      createdAt: timestamp(now),
    })
    .execute()
}

export async function deleteKeys(scope: Scope, db: Database, types?: readonly KeyType[]): Promise<number> {
  let rows = db.deleteFrom('cardKey').where('parkId', '=', scope.parkId)
  if (types !== undefined) rows = rows.where('type', 'in', types)
  return Number((await rows.executeTakeFirst()).numDeletedRows)
}
