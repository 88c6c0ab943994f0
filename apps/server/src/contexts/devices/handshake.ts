/**
 * How devices prove that they know their secret without sending it. Challenges and tokens contain all that is needed to
 * check them, signed: any server of the installation accepts those of another, and a new secret invalidates tokens.
 * Described in docs/protocol/README.md, "Signing in".
 */
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import type { z } from 'zod'
import { deviceProofText, serverProofText } from '@gatehouse/contract/device/handshake'
import type { deviceProtocolCalls } from '@gatehouse/contract/device/protocol-calls'
import { deviceCode } from '@gatehouse/contract/devices/fields'
import type { Clock } from '../../platform/time/clock.ts'
import { Refusal } from '../../platform/http/refusal.ts'
import type { SignedInDevice } from '../../platform/session/session.ts'
import type { DeviceDirectory } from './directory.ts'
import { isProofOf, proofOf } from './proof.ts'

type Calls = typeof deviceProtocolCalls
type Answer<Name extends 'challenge' | 'token'> = z.output<Calls[Name]['data']>
type RequestBody<Name extends 'challenge' | 'token'> = z.output<Calls[Name]['body']>

export interface Handshakes {
  challenge(body: RequestBody<'challenge'>): Promise<Answer<'challenge'>>
  /** @throws Refusal 401 100412 if the device does not prove that it knows the secret, or is too late */
  token(body: RequestBody<'token'>): Promise<Answer<'token'>>
  /** Return the device to which a token was issued, as long as its secret is the same; null otherwise. */
  authenticate(token: string): Promise<SignedInDevice | null>
}

/** Milliseconds within which a challenge must be answered. */
const CHALLENGE_MS = 60_000
/** Seconds for which a token is valid. */
const TOKEN_SECONDS = 3600
const TIME_BYTES = 6
const RANDOM_BYTES = 16
const MAC_BYTES = 32

/** `key` is known only to the servers of the installation; `keys` are those of the certificates under which the server is reached. */
export function createHandshakes(options: {
  key: () => Buffer
  directory: Pick<DeviceDirectory, 'lookUp' | 'matching'>
  clock: Clock
  keys: () => string[]
  /** Whether the server accepts nothing over plain HTTP. */
  tlsOnly: boolean
}): Handshakes {
  const { directory, clock } = options
  /** Sign parts as JSON, so that none runs into the next. */
  const sign = (...parts: string[]): Buffer => createHmac('sha256', options.key()).update(JSON.stringify(parts)).digest()
  const isEqual = (one: Buffer, other: Buffer): boolean => one.length === other.length && timingSafeEqual(one, other)

  const headOf = (until: number): Buffer => {
    const time = Buffer.alloc(TIME_BYTES)
    time.writeUIntBE(until, 0, TIME_BYTES)
    return Buffer.concat([time, randomBytes(RANDOM_BYTES)])
  }
  const signed = (head: Buffer, code: string, nonce: string): Buffer => sign('challenge', code.toLowerCase(), nonce, head.toString('hex'))

  /** Return whether a server of the installation made the challenge, for this code and nonce, and it has not expired. */
  function isOurs({ code, nonce, challenge }: RequestBody<'token'>): boolean {
    const bytes = Buffer.from(challenge, 'base64url')
    if (bytes.length !== TIME_BYTES + RANDOM_BYTES + MAC_BYTES) return false
    const head = bytes.subarray(0, TIME_BYTES + RANDOM_BYTES)
    const until = head.readUIntBE(0, TIME_BYTES)
    return isEqual(bytes.subarray(head.length), signed(head, code, nonce)) && clock.now() <= until
  }

  const tokenMac = (code: string, until: number, secretHash: Buffer): Buffer =>
    sign('token', code.toLowerCase(), String(until), secretHash.toString('hex'))

  return {
    async challenge({ code, nonce }) {
      const entry = await directory.lookUp(code)
      const head = headOf(clock.now() + CHALLENGE_MS)
      const challenge = Buffer.concat([head, signed(head, code, nonce)]).toString('base64url')
      const keys = options.keys()
      const { tlsOnly } = options
      // Codes without a device are answered alike, and as fast, so that no answer reveals which codes exist.
      const key = entry?.secretHash ?? sign('nobody', code.toLowerCase())
      const proof = proofOf(key, serverProofText({ code, nonce, challenge, keys, tlsOnly }))
      return { challenge, keys, tlsOnly, proof }
    },
    async token(body) {
      let secretHash: Buffer | null = null
      const device = isOurs(body)
        ? await directory.matching(body.code, (hash) => {
            secretHash = hash
            return isProofOf(hash, deviceProofText(body), body.proof)
          })
        : null
      if (device === null || secretHash === null) throw new Refusal(100412, undefined, 401)
      const until = clock.now() + TOKEN_SECONDS * 1000
      const mac = tokenMac(device.code, until, secretHash)
      return {
        token: [Buffer.from(device.code).toString('base64url'), until, mac.toString('base64url')].join('.'),
        expiresIn: TOKEN_SECONDS,
      }
    },
    async authenticate(token) {
      const [codeText = '', untilText = '', macText = '', ...more] = token.split('.')
      const until = Number(untilText)
      if (more.length > 0 || !/^[1-9]\d{0,14}$/.test(untilText) || until <= clock.now()) return null
      const [code, mac] = [Buffer.from(codeText, 'base64url').toString('utf8'), Buffer.from(macText, 'base64url')]
      if (mac.length !== MAC_BYTES || !deviceCode.safeParse(code).success) return null
      const device = await directory.matching(code, (hash) => isEqual(mac, tokenMac(code, until, hash)))
      return device === null ? null : { ...device, signedInBy: 'proof' }
    },
  }
}
