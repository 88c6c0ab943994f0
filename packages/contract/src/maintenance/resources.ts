/** Processor, memory and disk of a device, and the thresholds of their usage: the same rule on the server and on the device. */
import { z } from 'zod'

export const RESOURCE_KINDS = ['cpu', 'memory', 'disk'] as const
export type ResourceKind = (typeof RESOURCE_KINDS)[number]

const percent = z.number().min(0).max(100)
/** Shares in use, in percent. */
export const resourceUsage = z.object({ cpu: percent, memory: percent, disk: percent })
export type ResourceUsage = z.output<typeof resourceUsage>

const threshold = z.number().int().min(1).max(100)
/** Percentage from which a usage raises an alert. */
export const resourceThresholds = z.object({ cpu: threshold, memory: threshold, disk: threshold })
export type ResourceThresholds = z.output<typeof resourceThresholds>

/** Default thresholds, until a park changes them. */
export const RESOURCE_THRESHOLDS: ResourceThresholds = { cpu: 90, memory: 90, disk: 90 }

/** Return the kinds whose usage has reached its threshold. */
export const kindsAbove = (usage: ResourceUsage, thresholds: ResourceThresholds): ResourceKind[] =>
  RESOURCE_KINDS.filter((kind) => usage[kind] >= thresholds[kind])
