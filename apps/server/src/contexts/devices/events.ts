import { z } from 'zod'
import { defineEvent } from '../../platform/events.ts'

const deviceIds = z.object({ deviceIds: z.array(z.string()) })
/** Devices were added or their settings changed. */
export const devicesChanged = defineEvent('devices.changed', deviceIds)
export const devicesDeleted = defineEvent('devices.deleted', z.object({ deviceIds: z.array(z.string()), codes: z.array(z.string()) }))
/** The pairing secret was replaced: whoever is connected with the old one is cut off. */
export const deviceSecretReset = defineEvent('device.secretReset', z.object({ deviceIds: z.array(z.string()), code: z.string() }))
/** Online, offline, or another count of persons held. */
export const deviceStatusChanged = defineEvent('device.statusChanged', deviceIds)
