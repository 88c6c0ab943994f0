/** Rows of settings and of their files; every scoped function takes the scope first. */
import type { SettingFileKind } from '@gatehouse/contract/configuration/calls'
import type { Measures } from '@gatehouse/contract/organisation/calls'
import type { SecretSetting, SomeSettings, TerminalSettings } from '@gatehouse/contract/configuration/settings'
import { columnList } from '../../platform/database/column-list.ts'
import { containing, oneOf, sql, timestamp, type Database } from '../../platform/database/database.ts'
import { readPage } from '../../platform/database/page.ts'
import type { Scope } from '../../platform/session/session.ts'

/** Fields of a row: rows of kind `display` set `displayFields`, all others the remaining fields. */
export type StoredSettings = SomeSettings & Partial<Pick<TerminalSettings, 'displayFields'>>

const columns = columnList([
  'id',
  'kind',
  'deviceId',
  'name',
  'type',
  'model',
  'settings',
  'secrets',
  'secretNames',
  'secretsRevision',
  'updatedAt',
  'version',
])

export interface SettingRow {
  id: string
  kind: 'device' | 'park' | 'display' | 'template'
  deviceId: string | null
  name: string | null
  type: number | null
  model: number | null
  settings: StoredSettings
  secrets: Buffer | null
  secretNames: SecretSetting[]
  secretsRevision: string
  updatedAt: number
  version: number
}

const rowsOf = (scope: Scope, db: Database) => db.selectFrom('deviceSetting').select(columns).where('parkId', '=', scope.parkId)
const typed = (rows: unknown): SettingRow[] => rows as SettingRow[]

/**
 * Block other changes of settings in the park until this transaction ends: settings are checked together with those
 * they inherit.
 */
export async function lockPark(scope: Scope, db: Database): Promise<void> {
  await sql`SELECT pg_advisory_xact_lock(hashtextextended(${`device_setting ${scope.parkId}`}, 0))`.execute(db)
}

/** Return the rows that apply at these devices: their own and those of the park. @param deviceIds absent: all devices */
export async function findApplied(scope: Scope, db: Database, deviceIds?: readonly string[]): Promise<SettingRow[]> {
  let rows = rowsOf(scope, db).where('kind', '!=', 'template')
  if (deviceIds !== undefined) rows = rows.where((eb) => eb.or([eb('deviceId', 'is', null), eb('deviceId', '=', oneOf(deviceIds))]))
  return typed(await rows.execute())
}

/** Return what the park's defaults or one of its devices make terminals check. */
export async function findMeasures(scope: Scope, db: Database): Promise<Measures> {
  const { rows } = await sql<Measures>`
    SELECT coalesce(bool_or(settings->>'temperatureCheck' = '1'), false) AS temperature,
      coalesce(bool_or(settings->>'maskRule' <> 'off'), false) AS mask, coalesce(bool_or(settings->>'helmetRule' <> 'off'), false) AS helmet
    FROM device_setting WHERE park_id = ${scope.parkId} AND kind IN ('park', 'device')`.execute(db)
  return rows[0]!
}

/** Return the devices that have settings or secrets of their own. */
export async function findOwnDeviceIds(scope: Scope, db: Database): Promise<string[]> {
  const rows = await db
    .selectFrom('deviceSetting')
    .select('deviceId')
    .where('parkId', '=', scope.parkId)
    .where('kind', '=', 'device')
    .where((eb) => eb.or([eb('settings', '!=', '{}'), eb('secretsRevision', '!=', '')]))
    .execute()
  return rows.flatMap(({ deviceId }) => deviceId ?? [])
}

export async function listTemplates(
  scope: Scope,
  db: Database,
  query: { name?: string | undefined; type?: number | undefined; page: number; size: number },
): Promise<{ content: SettingRow[]; total: number }> {
  let rows = rowsOf(scope, db).where('kind', '=', 'template')
  if (query.name !== undefined && query.name !== '') rows = rows.where('name', 'ilike', containing(query.name))
  if (query.type !== undefined) rows = rows.where('type', '=', query.type)
  const { content, total } = await readPage(rows.orderBy('name').orderBy('id'), query)
  return { content: typed(content), total }
}

export async function findTemplates(scope: Scope, db: Database, ids: readonly string[]): Promise<SettingRow[]> {
  if (ids.length === 0) return []
  return typed(await rowsOf(scope, db).where('kind', '=', 'template').where('id', 'in', ids).execute())
}

/** Values of a row of any kind; its secrets are sealed for that row alone. */
export type SettingValues = Pick<SettingRow, 'settings' | 'secrets' | 'secretNames' | 'secretsRevision'>
/** Owner of a row. */
export type SettingOwner = Pick<SettingRow, 'kind' | 'deviceId'> & Partial<Pick<SettingRow, 'name' | 'type' | 'model'>>

