/** Links as an operation reads them, and what every change of a link writes besides its row. */
import type { Platform } from '../../platform/context.ts'
import type { Transaction } from '../../platform/database/database.ts'
import { NotFound } from '../../platform/http/refusal.ts'
import type { Scope } from '../../platform/session/session.ts'
import type { OrganisationService } from '../organisation/index.ts'
import { findRelation, type RelationRow } from './data.ts'
import { parkLinksChanged } from './events.ts'
import { noteRelations } from './history.ts'

export interface LinkRows {
  /** @throws NotFound */
  existing(scope: Scope, id: string): Promise<RelationRow>
  /** Return the id of the other park of a link. */
  otherOf(scope: Scope, row: RelationRow): string
  /** Return a park; undefined for one that was deleted. */
  parkOf(parkId: string): ReturnType<OrganisationService['get']>
  /** Note in the history what a link is from now on, and announce it to the park at which its persons may pass. */
  noteChange(tx: Transaction, row: Pick<RelationRow, 'id' | 'applicantPark' | 'receiverPark'>): Promise<void>
}

export function createLinkRows(platform: Platform, { organisation }: { organisation: OrganisationService }): LinkRows {
  return {
    async existing(scope, id) {
      const row = await findRelation(scope, platform.db, id)
      if (row === undefined) throw new NotFound()
      return row
    },
    otherOf: (scope, row) => (row.applicantPark === scope.parkId ? row.receiverPark : row.applicantPark),
    parkOf: (parkId) => organisation.get(parkId),
    async noteChange(tx, { id, applicantPark, receiverPark }) {
      await noteRelations(platform, tx, { parkId: applicantPark }, [id])
      await platform.events.announce(tx, parkLinksChanged, receiverPark, { relationIds: [id] })
    },
  }
}
