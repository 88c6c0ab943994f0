/** Rows of alarms that passages raise; every function takes the scope first. */
import { LIST_OFFSET_MAX } from '@gatehouse/contract'
import { alarmHandlingStatus, alarmHandlingStatusAlt } from '@gatehouse/contract/enums'
import { columnList } from '../../platform/database/column-list.ts'
import { oneOf, sql, timestamp, type Database } from '../../platform/database/database.ts'
import { newId } from '../../platform/database/ids.ts'
import { countUpTo } from '../../platform/database/page.ts'
import type { Place } from '../../platform/http/newest-first.ts'
import { personalPattern } from '../../platform/session/masking.ts'
import { seesWatchList, type Scope } from '../../platform/session/session.ts'
import { deviceIsSeen, personIsSeen } from '../../platform/session/sight.ts'
import { PERSONS } from '../people/index.ts'
import { LONG_AGO, type OverdueQuery } from './kinds.ts'
import type { PassageAlarmKind } from './passage-alarms-schema.ts'

const columns = columnList([
  'id',
  'kind',
  'level',
  'occurredAt as time',
  'lastOccurredAt as lastTime',
  'raisedAt',
  'passages as count',
  'deviceId',
  'deviceName',
  'recordId',
  'recordAt',
  'personId',
  'personName',
  'temperature',
  'temperatureStatus',
  'status',
  'operator',
  'dealingRecord',
  'dealtAt',
  'escalatedAt',
  'version',
])

export interface PassageAlarmFilter {
  /** Whether alarms about rules, or about temperatures. */
  about: 'rules' | 'temperatures'
  from: number
  /** Inclusive; null for no end. */
  to: number | null
  statuses: readonly number[] | null
  kind?: PassageAlarmKind | undefined
  level?: number | undefined
  temperatureStatus?: number | undefined
  deviceId?: string | undefined
  personName?: string | undefined
}

/** A passage that begins an alarm. */
export interface NewPassageAlarm {
  kind: PassageAlarmKind
  level: number
  /** By the clock of the device set right; `recordAt` is the same by that clock. */
  time: number
  lastTime: number
  deviceId: string
  deviceName: string
  recordId: string
  recordAt: number
  personId: string | null
  personName: string
  temperature: number | null
  temperatureStatus: number | null
}

const TEMPERATURE: PassageAlarmKind = 'temperature'
/** States in which nobody has begun to deal with an alarm. */
const UNDEALT = { rules: alarmHandlingStatusAlt.unhandled, temperatures: alarmHandlingStatus.undealt } as const
export const undealtOf = (kind: PassageAlarmKind): number => (kind === TEMPERATURE ? UNDEALT.temperatures : UNDEALT.rules)

/** Return the query for the alarms that the scope sees. */
function seen(scope: Scope, db: Database) {
  const rows = db
    .selectFrom('passageAlarm')
    .where('parkId', '=', scope.parkId)
    .where(deviceIsSeen(scope, 'passageAlarm.deviceId'))
    .where(personIsSeen(scope, 'passageAlarm.personId'))
  return seesWatchList(scope) ? rows : rows.where('kind', '<>', 'watchList')
}

/** The state of an alarm is one of these; of none where there are none. */
const isOneOf = (statuses: readonly number[]) => sql<boolean>`passage_alarm.status = ANY(${sql.val(statuses)}::smallint[])`

function filtered(scope: Scope, db: Database, filter: PassageAlarmFilter) {
  let rows = seen(scope, db)
    .where('kind', filter.about === 'rules' ? '<>' : '=', TEMPERATURE)
    .where('occurredAt', '>=', timestamp(filter.from))
  if (filter.to !== null) rows = rows.where('occurredAt', '<=', timestamp(filter.to))
  if (filter.statuses !== null) rows = rows.where(isOneOf(filter.statuses))
  if (filter.kind !== undefined) rows = rows.where('kind', '=', filter.kind)
  if (filter.level !== undefined) rows = rows.where('level', '=', filter.level)
  if (filter.temperatureStatus !== undefined) rows = rows.where('temperatureStatus', '=', filter.temperatureStatus)
  if (filter.deviceId !== undefined) rows = rows.where('deviceId', '=', filter.deviceId)
  if (filter.personName !== undefined && filter.personName !== '')
    rows = rows.where('personName', 'ilike', personalPattern(scope, filter.personName))
  return rows
}

