/**
 * Captures as lists show them; every function takes the scope first. For a caller who may not see the watch list, what matched a person of
 * it looks like what matched nobody, everywhere: in rows, filters, orders and counts.
 */
import { resultOrder } from '@gatehouse/contract/enums/alarms'
import { LIST_OFFSET_MAX } from '@gatehouse/contract'
import type { RawBuilder } from 'kysely'
import { oneOf, sql, timestamp, type Database } from '../../platform/database/database.ts'
import { countUpTo } from '../../platform/database/page.ts'
import type { Place } from '../../platform/http/newest-first.ts'
import { personalPattern } from '../../platform/session/masking.ts'
import { seesWatchList, type Scope } from '../../platform/session/session.ts'
import { deviceIsSeen, personIsSeen } from '../../platform/session/sight.ts'

export interface CaptureFilter {
  list: 'captured' | 'identified'
  from: number
  /** Inclusive; null for no end. */
  to: number | null
  deviceIds?: readonly string[] | undefined
  /** Only these captures. */
  captureIds?: readonly string[] | undefined
  taskId?: string | undefined
  personId?: string | undefined
  personName?: string | undefined
  /** Groups of the persons when they were captured. */
  groupIds?: readonly string[] | undefined
  /** True: somebody was found; false: a task looked out and found nobody. */
  isMatched?: boolean | undefined
  minScore?: number | undefined
}

export interface CapturePlace extends Place {
  order: number
}

/** A row of either list; `matchId` is null where no task looked out. */
export interface CaptureRow {
  id: string
  captureId: string
  captureTime: number
  enteredAt: number
  leftAt: number
  receivedAt: number
  deviceId: string
  deviceName: string
  deviceType: number
  quality: number
  fileId: string | null
  matchId: string | null
  taskId: string | null
  taskName: string | null
  personId: string | null
  personName: string | null
  groupName: string | null
  score: number | null
  /** A person was found who does not exist for the caller. */
  hidesPerson: boolean
}

const PERSON = 'match.personId'

/** The condition that a match names a person who exists for the caller. */
const isFound = (scope: Scope): RawBuilder<boolean> => sql<boolean>`(${sql.ref(PERSON)} IS NOT NULL AND ${personIsSeen(scope, PERSON)})`

/** A column about the person of a match, null where nobody was found for the caller. */
const shown = (scope: Scope, column: string): RawBuilder<unknown> =>
  seesWatchList(scope) ? sql.ref(column) : sql`CASE WHEN ${isFound(scope)} THEN ${sql.ref(column)} END`

/** Whether a match names a person who does not exist for the caller. */
const hidesPerson = (scope: Scope): RawBuilder<boolean> =>
  seesWatchList(scope) ? sql<boolean>`false` : sql<boolean>`(${sql.ref(PERSON)} IS NOT NULL AND NOT ${personIsSeen(scope, PERSON)})`

/**
 * The condition that a capture exists for the caller: one that is kept only because a person was identified says that there is somebody,
 * to whom no such person exists either.
 */
export const captureIsSeen = (scope: Scope): RawBuilder<boolean> =>
  seesWatchList(scope)
    ? sql<boolean>`true`
    : sql<boolean>`(NOT ${sql.ref('capture.matchedOnly')} OR EXISTS (SELECT 1 FROM capture_match AS match
        WHERE match.capture_id = capture.id AND ${isFound(scope)}))`

/** Whether a filter asks something of matches. */
const asksOfMatches = ({ taskId, personId, personName = '', groupIds, minScore }: CaptureFilter): boolean =>
  personName !== '' || [taskId, personId, groupIds, minScore].some((value) => value !== undefined)

/** Return the condition of a filter for a match, without `isMatched`. */
function isMeant(scope: Scope, { taskId, personId, personName = '', groupIds, minScore }: CaptureFilter): RawBuilder<boolean> {
  const conditions: RawBuilder<boolean>[] = []
  if (taskId !== undefined) conditions.push(sql<boolean>`${sql.ref('match.taskId')} = ${taskId}::uuid`)
  if (personId !== undefined) conditions.push(sql<boolean>`${sql.ref(PERSON)} = ${personId}::uuid`)
  if (personName !== '') conditions.push(sql<boolean>`${sql.ref('match.personName')} ILIKE ${personalPattern(scope, personName)}`)
  if (groupIds !== undefined) conditions.push(sql<boolean>`${sql.ref('match.groupId')} = ${oneOf(groupIds)}`)
  if (minScore !== undefined) conditions.push(sql<boolean>`${sql.ref('match.score')} >= ${minScore}`)
  const ofPerson = conditions.length > (taskId === undefined ? 0 : 1)
  if (ofPerson) conditions.push(isFound(scope))
  return conditions.length === 0 ? sql<boolean>`true` : sql<boolean>`(${sql.join(conditions, sql` AND `)})`
}

