/** Initial values of the device form, the types and models it offers, and groups by id. */
import type { FieldIssue, InputOf } from '@gatehouse/contract'
import { isPartBuilt, isTypeBuilt } from '@gatehouse/contract/built'
import type { Device } from '@gatehouse/contract/devices/device'
import type { DeviceGroupNode } from '@gatehouse/contract/devices/groups'
import { typeHas, type DevicePart, type deviceFields } from '@gatehouse/contract/devices/fields'
import { modelsOfType } from '@gatehouse/contract/enums/device-models'
import { deviceModel, deviceType, passDirection } from '@gatehouse/contract/enums/devices'

export type DeviceValues = Partial<InputOf<typeof deviceFields>>
type Direction = NonNullable<DeviceValues['direction']>

/** Secrets are never kept in a draft. */
export const SECRET_FIELDS = ['password', 'devicePassword'] as const

/** Fields of each part of the form. */
const FIELDS_OF = {
  network: ['ip', 'port', 'userName', 'password'],
  door: ['relayMac', 'lockMacs', 'accessType'],
  passcode: ['devicePassword'],
  intercom: ['digitalCode', 'openDoorConfirm'],
  channels: ['channelCount'],
  video: ['supportsVideo'],
} as const satisfies Record<DevicePart, readonly (keyof DeviceValues)[]>
const PARTS = Object.keys(FIELDS_OF) as DevicePart[]

/** Return the initial values of a new device. @param group group that is offered first, with its default direction */
export const newDevice = (group: DeviceGroupNode | undefined): DeviceValues => ({
  type: deviceType.faceAccessController,
  model: deviceModel.standard,
  direction: (group?.defaultDirection ?? passDirection.in) as Direction,
  groupId: group?.id ?? null,
})

/** Return the values of a device, without parts that its type does not have. */
export function valuesOf(device: Device): DeviceValues {
  const {
    name,
    type,
    model,
    groupId,
    direction,
    ip,
    port,
    userName,
    relayMac,
    lockMacs,
    accessType,
    digitalCode,
    openDoorConfirm,
    channelCount,
    supportsVideo,
  } = device
  const all: DeviceValues = {
    ip,
    port,
    userName,
    relayMac,
    lockMacs,
    digitalCode,
    openDoorConfirm,
    supportsVideo,
    accessType: accessType as 1 | 4 | null,
    channelCount: channelCount as NonNullable<DeviceValues['channelCount']>,
  }
  return {
    name,
    type: type as DeviceValues['type'],
    model: model as DeviceValues['model'],
    groupId,
    direction: direction as Direction,
    ...Object.fromEntries(
      PARTS.filter((part) => typeHas(type, part)).flatMap((part) =>
        FIELDS_OF[part].map((field) => [field, all[field as keyof DeviceValues]]),
      ),
    ),
  }
}

/** Return empty values for the parts a type does not have, so that no hidden value is sent. */
export const clearedFor = (type: number): DeviceValues =>
  Object.fromEntries(PARTS.filter((part) => !typeHas(type, part)).flatMap((part) => FIELDS_OF[part].map((field) => [field, undefined])))

/** Return the issue of a recorder without a password, which the schema cannot find: it does not see stored passwords. */
export const missingPassword = (values: DeviceValues, hasPassword: boolean): FieldIssue[] =>
  values.type === deviceType.nvr && !values.password && (!hasPassword || values.password === '')
    ? [{ path: 'password', rule: 'required' }]
    : []

/**
 * Return the types on offer: the face gate only while changing a device, the identification camera never.
 * @param own current type of the device, which stays on offer
 */
export const typesOffered = (adding: boolean, own?: number): number[] =>
  deviceType.values.filter(
    (type) => (isTypeBuilt(type) || type === own) && type !== deviceType.identifyCamera && !(adding && type === deviceType.faceGate),
  )

/** Return whether devices of this type have a part. */
export const hasPart = (type: number | undefined, part: DevicePart): boolean => typeHas(type, part) && isPartBuilt(part)

/** Return the model that a device gets with its type; the usual one for types without models. */
export const firstModelOf = (type: number): number => modelsOfType[type]?.[0] ?? deviceModel.standard

/** Return a group of the tree by its id. */
export const groupIn = (groups: readonly DeviceGroupNode[], id: string | null | undefined): DeviceGroupNode | undefined =>
  id ? (groups.find((group) => group.id === id) ?? groups.map(({ children }) => groupIn(children, id)).find(Boolean)) : undefined
