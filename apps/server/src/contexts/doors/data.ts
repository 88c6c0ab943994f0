/** Rows of doors; every scoped function takes the scope first. */
import type { z } from 'zod'
import type { doorCalls } from '@gatehouse/contract/doors/calls'
import { openDoorStatus } from '@gatehouse/contract/enums'
import { containing, oneOf, sql, timestamp, type Database } from '../../platform/database/database.ts'
import { readPage } from '../../platform/database/page.ts'
import type { Actor, Scope } from '../../platform/session/session.ts'
import { deviceIsSeen } from '../../platform/session/sight.ts'

export type RequestQuery = z.output<typeof doorCalls.requests.query>

/**
 * Lock the remote control of doors for a user, or extend the user's lock, except doors that another user has locked.
 * @param deviceIds in ascending order, each once, so that two users who lock several doors never deadlock
 * @returns the doors that were locked
 */
export async function takeHolds(
  scope: Scope,
  db: Database,
  deviceIds: readonly string[],
  { userId, operator }: Actor,
  now: number,
  until: number,
): Promise<string[]> {
  const rows = await db
    .insertInto('doorHold')
    .values(deviceIds.map((deviceId) => ({ deviceId, parkId: scope.parkId, userId, operator, until: timestamp(until) })))
    .onConflict((conflict) =>
      conflict
        .column('deviceId')
        .doUpdateSet((eb) => ({
          userId: eb.ref('excluded.userId'),
          operator: eb.ref('excluded.operator'),
          until: eb.ref('excluded.until'),
        }))
        .where((eb) => eb.or([eb('doorHold.userId', '=', userId), eb('doorHold.until', '<=', timestamp(now))])),
    )
    .returning('deviceId')
    .execute()
  return rows.map((row) => row.deviceId)
}

/** Set the end of a user's lock, unless the user has another pending request. */
export async function endHold(scope: Scope, db: Database, deviceId: string, userId: string, until: number): Promise<void> {
  const { pending } = await db
    .selectFrom('doorRequest')
    .select((eb) => eb.fn.countAll<number>().as('pending'))
    .where('parkId', '=', scope.parkId)
    .where('deviceId', '=', deviceId)
    .where('userId', '=', userId)
    .where('status', '=', openDoorStatus.requesting)
    .executeTakeFirstOrThrow()
  if (pending > 0) return
  await db
    .updateTable('doorHold')
    .set({ until: timestamp(until) })
    .where('deviceId', '=', deviceId)
    .where('parkId', '=', scope.parkId)
    .where('userId', '=', userId)
    .execute()
}

export interface NewRequest {
  id: string
  deviceId: string
  deviceName: string
  operateType: number
}

export async function insertRequests(
  scope: Scope,
  db: Database,
  requests: readonly NewRequest[],
  { userId, account, operator }: Actor,
  now: number,
): Promise<void> {
  await db
    .insertInto('doorRequest')
    .values(
      requests.map(({ id, deviceId, deviceName, operateType }) => ({
        id,
        parkId: scope.parkId,
        deviceId,
        deviceName,
        userId,
        account,
        operator,
        operateType,
        status: openDoorStatus.requesting,
        errorType: null,
        requestedAt: timestamp(now),
        answeredAt: null,
      })),
    )
    .execute()
}

export async function updateRequest(
  scope: Scope,
  db: Database,
  id: string,
  outcome: { status: number; errorType: number | null },
  now: number,
): Promise<void> {
  await db
    .updateTable('doorRequest')
    .set({ status: outcome.status, errorType: outcome.errorType, answeredAt: timestamp(now) })
    .where('id', '=', id)
    .where('parkId', '=', scope.parkId)
    .where('status', '=', openDoorStatus.requesting)
    .execute()
}

export function listRequests(scope: Scope, db: Database, query: RequestQuery) {
  let rows = db.selectFrom('doorRequest').where('parkId', '=', scope.parkId).where(deviceIsSeen(scope, 'doorRequest.deviceId'))
  if (query.deviceId !== undefined) rows = rows.where('deviceId', '=', query.deviceId)
  if (query.operateType !== undefined) rows = rows.where('operateType', '=', query.operateType)
  if (query.status !== undefined) rows = rows.where('status', '=', query.status)
  if (query.operator !== undefined && query.operator !== '')
    rows = rows.where((eb) =>
      eb.or([eb('operator', 'ilike', containing(query.operator!)), eb('account', 'ilike', containing(query.operator!))]),
    )
  if (query.startTime !== undefined) rows = rows.where('requestedAt', '>=', timestamp(query.startTime))
  if (query.endTime !== undefined) rows = rows.where('requestedAt', '<=', timestamp(query.endTime))
  return readPage(
    rows
      .select([
        'id',
        'deviceId',
        'deviceName',
        'operateType',
        'status',
        'errorType',
        'account',
        'operator',
        'requestedAt as time',
        'answeredAt',
      ])
      .orderBy('requestedAt', 'desc')
      .orderBy('id', 'desc'),
    query,
  )
}

export interface DoorStateAt {
  deviceId: string
  state: string
  at: number
}

