/**
 * What persons show instead of a face, or beside it. Sealed like templates; found by keyed digests, so that neither a card number nor
 * a password stands on the disk, and nothing has to be read at the start.
 */
import type { DatabaseSync } from 'node:sqlite'
import { cardNumberOf } from '@gatehouse/access-rules'
import type { PersonObject } from '@gatehouse/contract/device/protocol'
import type { WrittenCredentials } from './row-marks.ts'
import type { Vault } from './vault.ts'

export type Credentials = NonNullable<PersonObject['credentials']>

/** What a person can be found by. */
export type CredentialKind = 'card' | 'idNumber' | 'personalPassword' | 'qrCode' | 'handprint'

export interface CredentialStore {
  /** Replaces what is kept of a person, who is on the disk already. @returns what was written */
  put(personId: string, credentials: Credentials | null): WrittenCredentials | null
  /** Whose this is; null where it is nobody's, or of several persons. */
  holderOf(kind: CredentialKind, value: string): string | null
  /** Whether this stands among what a person has. A file can be made to find somebody by what they do not have. */
  isListed(personId: string, kind: CredentialKind, value: string): boolean
  /** Whether this is the password of the person's cards; null where they have none. */
  isCardPassword(personId: string, password: string): boolean | null
  /** As they came; null for a person who has none. @throws when they were changed or sealed under another key */
  of(personId: string): Credentials | null
}

/** Numbers on the disk; only ever appended to. */
const KINDS: Record<CredentialKind | 'cardPassword', number> = {
  card: 1,
  idNumber: 2,
  personalPassword: 3,
  qrCode: 4,
  handprint: 5,
  cardPassword: 6,
}

/** Whether there is anything at all to pass by. */
export const hasCredentials = (credentials: PersonObject['credentials']): credentials is Credentials =>
  credentials != null && keysOf('', credentials).length > 0

/** The credentials of an opened store. */
export function createCredentialStore(database: DatabaseSync, vault: Vault): CredentialStore {
  const insert = database.prepare('INSERT OR REPLACE INTO credential (person_id, sealed) VALUES (?, ?)')
  const insertKey = database.prepare('INSERT OR IGNORE INTO credential_key (kind, digest, person_id) VALUES (?, ?, ?)')
  const drop = database.prepare('DELETE FROM credential WHERE person_id = ?')
  const dropKeys = database.prepare('DELETE FROM credential_key WHERE person_id = ?')
  const find = database.prepare('SELECT person_id AS personId FROM credential_key WHERE kind = ? AND digest = ? LIMIT 2')
  const ofPerson = database.prepare('SELECT digest FROM credential_key WHERE person_id = ? AND kind = ?')
  const read = database.prepare('SELECT sealed FROM credential WHERE person_id = ?')

  const digestOf = (kind: number, value: string) => vault.digest(`${kind}/${value}`)

  return {
    put(personId, credentials) {
      drop.run(personId)
      dropKeys.run(personId)
      if (!hasCredentials(credentials)) return null
      const sealed = vault.seal(Buffer.from(JSON.stringify(credentials)), boundTo(personId))
      insert.run(personId, sealed)
      // The same number twice is one key.
      const keys = new Map(
        keysOf(personId, credentials).map(([kind, value]) => [`${kind}/${value}`, [kind, digestOf(kind, value)] as const]),
      )
      for (const [kind, digest] of keys.values()) insertKey.run(kind, digest, personId)
      return { sealed, keys: [...keys.values()] }
    },
    holderOf(kind, value) {
      const found = find.all(KINDS[kind], digestOf(KINDS[kind], comparable(kind, value))) as { personId: string }[]
      return found.length === 1 ? found[0]!.personId : null
    },
    isListed(personId, kind, value) {
      const digest = digestOf(KINDS[kind], comparable(kind, value))
      return (ofPerson.all(personId, KINDS[kind]) as { digest: Uint8Array }[]).some((each) => Buffer.from(each.digest).equals(digest))
    },
    isCardPassword(personId, password) {
      const [known] = ofPerson.all(personId, KINDS.cardPassword) as { digest: Uint8Array }[]
      return known ? Buffer.from(known.digest).equals(digestOf(KINDS.cardPassword, ownedBy(personId, password))) : null
    },
    of(personId) {
      const row = read.get(personId) as { sealed: Uint8Array } | undefined
      return row ? (JSON.parse(Buffer.from(vault.open(row.sealed, boundTo(personId))).toString()) as Credentials) : null
    },
  }
}

const boundTo = (personId: string) => `credentials of ${personId}`
/** Passwords of cards are of one person: two who chose the same must not look alike. */
const ownedBy = (personId: string, password: string) => `${personId}/${password}`

/** A value as it is compared. */
function comparable(kind: CredentialKind, value: string): string {
  if (kind === 'card') return cardNumberOf(value, 'decimal') ?? value
  return kind === 'idNumber' ? value.trim().toUpperCase() : value
}

function keysOf(personId: string, credentials: Credentials): [kind: number, value: string][] {
  const { cards, idNumber, personalPassword, cardPassword, qrCodes, handprints } = credentials
  const all: Record<CredentialKind, readonly (string | null)[]> = {
    card: cards,
    idNumber: [idNumber],
    personalPassword: [personalPassword],
    qrCode: qrCodes,
    handprint: handprints,
  }
  const keys = Object.entries(all).flatMap(([kind, values]) =>
    values.flatMap((value): [number, string][] =>
      value ? [[KINDS[kind as CredentialKind], comparable(kind as CredentialKind, value)]] : [],
    ),
  )
  return cardPassword ? [...keys, [KINDS.cardPassword, ownedBy(personId, cardPassword)]] : keys
}
