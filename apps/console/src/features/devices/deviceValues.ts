/** What the device form starts from, and which types and models it offers. */
import type { InputOf } from '@gatehouse/contract'
import type { Device, deviceFields } from '@gatehouse/contract/devices/calls'
import { modelsOfType } from '@gatehouse/contract/enums/device-models'
import { deviceModel, deviceType, passDirection } from '@gatehouse/contract/enums/devices'

export type DeviceValues = Partial<InputOf<typeof deviceFields>>

export const newDevice = (groupId: string | undefined): DeviceValues => ({
  type: deviceType.faceAccessController,
  model: deviceModel.standard,
  direction: passDirection.in,
  groupId: groupId ?? null,
})

export const valuesOf = ({ name, type, model, groupId, direction }: Device): DeviceValues => ({
  name,
  type,
  model,
  groupId,
  direction: direction as NonNullable<DeviceValues['direction']>,
})

/** Types a device may be given: the face gate only while changing one, the identification camera never. */
export const typesOffered = (adding: boolean): number[] =>
  deviceType.values.filter((type) => type !== deviceType.identifyCamera && !(adding && type === deviceType.faceGate))

/** The model a device gets when its type is chosen; types without models of their own keep the usual one. */
export const firstModelOf = (type: number): number => modelsOfType[type]?.[0] ?? deviceModel.standard
