/** Rows of devices; every function takes the scope first. */
import type { z } from 'zod'
import type { ToldFacts } from '@gatehouse/contract/device/protocol'
import type { deviceQuery } from '@gatehouse/contract/devices/calls'
import { deviceAuthorisationStatus, deviceModel } from '@gatehouse/contract/enums/devices'
import { columnList } from '../../platform/database/column-list.ts'
import { containing, oneOf, sql, timestamp, type Database, type Tx } from '../../platform/database/database.ts'
import { readPage } from '../../platform/database/page.ts'
import type { DeviceSignIn, Scope } from '../../platform/session/session.ts'
import { deviceGroupIsSeen } from '../../platform/session/sight.ts'
import { updateAtVersion } from '../../platform/database/versioned-rows.ts'
import type { Author } from './authority.ts'
import type { DeviceEntry } from './directory.ts'
import { authorColumns, releaseColumns, type Release } from './release-data.ts'
import { insertRemovals } from './removal-data.ts'
import type { DevicesTables } from './schema.ts'

type Db = Database<DevicesTables>
export type DeviceQuery = z.output<typeof deviceQuery>

/** What an Android device tells as its platform. */
export const ANDROID = 'android'

const deviceColumns = columnList([
  'device.id',
  'device.code',
  'device.name',
  'device.type',
  'device.model',
  'device.group_id as groupId',
  'device_group.name as groupName',
  'device.direction',
  'device.online',
  'device.authorisation',
  'device.last_seen_at as lastSeenAt',
  'device.online_since as onlineSince',
  'device.ip',
  'device.port',
  'device.user_name as userName',
  'device.firmware_version as firmwareVersion',
  'device.facts',
  'device.access_type as accessType',
  'device.relay_mac as relayMac',
  'device.lock_macs as lockMacs',
  'device.digital_code as digitalCode',
  'device.open_door_confirm as openDoorConfirm',
  'device.channel_count as channelCount',
  'device.supports_video as supportsVideo',
  'device.released_at as releasedAt',
  'device.released_by as releasedBy',
  'device.signed_in_by as signedInBy',
  'device.paired_by_operator as pairedBy',
  'device.created_at as createdAt',
  'device.version',
])

/** Rows of devices name their groups themselves. */
const isSeen = (scope: Scope) => deviceGroupIsSeen(scope, 'device.group_id')

const devicesOf = (scope: Scope, db: Db) => db.selectFrom('device').where('device.park_id', '=', scope.parkId).where(isSeen(scope))

const withGroup = (scope: Scope, db: Db) => devicesOf(scope, db).leftJoin('device_group', 'device_group.id', 'device.group_id')

/** As they are shown: of secrets only whether there are any. */
const shown = (rows: ReturnType<typeof withGroup>) =>
  rows
    .select(deviceColumns)
    .select((eb) => [
      eb('device.password', 'is not', null).$castTo<boolean>().as('hasPassword'),
      eb('device.device_password', 'is not', null).$castTo<boolean>().as('hasDevicePassword'),
    ])

/** @param among null: any group, any device */
export async function listDevices(
  scope: Scope,
  db: Db,
  query: DeviceQuery,
  among: { groupIds: readonly string[] | null; ids: readonly string[] | null },
) {
  let rows = withGroup(scope, db)
  const { keyword = '' } = query
  if (keyword !== '')
    rows = rows.where((eb) => eb.or([eb('device.name', 'ilike', containing(keyword)), eb('device.code', 'ilike', containing(keyword))]))
  if (query.name !== undefined && query.name !== '') rows = rows.where('device.name', 'ilike', containing(query.name))
  if (query.code !== undefined && query.code !== '') rows = rows.where('device.code', 'ilike', containing(query.code))
  if (query.type !== undefined) rows = rows.where('device.type', '=', query.type)
  if (query.onlineStatus !== undefined) rows = rows.where('device.online', '=', query.onlineStatus === 1)
  if (query.firmwareVersion !== undefined && query.firmwareVersion !== '')
    rows = rows.where('device.firmware_version', '=', query.firmwareVersion)
  if (among.groupIds !== null) rows = rows.where('device.group_id', '=', oneOf(among.groupIds))
  if (among.ids !== null) rows = rows.where('device.id', '=', oneOf(among.ids))
  const isExactly = sql<boolean>`lower(${keyword}) IN (lower(device.name), lower(device.code))`
  return readPage(
    shown(rows)
      .$if(keyword !== '', (found) => found.orderBy(isExactly, 'desc'))
      .orderBy('device.created_at', 'desc')
      .orderBy('device.id', 'desc'),
    query,
  )
}
export type DeviceRow = Awaited<ReturnType<typeof listDevices>>['content'][number]