/** Return at most `limit` alarms after the cursor; without a cursor, from the offset on. */
export function listAlarms(scope: Scope, db: Database, filter: PassageAlarmFilter, { after, offset, limit }: Place) {
  let rows = filtered(scope, db, filter)
  if (after !== null) rows = rows.where(sql<boolean>`(occurred_at, id) < (${timestamp(after.time)}, ${after.id}::uuid)`)
  return rows.select(columns).orderBy('occurredAt', 'desc').orderBy('id', 'desc').limit(limit).offset(offset).execute()
}

export const countAlarms = (scope: Scope, db: Database, filter: PassageAlarmFilter): Promise<number> =>
  countUpTo(db, filtered(scope, db, filter).select('id'), LIST_OFFSET_MAX + 1)

/** Return the named alarms that the scope sees, in no order. */
export const findAlarms = (scope: Scope, db: Database, ids: readonly string[]) =>
  seen(scope, db).select(columns).where('id', '=', oneOf(ids)).execute()
export type PassageAlarmRow = Awaited<ReturnType<typeof findAlarms>>[number]

/** Return an alarm that the scope sees, locked until the transaction ends. */
export const lockAlarm = (scope: Scope, db: Database, about: PassageAlarmFilter['about'], id: string) =>
  seen(scope, db)
    .select(columns)
    .where('id', '=', id)
    .where('kind', about === 'rules' ? '<>' : '=', TEMPERATURE)
    .forUpdate()
    .executeTakeFirst()

/** A passage that a running alarm may count. */
export interface Counted {
  kind: PassageAlarmKind
  deviceId: string
  personId: string | null
  /** By the clock of the device set right. */
  time: number
}

/** Return the alarm that counts a passage: of the same kind, person and door, not dealt with, and at most `within` milliseconds apart. */
export function findRunning(scope: Scope, db: Database, { kind, deviceId, personId, time }: Counted, within: number) {
  return db
    .selectFrom('passageAlarm')
    .select('id')
    .where('parkId', '=', scope.parkId)
    .where('deviceId', '=', deviceId)
    .where('kind', '=', kind)
    .where('personId', 'is not distinct from', personId)
    .where('dealtAt', 'is', null)
    .where('lastOccurredAt', '>=', timestamp(time - within))
    .where('occurredAt', '<=', timestamp(time + within))
    .orderBy('lastOccurredAt', 'desc')
    .limit(1)
    .executeTakeFirst()
}

/** Return those of these records that an alarm of the kind has counted. */
export async function findCounted(scope: Scope, db: Database, kind: PassageAlarmKind, recordIds: readonly string[]): Promise<Set<string>> {
  const rows = await db
    .selectFrom('passageAlarmRecord')
    .select('recordId')
    .where('parkId', '=', scope.parkId)
    .where('kind', '=', kind)
    .where('recordId', '=', oneOf(recordIds))
    .execute()
  return new Set(rows.map(({ recordId }) => recordId))
}

/** Note the records of an alarm; return how many were not noted for an alarm of the kind before. */
export async function noteRecords(
  scope: Scope,
  db: Database,
  alarm: { id: string; kind: PassageAlarmKind },
  recordIds: readonly string[],
): Promise<number> {
  const rows = await db
    .insertInto('passageAlarmRecord')
    .values(recordIds.map((recordId) => ({ recordId, kind: alarm.kind, parkId: scope.parkId, alarmId: alarm.id })))
    .onConflict((conflict) => conflict.doNothing())
    .returning('recordId')
    .execute()
  return rows.length
}

