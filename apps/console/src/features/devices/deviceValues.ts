/** What the device form starts from, which types and models it offers, and finding a group in the tree. */
import type { FieldIssue, InputOf } from '@gatehouse/contract'
import { isPartBuilt, isTypeBuilt } from '@gatehouse/contract/built'
import type { Device, DeviceGroupNode } from '@gatehouse/contract/devices/calls'
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

/** @param group it is offered first, whose direction it takes */
export const newDevice = (group: DeviceGroupNode | undefined): DeviceValues => ({
  type: deviceType.faceAccessController,
  model: deviceModel.standard,
  direction: (group?.defaultDirection ?? passDirection.in) as Direction,
  groupId: group?.id ?? null,
})

/** What a device has of the parts its type has. */
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

/** Empties what a type does not have, so that nothing is sent that nobody sees. */
export const clearedFor = (type: number): DeviceValues =>
  Object.fromEntries(PARTS.filter((part) => !typeHas(type, part)).flatMap((part) => FIELDS_OF[part].map((field) => [field, undefined])))

/** What only somebody who knows the device can tell: a recorder that has no password yet needs one. */
export const missingPassword = (values: DeviceValues, hasPassword: boolean): FieldIssue[] =>
  values.type === deviceType.nvr && !values.password && (!hasPassword || values.password === '')
    ? [{ path: 'password', rule: 'required' }]
    : []

/**
 * Types a device may be given: the face gate only while changing one, the identification camera never.
 * @param own the type it has: it keeps one that is not offered otherwise
 */
export const typesOffered = (adding: boolean, own?: number): number[] =>
  deviceType.values.filter(
    (type) => (isTypeBuilt(type) || type === own) && type !== deviceType.identifyCamera && !(adding && type === deviceType.faceGate),
  )

/** Whether a part of a device of this type is shown and asked for. */
export const hasPart = (type: number | undefined, part: DevicePart): boolean => typeHas(type, part) && isPartBuilt(part)

/** The model a device gets when its type is chosen; types without models of their own keep the usual one. */
export const firstModelOf = (type: number): number => modelsOfType[type]?.[0] ?? deviceModel.standard

/** A group of the tree by its id. */
export const groupIn = (groups: readonly DeviceGroupNode[], id: string | null | undefined): DeviceGroupNode | undefined =>
  id ? (groups.find((group) => group.id === id) ?? groups.map(({ children }) => groupIn(children, id)).find(Boolean)) : undefined
