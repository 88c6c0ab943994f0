/** Settings of terminals as the server keeps them: of single devices, and of the park for all others. */
import type { DataOf } from '@gatehouse/contract'
import type {
  DeviceSecrets,
  DeviceSettingDetail,
  DisplayConfig,
  ParkSettings,
  configurationCalls,
} from '@gatehouse/contract/configuration/calls'
import { BUILT_IN_SETTINGS, type SecretSetting, type TerminalSettings } from '@gatehouse/contract/configuration/settings'
import type { Measures } from '@gatehouse/contract/organisation/calls'
import type { Platform } from '../../platform/context.ts'
import type { Database, OpenTransaction, Tx } from '../../platform/database/database.ts'
import { newId } from '../../platform/database/ids.ts'
import { InvalidRequest } from '../../platform/http/refusal.ts'
import type { DevicePrincipal, Scope, Session } from '../../platform/session/session.ts'
import { devicesChanged, type DevicesService } from '../devices/index.ts'
import { demandServer } from './authority.ts'
import { assertConsistent, assertPossible, assertVersion, contradictionsOf, type CheckNeeds } from './checks.ts'
import * as data from './data.ts'
import { configuredOf, effectiveOf, parkOf, touchedBy, type AppliedRow, type Configured } from './effective.ts'
import type { ConfigurationTables } from './schema.ts'
import { fieldsOf, inWords, settingsAfter, sharedFieldsOf, wholeFieldsOf, type SettingsSaid } from './wire.ts'
import { NO_SECRETS, changedSecrets, logged, openSecrets, type SecretChange } from './secrets.ts'

export type { Configured } from './effective.ts'

export interface ConfigurationNeeds {
  devices: DevicesService
  faces: CheckNeeds['faces']
  /** `secretsRevision` as the device's manifest says it now, which counts its own password too. */
  toldRevision(device: DevicePrincipal): Promise<string>
}

/** Body of a call that sets something. */
export type SettingChange = SecretChange & SettingsSaid & { version?: number | undefined }
/** A change with all settings as they come to be. */
type WholeChange = SecretChange & { settings: data.StoredSettings; version?: number | undefined }
/** What is answered of a set of settings that belongs to nobody yet. */
type ParkShown = Omit<ParkSettings, 'areaCode'>

/** @param before what is stored */
function wholeOf(before: data.StoredSettings, { version, consolePassword, wifi, ...said }: SettingChange): WholeChange {
  return { settings: settingsAfter(before, said), version, consolePassword, wifi }
}

export interface ConfigurationService {
  /** What these devices are to be set to, in one query; a device without an entry goes by its own defaults. */
  configured(scope: Scope, deviceIds: readonly string[]): Promise<Map<string, Configured>>
  /** Every field of a device, whoever set it. @throws NotFound for a device that is not there */
  effective(scope: Scope, deviceId: string): Promise<TerminalSettings>
  /** The same as it is answered. */
  shown(scope: Scope, deviceId: string): Promise<DataOf<typeof configurationCalls.effective>>
  detail(scope: Scope, deviceId: string): Promise<DeviceSettingDetail>
  /** @throws InvalidRequest where the settings contradict each other, Conflict, NotFound, Refusal 500009, 100510 (403) */
  change(session: Session, deviceId: string, change: SettingChange): Promise<void>
  /** What at least one terminal of the park is set to look at. */
  measures(scope: Scope): Promise<Measures>
  park(scope: Scope): Promise<ParkShown>
  /** @throws the same, also where what a device has of its own would contradict it */
  changePark(session: Session, change: SettingChange): Promise<void>
  display(scope: Scope): Promise<DisplayConfig>
  changeDisplay(session: Session, fields: DisplayConfig['displayFields'], version: number | undefined): Promise<void>
  /** What the device that asks is told of its secrets. */
  secretsOf(device: DevicePrincipal): Promise<DeviceSecrets>
  forgetDevices(scope: Scope, deviceIds: readonly string[]): Promise<void>
  erasePark(tx: OpenTransaction, scope: Scope): Promise<Record<string, number>>
}

const NOTHING = { settings: {}, ...NO_SECRETS }

