/** Reads settings, as API answers and as devices are to be set. */
import type { DeviceSettingDetail, ParkSettings } from '@gatehouse/contract/configuration/calls'
import { BUILT_IN_SETTINGS, type SecretSetting } from '@gatehouse/contract/configuration/settings'
import type { Platform } from '../../platform/context.ts'
import type { DevicesService } from '../devices/index.ts'
import * as data from './data.ts'
import { configuredOf, effectiveOf, parkOf } from './effective.ts'
import type { ConfigurationService } from './service-types.ts'
import { fieldsOf, inWords, sharedFieldsOf, wholeFieldsOf } from './wire.ts'

/** Return the row of the park, or of a device. */
export const rowOf = (
  rows: readonly data.SettingRow[],
  kind: data.SettingRow['kind'],
  deviceId: string | null = null,
): data.SettingRow | undefined => rows.find((row) => row.kind === kind && row.deviceId === deviceId)

/** Return where a secret of a device comes from. */
function sourceOf(name: SecretSetting, own: data.SettingRow | undefined, park: data.SettingRow | undefined): 'own' | 'park' | null {
  if (own?.secretNames.includes(name)) return 'own'
  return park?.secretNames.includes(name) ? 'park' : null
}

export function createSettingQueries(
  { db }: Pick<Platform, 'db'>,
  devices: Pick<DevicesService, 'read'>,
): Pick<ConfigurationService, 'configured' | 'effective' | 'shown' | 'detail' | 'measures' | 'park' | 'display'> {
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
    async display(scope) {
      const row = rowOf(await data.findApplied(scope, db, []), 'display')
      return { displayFields: row?.settings.displayFields ?? BUILT_IN_SETTINGS.displayFields, version: row?.version ?? 0 }
    },
  }
}
