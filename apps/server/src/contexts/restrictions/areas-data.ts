/** Rows of restriction areas and their doors; every function takes the scope first. */
import { columnList } from '../../platform/database/column-list.ts'
import { containing, oneOf, sql, timestamp, type Database } from '../../platform/database/database.ts'
import { readPage } from '../../platform/database/page.ts'
import type { Scope } from '../../platform/session/session.ts'
import { updateAtVersion } from '../../platform/database/versioned-rows.ts'
import type { DeviceKind, RestrictionTables } from './schema.ts'

type Db = Database<RestrictionTables>

const areaColumns = columnList([
  'id',
  'name',
  'limit_type as limitType',
  'anti_sneak_back as antiSneakBack',
  'flow_limit as flowLimit',
  'limit_count as limitCount',
  'offline_policy as offlinePolicy',
  'version',
  'updated_at as updatedAt',
])

export interface AreaFilter {
  name?: string | undefined
  limitType?: string | undefined
  /** Of which it is a door, or behind which nobody is in it any more. */
  deviceId?: string | undefined
  page: number
  size: number
}

export function listAreas(scope: Scope, db: Db, { name, limitType, deviceId, ...page }: AreaFilter) {
  let rows = db.selectFrom('restriction_area').where('park_id', '=', scope.parkId)
  if (name !== undefined && name !== '') rows = rows.where('name', 'ilike', containing(name))
  if (limitType !== undefined) rows = rows.where('limit_type', '=', limitType)
  if (deviceId !== undefined)
    rows = rows.where((eb) =>
      eb.exists(
        eb
          .selectFrom('restriction_device')
          .select('device_id')
          .whereRef('restriction_device.area_id', '=', 'restriction_area.id')
          .where('device_id', '=', deviceId),
      ),
    )
  return readPage(rows.select(areaColumns).orderBy('name').orderBy('id'), page)
}

export function findArea(scope: Scope, db: Db, id: string) {
  return db.selectFrom('restriction_area').select(areaColumns).where('park_id', '=', scope.parkId).where('id', '=', id).executeTakeFirst()
}
export type AreaRow = NonNullable<Awaited<ReturnType<typeof findArea>>>

/** The area as nobody decides about it, or changes it, until this transaction ends. */
export function lockArea(scope: Scope, db: Db, id: string): Promise<AreaRow | undefined> {
  return db
    .selectFrom('restriction_area')
    .select(areaColumns)
    .where('park_id', '=', scope.parkId)
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

/** Devices of these areas; of all of the park unless told. */
export async function findDevices(scope: Scope, db: Db, areaIds?: readonly string[]): Promise<AreaDevice[]> {
  let rows = db
    .selectFrom('restriction_device')
    .select(['area_id as areaId', 'device_id as deviceId', 'kind', 'since'])
    .where('park_id', '=', scope.parkId)
  if (areaIds !== undefined) rows = rows.where('area_id', '=', oneOf(areaIds))
  return (await rows.orderBy('device_id').execute()).map((row) => ({ ...row, since: row.since as number }))
}

/** Devices of the park that are to ask before they open, and what they do when they cannot. */
export function findAsking(scope: Scope, db: Db) {
  return db
    .selectFrom('restriction_device')
    .innerJoin('restriction_area', 'restriction_area.id', 'restriction_device.area_id')
    .select(['restriction_device.device_id as deviceId', 'restriction_area.offline_policy as offlinePolicy'])
    .where('restriction_device.park_id', '=', scope.parkId)
    .where('kind', '=', 'door')
    .where((eb) => eb.or([eb('anti_sneak_back', '=', true), eb('flow_limit', '=', true)]))
    .execute()
}

/** The area a device is a door of. */
export async function findAreaIdOfDoor(scope: Scope, db: Db, deviceId: string): Promise<string | null> {
  const row = await db
    .selectFrom('restriction_device')
    .select('area_id')
    .where('park_id', '=', scope.parkId)
    .where('device_id', '=', deviceId)
    .where('kind', '=', 'door')
    .executeTakeFirst()
  return row?.area_id ?? null
}

/** Of these devices those that are doors of another area already. */
export async function findDoorsOfOthers(scope: Scope, db: Db, deviceIds: readonly string[], areaId: string | null): Promise<string[]> {
  let rows = db
    .selectFrom('restriction_device')
    .select('device_id as id')
    .where('park_id', '=', scope.parkId)
    .where('kind', '=', 'door')
    .where('device_id', '=', oneOf(deviceIds))
  if (areaId !== null) rows = rows.where('area_id', '<>', areaId)
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
  limit_type: limitType,
  anti_sneak_back: antiSneakBack,
  flow_limit: flowLimit,
  limit_count: limitCount,
  offline_policy: offlinePolicy,
})

export async function insertArea(scope: Scope, db: Db, id: string, values: AreaValues, now: number): Promise<void> {
  await db
    .insertInto('restriction_area')
    .values({ id, park_id: scope.parkId, ...columnsOf(values), created_at: timestamp(now), updated_at: timestamp(now), version: 1 })
    .execute()
}

/** False where the area is not at `version` any more. */
export function updateArea(scope: Scope, db: Db, id: string, values: AreaValues, version: number, now: number): Promise<boolean> {
  return updateAtVersion(scope, db, 'restriction_area', { id, version }, columnsOf(values), now)
}

/** Makes these the devices of an area; those that were so before keep since when. */
export async function putDevices(
  scope: Scope,
  db: Db,
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

/** Takes devices out of every area; answers the ids of those areas. */
export async function removeDevices(scope: Scope, db: Db, deviceIds: readonly string[]): Promise<string[]> {
  const rows = await db
    .deleteFrom('restriction_device')
    .where('park_id', '=', scope.parkId)
    .where('device_id', '=', oneOf(deviceIds))
    .returning('area_id as id')
    .execute()
  return [...new Set(rows.map(({ id }) => id))]
}

export async function deleteArea(scope: Scope, db: Db, id: string): Promise<void> {
  await db.deleteFrom('restriction_area').where('id', '=', id).where('park_id', '=', scope.parkId).execute()
}

export async function deleteOfPark(scope: Scope, db: Db): Promise<number> {
  const result = await db.deleteFrom('restriction_area').where('park_id', '=', scope.parkId).executeTakeFirst()
  return Number(result.numDeletedRows)
}
