/** Captures as the search among them reads them; every function takes the scope first. */
import { oneOf, sql, timestamp, type Database } from '../../platform/database/database.ts'
import { seesWatchList, type Scope } from '../../platform/session/session.ts'
import { deviceIsSeen, personIsSeen } from '../../platform/session/sight.ts'
import { captureIsSeen } from './captures-list-data.ts'

/** Milliseconds of a day, by which captures are kept in memory. */
export const DAY_MS = 86_400_000
const HOUR_MS = 3_600_000

export interface SearchWindow {
  from: number
  /** Inclusive. */
  to: number
  deviceIds?: readonly string[] | undefined
}

/** Return the same window up to this moment, later than which nothing was captured: no date lies beyond those that can be stored. */
export const withoutFuture = <Window extends SearchWindow>(window: Window, now: number): Window => ({
  ...window,
  from: Math.min(window.from, now),
  to: Math.min(window.to, now),
})

/** Captures of one device on one day (UTC) within a window. */
export interface CountedCaptures {
  /** Days since 1970. */
  day: number
  deviceId: string
  /** All of them, and those with a template of the model. */
  captures: number
  comparable: number
}

/** Count the captures of a window that the caller may see: whole hours by what is kept of them, what is left of others one by one. */
export async function countByDay(scope: Scope, db: Database, window: SearchWindow, modelId: string): Promise<CountedCaptures[]> {
  const [from, until] = [window.from, window.to + 1]
  const [first, end] = [Math.ceil(from / HOUR_MS), Math.floor(until / HOUR_MS)]
  /** The captures of no whole hour: the window's beginning and end, or all of it. */
  const edges =
    first < end
      ? ([
          [from, first * HOUR_MS],
          [end * HOUR_MS, until],
        ] as const)
      : ([[from, until]] as const)
  const day = sql<number>`floor(extract(epoch FROM captured_at) / 86400)::integer`
  const counts: Promise<CountedCaptures[]>[] = edges
    .filter(([start, stop]) => start < stop)
    .map(([start, stop]) => {
      let rows = db
        .selectFrom('capture')
        .select([
          day.as('day'),
          'deviceId',
          sql<number>`count(*)::integer`.as('captures'),
          sql<number>`(count(*) FILTER (WHERE template IS NOT NULL AND model_id = ${modelId}))::integer`.as('comparable'),
        ])
        .where('parkId', '=', scope.parkId)
        .where('capturedAt', '>=', timestamp(start))
        .where('capturedAt', '<', timestamp(stop))
        .where(deviceIsSeen(scope, 'capture.deviceId'))
      if (window.deviceIds !== undefined) rows = rows.where('deviceId', '=', oneOf(window.deviceIds))
      return rows.groupBy([day, 'deviceId']).execute()
    })
  if (first < end) counts.push(countHours(scope, db, { first, end, deviceIds: window.deviceIds }, modelId))
  const all = Map.groupBy((await Promise.all(counts)).flat(), (row) => `${row.day}/${row.deviceId}`)
  const sumOf = (rows: readonly CountedCaptures[], of: 'captures' | 'comparable') => rows.reduce((sum, row) => sum + row[of], 0)
  return [...all.values()].map((rows) => ({ ...rows[0]!, captures: sumOf(rows, 'captures'), comparable: sumOf(rows, 'comparable') }))
}

function countHours(
  scope: Scope,
  db: Database,
  { first, end, deviceIds }: { first: number; end: number; deviceIds: readonly string[] | undefined },
  modelId: string,
): Promise<CountedCaptures[]> {
  const day = sql<number>`hour / 24`
  let rows = db
    .selectFrom('captureCount')
    .select([
      day.as('day'),
      'deviceId',
      sql<number>`sum(captures)::integer`.as('captures'),
      sql<number>`coalesce(sum(captures) FILTER (WHERE model_id = ${modelId}), 0)::integer`.as('comparable'),
    ])
    .where('parkId', '=', scope.parkId)
    .where('hour', '>=', first)
    .where('hour', '<', end)
    .where(deviceIsSeen(scope, 'captureCount.deviceId'))
  if (deviceIds !== undefined) rows = rows.where('deviceId', '=', oneOf(deviceIds))
  return rows.groupBy([day, 'deviceId']).execute()
}

/** A template as it is stored. */
export interface TemplateOfCapture {
  id: string
  capturedAt: number
  deviceId: string
  /** Sealed. */
  template: Buffer
}

const templates = (scope: Scope, db: Database, modelId: string) =>
  db
    .selectFrom('capture')
    .select(['id', 'capturedAt', 'deviceId', sql<Buffer>`template`.as('template')])
    .where('parkId', '=', scope.parkId)
    .where('modelId', '=', modelId)
    .where('template', 'is not', null)

