import { z } from 'zod'
import { defineEvent } from '../../platform/events/events.ts'

const deviceIds = z.object({ deviceIds: z.array(z.string()) })
/** Devices were added or their settings changed. */
export const devicesChanged = defineEvent('devices.changed', deviceIds)
export const devicesDeleted = defineEvent('devices.deleted', z.object({ deviceIds: z.array(z.string()), codes: z.array(z.string()) }))
/** The pairing secret was replaced: a device connected with the old one is disconnected. */
export const deviceSecretReset = defineEvent('device.secretReset', z.object({ deviceIds: z.array(z.string()), code: z.string() }))
/** Devices of the park may no longer send their secret: those connected by it are disconnected. */
export const deviceSecretsEnded = defineEvent('device.secretsEnded', z.object({}))
/** Devices were sent persons for the first time since their secret was made. */
export const deviceFetched = defineEvent('device.fetched', deviceIds)
/**
 * What a device reports of itself changed, or whether a terminal may connect as it. `switched`: which devices came online
 * or went offline, and when.
 */
export const deviceStatusChanged = defineEvent(
  'device.statusChanged',
  z.object({
    deviceIds: z.array(z.string()),
    switched: z.array(z.object({ deviceId: z.string(), online: z.boolean(), at: z.number() })).default([]),
  }),
)
/** Device groups were added or moved: the devices below a group may have changed. */
export const deviceGroupsChanged = defineEvent('deviceGroups.changed', z.object({}))
export const deviceGroupDeleted = defineEvent('deviceGroup.deleted', z.object({ groupId: z.string() }))
