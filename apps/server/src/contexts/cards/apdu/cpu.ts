/**
 * CPU cards, according to ISO/IEC 7816-4: SELECT, GET CHALLENGE, EXTERNAL AUTHENTICATE, CHANGE REFERENCE DATA, UPDATE and READ BINARY. The
 * cryptogram is the challenge of 16 bytes under AES-128. The application holds key 1 and one file.
 */
import { createCipheriv } from 'node:crypto'
import { apdu } from './apdu.ts'
import { bodyOf, headOf, type CardContent } from './content.ts'

/** Proprietary, without a registered provider. */
export const APPLICATION = Buffer.from('F0474154454B4559', 'hex')
const KEY_REFERENCE = 0x81
export const CHALLENGE_BYTES = 16
/** The file is addressed by its short identifier. */
const FILE = 0x80 | 1
const FILE_BYTES = 32

const cryptogramOf = (key: Uint8Array, challenge: Uint8Array): Buffer => {
  const cipher = createCipheriv('aes-128-ecb', key, null).setAutoPadding(false)
  return Buffer.concat([cipher.update(challenge), cipher.final()])
}

/** Return the commands that select the application and request a challenge. Two answers; the second contains the challenge. */
export const begin = (): string[] => [apdu({ ins: 0xa4, p1: 0x04, data: APPLICATION, le: 0 }), apdu({ ins: 0x84, le: CHALLENGE_BYTES })]

/** Return the command that proves knowledge of the key. One answer. */
export const prove = (key: Uint8Array, challenge: Uint8Array): string[] => [
  apdu({ ins: 0x82, p2: KEY_REFERENCE, data: cryptogramOf(key, challenge) }),
]

/** Return the commands that write the content and read it back. Two answers; the second contains the stored content. */
export const write = (content: CardContent): string[] => [
  apdu({ ins: 0xd6, p1: FILE, data: Buffer.concat([headOf(content), bodyOf(content)]) }),
  apdu({ ins: 0xb0, p1: FILE, le: FILE_BYTES }),
]

/** Return the command that sets the card's own key. P1 1: only the new value, permitted by the preceding authentication. One answer. */
export const close = (key: Uint8Array): string[] => [apdu({ ins: 0x24, p1: 1, p2: KEY_REFERENCE, data: key })]
