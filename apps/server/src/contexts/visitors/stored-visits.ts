/** Visits as they are stored, with what is sealed of them in clear. */
import type { Platform } from '../../platform/context.ts'
import type { Database } from '../../platform/database/database.ts'
import { refuse } from '../../platform/http/refusal.ts'
import type { Scope } from '../../platform/session/session.ts'
import { openersOf } from './details.ts'
import type { StoredVisit } from './form-types.ts'
import { findPeers } from './peers-data.ts'
import { findVisits, type VisitRow } from './visits-data.ts'

export interface StoredVisits {
  /** Return a visit with its companions. @throws Refusal 200401 */
  existing(scope: Scope, id: string): Promise<StoredVisit>
  /** Return the same of rows that were read already. */
  open(scope: Scope, rows: readonly VisitRow[], from?: Database): Promise<StoredVisit[]>
}

export function createStoredVisits({ db, crypto }: Pick<Platform, 'db' | 'crypto'>): StoredVisits {
  async function open(scope: Scope, rows: readonly VisitRow[], from: Database = db): Promise<StoredVisit[]> {
    if (rows.length === 0) return []
    const [openers, peers] = await Promise.all([
      openersOf(crypto, scope),
      findPeers(
        scope,
        from,
        rows.map(({ id }) => id),
      ),
    ])
    const byVisit = Map.groupBy(peers, ({ visitId }) => visitId)
    return rows.map((row) => ({
      row,
      details: openers.visit(row.id, row.details),
      peers: (byVisit.get(row.id) ?? []).map(({ visitId: _, ...peer }) => ({ ...openers.peer(peer.id, peer.details), row: peer })),
    }))
  }
  return {
    open,
    async existing(scope, id) {
      const [visit] = await open(scope, await findVisits(scope, db, [id]))
      return visit ?? refuse(200401, 'id')
    },
  }
}
