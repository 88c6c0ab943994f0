/** Rows of settings and of their files; every function takes the scope first. */
import type { SettingFileKind } from '@gatehouse/contract/configuration/calls'
import type { Measures } from '@gatehouse/contract/organisation/calls'
import type { SecretSetting, SomeSettings, TerminalSettings } from '@gatehouse/contract/configuration/settings'
import { columnList } from '../../platform/database/column-list.ts'
import { containing, oneOf, sql, timestamp, type Database } from '../../platform/database/database.ts'
import { readPage } from '../../platform/database/page.ts'
import type { Scope } from '../../platform/session/session.ts'
import type { ConfigurationTables } from './schema.ts'

type Db = Database<ConfigurationTables>
/** Fields of a row: those of `display` name what is shown, all others anything else. */
export type StoredSettings = SomeSettings & Partial<Pick<TerminalSettings, 'displayFields'>>

const columns = columnList([
  'id',
  'kind',
  'device_id as deviceId',
  'name',
  'type',
  'model',
  'settings',
  'secrets',
  'secret_names as secretNames',
  'secrets_revision as secretsRevision',
  'updated_at as updatedAt',
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

const rowsOf = (scope: Scope, db: Db) => db.selectFrom('device_setting').select(columns).where('park_id', '=', scope.parkId)
const typed = (rows: unknown): SettingRow[] => rows as SettingRow[]

/** Lets whoever sets something else in the park wait for the end of this transaction: settings are judged together with those they stand on. */
export async function lockPark(scope: Scope, db: Db): Promise<void> {
  await sql`SELECT pg_advisory_xact_lock(hashtextextended(${`device_setting ${scope.parkId}`}, 0))`.execute(db)
}

/** What holds at these devices: their own rows and those of the park; of all devices unless told. */
export async function findApplied(scope: Scope, db: Db, deviceIds?: readonly string[]): Promise<SettingRow[]> {
  let rows = rowsOf(scope, db).where('kind', '!=', 'template')
  if (deviceIds !== undefined) rows = rows.where((eb) => eb.or([eb('device_id', 'is', null), eb('device_id', '=', oneOf(deviceIds))]))
  return typed(await rows.execute())
}

/** What the park's defaults or one of its devices ask terminals to look at. */
export async function findMeasures(scope: Scope, db: Db): Promise<Measures> {
  const { rows } = await sql<Measures>`
    SELECT coalesce(bool_or(settings->>'temperatureCheck' = '1'), false) AS temperature,
      coalesce(bool_or(settings->>'maskRule' <> 'off'), false) AS mask, coalesce(bool_or(settings->>'helmetRule' <> 'off'), false) AS helmet
    FROM device_setting WHERE park_id = ${scope.parkId} AND kind IN ('park', 'device')`.execute(db)
  return rows[0]!
}

/** Devices that have something of their own. */
export async function findOwnDeviceIds(scope: Scope, db: Db): Promise<string[]> {
  const rows = await db
    .selectFrom('device_setting')
    .select('device_id as deviceId')
    .where('park_id', '=', scope.parkId)
    .where('kind', '=', 'device')
    .where((eb) => eb.or([eb('settings', '!=', '{}'), eb('secrets_revision', '!=', '')]))
    .execute()
  return rows.flatMap(({ deviceId }) => deviceId ?? [])
}

export async function listTemplates(
  scope: Scope,
  db: Db,
  query: { name?: string | undefined; type?: number | undefined; page: number; size: number },
): Promise<{ content: SettingRow[]; total: number }> {
  let rows = rowsOf(scope, db).where('kind', '=', 'template')
  if (query.name !== undefined && query.name !== '') rows = rows.where('name', 'ilike', containing(query.name))
  if (query.type !== undefined) rows = rows.where('type', '=', query.type)
  const { content, total } = await readPage(rows.orderBy('name').orderBy('id'), query)
  return { content: typed(content), total }
}

export async function findTemplates(scope: Scope, db: Db, ids: readonly string[]): Promise<SettingRow[]> {
  if (ids.length === 0) return []
  return typed(await rowsOf(scope, db).where('kind', '=', 'template').where('id', 'in', ids).execute())
}

/** What a row holds, whatever it is of; its secrets are sealed for it alone. */
export type SettingValues = Pick<SettingRow, 'settings' | 'secrets' | 'secretNames' | 'secretsRevision'>
/** What a row is of. */
export type SettingOwner = Pick<SettingRow, 'kind' | 'deviceId'> & Partial<Pick<SettingRow, 'name' | 'type' | 'model'>>

const valuesOf = ({ settings, secrets, secretNames, secretsRevision }: SettingValues) => ({
  settings: JSON.stringify(settings),
  secrets,
  secret_names: JSON.stringify(secretNames),
  secrets_revision: secretsRevision,
})

export async function insertSettings(
  scope: Scope,
  db: Db,
  rows: readonly (Pick<SettingRow, 'id'> & SettingOwner & SettingValues)[],
  now: number,
): Promise<void> {
  if (rows.length === 0) return
  const moment = timestamp(now)
  await db
    .insertInto('device_setting')
    .values(
      rows.map(({ id, kind, deviceId, name = null, type = null, model = null, ...values }) => ({
        id,
        park_id: scope.parkId,
        kind,
        device_id: deviceId,
        name,
        type,
        model,
        ...valuesOf(values),
        created_at: moment,
        updated_at: moment,
        version: 1,
      })),
    )
    .execute()
}

/** Other values in a row; its version is the next. */
export async function updateSettings(
  scope: Scope,
  db: Db,
  id: string,
  values: SettingValues & Partial<Pick<SettingRow, 'name' | 'type' | 'model'>>,
  now: number,
): Promise<void> {
  const { name, type, model } = values
  await db
    .updateTable('device_setting')
    .set((eb) => ({
      ...valuesOf(values),
      ...(name !== undefined && { name }),
      ...(type !== undefined && { type }),
      ...(model !== undefined && { model }),
      updated_at: timestamp(now),
      version: eb('version', '+', 1),
    }))
    .where('park_id', '=', scope.parkId)
    .where('id', '=', id)
    .execute()
}

export async function deleteTemplates(scope: Scope, db: Db, ids: readonly string[]): Promise<void> {
  await db.deleteFrom('device_setting').where('park_id', '=', scope.parkId).where('kind', '=', 'template').where('id', 'in', ids).execute()
}

export async function deleteOfDevices(scope: Scope, db: Db, deviceIds: readonly string[]): Promise<void> {
  await db.deleteFrom('device_setting').where('park_id', '=', scope.parkId).where('device_id', '=', oneOf(deviceIds)).execute()
}

export interface FileRow {
  id: string
  kind: SettingFileKind
  size: number
}

export async function insertFile(scope: Scope, db: Db, { id, kind, size }: FileRow, now: number): Promise<void> {
  await db
    .insertInto('device_setting_file')
    .values({ id, park_id: scope.parkId, kind, size, created_at: timestamp(now) })
    .execute()
}

export async function findFile(scope: Scope, db: Db, id: string): Promise<FileRow | undefined> {
  return (await db
    .selectFrom('device_setting_file')
    .select(['id', 'kind', 'size'])
    .where('park_id', '=', scope.parkId)
    .where('id', '=', id)
    .executeTakeFirst()) as FileRow | undefined
}

const NAMED = sql<boolean>`EXISTS (SELECT FROM device_setting AS named WHERE named.park_id = device_setting_file.park_id
  AND device_setting_file.id::text IN (named.settings ->> 'voiceFile', named.settings ->> 'screenSaver'))`

/** Parks with files from before a moment that no setting names. Unscoped: a job goes through all parks. */
export async function findParksWithUnusedFilesUnscoped(db: Db, before: number): Promise<string[]> {
  const rows = await db
    .selectFrom('device_setting_file')
    .select('park_id as parkId')
    .distinct()
    .where('created_at', '<', timestamp(before))
    .where((eb) => eb.not(NAMED))
    .execute()
  return rows.map(({ parkId }) => parkId)
}

/** Removes the entries of those files; answers their ids in the storage. */
export async function deleteUnusedFiles(scope: Scope, db: Db, before: number): Promise<string[]> {
  const rows = await db
    .deleteFrom('device_setting_file')
    .where('park_id', '=', scope.parkId)
    .where('created_at', '<', timestamp(before))
    .where((eb) => eb.not(NAMED))
    .returning('id')
    .execute()
  return rows.map(({ id }) => id)
}

export async function deleteOfPark(scope: Scope, db: Db): Promise<{ settings: number; fileIds: string[] }> {
  const settings = await db.deleteFrom('device_setting').where('park_id', '=', scope.parkId).executeTakeFirst()
  const files = await db.deleteFrom('device_setting_file').where('park_id', '=', scope.parkId).returning('id').execute()
  return { settings: Number(settings.numDeletedRows), fileIds: files.map(({ id }) => id) }
}