/** The row of the park, or of a device. */
const rowOf = (
  rows: readonly data.SettingRow[],
  kind: data.SettingRow['kind'],
  deviceId: string | null = null,
): data.SettingRow | undefined => rows.find((row) => row.kind === kind && row.deviceId === deviceId)

/** Rows as they are once one of them holds something else. */
const replaced = (
  rows: readonly data.SettingRow[],
  { kind, deviceId }: data.SettingOwner,
  { settings, secretsRevision }: data.SettingValues,
): AppliedRow[] => [...rows.filter((row) => row.kind !== kind || row.deviceId !== deviceId), { kind, deviceId, settings, secretsRevision }]

/** Where a secret of a device comes from. */
function sourceOf(name: SecretSetting, own: data.SettingRow | undefined, park: data.SettingRow | undefined): 'own' | 'park' | null {
  if (own?.secretNames.includes(name)) return 'own'
  return park?.secretNames.includes(name) ? 'park' : null
}

/** What the park sets must fit what single devices have of their own. @throws InvalidRequest naming the first that it would not fit */
function assertNoClash(after: readonly AppliedRow[], devices: readonly { id: string; name: string }[]): void {
  const park = parkOf(after)
  assertConsistent(effectiveOf(park, {}))
  const clashes = after.flatMap(({ kind, deviceId, settings }) => {
    const [issue] = kind === 'device' ? contradictionsOf(effectiveOf(park, settings)) : []
    return issue === undefined ? [] : [{ path: issue.path, device: devices.find(({ id }) => id === deviceId)?.name ?? '' }]
  })
  const [first] = clashes
  if (first !== undefined)
    throw new InvalidRequest([{ path: first.path, rule: 'deviceClash', params: { device: first.device, count: clashes.length } }])
}

