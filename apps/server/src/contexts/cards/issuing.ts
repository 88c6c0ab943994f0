/** Cards that persons carry. While a card is in force its number is the person's card number, by which terminals recognise it. */
import { VISITOR_KIND } from '../people/index.ts'
import type { IssuedCard } from '@gatehouse/contract/cards/issuing'
import type { Platform } from '../../platform/context.ts'
import { violatedConstraint, type Transaction } from '../../platform/database/database.ts'
import { newId } from '../../platform/database/ids.ts'
import { InvalidRequest, NotFound, Refusal, refuse } from '../../platform/http/refusal.ts'
import { placeOf } from '../../platform/encryption/sealed-column.ts'
import type { Scope } from '../../platform/session/session.ts'
import { createCardForce, formatOf } from './card-force.ts'
import * as data from './data.ts'
import type { Readers } from './readers.ts'
import { CARD_PASSWORD } from './schema.ts'
import type { Issuing, IssuingNeeds } from './issuing-types.ts'

/** Return a card as the operation log shows it. */
const logged = ({
  type,
  number,
  numberFormat,
  effectiveDate,
  expiryDate,
}: Pick<data.CardRow, 'type' | 'number' | 'numberFormat' | 'effectiveDate' | 'expiryDate'>) => ({
  type,
  cardNumber: number,
  numberFormat,
  effectiveDate,
  expiryDate,
})

export function createIssuing(platform: Platform, readers: Readers, { people, organisation }: IssuingNeeds): Issuing {
  const db = platform.db
  const within = (tx: Transaction): data.Reading => ({ db: tx, crypto: platform.crypto })
  const reading: data.Reading = { db, crypto: platform.crypto }
  const force = createCardForce(platform, { people, organisation })
  const { todayOf } = force

  async function namesOf(scope: Scope, personIds: readonly string[]) {
    const facts = new Map((await people.facts(scope, personIds)).map((person) => [person.id, person]))
    return (id: string) => ({ name: facts.get(id)?.name ?? '', workNumber: facts.get(id)?.workNumber ?? '' })
  }

  return {
    keepDates: force.keepDates,
    async list(scope, { name, personId, ...query }) {
      const named = name === undefined || name === '' ? null : await people.idsNamed(scope, name)
      const personIds = personId === undefined ? named : named === null || named.includes(personId) ? [personId] : []
      const { content, total } = await data.listCards(scope, reading, query, personIds)
      const personOf = await namesOf(
        scope,
        content.map((card) => card.personId),
      )
      return {
        total,
        page: query.page,
        size: query.size,
        content: content.map(({ state, password, ...card }) => ({
          ...card,
          personName: personOf(card.personId).name,
          workNumber: personOf(card.personId).workNumber,
          type: card.type as IssuedCard['type'],
          numberFormat: formatOf(card.numberFormat),
          status: state as IssuedCard['status'],
          reason: card.reason as IssuedCard['reason'],
          hasPassword: password !== null,
        })),
      }
    },
    async issue(scope, { personId, type, number, numberFormat, effectiveDate, expiryDate, password, deviceId }) {
      const [[person], device] = await Promise.all([
        people.facts(scope, [personId]),
        deviceId == null ? null : readers.find(scope, deviceId),
      ])
      // The card of a visitor is one of their visit.
      if (person === undefined || person.kind === VISITOR_KIND) throw new InvalidRequest([{ path: 'personId', rule: 'unknown' }])
      const today = todayOf(scope)
      if (expiryDate < today) throw new InvalidRequest([{ path: 'expiryDate', rule: 'min.date', params: { limit: today } }])
      const inForce = effectiveDate <= today
      const id = newId()
      const sealed =
        password == null || password === ''
          ? null
          : await platform.crypto.seal(scope.parkId, placeOf(CARD_PASSWORD, id), Buffer.from(password))
      const card: data.NewCard = {
        id,
        personId,
        type,
        number,
        numberFormat,
        effectiveDate,
        expiryDate,
        issuingDevice: device?.name ?? '',
        inForce,
        password: sealed,
      }
      await platform
        .transaction(async (tx) => {
          const others = await data.lockCardsOf(scope, tx, personId)
          if (others.some((other) => other.state !== 'failed' && other.effectiveDate <= expiryDate && effectiveDate <= other.expiryDate))
            throw new InvalidRequest([{ path: 'effectiveDate', rule: 'cardOverlap' }])
          await data.insertCard(scope, within(tx), card, platform.clock.now())
          platform.audit.note({
            entity: 'card',
            id: card.id,
            label: person.name,
            labelMask: 'name',
            after: { ...logged(card), issuingDevice: card.issuingDevice, ...(sealed !== null && { password: true }) },
          })
          if (inForce) await force.assign(tx, scope, card)
        })
        .catch((error: unknown) =>
          violatedConstraint(error) === 'issued_card_number' ? refuse(200207, 'number') : Promise.reject(atNumber(error)),
        )
      return card.id
    },
    async revoke(scope, ids) {
      const unique = [...new Set(ids)]
      return platform.transaction(async (tx) => {
        const cards = await data.findCards(scope, within(tx), unique)
        if (cards.length < unique.length) throw new NotFound()
        const personOf = await namesOf(
          scope,
          cards.map(({ personId }) => personId),
        )
        for (const card of cards) {
          await force.withdraw(tx, scope, card)
          platform.audit.note({ entity: 'card', id: card.id, label: personOf(card.personId).name, labelMask: 'name', before: logged(card) })
        }
        await data.deleteCards(scope, tx, unique)
        return unique.length
      })
    },
    async forgetPersons(tx, scope, personIds) {
      const ids = await data.findCardIdsOf(scope, tx, personIds)
      await data.deleteCards(scope, tx, ids)
      await platform.audit.forget(tx, 'card', ids)
      return ids.length
    },
  }
}

/** Return the register's refusal of a number with the field of this form. */
function atNumber(error: unknown): unknown {
  return error instanceof Refusal && error.code === 200207
    ? new Refusal(200207, { fields: [{ path: 'number', rule: 'code.200207' }] })
    : error
}
