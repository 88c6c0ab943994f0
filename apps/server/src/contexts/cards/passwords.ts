/** Passwords of the cards in force, which holders type beside them. Opened for terminals only, which seal them like a template. */
import type { Platform } from '../../platform/context.ts'
import type { Database } from '../../platform/database/database.ts'
import { placeOf } from '../../platform/encryption/sealed-column.ts'
import type { Scope } from '../../platform/session/session.ts'
import { writtenCard } from '../people/index.ts'
import { findPasswordsOf, keyOf } from './data.ts'
import { CARD_PASSWORD, ISSUED_NUMBER, type CardsTables } from './schema.ts'

export interface CardPassword {
  /** The number of the card as terminals are told it: a password is of its card alone. */
  cardNumber: string
  password: string
}

/** Whose cards in force have no password is left out of both answers. */
export interface CardPasswords {
  /** Another text for a person: the passwords are others. It does not tell what they are. */
  marks(scope: Scope, personIds: readonly string[]): Promise<Map<string, string>>
  /** In clear. Two where one card is over today and was not ended yet. */
  of(scope: Scope, personIds: readonly string[]): Promise<Map<string, CardPassword[]>>
}

export function createCardPasswords({ crypto, ...platform }: Pick<Platform, 'crypto' | 'db'>): CardPasswords {
  const db = platform.db as unknown as Database<CardsTables>
  return {
    async marks(scope, personIds) {
      const cards = Map.groupBy(await findPasswordsOf(scope, db, personIds), ({ personId }) => personId)
      // The password of an issued card never changes: another one is another card.
      return new Map([...cards].map(([personId, own]) => [personId, own.map(({ id }) => id).join()]))
    },
    async of(scope, personIds) {
      const rows = await findPasswordsOf(scope, db, personIds)
      if (rows.length === 0) return new Map()
      const open = await crypto.opener(scope.parkId)
      const cards = Map.groupBy(rows, ({ personId }) => personId)
      return new Map(
        [...cards].map(([personId, own]) => [
          personId,
          own.map(({ id, numberSealed, numberFormat, password }) => ({
            cardNumber: writtenCard(keyOf({ number: open(placeOf(ISSUED_NUMBER, id), numberSealed).toString('utf8'), numberFormat })),
            password: open(placeOf(CARD_PASSWORD, id), password).toString('utf8'),
          })),
        ]),
      )
    },
  }
}
