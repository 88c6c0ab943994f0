/** Work that takes longer than a request: its progress and its result. */
import { z } from 'zod'
import { id, instant } from './schema.ts'

export const WORK_STATES = ['waiting', 'running', 'done', 'failed', 'cancelled'] as const

export const workState = z.object({
  id,
  /** `context.verbNoun`. */
  kind: z.string(),
  state: z.enum(WORK_STATES),
  /** Steps done, and their total; null before they are counted. */
  done: z.number().int(),
  total: z.number().int().nullable(),
  /** Number of done steps that failed; the work continued after them. */
  failed: z.number().int(),
  createdAt: instant,
  startedAt: instant.nullable(),
  endedAt: instant.nullable(),
  /** Why the work failed as a whole, for an administrator. */
  reason: z.string().nullable(),
})
export type WorkState = z.output<typeof workState>
