/** Rows of devices; every scoped function takes the scope first. */
import type { z } from 'zod'
import type { deviceQuery } from '@gatehouse/contract/devices/calls'
import { deviceAuthorisationStatus } from '@gatehouse/contract/enums/devices'
import { columnList } from '../../platform/database/column-list.ts'
import { containing, oneOf, sql, timestamp, type Database, type Transaction } from '../../platform/database/database.ts'
import { readPage } from '../../platform/database/page.ts'
import type { Actor, Scope } from '../../platform/session/session.ts'
import { deviceGroupIsSeen } from '../../platform/session/sight.ts'
import { updateAtVersion } from '../../platform/database/versioned-rows.ts'
import { authorColumns, releaseColumns, type Release } from './release-data.ts'
import { insertRemovals } from './removal-data.ts'

export type DeviceQuery = z.output<typeof deviceQuery>

const deviceColumns = columnList([
  'device.id',
  'device.code',
  'device.name',
  'device.type',
  'device.model',
  'device.groupId',
  'deviceGroup.name as groupName',
  'device.direction',
  'device.online',
  'device.authorisation',
  'device.lastSeenAt',
  'device.onlineSince',
  'device.ip',
  'device.port',
  'device.userName',
  'device.firmwareVersion',
  'device.facts',
  'device.accessType',
  'device.relayMac',
  'device.lockMacs',
  'device.digitalCode',
  'device.openDoorConfirm',
  'device.channelCount',
  'device.supportsVideo',
  'device.releasedAt',
  'device.releasedBy',
  'device.signedInBy',
  'device.pairedByOperator as pairedBy',
  'device.createdAt',
  'device.version',
])

/** Restrict rows of devices to those whose group the caller sees. */
const isSeen = (scope: Scope) => deviceGroupIsSeen(scope, 'device.groupId')

const devicesOf = (scope: Scope, db: Database) => db.selectFrom('device').where('device.parkId', '=', scope.parkId).where(isSeen(scope))

const withGroup = (scope: Scope, db: Database) => devicesOf(scope, db).leftJoin('deviceGroup', 'deviceGroup.id', 'device.groupId')

/** Select devices as they are shown: of secrets, only whether they are set. */
const shown = (rows: ReturnType<typeof withGroup>) =>
  rows
    .select(deviceColumns)
    .select((eb) => [
      eb('device.password', 'is not', null).$castTo<boolean>().as('hasPassword'),
      eb('device.devicePassword', 'is not', null).$castTo<boolean>().as('hasDevicePassword'),
    ])

/** @param among null: any group, any device */
export async function listDevices(
  scope: Scope,
  db: Database,
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
    rows = rows.where('device.firmwareVersion', '=', query.firmwareVersion)
  if (among.groupIds !== null) rows = rows.where('device.groupId', '=', oneOf(among.groupIds))
  if (among.ids !== null) rows = rows.where('device.id', '=', oneOf(among.ids))
  const isExactly = sql<boolean>`lower(${keyword}) IN (lower(device.name), lower(device.code))`
  return readPage(
    shown(rows)
      .$if(keyword !== '', (found) => found.orderBy(isExactly, 'desc'))
      .orderBy('device.createdAt', 'desc')
      .orderBy('device.id', 'desc'),
    query,
  )
}
export type DeviceRow = Awaited<ReturnType<typeof listDevices>>['content'][number]

export function findDevices(scope: Scope, db: Database, ids: readonly string[]): Promise<DeviceRow[]> {
  if (ids.length === 0) return Promise.resolve([])
  return shown(withGroup(scope, db).where('device.id', '=', oneOf(ids))).execute()
}

/** Return all devices of the park, by name. */
export function allDevices(scope: Scope, db: Database): Promise<DeviceRow[]> {
  return shown(withGroup(scope, db)).orderBy('device.name').execute()
}

/** Return the state of every device of the park, by name, for counting. */
export function findStates(scope: Scope, db: Database) {
  return devicesOf(scope, db)
    .select([
      'id',
      'name',
      'online',
      'authorisation',
      'lastSeenAt',
      'releasedAt',
      sql<number | null>`(facts->>'capacity')::int`.as('capacity'),
      sql<number | null>`(facts->'storeTampering'->>'at')::float8`.as('tamperedAt'),
    ])
    .orderBy('name')
    .execute()
}

