/** Cards people carry: while one is in force it is the person's card number, by which terminals know it. */
import { localDate } from '@gatehouse/access-rules'
import type { OutputOf } from '@gatehouse/contract'
import type { issuingCalls, IssuedCard } from '@gatehouse/contract/cards/issuing'
import type { Platform } from '../../platform/context.ts'
import { violatedConstraint, type Database, type OpenTransaction, type Tx } from '../../platform/database/database.ts'
import { newId } from '../../platform/database/ids.ts'
import { InvalidRequest, NotFound, Refusal, refuse } from '../../platform/http/refusal.ts'
import { placeOf } from '../../platform/encryption/sealed-column.ts'
import type { Scope } from '../../platform/session/session.ts'
import type { OrganisationService } from '../organisation/index.ts'
import type { PeopleService } from '../people/index.ts'
import * as data from './data.ts'
import { cardsChanged } from './events.ts'
import type { Readers } from './readers.ts'
import { CARD_PASSWORD, type CardsTables } from './schema.ts'

export interface Issuing {
  list(
    scope: Scope,
    query: data.CardQuery & { name?: string | undefined; personId?: string | undefined },
  ): Promise<{ total: number; content: IssuedCard[]; page: number; size: number }>
  /** @throws InvalidRequest for an unknown person or device, or a person with a card in that time; Refusal 200207, 200224 */
  issue(scope: Scope, wish: OutputOf<typeof issuingCalls.issue.body>): Promise<string>
  /** @throws NotFound where one is none of the park's */
  revoke(scope: Scope, ids: readonly string[]): Promise<number>
  /** Puts cards in force whose time has come, and ends those whose time is over; answers how many. */
  keepDates(): Promise<number>
  /** The cards of persons who were deleted go with them. */
  forgetPersons(tx: OpenTransaction, scope: Scope, personIds: readonly string[]): Promise<number>
}

export interface IssuingNeeds {
  people: Pick<PeopleService, 'facts' | 'idsNamed' | 'setCard' | 'takeCard'>
  organisation: Pick<OrganisationService, 'park' | 'parks'>
}

const REASON_OF: Record<number, IssuedCard['reason']> = { 200207: 'numberTaken', 200224: 'personDisabled' }
const formatOf = (format: string): 'decimal' | 'hex' => (format === 'hex' ? 'hex' : 'decimal')

export function createIssuing(platform: Platform, readers: Readers, { people, organisation }: IssuingNeeds): Issuing {
  const db = platform.db as unknown as Database<CardsTables>
  const within = (tx: Tx<CardsTables>): data.Reading => ({ db: tx, crypto: platform.crypto })
  const reading: data.Reading = { db, crypto: platform.crypto }
  const todayOf = (scope: Scope): string => localDate(platform.clock.now(), organisation.park(scope).zone)

  async function namesOf(scope: Scope, personIds: readonly string[]) {
    const facts = new Map((await people.facts(scope, personIds)).map((person) => [person.id, person]))
    return (id: string) => ({ name: facts.get(id)?.name ?? '', workNumber: facts.get(id)?.workNumber ?? '' })
  }

  /** What the operation log tells of a card. */
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

  /** Gives the person the card; what a terminal holds of the card beside its number is told for itself. */
  async function hand(tx: Tx<CardsTables>, scope: Scope, card: Pick<data.CardRow, 'personId' | 'number' | 'numberFormat'>): Promise<void> {
    await people.setCard(tx, scope, card.personId, card.number, formatOf(card.numberFormat))
    await platform.events.announce(tx, cardsChanged, scope.parkId, { personIds: [card.personId] })
  }

  async function takeBack(tx: Tx<CardsTables>, scope: Scope, card: data.CardRow): Promise<void> {
    if (!card.inForce) return
    await people.takeCard(tx, scope, card.personId, card.number, formatOf(card.numberFormat))
    await platform.events.announce(tx, cardsChanged, scope.parkId, { personIds: [card.personId] })
  }

  /** Puts a card in force, or says why it cannot be; each in a transaction of its own, so that one does not hold up the next. */
  async function putInForce(scope: Scope, card: data.CardRow): Promise<void> {
    try {
      await platform.transaction(async (tx: Tx<CardsTables>) => {
        await hand(tx, scope, card)
        await data.updateCard(scope, tx, card.id, { state: 'success', reason: null, inForce: true })
      })
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      await platform.transaction((tx: Tx<CardsTables>) =>
        data.updateCard(scope, tx, card.id, { state: 'failed', reason: REASON_OF[error.code] ?? 'numberTaken', inForce: false }),
      )
    }
  }

  async function endForce(scope: Scope, card: data.CardRow): Promise<void> {
    await platform.transaction(async (tx: Tx<CardsTables>) => {
      await takeBack(tx, scope, card)
      await data.updateCard(scope, tx, card.id, { state: 'success', reason: null, inForce: false })
    })
  }

  return {
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
          createdAt: card.createdAt as number,
        })),
      }
    },
    async issue(scope, { personId, type, number, numberFormat, effectiveDate, expiryDate, password, deviceId }) {
      const [[person], device] = await Promise.all([
        people.facts(scope, [personId]),
        deviceId == null ? null : readers.find(scope, deviceId),
      ])
      if (person === undefined) throw new InvalidRequest([{ path: 'personId', rule: 'unknown' }])
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
        .transaction(async (tx: Tx<CardsTables>) => {
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
          if (inForce) await hand(tx, scope, card)
        })
        .catch((error: unknown) =>
          violatedConstraint(error) === 'issued_card_number' ? refuse(200207, 'number') : Promise.reject(atNumber(error)),
        )
      return card.id
    },
    async revoke(scope, ids) {
      const unique = [...new Set(ids)]
      return platform.transaction(async (tx: Tx<CardsTables>) => {
        const cards = await data.findCards(scope, within(tx), unique)
        if (cards.length < unique.length) throw new NotFound()
        const personOf = await namesOf(
          scope,
          cards.map(({ personId }) => personId),
        )
        for (const card of cards) {
          await takeBack(tx, scope, card)
          platform.audit.note({ entity: 'card', id: card.id, label: personOf(card.personId).name, labelMask: 'name', before: logged(card) })
        }
        await data.deleteCards(scope, tx, unique)
        return unique.length
      })
    },
    async keepDates() {
      let count = 0
      for (const { id: parkId } of organisation.parks()) {
        const scope: Scope = { parkId }
        const today = todayOf(scope)
        for (const card of await data.findDue(scope, reading, today)) {
          // One that was not looked at in all its time ends without ever having been in force.
          if (card.expiryDate < today) await endForce(scope, card)
          else await putInForce(scope, card)
          count++
        }
      }
      return count
    },
    async forgetPersons(open, scope, personIds) {
      const tx = open as Tx<CardsTables>
      const ids = await data.findCardIdsOf(scope, tx, personIds)
      await data.deleteCards(scope, tx, ids)
      await platform.audit.forget(tx, 'card', ids)
      return ids.length
    },
  }
}

/** The register names the field of its own form. */
function atNumber(error: unknown): unknown {
  return error instanceof Refusal && error.code === 200207
    ? new Refusal(200207, { fields: [{ path: 'number', rule: 'code.200207' }] })
    : error
}
