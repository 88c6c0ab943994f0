/** What visitors did at visitor machines that their visits did not allow any more: the desk sees to it. */
import { z } from 'zod'
import { callsOf } from '../call.ts'
import { visitorStatus } from '../enums/visitors.ts'
import { masked } from '../masking.ts'
import { id, ids, instant, pageData, pageQuery } from '../schema.ts'

const call = callsOf('visitors')
const base = { service: 'visitor', permission: 'visitor.report', origin: 'own' } as const

/**
 * Why: the status of the visit; it was blocked or deleted; it was not the time for it; the certificate or the card was missing, when
 * signing off: was not returned; the visitor has not been signed off from another visit; the park refuses them for another reason.
 */
export const CONFLICT_REASONS = ['status', 'blocked', 'deleted', 'tooEarly', 'over', 'certificate', 'card', 'present', 'refused'] as const
export type ConflictReason = (typeof CONFLICT_REASONS)[number]

export const machineConflict = z.object({
  id,
  /** Null: there was no such visit any more. */
  visitId: id.nullable(),
  /** Empty where there is no visit. */
  visitorName: masked('name', z.string()),
  deviceId: id,
  deviceName: z.string(),
  kind: z.enum(['signedIn', 'signedOff']),
  /** By the server's clock. */
  occurredAt: instant,
  receivedAt: instant,
  reason: z.enum(CONFLICT_REASONS),
  /** Status of the visit when the machine told of it; null: there was none. */
  status: visitorStatus.schema.nullable(),
})
export type MachineConflict = z.output<typeof machineConflict>

export const machineConflictCalls = {
  list: call({
    ...base,
    method: 'GET',
    path: '/visitor/machine/conflict/list',
    summary: 'What happened at visitor machines against the state of visits and nobody has seen to yet, the latest first.',
    query: pageQuery,
    data: pageData(machineConflict),
  }),
  settle: call({
    ...base,
    besides: ['visitor.temporary.edit'],
    method: 'PUT',
    path: '/visitor/machine/conflict/settle',
    summary: 'The desk has seen to these.',
    body: ids,
    data: z.object({ settled: z.number().int() }),
  }),
}
