/** Rows of versions, which belong to the installation and so to no scope. */
import type { UpgradeKind } from '@gatehouse/contract/upgrades/package'
import { columnList } from '../../platform/database/column-list.ts'
import { containing, timestamp, type Database } from '../../platform/database/database.ts'
import { readPage } from '../../platform/database/page.ts'

export interface VersionQuery {
  kind?: UpgradeKind | undefined
  versionNumber?: string | undefined
  page: number
  size: number
}

const versionColumns = columnList([
  'id',
  'kind',
  'apkName',
  'versionNumber',
  'updateType',
  'content',
  'file',
  'size',
  'md5',
  'sha256',
  'pieces',
  'signed',
  'createdAt',
])

const withUse = (db: Database) =>
  db.selectFrom('appVersion').select((eb) => [
    ...versionColumns,
    eb
      .selectFrom('upgradeDevice')
      .innerJoin('upgradeTask', 'upgradeTask.id', 'upgradeDevice.taskId')
      .whereRef('upgradeTask.versionId', '=', 'appVersion.id')
      .where('upgradeDevice.state', '=', 'inProgress')
      .select((inner) => inner.fn.countAll<number>().as('count'))
      .as('inProgress'),
  ])

/** Unscoped: versions belong to the installation. */
export function listVersionsUnscoped(db: Database, query: VersionQuery) {
  let rows = withUse(db)
  if (query.kind !== undefined) rows = rows.where('kind', '=', query.kind)
  if (query.versionNumber !== undefined && query.versionNumber !== '')
    rows = rows.where('versionNumber', 'like', containing(query.versionNumber))
  return readPage(rows.orderBy('createdAt', 'desc').orderBy('id', 'desc'), query)
}
export type VersionRow = Awaited<ReturnType<typeof listVersionsUnscoped>>['content'][number]

/** Unscoped: versions belong to the installation. */
export function allVersionsUnscoped(db: Database, kind: UpgradeKind | undefined): Promise<VersionRow[]> {
  const rows = withUse(db)
  return (kind === undefined ? rows : rows.where('kind', '=', kind)).orderBy('createdAt', 'desc').orderBy('id', 'desc').execute()
}

/** Unscoped: versions belong to the installation. */
export const findVersionUnscoped = (db: Database, id: string): Promise<VersionRow | undefined> =>
  withUse(db).where('id', '=', id).executeTakeFirst()

/** Lock a version against deletion, or wait until it has been deleted. Unscoped: versions belong to the installation. */
export async function lockVersionUnscoped(db: Database, id: string, mode: 'use' | 'delete'): Promise<boolean> {
  const row = db.selectFrom('appVersion').select('id').where('id', '=', id)
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
  db: Database,
  { apkName, versionNumber, updateType, pieces, ...values }: VersionValues,
  now: number,
): Promise<void> {
  await db
    .insertInto('appVersion')
    .values({
      ...values,
      apkName,
      versionNumber,
      updateType,
      pieces: JSON.stringify(pieces),
      createdAt: timestamp(now),
    })
    .execute()
}

/** Unscoped: versions belong to the installation. */
export async function deleteVersionUnscoped(db: Database, id: string): Promise<void> {
  await db.deleteFrom('appVersion').where('id', '=', id).execute()
}
