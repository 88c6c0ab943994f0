/** Assigns cards to persons, in the transactions of those who issue them. */
import { personCardType } from '@gatehouse/contract/enums/people'
import type { Transaction } from '../../platform/database/database.ts'
import { NotFound, refuse } from '../../platform/http/refusal.ts'
import type { Scope } from '../../platform/session/session.ts'
import { cardKeyOf } from './card.ts'
import * as data from './data.ts'
import type { RegisterParts } from './parts.ts'
import type { PeopleService } from './service-types.ts'
import { refuseDuplicate } from './unique-values.ts'

type CardValues = Pick<data.PersonValues, 'cardType' | 'cardNumberFormat' | 'cardNumber' | 'cardKey'>

/** The key is not logged: it follows from the number. */
const loggedCard = ({ cardType, cardNumberFormat, cardNumber }: Omit<CardValues, 'cardKey'>) => ({ cardType, cardNumberFormat, cardNumber })

export function createCardAssignment({
  platform,
  rows: { within, announceChange },
}: RegisterParts): Pick<PeopleService, 'setCard' | 'takeCard'> {
  async function exchangeCard(tx: Transaction, scope: Scope, person: data.PersonRow, card: CardValues): Promise<void> {
    await data.updateCard(scope, within(tx), person, card, platform.clock.now()).catch(refuseDuplicate)
    platform.audit.note({
      entity: 'person',
      id: person.id,
      label: person.name,
      labelMask: 'name',
      before: loggedCard(person),
      after: loggedCard(card),
    })
    await announceChange(tx, scope, [person.id])
  }

  return {
    async setCard(tx, scope, personId, number, format) {
      const [person] = await data.findPersons(scope, within(tx), [personId])
      if (person === undefined) throw new NotFound()
      if (!person.enabled) refuse(200224)
      await exchangeCard(tx, scope, person, {
        cardType: personCardType.icCard,
        cardNumberFormat: format,
        cardNumber: number,
        cardKey: cardKeyOf(number, format),
      })
    },
    async takeCard(tx, scope, personId, number, format) {
      const [person] = await data.findPersons(scope, within(tx), [personId])
      if (person?.cardKey !== cardKeyOf(number, format)) return
      await exchangeCard(tx, scope, person, {
        cardType: person.cardType,
        cardNumberFormat: person.cardNumberFormat,
        cardNumber: null,
        cardKey: null,
      })
    },
  }
}
