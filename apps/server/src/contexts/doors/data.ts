/** Rows of doors; every function takes the scope first. */
import type { z } from 'zod'
import type { doorCalls } from '@gatehouse/contract/doors/calls'
import { openDoorStatus } from '@gatehouse/contract/enums'
import { containing, oneOf, sql, timestamp, type Database } from '../../platform/database/database.ts'
import { readPage } from '../../platform/database/page.ts'
import type { Scope } from '../../platform/session/session.ts'
import { deviceIsSeen } from '../../platform/session/sight.ts'
import type { DoorsTables } from './schema.ts'

type Db = Database<DoorsTables>
export type RequestQuery = z.output<typeof doorCalls.requests.query>

/** Who asks. */
export interface Asker {
  userId: string
  account: string
  operator: string
}

/**
 * Takes the remote control of doors, or keeps it, as far as nobody else holds it.
 * @param deviceIds in ascending order, each once: two who take several never wait for each other
 * @returns those that were taken
 */
export async function takeHolds(
  scope: Scope,
  db: Db,
  deviceIds: readonly string[],
  { userId, operator }: Asker,
  now: number,
  until: number,
): Promise<string[]> {
  const rows = await db
    .insertInto('door_hold')
    .values(deviceIds.map((device_id) => ({ device_id, park_id: scope.parkId, user_id: userId, operator, until: timestamp(until) })))
    .onConflict((conflict) =>
      conflict
        .column('device_id')
        .doUpdateSet((eb) => ({
          user_id: eb.ref('excluded.user_id'),
          operator: eb.ref('excluded.operator'),
          until: eb.ref('excluded.until'),
        }))
        .where((eb) => eb.or([eb('door_hold.user_id', '=', userId), eb('door_hold.until', '<=', timestamp(now))])),
    )
    .returning('device_id')
    .execute()
  return rows.map((row) => row.device_id)
}

/** The same user's hold ends then, unless he has asked again since. */
export async function endHold(scope: Scope, db: Db, deviceId: string, userId: string, until: number): Promise<void> {
  const { pending } = await db
    .selectFrom('door_request')
    .select((eb) => eb.fn.countAll<number>().as('pending'))
    .where('park_id', '=', scope.parkId)
    .where('device_id', '=', deviceId)
    .where('user_id', '=', userId)
    .where('status', '=', openDoorStatus.requesting)
    .executeTakeFirstOrThrow()
  if (pending > 0) return
  await db
    .updateTable('door_hold')
    .set({ until: timestamp(until) })
    .where('device_id', '=', deviceId)
    .where('park_id', '=', scope.parkId)
    .where('user_id', '=', userId)
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
  db: Db,
  requests: readonly NewRequest[],
  { userId, account, operator }: Asker,
  now: number,
): Promise<void> {
  await db
    .insertInto('door_request')
    .values(
      requests.map(({ id, deviceId, deviceName, operateType }) => ({
        id,
        park_id: scope.parkId,
        device_id: deviceId,
        device_name: deviceName,
        user_id: userId,
        account,
        operator,
        operate_type: operateType,
        status: openDoorStatus.requesting,
        error_type: null,
        requested_at: timestamp(now),
        answered_at: null,
      })),
    )
    .execute()
}

export async function updateRequest(
  scope: Scope,
  db: Db,
  id: string,
  outcome: { status: number; errorType: number | null },
  now: number,
): Promise<void> {
  await db
    .updateTable('door_request')
    .set({ status: outcome.status, error_type: outcome.errorType, answered_at: timestamp(now) })
    .where('id', '=', id)
    .where('park_id', '=', scope.parkId)
    .where('status', '=', openDoorStatus.requesting)
    .execute()
}

export function listRequests(scope: Scope, db: Db, query: RequestQuery) {
  let rows = db.selectFrom('door_request').where('park_id', '=', scope.parkId).where(deviceIsSeen(scope, 'door_request.device_id'))
  if (query.deviceId !== undefined) rows = rows.where('device_id', '=', query.deviceId)
  if (query.operateType !== undefined) rows = rows.where('operate_type', '=', query.operateType)
  if (query.status !== undefined) rows = rows.where('status', '=', query.status)
  if (query.operator !== undefined && query.operator !== '')
    rows = rows.where((eb) =>
      eb.or([eb('operator', 'ilike', containing(query.operator!)), eb('account', 'ilike', containing(query.operator!))]),
    )
  if (query.startTime !== undefined) rows = rows.where('requested_at', '>=', timestamp(query.startTime))
  if (query.endTime !== undefined) rows = rows.where('requested_at', '<=', timestamp(query.endTime))
  return readPage(
    rows
      .select([
        'id',
        'device_id as deviceId',
        'device_name as deviceName',
        'operate_type as operateType',
        'status',
        'error_type as errorType',
        'account',
        'operator',
        'requested_at as time',
        'answered_at as answeredAt',
      ])
      .orderBy('requested_at', 'desc')
      .orderBy('id', 'desc'),
    query,
  )
}

export interface ToldState {
  deviceId: string
  state: string
  at: number
}

