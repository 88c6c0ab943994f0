/** Puts cards in force and ends them. */
import { localDate } from '@gatehouse/access-rules'
import type { IssuedCard } from '@gatehouse/contract/cards/issuing'
import type { Platform } from '../../platform/context.ts'
import type { Transaction } from '../../platform/database/database.ts'
import { Refusal } from '../../platform/http/refusal.ts'
import type { Scope } from '../../platform/session/session.ts'
import * as data from './data.ts'
import { cardsChanged } from './events.ts'
import type { IssuingNeeds, Issuing } from './issuing-types.ts'

/** Reasons by the refusals of the register. */
const REASON_OF: Record<number, IssuedCard['reason']> = { 200207: 'numberTaken', 200224: 'personDisabled' }
export const formatOf = (format: string): 'decimal' | 'hex' => (format === 'hex' ? 'hex' : 'decimal')

export interface CardForce extends Pick<Issuing, 'keepDates'> {
  /** Return today in the zone of the park, as `2026-01-31`. */
  todayOf(scope: Scope): string
  /** @throws NotFound; Refusal 200207, 200224 */
  assign(tx: Transaction, scope: Scope, card: Pick<data.CardRow, 'personId' | 'number' | 'numberFormat'>): Promise<void>
  /** Take a card from its person if it is in force. */
  withdraw(tx: Transaction, scope: Scope, card: data.CardRow): Promise<void>
}

export function createCardForce(platform: Platform, { people, organisation }: IssuingNeeds): CardForce {
  const reading: data.Reading = { db: platform.db, crypto: platform.crypto }
  const todayOf = (scope: Scope): string => localDate(platform.clock.now(), organisation.park(scope).zone)

  /** Give the person the card. Terminals store more of a card than its number, so the change is also announced. */
  const assign: CardForce['assign'] = async (tx, scope, card) => {
    await people.setCard(tx, scope, card.personId, card.number, formatOf(card.numberFormat))
    await platform.events.announce(tx, cardsChanged, scope.parkId, { personIds: [card.personId] })
  }

  const withdraw: CardForce['withdraw'] = async (tx, scope, card) => {
    if (!card.inForce) return
    await people.takeCard(tx, scope, card.personId, card.number, formatOf(card.numberFormat))
    await platform.events.announce(tx, cardsChanged, scope.parkId, { personIds: [card.personId] })
  }

  /** Put a card in force, or store why it cannot be; in a transaction of its own, so that one card does not delay the next. */
  async function putInForce(scope: Scope, card: data.CardRow): Promise<void> {
    try {
      await platform.transaction(async (tx) => {
        await assign(tx, scope, card)
        await data.updateCard(scope, tx, card.id, { state: 'success', reason: null, inForce: true })
      })
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      await platform.transaction((tx) =>
        data.updateCard(scope, tx, card.id, { state: 'failed', reason: REASON_OF[error.code] ?? 'numberTaken', inForce: false }),
      )
    }
  }

  async function endForce(scope: Scope, card: data.CardRow): Promise<void> {
    await platform.transaction(async (tx) => {
      await withdraw(tx, scope, card)
      await data.updateCard(scope, tx, card.id, { state: 'success', reason: null, inForce: false })
    })
  }

  return {
    todayOf,
    assign,
    withdraw,
    async keepDates() {
      let count = 0
      for (const { id: parkId } of organisation.parks()) {
        const scope: Scope = { parkId }
        const today = todayOf(scope)
        for (const card of await data.findDue(scope, reading, today)) {
          // A card that was not looked at while it was valid ends without having been in force.
          if (card.expiryDate < today) await endForce(scope, card)
          else await putInForce(scope, card)
          count++
        }
      }
      return count
    },
  }
}
