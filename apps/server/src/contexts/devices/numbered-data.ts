/** How far what devices number besides records is stored. The device that sends is authenticated, and says which park it is of. */
import { timestamp, type Database } from '../../platform/database/database.ts'

interface NumberedKey {
  deviceId: string
  kind: string
  epoch: string
  parkId: string
}

/**
 * Lock the epoch of a kind until the transaction ends, creating a new one, and note that the device spoke of it.
 * @returns the highest number stored; unscoped: see above
 */
export async function lockNumberedUnscoped(db: Database, key: NumberedKey, now: number): Promise<number> {
  const { ackSeq } = await db
    .insertInto('deviceNumbered')
    .values({ ...key, ackSeq: 0, updatedAt: timestamp(now) })
    // A conflict that does nothing would neither lock nor return the row.
    .onConflict((conflict) =>
      conflict.columns(['deviceId', 'kind', 'epoch']).doUpdateSet({ parkId: key.parkId, updatedAt: timestamp(now) }),
    )
    .returning('ackSeq')
    .executeTakeFirstOrThrow()
  return ackSeq
}

/** Note how far a locked epoch is stored. Unscoped: see above. */
export async function advanceNumberedUnscoped(db: Database, { deviceId, kind, epoch }: NumberedKey, ackSeq: number): Promise<void> {
  await db
    .updateTable('deviceNumbered')
    .set({ ackSeq })
    .where('deviceId', '=', deviceId)
    .where('kind', '=', kind)
    .where('epoch', '=', epoch)
    .execute()
}

/** Delete epochs that no device spoke of since a moment and that a later one of the same device and kind has replaced. */
export async function deleteReplacedNumberedUnscoped(db: Database, before: number): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom('deviceNumbered as old')
    .where('old.updatedAt', '<', timestamp(before))
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('deviceNumbered as later')
          .select('later.epoch')
          .whereRef('later.deviceId', '=', 'old.deviceId')
          .whereRef('later.kind', '=', 'old.kind')
          .whereRef('later.updatedAt', '>', 'old.updatedAt'),
      ),
    )
    .executeTakeFirst()
  return Number(numDeletedRows)
}
