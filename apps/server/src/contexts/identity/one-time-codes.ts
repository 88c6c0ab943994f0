/** One-time passwords of a second factor (RFC 6238) and its recovery codes: how they are made, and how typed text is recognised. */
import { randomInt } from 'node:crypto'
import { ONE_TIME_DIGITS, ONE_TIME_SECONDS, RECOVERY_CODES } from '@gatehouse/contract/identity/second-factor'
import { Secret, TOTP } from 'otpauth'

/** Bytes of a secret: the length of the hash, which every app accepts. */
const SECRET_BYTES = 20
/** Time steps by which the clock of a phone may deviate in either direction. */
const STEPS_OFF = 1
/** Alphabet without characters that look alike; five bits each. */
const RECOVERY_CHARACTERS = 'abcdefghijkmnpqrstuvwxyz23456789'
const RECOVERY_HALF = 5

const ONE_TIME = new RegExp(`^[0-9]{${ONE_TIME_DIGITS}}$`)

/** Account whose one-time passwords an app shows. */
export interface Holder {
  /** Name of the account, and of the installation, because one person may have accounts in several. */
  account: string
  installation: string
}

// SHA-1 is supported by all authenticator apps. Nothing here relies on its resistance to collisions.
const passwordsOf = (secret: Secret, label = ''): TOTP =>
  new TOTP({ issuer: 'Gatehouse', label, algorithm: 'SHA1', digits: ONE_TIME_DIGITS, period: ONE_TIME_SECONDS, secret })

/** Return a secret from its stored bytes. */
const secretFrom = (bytes: Uint8Array): Secret => new Secret({ buffer: new Uint8Array(bytes).buffer })

export interface NewSecret {
  bytes: Uint8Array
  /** To type in. */
  base32: string
  /** `otpauth://` address, for a QR code. */
  uri: string
}

/** Make a new secret for an app. */
export function makeSecret({ account, installation }: Holder): NewSecret {
  const secret = new Secret({ size: SECRET_BYTES })
  return { bytes: secret.bytes, base32: secret.base32, uri: passwordsOf(secret, `${account} (${installation})`).toString() }
}

/** Return the time step of a one-time password; null where it is not valid now. */
export function stepOf(secret: Uint8Array, password: string, now: number): number | null {
  // The comparison requires as many bytes as digits.
  if (!ONE_TIME.test(password)) return null
  const off = passwordsOf(secretFrom(secret)).validate({ token: password, timestamp: now, window: STEPS_OFF })
  return off === null ? null : Math.floor(now / (ONE_TIME_SECONDS * 1000)) + off
}

/** Make new recovery codes, `xxxxx-xxxxx`, each of them one of 2^50. */
export function makeRecoveryCodes(): string[] {
  const half = (): string =>
    Array.from({ length: RECOVERY_HALF }, () => RECOVERY_CHARACTERS[randomInt(RECOVERY_CHARACTERS.length)]).join('')
  const codes = new Set<string>()
  while (codes.size < RECOVERY_CODES) codes.add(`${half()}-${half()}`)
  return [...codes]
}

/**
 * Return typed text without spaces, hyphens, case and full width, which Chinese keyboards produce, and whether it has the form of a
 * one-time password. If not, it may be a recovery code.
 */
export function readCode(typed: string): { text: string; isOneTime: boolean } {
  const text = typed.normalize('NFKC').replace(/[\s-]/g, '').toLowerCase()
  return { text, isOneTime: ONE_TIME.test(text) }
}
