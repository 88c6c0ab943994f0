/** Rows of companions; every function takes the scope first. */
import { oneOf, type Database } from '../../platform/database/database.ts'
import type { Scope } from '../../platform/session/session.ts'

export interface PeerRow {
  id: string
  visitId: string
  name: string
  details: Buffer
  photoFileId: string | null
  personId: string | null
}

/** Return the companions of these visits, in the order of the form. */
export async function findPeers(scope: Scope, db: Database, visitIds: readonly string[]): Promise<PeerRow[]> {
  if (visitIds.length === 0) return []
  return db
    .selectFrom('visitPeer')
    .select(['id', 'visitId', 'name', 'details', 'photoFileId', 'personId'])
    .where('parkId', '=', scope.parkId)
    .where('visitId', '=', oneOf(visitIds))
    .orderBy('visitId')
    .orderBy('position')
    .execute()
}

/** Make these the companions of a visit; others are deleted. @param peers in the order of the form */
export async function replacePeers(scope: Scope, db: Database, visitId: string, peers: readonly Omit<PeerRow, 'visitId'>[]): Promise<void> {
  await db.deleteFrom('visitPeer').where('parkId', '=', scope.parkId).where('visitId', '=', visitId).execute()
  if (peers.length === 0) return
  await db
    .insertInto('visitPeer')
    .values(peers.map((peer, position) => ({ ...peer, visitId, position, parkId: scope.parkId })))
    .execute()
}

/** Note the person that stands for a companion; null: none any more. Return false where the companion is gone. */
export async function setPeerPerson(scope: Scope, db: Database, id: string, personId: string | null): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('visitPeer')
    .set({ personId })
    .where('parkId', '=', scope.parkId)
    .where('id', '=', id)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** Return companions of all parks who have a photo and nobody to stand for them although their visitor may pass. */
export async function findPeersWithoutPersonUnscoped(db: Database, limit: number): Promise<{ parkId: string; visitId: string }[]> {
  return db
    .selectFrom('visitPeer')
    .innerJoin('visit', 'visit.id', 'visitPeer.visitId')
    .select(['visit.parkId', 'visit.id as visitId'])
    .distinct()
    .where('visit.personId', 'is not', null)
    .where('visitPeer.personId', 'is', null)
    .where('visitPeer.photoFileId', 'is not', null)
    .limit(limit)
    .execute()
}
