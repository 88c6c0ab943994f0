/** The interface of issuing cards, and what it needs from other areas. */
import type { OutputOf } from '@gatehouse/contract'
import type { IssuedCard, issuingCalls } from '@gatehouse/contract/cards/issuing'
import type { Transaction } from '../../platform/database/database.ts'
import type { Scope } from '../../platform/session/session.ts'
import type * as data from './data.ts'
import type { OrganisationService } from '../organisation/index.ts'
import type { PeopleService } from '../people/index.ts'

export interface Issuing {
  list(
    scope: Scope,
    query: data.CardQuery & { name?: string | undefined; personId?: string | undefined },
  ): Promise<{ total: number; content: IssuedCard[]; page: number; size: number }>
  /** @throws InvalidRequest for an unknown person or device, or a person with a card in that time; Refusal 200207, 200224 */
  issue(scope: Scope, card: OutputOf<typeof issuingCalls.issue.body>): Promise<string>
  /** Revoke cards; return how many. @throws NotFound if one does not exist in the park */
  revoke(scope: Scope, ids: readonly string[]): Promise<number>
  /** Put cards in force whose period has started, and end those whose period is over; return how many. */
  keepDates(): Promise<number>
  /** Delete the cards of persons who were deleted; return how many. */
  forgetPersons(tx: Transaction, scope: Scope, personIds: readonly string[]): Promise<number>
}
export interface IssuingNeeds {
  people: Pick<PeopleService, 'facts' | 'idsNamed' | 'setCard' | 'takeCard'>
  organisation: Pick<OrganisationService, 'park' | 'parks'>
}
