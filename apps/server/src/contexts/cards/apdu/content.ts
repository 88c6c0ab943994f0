/** Content of a key card, the same for both types: 16 bytes that identify it, and the key in 16 bytes. */
import type { KeyType } from '@gatehouse/contract/cards/keys'

export interface CardContent {
  kind: KeyType
  /** First digits of the ID numbers for which it is valid; empty for all. */
  area: string
  /** 8 or 16 bytes. */
  key: Uint8Array
}

export const BLOCK = 16
const MAGIC = Buffer.from('GHK1')
const KIND: Record<KeyType, number> = { leader: 1, main: 2, init: 3 }

/**
 * Return the identifying block: `GHK1`, kind, length of the key, length of the area, its digits two to a byte with F after the last of an
 * odd number, zeros.
 */
export function headOf({ kind, area, key }: CardContent): Buffer {
  const head = Buffer.alloc(BLOCK)
  MAGIC.copy(head)
  head[4] = KIND[kind]
  head[5] = key.length
  head[6] = area.length
  Buffer.from(area.length % 2 === 0 ? area : `${area}F`, 'hex').copy(head, 7)
  return head
}

/** Return the key, padded with zeros if it is shorter than a block. */
export function bodyOf({ key }: CardContent): Buffer {
  const body = Buffer.alloc(BLOCK)
  Buffer.from(key).copy(body)
  return body
}
