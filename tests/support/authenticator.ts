/** What an authenticator app on a phone does: one-time passwords (RFC 6238) from the secret that was typed in. */
import { createHmac } from 'node:crypto'
import { ONE_TIME_DIGITS, ONE_TIME_SECONDS, secondFactorCalls } from '@gatehouse/contract/identity/second-factor'
import type { Client } from '@gatehouse/dev-env/client'

const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

function bytesOf(secret: string): Buffer {
  const bits = [...secret.replace(/[\s=]/g, '').toUpperCase()].map((letter) => BASE32.indexOf(letter).toString(2).padStart(5, '0')).join('')
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)))
}

/**
 * Return the one-time password of a moment.
 *
 * @param secret base32, as it is shown
 * @param now epoch milliseconds on the clock of the server
 */
export function oneTimePassword(secret: string, now: number): string {
  const step = Buffer.alloc(8)
  step.writeBigUInt64BE(BigInt(Math.floor(now / (ONE_TIME_SECONDS * 1000))))
  const hash = createHmac('sha1', bytesOf(secret)).update(step).digest()
  const at = hash.at(-1)! & 0xf
  return String((hash.readUInt32BE(at) & 0x7fffffff) % 10 ** ONE_TIME_DIGITS).padStart(ONE_TIME_DIGITS, '0')
}

/**
 * Set up the second factor of a user who has recently typed their password.
 *
 * @param clock of the server
 */
export async function setUpSecondFactor(
  client: Pick<Client, 'call'>,
  clock: { now(): number },
): Promise<{ secret: string; recoveryCodes: string[] }> {
  const { secret } = await client.call(secondFactorCalls.begin, { body: {} })
  const code = oneTimePassword(secret, clock.now())
  return { secret, ...(await client.call(secondFactorCalls.confirm, { body: { code } })) }
}
