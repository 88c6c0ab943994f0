/**
 * Credentials that persons use in place of a face, or with it. They are sealed like templates and found by keyed digests, so that no card
 * number or password is on the disk in clear, and nothing has to be read at the start.
 */
import type { DatabaseSync } from 'node:sqlite'
import { cardNumberOf } from '@gatehouse/access-rules'
import type { PersonObject } from '@gatehouse/contract/device/protocol-persons'
import type { WrittenCredentials } from './row-marks.ts'
import type { Vault } from './vault.ts'

export type Credentials = NonNullable<PersonObject['credentials']>

/** Kinds of credentials by which a person can be found. */
export type CredentialKind = 'card' | 'idNumber' | 'personalPassword' | 'qrCode' | 'handprint'

export interface CredentialStore {
  /** Replace the credentials of a person, who must already be on the disk. @returns what was written */
  put(personId: string, credentials: Credentials | null): WrittenCredentials | null
  /** Return the person with this credential; null if nobody, or several persons, have it. */
  holderOf(kind: CredentialKind, value: string): string | null
  /**
   * Return whether a person's sealed credentials contain this one. An attacker can change the digests in the file so that they find another
   * person.
   */
  isListed(personId: string, kind: CredentialKind, value: string): boolean
  /** Return whether this is the password of the person's cards; null if these have none. */
  isCardPassword(personId: string, password: string): boolean | null
  /** Return the credentials as they arrived; null for a person without any. @throws when they were changed or sealed under another key */
  of(personId: string): Credentials | null
}

/** Numbers of the kinds on the disk; the list is only ever appended to. */
const KINDS: Record<CredentialKind | 'cardPassword', number> = {
  card: 1,
  idNumber: 2,
  personalPassword: 3,
  qrCode: 4,
  handprint: 5,
  cardPassword: 6,
}

/** Whether there are any credentials to pass by. */
export const hasCredentials = (credentials: PersonObject['credentials']): credentials is Credentials =>
  credentials != null && keysOf('', credentials).length > 0

/** Open the credentials of a store. */
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
      // Equal numbers of a person are one key.
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
      const [stored] = ofPerson.all(personId, KINDS.cardPassword) as { digest: Uint8Array }[]
      return stored ? Buffer.from(stored.digest).equals(digestOf(KINDS.cardPassword, ownedBy(personId, password))) : null
    },
    of(personId) {
      const row = read.get(personId) as { sealed: Uint8Array } | undefined
      return row ? (JSON.parse(Buffer.from(vault.open(row.sealed, boundTo(personId))).toString()) as Credentials) : null
    },
  }
}

const boundTo = (personId: string) => `credentials of ${personId}`
/** The person is part of the digest of a card password, so that two persons with the same password do not have equal digests. */
const ownedBy = (personId: string, password: string) => `${personId}/${password}`

/** Return a value in the form in which it is compared. */
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
