/** Rows of devices; every function takes the scope first. */
import type { z } from 'zod'
import type { deviceQuery } from '@gatehouse/contract/devices/calls'
import { containing, timestamp, type Database } from '../../platform/database.ts'
import type { Scope } from '../../platform/session.ts'
import type { DeviceEntry } from './directory.ts'
import type { DevicesTables } from './schema.ts'

type Db = Database<DevicesTables>
export type DeviceQuery = z.output<typeof deviceQuery>

const deviceColumns = [
  'device.id',
  'device.code',
  'device.name',
  'device.type',
  'device.model',
  'device.group_id as groupId',
  'device_group.name as groupName',
  'device.direction',
  'device.online',
  'device.paired',
  'device.last_seen_at as lastSeenAt',
  'device.ip',
  'device.firmware_version as firmwareVersion',
  'device.created_at as createdAt',
  'device.version',
] as const

const withGroup = (db: Db) => db.selectFrom('device').leftJoin('device_group', 'device_group.id', 'device.group_id')

export async function listDevices(scope: Scope, db: Db, query: DeviceQuery, groupIds: readonly string[] | null) {
  let rows = withGroup(db).where('device.park_id', '=', scope.parkId)
  if (query.name !== undefined && query.name !== '') rows = rows.where('device.name', 'ilike', containing(query.name))
  if (query.code !== undefined && query.code !== '') rows = rows.where('device.code', 'ilike', containing(query.code))
  if (query.type !== undefined) rows = rows.where('device.type', '=', query.type)
  if (query.onlineStatus !== undefined) rows = rows.where('device.online', '=', query.onlineStatus === 1)
  if (groupIds !== null) rows = rows.where('device.group_id', 'in', groupIds)
  const [content, count] = await Promise.all([
    rows
      .select(deviceColumns)
      .orderBy('device.created_at', 'desc')
      .orderBy('device.id', 'desc')
      .limit(query.size)
      .offset((query.page - 1) * query.size)
      .execute(),
    rows.select((eb) => eb.fn.countAll<number>().as('total')).executeTakeFirstOrThrow(),
  ])
  return { content, total: count.total }
}
export type DeviceRow = Awaited<ReturnType<typeof listDevices>>['content'][number]

export function findDevices(scope: Scope, db: Db, ids: readonly string[]): Promise<DeviceRow[]> {
  if (ids.length === 0) return Promise.resolve([])
  return withGroup(db).select(deviceColumns).where('device.park_id', '=', scope.parkId).where('device.id', 'in', ids).execute()
}

/** Every device of the park, for the home page and for telling devices of a change. */
export function allDevices(scope: Scope, db: Db): Promise<DeviceRow[]> {
  return withGroup(db).select(deviceColumns).where('device.park_id', '=', scope.parkId).orderBy('device.name').execute()
}

/** What devices should hold is worked out from this, for all of the park. */
export function findRegister(scope: Scope, db: Db) {
  return db.selectFrom('device').select(['id', 'code', 'name', 'direction', 'group_id as groupId', 'model_id as modelId']).where('park_id', '=', scope.parkId).orderBy('name').execute()
}

export async function findDeviceIdsInGroups(scope: Scope, db: Db, groupIds: readonly string[]): Promise<string[]> {
  if (groupIds.length === 0) return []
  const rows = await db.selectFrom('device').select('id').where('park_id', '=', scope.parkId).where('group_id', 'in', groupIds).execute()
  return rows.map((row) => row.id)
}

export interface DeviceValues {
  name: string
  type: number
  model: number
  groupId: string | null
  direction: number
}

export async function insertDevice(scope: Scope, db: Db, device: DeviceValues & { id: string; code: string; secretHash: Buffer }, now: number): Promise<void> {
  await db
    .insertInto('device')
    .values({
      id: device.id,
      park_id: scope.parkId,
      code: device.code,
      name: device.name,
      type: device.type,
      model: device.model,
      group_id: device.groupId,
      direction: device.direction,
      secret_hash: device.secretHash,
      online: false,
      paired: false,
      last_seen_at: null,
      ip: '',
      firmware_version: '',
      model_id: '',
      created_at: timestamp(now),
      updated_at: timestamp(now),
      version: 1,
    })
    .execute()
}

/** False where the device is not at `version` any more. */
export async function updateDevice(scope: Scope, db: Db, id: string, values: DeviceValues, version: number, now: number): Promise<boolean> {
  const result = await db
    .updateTable('device')
    .set((eb) => ({
      name: values.name,
      type: values.type,
      model: values.model,
      group_id: values.groupId,
      direction: values.direction,
      updated_at: timestamp(now),
      version: eb('version', '+', 1),
    }))
    .where('id', '=', id)
    .where('park_id', '=', scope.parkId)
    .where('version', '=', version)
    .executeTakeFirst()
  return Number(result.numUpdatedRows) === 1
}

