/** One-time passwords of a second factor (RFC 6238) and its recovery codes: how they are made, and which one a text is. */
import { randomInt } from 'node:crypto'
import { ONE_TIME_DIGITS, ONE_TIME_SECONDS, RECOVERY_CODES } from '@gatehouse/contract/identity/second-factor'
import { Secret, TOTP } from 'otpauth'

/** Bytes of a secret: as many as the hash has, which every app takes. */
const SECRET_BYTES = 20
/** Steps by which the clock of a phone may differ, either way. */
const STEPS_OFF = 1
/** Without characters that are taken for one another: five bits each. */
const RECOVERY_CHARACTERS = 'abcdefghijkmnpqrstuvwxyz23456789'
const RECOVERY_HALF = 5

const ONE_TIME = new RegExp(`^[0-9]{${ONE_TIME_DIGITS}}$`)

/** Whose one-time passwords an app shows. */
export interface Holder {
  /** Name of the account, and of the installation where one person has accounts in several. */
  account: string
  installation: string
}

// SHA-1 is what authenticator apps can do throughout; nothing here rests on its resistance to collisions.
const passwordsOf = (secret: Secret, label = ''): TOTP =>
  new TOTP({ issuer: 'Gatehouse', label, algorithm: 'SHA1', digits: ONE_TIME_DIGITS, period: ONE_TIME_SECONDS, secret })

/** Bytes as they are kept. */
const secretFrom = (bytes: Uint8Array): Secret => new Secret({ buffer: new Uint8Array(bytes).buffer })

export interface NewSecret {
  bytes: Uint8Array
  /** To type in. */
  base32: string
  /** `otpauth://` address, for a QR code. */
  uri: string
}

/** A new secret for an app. */
export function makeSecret({ account, installation }: Holder): NewSecret {
  const secret = new Secret({ size: SECRET_BYTES })
  return { bytes: secret.bytes, base32: secret.base32, uri: passwordsOf(secret, `${account} (${installation})`).toString() }
}

/** The time step of a one-time password; null where it is that of none that holds now. */
export function stepOf(secret: Uint8Array, password: string, now: number): number | null {
  // What is compared has as many bytes as digits.
  if (!ONE_TIME.test(password)) return null
  const off = passwordsOf(secretFrom(secret)).validate({ token: password, timestamp: now, window: STEPS_OFF })
  return off === null ? null : Math.floor(now / (ONE_TIME_SECONDS * 1000)) + off
}

/** New recovery codes, `xxxxx-xxxxx`, each of them one of 2^50. */
export function makeRecoveryCodes(): string[] {
  const half = (): string =>
    Array.from({ length: RECOVERY_HALF }, () => RECOVERY_CHARACTERS[randomInt(RECOVERY_CHARACTERS.length)]).join('')
  const codes = new Set<string>()
  while (codes.size < RECOVERY_CODES) codes.add(`${half()}-${half()}`)
  return [...codes]
}

/**
 * What was typed, without what does not matter, full width as Chinese keyboards have it included; and whether it has the form of a
 * one-time password. Else it may be a recovery code.
 */
export function readCode(typed: string): { text: string; isOneTime: boolean } {
  const text = typed.normalize('NFKC').replace(/[\s-]/g, '').toLowerCase()
  return { text, isOneTime: ONE_TIME.test(text) }
}
