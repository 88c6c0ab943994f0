/** The register of devices. */
import { createHash, randomBytes } from 'node:crypto'
import type { z } from 'zod'
import { DEVICE_GROUP_DEPTH_SERVER } from '@gatehouse/contract'
import type { Device, DeviceGroupNode, deviceFields } from '@gatehouse/contract/devices/calls'
import { modelsOfType } from '@gatehouse/contract/enums/device-models'
import type { Platform } from '../../platform/context.ts'
import { violatedConstraint, type Database, type OpenTransaction, type Tx } from '../../platform/database.ts'
import { newId } from '../../platform/ids.ts'
import { Conflict, InvalidRequest, NotFound, refuse } from '../../platform/refusal.ts'
import type { DevicePrincipal, Scope } from '../../platform/session.ts'
import { treeOf, withDescendants } from '../../platform/tree.ts'
import * as data from './data.ts'
import { principalOf, type DeviceDirectory } from './directory.ts'
import { deviceSecretReset, deviceStatusChanged, devicesChanged, devicesDeleted } from './events.ts'
import type { DevicesTables } from './schema.ts'

export type DeviceFields = z.output<typeof deviceFields>
export interface PairingSecret {
  id: string
  code: string
  secret: string
}

export interface DevicesService {
  list(scope: Scope, query: data.DeviceQuery): Promise<{ total: number; content: Device[]; page: number; size: number }>
  read(scope: Scope, id: string): Promise<Device>
  create(scope: Scope, fields: DeviceFields): Promise<PairingSecret>
  change(scope: Scope, id: string, version: number | undefined, fields: Omit<DeviceFields, 'code'>): Promise<void>
  resetSecret(scope: Scope, id: string): Promise<PairingSecret>
  delete(scope: Scope, ids: readonly string[]): Promise<number>
  all(scope: Scope): Promise<Device[]>
  /** Those of these devices that are there. */
  some(scope: Scope, ids: readonly string[]): Promise<Device[]>
  noteStatus(scope: Scope, id: string, status: data.DeviceStatus): Promise<void>
  /** Forgets what was known of these devices' secrets: an old one is refused once this resolves. */
  refresh(scope: Scope, ids: readonly string[]): Promise<void>
  authenticate(code: string, secret: string): Promise<DevicePrincipal | null>
  byCode(code: string): Promise<DevicePrincipal | null>
  /** Id and hash of the secret of a device, for what is derived from them. */
  credentialOf(code: string): Promise<{ deviceId: string; code: string; secretHash: string } | null>
  /** What devices should hold is worked out for all of them. */
  register(scope: Scope): Promise<{ id: string; code: string; name: string; direction: number; groupId: string | null; modelId: string }[]>
  groupRows(scope: Scope): Promise<{ id: string; parentId: string | null }[]>
  groupTree(scope: Scope): Promise<DeviceGroupNode[]>
  createGroup(scope: Scope, name: string, parentId: string | null): Promise<string>
  names(scope: Scope, ids: readonly string[]): Promise<{ id: string; name: string }[]>
  facts(scope: Scope, ids: readonly string[]): Promise<{ id: string; name: string; code: string; groupId: string | null; direction: number }[]>
  groupNames(scope: Scope, ids: readonly string[]): Promise<{ id: string; name: string }[]>
  /** Devices in these groups and those below. */
  idsInGroups(scope: Scope, groupIds: readonly string[]): Promise<string[]>
  markAllOffline(): Promise<void>
  erasePark(tx: OpenTransaction, scope: Scope): Promise<Record<string, number>>
}

/** Persons a device should hold, does hold, and cannot recognise. */
export interface DeviceHolding {
  personsDesired: number
  personsHeld: number
  personsFailed: number
}
const NOTHING: DeviceHolding = { personsDesired: 0, personsHeld: 0, personsFailed: 0 }

/** What devices hold; the context that knows it needs this one first. */
export type Holdings = (scope: Scope, deviceIds: readonly string[]) => Promise<Map<string, DeviceHolding>>

const digest = (secret: string): Buffer => createHash('sha256').update(secret).digest()

