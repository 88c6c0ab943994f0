/** Rows of alarms of AI boxes; every scoped function takes the scope first. */
import { LIST_OFFSET_MAX } from '@gatehouse/contract'
import { EVENT_ALARM_STATES, type AlarmTab } from '@gatehouse/contract/alarms/handling'
import { columnList } from '../../platform/database/column-list.ts'
import { oneOf, sql, timestamp, type Database } from '../../platform/database/database.ts'
import { countUpTo } from '../../platform/database/page.ts'
import { sentRows } from '../../platform/database/sent-rows.ts'
import type { Place } from '../../platform/http/newest-first.ts'
import type { Scope } from '../../platform/session/session.ts'
import { deviceIsSeen } from '../../platform/session/sight.ts'

const columns = columnList([
  'id',
  'deviceId',
  'deviceName',
  'eventTime',
  'receivedAt',
  'fileId',
  'eventType',
  'eventTypeName',
  'ipcName',
  'level',
  'status',
  'operator',
  'dealingRecord',
  'dealtAt',
  'escalatedAt',
])

export interface NewAiBoxAlarm {
  id: string
  deviceId: string
  deviceName: string
  eventId: string
  eventType: string
  eventTypeName: string
  eventTime: number
  receivedAt: number
  ipcName: string
  level: number
  fileId: string | null
  status: number
}

export interface AiBoxFilter {
  tab?: AlarmTab | undefined
  status?: number | undefined
  range?: string | undefined
  level?: number | undefined
  event?: string | undefined
  deviceId?: string | undefined
  from: number
  to: number | null
}

const seenAlarms = (scope: Scope, db: Database) =>
  db.selectFrom('aiBoxAlarm').where('parkId', '=', scope.parkId).where(deviceIsSeen(scope, 'aiBoxAlarm.deviceId'))

/** Return the id of the alarm of a device's event. */
export async function findAlarmOfEvent(scope: Scope, db: Database, deviceId: string, eventId: string): Promise<string | undefined> {
  const row = await db
    .selectFrom('aiBoxAlarm')
    .select('id')
    .where('parkId', '=', scope.parkId)
    .where('deviceId', '=', deviceId)
    .where('eventId', '=', eventId)
    .executeTakeFirst()
  return row?.id
}

/** Store an alarm; return false where the device has sent its event before. */
export async function insertAlarm(scope: Scope, db: Database, alarm: NewAiBoxAlarm): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('aiBoxAlarm')
    .values({
      ...alarm,
      parkId: scope.parkId,
      eventTime: timestamp(alarm.eventTime),
      receivedAt: timestamp(alarm.receivedAt),
      operator: '',
      dealingRecord: '',
      dealtAt: null,
    })
    .onConflict((conflict) => conflict.columns(['deviceId', 'eventId']).doNothing())
    .executeTakeFirst()
  return numInsertedOrUpdatedRows === 1n
}

/** A camera or an event that a box has told of. */
export interface AiBoxWord {
  kind: 'camera' | 'event'
  value: string
  name: string
}

/** Note what a box tells of. Rows are written again once a day: they say when the box last did. */
export async function noteWords(
  scope: Scope,
  db: Database,
  deviceId: string,
  words: readonly AiBoxWord[],
  { now, before }: { now: number; before: number },
): Promise<void> {
  await sql`
    INSERT INTO ai_box_word (park_id, device_id, kind, value, name, last_at)
    SELECT ${scope.parkId}::uuid, ${deviceId}::uuid, kind, value, name, ${timestamp(now)}
      FROM ${sentRows(words, { kind: 'text', value: 'text', name: 'text' })} AS sent
    ON CONFLICT (park_id, device_id, kind, value) DO UPDATE SET name = EXCLUDED.name, last_at = EXCLUDED.last_at
     WHERE ai_box_word.last_at < ${timestamp(before)} OR ai_box_word.name <> EXCLUDED.name`.execute(db)
}

/** Return the words of a kind that visible boxes have told of, each once, by value. */
export function listWords(scope: Scope, db: Database, kind: AiBoxWord['kind'], limit: number): Promise<{ value: string; name: string }[]> {
  return db
    .selectFrom('aiBoxWord')
    .select((eb) => ['value', eb.fn.max('name').as('name')])
    .where('parkId', '=', scope.parkId)
    .where('kind', '=', kind)
    .where(deviceIsSeen(scope, 'aiBoxWord.deviceId'))
    .groupBy('value')
    .orderBy('value')
    .limit(limit)
    .execute()
}

