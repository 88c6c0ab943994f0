/**
 * Passwords of cards in force, which holders type with the card. Decrypted for terminals only, which store them encrypted like templates.
 */
import type { Platform } from '../../platform/context.ts'
import { placeOf } from '../../platform/encryption/sealed-column.ts'
import type { Scope } from '../../platform/session/session.ts'
import { writtenCard } from '../people/index.ts'
import { findPasswordsOf, keyOf } from './data.ts'
import { CARD_PASSWORD, ISSUED_NUMBER } from './schema.ts'

export interface CardPassword {
  /** The number of the card as terminals receive it: a password is valid for its card only. */
  cardNumber: string
  password: string
}

/** A person without a password on any card in force is missing from both answers. */
export interface CardPasswords {
  /** Return a text for each person that changes when the passwords change, and reveals nothing about them. */
  marks(scope: Scope, personIds: readonly string[]): Promise<Map<string, string>>
  /** Return the passwords in clear; two if one card has expired and was not ended yet. */
  of(scope: Scope, personIds: readonly string[]): Promise<Map<string, CardPassword[]>>
}

export function createCardPasswords({ crypto, ...platform }: Pick<Platform, 'crypto' | 'db'>): CardPasswords {
  const db = platform.db
  return {
    async marks(scope, personIds) {
      const cards = Map.groupBy(await findPasswordsOf(scope, db, personIds), ({ personId }) => personId)
      // The password of an issued card never changes; a new password means a new card.
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
