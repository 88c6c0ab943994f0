/** Rows of captures and of what tasks made of them, as they are stored; every function takes the scope first. */
import { PERSONS } from '../people/index.ts'
import { oneOf, sql, timestamp, type Database } from '../../platform/database/database.ts'
import { sentRows } from '../../platform/database/sent-rows.ts'
import type { Scope } from '../../platform/session/session.ts'

/** Times in epoch milliseconds. */
export interface NewCapture {
  id: string
  deviceId: string
  deviceName: string
  deviceType: number
  enteredAt: number
  capturedAt: number
  leftAt: number
  receivedAt: number
  quality: number
  faceWidth: number
  modelId: string | null
  /** Sealed. */
  template: Buffer | null
  fileId: string | null
  comparedAt: number | null
}

/** A capture that is stored, as its camera is set. */
export interface KeptCapture extends NewCapture {
  /** Null: as long as all captures. */
  keptUntil: number | null
  /** It is kept only because a task identified a person. */
  matchedOnly: boolean
}

export interface NewMatch {
  id: string
  captureId: string
  capturedAt: number
  deviceId: string
  taskId: string
  taskName: string
  personId: string | null
  personName: string
  groupId: string | null
  groupName: string
  score: number | null
}

const iso = (moment: number | null): string | null => (moment === null ? null : new Date(moment).toISOString())

/**
 * Let the captures of each of these devices be stored one after the other until the transaction ends: alarms count those before. They are
 * locked in one order.
 */
export async function lockCameras(_scope: Scope, db: Database, deviceIds: readonly string[]): Promise<void> {
  await sql`SELECT pg_advisory_xact_lock(7140071, number)
    FROM (SELECT DISTINCT hashtext(id) AS number FROM unnest(${sql.val(deviceIds)}::text[]) AS id ORDER BY number) AS ordered`.execute(db)
}

/** Insert the captures that do not exist yet; return their ids. */
export async function insertCaptures({ parkId }: Scope, db: Database, captures: readonly KeptCapture[]): Promise<Set<string>> {
  if (captures.length === 0) return new Set()
  const rows = captures.map((row) => ({
    ...row,
    enteredAt: iso(row.enteredAt),
    capturedAt: iso(row.capturedAt),
    leftAt: iso(row.leftAt),
    receivedAt: iso(row.receivedAt),
    comparedAt: iso(row.comparedAt),
    keptUntil: iso(row.keptUntil),
    template: row.template?.toString('base64') ?? null,
  }))
  const sent = sentRows(rows, {
    id: 'uuid',
    deviceId: 'uuid',
    deviceName: 'text',
    deviceType: 'smallint',
    enteredAt: 'timestamptz',
    capturedAt: 'timestamptz',
    leftAt: 'timestamptz',
    receivedAt: 'timestamptz',
    quality: 'double precision',
    faceWidth: 'integer',
    modelId: 'text',
    template: 'text',
    fileId: 'uuid',
    comparedAt: 'timestamptz',
    keptUntil: 'timestamptz',
    matchedOnly: 'boolean',
  })
  const { rows: inserted } = await sql<{ id: string }>`
    INSERT INTO capture (id, park_id, device_id, device_name, device_type, entered_at, captured_at, left_at, received_at, quality,
      face_width, model_id, template, file_id, compared_at, kept_until, matched_only)
    SELECT id, ${parkId}::uuid, device_id, device_name, device_type, entered_at, captured_at, left_at, received_at, quality,
      face_width, model_id, decode(template, 'base64'), file_id, compared_at, kept_until, matched_only
    FROM ${sent} AS sent ON CONFLICT (id) DO NOTHING RETURNING id`.execute(db)
  return new Set(inserted.map(({ id }) => id))
}