export function findDevices(scope: Scope, db: Db, ids: readonly string[]): Promise<DeviceRow[]> {
  if (ids.length === 0) return Promise.resolve([])
  return shown(withGroup(scope, db).where('device.id', '=', oneOf(ids))).execute()
}

/** Every device of the park, for telling devices of a change. */
export function allDevices(scope: Scope, db: Db): Promise<DeviceRow[]> {
  return shown(withGroup(scope, db)).orderBy('device.name').execute()
}

/** How every device of the park is, by name, for counting. */
export function findStates(scope: Scope, db: Db) {
  return devicesOf(scope, db)
    .select([
      'id',
      'name',
      'online',
      'authorisation',
      'last_seen_at as lastSeenAt',
      'released_at as releasedAt',
      sql<number | null>`(facts->>'capacity')::int`.as('capacity'),
      sql<number | null>`(facts->'storeTampering'->>'at')::float8`.as('tamperedAt'),
    ])
    .orderBy('name')
    .execute()
}

export async function findCodes(scope: Scope, db: Db): Promise<string[]> {
  const rows = await db.selectFrom('device').select('code').where('park_id', '=', scope.parkId).execute()
  return rows.map(({ code }) => code)
}

/** Devices that sent their secret when they last paired, by name. */
export function findSendingSecrets(scope: Scope, db: Db): Promise<{ id: string; name: string; code: string }[]> {
  return devicesOf(scope, db)
    .select(['id', 'name', 'code'])
    .where('signed_in_by', '=', 'secret')
    .where('authorisation', '=', deviceAuthorisationStatus.authorised)
    .orderBy('name')
    .execute()
}

/** Names and codes of the devices of the park and the groups they stand in, by name. */
export function findLeaves(scope: Scope, db: Db): Promise<{ id: string; name: string; code: string; groupId: string | null }[]> {
  return devicesOf(scope, db).select(['id', 'name', 'code', 'group_id as groupId']).orderBy('name').execute()
}

/** What devices should hold is worked out from this, for all of the park. */
export function findRegister(scope: Scope, db: Db) {
  return devicesOf(scope, db)
    .select([
      'id',
      'code',
      'name',
      'direction',
      'group_id as groupId',
      'model_id as modelId',
      'device_password as devicePassword',
      'released_at as releasedAt',
    ])
    .orderBy('name')
    .execute()
}

export async function findDeviceIdsInGroups(scope: Scope, db: Db, groupIds: readonly string[]): Promise<string[]> {
  if (groupIds.length === 0) return []
  const rows = await devicesOf(scope, db).select('id').where('group_id', '=', oneOf(groupIds)).execute()
  return rows.map((row) => row.id)
}

export interface DeviceSecrets {
  /** Encrypted. */
  password: Buffer | null
  devicePassword: Buffer | null
}

export function findSecrets(scope: Scope, db: Db, id: string): Promise<DeviceSecrets | undefined> {
  return devicesOf(scope, db).select(['password', 'device_password as devicePassword']).where('id', '=', id).executeTakeFirst()
}

export interface DeviceValues extends DeviceSecrets {
  name: string
  type: number
  model: number
  groupId: string | null
  direction: number
  /** Undefined: as the device told. */
  ip: string | undefined
  port: number | null
  userName: string
  accessType: number | null
  relayMac: string
  lockMacs: string[]
  digitalCode: string | null
  openDoorConfirm: boolean
  channelCount: number
  supportsVideo: boolean
}

const columnsOf = (values: DeviceValues) => ({
  name: values.name,
  type: values.type,
  model: values.model,
  group_id: values.groupId,
  direction: values.direction,
  ...(values.ip !== undefined && { ip: values.ip }),
  port: values.port,
  user_name: values.userName,
  password: values.password,
  access_type: values.accessType,
  relay_mac: values.relayMac,
  lock_macs: values.lockMacs,
  device_password: values.devicePassword,
  digital_code: values.digitalCode,
  open_door_confirm: values.openDoorConfirm,
  channel_count: values.channelCount,
  supports_video: values.supportsVideo,
})

export interface PairingValues {
  secretHash: Buffer
  /** When it ends, epoch milliseconds; null where it opens nothing. */
  secretUntil: number | null
  authorisation: number
}

