/** A device as calls return it. */
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
  /** Time of the last message of the device; null: none yet. */
  lastSeenAt: changesByItself(instant.nullable()),
  /** Start of the current connection; null while it is not connected. */
  onlineSince: changesByItself(instant.nullable()),
  /** As the device last reported it, or as it was entered. */
  ip: z.string(),
  port: z.number().int().nullable(),
  userName: z.string(),
  hasPassword: z.boolean(),
  firmwareVersion: changesByItself(z.string()),
  /** Reported by the device; empty or null if it has not been. */
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
  /** 0: not authorised, no terminal can connect as this device; 1: paired; 2: its secret is waiting for the terminal. */
  authorisationStatus: z.number().int(),
  /** Whether a user who may change access rules has released it to receive persons; before that it stores none. */
  released: z.boolean(),
  /** User who released it; empty before that, and for devices from before releases were introduced. */
  releasedBy: z.string(),
  /** How it signed in when it last paired: by a proof that it knows its secret, or by the secret itself; null: not yet. */
  signedInBy: z.enum(['proof', 'secret']).nullable(),
  /** User who created its newest secret; empty if unknown. */
  pairedBy: z.string(),
  /** Number of persons that the device should store, and of those it stored at its last report. */
  personsDesired: changesByItself(z.number().int()),
  personsHeld: changesByItself(z.number().int()),
  /** Number of stored persons that it cannot recognise. */
  personsFailed: changesByItself(z.number().int()),
  /** Number of these without a photo: there is nothing that could be synchronised. */
  personsWithoutPhoto: changesByItself(z.number().int()),
  /** Number of persons it can store, as it reported; null if it has not. */
  capacity: changesByItself(z.number().int().nullable()),
  /** The last time it found that its stored data were changed by others, and which; null: never, or it does not check. */
  storeTampering: changesByItself(storeTampering.nullable()),
  /** Whether the persons it should store nearly fill its capacity. */
  nearlyFull: changesByItself(z.boolean()),
  createdAt: instant,
  version: z.number().int(),
})
export type Device = z.output<typeof device>

/** A device with data of other contexts, for its page and for the list. */
export const deviceDetail = device.extend({
  gateStatus: changesByItself(z.number().int()),
  /** Network mode of its settings; null if it is not set. */
  networkMode: z.number().int().nullable(),
  /** Number of access events there: today, by the park's date, and in total. */
  todayAccessCount: changesByItself(z.number().int()),
  totalAccessCount: changesByItself(z.number().int()),
})
export type DeviceDetail = z.output<typeof deviceDetail>

/** A device that received persons for the first time since its newest secret was created. */
export const deviceFetch = z.object({
  id,
  name: z.string(),
  pairedBy: z.string(),
  /** Null: it was paired before the user was recorded. */
  pairedById: id.nullable(),
  persons: z.number().int(),
  at: instant,
})
export type DeviceFetch = z.output<typeof deviceFetch>