/** Return how many captures of a day have a template of the model. */
export async function countOfDay(scope: Scope, db: Database, day: number, modelId: string): Promise<number> {
  const { count } = await templates(scope, db, modelId)
    .clearSelect()
    .select(sql<number>`count(*)::integer`.as('count'))
    .where('capturedAt', '>=', timestamp(day * DAY_MS))
    .where('capturedAt', '<', timestamp((day + 1) * DAY_MS))
    .executeTakeFirstOrThrow()
  return count
}

/** Return templates of a day in the order of their captures, whoever calls: memory holds those of everybody. */
export function readOfDay(
  scope: Scope,
  db: Database,
  day: number,
  modelId: string,
  after: Pick<TemplateOfCapture, 'id' | 'capturedAt'> | null,
  limit: number,
): Promise<TemplateOfCapture[]> {
  let rows = templates(scope, db, modelId)
    .where('capturedAt', '>=', timestamp(day * DAY_MS))
    .where('capturedAt', '<', timestamp((day + 1) * DAY_MS))
  if (after !== null) rows = rows.where(sql<boolean>`(captured_at, id) > (${timestamp(after.capturedAt)}, ${after.id}::uuid)`)
  return rows.orderBy('capturedAt').orderBy('id').limit(limit).execute()
}

/** Return the templates of these captures, whoever calls. */
export function readTemplates(scope: Scope, db: Database, ids: readonly string[], modelId: string): Promise<TemplateOfCapture[]> {
  if (ids.length === 0) return Promise.resolve([])
  return templates(scope, db, modelId).where('id', '=', oneOf(ids)).execute()
}

/** Return the capture if the caller may see it. */
export function findCapture(scope: Scope, db: Database, id: string) {
  return db
    .selectFrom('capture')
    .select(['id', 'modelId', 'template'])
    .where('parkId', '=', scope.parkId)
    .where('id', '=', id)
    .where(deviceIsSeen(scope, 'capture.deviceId'))
    .where(captureIsSeen(scope))
    .executeTakeFirst()
}

/**
 * Return the captures within these moments that a task identified as persons whom the caller may see: their ids, 16 bytes each. There may
 * be hundreds of thousands.
 */
export async function identifiedWithin(scope: Scope, db: Database, from: number, until: number): Promise<Buffer> {
  const { ids } = await db
    .selectFrom('captureMatch')
    .select(sql<Buffer | null>`string_agg(uuid_send(capture_id), ''::bytea)`.as('ids'))
    .where('parkId', '=', scope.parkId)
    .where('capturedAt', '>=', timestamp(from))
    .where('capturedAt', '<', timestamp(until))
    .where('personId', 'is not', null)
    .where(personIsSeen(scope, 'captureMatch.personId'))
    .executeTakeFirstOrThrow()
  return ids ?? Buffer.alloc(0)
}

/** Return the person that a capture was identified as with the highest score, of those whom the caller may see. */
export async function findIdentified(scope: Scope, db: Database, captureId: string): Promise<string | null> {
  const row = await db
    .selectFrom('captureMatch')
    .select('personId')
    .where('parkId', '=', scope.parkId)
    .where('captureId', '=', captureId)
    .where('personId', 'is not', null)
    .where(personIsSeen(scope, 'captureMatch.personId'))
    .orderBy('score', 'desc')
    .orderBy('id')
    .limit(1)
    .executeTakeFirst()
  return row?.personId ?? null
}

/** Return where and when these captures were made, in the order of time. */
export function findPlaces(scope: Scope, db: Database, ids: readonly string[]) {
  return db
    .selectFrom('capture')
    .select(['id', 'capturedAt', 'deviceId', 'deviceName', 'fileId'])
    .where('parkId', '=', scope.parkId)
    .where('id', '=', oneOf(ids))
    .where(captureIsSeen(scope))
    .orderBy('capturedAt')
    .orderBy('id')
    .execute()
}

/** Return how many captures of a window that have a template do not exist for the caller. */
export async function countUnseen(scope: Scope, db: Database, { from, to, deviceIds }: SearchWindow, modelId: string): Promise<number> {
  if (seesWatchList(scope)) return 0
  let rows = templates(scope, db, modelId)
    .clearSelect()
    .select(sql<number>`count(*)::integer`.as('count'))
    .where('matchedOnly', '=', true)
    .where('capturedAt', '>=', timestamp(from))
    .where('capturedAt', '<=', timestamp(to))
    .where(deviceIsSeen(scope, 'capture.deviceId'))
    .where(sql<boolean>`NOT ${captureIsSeen(scope)}`)
  if (deviceIds !== undefined) rows = rows.where('deviceId', '=', oneOf(deviceIds))
  return (await rows.executeTakeFirstOrThrow()).count
}
