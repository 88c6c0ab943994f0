/** What terminals and other contexts need to know of a person. */
import { personStatusAt } from '@gatehouse/access-rules'
import type { Platform } from '../../platform/context.ts'
import type { Scope } from '../../platform/session/session.ts'
import { credentialsMark } from './credentials.ts'
import { findPersonFacts, findPersonFactsAfter } from './facts-data.ts'
import { humanOf } from './human.ts'
import type { PeopleService } from './service-types.ts'
import type { PersonFacts } from './facts-types.ts'

/** Return the facts of a person at a time. @param now epoch milliseconds */
function factsOf(
  crypto: Platform['crypto'],
  scope: Scope,
  {
    cardKey,
    idNumberIndex,
    personalPasswordIndex,
    passMethods,
    phone,
    email: _email,
    cardNumber: _cardNumber,
    birthday: _birthday,
    remark: _remark,
    instruction: _instruction,
    ...row
  }: Awaited<ReturnType<typeof findPersonFacts>>[number],
  now: number,
): PersonFacts {
  const mark = credentialsMark({ cardKey, idNumberIndex, personalPasswordIndex })
  return {
    ...row,
    active: personStatusAt(row, now) === 1,
    ...(passMethods !== null && { methods: passMethods }),
    ...(mark !== undefined && { credentialsMark: mark }),
    ...(phone !== null && { human: humanOf(crypto, scope, { name: row.name, phone }) }),
  }
}

export function createFacts({ db, crypto, clock }: Platform): Pick<PeopleService, 'facts' | 'page'> {
  return {
    async facts(scope, ids, within) {
      const now = clock.now()
      return (await findPersonFacts(scope, { db: within ?? db, crypto }, ids)).map((row) => factsOf(crypto, scope, row, now))
    },
    async page(scope, after, size) {
      const now = clock.now()
      return (await findPersonFactsAfter(scope, { db, crypto }, after, size)).map((row) => factsOf(crypto, scope, row, now))
    },
  }
}
