/** Rows of restriction areas and their doors; every function takes the scope first. */
import { columnList } from '../../platform/database/column-list.ts'
import { containing, oneOf, sql, timestamp, type Database } from '../../platform/database/database.ts'
import { readPage } from '../../platform/database/page.ts'
import type { Scope } from '../../platform/session/session.ts'
import { updateAtVersion } from '../../platform/database/versioned-rows.ts'
import type { DeviceKind } from './schema.ts'

const areaColumns = columnList([
  'id',
  'name',
  'limitType',
  'antiSneakBack',
  'flowLimit',
  'limitCount',
  'offlinePolicy',
  'version',
  'updatedAt',
])

export interface AreaFilter {
  name?: string | undefined
  limitType?: string | undefined
  /** Of which it is a door, or behind which nobody is in it any more. */
  deviceId?: string | undefined
  page: number
  size: number
}

export function listAreas(scope: Scope, db: Database, { name, limitType, deviceId, ...page }: AreaFilter) {
  let rows = db.selectFrom('restrictionArea').where('parkId', '=', scope.parkId)
  if (name !== undefined && name !== '') rows = rows.where('name', 'ilike', containing(name))
  if (limitType !== undefined) rows = rows.where('limitType', '=', limitType)
  if (deviceId !== undefined)
    rows = rows.where((eb) =>
      eb.exists(
        eb
          .selectFrom('restrictionDevice')
          .select('deviceId')
          .whereRef('restrictionDevice.areaId', '=', 'restrictionArea.id')
          .where('deviceId', '=', deviceId),
      ),
    )
  return readPage(rows.select(areaColumns).orderBy('name').orderBy('id'), page)
}

export function findArea(scope: Scope, db: Database, id: string) {
  return db.selectFrom('restrictionArea').select(areaColumns).where('parkId', '=', scope.parkId).where('id', '=', id).executeTakeFirst()
}
export type AreaRow = NonNullable<Awaited<ReturnType<typeof findArea>>>

/** Return an area, locked against decisions and changes until the transaction ends. */
export function lockArea(scope: Scope, db: Database, id: string): Promise<AreaRow | undefined> {
  return db
    .selectFrom('restrictionArea')
    .select(areaColumns)
    .where('parkId', '=', scope.parkId)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()
}

export interface AreaDevice {
  areaId: string
  deviceId: string
  kind: DeviceKind
  since: number
}

/** Devices of these areas; of all of the park by default. */
export async function findDevices(scope: Scope, db: Database, areaIds?: readonly string[]): Promise<AreaDevice[]> {
  let rows = db.selectFrom('restrictionDevice').select(['areaId', 'deviceId', 'kind', 'since']).where('parkId', '=', scope.parkId)
  if (areaIds !== undefined) rows = rows.where('areaId', '=', oneOf(areaIds))
  return rows.orderBy('deviceId').execute()
}

/** Devices of the park that are to ask before they open, and what they do when they cannot. */
export function findAsking(scope: Scope, db: Database) {
  return db
    .selectFrom('restrictionDevice')
    .innerJoin('restrictionArea', 'restrictionArea.id', 'restrictionDevice.areaId')
    .select(['restrictionDevice.deviceId', 'restrictionArea.offlinePolicy'])
    .where('restrictionDevice.parkId', '=', scope.parkId)
    .where('kind', '=', 'door')
    .where((eb) => eb.or([eb('antiSneakBack', '=', true), eb('flowLimit', '=', true)]))
    .execute()
}

/** The area a device is a door of. */
export async function findAreaIdOfDoor(scope: Scope, db: Database, deviceId: string): Promise<string | null> {
  const row = await db
    .selectFrom('restrictionDevice')
    .select('areaId')
    .where('parkId', '=', scope.parkId)
    .where('deviceId', '=', deviceId)
    .where('kind', '=', 'door')
    .executeTakeFirst()
  return row?.areaId ?? null
}

/** Of these devices those that are doors of another area already. */
export async function findDoorsOfOthers(
  scope: Scope,
  db: Database,
  deviceIds: readonly string[],
  areaId: string | null,
): Promise<string[]> {
  let rows = db
    .selectFrom('restrictionDevice')
    .select('deviceId as id')
    .where('parkId', '=', scope.parkId)
    .where('kind', '=', 'door')
    .where('deviceId', '=', oneOf(deviceIds))
  if (areaId !== null) rows = rows.where('areaId', '<>', areaId)
  return (await rows.execute()).map(({ id }) => id)
}

export interface AreaValues {
  name: string
  limitType: string
  antiSneakBack: boolean
  flowLimit: boolean
  limitCount: number | null
  offlinePolicy: string
}

const columnsOf = ({ name, limitType, antiSneakBack, flowLimit, limitCount, offlinePolicy }: AreaValues) => ({
  name,
  limitType,
  antiSneakBack,
  flowLimit,
  limitCount,
  offlinePolicy,
})

export async function insertArea(scope: Scope, db: Database, id: string, values: AreaValues, now: number): Promise<void> {
  await db
    .insertInto('restrictionArea')
    .values({ id, parkId: scope.parkId, ...columnsOf(values), createdAt: timestamp(now), updatedAt: timestamp(now), version: 1 })
    .execute()
}

/** False where the area is not at `version` any more. */
export function updateArea(scope: Scope, db: Database, id: string, values: AreaValues, version: number, now: number): Promise<boolean> {
  return updateAtVersion(scope, db, 'restrictionArea', { id, version }, columnsOf(values), now)
}

/** Make these the devices of an area; those that were so before keep since when. */
export async function putDevices(
  scope: Scope,
  db: Database,
  areaId: string,
  devices: readonly { deviceId: string; kind: DeviceKind }[],
  now: number,
): Promise<void> {
  const [ids, kinds] = [devices.map(({ deviceId }) => deviceId), devices.map(({ kind }) => kind)]
  await sql`DELETE FROM restriction_device WHERE area_id = ${areaId}::uuid AND park_id = ${scope.parkId}::uuid
    AND (device_id, kind) NOT IN (SELECT * FROM unnest(${sql.val(ids)}::uuid[], ${sql.val(kinds)}::text[]))`.execute(db)
  await sql`INSERT INTO restriction_device (area_id, park_id, device_id, kind, since)
    SELECT ${areaId}::uuid, ${scope.parkId}::uuid, named.id, named.kind, ${timestamp(now)}
    FROM unnest(${sql.val(ids)}::uuid[], ${sql.val(kinds)}::text[]) AS named (id, kind)
    ON CONFLICT (area_id, device_id) DO NOTHING`.execute(db)
}

/** Take devices out of every area; return the ids of those areas. */
export async function removeDevices(scope: Scope, db: Database, deviceIds: readonly string[]): Promise<string[]> {
  const rows = await db
    .deleteFrom('restrictionDevice')
    .where('parkId', '=', scope.parkId)
    .where('deviceId', '=', oneOf(deviceIds))
    .returning('areaId as id')
    .execute()
  return [...new Set(rows.map(({ id }) => id))]
}

export async function deleteArea(scope: Scope, db: Database, id: string): Promise<void> {
  await db.deleteFrom('restrictionArea').where('id', '=', id).where('parkId', '=', scope.parkId).execute()
}

export async function deleteOfPark(scope: Scope, db: Database): Promise<number> {
  const result = await db.deleteFrom('restrictionArea').where('parkId', '=', scope.parkId).executeTakeFirst()
  return Number(result.numDeletedRows)
}
