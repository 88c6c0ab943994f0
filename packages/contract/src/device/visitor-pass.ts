/**
 * Passes of visitors: the text of a QR code, which a device checks without the server. Both sides use this file; they sign and verify with
 * their own libraries. In words: docs/protocol/README.md, "Passes of visitors".
 */
import { z } from 'zod'

/** How the text of a pass begins. A device looks up no text that begins like this as a plain code. */
export const PASS_PREFIX = 'GHP1'
/** Purpose of the signature: its bytes precede those of the pass in what is signed. */
const PASS_PURPOSE = 'gatehouse visitor pass 1'
/** Bytes of an Ed25519 signature. */
const SIGNATURE_BYTES = 64
const KEY_ID_BYTES = 4
const PASS_ID_BYTES = 8
const PERSON_BYTES = 16
/** Flags, key, pass, person, start and end. */
const BODY_BYTES = 1 + KEY_ID_BYTES + PASS_ID_BYTES + PERSON_BYTES + 4 + 4
const ONE_USE = 1

/**
 * Digits and capital letters: a code of them is as small as one in base45, and a reader that types it as a keyboard types the same on every
 * layout.
 */
const DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

export const passKey = z.object({
  /** 8 hexadecimal digits: the first bytes of the SHA-256 of the public key. */
  id: z.string().regex(/^[0-9a-f]{8}$/),
  /** Ed25519 public key, base64url of its 32 bytes. */
  key: z.string().regex(/^[\w-]{43}$/),
})
export type PassKey = z.output<typeof passKey>

export interface VisitorPass {
  keyId: string
  /** 16 hexadecimal digits. */
  id: string
  /** A UUID. */
  personId: string
  /** Epoch milliseconds, both inclusive. A pass keeps whole seconds: it starts within the second before and ends within the one after. */
  validFrom: number
  validTo: number
  /** The pass admits once. */
  oneUse: boolean
}

/** A text that has the form of a pass. Who made it is not known before the signature is verified. */
export interface SignedPass {
  pass: VisitorPass
  /** What `signature` signs. */
  signed: Uint8Array
  signature: Uint8Array
}

/** Number of hexadecimal digits of the id of a pass. */
export const PASS_ID_DIGITS = 2 * PASS_ID_BYTES

/** Return whether a text claims to be a pass, of this format or a later one. */
export const isPassText = (text: string): boolean => /^GHP[0-9]/i.test(text)

/**
 * Return the entry of a pass in force among the codes of its person. It is no text of a pass: a device stores nothing that a pass could be
 * made of.
 */
export const passEntry = (passId: string): string => `${PASS_PREFIX}/${passId}`

/** Return the bytes to sign. */
export function passBytes({ keyId, id, personId, validFrom, validTo, oneUse }: VisitorPass): Uint8Array<ArrayBuffer> {
  const purpose = new TextEncoder().encode(PASS_PURPOSE)
  const bytes = new Uint8Array(purpose.length + BODY_BYTES)
  bytes.set(purpose)
  bytes.set([oneUse ? ONE_USE : 0, ...bytesOfHex(keyId), ...bytesOfHex(id), ...bytesOfHex(personId.replaceAll('-', ''))], purpose.length)
  const view = new DataView(bytes.buffer)
  view.setUint32(bytes.length - 8, Math.floor(validFrom / 1000))
  view.setUint32(bytes.length - 4, Math.ceil(validTo / 1000))
  return bytes
}

/** Return the text of a pass. @param signature of `passBytes` */
export function passText(pass: VisitorPass, signature: Uint8Array): string {
  const body = passBytes(pass).subarray(-BODY_BYTES)
  return PASS_PREFIX + textOf(new Uint8Array([...body, ...signature]))
}

/** Return the parts of a text; null for one that is no pass of this format. Capital letters and small ones are the same. */
export function readPass(text: string): SignedPass | null {
  const capitals = text.toUpperCase()
  if (!capitals.startsWith(PASS_PREFIX)) return null
  const bytes = bytesOf(capitals.slice(PASS_PREFIX.length))
  if (bytes?.length !== BODY_BYTES + SIGNATURE_BYTES) return null
  const view = new DataView(bytes.buffer)
  const flags = bytes[0]!
  // A flag of a later version would restrict the pass in a way that is not known here.
  if ((flags & ~ONE_USE) !== 0) return null
  const hex = (from: number, count: number) =>
    [...bytes.subarray(from, from + count)].map((byte) => byte.toString(16).padStart(2, '0')).join('')
  const pass: VisitorPass = {
    keyId: hex(1, KEY_ID_BYTES),
    id: hex(1 + KEY_ID_BYTES, PASS_ID_BYTES),
    personId: hex(1 + KEY_ID_BYTES + PASS_ID_BYTES, PERSON_BYTES).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5'),
    validFrom: view.getUint32(BODY_BYTES - 8) * 1000,
    validTo: view.getUint32(BODY_BYTES - 4) * 1000,
    oneUse: (flags & ONE_USE) !== 0,
  }
  return { pass, signed: passBytes(pass), signature: bytes.subarray(BODY_BYTES) }
}

const bytesOfHex = (hex: string): number[] => (hex.match(/../g) ?? []).map((pair) => Number.parseInt(pair, 16))

function textOf(bytes: Uint8Array): string {
  let text = ''
  let pending = 0
  let bits = 0
  for (const byte of bytes) {
    pending = (pending << 8) | byte
    bits += 8
    while (bits >= 5) {
      bits -= 5
      text += DIGITS[(pending >> bits) & 31]
    }
    pending &= (1 << bits) - 1
  }
  return bits > 0 ? text + DIGITS[(pending << (5 - bits)) & 31] : text
}

/** Return null for a text that `textOf` does not make: bytes have one text. */
function bytesOf(text: string): Uint8Array<ArrayBuffer> | null {
  const bytes = new Uint8Array(Math.floor((text.length * 5) / 8))
  let pending = 0
  let bits = 0
  let length = 0
  for (const character of text) {
    const value = DIGITS.indexOf(character)
    if (value < 0) return null
    pending = (pending << 5) | value
    bits += 5
    if (bits >= 8) {
      bits -= 8
      bytes[length++] = pending >> bits
      pending &= (1 << bits) - 1
    }
  }
  return pending === 0 && bits < 5 ? bytes : null
}
