/**
 * M1 cards (MIFARE Classic) through a contactless reader's pseudo-APDUs, according to PC/SC part 3 (supplement for contactless storage
 * cards, 3.2.2.1): GET DATA, LOAD KEYS, GENERAL AUTHENTICATE, READ BINARY, UPDATE BINARY. The key is in sector 1.
 */
import { apdu } from './apdu.ts'
import { bodyOf, headOf, type CardContent } from './content.ts'

const READER = 0xff
/** Volatile key slot of the reader. */
const SLOT = 0
const KEY_A = 0x60
const KEY_B = 0x61
const HEAD_BLOCK = 4
const KEY_BLOCK = 5
const TRAILER_BLOCK = 7
const BYTES = 16

/** Key A reads, key B reads and writes; only key B can change both keys and these bits. Sector trailer 011, blocks 100. */
export const ACCESS_BITS = Buffer.from('787788', 'hex')
const USER_BYTE = 0x69

/** Return the command that reads the serial number of the card on the reader, of either type. */
export const serialNumber = (): string => apdu({ cla: READER, ins: 0xca, le: 0 })

const loadKey = (key: Uint8Array): string => apdu({ cla: READER, ins: 0x82, p2: SLOT, data: key })
const authenticate = (type: number): string => apdu({ cla: READER, ins: 0x86, data: Uint8Array.from([1, 0, TRAILER_BLOCK, type, SLOT]) })
const update = (block: number, data: Uint8Array): string => apdu({ cla: READER, ins: 0xd6, p2: block, data })
const read = (block: number): string => apdu({ cla: READER, ins: 0xb0, p2: block, le: BYTES })

/** Return the commands that open the sector with the manufacturer's key, as key A. Two answers. */
export const openFresh = (transportKey: Uint8Array): string[] => [loadKey(transportKey), authenticate(KEY_A)]

/** Return the commands that open the sector of a card that was written before, with its key B. Two answers. */
export const openWritten = (keyB: Uint8Array): string[] => [loadKey(keyB), authenticate(KEY_B)]

/** Return the commands that write the content and read it back. Four answers; the last two contain the stored content. */
export const write = (content: CardContent): string[] => [
  update(HEAD_BLOCK, headOf(content)),
  update(KEY_BLOCK, bodyOf(content)),
  read(HEAD_BLOCK),
  read(KEY_BLOCK),
]

/** Return the command that sets the card's own keys. One answer. */
export const close = ({ a, b }: { a: Uint8Array; b: Uint8Array }): string[] => [
  update(TRAILER_BLOCK, Buffer.concat([a, ACCESS_BITS, Buffer.from([USER_BYTE]), b])),
]
