/** The register of devices. */
import { createHash, timingSafeEqual } from 'node:crypto'
import type { TerminalSettings } from '@gatehouse/contract/configuration/settings'
import type { DEVICE_ATTENTION, Device, DeviceDetail, deviceCalls } from '@gatehouse/contract/devices/calls'
import type { DataOf } from '@gatehouse/contract'
import { deviceAuthorisationStatus } from '@gatehouse/contract/enums/devices'
import { isTamperingRecent } from '@gatehouse/contract/devices/tampering'
import type { DeviceCredential } from '../../platform/broker/channel.ts'
import type { Platform } from '../../platform/context.ts'
import { isReferenced, type Database, type OpenTransaction, type Tx } from '../../platform/database/database.ts'
import { Conflict, InvalidRequest, NotFound } from '../../platform/http/refusal.ts'
import { leftAsItWas } from '../../platform/http/left-out.ts'
import { placeOf } from '../../platform/encryption/sealed-column.ts'
import type { DevicePrincipal, Scope, SignedInDevice } from '../../platform/session/session.ts'
import { sizesOf, type Selection } from '../../platform/tree.ts'
import type { PairingDecision } from './authority.ts'
import * as data from './data.ts'
import { principalOf, type DeviceDirectory } from './directory.ts'
import { deviceStatusChanged, devicesChanged, devicesDeleted } from './events.ts'
import { countByGroup } from './groups-data.ts'
import { createDeviceGroups, groupNamed, type DeviceGroups } from './groups.ts'
import { createPairing, digestOf, type AddedDevice, type Pairing } from './pairing.ts'
import { NOTHING, gateOf, isNearlyFull, missingAt, present, type DeviceHolding } from './present.ts'
import { createRegistration, refusedFor, takenBy, type Admit } from './register.ts'
import { createReleases, type Releases } from './release.ts'
import { findSettings } from './release-data.ts'
import { DEVICE_PASSWORD, type DevicesTables } from './schema.ts'
import type { SignIn } from './sign-in.ts'
import { issuesOf, logged, valuesOf, type DeviceChange, type DeviceFields } from './values.ts'

/** A device as the synchronisation takes it. */
export interface RegisteredDevice {
  id: string
  code: string
  name: string
  direction: number
  groupId: string | null
  modelId: string
  configuration: TerminalSettings | null
  secretsRevision: string
  /** Whether persons may go to it. */
  released: boolean
}

export type DeviceSummary = DataOf<typeof deviceCalls.summary>

