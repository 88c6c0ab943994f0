import { z } from 'zod'
import { RESOURCE_KINDS } from '@gatehouse/contract/maintenance/resources'
import { defineEvent } from '../../platform/events/events.ts'

/** Processor, memory or disk of a device reached its threshold, is below it again, or its alert was escalated or handled. */
export const deviceResourceAlert = defineEvent(
  'device.resourceAlert',
  z.object({ deviceId: z.string(), alertId: z.string(), kind: z.enum(RESOURCE_KINDS) }),
)
