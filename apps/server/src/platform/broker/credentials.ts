/** The broker passwords of devices. They are derived, never stored: a new secret is a new password, on any broker. */
import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import type { DeviceCredential } from './types.ts'
import type { DeviceSignIn } from '../session/session.ts'

/** A code that is one level of a topic and nothing else: it can neither hold a wildcard nor widen what a device may do. */
const PLAIN_CODE = /^[A-Za-z0-9_-]{1,64}$/

/** @throws Error for a code that could mean more than itself in a topic or an access rule */
export function assertPlainCode(code: string): void {
  if (!PLAIN_CODE.test(code)) throw new Error(`the device code ${JSON.stringify(code.slice(0, 80))} cannot stand in an MQTT topic`)
}

/**
 * HMAC-SHA-256 over device, code and hash of the secret, base64url; another for whoever has proved himself than for whoever
 * has sent the secret. The parts are JSON, so that none runs into the next.
 */
export function passwordOf(serverKey: string, { deviceId, code, secretHash }: DeviceCredential, signedInBy: DeviceSignIn): string {
  assertPlainCode(code)
  const parts = ['broker password', deviceId, code, secretHash, ...(signedInBy === 'proof' ? [signedInBy] : [])]
  return createHmac('sha256', Buffer.from(serverKey, 'hex')).update(JSON.stringify(parts)).digest('base64url')
}

/** Those that let a device in now, that of a proof first. */
export function passwordsOf(serverKey: string, credential: DeviceCredential): [string, ...string[]] {
  const sent = credential.secretsTaken ? [passwordOf(serverKey, credential, 'secret')] : []
  return [passwordOf(serverKey, credential, 'proof'), ...sent]
}

/** Tells two passwords apart without telling either: they are 256 random bits, so a hash cannot be turned round. */
export const fingerprintOf = (password: string): string => createHash('sha256').update(password).digest('hex').slice(0, 32)

/** Compares in constant time, whatever was presented. */
export function samePassword(expected: string, presented: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest()
  return timingSafeEqual(digest(expected), digest(presented))
}