export async function findCodes(scope: Scope, db: Database): Promise<string[]> {
  const rows = await db.selectFrom('device').select('code').where('parkId', '=', scope.parkId).execute()
  return rows.map(({ code }) => code)
}

/** Return the paired devices that last signed in by sending their secret, by name. */
export function findSendingSecrets(scope: Scope, db: Database): Promise<{ id: string; name: string; code: string }[]> {
  return devicesOf(scope, db)
    .select(['id', 'name', 'code'])
    .where('signedInBy', '=', 'secret')
    .where('authorisation', '=', deviceAuthorisationStatus.authorised)
    .orderBy('name')
    .execute()
}

/** Return the devices of the park with their groups, by name. */
export function findLeaves(scope: Scope, db: Database): Promise<{ id: string; name: string; code: string; groupId: string | null }[]> {
  return devicesOf(scope, db).select(['id', 'name', 'code', 'groupId']).orderBy('name').execute()
}

/** Return all devices of the park with the fields from which the synchronisation derives what they should store. */
export function findRegister(scope: Scope, db: Database) {
  return devicesOf(scope, db)
    .select(['id', 'code', 'name', 'direction', 'groupId', 'modelId', 'devicePassword', 'releasedAt'])
    .orderBy('name')
    .execute()
}

export async function findDeviceIdsInGroups(scope: Scope, db: Database, groupIds: readonly string[]): Promise<string[]> {
  if (groupIds.length === 0) return []
  const rows = await devicesOf(scope, db).select('id').where('groupId', '=', oneOf(groupIds)).execute()
  return rows.map((row) => row.id)
}

export interface DeviceSecrets {
  /** Encrypted. */
  password: Buffer | null
  devicePassword: Buffer | null
}

export function findSecrets(scope: Scope, db: Database, id: string): Promise<DeviceSecrets | undefined> {
  return devicesOf(scope, db).select(['password', 'devicePassword']).where('id', '=', id).executeTakeFirst()
}

export interface DeviceValues extends DeviceSecrets {
  name: string
  type: number
  model: number
  groupId: string | null
  direction: number
  /** Undefined: as the device reported. */
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
  groupId: values.groupId,
  direction: values.direction,
  ...(values.ip !== undefined && { ip: values.ip }),
  port: values.port,
  userName: values.userName,
  password: values.password,
  accessType: values.accessType,
  relayMac: values.relayMac,
  lockMacs: values.lockMacs,
  devicePassword: values.devicePassword,
  digitalCode: values.digitalCode,
  openDoorConfirm: values.openDoorConfirm,
  channelCount: values.channelCount,
  supportsVideo: values.supportsVideo,
})

export interface PairingValues {
  secretHash: Buffer
  /** When the secret ends, epoch milliseconds; null if there is no secret. */
  secretUntil: number | null
  authorisation: number
}

export async function insertDevice(
  scope: Scope,
  db: Database,
  device: DeviceValues & PairingValues & { id: string; code: string; author: Actor | null; release: Release },
  now: number,
): Promise<void> {
  await db
    .insertInto('device')
    .values({
      id: device.id,
      parkId: scope.parkId,
      code: device.code,
      ip: '',
      ...columnsOf(device),
      secretHash: device.secretHash,
      secretUntil: device.secretUntil === null ? null : timestamp(device.secretUntil),
      ...releaseColumns(device.release),
      ...authorColumns(device.author),
      firstFetchAt: null,
      firstFetchPersons: null,
      online: false,
      authorisation: device.authorisation,
      lastSeenAt: null,
      onlineSince: null,
      firmwareVersion: '',
      modelId: '',
      facts: '{}',
      createdAt: timestamp(now),
      updatedAt: timestamp(now),
      version: 1,
    })
    .execute()
}

/** Update a device; return false if it is no longer at `version`. */
export function updateDevice(scope: Scope, db: Database, id: string, values: DeviceValues, version: number, now: number): Promise<boolean> {
  return updateAtVersion(scope, db, 'device', { id, version }, columnsOf(values), now)
}

/** Move devices into a group, or out of any. */
export async function moveDevices(
  scope: Scope,
  tx: Transaction,
  ids: readonly string[],
  groupId: string | null,
  now: number,
): Promise<void> {
  await tx
    .updateTable('device')
    .set((eb) => ({ groupId, updatedAt: timestamp(now), version: eb('version', '+', 1) }))
    .where('parkId', '=', scope.parkId)
    .where('id', '=', oneOf(ids))
    .execute()
}

