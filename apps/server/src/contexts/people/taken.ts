/** What it means that a value which one person alone may have is taken. */
import type { BusinessCode } from '@gatehouse/contract'
import { violatedConstraint } from '../../platform/database/database.ts'
import { InvalidRequest, refuse } from '../../platform/http/refusal.ts'

/** Which refusal, and the field it belongs to. */
const TAKEN: Record<string, [BusinessCode, string]> = {
  person_work_number: [200215, 'workNumber'],
  person_phone: [200005, 'phone'],
  person_card_number: [200207, 'cardNumber'],
  person_id_number: [200214, 'idNumber'],
}

/** Refuses in place of a unique constraint that was run into; throws any other error on. */
export function taken(error: unknown): never {
  const constraint = violatedConstraint(error) ?? ''
  if (constraint === 'person_personal_password') throw new InvalidRequest([{ path: 'personalPassword', rule: 'passwordTaken' }])
  const refusal = TAKEN[constraint]
  if (refusal !== undefined) refuse(...refusal)
  // The group was deleted since it was looked up.
  if ((error as { constraint?: string }).constraint === 'person_group_id_fkey')
    throw new InvalidRequest([{ path: 'groupId', rule: 'unknown' }])
  throw error
}
