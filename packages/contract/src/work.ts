/** Work that takes longer than a request: how far it is, and how it ended. */
import { z } from 'zod'
import { id, instant } from './schema.ts'

export const WORK_STATES = ['waiting', 'running', 'done', 'failed', 'cancelled'] as const

export const workState = z.object({
  id,
  /** `context.verbNoun`. */
  kind: z.string(),
  state: z.enum(WORK_STATES),
  /** Steps taken, and all there are; null before they are counted. */
  done: z.number().int(),
  total: z.number().int().nullable(),
  /** Of those taken, how many did not succeed; the rest went on. */
  failed: z.number().int(),
  createdAt: instant,
  startedAt: instant.nullable(),
  endedAt: instant.nullable(),
  /** Why it failed as a whole, for an administrator. */
  reason: z.string().nullable(),
})
export type WorkState = z.output<typeof workState>