export interface DevicesService extends Releases {
  groups: DeviceGroups
  pairing: Pairing
  list(scope: Scope, query: data.DeviceQuery): Promise<{ total: number; content: DeviceDetail[]; page: number; size: number }>
  /** @throws NotFound */
  read(scope: Scope, id: string): Promise<DeviceDetail>
  /** Unknown ids are left out. */
  some(scope: Scope, ids: readonly string[]): Promise<Device[]>
  all(scope: Scope): Promise<Device[]>
  summary(scope: Scope): Promise<DeviceSummary>
  /** @throws Refusal 400005, 400006, 400204; InvalidRequest where a limit is used up */
  create(scope: Scope, fields: DeviceFields, decision: PairingDecision): Promise<AddedDevice>
  /** All or none; what is wrong with one stands at its row, `devices.3.code`. @throws as create */
  createMany(scope: Scope, rows: readonly DeviceFields[], decision: PairingDecision): Promise<AddedDevice[]>
  /** How many persons a device holds once it is released. @throws NotFound */
  releaseEffect(scope: Scope, id: string): Promise<{ persons: number }>
  /** @throws NotFound; Conflict; as create */
  change(scope: Scope, id: string, version: number | undefined, change: DeviceChange): Promise<void>
  /** Released devices that a move would put into another group, as they would stand there. @throws as moving them */
  moving(scope: Scope, ids: readonly string[], groupId: string | null): Promise<{ id: string; name: string; groupId: string | null }[]>
  /** @throws NotFound; InvalidRequest where there is no such group */
  move(scope: Scope, ids: readonly string[], groupId: string | null): Promise<number>
  delete(scope: Scope, ids: readonly string[]): Promise<number>
  noteStatus(scope: Scope, id: string, status: data.DeviceStatus): Promise<void>
  /** Forgets what was known of these devices' secrets: an old one is refused once this resolves. */
  refresh(scope: Scope, ids: readonly string[]): Promise<void>
  /** The device with this secret, where its park still takes secrets. */
  authenticate(code: string, secret: string): Promise<SignedInDevice | null>
  byCode(code: string): Promise<DevicePrincipal | null>
  /** Id and hash of the secret of a device, for what is derived from them. */
  credentialOf(code: string): Promise<DeviceCredential | null>
  /** Codes of the devices that may not come with their secret any more; none where they still may. */
  secretsEnded(scope: Scope): Promise<string[]>
  /** What devices should hold is worked out for all of them. */
  register(scope: Scope): Promise<RegisteredDevice[]>
  /** What only the terminal itself may know; null where nobody has set it. @throws NotFound */
  secretsOf(scope: Scope, id: string): Promise<{ devicePassword: string | null }>
  groupRows(scope: Scope): Promise<{ id: string; parentId: string | null }[]>
  names(scope: Scope, ids: readonly string[]): Promise<{ id: string; name: string }[]>
  facts(
    scope: Scope,
    ids: readonly string[],
  ): Promise<{ id: string; name: string; code: string; groupId: string | null; direction: number; released: boolean }[]>
  groupNames(scope: Scope, ids: readonly string[]): Promise<{ id: string; name: string }[]>
  /** Devices in these groups and those below. */
  idsInGroups(scope: Scope, groupIds: readonly string[]): Promise<string[]>
  /** How many devices each selection has, those in groups below its groups among them. */
  sizes(scope: Scope, selections: readonly Selection[]): Promise<number[]>
  /** How many devices of each type these parks have, in the transaction where there is one. */
  countByType(tx: OpenTransaction | null, parkIds: readonly string[]): Promise<{ type: number; count: number }[]>
  /** Devices of the whole installation: all, and those connected. */
  connected(): Promise<{ registered: number; connected: number }>
  markAllOffline(): Promise<void>
  erasePark(tx: OpenTransaction, scope: Scope): Promise<Record<string, number>>
}

/** What devices hold; the context that knows it needs this one first. */
export type Holdings = (scope: Scope, deviceIds: readonly string[]) => Promise<Map<string, DeviceHolding>>

/** What devices are to be set to. */
export type Configured = (
  scope: Scope,
  deviceIds: readonly string[],
) => Promise<Map<string, { configuration: TerminalSettings | null; secretsRevision: string }>>

/** How often somebody tried to pass at devices: on the park's own today, and ever. */
export type AccessCounts = (scope: Scope, deviceIds: readonly string[]) => Promise<Map<string, { today: number; total: number }>>

/** In which state doors are, of the enum `doorState`; one that is not known is absent. */
export type DoorStates = (scope: Scope, deviceIds: readonly string[]) => Promise<Map<string, string>>

/** How many persons access rules name at a device, whether they may go to it or not. @throws NotFound */
export type PersonsNamed = (scope: Scope, deviceId: string) => Promise<number>

export interface ServiceNeeds {
  holdings: Holdings
  admit: Admit
  configured: Configured
  accessCounts: AccessCounts
  doorStates: DoorStates
  personsNamed: PersonsNamed
  signIn: Pick<SignIn, 'takesSecrets' | 'ended'>
}

/** A device nobody has set anything for. */
const UNSET = { configuration: null, secretsRevision: '' }
const { authorised, authorising, unauthorised } = deviceAuthorisationStatus

/** Another value: the terminal has to ask for its secrets again. Sealed anew, even the same password looks another. */
const revisionOf = (devicePassword: Buffer | null): string =>
  devicePassword === null ? '' : createHash('sha256').update(devicePassword).digest('hex').slice(0, 16)

