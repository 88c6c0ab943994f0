/** Captures as the replay of a task reads them; every function takes the scope first. */
import { oneOf, sql, timestamp, type Database } from '../../platform/database/database.ts'
import type { Cursor } from '../../platform/http/newest-first.ts'
import type { Scope } from '../../platform/session/session.ts'
import { deviceIsSeen } from '../../platform/session/sight.ts'
import { captureIsSeen } from './captures-list-data.ts'
import type { SearchWindow, TemplateOfCapture } from './search-data.ts'

/** Return the captures of a window that have a template of the model, the earliest first. @param after the last one before them */
export function readWindow(
  scope: Scope,
  db: Database,
  { from, to, deviceIds }: Required<SearchWindow>,
  modelId: string,
  after: Cursor | null,
  limit: number,
): Promise<TemplateOfCapture[]> {
  let rows = db
    .selectFrom('capture')
    .select(['id', 'capturedAt', 'deviceId', sql<Buffer>`template`.as('template')])
    .where('parkId', '=', scope.parkId)
    .where('deviceId', '=', oneOf(deviceIds ?? []))
    .where('capturedAt', '>=', timestamp(from))
    .where('capturedAt', '<=', timestamp(to))
    .where('modelId', '=', modelId)
    .where('template', 'is not', null)
    .where(deviceIsSeen(scope, 'capture.deviceId'))
    .where(captureIsSeen(scope))
  if (after !== null) rows = rows.where(sql<boolean>`(captured_at, id) > (${timestamp(after.time)}, ${after.id}::uuid)`)
  return rows.orderBy('capturedAt').orderBy('id').limit(limit).execute()
}
