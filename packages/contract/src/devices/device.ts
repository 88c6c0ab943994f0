/** A device as calls answer it. */
import { z } from 'zod'
import { storeTampering } from '../device/protocol-status.ts'
import { id, instant } from '../schema.ts'
import { changesByItself } from '../wire-names.ts'

export const device = z.object({
  id,
  code: z.string(),
  name: z.string(),
  type: z.number().int(),
  model: z.number().int(),
  groupId: id.nullable(),
  groupName: z.string(),
  direction: z.number().int(),
  onlineStatus: changesByItself(z.number().int()),
  /** Time of the last sign of life, if any. */
  lastSeenAt: changesByItself(instant.nullable()),
  /** Since when it is connected; null while it is not. */
  onlineSince: changesByItself(instant.nullable()),
  /** As the device last told, or as it was entered. */
  ip: z.string(),
  port: z.number().int().nullable(),
  userName: z.string(),
  hasPassword: z.boolean(),
  firmwareVersion: changesByItself(z.string()),
  /** Told by the device; empty or null where it has not. */
  apkName: changesByItself(z.string()),
  platform: changesByItself(z.string()),
  license: changesByItself(z.number().int().nullable()),
  accessType: z.number().int().nullable(),
  relayMac: z.string(),
  lockMacs: z.array(z.string()),
  hasDevicePassword: z.boolean(),
  digitalCode: z.string(),
  openDoorConfirm: z.boolean(),
  channelCount: z.number().int(),
  supportsVideo: z.boolean(),
  /** 0 nobody may connect as this device, 2 its secret waits for the terminal, 1 paired. */
  authorisationStatus: z.number().int(),
  /** Whether somebody who decides who passes has let persons go to it; until then it holds nobody. */
  released: z.boolean(),
  /** Who let them; empty until then, and where it was there before devices were released. */
  releasedBy: z.string(),
  /** How it said who it is when it last paired: by a proof that it knows its secret, or by the secret itself; null: it has not yet. */
  signedInBy: z.enum(['proof', 'secret']).nullable(),
  /** Who made its newest secret; empty where that is not known. */
  pairedBy: z.string(),
  /** Persons the device should hold and does hold, as last told. */
  personsDesired: changesByItself(z.number().int()),
  personsHeld: changesByItself(z.number().int()),
  /** Persons it holds and cannot recognise. */
  personsFailed: changesByItself(z.number().int()),
  /** Of those, persons who have no photo: there is nothing that could be synchronised. */
  personsWithoutPhoto: changesByItself(z.number().int()),
  /** Persons it has room for, as it told; null where it has not. */
  capacity: changesByItself(z.number().int().nullable()),
  /** The last time it found that others had changed what it keeps, and what of it; null: never, or it does not look. */
  storeTampering: changesByItself(storeTampering.nullable()),
  /** Whether it should hold so many persons that there is hardly room for more. */
  nearlyFull: changesByItself(z.boolean()),
  createdAt: instant,
  version: z.number().int(),
})
export type Device = z.output<typeof device>

/** A device with what is asked of others for its own page and the list. */
export const deviceDetail = device.extend({
  gateStatus: changesByItself(z.number().int()),
  /** How it is set to reach its network; null where nobody has said. */
  networkMode: z.number().int().nullable(),
  /** How often somebody tried to pass there: on the park's own today, and ever. */
  todayAccessCount: changesByItself(z.number().int()),
  totalAccessCount: changesByItself(z.number().int()),
})
export type DeviceDetail = z.output<typeof deviceDetail>

/** A device that was sent persons for the first time since its newest secret was made. */
export const deviceFetch = z.object({
  id,
  name: z.string(),
  pairedBy: z.string(),
  /** Null: nobody has paired it since that is known. */
  pairedById: id.nullable(),
  persons: z.number().int(),
  at: instant,
})
export type DeviceFetch = z.output<typeof deviceFetch>
