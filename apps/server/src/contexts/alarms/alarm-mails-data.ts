/** Rows of e-mails about alarms; every scoped function takes the scope first. */
import type { AlarmKind, UNSENT_REASONS } from '@gatehouse/contract/alarms/email'
import { columnList } from '../../platform/database/column-list.ts'
import { oneOf, sql, timestamp, type Database } from '../../platform/database/database.ts'
import { readPage, type Paging } from '../../platform/database/page.ts'
import { sentRows } from '../../platform/database/sent-rows.ts'
import type { Scope } from '../../platform/session/session.ts'
import { deviceIsSeen, personIsSeen } from '../../platform/session/sight.ts'
import type { MailOutcome, MailWindow } from './alarm-mail-rules.ts'

export interface NewAlarmMail {
  id: string
  alarmId: string
  kind: AlarmKind
  occurredAt: number
  notedAt: number
  key: string
  level: number
  event: string
  eventName: string
  place: string
  deviceId: string
  deviceName: string
  surveillanceName: string
  personId: string | null
}

const columns = columnList([
  'id',
  'alarmId',
  'kind',
  'occurredAt',
  'notedAt',
  'key',
  'level',
  'event',
  'eventName',
  'place',
  'deviceId',
  'deviceName',
  'surveillanceName',
  'personId',
])

const UNSENT = ['repeated', 'budget', 'level'] as const satisfies typeof UNSENT_REASONS

export async function insertAlarmMail(scope: Scope, db: Database, alarm: NewAlarmMail): Promise<void> {
  await db
    .insertInto('alarmMail')
    .values({
      ...alarm,
      parkId: scope.parkId,
      occurredAt: timestamp(alarm.occurredAt),
      notedAt: timestamp(alarm.notedAt),
      state: 'pending',
      includedAt: null,
    })
    .execute()
}

/** Return the hour that is counted, locked until the transaction ends. @param hour of a park of which none was counted */
export async function lockHour({ parkId }: Scope, db: Database, hour: number): Promise<{ hour: number; sent: number }> {
  return (
    db
      .insertInto('alarmMailHour')
      .values({ parkId, hour: timestamp(hour), sent: 0 })
      // An update that changes nothing, because a conflict that does nothing neither locks nor returns the row.
      .onConflict((conflict) => conflict.column('parkId').doUpdateSet((eb) => ({ parkId: eb.ref('excluded.parkId') })))
      .returning(['hour', 'sent'])
      .executeTakeFirstOrThrow()
  )
}

export async function updateHour({ parkId }: Scope, db: Database, { hour, sent }: { hour: number; sent: number }): Promise<void> {
  await db
    .updateTable('alarmMailHour')
    .set({ hour: timestamp(hour), sent })
    .where('parkId', '=', parkId)
    .execute()
}

