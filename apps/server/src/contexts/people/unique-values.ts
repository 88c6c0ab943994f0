/** Refusals of values that only one person may have. */
import type { BusinessCode } from '@gatehouse/contract'
import { violatedConstraint } from '../../platform/database/database.ts'
import { InvalidRequest, refuse } from '../../platform/http/refusal.ts'

/** The code and the field of each constraint. */
const REFUSALS: Record<string, [BusinessCode, string]> = {
  person_work_number: [200215, 'workNumber'],
  person_phone: [200005, 'phone'],
  person_card_number: [200207, 'cardNumber'],
  person_id_number: [200214, 'idNumber'],
}

/** Refuse in place of a unique constraint that was violated. @throws any other error as it is */
export function refuseDuplicate(error: unknown): never {
  const constraint = violatedConstraint(error) ?? ''
  if (constraint === 'person_personal_password') throw new InvalidRequest([{ path: 'personalPassword', rule: 'passwordTaken' }])
  const refusal = REFUSALS[constraint]
  if (refusal !== undefined) refuse(...refusal)
  // The group was deleted since it was looked up.
  if ((error as { constraint?: string }).constraint === 'person_group_id_fkey')
    throw new InvalidRequest([{ path: 'groupId', rule: 'unknown' }])
  throw error
}
