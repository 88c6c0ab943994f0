/** The own-gallery report: error rates measured on the photographs of a park. Reports are kept. */
import type { CurvePoint, FaceReport, ReportSlice, reportSummary } from '@gatehouse/contract/faces/report'
import type { WorkState } from '@gatehouse/contract/work'
import type { z } from 'zod'
import type { Platform } from '../../platform/context.ts'
import { violatedConstraint, type Transaction } from '../../platform/database/database.ts'
import { newId } from '../../platform/database/ids.ts'
import { Conflict, NotFound } from '../../platform/http/refusal.ts'
import { placeOf } from '../../platform/encryption/sealed-column.ts'
import type { Scope } from '../../platform/session/session.ts'
import { canReadPersons, type FaceViewer } from './policy.ts'
import * as data from './report-data.ts'
import { createReportRun, type KeptPair } from './report-run.ts'
import { CLOSEST_PAIRS } from './report-schema.ts'
import { createShownPairs } from './shown-pairs.ts'
import type { ReportNeeds } from './report-types.ts'

type ReportSummary = z.output<typeof reportSummary>

export interface FaceReports {
  /** Request a report and return its id. @throws Conflict while another report of the park waits or is being made */
  start(scope: Scope): Promise<string>
  /** Newest first. */
  list(
    scope: Scope,
    place: { page: number; size: number },
  ): Promise<{ total: number; content: ReportSummary[]; page: number; size: number }>
  /** Names and pictures are empty for a viewer who may not read persons. @throws NotFound */
  read(scope: Scope, viewer: FaceViewer, id: string): Promise<FaceReport>
  /** Cancel a report that is being made; a finished report is not changed. @throws NotFound */
  cancel(scope: Scope, id: string): Promise<void>
  /** @throws NotFound */
  delete(scope: Scope, id: string): Promise<void>
  erase(tx: Transaction, scope: Scope): Promise<number>
}
const REPORT_WORK = 'faces.report'

export function createFaceReports(platform: Platform, needs: ReportNeeds): FaceReports {
  const db = platform.db
  const { engine } = needs
  const shown = createShownPairs(db, needs)

  const falseMatchOf = (whole: ReportSlice | null): CurvePoint['falseMatch'] | null =>
    whole === null || whole.impostorPairs === 0 ? null : whole.atDoor.falseMatch

  /** Return a report with its work; null where either no longer exists. */
  async function withWork<Row extends data.ReportRow>(
    scope: Scope,
    row: Row,
    again: (id: string) => Promise<Row | null>,
  ): Promise<{ row: Row; work: WorkState } | null> {
    const work = await platform.work.read(scope, row.workId)
    if (work === null) return null
    if (work.state !== 'done' || row.persons !== null) return { row, work }
    // The work finished after the row was read.
    const finished = await again(row.id)
    return finished === null ? null : { row: finished, work }
  }

  function summaryOf({ row, work }: { row: data.ReportRow; work: WorkState }): ReportSummary {
    return {
      id: row.id,
      createdAt: row.createdAt,
      modelId: row.modelId,
      work,
      persons: row.persons ?? 0,
      photos: row.photos ?? 0,
      demoPhotos: row.demoPhotos,
      genuinePairs: row.genuinePairs ?? 0,
      impostorPairs: row.impostorPairs ?? 0,
      doorScore: row.doorScore,
      falseMatch: falseMatchOf(row.whole),
      falseNonMatch: row.whole?.atDoor.falseNonMatch ?? null,
    }
  }

  async function existing(scope: Scope, id: string) {
    const row = await data.findReport(scope, db, id)
    if (row === null) throw new NotFound()
    return row
  }

  platform.work.define({ kind: REPORT_WORK, run: createReportRun(platform, needs), startsOver: true })

  return {
    async start(scope) {
      const [id, doorScore] = [newId(), await needs.doorScoreOf(scope)]
      await platform
        .transaction(async (tx) => {
          const workId = await platform.work.request(tx, scope, REPORT_WORK, { reportId: id })
          const report = { id, workId, modelId: engine.modelId, doorScore }
          await data.insertReport(scope, tx, report, platform.clock.now())
          platform.audit.note({ entity: 'faceReport', id, after: { modelId: report.modelId, doorScore: report.doorScore } })
        })
        .catch((error: unknown) => {
          // The returned work belongs to another report, which is still being made.
          if (violatedConstraint(error) === 'face_report_work') throw new Conflict([])
          throw error
        })
      return id
    },
    async list(scope, { page, size }) {
      const { content, total } = await data.listReports(scope, db, { page, size })
      const reports = await Promise.all(content.map((row) => withWork(scope, row, (id) => data.findReport(scope, db, id))))
      return { total, content: reports.filter((report) => report !== null).map(summaryOf), page, size }
    },
    async read(scope, viewer, id) {
      const report = await withWork(scope, await existing(scope, id), (reportId) => data.findReport(scope, db, reportId))
      if (report === null) throw new NotFound()
      const { row } = report
      const opened = row.closest && (await platform.crypto.open(scope.parkId, placeOf(CLOSEST_PAIRS, row.id), row.closest))
      const pairs = opened === null ? [] : (JSON.parse(opened.toString('utf8')) as KeptPair[])
      return {
        ...summaryOf(report),
        slices: row.slices ?? [],
        closest: await shown.present(scope, await shown.seen(scope, pairs), canReadPersons(viewer)),
      }
    },
    async cancel(scope, id) {
      await platform.work.cancel(scope, (await existing(scope, id)).workId)
      platform.audit.note({ entity: 'faceReport', id, before: {}, after: { state: 'cancelled' } })
    },
    async delete(scope, id) {
      await platform.work.cancel(scope, (await existing(scope, id)).workId)
      await data.deleteReport(scope, db, id)
      platform.audit.note({ entity: 'faceReport', id, before: {} })
    },
    erase: (tx, scope) => data.deleteReportsOfPark(scope, tx),
  }
}
