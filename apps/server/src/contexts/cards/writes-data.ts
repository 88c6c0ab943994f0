/** Rows of writings and of their cards; every function takes the scope first. */
import type { KeyType } from '@gatehouse/contract/cards/keys'
import type { WriteFailure } from '@gatehouse/contract/cards/writing'
import { columnList } from '../../platform/database/column-list.ts'
import { oneOf, timestamp, type Database } from '../../platform/database/database.ts'
import { readPage } from '../../platform/database/page.ts'
import type { Scope } from '../../platform/session/session.ts'

export type ItemState = 'inProgress' | 'success' | 'failed'

const writeColumns = columnList(['id', 'kind', 'cardType', 'area', 'deviceId', 'deviceName', 'transportKey', 'createdBy', 'createdAt'])
const itemColumns = columnList(['id', 'writeId', 'position', 'number', 'state', 'reason', 'writtenAt'])

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

export async function insertWrite(scope: Scope, db: Database, write: NewWrite, itemIds: readonly string[], now: number): Promise<void> {
  const { id, kind, area } = write
  await db
    .insertInto('cardWrite')
    .values({
      id,
      parkId: scope.parkId,
      kind,
      cardType: write.cardType,
      area,
      deviceId: write.deviceId,
      deviceName: write.deviceName,
      transportKey: write.transportKey,
      createdBy: write.createdBy,
      createdAt: timestamp(now),
    })
    .execute()
  await db
    .insertInto('cardWriteItem')
    .values(
      itemIds.map((itemId, at) => ({
        id: itemId,
        parkId: scope.parkId,
        writeId: id,
        position: at + 1,
        number: '',
        state: 'inProgress',
        reason: null,
        writtenAt: null,
      })),
    )
    .execute()
}

export const findWrite = (scope: Scope, db: Database, id: string) =>
  db.selectFrom('cardWrite').select(writeColumns).where('parkId', '=', scope.parkId).where('id', '=', id).executeTakeFirst()
export type WriteRow = NonNullable<Awaited<ReturnType<typeof findWrite>>>

export const findItems = (scope: Scope, db: Database, writeIds: readonly string[]) =>
  db
    .selectFrom('cardWriteItem')
    .select(itemColumns)
    .where('parkId', '=', scope.parkId)
    .where('writeId', '=', oneOf(writeIds))
    .orderBy('writeId')
    .orderBy('position')
    .execute()
export type ItemRow = Awaited<ReturnType<typeof findItems>>[number]

export function listWrites(scope: Scope, db: Database, query: { kind?: KeyType | undefined; page: number; size: number }) {
  let rows = db.selectFrom('cardWrite').where('parkId', '=', scope.parkId)
  if (query.kind !== undefined) rows = rows.where('kind', '=', query.kind)
  return readPage(rows.select(writeColumns).orderBy('createdAt', 'desc').orderBy('id', 'desc'), query)
}

/** Store the result of one card; return its row, undefined if the writing was stopped meanwhile. */
export function endItem(
  scope: Scope,
  db: Database,
  id: string,
  end: { number: string; state: ItemState; reason: WriteFailure | null },
  now: number,
): Promise<ItemRow | undefined> {
  return db
    .updateTable('cardWriteItem')
    .set({ ...end, writtenAt: timestamp(now) })
    .where('parkId', '=', scope.parkId)
    .where('id', '=', id)
    .where('state', '=', 'inProgress')
    .returning(itemColumns)
    .executeTakeFirst()
}

/** End all cards that are still waiting; return how many. */
export async function stopItems(scope: Scope, db: Database, writeId: string): Promise<number> {
  const result = await db
    .updateTable('cardWriteItem')
    .set({ state: 'failed', reason: 'stopped' })
    .where('parkId', '=', scope.parkId)
    .where('writeId', '=', writeId)
    .where('state', '=', 'inProgress')
    .executeTakeFirst()
  return Number(result.numUpdatedRows)
}

/** Set all failed cards to be written again; return how many. */
export async function retryItems(scope: Scope, db: Database, writeId: string): Promise<number> {
  const result = await db
    .updateTable('cardWriteItem')
    .set({ state: 'inProgress', reason: null, number: '', writtenAt: null })
    .where('parkId', '=', scope.parkId)
    .where('writeId', '=', writeId)
    .where('state', '=', 'failed')
    .executeTakeFirst()
  return Number(result.numUpdatedRows)
}

export async function deleteWrites(scope: Scope, db: Database): Promise<number> {
  return Number((await db.deleteFrom('cardWrite').where('parkId', '=', scope.parkId).executeTakeFirst()).numDeletedRows)
}
