/** Rows of alerts of resources; every function takes the scope first. */
import { alarmHandlingStatusAlt } from '@gatehouse/contract/enums/alarms'
import type { ResourceKind } from '@gatehouse/contract/maintenance/resources'
import { columnList } from '../../platform/database/column-list.ts'
import { oneOf, sql, timestamp, type Database } from '../../platform/database/database.ts'
import { newId } from '../../platform/database/ids.ts'
import { readPage, type Paging } from '../../platform/database/page.ts'
import type { Scope } from '../../platform/session/session.ts'
import { deviceIsSeen } from '../../platform/session/sight.ts'

export interface AlertQuery extends Paging {
  deviceId?: string | undefined
  /** Whether it lasts. */
  open?: boolean | undefined
  kind?: ResourceKind | undefined
  statuses?: readonly number[] | undefined
  /** Raised from and until these moments, both inclusive. */
  from?: number | undefined
  to?: number | undefined
}

/** Alerts that nobody has handled in time. */
export interface OverdueAlerts {
  /** Raised from and until these moments. */
  since: number
  until: number
  kinds: readonly ResourceKind[]
  limit: number
}

const columns = columnList([
  'id',
  'deviceId',
  'kind',
  'value',
  'threshold',
  'raisedAt',
  'clearedAt',
  'status',
  'operator',
  'dealingRecord',
  'dealtAt',
  'escalatedAt',
])

// As literals, so that the planner knows the partial indexes fit.
const isUnhandled = sql<boolean>`(device_resource_alert.status = ${sql.lit(alarmHandlingStatusAlt.unhandled)})`
const statusIsIn = (statuses: readonly number[]) =>
  statuses.length === 0 ? sql<boolean>`false` : sql<boolean>`status IN (${sql.join(statuses.map((status) => sql.lit(status)))})`

/** Raise an alert; null if it is already open. */
export async function raiseAlert(
  scope: Scope,
  db: Database,
  alert: { deviceId: string; kind: ResourceKind; value: number; threshold: number },
  now: number,
): Promise<string | null> {
  const row = await db
    .insertInto('deviceResourceAlert')
    .values({
      id: newId(),
      parkId: scope.parkId,
      deviceId: alert.deviceId,
      kind: alert.kind,
      value: alert.value,
      threshold: alert.threshold,
      raisedAt: timestamp(now),
      clearedAt: null,
      status: alarmHandlingStatusAlt.unhandled,
      operator: '',
      dealingRecord: '',
      dealtAt: null,
      escalatedAt: null,
    })
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst()
  return row?.id ?? null
}

/** End the alerts of a device except those of the named kinds. @returns those that have ended now */
export const clearAlerts = (scope: Scope, db: Database, deviceId: string, but: readonly ResourceKind[], now: number) =>
  db
    .updateTable('deviceResourceAlert')
    .set({ clearedAt: timestamp(now) })
    .where('parkId', '=', scope.parkId)
    .where('deviceId', '=', deviceId)
    .where('clearedAt', 'is', null)
    .$if(but.length > 0, (rows) => rows.where('kind', 'not in', but))
    .returning(['id', 'kind'])
    .execute()

export const findOpenAlerts = (scope: Scope, db: Database, deviceId: string) =>
  db
    .selectFrom('deviceResourceAlert')
    .select(columns)
    .where('parkId', '=', scope.parkId)
    .where('deviceId', '=', deviceId)
    .where('clearedAt', 'is', null)
    .orderBy('raisedAt')
    .orderBy('id')
    .execute()
export type AlertRow = Awaited<ReturnType<typeof findOpenAlerts>>[number]