export async function insertDevice(
  scope: Scope,
  db: Db,
  device: DeviceValues & PairingValues & { id: string; code: string; author: Author | null; release: Release },
  now: number,
): Promise<void> {
  await db
    .insertInto('device')
    .values({
      id: device.id,
      park_id: scope.parkId,
      code: device.code,
      ip: '',
      ...columnsOf(device),
      secret_hash: device.secretHash,
      secret_until: device.secretUntil === null ? null : timestamp(device.secretUntil),
      ...releaseColumns(device.release),
      ...authorColumns(device.author),
      first_fetch_at: null,
      first_fetch_persons: null,
      online: false,
      authorisation: device.authorisation,
      last_seen_at: null,
      online_since: null,
      firmware_version: '',
      model_id: '',
      facts: '{}',
      created_at: timestamp(now),
      updated_at: timestamp(now),
      version: 1,
    })
    .execute()
}

/** False where the device is not at `version` any more. */
export function updateDevice(scope: Scope, db: Db, id: string, values: DeviceValues, version: number, now: number): Promise<boolean> {
  return updateAtVersion(scope, db, 'device', { id, version }, columnsOf(values), now)
}

/** Puts devices into a group, or into none. */
export async function moveDevices(
  scope: Scope,
  tx: Tx<DevicesTables>,
  ids: readonly string[],
  groupId: string | null,
  now: number,
): Promise<void> {
  await tx
    .updateTable('device')
    .set((eb) => ({ group_id: groupId, updated_at: timestamp(now), version: eb('version', '+', 1) }))
    .where('park_id', '=', scope.parkId)
    .where('id', '=', oneOf(ids))
    .execute()
}

/** Which of these are taken already, lower case: codes and digital codes in the installation, names in the park. */
export async function findTaken(
  scope: Scope,
  db: Db,
  wanted: { codes: string[]; names: string[]; digitalCodes: string[] },
): Promise<{ codes: Set<string>; names: Set<string>; digitalCodes: Set<string> }> {
  const among = (values: string[]) => sql<string>`ANY(${sql.val(values)}::text[])`
  const [codes, names, digitalCodes] = await Promise.all([
    db
      .selectFrom('device')
      .select(sql<string>`lower(code)`.as('value'))
      .where(sql`lower(code)`, '=', among(wanted.codes))
      .execute(),
    db
      .selectFrom('device')
      .select(sql<string>`lower(name)`.as('value'))
      .where('park_id', '=', scope.parkId)
      .where(sql`lower(name)`, '=', among(wanted.names))
      .execute(),
    db
      .selectFrom('device')
      .select(sql<string>`digital_code`.as('value'))
      .where('digital_code', '=', among(wanted.digitalCodes))
      .execute(),
  ])
  const set = (rows: { value: string }[]) => new Set(rows.map(({ value }) => value))
  return { codes: set(codes), names: set(names), digitalCodes: set(digitalCodes) }
}

/** How a device stands, held until the transaction ends: nobody changes it meanwhile. */
export function lockState(scope: Scope, tx: Tx<DevicesTables>, id: string) {
  return tx
    .selectFrom('device')
    .select((eb) => [
      'id',
      'code',
      'name',
      'group_id as groupId',
      'online',
      'authorisation',
      'secret_until as secretUntil',
      'model_id as modelId',
      eb('released_at', 'is not', null).$castTo<boolean>().as('released'),
    ])
    .where('id', '=', id)
    .where('park_id', '=', scope.parkId)
    .where(isSeen(scope))
    .forUpdate()
    .executeTakeFirst()
}

/** With another secret nobody is online by the one before: a terminal that is refused elsewhere first leaves without a last will. */
export async function updatePairing(
  scope: Scope,
  db: Db,
  id: string,
  { secretHash, secretUntil, authorisation }: PairingValues,
): Promise<void> {
  await db
    .updateTable('device')
    .set({
      secret_hash: secretHash,
      secret_until: secretUntil === null ? null : timestamp(secretUntil),
      authorisation,
      online: false,
      online_since: null,
    })
    .where('id', '=', id)
    .where('park_id', '=', scope.parkId)
    .execute()
}

/** Devices whose secret has waited too long. Unscoped: a job for all parks. */
export function findLapsedUnscoped(db: Db, now: number): Promise<{ id: string; parkId: string }[]> {
  return db
    .selectFrom('device')
    .select(['id', 'park_id as parkId'])
    .where('authorisation', '=', sql.lit(deviceAuthorisationStatus.authorising))
    .where('secret_until', '<=', timestamp(now))
    .execute()
}

