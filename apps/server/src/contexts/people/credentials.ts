/** What persons show at a door instead of a face, or beside it. Opened for terminals only, which seal it like a template. */
import { createHash } from 'node:crypto'
import type { Platform } from '../../platform/context.ts'
import { placeOf, type SealedColumn } from '../../platform/encryption/sealed-column.ts'
import type { Scope } from '../../platform/session/session.ts'
import { writtenCard } from './card.ts'
import { findCredentials } from './facts-data.ts'
import { ID_NUMBER, PERSONAL_PASSWORD } from './schema.ts'

export interface PersonCredentials {
  /** In decimal digits, however it was written; one that is no number as it was written. */
  cardNumber: string | null
  idNumber: string | null
  personalPassword: string | null
}

/** Return credentials by person; a person without any is left out. */
export type CredentialsOf = (scope: Scope, personIds: readonly string[]) => Promise<Map<string, PersonCredentials>>

export function createCredentials({ crypto, ...platform }: Pick<Platform, 'crypto' | 'db'>): CredentialsOf {
  const db = platform.db
  return async (scope, personIds) => {
    const rows = await findCredentials(scope, { db, crypto }, personIds)
    if (rows.length === 0) return new Map()
    const read = await crypto.reader(scope.parkId)
    const text = (column: SealedColumn, id: string, sealed: Buffer | null) =>
      sealed && (read(placeOf(column, id), sealed)?.toString('utf8') ?? null)
    return new Map(
      rows.map(({ id, cardKey, idNumber, personalPassword }) => [
        id,
        {
          cardNumber: cardKey === null ? null : writtenCard(cardKey),
          idNumber: text(ID_NUMBER, id, idNumber),
          personalPassword: text(PERSONAL_PASSWORD, id, personalPassword),
        },
      ]),
    )
  }
}

/** Return a mark by which sets of credentials differ, and which does not disclose them; undefined where there are none. */
export function credentialsMark(keys: {
  cardKey: string | null
  idNumberIndex: Buffer | null
  personalPasswordIndex: Buffer | null
}): string | undefined {
  const parts = [keys.cardKey, keys.idNumberIndex?.toString('base64') ?? null, keys.personalPasswordIndex?.toString('base64') ?? null]
  if (parts.every((part) => part === null)) return undefined
  return createHash('sha256').update(JSON.stringify(parts)).digest('base64url').slice(0, 22)
}
