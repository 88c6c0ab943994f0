/** Keys of a park: stored encrypted after their creation, and shown by their check value only. */
import type { DataOf, OutputOf } from '@gatehouse/contract'
import { KEY_TYPES, type CardKey, type keyCalls, type KeyType } from '@gatehouse/contract/cards/keys'
import { keyStatus } from '@gatehouse/contract/enums/devices'
import type { Platform } from '../../platform/context.ts'
import { violatedConstraint, type Transaction } from '../../platform/database/database.ts'
import { newId } from '../../platform/database/ids.ts'
import { InvalidRequest } from '../../platform/http/refusal.ts'
import { placeOf } from '../../platform/encryption/sealed-column.ts'
import type { Scope } from '../../platform/session/session.ts'
import { checkValueOf, keyOf } from './derivation.ts'
import * as data from './keys-data.ts'
import { CARD_KEY_VALUE } from './schema.ts'

export interface Keys {
  /** Return all three keys in their order, created or not. */
  list(scope: Scope): Promise<CardKey[]>
  /** @throws InvalidRequest if it exists already, or the leader key from which it is derived does not */
  create(scope: Scope, fields: OutputOf<typeof keyCalls.createKey.body>): Promise<DataOf<typeof keyCalls.createKey>>
  /** Return the key itself, to write it onto a card. @param field of the form @throws InvalidRequest if it was not created */
  open(scope: Scope, type: KeyType, field: string): Promise<Buffer>
  erasePark(tx: Transaction, scope: Scope): Promise<number>
}

const present = (type: KeyType, row: data.KeyRow | undefined): CardKey => ({
  id: row?.id ?? null,
  name: row?.name ?? '',
  type,
  status: row === undefined ? keyStatus.notCreated : keyStatus.created,
  checkValue: row?.checkValue ?? '',
  createdAt: row?.createdAt ?? null,
})

const missing = (field: string): never => {
  throw new InvalidRequest([{ path: field, rule: 'keyMissing' }])
}
const there = (): never => {
  throw new InvalidRequest([{ path: 'replace', rule: 'keyThere' }])
}

export function createKeys(platform: Platform): Keys {
  const db = platform.db
  const list = async (scope: Scope): Promise<CardKey[]> => {
    const rows = new Map((await data.findKeys(scope, db)).map((row) => [row.type, row]))
    return KEY_TYPES.map((type) => present(type, rows.get(type)))
  }
  const opened = (scope: Scope, { id, value }: data.KeyRow): Promise<Buffer> =>
    platform.crypto.open(scope.parkId, placeOf(CARD_KEY_VALUE, id), value)
  const named = (rows: readonly data.KeyRow[], type: KeyType) => rows.find((row) => row.type === type)

  return {
    list,
    async create(scope, { type, name, value, replace }) {
      await platform
        .transaction(async (tx) => {
          const rows = await data.lockKeys(scope, tx)
          const before = named(rows, type)
          if (before !== undefined && !replace) there()
          const leader = named(rows, 'leader')
          const key = type === 'leader' ? Buffer.from(value!, 'hex') : keyOf(await opened(scope, leader ?? missing('type')), type)
          const checkValue = checkValueOf(key)
          const id = newId()
          // Keys that were derived from another leader key are no longer valid.
          await data.deleteKeys(scope, tx, type === 'leader' ? KEY_TYPES : [type])
          await data.insertKey(
            scope,
            tx,
            { id, type, name, value: await platform.crypto.seal(scope.parkId, placeOf(CARD_KEY_VALUE, id), key), checkValue },
            platform.clock.now(),
          )
          platform.audit.note({
            entity: 'cardKey',
            id,
            label: name,
            before: before === undefined ? null : { name: before.name, checkValue: before.checkValue },
            after: { type, name, checkValue },
          })
        })
        .catch((error: unknown) => (violatedConstraint(error) === 'card_key_type' ? there() : Promise.reject(error)))
      return (await list(scope)).find((key) => key.type === type)!
    },
    async open(scope, type, field) {
      const row = named(await data.findKeys(scope, db), type)
      return opened(scope, row ?? missing(field))
    },
    erasePark: (tx, scope) => data.deleteKeys(scope, tx),
  }
}
