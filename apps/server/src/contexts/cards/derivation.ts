/**
 * Keys derived from the leader key: HKDF with SHA-256 (RFC 5869) without salt, each under its own label, so that no key reveals another and
 * the same leader key gives the same keys wherever it is typed in. The label of a key of one card contains the card's serial number: a key
 * that was read from one card does not reveal that of another.
 *
 *   key 'main', 'init'     gatehouse/card-key/1/<type>                        from the leader key      16 bytes
 *   check value            gatehouse/card-key/1/check                         from the key itself       3 bytes
 *   key of a card          gatehouse/card-key/1/card/<use>/<serial number>    from the key it carries   16 bytes, 6 on M1
 */
import { hkdfSync } from 'node:crypto'
import type { KeyType } from '@gatehouse/contract/cards/keys'

const LABEL = 'gatehouse/card-key/1'
const KEY_BYTES = 16
const M1_KEY_BYTES = 6
const CHECK_BYTES = 3

const derived = (from: Uint8Array, label: string, bytes: number): Buffer =>
  Buffer.from(hkdfSync('sha256', from, new Uint8Array(), `${LABEL}/${label}`, bytes))

/** Return the main or init key that is derived from a leader key. */
export const keyOf = (leader: Uint8Array, type: Exclude<KeyType, 'leader'>): Buffer => derived(leader, type, KEY_BYTES)

/** Return six hexadecimal digits by which people can compare keys without seeing them. */
export const checkValueOf = (key: Uint8Array): string => derived(key, 'check', CHECK_BYTES).toString('hex').toUpperCase()

/** Return keys A and B of the sector of an M1 card. @param number serial number as upper-case hexadecimal digits */
export const sectorKeysOf = (key: Uint8Array, number: string): { a: Buffer; b: Buffer } => ({
  a: derived(key, `card/m1-a/${number}`, M1_KEY_BYTES),
  b: derived(key, `card/m1-b/${number}`, M1_KEY_BYTES),
})

/** Return the key by which a CPU card authenticates its writer. @param number serial number as upper-case hexadecimal digits */
export const cardKeyOfCpu = (key: Uint8Array, number: string): Buffer => derived(key, `card/cpu/${number}`, KEY_BYTES)