/** Return the condition for a moment and a device of a row. */
function isWithin(scope: Scope, { from, to, deviceIds, captureIds }: CaptureFilter, table: 'capture' | 'match'): RawBuilder<boolean> {
  const time = sql.ref(`${table}.capturedAt`)
  const conditions = [sql<boolean>`${sql.ref(`${table}.parkId`)} = ${scope.parkId}::uuid`, sql<boolean>`${time} >= ${timestamp(from)}`]
  if (to !== null) conditions.push(sql<boolean>`${time} <= ${timestamp(to)}`)
  if (deviceIds !== undefined) conditions.push(sql<boolean>`${sql.ref(`${table}.deviceId`)} = ${oneOf(deviceIds)}`)
  if (captureIds !== undefined)
    conditions.push(sql<boolean>`${sql.ref(table === 'capture' ? 'capture.id' : 'match.captureId')} = ${oneOf(captureIds)}`)
  conditions.push(deviceIsSeen(scope, `${table}.deviceId`))
  return sql<boolean>`(${sql.join(conditions, sql` AND `)})`
}

/** Return the query for the identified list: one row for each capture and task. */
function identified(scope: Scope, db: Database, filter: CaptureFilter) {
  const rows = db
    .selectFrom('captureMatch as match')
    .where(isWithin(scope, filter, 'match'))
    .where(isMeant(scope, filter))
    .where(
      seesWatchList(scope)
        ? sql<boolean>`true`
        : sql<boolean>`EXISTS (SELECT 1 FROM capture WHERE capture.id = match.capture_id AND ${captureIsSeen(scope)})`,
    )
  if (filter.isMatched === undefined) return rows
  return rows.where(filter.isMatched ? isFound(scope) : sql<boolean>`NOT ${isFound(scope)}`)
}

/** Return the query for the captured list: one row for each capture. */
function captured(scope: Scope, db: Database, filter: CaptureFilter) {
  const rows = db
    .selectFrom('capture')
    .where(isWithin(scope, filter, 'capture'))
    .where(captureIsSeen(scope))
  // The window and the device stand here once more: the planner may begin with matches, which have indexes by person and by task.
  const has = (condition: RawBuilder<boolean>) => sql<boolean>`EXISTS (SELECT 1 FROM capture_match AS match
    WHERE match.capture_id = capture.id AND ${isWithin(scope, filter, 'match')} AND ${isMeant(scope, filter)} AND ${condition})`
  if (filter.isMatched === true) return rows.where(has(isFound(scope)))
  if (filter.isMatched === false) return rows.where(has(sql<boolean>`true`)).where(sql<boolean>`NOT ${has(isFound(scope))}`)
  return asksOfMatches(filter) ? rows.where(has(sql<boolean>`true`)) : rows
}

const captureColumns = [
  'capture.id as captureId',
  'capture.capturedAt as captureTime',
  'capture.enteredAt',
  'capture.leftAt',
  'capture.receivedAt',
  'capture.deviceId',
  'capture.deviceName',
  'capture.deviceType',
  'capture.quality',
  'capture.fileId',
] as const

/** Return the rows of the identified list. */
async function listIdentified(scope: Scope, db: Database, filter: CaptureFilter, place: CapturePlace): Promise<CaptureRow[]> {
  let rows = identified(scope, db, filter)
    .innerJoin('capture', 'capture.id', 'match.captureId')
    .select(captureColumns)
    .select(['match.id', 'match.id as matchId', 'match.taskId', 'match.taskName'])
    .select([
      shown(scope, 'match.personId').as('personId'),
      shown(scope, 'match.personName').as('personName'),
      shown(scope, 'match.groupName').as('groupName'),
      shown(scope, 'match.score').as('score'),
      hidesPerson(scope).as('hidesPerson'),
    ])
  if (place.after !== null) rows = rows.where(isBehind(place, 'match'))
  if (place.order === resultOrder.similarity) rows = rows.orderBy(sql`${shown(scope, 'match.score')} DESC NULLS LAST`)
  const direction = place.order === resultOrder.oldestFirst ? 'asc' : 'desc'
  const found = await rows
    .orderBy('match.capturedAt', direction)
    .orderBy('match.id', direction)
    .limit(place.limit)
    .offset(place.offset)
    .execute()
  return found as CaptureRow[]
}

