/** Whether a pass password is free in a park: for forms that want to say so before they are sent. */
import { InvalidRequest } from '../../platform/http/refusal.ts'
import type { Session } from '../../platform/session/session.ts'
import { canReadPersons } from '../people/index.ts'
import type { StrategyDependencies } from './dependencies.ts'
import { isUuid } from '../../platform/database/ids.ts'

export interface PasswordQuestion {
  personalPassword: string
  /** For whom it is asked. */
  personId?: string | undefined
}

/**
 * Whether nobody in the park has a password. Somebody's own counts as free only to those who may change that person, whom
 * saving would tell as much; to all others the answer never says whose it is.
 * @throws InvalidRequest for a person this park does not have; TooManyTries
 */
export type PasswordIsFree = (session: Session, question: PasswordQuestion) => Promise<boolean>

const WINDOW_MS = 15 * 60_000
/** Questions of one user in a window: enough for forms, and far too few to find passwords of four digits. */
const QUESTIONS_MAX = 30

const NO_NUMBERS = { workNumber: '', phone: '', cardNumber: '', cardNumberFormat: '', idNumber: '' }

export function createPasswordIsFree({ people, demandRoom }: Pick<StrategyDependencies, 'people' | 'demandRoom'>): PasswordIsFree {
  return async (session, { personalPassword, personId }) => {
    const { scope, userId } = session
    if (personId !== undefined && (!isUuid(personId) || (await people.facts(scope, [personId])).length === 0))
      throw new InvalidRequest([{ path: 'personId', rule: 'unknown' }])
    await demandRoom(`pass password ${userId}`, WINDOW_MS, QUESTIONS_MAX)
    const [holder] = await people.lookup.holders(scope, [people.lookup.keysOf(scope, { ...NO_NUMBERS, personalPassword })])
    return holder === undefined || (holder.personId === personId && canReadPersons(session))
  }
}