/** Return whether there is an alarm that nothing was decided of. */
export async function hasPending({ parkId }: Scope, db: Database): Promise<boolean> {
  const row = await db
    .selectFrom('alarmMail')
    .select('id')
    .where('parkId', '=', parkId)
    .where('state', '=', sql.lit('pending'))
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

/** Return the oldest alarms that nothing was decided of. */
export const listPending = ({ parkId }: Scope, db: Database, limit: number) =>
  db
    .selectFrom('alarmMail')
    .select(columns)
    .where('parkId', '=', parkId)
    .where('state', '=', sql.lit('pending'))
    .orderBy('occurredAt')
    .orderBy('id')
    .limit(limit)
    .execute()
export type AlarmMailRow = Awaited<ReturnType<typeof listPending>>[number]

export const listWindows = ({ parkId }: Scope, db: Database): Promise<(MailWindow & { key: string })[]> =>
  db.selectFrom('alarmMailWindow').select(['key', 'level', 'endsAt']).where('parkId', '=', parkId).execute()

/** Write windows that are new or have another level, and delete those that have ended. */
export async function changeWindows(
  { parkId }: Scope,
  db: Database,
  { stored, ended }: { stored: readonly (MailWindow & { key: string })[]; ended: readonly string[] },
): Promise<void> {
  if (ended.length > 0)
    await sql`DELETE FROM alarm_mail_window WHERE park_id = ${parkId}::uuid AND key = ANY(${sql.val(ended)}::text[])`.execute(db)
  if (stored.length > 0) {
    const rows = stored.map(({ key, level, endsAt }) => ({ key, level, endsAt: new Date(endsAt).toISOString() }))
    await sql`
      INSERT INTO alarm_mail_window (park_id, key, level, ends_at)
      SELECT ${parkId}::uuid, key, level, ends_at FROM ${sentRows(rows, { key: 'text', level: 'smallint', endsAt: 'timestamptz' })} AS sent
      ON CONFLICT (park_id, key) DO UPDATE SET level = EXCLUDED.level, ends_at = EXCLUDED.ends_at`.execute(db)
  }
}

const waiting = ({ parkId }: Scope, db: Database) => db.selectFrom('alarmMail').where('parkId', '=', parkId).where('includedAt', 'is', null)

/** Return the repeats of these keys that no e-mail has counted, oldest first. */
export async function listRepeats(scope: Scope, db: Database, keys: readonly string[]): Promise<AlarmMailRow[]> {
  if (keys.length === 0) return []
  return waiting(scope, db)
    .select(columns)
    .where('state', '=', sql.lit('repeated'))
    .where(sql<boolean>`key = ANY(${sql.val(keys)}::text[])`)
    .orderBy('id')
    .execute()
}

/** Alarms of one key that wait for the digest. */
export interface DigestEntry extends AlarmMailRow {
  count: number
  firstAt: number
}

/** Note that all alarms that wait for the digest are in one; return them by key, the latest alarm of each, the highest level first. */
export async function takeDigest(scope: Scope, db: Database, now: number): Promise<DigestEntry[]> {
  const { rows } = await sql<DigestEntry>`
    WITH taken AS (
      UPDATE alarm_mail SET included_at = ${timestamp(now)}
       WHERE park_id = ${scope.parkId}::uuid AND state = 'budget' AND included_at IS NULL
      RETURNING *)
    SELECT DISTINCT ON (level, key) id, alarm_id, kind, occurred_at, noted_at, key, level, event, event_name, place, device_id, device_name,
           surveillance_name, person_id,
           count(*) OVER of_key AS count, min(occurred_at) OVER of_key AS first_at
      FROM taken WINDOW of_key AS (PARTITION BY level, key)
     ORDER BY level DESC, key, id DESC`.execute(db)
  return rows
}

/** Store what was decided of alarms. @param includedAt null: no e-mail has them */
export async function updateOutcome(
  { parkId }: Scope,
  db: Database,
  ids: readonly string[],
  { state, includedAt }: { state: MailOutcome; includedAt: number | null },
): Promise<void> {
  if (ids.length === 0) return
  await db
    .updateTable('alarmMail')
    .set({ state, includedAt: includedAt === null ? null : timestamp(includedAt) })
    .where('parkId', '=', parkId)
    .where('id', '=', oneOf(ids))
    .execute()
}

/** Drop what still waits to be sent: the park wants no e-mails any more. */
export async function dropWaiting({ parkId }: Scope, db: Database): Promise<void> {
  await db
    .deleteFrom('alarmMail')
    .where('parkId', '=', parkId)
    .where('includedAt', 'is', null)
    .where('state', 'in', ['pending', 'repeated', 'budget'])
    .execute()
  await db.deleteFrom('alarmMailWindow').where('parkId', '=', parkId).execute()
}

/** Return the parks for which an e-mail may be due. Unscoped: the job serves all parks. */
export async function listDueParksUnscoped(db: Database, { now, hour }: { now: number; hour: number }): Promise<string[]> {
  const { rows } = await sql<{ parkId: string }>`
    SELECT park_id FROM alarm_mail WHERE state = 'pending'
    UNION SELECT park_id FROM alarm_mail_window WHERE ends_at <= ${timestamp(now)}
    UNION SELECT park_id FROM alarm_mail_hour AS counted WHERE hour < ${timestamp(hour)} AND EXISTS (
      SELECT 1 FROM alarm_mail AS late
       WHERE late.park_id = counted.park_id AND late.state = 'budget' AND late.included_at IS NULL)`.execute(db)
  return rows.map(({ parkId }) => parkId)
}

/** List the alarms that were sent in no e-mail of their own, newest first. */
export function listUnsent(scope: Scope, db: Database, { reason, ...paging }: Paging & { reason?: (typeof UNSENT)[number] | undefined }) {
  const rows = db
    .selectFrom('alarmMail')
    .where('parkId', '=', scope.parkId)
    .where(
      'state',
      'in',
      (reason === undefined ? UNSENT : [reason]).map((state) => sql.lit(state)),
    )
    .where(deviceIsSeen(scope, 'alarmMail.deviceId'))
    .where(personIsSeen(scope, 'alarmMail.personId'))
    .select(['id', 'alarmId', 'kind', 'occurredAt as time', 'deviceName', 'surveillanceName', 'includedAt'])
    .select((eb) => eb.ref('state').$castTo<(typeof UNSENT)[number]>().as('reason'))
    .orderBy('id', 'desc')
  return readPage(rows, paging)
}

export async function countOfPersons(scope: Scope, db: Database, personIds: readonly string[]): Promise<number> {
  const { count } = await db
    .selectFrom('alarmMail')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('parkId', '=', scope.parkId)
    .where('personId', '=', oneOf(personIds))
    .executeTakeFirstOrThrow()
  return count
}

export async function deleteOfPersons(scope: Scope, db: Database, personIds: readonly string[]): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom('alarmMail')
    .where('parkId', '=', scope.parkId)
    .where('personId', '=', oneOf(personIds))
    .executeTakeFirst()
  return Number(numDeletedRows)
}

/** Delete what was noted before a moment. Unscoped: the job serves all parks. */
export async function deleteOldUnscoped(db: Database, before: number): Promise<number> {
  const { numDeletedRows } = await db.deleteFrom('alarmMail').where('notedAt', '<', timestamp(before)).executeTakeFirst()
  return Number(numDeletedRows)
}

export async function deleteMailsOfPark({ parkId }: Scope, db: Database): Promise<number> {
  await db.deleteFrom('alarmMailWindow').where('parkId', '=', parkId).execute()
  await db.deleteFrom('alarmMailHour').where('parkId', '=', parkId).execute()
  const { numDeletedRows } = await db.deleteFrom('alarmMail').where('parkId', '=', parkId).executeTakeFirst()
  return Number(numDeletedRows)
}