/** Store the states devices reported last; a state older than the stored one changes nothing. */
export async function putStates(scope: Scope, db: Database, states: readonly DoorStateAt[]): Promise<void> {
  await db
    .insertInto('doorState')
    .values(states.map(({ deviceId, state, at }) => ({ deviceId, parkId: scope.parkId, state, told: true, at: timestamp(at) })))
    .onConflict((conflict) =>
      conflict
        .column('deviceId')
        .doUpdateSet((eb) => ({ state: eb.ref('excluded.state'), told: true, at: eb.ref('excluded.at') }))
        .whereRef('doorState.at', '<=', 'excluded.at'),
    )
    .execute()
}

/**
 * Store the state in which a successful operation left the door, unless a state was stored since the request.
 * @param passes the door leaves the state by itself: it is stored only if the device reports its states
 */
export async function assumeState(
  scope: Scope,
  db: Database,
  { deviceId, state, at }: DoorStateAt,
  { askedAt, passes }: { askedAt: number; passes: boolean },
): Promise<void> {
  await db
    .updateTable('doorState')
    .set({ state, at: timestamp(at) })
    .where('deviceId', '=', deviceId)
    .where('parkId', '=', scope.parkId)
    .where('at', '<', timestamp(askedAt))
    .$if(passes, (rows) => rows.where('told', '=', true))
    .execute()
  if (passes) return
  await db
    .insertInto('doorState')
    .values({ deviceId, parkId: scope.parkId, state, told: false, at: timestamp(at) })
    .onConflict((conflict) => conflict.column('deviceId').doNothing())
    .execute()
}

/** Return the doors of the park that are not simply closed, are locked, or have a pending request. */
export async function findMovedIds(scope: Scope, db: Database, now: number, limit: number): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    SELECT device_id AS id FROM door_state WHERE park_id = ${scope.parkId}::uuid AND state <> 'closed'
    AND ${deviceIsSeen(scope, 'doorState.deviceId')}
    UNION SELECT device_id FROM door_hold WHERE park_id = ${scope.parkId}::uuid AND until > ${timestamp(now)}
    AND ${deviceIsSeen(scope, 'doorHold.deviceId')}
    UNION SELECT device_id FROM door_request WHERE park_id = ${scope.parkId}::uuid AND status = ${sql.lit(openDoorStatus.requesting)}
    AND ${deviceIsSeen(scope, 'doorRequest.deviceId')}
    ORDER BY id LIMIT ${limit}`.execute(db)
  return rows.map(({ id }) => id)
}

export interface DoorRow {
  deviceId: string
  /** Last stored state, reported or assumed; null: none. */
  state: string | null
  /** Id of the user who has locked the door; null: nobody. */
  userId: string | null
  operator: string | null
  until: number | null
  /** `operateType` of the newest request without an answer; null: none. */
  pending: number | null
}

export async function findStates(scope: Scope, db: Database, deviceIds: readonly string[], now: number): Promise<DoorRow[]> {
  if (deviceIds.length === 0) return []
  const { rows } = await sql<DoorRow>`
    SELECT asked.id AS "deviceId", door_state.state, door_hold.user_id AS "userId", door_hold.operator, door_hold.until,
           (SELECT operate_type FROM door_request
             WHERE device_id = asked.id AND park_id = ${scope.parkId}::uuid AND status = ${sql.lit(openDoorStatus.requesting)}
             ORDER BY requested_at DESC, id DESC LIMIT 1) AS pending
      FROM unnest(${sql.val(deviceIds)}::uuid[]) AS asked (id)
      LEFT JOIN door_state ON door_state.device_id = asked.id AND door_state.park_id = ${scope.parkId}::uuid
      LEFT JOIN door_hold ON door_hold.device_id = asked.id AND door_hold.park_id = ${scope.parkId}::uuid
      AND door_hold.until > ${timestamp(now)}`.execute(db)
  return rows
}

/** End requests that will get no answer, since the server that sent them stopped. Unscoped: covers all parks. */
export async function failUnansweredUnscoped(
  db: Database,
  before: number,
  errorType: number,
  now: number,
): Promise<{ parkId: string; deviceId: string }[]> {
  return db
    .updateTable('doorRequest')
    .set({ status: openDoorStatus.failed, errorType, answeredAt: timestamp(now) })
    .where('status', '=', openDoorStatus.requesting)
    .where('requestedAt', '<', timestamp(before))
    .returning(['parkId', 'deviceId'])
    .execute()
}

/** Unscoped: covers all parks. */
export async function deleteRequestsBeforeUnscoped(db: Database, before: number): Promise<number> {
  const result = await db.deleteFrom('doorRequest').where('requestedAt', '<', timestamp(before)).executeTakeFirst()
  return Number(result.numDeletedRows)
}

/** Delete the states and locks of deleted doors; their requests stay readable. */
export async function deleteDoors(scope: Scope, db: Database, deviceIds: readonly string[]): Promise<void> {
  for (const table of ['doorState', 'doorHold'] as const)
    await db.deleteFrom(table).where('parkId', '=', scope.parkId).where('deviceId', '=', oneOf(deviceIds)).execute()
}

export async function deleteOfPark(scope: Scope, db: Database): Promise<number> {
  for (const table of ['doorState', 'doorHold'] as const) await db.deleteFrom(table).where('parkId', '=', scope.parkId).execute()
  const result = await db.deleteFrom('doorRequest').where('parkId', '=', scope.parkId).executeTakeFirst()
  return Number(result.numDeletedRows)
}
