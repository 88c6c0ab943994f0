/** Deletes visits with everything there is of them: by hand, and once the park's retention is over. */
import { visitorCalls } from '@gatehouse/contract/visitors/calls'
import type { Platform } from '../../platform/context.ts'
import type { Transaction } from '../../platform/database/database.ts'
import { refuse } from '../../platform/http/refusal.ts'
import type { Job } from '../../platform/jobs/jobs.ts'
import { seeingAll, type Scope } from '../../platform/session/session.ts'
import type { Configuration } from './configuration.ts'
import type { VisitorsDependencies } from './dependencies.ts'
import type { Documents } from './documents.ts'
import { filesOfValues } from './own-fields.ts'
import { findPeers } from './peers-data.ts'
import { canDelete, isEnded } from './policy.ts'
import type { SignedDocuments } from './signed-documents.ts'
import { deleteVisits, findEndedBefore, lockVisit, type VisitRow } from './visits-data.ts'

export interface Removal {
  /** Delete visits that are over; return how many. @throws Refusal 200401, 200420, 200224 */
  delete(scope: Scope, ids: readonly string[]): Promise<number>
  job: Job
}

const DAY = 86_400_000
const BATCH = 50
/** Whose name the operation log shows. */
const ACTOR = 'retention'

export function createRemoval(
  platform: Platform,
  { records, privacy, organisation }: Pick<VisitorsDependencies, 'records' | 'privacy' | 'organisation'>,
  configuration: Configuration,
  signed: Pick<SignedDocuments, 'filesOf'>,
  documents: Pick<Documents, 'deleteUnused'>,
): Removal {
  /** Delete a visit that is locked and over. */
  async function remove(tx: Transaction, visible: Scope, row: VisitRow): Promise<void> {
    const scope = seeingAll(visible)
    const peers = await findPeers(scope, tx, [row.id])
    const own = filesOfValues(configuration.form(scope).fields, row.customFields)
    const papers = await signed.filesOf(scope, tx, row.id)
    const files = [row.photoFileId, ...peers.map(({ photoFileId }) => photoFileId), ...own, ...papers].flatMap((file) => file ?? [])
    await platform.storage.release(tx, scope, files)
    if (privacy.pseudonymises(scope))
      for (const personId of row.formerPersonIds) {
        await records.noteErasure(tx, scope, personId)
        await records.pseudonymise(tx, scope, personId)
      }
    await deleteVisits(scope, tx, [row.id])
    await platform.audit.forget(tx, 'visit', [row.id])
    // The log keeps the id alone: the name goes with the visit.
    platform.audit.note({ entity: 'visit', id: row.id, before: {} })
  }

  /** A batch is a call of nobody: the operation log has an entry of each. */
  const eraseBatch = (scope: Scope, ids: readonly string[]): Promise<number> =>
    platform.audit.during(visitorCalls.delete, null, '', async () => {
      platform.audit.actAs({ parkId: scope.parkId, userId: null, account: ACTOR, operator: ACTOR, source: 'local' })
      let erased = 0
      for (const id of ids)
        await platform.transaction(async (tx) => {
          const row = await lockVisit(scope, tx, id)
          if (row === undefined || !isEnded(row)) return
          await remove(tx, scope, row)
          erased++
        })
      return erased
    })

  async function eraseOld(scope: Scope, days: number): Promise<number> {
    let erased = 0
    for (;;) {
      const ids = await findEndedBefore(scope, platform.db, platform.clock.now() - days * DAY, BATCH)
      if (ids.length > 0) erased += await eraseBatch(scope, ids)
      if (ids.length < BATCH) return erased
    }
  }

  return {
    async delete(scope, ids) {
      const distinct = [...new Set(ids)].toSorted()
      await platform.transaction(async (tx) => {
        for (const id of distinct) {
          const row = (await lockVisit(scope, tx, id)) ?? refuse(200401, 'ids')
          if (!row.enabled) refuse(200224, 'ids')
          if (!canDelete(row)) refuse(200420, 'ids')
          await remove(tx, scope, row)
        }
      })
      return distinct.length
    },
    job: {
      name: 'visitors.eraseOld',
      schedule: '52 2 * * *',
      async run() {
        let erased = 0
        for (const { id } of organisation.parks()) {
          const days = privacy.retentionDays({ parkId: id })
          if (days !== null) erased += await eraseOld({ parkId: id }, days)
          await documents.deleteUnused({ parkId: id })
        }
        return { outcome: erased > 0 ? 'success' : 'skipped', counts: { visitsErased: erased } }
      },
    },
  }
}
