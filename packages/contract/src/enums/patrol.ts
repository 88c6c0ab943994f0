import { defineEnum } from './definition.ts'

export const patrolCycle = defineEnum('patrolCycle', { daily: 0, weekly: 1, monthly: 2 })

export const patrolTaskStatus = defineEnum(
  'patrolTaskStatus',
  { effective: 0, toTakeEffect: 1, expired: 2 },
  { effective: 'success', toTakeEffect: 'processing', expired: 'neutral' },
)

export const patrolRecordStatus = defineEnum(
  'patrolRecordStatus',
  { toPatrol: 0, done: 1, unfinished: 2, interrupted: 3 },
  { toPatrol: 'processing', done: 'success', unfinished: 'error', interrupted: 'warning' },
)