const present = ({ online, paired, groupName, ...row }: data.DeviceRow, held: DeviceHolding = NOTHING): Device => ({
  ...row,
  personsDesired: held.personsDesired,
  personsHeld: held.personsHeld,
  personsFailed: held.personsFailed,
  groupName: groupName ?? '',
  onlineStatus: Number(online),
  authorisationStatus: Number(paired),
  lastSeenAt: row.lastSeenAt as number | null,
  createdAt: row.createdAt as number,
})

function taken(error: unknown): never {
  const constraint = violatedConstraint(error)
  if (constraint === 'device_code') refuse(400006, 'code')
  if (constraint === 'device_name') refuse(400005, 'name')
  if (constraint === 'device_group_name') refuse(200107, 'name')
  throw error
}

/** What decides about who may pass at a device; its zone is the park's. */
const settingsOf = ({ groupId, direction, type }: data.DeviceValues) => ({ groupId, direction, type })

export function createDevicesService(platform: Platform, directory: DeviceDirectory, holdings: Holdings): DevicesService {
  const db = platform.db as unknown as Database<DevicesTables>

  async function presented(scope: Scope, rows: readonly data.DeviceRow[]): Promise<Device[]> {
    const held = await holdings(scope, rows.map(({ id }) => id))
    return rows.map((row) => present(row, held.get(row.id)))
  }

  async function checked(scope: Scope, fields: Omit<DeviceFields, 'code'>): Promise<data.DeviceValues> {
    if (modelsOfType[fields.type]?.includes(fields.model) === false) refuse(400204, 'model')
    const groupId = fields.groupId ?? null
    if (groupId !== null && !(await data.listGroups(scope, db)).some((group) => group.id === groupId))
      throw new InvalidRequest([{ path: 'groupId', rule: 'unknown' }])
    return { name: fields.name, type: fields.type, model: fields.model, groupId, direction: fields.direction }
  }

  async function existing(scope: Scope, ids: readonly string[]): Promise<data.DeviceRow[]> {
    const rows = await data.findDevices(scope, db, ids)
    if (rows.length < new Set(ids).size) throw new NotFound()
    return rows
  }

  /** A group and all above it, nearest first. */
  async function groupPath(scope: Scope, groupId: string | null): Promise<string[]> {
    const parents = new Map((await data.listGroups(scope, db)).map((group) => [group.id, group.parentId]))
    const path: string[] = []
    for (let at = groupId; at !== null && parents.has(at) && !path.includes(at); at = parents.get(at) ?? null) path.push(at)
    return path
  }

  const withGroupsBelow = async (scope: Scope, ids: readonly string[]): Promise<string[]> => withDescendants(await data.listGroups(scope, db), ids)

  return {
    async list(scope, query) {
      const groupIds = query.groupId === undefined ? null : await withGroupsBelow(scope, [query.groupId])
      if (groupIds?.length === 0) throw new NotFound()
      const { content, total } = await data.listDevices(scope, db, query, groupIds)
      return { total, content: await presented(scope, content), page: query.page, size: query.size }
    },
    read: async (scope, id) => (await presented(scope, await existing(scope, [id])))[0]!,
    some: async (scope, ids) => presented(scope, await data.findDevices(scope, db, ids)),
    all: async (scope) => presented(scope, await data.allDevices(scope, db)),
    async create(scope, fields) {
      const values = await checked(scope, fields)
      const secret = randomBytes(24).toString('base64url')
      const id = newId()
      await platform
        .transaction(async (tx: Tx<DevicesTables>) => {
          await data.insertDevice(scope, tx, { ...values, id, code: fields.code, secretHash: digest(secret) }, platform.clock.now())
          await platform.history.note(tx, scope, 'device', id, settingsOf(values))
          await platform.events.announce(tx, devicesChanged, scope.parkId, { deviceIds: [id] })
        })
        .catch(taken)
      return { id, code: fields.code, secret }
    },
    async change(scope, id, version, fields) {
      const [row] = await existing(scope, [id])
      const values = await checked(scope, fields)
      await platform
        .transaction(async (tx: Tx<DevicesTables>) => {
          if (!(await data.updateDevice(scope, tx, id, values, version ?? row!.version, platform.clock.now()))) {
            const differing = (['name', 'type', 'model', 'groupId', 'direction'] as const).filter((key) => row![key] !== values[key])
            throw new Conflict(differing.length > 0 ? differing : ['version'])
          }
          await platform.history.note(tx, scope, 'device', id, settingsOf(values))
          await platform.events.announce(tx, devicesChanged, scope.parkId, { deviceIds: [id] })
        })
        .catch(taken)
    },
    async resetSecret(scope, id) {
      const [row] = await existing(scope, [id])
      const secret = randomBytes(24).toString('base64url')
      await platform.transaction(async (tx: Tx<DevicesTables>) => {
        await data.updateSecret(scope, tx, id, digest(secret))
        await platform.events.announce(tx, deviceSecretReset, scope.parkId, { deviceIds: [id], code: row!.code })
      })
      await directory.refresh(scope, [id])
      return { id, code: row!.code, secret }
    },
    async delete(scope, ids) {
      await existing(scope, ids)
      const deviceIds = [...new Set(ids)]
      await platform.transaction(async (tx: Tx<DevicesTables>) => {
        const codes = await data.deleteDevices(scope, tx, deviceIds)
        await platform.history.noteAll(tx, scope, 'device', deviceIds, async () => new Map())
        await platform.events.announce(tx, devicesDeleted, scope.parkId, { deviceIds, codes })
      })
      await directory.refresh(scope, deviceIds)
      return deviceIds.length
    },
    async noteStatus(scope, id, status) {
      await platform.transaction(async (tx: Tx<DevicesTables>) => {
        // With another engine it is to be asked for what that one can tell.
        const isOther = status.modelId !== undefined && (await data.hasOtherModel(scope, tx, id, status.modelId))
        await data.updateStatus(scope, tx, id, status)
        if (isOther) await platform.events.announce(tx, devicesChanged, scope.parkId, { deviceIds: [id] })
        await platform.events.announce(tx, deviceStatusChanged, scope.parkId, { deviceIds: [id] })
      })
    },
    refresh: (scope, ids) => directory.refresh(scope, ids),
    authenticate: (code, secret) => directory.authenticate(code, digest(secret)),
    async byCode(code) {
      const entry = await directory.byCode(code)
      return entry === null ? null : principalOf(entry)
    },
    async credentialOf(code) {
      const entry = await directory.byCode(code)
      return entry === null ? null : { deviceId: entry.id, code: entry.code, secretHash: entry.secretHash.toString('hex') }
    },
    register: (scope) => data.findRegister(scope, db),
    groupRows: (scope) => data.findGroupRows(scope, db),
    groupTree: async (scope) => treeOf(await data.listGroups(scope, db), 'deviceCount'),
    async createGroup(scope, name, parentId) {
      if (parentId !== null) {
        const path = await groupPath(scope, parentId)
        if (path.length === 0) throw new InvalidRequest([{ path: 'parentId', rule: 'unknown' }])
        if (path.length >= DEVICE_GROUP_DEPTH_SERVER)
          throw new InvalidRequest([{ path: 'parentId', rule: 'depth', params: { limit: DEVICE_GROUP_DEPTH_SERVER } }])
      }
      const id = newId()
      await platform
        .transaction(async (tx: Tx<DevicesTables>) => {
          await data.insertGroup(scope, tx, { id, name, parentId }, platform.clock.now())
          await platform.history.note(tx, scope, 'deviceGroup', id, { parentId })
        })
        .catch(taken)
      return id
    },
    names: async (scope, ids) => (await data.findDevices(scope, db, ids)).map(({ id, name }) => ({ id, name })),
    facts: async (scope, ids) =>
      (await data.findDevices(scope, db, ids)).map(({ id, name, code, groupId, direction }) => ({ id, name, code, groupId, direction })),
    groupNames: async (scope, ids) => (await data.listGroups(scope, db)).filter((group) => ids.includes(group.id)).map(({ id, name }) => ({ id, name })),
    idsInGroups: async (scope, groupIds) => data.findDeviceIdsInGroups(scope, db, await withGroupsBelow(scope, groupIds)),
    markAllOffline: () => data.markAllOfflineUnscoped(db),
    async erasePark(open, scope) {
      const tx = open as Tx<DevicesTables>
      const { ids, codes } = await data.deleteDevicesOfPark(scope, tx)
      await platform.history.erase(tx, scope, ['device', 'deviceGroup'])
      if (ids.length > 0) await platform.events.announce(tx, devicesDeleted, scope.parkId, { deviceIds: ids, codes })
      return { devices: ids.length }
    },
  }
}