/** Insert what tasks made of captures. */
export async function insertMatches({ parkId }: Scope, db: Database, matches: readonly NewMatch[]): Promise<void> {
  if (matches.length === 0) return
  const sent = sentRows(
    matches.map((match) => ({ ...match, capturedAt: iso(match.capturedAt) })),
    {
      id: 'uuid',
      captureId: 'uuid',
      capturedAt: 'timestamptz',
      deviceId: 'uuid',
      taskId: 'uuid',
      taskName: 'text',
      personId: 'uuid',
      personName: 'text',
      groupId: 'uuid',
      groupName: 'text',
      score: 'double precision',
    },
  )
  await sql`
    INSERT INTO capture_match (id, capture_id, park_id, captured_at, device_id, task_id, task_name, person_id, person_name, group_id,
      group_name, score)
    SELECT id, capture_id, ${parkId}::uuid, captured_at, device_id, task_id, task_name, person_id, person_name, group_id, group_name, score
    FROM ${sent} AS sent ON CONFLICT (id) DO NOTHING`.execute(db)
}

/**
 * Return those of these persons who exist, and keep them from being deleted until the transaction ends: whoever deletes them afterwards
 * finds what names them. They are locked in one order.
 */
export async function holdPersons({ parkId }: Scope, db: Database, ids: readonly string[]): Promise<Set<string>> {
  if (ids.length === 0) return new Set()
  const { rows } = await sql<{ id: string }>`
    SELECT person.id FROM ${PERSONS} WHERE person.park_id = ${parkId} AND person.id = ${oneOf(ids)}
    ORDER BY person.id FOR KEY SHARE OF person`.execute(db)
  return new Set(rows.map(({ id }) => id))
}

/** Return a capture of a device; undefined where there is none. */
export function findCaptureOfDevice(scope: Scope, db: Database, deviceId: string, id: string) {
  return db
    .selectFrom('capture')
    .select(['id', 'deviceId', 'deviceName', 'deviceType', 'capturedAt', 'receivedAt', 'modelId', 'fileId', 'comparedAt'])
    .where('parkId', '=', scope.parkId)
    .where('deviceId', '=', deviceId)
    .where('id', '=', id)
    .executeTakeFirst()
}
export type StoredCapture = NonNullable<Awaited<ReturnType<typeof findCaptureOfDevice>>>

/**
 * Note the picture of a capture that has none yet, and the template that was made of it.
 * @param made null: the template stays as it is
 * @returns false where the capture has a picture already, or exists no more
 */
export async function addPicture(
  scope: Scope,
  db: Database,
  id: string,
  fileId: string,
  made: { modelId: string; template: Buffer; comparedAt: number } | null,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('capture')
    .set({
      fileId,
      ...(made !== null && { modelId: made.modelId, template: made.template, comparedAt: timestamp(made.comparedAt) }),
    })
    .where('parkId', '=', scope.parkId)
    .where('id', '=', id)
    .where('fileId', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** Return how many captures a posted picture made; undefined where it was not taken yet. */
export async function findPosted(scope: Scope, db: Database, deviceId: string, eventId: string): Promise<number | undefined> {
  const row = await db
    .selectFrom('postedCapture')
    .select('captures')
    .where('parkId', '=', scope.parkId)
    .where('deviceId', '=', deviceId)
    .where('eventId', '=', eventId)
    .executeTakeFirst()
  return row?.captures
}

/** Note that a posted picture was taken; false where it was before. */
export async function insertPosted(
  scope: Scope,
  db: Database,
  posted: { deviceId: string; eventId: string; captures: number },
  now: number,
): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('postedCapture')
    .values({ ...posted, parkId: scope.parkId, receivedAt: timestamp(now) })
    .onConflict((conflict) => conflict.columns(['deviceId', 'eventId']).doNothing())
    .executeTakeFirst()
  return numInsertedOrUpdatedRows === 1n
}

/** Return the pictures of these captures, whoever calls: for rows of other areas that show them. */
export async function findPictures(scope: Scope, db: Database, ids: readonly string[]): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map()
  const rows = await db
    .selectFrom('capture')
    .select(['id', 'fileId'])
    .where('parkId', '=', scope.parkId)
    .where('id', '=', oneOf(ids))
    .where('fileId', 'is not', null)
    .execute()
  return new Map(rows.map(({ id, fileId }) => [id, fileId!]))
}
