/** The list of devices with the settings that differ from the park's defaults. */
import { isDeepStrictEqual } from 'node:util'
import type { z } from 'zod'
import type { DeviceSettingRow, configurationCalls } from '@gatehouse/contract/configuration/calls'
import type { SettingName, SomeSettings, TerminalSettings } from '@gatehouse/contract/configuration/settings'
import type { Device } from '@gatehouse/contract/devices/device'
import type { Database } from '../../platform/database/database.ts'
import type { Scope } from '../../platform/session/session.ts'
import type { DevicesService } from '../devices/index.ts'
import * as data from './data.ts'
import { effectiveOf, parkOf } from './effective.ts'
import { inWords, wholeFieldsOf } from './wire.ts'

export type SettingQuery = z.output<(typeof configurationCalls)['list']['query']>

/** Fields of the device itself in the list. */
type NamedDevice = Pick<Device, 'id' | 'name' | 'code' | 'type' | 'model' | 'groupName'>

const holds = (text: string, term: string): boolean => text.toLowerCase().includes(term.toLowerCase())

const differingOf = (own: SomeSettings, inherited: TerminalSettings): DeviceSettingRow['differing'] =>
  inWords(Object.fromEntries(Object.entries(own).filter(([field, value]) => !isDeepStrictEqual(value, inherited[field as SettingName]))))

/** Return one page. A filter by own settings is applied here, since the register of devices does not know these. */
async function pageOfDevices(
  scope: Scope,
  db: Database,
  devices: DevicesService,
  { own, ...query }: SettingQuery,
): Promise<{ total: number; content: NamedDevice[] }> {
  if (own === undefined) return devices.list(scope, query)
  const { page, size, keyword = '', name = '', code = '', type, groupId } = query
  const ownIds = new Set(await data.findOwnDeviceIds(scope, db))
  const members = groupId === undefined ? null : new Set(await devices.idsInGroups(scope, [groupId]))
  const fitting = (await devices.all(scope)).filter(
    (device) =>
      ownIds.has(device.id) === (own === 1) &&
      [device.name, device.code].some((text) => holds(text, keyword)) &&
      holds(device.name, name) &&
      holds(device.code, code) &&
      (type === undefined || device.type === type) &&
      (members === null || members.has(device.id)),
  )
  return { total: fitting.length, content: fitting.slice((page - 1) * size, page * size) }
}

export async function listSettings(
  scope: Scope,
  db: Database,
  devices: DevicesService,
  query: SettingQuery,
): Promise<{ total: number; content: DeviceSettingRow[]; page: number; size: number }> {
  const { total, content } = await pageOfDevices(scope, db, devices, query)
  const rows = await data.findApplied(
    scope,
    db,
    content.map(({ id }) => id),
  )
  const inherited = effectiveOf(parkOf(rows), {})
  const own = new Map(rows.map((row) => [row.deviceId, row]))
  return {
    total,
    content: content.map(({ id, name, code, type, model, groupName }) => {
      const row = own.get(id)
      return {
        id,
        deviceId: id,
        deviceType: type,
        model,
        ...wholeFieldsOf(effectiveOf(parkOf(rows), row?.settings ?? {})),
        name,
        code,
        groupName,
        differing: differingOf(row?.settings ?? {}, inherited),
        secretsSet: row?.secretNames ?? [],
        changedAt: row?.updatedAt ?? null,
      }
    }),
    page: query.page,
    size: query.size,
  }
}