export function createConfigurationService(
  platform: Platform,
  { devices, toldRevision, ...checks }: ConfigurationNeeds & CheckNeeds,
): ConfigurationService {
  const db = platform.db as unknown as Database<ConfigurationTables>

  /** Stores what somebody set, and tells the devices that are sent something else, and no others. */
  async function save(
    tx: Tx<ConfigurationTables>,
    session: Session,
    owner: data.SettingOwner & { label: string },
    rows: readonly data.SettingRow[],
    change: WholeChange,
    deviceIds: readonly string[],
  ): Promise<void> {
    const { scope } = session
    const { version, settings, ...secrets } = change
    const { kind, deviceId, label } = owner
    const row = rowOf(rows, kind, deviceId)
    assertVersion(row, version, settings)
    demandServer(session, row?.settings ?? {}, settings)
    const id = row?.id ?? newId()
    const values = { settings, ...(await changedSecrets(platform.crypto, scope, id, row, secrets)) }
    const now = platform.clock.now()
    if (row === undefined) await data.insertSettings(scope, tx, [{ id, kind, deviceId, ...values }], now)
    else await data.updateSettings(scope, tx, id, values, now)
    platform.audit.note({
      entity: 'deviceSetting',
      id: deviceId ?? scope.parkId,
      label,
      before: logged(row ?? NOTHING),
      after: logged(values),
    })
    const touched = touchedBy(rows, replaced(rows, owner, values), deviceIds)
    if (touched.length > 0) await platform.events.announce(tx as OpenTransaction, devicesChanged, scope.parkId, { deviceIds: touched })
  }

  async function setForPark(
    session: Session,
    kind: 'park' | 'display',
    changeFrom: (before: data.StoredSettings) => WholeChange,
  ): Promise<void> {
    const { scope } = session
    const all = await devices.all(scope)
    await platform.transaction(async (tx: Tx<ConfigurationTables>) => {
      await data.lockPark(scope, tx)
      const rows = await data.findApplied(scope, tx)
      const change = changeFrom(rowOf(rows, kind)?.settings ?? {})
      await assertPossible(scope, checks, change.settings)
      const owner = { kind, deviceId: null, label: '' }
      assertNoClash(replaced(rows, owner, { ...NOTHING, settings: change.settings }), all)
      await save(
        tx,
        session,
        owner,
        rows,
        change,
        all.map(({ id }) => id),
      )
    })
  }

  return {
    configured: async (scope, deviceIds) =>
      deviceIds.length === 0 ? new Map() : configuredOf(await data.findApplied(scope, db, deviceIds), deviceIds),
    async effective(scope, deviceId) {
      await devices.read(scope, deviceId)
      const rows = await data.findApplied(scope, db, [deviceId])
      return effectiveOf(parkOf(rows), rowOf(rows, 'device', deviceId)?.settings ?? {})
    },
    async shown(scope, deviceId) {
      const { id, type, model } = await devices.read(scope, deviceId)
      const rows = await data.findApplied(scope, db, [deviceId])
      const settings = effectiveOf(parkOf(rows), rowOf(rows, 'device', deviceId)?.settings ?? {})
      return { id, deviceId: id, deviceType: type, model, ...wholeFieldsOf(settings), settings }
    },
    async detail(scope, deviceId) {
      const { id, name, code, type, model } = await devices.read(scope, deviceId)
      const rows = await data.findApplied(scope, db, [deviceId])
      const [own, park] = [rowOf(rows, 'device', deviceId), rowOf(rows, 'park')]
      return {
        id,
        deviceId: id,
        name,
        code,
        deviceType: type,
        model,
        ...fieldsOf(own?.settings ?? {}),
        displayFields: effectiveOf(parkOf(rows), {}).displayFields,
        own: (own?.settings ?? {}) as DeviceSettingDetail['own'],
        park: inWords(park?.settings ?? {}),
        secrets: { consolePassword: sourceOf('consolePassword', own, park), wifi: sourceOf('wifi', own, park) },
        version: own?.version ?? 0,
      }
    },
    async change(session, deviceId, given) {
      const { scope } = session
      const { name: label } = await devices.read(scope, deviceId)
      await platform.transaction(async (tx: Tx<ConfigurationTables>) => {
        await data.lockPark(scope, tx)
        const rows = await data.findApplied(scope, tx, [deviceId])
        const change = wholeOf(rowOf(rows, 'device', deviceId)?.settings ?? {}, given)
        await assertPossible(scope, checks, change.settings)
        assertConsistent(effectiveOf(parkOf(rows), change.settings))
        await save(tx, session, { kind: 'device', deviceId, label }, rows, change, [deviceId])
      })
    },
    measures: (scope) => data.findMeasures(scope, db),
    async park(scope) {
      const rows = await data.findApplied(scope, db, [])
      const row = rowOf(rows, 'park')
      const settings = (row?.settings ?? {}) as ParkSettings['settings']
      return {
        ...sharedFieldsOf(settings),
        displayFields: effectiveOf(parkOf(rows), {}).displayFields,
        settings,
        secretsSet: row?.secretNames ?? [],
        version: row?.version ?? 0,
      }
    },
    changePark: (session, given) => setForPark(session, 'park', (before) => wholeOf(before, given)),
    async display(scope) {
      const row = rowOf(await data.findApplied(scope, db, []), 'display')
      return { displayFields: row?.settings.displayFields ?? BUILT_IN_SETTINGS.displayFields, version: row?.version ?? 0 }
    },
    changeDisplay: (session, displayFields, version) => setForPark(session, 'display', () => ({ settings: { displayFields }, version })),
    async secretsOf(device) {
      const { deviceId, parkId } = device
      const scope: Scope = { parkId }
      // Before the secrets: should they change in between, the revision that follows makes the device ask again.
      const revision = await toldRevision(device)
      const { devicePassword } = await devices.secretsOf(scope, deviceId)
      const rows = await data.findApplied(scope, db, [deviceId])
      const [own, park] = [rowOf(rows, 'device', deviceId), rowOf(rows, 'park')]
      const { consolePassword, wifi = null } = {
        ...(await openSecrets(platform.crypto, scope, park)),
        ...(await openSecrets(platform.crypto, scope, own)),
      }
      const { consoleAccount } = effectiveOf(parkOf(rows), own?.settings ?? {})
      return {
        revision,
        devicePassword,
        console: consolePassword === undefined ? null : { account: consoleAccount, password: consolePassword },
        wifi,
      }
    },
    forgetDevices: (scope, deviceIds) => data.deleteOfDevices(scope, db, deviceIds),
    async erasePark(open, scope) {
      const { settings, fileIds } = await data.deleteOfPark(scope, open as Tx<ConfigurationTables>)
      await platform.storage.release(open, scope, fileIds)
      return { deviceSettings: settings, deviceSettingFiles: fileIds.length }
    },
  }
}
