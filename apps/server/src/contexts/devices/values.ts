/** Converts the fields of a form into the stored values of a device. */
import type { z } from 'zod'
import { missingOf, type deviceChange, type deviceFields } from '@gatehouse/contract/devices/fields'
import { modelsOfType } from '@gatehouse/contract/enums/device-models'
import { deviceChannelCount, passDirection } from '@gatehouse/contract/enums/devices'
import type { Crypto } from '../../platform/encryption/crypto.ts'
import { leftAsItWas } from '../../platform/http/left-out.ts'
import { placeOf, type SealedColumn } from '../../platform/encryption/sealed-column.ts'
import type { Scope } from '../../platform/session/session.ts'
import type { DeviceRow, DeviceSecrets, DeviceValues } from './data.ts'
import type { GroupRow } from './groups-data.ts'
import { DEVICE_PASSWORD, DEVICE_USER_PASSWORD } from './schema.ts'

export type DeviceFields = z.output<typeof deviceFields>
/** Fields left out stay unchanged. */
export type DeviceChange = Omit<z.output<typeof deviceChange>, 'id' | 'version'>
/** A change with the fields that every device has, as they will be. */
export type DeviceDescription = Omit<DeviceChange, 'name' | 'type' | 'model' | 'groupId'> &
  Pick<DeviceFields, 'name' | 'groupId'> & { type: number; model: number }

/** A fault of a field: a code if it is a business refusal, else a rule. */
export interface Issue {
  field: string
  code?: 400005 | 400006 | 400204
  rule?: string
}

type Before = DeviceRow & DeviceSecrets

/** Return the faults of a description that its schema cannot find. @param group null: in none; undefined: there is no such group */
export function issuesOf(fields: DeviceDescription, group: GroupRow | null | undefined, before: Before | null): Issue[] {
  const kept = { ip: before?.ip, port: before?.port, userName: before?.userName, password: before?.password }
  return [
    ...(modelsOfType[fields.type]?.includes(fields.model) === false ? [{ field: 'model', code: 400204 as const }] : []),
    ...(group === undefined ? [{ field: 'groupId', rule: 'unknown' }] : []),
    ...missingOf({ type: fields.type, ...leftAsItWas<Record<string, unknown>>(kept, fields) }).map((field) => ({
      field,
      rule: 'required',
    })),
  ]
}

/** Return the values to store; fields left out stay unchanged. @param id id of the device @param before null for a new device */
export async function valuesOf(
  crypto: Pick<Crypto, 'seal'>,
  scope: Scope,
  id: string,
  fields: DeviceDescription,
  group: GroupRow | null,
  before: Before | null,
): Promise<DeviceValues> {
  /** Keep a value that is left out, remove an empty one, encrypt any other. */
  const sealed = async (column: SealedColumn, text: string | null | undefined, present: Buffer | null): Promise<Buffer | null> =>
    text === undefined ? present : text === null || text === '' ? null : crypto.seal(scope.parkId, placeOf(column, id), Buffer.from(text))
  const kept = {
    direction: before?.direction ?? null,
    port: before?.port ?? null,
    userName: before?.userName ?? null,
    accessType: before?.accessType ?? null,
    relayMac: before?.relayMac ?? null,
    lockMacs: before?.lockMacs ?? null,
    digitalCode: before?.digitalCode ?? null,
    openDoorConfirm: before?.openDoorConfirm ?? null,
    channelCount: before?.channelCount ?? null,
    supportsVideo: before?.supportsVideo ?? null,
  }
  const now = leftAsItWas<typeof kept>(kept, fields)
  return {
    name: fields.name,
    type: fields.type,
    model: fields.model,
    groupId: group?.id ?? null,
    direction: now.direction ?? group?.defaultDirection ?? passDirection.in,
    // Undefined: as the device last reported.
    ip: fields.ip === null ? '' : fields.ip,
    port: now.port,
    userName: now.userName ?? '',
    password: await sealed(DEVICE_USER_PASSWORD, fields.password, before?.password ?? null),
    accessType: now.accessType,
    relayMac: now.relayMac ?? '',
    lockMacs: now.lockMacs ?? [],
    devicePassword: await sealed(DEVICE_PASSWORD, fields.devicePassword, before?.devicePassword ?? null),
    digitalCode: now.digitalCode || null,
    openDoorConfirm: now.openDoorConfirm ?? false,
    channelCount: now.channelCount ?? deviceChannelCount.single,
    supportsVideo: now.supportsVideo ?? false,
  }
}

const LOGGED_FIELDS = [
  'name',
  'type',
  'model',
  'direction',
  'ip',
  'port',
  'userName',
  'accessType',
  'relayMac',
  'lockMacs',
  'digitalCode',
  'openDoorConfirm',
  'channelCount',
  'supportsVideo',
] as const

/** Return what the operation log receives of a device; of secrets it stores only that they changed. */
export function logged(
  values: Pick<DeviceValues, (typeof LOGGED_FIELDS)[number]> & DeviceSecrets,
  groupName: string | null,
): Record<string, unknown> {
  const { password, devicePassword } = values
  return {
    ...Object.fromEntries(LOGGED_FIELDS.map((key) => [key, values[key]])),
    password: password?.toString('base64') ?? null,
    devicePassword: devicePassword?.toString('base64') ?? null,
    group: groupName,
  }
}
