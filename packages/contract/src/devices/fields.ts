/** Fields of a device, and which of them a type has: the same for the form, the calls and the server. */
import { z } from 'zod'
import { accessType } from '../enums/access.ts'
import { deviceChannelCount, deviceModel, deviceType, passDirection } from '../enums/devices.ts'
import { DIGITAL_CODE_MAX, DIGITAL_CODE_MIN, LOCK_MACS, PASSCODE_MAX, PASSCODE_MIN } from '../limits.ts'
import { changeOf, id, isIpAddress } from '../schema.ts'
import { rule } from '../validation.ts'

export const deviceCode = z
  .string()
  .trim()
  .min(1)
  .max(64)
  .refine((value) => /^[A-Za-z0-9_-]+$/.test(value), rule('deviceCode'))
export const deviceName = z.string().trim().min(1).max(64)
/** A name may contain any characters, because a group is identified by its id. */
export const deviceGroupName = z.string().trim().min(1).max(32)
const direction = z.union([z.literal(passDirection.in), z.literal(passDirection.out)])

/** Optional texts: null or empty means none. */
const emptyOr = (accepts: (value: string) => boolean) => (value: string) => value === '' || accepts(value)
const digits = (min: number, max: number) =>
  z
    .string()
    .trim()
    .refine(
      emptyOr((value) => new RegExp(`^[0-9]{${min},${max}}$`).test(value)),
      rule('digits', { min, max }),
    )

const ip = z.string().trim().refine(emptyOr(isIpAddress), rule('ip'))
/** A number, or its digits as typed, including full-width digits; empty means none. */
const port = z
  .union([z.number(), z.string()])
  .nullable()
  .transform((value) => {
    if (typeof value !== 'string') return value
    const text = value.normalize('NFKC').trim()
    if (text === '') return null
    return /^[0-9]+$/.test(text) ? Number(text) : -1
  })
  .refine((value) => value === null || (Number.isInteger(value) && value >= 0), rule('decimalDigits'))
  .pipe(z.number().int().min(1).max(65_535).nullable())

const MAC = /^[0-9a-f]{2}([:-]?)(?:[0-9a-f]{2}\1){4}[0-9a-f]{2}$/i
/** `00:1A:2B:3C:4D:5E`, however it was written. */
const canonicalMac = (value: string): string => (value.replaceAll(/[:-]/g, '').toUpperCase().match(/../g) ?? []).join(':')
const mac = z
  .string()
  .trim()
  .refine((value) => MAC.test(value), rule('macAddress'))
  .transform(canonicalMac)
const lockMacs = z
  .array(mac)
  .max(LOCK_MACS)
  .superRefine((macs, context) => {
    macs.forEach((one, at) => {
      if (macs.indexOf(one) < at) context.addIssue({ code: 'custom', path: [at], params: { rule: 'duplicate' } })
    })
  })

/** Fields that only some devices have. */
const particulars = {
  ip: ip.nullish(),
  /** Port to which it reports alarms. */
  port: port.optional(),
  userName: z.string().trim().max(64).nullish(),
  /** Password for signing in at the device; stored encrypted, never returned. */
  password: z.string().max(64).nullish(),
  accessType: accessType.schema.nullish(),
  relayMac: z
    .string()
    .trim()
    .refine(
      emptyOr((value) => MAC.test(value)),
      rule('macAddress'),
    )
    .transform(canonicalMac)
    .nullish(),
  lockMacs: lockMacs.nullish(),
  /** Password typed at the door, the same for all people; stored encrypted, sent to the terminal only. */
  devicePassword: digits(PASSCODE_MIN, PASSCODE_MAX).nullish(),
  /** Code by which an intercom calls it; unique in the installation. */
  digitalCode: digits(DIGITAL_CODE_MIN, DIGITAL_CODE_MAX).nullish(),
  openDoorConfirm: z.boolean().nullish(),
  channelCount: deviceChannelCount.schema.nullish(),
  supportsVideo: z.boolean().nullish(),
}

const common = {
  name: deviceName,
  type: deviceType.schema.default(deviceType.faceAccessController),
  model: deviceModel.schema.default(deviceModel.standard),
  groupId: id.nullish(),
  /** Absent for a new device, or null: the direction of its group. */
  direction: direction.nullish(),
  ...particulars,
}

/** Groups of fields that some types have and others do not. */
export const DEVICE_PARTS = ['network', 'door', 'passcode', 'intercom', 'channels', 'video'] as const
export type DevicePart = (typeof DEVICE_PARTS)[number]

const {
  captureCamera,
  faceGate,
  faceAccessController,
  partnerDevice,
  mobileHealthCodeTerminal,
  aiBox,
  faceGateMachine,
  nvr,
  gateController,
  cardGateMachine,
} = deviceType
const TYPES_WITH: Readonly<Record<DevicePart, readonly number[]>> = {
  /** Types that the server contacts at an address, instead of the device connecting to the server. */
  network: [captureCamera, partnerDevice, aiBox, nvr, gateController],
  door: [faceGate, faceAccessController, faceGateMachine, gateController, cardGateMachine],
  passcode: [faceGate, faceAccessController, faceGateMachine],
  intercom: [faceGate, faceAccessController, faceGateMachine],
  channels: [faceAccessController, gateController],
  video: [captureCamera, faceGate, faceAccessController, mobileHealthCodeTerminal, aiBox, faceGateMachine, nvr],
}
/** Return whether devices of a type have this part. */
export const typeHas = (type: number | undefined, part: DevicePart): boolean => type !== undefined && TYPES_WITH[part].includes(type)

/** Fields without which a video recorder cannot be reached. */
const NVR_NEEDS = ['ip', 'port', 'userName', 'password'] as const

type Described = { type?: number | undefined } & { [field in (typeof NVR_NEEDS)[number]]?: unknown }
/** Return the fields that the device's type requires and the device lacks. */
export const missingOf = (device: Described): (typeof NVR_NEEDS)[number][] =>
  device.type === nvr ? NVR_NEEDS.filter((field) => device[field] === undefined || device[field] === null || device[field] === '') : []

/** A new device, as a form sends it. */
export const deviceFields = z.object({ code: deviceCode, ...common }).superRefine((device, context) => {
  for (const field of missingOf(device)) context.addIssue({ code: 'custom', path: [field], ...rule('required') })
})
/** A change of a device. The server checks the fields that its type requires, together with the stored values. */
export const deviceChange = changeOf(z.object(common)).extend({ id, version: z.number().int().optional() })