export async function updateSecret(scope: Scope, db: Db, id: string, secretHash: Buffer): Promise<void> {
  await db.updateTable('device').set({ secret_hash: secretHash, paired: false }).where('id', '=', id).where('park_id', '=', scope.parkId).execute()
}

export interface DeviceStatus {
  online?: boolean
  paired?: boolean
  lastSeenAt?: number
  ip?: string
  firmwareVersion?: string
  modelId?: string
}

/** Whether the device last named another model than this. */
export async function hasOtherModel(scope: Scope, db: Db, id: string, modelId: string): Promise<boolean> {
  const row = await db.selectFrom('device').select('id').where('id', '=', id).where('park_id', '=', scope.parkId).where('model_id', '!=', modelId).executeTakeFirst()
  return row !== undefined
}

/** Notes what a device said of itself; the version that guards edits by people stays. */
export async function updateStatus(scope: Scope, db: Db, id: string, status: DeviceStatus): Promise<void> {
  await db
    .updateTable('device')
    .set({
      ...(status.online !== undefined && { online: status.online }),
      ...(status.paired !== undefined && { paired: status.paired }),
      ...(status.lastSeenAt !== undefined && { last_seen_at: timestamp(status.lastSeenAt) }),
      ...(status.ip !== undefined && { ip: status.ip }),
      ...(status.firmwareVersion !== undefined && { firmware_version: status.firmwareVersion }),
      ...(status.modelId !== undefined && { model_id: status.modelId }),
    })
    .where('id', '=', id)
    .where('park_id', '=', scope.parkId)
    .execute()
}

export async function deleteDevices(scope: Scope, db: Db, ids: readonly string[]): Promise<string[]> {
  const rows = await db.deleteFrom('device').where('park_id', '=', scope.parkId).where('id', 'in', ids).returning('code').execute()
  return rows.map((row) => row.code)
}

export async function deleteDevicesOfPark(scope: Scope, db: Db): Promise<{ ids: string[]; codes: string[] }> {
  const rows = await db.deleteFrom('device').where('park_id', '=', scope.parkId).returning(['id', 'code']).execute()
  await db.deleteFrom('device_group').where('park_id', '=', scope.parkId).execute()
  return { ids: rows.map((row) => row.id), codes: rows.map((row) => row.code) }
}

export function listGroups(scope: Scope, db: Db) {
  return db
    .selectFrom('device_group')
    .leftJoin('device', 'device.group_id', 'device_group.id')
    .select((eb) => ['device_group.id', 'device_group.name', 'device_group.parent_id as parentId', eb.fn.count<number>('device.id').as('deviceCount')])
    .where('device_group.park_id', '=', scope.parkId)
    .groupBy('device_group.id')
    .orderBy('device_group.created_at')
    .execute()
}

export async function insertGroup(scope: Scope, db: Db, group: { id: string; name: string; parentId: string | null }, now: number): Promise<void> {
  await db
    .insertInto('device_group')
    .values({ id: group.id, park_id: scope.parkId, name: group.name, parent_id: group.parentId, created_at: timestamp(now) })
    .execute()
}

const entryColumns = ['id', 'code', 'park_id as parkId', 'secret_hash as secretHash'] as const

/** All devices as they say who they are. Unscoped: the directory of the installation. */
export function allEntriesUnscoped(db: Db): Promise<DeviceEntry[]> {
  return db.selectFrom('device').select(entryColumns).execute()
}

export function findEntries(scope: Scope, db: Db, ids: readonly string[]): Promise<DeviceEntry[]> {
  if (ids.length === 0) return Promise.resolve([])
  return db.selectFrom('device').select(entryColumns).where('park_id', '=', scope.parkId).where('id', 'in', ids).execute()
}

/** The device of a code. Unscoped: it is how a device says who it is. */
export function findEntryUnscoped(db: Db, code: string): Promise<DeviceEntry | undefined> {
  return db
    .selectFrom('device')
    .select(entryColumns)
    .where((eb) => eb(eb.fn('lower', ['code']), '=', code.toLowerCase()))
    .executeTakeFirst()
}

/** Groups as branches of a tree. */
export function findGroupRows(scope: Scope, db: Db): Promise<{ id: string; parentId: string | null }[]> {
  return db.selectFrom('device_group').select(['id', 'parent_id as parentId']).where('park_id', '=', scope.parkId).execute()
}

/** After a start nobody is connected yet, whatever the last run wrote. Unscoped: all devices. */
export async function markAllOfflineUnscoped(db: Db): Promise<void> {
  await db.updateTable('device').set({ online: false }).where('online', '=', true).execute()
}