/** What devices told last; what is older than what is known changes nothing. */
export async function putStates(scope: Scope, db: Db, states: readonly ToldState[]): Promise<void> {
  await db
    .insertInto('door_state')
    .values(states.map(({ deviceId, state, at }) => ({ device_id: deviceId, park_id: scope.parkId, state, told: true, at: timestamp(at) })))
    .onConflict((conflict) =>
      conflict
        .column('device_id')
        .doUpdateSet((eb) => ({ state: eb.ref('excluded.state'), told: true, at: eb.ref('excluded.at') }))
        .whereRef('door_state.at', '<=', 'excluded.at'),
    )
    .execute()
}

/**
 * What an operation that succeeded left the door in, unless the device told something itself since it was asked.
 * @param passes the door leaves the state by itself: it is noted only where the device tells when
 */
export async function assumeState(
  scope: Scope,
  db: Db,
  { deviceId, state, at }: ToldState,
  { askedAt, passes }: { askedAt: number; passes: boolean },
): Promise<void> {
  await db
    .updateTable('door_state')
    .set({ state, at: timestamp(at) })
    .where('device_id', '=', deviceId)
    .where('park_id', '=', scope.parkId)
    .where('at', '<', timestamp(askedAt))
    .$if(passes, (rows) => rows.where('told', '=', true))
    .execute()
  if (passes) return
  await db
    .insertInto('door_state')
    .values({ device_id: deviceId, park_id: scope.parkId, state, told: false, at: timestamp(at) })
    .onConflict((conflict) => conflict.column('device_id').doNothing())
    .execute()
}

/** Doors of the park that are not simply closed, or that somebody holds or has asked. */
export async function findMovedIds(scope: Scope, db: Db, now: number, limit: number): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    SELECT device_id AS id FROM door_state WHERE park_id = ${scope.parkId}::uuid AND state <> 'closed' AND ${deviceIsSeen(scope, 'door_state.device_id')}
    UNION SELECT device_id FROM door_hold WHERE park_id = ${scope.parkId}::uuid AND until > ${timestamp(now)} AND ${deviceIsSeen(scope, 'door_hold.device_id')}
    UNION SELECT device_id FROM door_request WHERE park_id = ${scope.parkId}::uuid AND status = ${sql.lit(openDoorStatus.requesting)} AND ${deviceIsSeen(scope, 'door_request.device_id')}
    ORDER BY id LIMIT ${limit}`.execute(db)
  return rows.map(({ id }) => id)
}

export interface KnownDoor {
  deviceId: string
  /** What it told last; null: nothing. */
  state: string | null
  /** Who holds it. */
  userId: string | null
  operator: string | null
  until: number | null
  /** `operateType` that was asked for last and is not answered; null: none. */
  pending: number | null
}

export async function findStates(scope: Scope, db: Db, deviceIds: readonly string[], now: number): Promise<KnownDoor[]> {
  if (deviceIds.length === 0) return []
  const { rows } = await sql<KnownDoor>`
    SELECT asked.id AS "deviceId", door_state.state, door_hold.user_id AS "userId", door_hold.operator, door_hold.until,
           (SELECT operate_type FROM door_request
             WHERE device_id = asked.id AND park_id = ${scope.parkId}::uuid AND status = ${sql.lit(openDoorStatus.requesting)}
             ORDER BY requested_at DESC, id DESC LIMIT 1) AS pending
      FROM unnest(${sql.val(deviceIds)}::uuid[]) AS asked (id)
      LEFT JOIN door_state ON door_state.device_id = asked.id AND door_state.park_id = ${scope.parkId}::uuid
      LEFT JOIN door_hold ON door_hold.device_id = asked.id AND door_hold.park_id = ${scope.parkId}::uuid AND door_hold.until > ${timestamp(now)}`.execute(
    db,
  )
  return rows
}

/** Requests nobody will answer any more: whoever sent them ended meanwhile. Unscoped: whatever park they are of. */
export async function failUnansweredUnscoped(
  db: Db,
  before: number,
  errorType: number,
  now: number,
): Promise<{ parkId: string; deviceId: string }[]> {
  return db
    .updateTable('door_request')
    .set({ status: openDoorStatus.failed, error_type: errorType, answered_at: timestamp(now) })
    .where('status', '=', openDoorStatus.requesting)
    .where('requested_at', '<', timestamp(before))
    .returning(['park_id as parkId', 'device_id as deviceId'])
    .execute()
}

/** Unscoped: whatever park they are of. */
export async function deleteRequestsBeforeUnscoped(db: Db, before: number): Promise<number> {
  const result = await db.deleteFrom('door_request').where('requested_at', '<', timestamp(before)).executeTakeFirst()
  return Number(result.numDeletedRows)
}

/** What is known of doors that are gone; what was asked of them stays to be read. */
export async function deleteDoors(scope: Scope, db: Db, deviceIds: readonly string[]): Promise<void> {
  for (const table of ['door_state', 'door_hold'] as const)
    await db.deleteFrom(table).where('park_id', '=', scope.parkId).where('device_id', '=', oneOf(deviceIds)).execute()
}

export async function deleteOfPark(scope: Scope, db: Db): Promise<number> {
  for (const table of ['door_state', 'door_hold'] as const) await db.deleteFrom(table).where('park_id', '=', scope.parkId).execute()
  const result = await db.deleteFrom('door_request').where('park_id', '=', scope.parkId).executeTakeFirst()
  return Number(result.numDeletedRows)
}
