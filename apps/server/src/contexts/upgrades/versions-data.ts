/** Rows of versions, which belong to the installation and so to no scope. */
import type { UpgradeKind } from '@gatehouse/contract/upgrades/package'
import { columnList } from '../../platform/database/column-list.ts'
import { containing, timestamp, type Database } from '../../platform/database/database.ts'
import { readPage } from '../../platform/database/page.ts'
import type { UpgradesTables } from './schema.ts'

type Db = Database<UpgradesTables>

export interface VersionQuery {
  kind?: UpgradeKind | undefined
  versionNumber?: string | undefined
  page: number
  size: number
}

const versionColumns = columnList([
  'id',
  'kind',
  'apk_name as apkName',
  'version_number as versionNumber',
  'update_type as updateType',
  'content',
  'file',
  'size',
  'md5',
  'sha256',
  'pieces',
  'signed',
  'created_at as createdAt',
])

const withUse = (db: Db) =>
  db.selectFrom('app_version').select((eb) => [
    ...versionColumns,
    eb
      .selectFrom('upgrade_device')
      .innerJoin('upgrade_task', 'upgrade_task.id', 'upgrade_device.task_id')
      .whereRef('upgrade_task.version_id', '=', 'app_version.id')
      .where('upgrade_device.state', '=', 'inProgress')
      .select((inner) => inner.fn.countAll<number>().as('count'))
      .as('inProgress'),
  ])

/** Unscoped: versions belong to the installation. */
export function listVersionsUnscoped(db: Db, query: VersionQuery) {
  let rows = withUse(db)
  if (query.kind !== undefined) rows = rows.where('kind', '=', query.kind)
  if (query.versionNumber !== undefined && query.versionNumber !== '')
    rows = rows.where('version_number', 'like', containing(query.versionNumber))
  return readPage(rows.orderBy('created_at', 'desc').orderBy('id', 'desc'), query)
}
export type VersionRow = Awaited<ReturnType<typeof listVersionsUnscoped>>['content'][number]

/** Unscoped: versions belong to the installation. */
export function allVersionsUnscoped(db: Db, kind: UpgradeKind | undefined): Promise<VersionRow[]> {
  const rows = withUse(db)
  return (kind === undefined ? rows : rows.where('kind', '=', kind)).orderBy('created_at', 'desc').orderBy('id', 'desc').execute()
}

/** Unscoped: versions belong to the installation. */
export const findVersionUnscoped = (db: Db, id: string): Promise<VersionRow | undefined> =>
  withUse(db).where('id', '=', id).executeTakeFirst()

/** Keeps the version from being deleted, or waits until it has been. Unscoped: versions belong to the installation. */
export async function lockVersionUnscoped(db: Db, id: string, mode: 'use' | 'delete'): Promise<boolean> {
  const row = db.selectFrom('app_version').select('id').where('id', '=', id)
  return (await (mode === 'use' ? row.forShare() : row.forUpdate()).executeTakeFirst()) !== undefined
}

export interface VersionValues {
  id: string
  kind: UpgradeKind
  apkName: string
  versionNumber: string
  updateType: number
  content: string
  file: string
  size: number
  md5: string
  sha256: string
  pieces: readonly string[]
  signed: boolean
}

/** Unscoped: versions belong to the installation. */
export async function insertVersionUnscoped(
  db: Db,
  { apkName, versionNumber, updateType, pieces, ...values }: VersionValues,
  now: number,
): Promise<void> {
  await db
    .insertInto('app_version')
    .values({
      ...values,
      apk_name: apkName,
      version_number: versionNumber,
      update_type: updateType,
      pieces: JSON.stringify(pieces),
      created_at: timestamp(now),
    })
    .execute()
}

/** Unscoped: versions belong to the installation. */
export async function deleteVersionUnscoped(db: Db, id: string): Promise<void> {
  await db.deleteFrom('app_version').where('id', '=', id).execute()
}
