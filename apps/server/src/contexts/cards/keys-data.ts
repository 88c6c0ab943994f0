/** Rows of keys; every function takes the scope first. */
import type { KeyType } from '@gatehouse/contract/cards/keys'
import { columnList } from '../../platform/database/column-list.ts'
import { timestamp, type Database } from '../../platform/database/database.ts'
import type { Scope } from '../../platform/session/session.ts'
import type { CardsTables } from './schema.ts'

type Db = Database<CardsTables>

const columns = columnList(['id', 'type', 'name', 'value', 'check_value as checkValue', 'created_at as createdAt'])

export const findKeys = (scope: Scope, db: Db) => db.selectFrom('card_key').select(columns).where('park_id', '=', scope.parkId).execute()
export type KeyRow = Awaited<ReturnType<typeof findKeys>>[number]

/** Lets whoever creates keys of the park at the same time wait, and answers them as they stand. */
export async function lockKeys(scope: Scope, db: Db): Promise<KeyRow[]> {
  return db.selectFrom('card_key').select(columns).where('park_id', '=', scope.parkId).forUpdate().execute()
}

export async function insertKey(
  scope: Scope,
  db: Db,
  key: { id: string; type: KeyType; name: string; value: Buffer; checkValue: string },
  now: number,
): Promise<void> {
  await db
    .insertInto('card_key')
    .values({
      id: key.id,
      park_id: scope.parkId,
      type: key.type,
      name: key.name,
      value: key.value,
      check_value: key.checkValue,
      created_at: timestamp(now),
    })
    .execute()
}

export async function deleteKeys(scope: Scope, db: Db, types?: readonly KeyType[]): Promise<number> {
  let rows = db.deleteFrom('card_key').where('park_id', '=', scope.parkId)
  if (types !== undefined) rows = rows.where('type', 'in', types)
  return Number((await rows.executeTakeFirst()).numDeletedRows)
}