const valuesOf = ({ settings, secrets, secretNames, secretsRevision }: SettingValues) => ({
  settings: JSON.stringify(settings),
  secrets,
  secretNames: JSON.stringify(secretNames),
  secretsRevision,
})

export async function insertSettings(
  scope: Scope,
  db: Database,
  rows: readonly (Pick<SettingRow, 'id'> & SettingOwner & SettingValues)[],
  now: number,
): Promise<void> {
  if (rows.length === 0) return
  const moment = timestamp(now)
  await db
    .insertInto('deviceSetting')
    .values(
      rows.map(({ id, kind, deviceId, name = null, type = null, model = null, ...values }) => ({
        id,
        parkId: scope.parkId,
        kind,
        deviceId,
        name,
        type,
        model,
        ...valuesOf(values),
        createdAt: moment,
        updatedAt: moment,
        version: 1,
      })),
    )
    .execute()
}

/** Replace the values of a row and increment its version. */
export async function updateSettings(
  scope: Scope,
  db: Database,
  id: string,
  values: SettingValues & Partial<Pick<SettingRow, 'name' | 'type' | 'model'>>,
  now: number,
): Promise<void> {
  const { name, type, model } = values
  await db
    .updateTable('deviceSetting')
    .set((eb) => ({
      ...valuesOf(values),
      ...(name !== undefined && { name }),
      ...(type !== undefined && { type }),
      ...(model !== undefined && { model }),
      updatedAt: timestamp(now),
      version: eb('version', '+', 1),
    }))
    .where('parkId', '=', scope.parkId)
    .where('id', '=', id)
    .execute()
}

export async function deleteTemplates(scope: Scope, db: Database, ids: readonly string[]): Promise<void> {
  await db.deleteFrom('deviceSetting').where('parkId', '=', scope.parkId).where('kind', '=', 'template').where('id', 'in', ids).execute()
}

export async function deleteOfDevices(scope: Scope, db: Database, deviceIds: readonly string[]): Promise<void> {
  await db.deleteFrom('deviceSetting').where('parkId', '=', scope.parkId).where('deviceId', '=', oneOf(deviceIds)).execute()
}

export interface FileRow {
  id: string
  kind: SettingFileKind
  size: number
}

export async function insertFile(scope: Scope, db: Database, { id, kind, size }: FileRow, now: number): Promise<void> {
  await db
    .insertInto('deviceSettingFile')
    .values({ id, parkId: scope.parkId, kind, size, createdAt: timestamp(now) })
    .execute()
}

export async function findFile(scope: Scope, db: Database, id: string): Promise<FileRow | undefined> {
  return (await db
    .selectFrom('deviceSettingFile')
    .select(['id', 'kind', 'size'])
    .where('parkId', '=', scope.parkId)
    .where('id', '=', id)
    .executeTakeFirst()) as FileRow | undefined
}

const NAMED = sql<boolean>`EXISTS (SELECT FROM device_setting AS named WHERE named.park_id = device_setting_file.park_id
  AND device_setting_file.id::text IN (named.settings ->> 'voiceFile', named.settings ->> 'screenSaver'))`

/** Return parks with files from before a moment that no setting names. Unscoped: a job covers all parks. */
export async function findParksWithUnusedFilesUnscoped(db: Database, before: number): Promise<string[]> {
  const rows = await db
    .selectFrom('deviceSettingFile')
    .select('parkId')
    .distinct()
    .where('createdAt', '<', timestamp(before))
    .where((eb) => eb.not(NAMED))
    .execute()
  return rows.map(({ parkId }) => parkId)
}

/** Delete the entries of such files; return their ids in the storage. */
export async function deleteUnusedFiles(scope: Scope, db: Database, before: number): Promise<string[]> {
  const rows = await db
    .deleteFrom('deviceSettingFile')
    .where('parkId', '=', scope.parkId)
    .where('createdAt', '<', timestamp(before))
    .where((eb) => eb.not(NAMED))
    .returning('id')
    .execute()
  return rows.map(({ id }) => id)
}

export async function deleteOfPark(scope: Scope, db: Database): Promise<{ settings: number; fileIds: string[] }> {
  const settings = await db.deleteFrom('deviceSetting').where('parkId', '=', scope.parkId).executeTakeFirst()
  const files = await db.deleteFrom('deviceSettingFile').where('parkId', '=', scope.parkId).returning('id').execute()
  return { settings: Number(settings.numDeletedRows), fileIds: files.map(({ id }) => id) }
}