/** Return the page of the captured list, most similar first; captures without a score follow, newest first. */
function pageBySimilarity(scope: Scope, db: Database, filter: CaptureFilter, { offset, limit }: CapturePlace) {
  // Few captures show somebody: their scores are found first, instead of looking for those of each capture.
  const ranked = sql<{ captureId: string; rank: number }>`(SELECT match.capture_id, max(match.score) AS rank FROM capture_match AS match
    WHERE ${isWithin(scope, filter, 'match')} AND ${isMeant(scope, filter)} AND ${isFound(scope)} GROUP BY match.capture_id)`
  return captured(scope, db, filter)
    .leftJoin(ranked.as('ranked'), (join) => join.onRef('ranked.captureId', '=', 'capture.id'))
    .select(['capture.id', 'ranked.rank'])
    .orderBy(sql`ranked.rank DESC NULLS LAST`)
    .orderBy('capture.capturedAt', 'desc')
    .orderBy('capture.id', 'desc')
    .limit(limit)
    .offset(offset)
}

/** Return the page of the captured list in an order by time. */
function pageByTime(scope: Scope, db: Database, filter: CaptureFilter, place: CapturePlace) {
  const direction = place.order === resultOrder.oldestFirst ? 'asc' : 'desc'
  let rows = captured(scope, db, filter).select(['capture.id', sql<number | null>`null::float8`.as('rank')])
  if (place.after !== null) rows = rows.where(isBehind(place, 'capture'))
  return rows.orderBy('capture.capturedAt', direction).orderBy('capture.id', direction).limit(place.limit).offset(place.offset)
}

/** Return the rows of the captured list, each with the best of its matches that the filter means. */
async function listCaptured(scope: Scope, db: Database, filter: CaptureFilter, place: CapturePlace): Promise<CaptureRow[]> {
  const best = sql<{
    matchId: string | null
    taskId: string | null
    taskName: string | null
    personId: string | null
    personName: string | null
    groupName: string | null
    score: number | null
    hidesPerson: boolean
  }>`(SELECT match.id AS match_id, match.task_id, match.task_name, ${shown(scope, 'match.personId')} AS person_id,
      ${shown(scope, 'match.personName')} AS person_name, ${shown(scope, 'match.groupName')} AS group_name,
      ${shown(scope, 'match.score')} AS score, ${hidesPerson(scope)} AS hides_person
    FROM capture_match AS match WHERE match.capture_id = capture.id AND ${isMeant(scope, filter)}
    ORDER BY ${shown(scope, 'match.score')} DESC NULLS LAST, match.id LIMIT 1)`
  const direction = place.order === resultOrder.oldestFirst ? 'asc' : 'desc'
  const page = place.order === resultOrder.similarity ? pageBySimilarity(scope, db, filter, place) : pageByTime(scope, db, filter, place)
  return db
    .selectFrom(page.as('page'))
    .innerJoin('capture', 'capture.id', 'page.id')
    .leftJoinLateral(best.as('best'), (join) => join.onTrue())
    .select(captureColumns)
    .select(['capture.id', 'best.matchId', 'best.taskId', 'best.taskName', 'best.personId', 'best.personName', 'best.groupName'])
    .select(['best.score', sql<boolean>`coalesce(best.hides_person, false)`.as('hidesPerson')])
    .orderBy(sql`page.rank DESC NULLS LAST`)
    .orderBy('capture.capturedAt', direction)
    .orderBy('capture.id', direction)
    .execute()
}

/** The condition that a row comes after the cursor of an order by time. */
function isBehind({ order, after }: CapturePlace, table: 'capture' | 'match'): RawBuilder<boolean> {
  const [time, id] = [sql.ref(`${table}.capturedAt`), sql.ref(`${table}.id`)]
  const than = sql`(${timestamp(after!.time)}, ${after!.id}::uuid)`
  return order === resultOrder.oldestFirst ? sql<boolean>`(${time}, ${id}) > ${than}` : sql<boolean>`(${time}, ${id}) < ${than}`
}

export const listCaptures = (scope: Scope, db: Database, filter: CaptureFilter, place: CapturePlace): Promise<CaptureRow[]> =>
  filter.list === 'identified' ? listIdentified(scope, db, filter, place) : listCaptured(scope, db, filter, place)

/** Return how many rows a filter has, counted up to `limit`. */
export const countCaptures = (scope: Scope, db: Database, filter: CaptureFilter, limit = LIST_OFFSET_MAX + 1): Promise<number> =>
  filter.list === 'identified'
    ? countUpTo(db, identified(scope, db, filter).select('match.id'), limit)
    : countUpTo(db, captured(scope, db, filter).select('capture.id'), limit)
