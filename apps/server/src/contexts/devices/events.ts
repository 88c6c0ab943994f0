import { z } from 'zod'
import { defineEvent } from '../../platform/events/events.ts'

const deviceIds = z.object({ deviceIds: z.array(z.string()) })
/** Devices were added or their settings changed. */
export const devicesChanged = defineEvent('devices.changed', deviceIds)
export const devicesDeleted = defineEvent('devices.deleted', z.object({ deviceIds: z.array(z.string()), codes: z.array(z.string()) }))
/** The pairing secret was replaced: whoever is connected with the old one is cut off. */
export const deviceSecretReset = defineEvent('device.secretReset', z.object({ deviceIds: z.array(z.string()), code: z.string() }))
/** Devices of the park may not send their secret any more: those connected by it are cut off. */
export const deviceSecretsEnded = defineEvent('device.secretsEnded', z.object({}))
/** Devices were sent persons for the first time since their secret was made. */
export const deviceFetched = defineEvent('device.fetched', deviceIds)
/** What a device tells of itself changed, or whether anybody may connect as it. `switched`: which of them came online or were lost, and when. */
export const deviceStatusChanged = defineEvent(
  'device.statusChanged',
  z.object({
    deviceIds: z.array(z.string()),
    switched: z.array(z.object({ deviceId: z.string(), online: z.boolean(), at: z.number() })).default([]),
  }),
)
/** Device groups were added, moved or deleted: other devices may lie below one. */
export const deviceGroupsChanged = defineEvent('deviceGroups.changed', z.object({}))
export const deviceGroupDeleted = defineEvent('deviceGroup.deleted', z.object({ groupId: z.string() }))