/** Return which of these are taken, in lower case: codes and digital codes in the installation, names in the park. */
export async function findTaken(
  scope: Scope,
  db: Database,
  values: { codes: string[]; names: string[]; digitalCodes: string[] },
): Promise<{ codes: Set<string>; names: Set<string>; digitalCodes: Set<string> }> {
  const among = (texts: string[]) => sql<string>`ANY(${sql.val(texts)}::text[])`
  const [codes, names, digitalCodes] = await Promise.all([
    db
      .selectFrom('device')
      .select(sql<string>`lower(code)`.as('value'))
      .where(sql`lower(code)`, '=', among(values.codes))
      .execute(),
    db
      .selectFrom('device')
      .select(sql<string>`lower(name)`.as('value'))
      .where('parkId', '=', scope.parkId)
      .where(sql`lower(name)`, '=', among(values.names))
      .execute(),
    db
      .selectFrom('device')
      .select(sql<string>`digital_code`.as('value'))
      .where('digitalCode', '=', among(values.digitalCodes))
      .execute(),
  ])
  const set = (rows: { value: string }[]) => new Set(rows.map(({ value }) => value))
  return { codes: set(codes), names: set(names), digitalCodes: set(digitalCodes) }
}

/** Lock a device until the transaction ends, and return its state. */
export function lockState(scope: Scope, tx: Transaction, id: string) {
  return tx
    .selectFrom('device')
    .select((eb) => [
      'id',
      'code',
      'name',
      'groupId',
      'online',
      'authorisation',
      'secretUntil',
      'modelId',
      eb('releasedAt', 'is not', null).$castTo<boolean>().as('released'),
    ])
    .where('id', '=', id)
    .where('parkId', '=', scope.parkId)
    .where(isSeen(scope))
    .forUpdate()
    .executeTakeFirst()
}

/** Store another secret. The device is offline then: a terminal that is refused elsewhere first disconnects without a last will. */
export async function updatePairing(
  scope: Scope,
  db: Database,
  id: string,
  { secretHash, secretUntil, authorisation }: PairingValues,
): Promise<void> {
  await db
    .updateTable('device')
    .set({
      secretHash,
      secretUntil: secretUntil === null ? null : timestamp(secretUntil),
      authorisation,
      online: false,
      onlineSince: null,
    })
    .where('id', '=', id)
    .where('parkId', '=', scope.parkId)
    .execute()
}

/** Return the devices whose secret expired before they paired. Unscoped: a job for all parks. */
export function findLapsedUnscoped(db: Database, now: number): Promise<{ id: string; parkId: string }[]> {
  return db
    .selectFrom('device')
    .select(['id', 'parkId'])
    .where('authorisation', '=', sql.lit(deviceAuthorisationStatus.authorising))
    .where('secretUntil', '<=', timestamp(now))
    .execute()
}

export async function deleteDevices(scope: Scope, db: Database, ids: readonly string[], now: number): Promise<string[]> {
  await insertRemovals(scope, db, now, ids)
  if (ids.length > 0) await db.deleteFrom('deviceNumbered').where('parkId', '=', scope.parkId).where('deviceId', 'in', ids).execute()
  const rows = await db.deleteFrom('device').where('parkId', '=', scope.parkId).where('id', 'in', ids).returning('code').execute()
  return rows.map((row) => row.code)
}

export async function deleteDevicesOfPark(scope: Scope, db: Database, now: number): Promise<{ ids: string[]; codes: string[] }> {
  await insertRemovals(scope, db, now)
  await db.deleteFrom('deviceNumbered').where('parkId', '=', scope.parkId).execute()
  const rows = await db.deleteFrom('device').where('parkId', '=', scope.parkId).returning(['id', 'code']).execute()
  await db.deleteFrom('deviceGroup').where('parkId', '=', scope.parkId).execute()
  return { ids: rows.map((row) => row.id), codes: rows.map((row) => row.code) }
}

/** Return how many devices of each type these parks have. Unscoped: limits apply to organisations of many parks. */
export function countByTypeUnscoped(db: Database, parkIds: readonly string[]): Promise<{ type: number; count: number }[]> {
  return db
    .selectFrom('device')
    .select((eb) => ['type', eb.fn.countAll<number>().as('count')])
    .where('parkId', '=', oneOf(parkIds))
    .groupBy('type')
    .execute()
}
