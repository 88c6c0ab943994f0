/** How far what devices number besides records is stored. The device that sends is authenticated, and says which park it is of. */
import { timestamp, type Database } from '../../platform/database/database.ts'

interface NumberedKey {
  deviceId: string
  kind: string
  epoch: string
  parkId: string
}

/** Lock the epoch of a kind until the transaction ends, creating a new one. @returns the highest number stored; unscoped: see above */
export async function lockNumberedUnscoped(db: Database, key: NumberedKey, now: number): Promise<number> {
  const { ackSeq } = await db
    .insertInto('deviceNumbered')
    .values({ ...key, ackSeq: 0, updatedAt: timestamp(now) })
    // An update that changes nothing, because a conflict that does nothing neither locks nor returns the row.
    .onConflict((conflict) => conflict.columns(['deviceId', 'kind', 'epoch']).doUpdateSet({ parkId: key.parkId }))
    .returning('ackSeq')
    .executeTakeFirstOrThrow()
  return ackSeq
}

/** Note how far a locked epoch is stored. Unscoped: see above. */
export async function advanceNumberedUnscoped(
  db: Database,
  { deviceId, kind, epoch }: NumberedKey,
  ackSeq: number,
  now: number,
): Promise<void> {
  await db
    .updateTable('deviceNumbered')
    .set({ ackSeq, updatedAt: timestamp(now) })
    .where('deviceId', '=', deviceId)
    .where('kind', '=', kind)
    .where('epoch', '=', epoch)
    .execute()
}