/** Count one more passage; false where the alarm was dealt with meanwhile. */
export async function countPassage(scope: Scope, db: Database, id: string, time: number, now: number): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('passageAlarm')
    .set({
      passages: sql<number>`passages + 1`,
      lastOccurredAt: sql<number>`greatest(last_occurred_at, ${timestamp(time)})`,
      updatedAt: timestamp(now),
    })
    .where('parkId', '=', scope.parkId)
    .where('id', '=', id)
    .where('dealtAt', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

export async function insertAlarm(
  scope: Scope,
  db: Database,
  { id, passages, ...alarm }: NewPassageAlarm & { id: string; passages: number },
  now: number,
): Promise<void> {
  const { time, lastTime, recordAt, ...others } = alarm
  await db
    .insertInto('passageAlarm')
    .values({
      ...others,
      id,
      parkId: scope.parkId,
      occurredAt: timestamp(time),
      lastOccurredAt: timestamp(lastTime),
      recordAt: timestamp(recordAt),
      raisedAt: timestamp(now),
      updatedAt: timestamp(now),
      passages,
      status: undealtOf(alarm.kind),
    })
    .execute()
}

/**
 * Whether a person is registered, in this park or a linked one; their row is locked until the transaction ends, so that an erasure finds
 * what it stores.
 */
export async function lockRegisteredUnscoped(db: Database, personId: string): Promise<boolean> {
  const { rows } = await sql`SELECT person.id FROM ${PERSONS} WHERE person.id = ${personId} FOR KEY SHARE`.execute(db)
  return rows.length > 0
}

/** A step of an alarm's handling. */
export interface Step {
  status: number
  operator: string
  record: string
}

/** Store the handling of an alarm, its last step in its own row. */
export async function dealWith(scope: Scope, db: Database, id: string, steps: readonly Step[], now: number): Promise<void> {
  const last = steps.at(-1)!
  await db
    .updateTable('passageAlarm')
    .set({
      status: last.status,
      operator: last.operator,
      dealingRecord: last.record,
      dealtAt: timestamp(now),
      updatedAt: timestamp(now),
      version: sql<number>`version + 1`,
    })
    .where('parkId', '=', scope.parkId)
    .where('id', '=', id)
    .execute()
  await db
    .insertInto('passageAlarmStep')
    .values(steps.map((step) => ({ id: newId(), alarmId: id, parkId: scope.parkId, at: timestamp(now), ...step })))
    .execute()
}

/** Return the steps of these alarms, earliest first. */
export const findSteps = (scope: Scope, db: Database, alarmIds: readonly string[]) =>
  db
    .selectFrom('passageAlarmStep')
    .select(['alarmId', 'status', 'operator', 'at as time', 'record'])
    .where('parkId', '=', scope.parkId)
    .where('alarmId', '=', oneOf(alarmIds))
    .orderBy('at')
    .orderBy('status')
    .execute()

/** Return the alarms nobody has begun to deal with, earliest first, that were not escalated yet. */
export const findOverdue = (
  scope: Scope,
  db: Database,
  about: PassageAlarmFilter['about'],
  { until, since, minLevel, limit }: OverdueQuery,
) =>
  db
    .selectFrom('passageAlarm')
    .select(columns)
    .where('parkId', '=', scope.parkId)
    .where('kind', about === 'rules' ? '<>' : '=', TEMPERATURE)
    .where('dealtAt', 'is', null)
    .where('escalatedAt', 'is', null)
    .where('raisedAt', '<=', timestamp(until))
    .where('raisedAt', '>=', timestamp(since))
    .where('level', '>=', minLevel)
    .where(sql<boolean>`passage_alarm.occurred_at >= passage_alarm.raised_at - ${LONG_AGO}`)
    .orderBy('raisedAt')
    .orderBy('id')
    .limit(limit)
    .execute()

/** Mark alarms as escalated; return the ids of those that nobody had dealt with and that were not marked yet. */
export async function markEscalated(scope: Scope, db: Database, ids: readonly string[], now: number): Promise<string[]> {
  const rows = await db
    .updateTable('passageAlarm')
    .set({ escalatedAt: timestamp(now), updatedAt: timestamp(now) })
    .where('parkId', '=', scope.parkId)
    .where('id', '=', oneOf(ids))
    .where('dealtAt', 'is', null)
    .where('escalatedAt', 'is', null)
    .returning('id')
    .execute()
  return rows.map(({ id }) => id)
}

/** Return how many alarms name these persons. Unscoped: persons of linked parks raise alarms there, and ids are unique. */
export async function countOfPersonsUnscoped(db: Database, personIds: readonly string[]): Promise<number> {
  const { total } = await db
    .selectFrom('passageAlarm')
    .select((eb) => eb.fn.countAll<number>().as('total'))
    .where('personId', '=', oneOf(personIds))
    .executeTakeFirstOrThrow()
  return total
}

/** Delete the alarms that name these persons, in all parks for the same reason; return how many. */
export async function deleteOfPersonsUnscoped(db: Database, personIds: readonly string[], kind?: PassageAlarmKind): Promise<number> {
  const rows = db.deleteFrom('passageAlarm').where('personId', '=', oneOf(personIds))
  const { numDeletedRows } = await (kind === undefined ? rows : rows.where('kind', '=', kind)).executeTakeFirst()
  return Number(numDeletedRows)
}

/** Delete the alarms from before a moment, of all parks; return how many. */
export async function deleteBeforeUnscoped(db: Database, before: number): Promise<number> {
  const { numDeletedRows } = await db.deleteFrom('passageAlarm').where('occurredAt', '<', timestamp(before)).executeTakeFirst()
  return Number(numDeletedRows)
}

export async function deleteOfPark(scope: Scope, db: Database): Promise<number> {
  const { numDeletedRows } = await db.deleteFrom('passageAlarm').where('parkId', '=', scope.parkId).executeTakeFirst()
  return Number(numDeletedRows)
}