export function createDevicesService(
  platform: Platform,
  directory: DeviceDirectory,
  { holdings, admit, configured, accessCounts, doorStates, personsNamed, signIn }: ServiceNeeds,
): DevicesService {
  const db = platform.db as unknown as Database<DevicesTables>
  const groups = createDeviceGroups(platform)
  const pairing = createPairing(platform, directory)
  const registration = createRegistration(platform, { admit, groups, pairing })

  async function overviews(scope: Scope, rows: readonly data.DeviceRow[]): Promise<Device[]> {
    const held = await holdings(
      scope,
      rows.map(({ id }) => id),
    )
    return rows.map((row) => present(row, held.get(row.id)))
  }

  async function detailed(scope: Scope, rows: readonly data.DeviceRow[]): Promise<DeviceDetail[]> {
    const ids = rows.map(({ id }) => id)
    const [devices, counts, set, doors] = await Promise.all([
      overviews(scope, rows),
      accessCounts(scope, ids),
      configured(scope, ids),
      doorStates(scope, ids),
    ])
    return devices.map((device) => ({
      ...device,
      gateStatus: gateOf(doors.get(device.id)),
      networkMode: set.get(device.id)?.configuration?.networkMode ?? null,
      todayAccessCount: counts.get(device.id)?.today ?? 0,
      totalAccessCount: counts.get(device.id)?.total ?? 0,
    }))
  }

  async function existing(scope: Scope, ids: readonly string[]): Promise<data.DeviceRow[]> {
    const rows = await data.findDevices(scope, db, ids)
    if (rows.length < new Set(ids).size) throw new NotFound()
    return rows
  }

  /** What a move is about. @throws as making it */
  async function movable(scope: Scope, ids: readonly string[], groupId: string | null) {
    const rows = await existing(scope, ids)
    const group = groupNamed(scope, await groups.list(scope), groupId)
    if (group === undefined) throw new InvalidRequest([{ path: 'groupId', rule: 'unknown' }])
    return { rows, group }
  }

  /** Every device of the park with what it holds, for counting. */
  async function states(scope: Scope) {
    const rows = await data.findStates(scope, db)
    const held = await holdings(
      scope,
      rows.map(({ id }) => id),
    )
    return rows.map((row) => ({ ...row, ...(held.get(row.id) ?? NOTHING) }))
  }
  type State = Awaited<ReturnType<typeof states>>[number]

  const needing: Record<(typeof DEVICE_ATTENTION)[number], (state: State) => boolean> = {
    notPaired: ({ authorisation }) => authorisation !== authorised,
    notReleased: ({ releasedAt }) => releasedAt === null,
    notSynced: (state) => state.authorisation === authorised && missingAt(state) !== 0,
    nearlyFull: ({ capacity, personsDesired }) => isNearlyFull(capacity, personsDesired),
    tampered: ({ tamperedAt }) => tamperedAt !== null && isTamperingRecent(tamperedAt, platform.clock.now()),
  }

  return {
    ...createReleases(platform, directory),
    groups,
    pairing,
    async list(scope, query) {
      const groupIds = query.groupId === undefined ? null : await groups.withDescendants(scope, [query.groupId])
      if (groupIds?.length === 0) throw new NotFound()
      const ids = query.attention === undefined ? null : (await states(scope)).filter(needing[query.attention]).map(({ id }) => id)
      const { content, total } = await data.listDevices(scope, db, query, { groupIds, ids })
      return { total, content: await detailed(scope, content), page: query.page, size: query.size }
    },
    read: async (scope, id) => (await detailed(scope, await existing(scope, [id])))[0]!,
    some: async (scope, ids) => overviews(scope, await data.findDevices(scope, db, ids)),
    countByType: (tx, parkIds) => data.countByTypeUnscoped((tx as Tx<DevicesTables> | null) ?? db, parkIds),
    all: async (scope) => overviews(scope, await data.allDevices(scope, db)),
    async summary(scope) {
      const devices = await states(scope)
      const paired = devices.filter(({ authorisation }) => authorisation === authorised)
      return {
        total: devices.length,
        online: devices.filter(({ online }) => online).length,
        neverPaired: devices.length - paired.length,
        notReleased: devices.filter(needing.notReleased).map(({ id, name }) => ({ id, name })),
        offline: paired
          .filter(({ online }) => !online)
          .map(({ id, name, lastSeenAt }) => ({ id, name, lastSeenAt: lastSeenAt as number | null })),
        notSynced: paired
          .filter((state) => state.online && missingAt(state) !== 0)
          .map((state) => ({ id: state.id, name: state.name, missing: missingAt(state) })),
        nearlyFull: devices
          .filter(needing.nearlyFull)
          .map(({ id, name, personsDesired, capacity }) => ({ id, name, personsDesired, capacity: capacity! })),
        tampered: devices.filter(needing.tampered).map(({ id, name, tamperedAt }) => ({ id, name, at: tamperedAt! })),
      }
    },
    create: async (scope, fields, decision) => (await registration(scope, [fields], decision, (_, field) => field))[0]!,
    createMany: (scope, rows, decision) => registration(scope, rows, decision, (row, field) => `devices.${row}.${field}`),
    releaseEffect: async (scope, id) => ({ persons: await personsNamed(scope, id) }),
    async change(scope, id, version, change) {
      const [[row], secrets, all] = await Promise.all([existing(scope, [id]), data.findSecrets(scope, db, id), groups.list(scope)])
      const before = { ...row!, ...(secrets ?? { password: null, devicePassword: null }) }
      const { name, type, model, groupId } = before
      const fields = { ...change, ...leftAsItWas({ name, type, model, groupId }, change) }
      const group = groupNamed(scope, all, fields.groupId)
      const issues = issuesOf(fields, group, before)
      if (issues.length > 0) throw refusedFor(issues.map((issue) => ({ path: issue.field, issue })))
      const values = await valuesOf(platform.crypto, scope, id, fields, group ?? null, before)
      await platform
        .transaction(async (tx: Tx<DevicesTables>) => {
          if (values.type !== before.type) await admit(tx as OpenTransaction, scope, values.type, 'changed')
          if (!(await data.updateDevice(scope, tx, id, values, version ?? before.version, platform.clock.now()))) {
            const differing = (['name', 'type', 'model', 'groupId', 'direction'] as const).filter((key) => before[key] !== values[key])
            throw new Conflict(differing.length > 0 ? differing : ['version'])
          }
          const told = logged({ ...before, ip: values.ip === undefined ? undefined : before.ip }, before.groupName)
          platform.audit.note({ entity: 'device', id, label: values.name, before: told, after: logged(values, group?.name ?? null) })
          await platform.history.noteAll(tx, scope, 'device', [id], () => findSettings(scope, tx, [id]))
          await platform.events.announce(tx, devicesChanged, scope.parkId, { deviceIds: [id] })
        })
        .catch((error: unknown) => {
          const issue = takenBy(error)
          throw issue === undefined ? error : refusedFor([{ path: issue.field, issue }])
        })
    },
    async moving(scope, ids, groupId) {
      const { rows } = await movable(scope, ids, groupId)
      return rows.flatMap((row) => (row.groupId === groupId || row.releasedAt === null ? [] : [{ id: row.id, name: row.name, groupId }]))
    },
    async move(scope, ids, groupId) {
      const { rows, group } = await movable(scope, ids, groupId)
      const deviceIds = [...new Set(ids)]
      await platform
        .transaction(async (tx: Tx<DevicesTables>) => {
          await data.moveDevices(scope, tx, deviceIds, groupId, platform.clock.now())
          for (const { id, name, groupName } of rows)
            platform.audit.note({ entity: 'device', id, label: name, before: { group: groupName }, after: { group: group?.name ?? null } })
          await platform.history.noteAll(tx, scope, 'device', deviceIds, () => findSettings(scope, tx, deviceIds))
          await platform.events.announce(tx, devicesChanged, scope.parkId, { deviceIds })
        })
        .catch((error: unknown) => {
          // The group went meanwhile.
          throw isReferenced(error) ? new InvalidRequest([{ path: 'groupId', rule: 'unknown' }]) : error
        })
      return deviceIds.length
    },
    async delete(scope, ids) {
      const rows = await existing(scope, ids)
      const deviceIds = [...new Set(ids)]
      await platform.transaction(async (tx: Tx<DevicesTables>) => {
        const codes = await data.deleteDevices(scope, tx, deviceIds, platform.clock.now())
        for (const { id, code, name, type, model } of rows)
          platform.audit.note({ entity: 'device', id, label: name, before: { code, name, type, model } })
        await platform.history.noteAll(tx, scope, 'device', deviceIds, async () => new Map())
        await platform.events.announce(tx, devicesDeleted, scope.parkId, { deviceIds, codes })
      })
      await directory.refresh(scope, deviceIds)
      return deviceIds.length
    },
    async noteStatus(scope, id, status) {
      await platform.transaction(async (tx: Tx<DevicesTables>) => {
        const before = await data.lockState(scope, tx, id)
        if (before === undefined) return
        // A word that was on its way when the device was cut off.
        const isLate = before.authorisation === unauthorised
        const { authorised: pairs, ...said } = status
        if (isLate) said.online = false
        const at = said.lastSeenAt ?? platform.clock.now()
        await data.updateStatus(scope, tx, id, { ...said, ...(pairs && before.authorisation === authorising && { authorised: true }) }, at)
        // With another engine it is to be asked for what that one can tell.
        if (said.modelId !== undefined && said.modelId !== before.modelId)
          await platform.events.announce(tx, devicesChanged, scope.parkId, { deviceIds: [id] })
        const switched = said.online === undefined || said.online === before.online ? [] : [{ deviceId: id, online: said.online, at }]
        await platform.events.announce(tx, deviceStatusChanged, scope.parkId, { deviceIds: [id], switched })
      })
    },
    refresh: (scope, ids) => directory.refresh(scope, ids),
    async authenticate(code, secret) {
      const shown = digestOf(secret)
      const device = await directory.matching(code, (hash) => timingSafeEqual(hash, shown))
      return device !== null && signIn.takesSecrets(device.parkId) ? { ...device, signedInBy: 'secret' } : null
    },
    async byCode(code) {
      const entry = await directory.byCode(code)
      return entry === null ? null : principalOf(entry)
    },
    async credentialOf(code) {
      const entry = await directory.byCode(code)
      if (entry === null) return null
      const secretHash = entry.secretHash.toString('hex')
      return { deviceId: entry.id, code: entry.code, secretHash, secretsTaken: signIn.takesSecrets(entry.parkId) }
    },
    secretsEnded: (scope) => signIn.ended(scope),
    async register(scope) {
      const rows = await data.findRegister(scope, db)
      const set = await configured(
        scope,
        rows.map(({ id }) => id),
      )
      return rows.map(({ devicePassword, releasedAt, ...row }) => {
        const { configuration, secretsRevision } = set.get(row.id) ?? UNSET
        return {
          ...row,
          configuration,
          secretsRevision: [secretsRevision, revisionOf(devicePassword)].filter(Boolean).join('.'),
          released: releasedAt !== null,
        }
      })
    },
    async secretsOf(scope, id) {
      const secrets = await data.findSecrets(scope, db, id)
      if (secrets === undefined) throw new NotFound()
      const { devicePassword } = secrets
      if (devicePassword === null) return { devicePassword }
      return { devicePassword: (await platform.crypto.open(scope.parkId, placeOf(DEVICE_PASSWORD, id), devicePassword)).toString() }
    },
    groupRows: groups.rows,
    names: async (scope, ids) => (await data.findDevices(scope, db, ids)).map(({ id, name }) => ({ id, name })),
    facts: async (scope, ids) =>
      (await data.findDevices(scope, db, ids)).map(({ id, name, code, groupId, direction, releasedAt }) => ({
        id,
        name,
        code,
        groupId,
        direction,
        released: releasedAt !== null,
      })),
    async groupNames(scope, ids) {
      const wanted = new Set(ids)
      return (await groups.list(scope)).filter((group) => wanted.has(group.id)).map(({ id, name }) => ({ id, name }))
    },
    idsInGroups: async (scope, groupIds) => data.findDeviceIdsInGroups(scope, db, await groups.withDescendants(scope, groupIds)),
    async sizes(scope, selections) {
      const named = await data.findDevices(scope, db, [...new Set(selections.flatMap(({ ids }) => ids))])
      const [rows, sizes] = await Promise.all([groups.rows(scope), countByGroup(scope, db)])
      return sizesOf(selections, rows, sizes, new Map(named.map(({ id, groupId }) => [id, groupId])))
    },
    connected: () => data.countConnectedUnscoped(db),
    markAllOffline: () => data.markAllOfflineUnscoped(db),
    async erasePark(open, scope) {
      const tx = open as Tx<DevicesTables>
      const { ids, codes } = await data.deleteDevicesOfPark(scope, tx, platform.clock.now())
      await platform.history.erase(tx, scope, ['device', 'deviceGroup'])
      if (ids.length > 0) await platform.events.announce(tx, devicesDeleted, scope.parkId, { deviceIds: ids, codes })
      return { devices: ids.length }
    },
  }
}
