/** The permission of persons at doors. A failure is returned and not thrown, since the persons themselves are already saved. */
import { permitCalls } from '@gatehouse/contract/approvals/permits'
import { useWrite } from '../../../kit/form/useWrite.ts'
import { failed, type PermitResult, type PermitValue } from './permitValue.ts'

export interface Permit {
  permit: (personIds: string[], chosen: PermitValue) => Promise<PermitResult>
  pending: boolean
}

export function usePermit(): Permit {
  const { send, pending } = useWrite(permitCalls.persons, { errors: 'inline' })
  return {
    permit: (personIds, chosen) =>
      send({ body: { personIds, ...chosen } }).then(
        (outcomes) => ({ personIds, chosen, outcomes, failure: '' }),
        (error: unknown) => failed(personIds, chosen, error),
      ),
    pending,
  }
}
