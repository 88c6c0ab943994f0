/** Rows of writings and of their cards; every function takes the scope first. */
import type { KeyType } from '@gatehouse/contract/cards/keys'
import type { WriteFailure } from '@gatehouse/contract/cards/writing'
import { columnList } from '../../platform/database/column-list.ts'
import { oneOf, timestamp, type Database } from '../../platform/database/database.ts'
import { readPage } from '../../platform/database/page.ts'
import type { Scope } from '../../platform/session/session.ts'
import type { CardsTables } from './schema.ts'

type Db = Database<CardsTables>
export type ItemState = 'inProgress' | 'success' | 'failed'

const writeColumns = columnList([
  'id',
  'kind',
  'card_type as cardType',
  'area',
  'device_id as deviceId',
  'device_name as deviceName',
  'transport_key as transportKey',
  'created_by as createdBy',
  'created_at as createdAt',
])
const itemColumns = columnList(['id', 'write_id as writeId', 'position', 'number', 'state', 'reason', 'written_at as writtenAt'])

export interface NewWrite {
  id: string
  kind: KeyType
  cardType: number
  area: string
  deviceId: string
  deviceName: string
  transportKey: Buffer | null
  createdBy: string
}

export async function insertWrite(scope: Scope, db: Db, write: NewWrite, itemIds: readonly string[], now: number): Promise<void> {
  const { id, kind, area } = write
  await db
    .insertInto('card_write')
    .values({
      id,
      park_id: scope.parkId,
      kind,
      card_type: write.cardType,
      area,
      device_id: write.deviceId,
      device_name: write.deviceName,
      transport_key: write.transportKey,
      created_by: write.createdBy,
      created_at: timestamp(now),
    })
    .execute()
  await db
    .insertInto('card_write_item')
    .values(
      itemIds.map((itemId, at) => ({
        id: itemId,
        park_id: scope.parkId,
        write_id: id,
        position: at + 1,
        number: '',
        state: 'inProgress',
        reason: null,
        written_at: null,
      })),
    )
    .execute()
}

export const findWrite = (scope: Scope, db: Db, id: string) =>
  db.selectFrom('card_write').select(writeColumns).where('park_id', '=', scope.parkId).where('id', '=', id).executeTakeFirst()
export type WriteRow = NonNullable<Awaited<ReturnType<typeof findWrite>>>

export const findItems = (scope: Scope, db: Db, writeIds: readonly string[]) =>
  db
    .selectFrom('card_write_item')
    .select(itemColumns)
    .where('park_id', '=', scope.parkId)
    .where('write_id', '=', oneOf(writeIds))
    .orderBy('write_id')
    .orderBy('position')
    .execute()
export type ItemRow = Awaited<ReturnType<typeof findItems>>[number]

export function listWrites(scope: Scope, db: Db, query: { kind?: KeyType | undefined; page: number; size: number }) {
  let rows = db.selectFrom('card_write').where('park_id', '=', scope.parkId)
  if (query.kind !== undefined) rows = rows.where('kind', '=', query.kind)
  return readPage(rows.select(writeColumns).orderBy('created_at', 'desc').orderBy('id', 'desc'), query)
}

/** How one card ended; null where somebody stopped the writing meanwhile. */
export function endItem(
  scope: Scope,
  db: Db,
  id: string,
  end: { number: string; state: ItemState; reason: WriteFailure | null },
  now: number,
): Promise<ItemRow | undefined> {
  return db
    .updateTable('card_write_item')
    .set({ ...end, written_at: timestamp(now) })
    .where('park_id', '=', scope.parkId)
    .where('id', '=', id)
    .where('state', '=', 'inProgress')
    .returning(itemColumns)
    .executeTakeFirst()
}

/** Ends all cards that still wait; answers how many. */
export async function stopItems(scope: Scope, db: Db, writeId: string): Promise<number> {
  const result = await db
    .updateTable('card_write_item')
    .set({ state: 'failed', reason: 'stopped' })
    .where('park_id', '=', scope.parkId)
    .where('write_id', '=', writeId)
    .where('state', '=', 'inProgress')
    .executeTakeFirst()
  return Number(result.numUpdatedRows)
}

/** Takes up all cards that failed; answers how many. */
export async function retryItems(scope: Scope, db: Db, writeId: string): Promise<number> {
  const result = await db
    .updateTable('card_write_item')
    .set({ state: 'inProgress', reason: null, number: '', written_at: null })
    .where('park_id', '=', scope.parkId)
    .where('write_id', '=', writeId)
    .where('state', '=', 'failed')
    .executeTakeFirst()
  return Number(result.numUpdatedRows)
}

export async function deleteWrites(scope: Scope, db: Db): Promise<number> {
  return Number((await db.deleteFrom('card_write').where('park_id', '=', scope.parkId).executeTakeFirst()).numDeletedRows)
}
