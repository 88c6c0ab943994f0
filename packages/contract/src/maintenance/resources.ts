/** Processor, memory and disk of a device, and when they are too full: by the same rule on the server and at the device. */
import { z } from 'zod'

export const RESOURCE_KINDS = ['cpu', 'memory', 'disk'] as const
export type ResourceKind = (typeof RESOURCE_KINDS)[number]

const percent = z.number().min(0).max(100)
/** Shares in use, in percent. */
export const resourceUsage = z.object({ cpu: percent, memory: percent, disk: percent })
export type ResourceUsage = z.output<typeof resourceUsage>

const threshold = z.number().int().min(1).max(100)
/** From so many percent on a share is too much. */
export const resourceThresholds = z.object({ cpu: threshold, memory: threshold, disk: threshold })
export type ResourceThresholds = z.output<typeof resourceThresholds>

/** What holds until a park says otherwise. */
export const RESOURCE_THRESHOLDS: ResourceThresholds = { cpu: 90, memory: 90, disk: 90 }

/** Which shares have reached their threshold. */
export const kindsAbove = (usage: ResourceUsage, thresholds: ResourceThresholds): ResourceKind[] =>
  RESOURCE_KINDS.filter((kind) => usage[kind] >= thresholds[kind])
