/** The run of an import: its rows become invitations, one after another, in the name of the user who handed the spreadsheet in. */
import { visitorImportCalls } from '@gatehouse/contract/visitors/imports'
import type { Platform } from '../../platform/context.ts'
import { violatedConstraint } from '../../platform/database/database.ts'
import { placeOf } from '../../platform/encryption/sealed-column.ts'
import type { WorkRun } from '../../platform/jobs/work.ts'
import { isPassingFault } from '../../platform/passing-fault.ts'
import { actorOf, seeingNoWatchList, type Caller, type Scope } from '../../platform/session/session.ts'
import type { VisitorsDependencies } from './dependencies.ts'
import type { ImportValues } from './import-columns.ts'
import { formOf, issuesOf, visitIdOf } from './import-rows.ts'
import * as data from './imports-data.ts'
import { VISIT_IMPORT_DETAILS, type StoredIssue } from './imports-schema.ts'
import type { Registering } from './registering.ts'
import { findVisits } from './visits-data.ts'

export const RUN = 'visitors.runImport'
/** Rows read at a time. */
const PAGE = 50

/** The import was ended: nothing of this row may be kept. */
class Overtaken extends Error {}

/** Define the work that runs imports. Return what opens the cells of a row. */
export function createRun(
  platform: Platform,
  needs: Pick<VisitorsDependencies, 'people' | 'organisation'>,
  registering: Pick<Registering, 'create'>,
): (scope: Scope, row: Pick<data.ImportRow, 'id' | 'details'>) => Promise<ImportValues> {
  const { db, crypto, log } = platform

  async function valuesOf(scope: Scope, { id, details }: Pick<data.ImportRow, 'id' | 'details'>): Promise<ImportValues> {
    if (details === null) return {}
    return JSON.parse((await crypto.open(scope.parkId, placeOf(VISIT_IMPORT_DETAILS, id), details)).toString('utf8')) as ImportValues
  }

  /** Invite the visitor of a row. */
  async function runRow(scope: Scope, one: data.ImportRecord, row: data.ImportRow): Promise<void> {
    const place = { importId: one.id, id: row.id }
    const refuseRow = (issues: readonly StoredIssue[]): Promise<boolean> => data.finishRow(scope, db, place, 'refused', issues)
    const form = await formOf(needs, scope, await valuesOf(scope, row))
    if ('issues' in form) return void (await refuseRow(form.issues))
    const id = visitIdOf(await crypto.derivedKey(scope.parkId, 'visit import'), form.fields)
    if ((await findVisits(scope, db, [id])).length > 0) return void (await data.finishRow(scope, db, place, 'existing'))
    const caller: Caller = { ...actorOf(one), scope }
    try {
      // Refused rows are read by users who may not see the watch list: none says that a phone stands on it.
      await platform.audit.during(visitorImportCalls.create, caller, '', () =>
        registering.create(
          seeingNoWatchList(scope),
          form.fields,
          { operator: one.operator, masking: false, language: one.language },
          undefined,
          {
            id,
            alongside: async (tx) => {
              if (!(await data.finishRow(scope, tx, place, 'invited'))) throw new Overtaken()
            },
          },
        ),
      )
    } catch (error) {
      if (error instanceof Overtaken || isPassingFault(error)) throw error
      if (violatedConstraint(error) === 'visit_pkey') return void (await data.finishRow(scope, db, place, 'existing'))
      let issues: StoredIssue[]
      try {
        issues = issuesOf(error)
      } catch (fault) {
        log.error({ err: fault, visitImport: one.id }, 'a row of invitations could not be imported')
        issues = [{ field: '', rule: 'importFault' }]
      }
      await refuseRow(issues)
    }
  }

  async function runImport(scope: Scope, one: data.ImportRecord, { signal, progress }: WorkRun): Promise<void> {
    for (;;) {
      const counts = await data.countRows(scope, db, one.id)
      const total = Object.values(counts).reduce((sum, count) => sum + count, 0)
      await progress({ done: total - (counts.waiting ?? 0), total, failed: counts.refused ?? 0 })
      const rows = await data.findRows(scope, db, one.id, ['waiting'], PAGE)
      if (rows.length === 0) return data.endImport(scope, db, one.id, 'done')
      for (const row of rows) {
        signal.throwIfAborted()
        if ((await data.findImport(scope, db, one.id))?.state !== 'running') return
        await runRow(scope, one, row)
      }
    }
  }

  platform.work.define({
    kind: RUN,
    async run(work) {
      const { scope, signal } = work
      for (;;) {
        const one = await data.findRunning(scope, db)
        if (one === undefined) return
        try {
          await runImport(scope, one, work)
        } catch (error) {
          if (signal.aborted || isPassingFault(error)) throw error
          // Ended by somebody: the next one, if there is one.
          if (error instanceof Overtaken) continue
          log.error({ err: error, visitImport: one.id }, 'an import of invitations ended with a fault')
          await data.endImport(scope, db, one.id, 'failed')
        }
      }
    },
  })

  return valuesOf
}
