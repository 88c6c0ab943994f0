/** Rows of labelled captures; every function takes the scope first. */
import { columnList } from '../../platform/database/column-list.ts'
import { oneOf, timestamp, type Database } from '../../platform/database/database.ts'
import { readPage } from '../../platform/database/page.ts'
import type { Scope } from '../../platform/session/session.ts'
import type { CaptureLabel, CaptureSource, LivenessTables } from './liveness-schema.ts'

type Db = Database<LivenessTables>

export interface CaptureRow {
  id: string
  label: CaptureLabel
  source: CaptureSource
  score: number
  modelId: string
  recordId: string | null
  createdAt: number
}

const captureColumns = columnList([
  'id',
  'label',
  'source',
  'score',
  'model_id as modelId',
  'record_id as recordId',
  'created_at as createdAt',
])

/** Keeps a capture; one of the same record is said anew. Answers the row as it is kept. */
export async function putCapture(scope: Scope, db: Db, { createdAt, ...capture }: CaptureRow): Promise<CaptureRow> {
  const row = await db
    .insertInto('liveness_capture')
    .values({
      id: capture.id,
      park_id: scope.parkId,
      label: capture.label,
      source: capture.source,
      score: capture.score,
      model_id: capture.modelId,
      record_id: capture.recordId,
      created_at: timestamp(createdAt),
    })
    .onConflict((conflict) =>
      conflict.columns(['park_id', 'record_id']).doUpdateSet((eb) => ({
        label: eb.ref('excluded.label'),
        score: eb.ref('excluded.score'),
        model_id: eb.ref('excluded.model_id'),
        created_at: eb.ref('excluded.created_at'),
      })),
    )
    .returning(captureColumns)
    .executeTakeFirstOrThrow()
  return row as CaptureRow
}

/** A page of captures, newest first. */
export async function listCaptures(
  scope: Scope,
  db: Db,
  { label, page, size }: { label?: CaptureLabel | undefined; page: number; size: number },
) {
  let rows = db.selectFrom('liveness_capture').where('park_id', '=', scope.parkId)
  if (label !== undefined) rows = rows.where('label', '=', label)
  const { content, total } = await readPage(rows.select(captureColumns).orderBy('created_at', 'desc').orderBy('id', 'desc'), { page, size })
  return { content: content as CaptureRow[], total }
}

/** What the captures of one model scored. */
export function readScores(scope: Scope, db: Db, modelId: string): Promise<{ label: CaptureLabel; score: number }[]> {
  return db
    .selectFrom('liveness_capture')
    .select(['label', 'score'])
    .where('park_id', '=', scope.parkId)
    .where('model_id', '=', modelId)
    .execute()
}

/** Labels of passages; those that have none are absent. */
export async function findLabels(scope: Scope, db: Db, recordIds: readonly string[]): Promise<{ recordId: string; label: CaptureLabel }[]> {
  if (recordIds.length === 0) return []
  const rows = await db
    .selectFrom('liveness_capture')
    .select(['record_id as recordId', 'label'])
    .where('park_id', '=', scope.parkId)
    .where('record_id', '=', oneOf(recordIds))
    .execute()
  return rows.map(({ recordId, label }) => ({ recordId: recordId!, label }))
}

/** Passages that have a label, or this one. */
export async function findLabelledRecords(scope: Scope, db: Db, label: CaptureLabel | null): Promise<string[]> {
  const rows = db
    .selectFrom('liveness_capture')
    .select('record_id as recordId')
    .where('park_id', '=', scope.parkId)
    .where('record_id', 'is not', null)
  return (await (label === null ? rows : rows.where('label', '=', label)).execute()).map(({ recordId }) => recordId!)
}

/** Answers how many there were. */
export async function deleteCaptures(scope: Scope, db: Db, ids: readonly string[]): Promise<number> {
  const result = await db.deleteFrom('liveness_capture').where('park_id', '=', scope.parkId).where('id', '=', oneOf(ids)).executeTakeFirst()
  return Number(result.numDeletedRows)
}

export async function deleteCapturesOfPark(scope: Scope, db: Db): Promise<number> {
  const result = await db.deleteFrom('liveness_capture').where('park_id', '=', scope.parkId).executeTakeFirst()
  return Number(result.numDeletedRows)
}
