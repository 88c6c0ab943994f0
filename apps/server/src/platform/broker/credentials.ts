/** The broker passwords of devices. They are derived, not stored: a new secret means a new password, on any broker. */
import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import type { DeviceCredential } from './types.ts'
import type { DeviceSignIn } from '../session/session.ts'

/** A code that is one level of a topic: it can neither contain a wildcard nor extend the rights of a device. */
const PLAIN_CODE = /^[A-Za-z0-9_-]{1,64}$/

/** Assert that a code is plain. @throws Error for a code that could mean more than itself in a topic or an access rule */
export function assertPlainCode(code: string): void {
  if (!PLAIN_CODE.test(code)) throw new Error(`the device code ${JSON.stringify(code.slice(0, 80))} cannot stand in an MQTT topic`)
}

/**
 * Return the password: HMAC-SHA-256 over device, code and hash of the secret, base64url. It differs between devices that proved that they
 * know the secret and devices that sent it. The parts are JSON, so that their boundaries are unambiguous.
 */
export function passwordOf(serverKey: string, { deviceId, code, secretHash }: DeviceCredential, signedInBy: DeviceSignIn): string {
  assertPlainCode(code)
  const parts = ['broker password', deviceId, code, secretHash, ...(signedInBy === 'proof' ? [signedInBy] : [])]
  return createHmac('sha256', Buffer.from(serverKey, 'hex')).update(JSON.stringify(parts)).digest('base64url')
}

/** Return the passwords that are valid for a device now, that of a proof first. */
export function passwordsOf(serverKey: string, credential: DeviceCredential): [string, ...string[]] {
  const sent = credential.secretsTaken ? [passwordOf(serverKey, credential, 'secret')] : []
  return [passwordOf(serverKey, credential, 'proof'), ...sent]
}

/** Return a fingerprint that distinguishes passwords without revealing them: they are 256 random bits, so the hash cannot be reversed. */
export const fingerprintOf = (password: string): string => createHash('sha256').update(password).digest('hex').slice(0, 32)

/** Compare two passwords in constant time, whatever their lengths. */
export function samePassword(expected: string, presented: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest()
  return timingSafeEqual(digest(expected), digest(presented))
}
