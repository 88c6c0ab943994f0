/** Rows of labelled captures; every function takes the scope first. */
import { columnList } from '../../platform/database/column-list.ts'
import { oneOf, timestamp, type Database } from '../../platform/database/database.ts'
import { readPage } from '../../platform/database/page.ts'
import type { Scope } from '../../platform/session/session.ts'
import type { CaptureLabel, CaptureSource } from './liveness-schema.ts'

export interface CaptureRow {
  id: string
  label: CaptureLabel
  source: CaptureSource
  score: number
  modelId: string
  recordId: string | null
  createdAt: number
}

const captureColumns = columnList(['id', 'label', 'source', 'score', 'modelId', 'recordId', 'createdAt'])

/** Store a capture, replacing the label of an earlier one of the same record; return the row as stored. */
export async function putCapture(scope: Scope, db: Database, { createdAt, ...capture }: CaptureRow): Promise<CaptureRow> {
  const row = await db
    .insertInto('livenessCapture')
    .values({
      id: capture.id,
      parkId: scope.parkId,
      label: capture.label,
      source: capture.source,
      score: capture.score,
      modelId: capture.modelId,
      recordId: capture.recordId,
      createdAt: timestamp(createdAt),
    })
    .onConflict((conflict) =>
      conflict.columns(['parkId', 'recordId']).doUpdateSet((eb) => ({
        label: eb.ref('excluded.label'),
        score: eb.ref('excluded.score'),
        modelId: eb.ref('excluded.modelId'),
        createdAt: eb.ref('excluded.createdAt'),
      })),
    )
    .returning(captureColumns)
    .executeTakeFirstOrThrow()
  return row as CaptureRow
}

/** Return a page of captures, newest first. */
export async function listCaptures(
  scope: Scope,
  db: Database,
  { label, page, size }: { label?: CaptureLabel | undefined; page: number; size: number },
) {
  let rows = db.selectFrom('livenessCapture').where('parkId', '=', scope.parkId)
  if (label !== undefined) rows = rows.where('label', '=', label)
  const { content, total } = await readPage(rows.select(captureColumns).orderBy('createdAt', 'desc').orderBy('id', 'desc'), { page, size })
  return { content: content as CaptureRow[], total }
}

/** Return labels and scores of the captures of one model. */
export function readScores(scope: Scope, db: Database, modelId: string): Promise<{ label: CaptureLabel; score: number }[]> {
  return db
    .selectFrom('livenessCapture')
    .select(['label', 'score'])
    .where('parkId', '=', scope.parkId)
    .where('modelId', '=', modelId)
    .execute()
}

/** Return the labels of passages; passages without a label are absent. */
export async function findLabels(
  scope: Scope,
  db: Database,
  recordIds: readonly string[],
): Promise<{ recordId: string; label: CaptureLabel }[]> {
  if (recordIds.length === 0) return []
  const rows = await db
    .selectFrom('livenessCapture')
    .select(['recordId', 'label'])
    .where('parkId', '=', scope.parkId)
    .where('recordId', '=', oneOf(recordIds))
    .execute()
  return rows.map(({ recordId, label }) => ({ recordId: recordId!, label }))
}

/** Return the ids of passages with this label, or with any label for null. */
export async function findLabelledRecords(scope: Scope, db: Database, label: CaptureLabel | null): Promise<string[]> {
  const rows = db.selectFrom('livenessCapture').select('recordId').where('parkId', '=', scope.parkId).where('recordId', 'is not', null)
  return (await (label === null ? rows : rows.where('label', '=', label)).execute()).map(({ recordId }) => recordId!)
}

/** Delete captures and return how many existed. */
export async function deleteCaptures(scope: Scope, db: Database, ids: readonly string[]): Promise<number> {
  const result = await db.deleteFrom('livenessCapture').where('parkId', '=', scope.parkId).where('id', '=', oneOf(ids)).executeTakeFirst()
  return Number(result.numDeletedRows)
}

export async function deleteCapturesOfPark(scope: Scope, db: Database): Promise<number> {
  const result = await db.deleteFrom('livenessCapture').where('parkId', '=', scope.parkId).executeTakeFirst()
  return Number(result.numDeletedRows)
}