export interface DeviceStatus {
  online?: boolean
  /** It has paired: its secret waits no longer. */
  authorised?: true
  lastSeenAt?: number
  ip?: string
  firmwareVersion?: string
  modelId?: string
  signedInBy?: DeviceSignIn
  facts?: ToldFacts
}

/** Notes what a device said of itself; the version that guards edits by people stays. @param now since when it is online, if it was not */
export async function updateStatus(scope: Scope, db: Db, id: string, status: DeviceStatus, now: number): Promise<void> {
  await db
    .updateTable('device')
    .set((eb) => ({
      ...(status.online !== undefined && {
        online: status.online,
        online_since: status.online ? eb.fn.coalesce('online_since', eb.val(timestamp(now))) : null,
      }),
      ...(status.authorised && { authorisation: deviceAuthorisationStatus.authorised, secret_until: null }),
      ...(status.lastSeenAt !== undefined && { last_seen_at: timestamp(status.lastSeenAt) }),
      ...(status.ip !== undefined && { ip: status.ip }),
      ...(status.firmwareVersion !== undefined && { firmware_version: status.firmwareVersion }),
      ...(status.modelId !== undefined && { model_id: status.modelId }),
      ...(status.signedInBy !== undefined && { signed_in_by: status.signedInBy }),
      ...(status.facts !== undefined && { facts: JSON.stringify(status.facts) }),
      // Whoever entered it could not know; an Android device is not controlled from here.
      ...(status.facts?.platform === ANDROID && {
        model: eb.case().when('model', '=', deviceModel.standard).then(deviceModel.android).else(eb.ref('model')).end(),
      }),
    }))
    .where('id', '=', id)
    .where('park_id', '=', scope.parkId)
    .execute()
}
export async function deleteDevices(scope: Scope, db: Db, ids: readonly string[], now: number): Promise<string[]> {
  await insertRemovals(scope, db, now, ids)
  const rows = await db.deleteFrom('device').where('park_id', '=', scope.parkId).where('id', 'in', ids).returning('code').execute()
  return rows.map((row) => row.code)
}

export async function deleteDevicesOfPark(scope: Scope, db: Db, now: number): Promise<{ ids: string[]; codes: string[] }> {
  await insertRemovals(scope, db, now)
  const rows = await db.deleteFrom('device').where('park_id', '=', scope.parkId).returning(['id', 'code']).execute()
  await db.deleteFrom('device_group').where('park_id', '=', scope.parkId).execute()
  return { ids: rows.map((row) => row.id), codes: rows.map((row) => row.code) }
}

const entries = (db: Db) =>
  db
    .selectFrom('device')
    .select((eb) => [
      'id',
      'code',
      'park_id as parkId',
      'secret_hash as secretHash',
      eb('released_at', 'is not', null).$castTo<boolean>().as('released'),
    ])

/** All devices as they say who they are. Unscoped: the directory of the installation. */
export function allEntriesUnscoped(db: Db): Promise<DeviceEntry[]> {
  return entries(db).execute()
}

export function findEntries(scope: Scope, db: Db, ids: readonly string[]): Promise<DeviceEntry[]> {
  if (ids.length === 0) return Promise.resolve([])
  return entries(db).where('park_id', '=', scope.parkId).where('id', 'in', ids).execute()
}

/** The device of a code. Unscoped: it is how a device says who it is. */
export function findEntryUnscoped(db: Db, code: string): Promise<DeviceEntry | undefined> {
  return entries(db)
    .where((eb) => eb(eb.fn('lower', ['code']), '=', code.toLowerCase()))
    .executeTakeFirst()
}

/** After a start nobody is connected yet, whatever the last run wrote. Unscoped: all devices. */
export async function markAllOfflineUnscoped(db: Db): Promise<void> {
  await db.updateTable('device').set({ online: false, online_since: null }).where('online', '=', true).execute()
}

/** Unscoped: the health of an installation is that of all its parks. */
export function countConnectedUnscoped(db: Db): Promise<{ registered: number; connected: number }> {
  return db
    .selectFrom('device')
    .select((eb) => [eb.fn.countAll<number>().as('registered'), eb.fn.countAll<number>().filterWhere('online', '=', true).as('connected')])
    .executeTakeFirstOrThrow()
}

/** How many devices of each type these parks have. Unscoped: limits hold for organisations of many parks. */
export function countByTypeUnscoped(db: Db, parkIds: readonly string[]): Promise<{ type: number; count: number }[]> {
  return db
    .selectFrom('device')
    .select((eb) => ['type', eb.fn.countAll<number>().as('count')])
    .where('park_id', '=', oneOf(parkIds))
    .groupBy('type')
    .execute()
}
