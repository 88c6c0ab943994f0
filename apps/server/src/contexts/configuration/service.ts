/** Settings of terminals as the server keeps them: of single devices, and of the park for all others. */
import type { Platform } from '../../platform/context.ts'
import type { Transaction } from '../../platform/database/database.ts'
import { newId } from '../../platform/database/ids.ts'
import { InvalidRequest } from '../../platform/http/refusal.ts'
import type { DevicePrincipal, Scope, Session } from '../../platform/session/session.ts'
import { devicesChanged, type DevicesService } from '../devices/index.ts'
import { assertMaySetServer } from './policy.ts'
import { assertConsistent, assertPossible, assertVersion, contradictionsOf, type CheckNeeds } from './checks.ts'
import * as data from './data.ts'
import { effectiveOf, parkOf, touchedBy, type AppliedRow } from './effective.ts'
import { createSettingQueries, rowOf } from './queries.ts'
import { settingsAfter } from './wire.ts'
import { NO_SECRETS, changedSecrets, logged, openSecrets, type SecretChange } from './secrets.ts'
import type { ConfigurationService, SettingChange } from './service-types.ts'

export type { Configured } from './effective.ts'

export interface ConfigurationNeeds {
  devices: DevicesService
  faces: CheckNeeds['faces']
  /** Return the current `secretsRevision` of the device's manifest, which also covers the password of the device itself. */
  secretsRevisionOf(device: DevicePrincipal): Promise<string>
}

/** A change with all settings as they will be. */
type WholeChange = SecretChange & { settings: data.StoredSettings; version?: number | undefined }

/** @param before the stored settings */
function wholeOf(before: data.StoredSettings, { version, consolePassword, wifi, ...requested }: SettingChange): WholeChange {
  return { settings: settingsAfter(before, requested), version, consolePassword, wifi }
}

const NOTHING = { settings: {}, ...NO_SECRETS }

/** Return the rows after one of them is replaced. */
const replaced = (
  rows: readonly data.SettingRow[],
  { kind, deviceId }: data.SettingOwner,
  { settings, secretsRevision }: data.SettingValues,
): AppliedRow[] => [...rows.filter((row) => row.kind !== kind || row.deviceId !== deviceId), { kind, deviceId, settings, secretsRevision }]

/** Refuse settings of the park that contradict the own settings of a device. @throws InvalidRequest naming the first such device */
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
  { devices, secretsRevisionOf, ...checks }: ConfigurationNeeds & CheckNeeds,
): ConfigurationService {
  const db = platform.db

  /** Store settings, and announce only those devices that are sent something else. */
  async function save(
    tx: Transaction,
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
    assertMaySetServer(session, row?.settings ?? {}, settings)
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
    if (touched.length > 0) await platform.events.announce(tx, devicesChanged, scope.parkId, { deviceIds: touched })
  }

  async function setForPark(
    session: Session,
    kind: 'park' | 'display',
    changeFrom: (before: data.StoredSettings) => WholeChange,
  ): Promise<void> {
    const { scope } = session
    const all = await devices.all(scope)
    await platform.transaction(async (tx) => {
      await data.lockPark(scope, tx)
      const rows = await data.findApplied(scope, tx)
      const change = changeFrom(rowOf(rows, kind)?.settings ?? {})
      await assertPossible(scope, tx, checks, change.settings)
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
    ...createSettingQueries(platform, devices),
    async change(session, deviceId, sent) {
      const { scope } = session
      const { name: label } = await devices.read(scope, deviceId)
      await platform.transaction(async (tx) => {
        await data.lockPark(scope, tx)
        const rows = await data.findApplied(scope, tx, [deviceId])
        const change = wholeOf(rowOf(rows, 'device', deviceId)?.settings ?? {}, sent)
        await assertPossible(scope, tx, checks, change.settings)
        assertConsistent(effectiveOf(parkOf(rows), change.settings))
        await save(tx, session, { kind: 'device', deviceId, label }, rows, change, [deviceId])
      })
    },
    changePark: (session, sent) => setForPark(session, 'park', (before) => wholeOf(before, sent)),
    changeDisplay: (session, displayFields, version) => setForPark(session, 'display', () => ({ settings: { displayFields }, version })),
    async secretsOf(device) {
      const { deviceId, parkId } = device
      const scope: Scope = { parkId }
      // Read before the secrets: if they change in between, the next revision makes the device ask again.
      const revision = await secretsRevisionOf(device)
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
      const { settings, fileIds } = await data.deleteOfPark(scope, open)
      await platform.storage.release(open, scope, fileIds)
      return { deviceSettings: settings, deviceSettingFiles: fileIds.length }
    },
  }
}