function filtered(scope: Scope, db: Database, { tab, status, range, level, event, deviceId, from, to }: AiBoxFilter) {
  let rows = seenAlarms(scope, db).where('eventTime', '>=', timestamp(from))
  if (to !== null) rows = rows.where('eventTime', '<=', timestamp(to))
  // Literals, so that the partial index of unhandled alarms serves the tab.
  if (tab !== undefined)
    rows = rows.where(
      'status',
      'in',
      EVENT_ALARM_STATES[tab].map((state) => sql.lit(state)),
    )
  if (status !== undefined) rows = rows.where('status', '=', status)
  if (range !== undefined && range !== '') rows = rows.where('ipcName', '=', range)
  if (level !== undefined) rows = rows.where('level', '=', level)
  if (event !== undefined && event !== '') rows = rows.where('eventType', '=', event)
  if (deviceId !== undefined) rows = rows.where('deviceId', '=', deviceId)
  return rows
}

/** Return one row more than the page has, if there is one: it says whether the list goes on. */
export function listAlarms(scope: Scope, db: Database, filter: AiBoxFilter, { after, offset, limit }: Place) {
  let rows = filtered(scope, db, filter)
  if (after !== null) rows = rows.where(sql<boolean>`(event_time, id) < (${timestamp(after.time)}, ${after.id}::uuid)`)
  return rows.select(columns).orderBy('eventTime', 'desc').orderBy('id', 'desc').limit(limit).offset(offset).execute()
}
export type AiBoxRow = Awaited<ReturnType<typeof listAlarms>>[number]

export const countAlarms = (scope: Scope, db: Database, filter: AiBoxFilter): Promise<number> =>
  countUpTo(db, filtered(scope, db, filter).select('id'), LIST_OFFSET_MAX + 1)

export const findAlarms = (scope: Scope, db: Database, ids: readonly string[]): Promise<AiBoxRow[]> =>
  seenAlarms(scope, db).select(columns).where('id', '=', oneOf(ids)).execute()

/** Return an alarm, locked until the transaction ends. */
export const lockAlarm = (scope: Scope, db: Database, id: string): Promise<AiBoxRow | undefined> =>
  seenAlarms(scope, db).select(columns).where('id', '=', id).forUpdate().executeTakeFirst()

export async function updateHandling(
  scope: Scope,
  db: Database,
  id: string,
  { dealtAt, ...handling }: { status: number; operator: string; dealingRecord: string; dealtAt: number },
): Promise<void> {
  await db
    .updateTable('aiBoxAlarm')
    .set({ ...handling, dealtAt: timestamp(dealtAt) })
    .where('parkId', '=', scope.parkId)
    .where('id', '=', id)
    .execute()
}

/** Delete the oldest alarms of before a moment. Unscoped: the job serves all parks. */
export async function deleteOldUnscoped(db: Database, before: number, limit: number): Promise<{ parkId: string; fileId: string | null }[]> {
  return db
    .deleteFrom('aiBoxAlarm')
    .where('id', 'in', (eb) =>
      eb.selectFrom('aiBoxAlarm').select('id').where('receivedAt', '<', timestamp(before)).orderBy('receivedAt').limit(limit),
    )
    .returning(['parkId', 'fileId'])
    .execute()
}

/** Delete words that no box told of since a moment. Unscoped: see above. */
export async function deleteOldWordsUnscoped(db: Database, before: number): Promise<void> {
  await db.deleteFrom('aiBoxWord').where('lastAt', '<', timestamp(before)).execute()
}

export async function deleteAlarmsOfPark(scope: Scope, db: Database): Promise<{ count: number; fileIds: string[] }> {
  await db.deleteFrom('aiBoxWord').where('parkId', '=', scope.parkId).execute()
  const rows = await db.deleteFrom('aiBoxAlarm').where('parkId', '=', scope.parkId).returning('fileId').execute()
  return { count: rows.length, fileIds: rows.flatMap(({ fileId }) => fileId ?? []) }
}