export function listAlerts(scope: Scope, db: Database, query: AlertQuery) {
  let rows = db
    .selectFrom('deviceResourceAlert')
    .where('parkId', '=', scope.parkId)
    .where(deviceIsSeen(scope, 'deviceResourceAlert.deviceId'))
  if (query.deviceId !== undefined) rows = rows.where('deviceId', '=', query.deviceId)
  if (query.open !== undefined) rows = rows.where('clearedAt', query.open ? 'is' : 'is not', null)
  if (query.statuses !== undefined) rows = rows.where(statusIsIn(query.statuses))
  if (query.kind !== undefined) rows = rows.where('kind', '=', query.kind)
  if (query.from !== undefined) rows = rows.where('raisedAt', '>=', timestamp(query.from))
  if (query.to !== undefined) rows = rows.where('raisedAt', '<=', timestamp(query.to))
  return readPage(rows.select(columns).orderBy('raisedAt', 'desc').orderBy('id', 'desc'), query)
}

/** Return those of these alerts that the scope sees. */
export const findAlerts = (scope: Scope, db: Database, ids: readonly string[]): Promise<AlertRow[]> =>
  db
    .selectFrom('deviceResourceAlert')
    .select(columns)
    .where('parkId', '=', scope.parkId)
    .where('id', '=', oneOf(ids))
    .where(deviceIsSeen(scope, 'deviceResourceAlert.deviceId'))
    .execute()

/** Lock an alert until the transaction ends, and return it; undefined where the scope sees none. */
export const lockAlert = (scope: Scope, db: Database, id: string): Promise<AlertRow | undefined> =>
  db
    .selectFrom('deviceResourceAlert')
    .select(columns)
    .where('parkId', '=', scope.parkId)
    .where('id', '=', id)
    .where(deviceIsSeen(scope, 'deviceResourceAlert.deviceId'))
    .forUpdate()
    .executeTakeFirst()

export async function handleAlert(
  scope: Scope,
  db: Database,
  id: string,
  handled: { status: 2 | 3; operator: string; dealingRecord: string },
  now: number,
): Promise<void> {
  await db
    .updateTable('deviceResourceAlert')
    .set({ ...handled, dealtAt: timestamp(now) })
    .where('parkId', '=', scope.parkId)
    .where('id', '=', id)
    .execute()
}

/** Return the alerts that last, that nobody has handled and that were not escalated yet, earliest first. */
export const findOverdueAlerts = (scope: Scope, db: Database, { since, until, kinds, limit }: OverdueAlerts) =>
  db
    .selectFrom('deviceResourceAlert')
    .select(columns)
    .where('parkId', '=', scope.parkId)
    .where(isUnhandled)
    .where('escalatedAt', 'is', null)
    .where('clearedAt', 'is', null)
    .where('kind', 'in', kinds)
    .where('raisedAt', '>=', timestamp(since))
    .where('raisedAt', '<=', timestamp(until))
    .orderBy('raisedAt')
    .orderBy('id')
    .limit(limit)
    .execute()

/** Mark alerts as escalated; return those that lasted, that nobody had handled and that were not marked yet. */
export const markAlertsEscalated = (scope: Scope, db: Database, ids: readonly string[], now: number) =>
  db
    .updateTable('deviceResourceAlert')
    .set({ escalatedAt: timestamp(now) })
    .where('parkId', '=', scope.parkId)
    .where('id', '=', oneOf(ids))
    .where(isUnhandled)
    .where('escalatedAt', 'is', null)
    .where('clearedAt', 'is', null)
    .returning(['id', 'deviceId', 'kind'])
    .execute()

/** Delete some of the alerts raised before a moment that were handled and are over. @returns how many */
export async function deleteHandledAlerts(scope: Scope, db: Database, before: number, limit: number): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom('deviceResourceAlert')
    .where('id', 'in', (eb) =>
      eb
        .selectFrom('deviceResourceAlert')
        .select('id')
        .where('parkId', '=', scope.parkId)
        .where('status', '<>', alarmHandlingStatusAlt.unhandled)
        .where('clearedAt', 'is not', null)
        .where('raisedAt', '<', timestamp(before))
        .orderBy('raisedAt')
        .limit(limit),
    )
    .executeTakeFirst()
  return Number(numDeletedRows)
}
