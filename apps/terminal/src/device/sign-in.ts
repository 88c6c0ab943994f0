/**
 * Signing in: the server proves that it knows the secret and vouches for its keys, then the device proves the same and
 * gets a token. Before that, nothing confidential is sent. In words: docs/protocol/README.md, "Signing in".
 */
import { randomBytes } from 'node:crypto'
import type { DataOf } from '@gatehouse/contract'
import { deviceProofText, serverProofText } from '@gatehouse/contract/device/handshake'
import { deviceProtocolCalls } from '@gatehouse/contract/device/protocol-calls'
import { connectionsTo, unprovenConnection, type Connections, type UnprovenConnection } from './connections.ts'
import { dataOf, exchange, ForeignKey, isTimeout, ServerAway, ServerUnproven, type Answer } from './exchange.ts'
import { isProofOf, keyOfSecret, markOfSecret, proofOf } from './handshake.ts'
import { NotEncrypted } from './secure-socket.ts'
import type { ServerTrust, Store } from './store.ts'

/**
 * How the connection to the server is secured. `vouched`: encrypted, the server vouches for the key. `authority`: encrypted,
 * an authority signed the certificate. `none`: not encrypted.
 */
export type ServerSecurity = 'vouched' | 'authority' | 'none'

export type TrustKeeper = Pick<Store, 'trust' | 'keepTrust'>

export interface SignInOptions {
  /** Address the device was started with. */
  server: string
  code: string
  secret: string
  /** Stores what identifies the server; in memory by default. */
  trust?: TrustKeeper
  /** Over TLS the server must vouch for its key: a certificate of an authority proves only who owns the host name. */
  mustVouch?: boolean
  /** Epoch milliseconds. */
  clock?: () => number
}

/** A server that has proved itself, with the token for its calls. */
export interface Way {
  readonly origin: URL
  /** Digests of the keys the server vouches for. */
  readonly keys: readonly string[]
  readonly connections: Connections
  readonly token: string
  /**
   * The device was given an http address and reached TLS, although the server does not say that it accepts TLS only. A proxy may be in
   * between, or an attacker.
   */
  readonly isDetour: boolean
}

export interface SignIn {
  /** Address in use. It is https once the server was reached over it, whatever address the device was given. */
  address(): URL
  /** Null before the first sign-in. */
  security(): ServerSecurity | null
  /**
   * Sign in, unless there is a token that is valid for a while. Concurrent callers share one handshake.
   * @throws ServerAway, ServerRefused
   */
  way(signal: AbortSignal): Promise<Way>
  /** Report that the token or the connections no longer work: the next caller signs in again. */
  spent(way: Way): void
  /** Report that nothing answers: the next caller signs in again if the address is not the one given. */
  unanswered(way: Way): void
  /** Run `work` on a connection to an unproven peer, again over TLS at 426; only public data may be sent over it. @throws as `work` */
  unproven(work: (origin: URL, connection: UnprovenConnection) => Promise<Answer>): Promise<Answer>
  /** Close all connections. */
  close(): void
}

const SIGN_IN_WITHIN = 15_000
/** Seconds before its end at which a token is renewed; a tenth of its lifetime if that is less. */
const RENEW_BEFORE = 60

/** Create the sign-in of a device. @throws TypeError for an address that is no http or https URL */
export function createSignIn({
  server,
  code,
  secret,
  trust = trustInMemory(),
  mustVouch = false,
  clock = Date.now,
}: SignInOptions): SignIn {
  const base = addressOfServer(server)
  const key = keyOfSecret(secret)
  const secretMark = markOfSecret(key)
  const closing = new AbortController()
  let current: Way | null = null
  /** Epoch milliseconds after which `current` is no longer used. */
  let renewAt = 0
  let signing: Promise<Way> | null = null
  /** Trust that could not be written to disk. */
  let unkept: ServerTrust | null = null

  /** Return the trust; null before the server was reached over TLS with this secret. */
  function currentTrust(): ServerTrust | null {
    const kept = unkept ?? trust.trust()
    return kept?.secretMark === secretMark ? kept : null
  }

  const start = (): URL => (currentTrust() === null ? base : overTls(base))

  async function signIn(): Promise<Way> {
    const signal = AbortSignal.any([AbortSignal.timeout(SIGN_IN_WITHIN), closing.signal])
    const isKnown = currentTrust() !== null
    const { origin, nonce, challenge, keys, tlsOnly } = await proven(start(), { code, key, isKnown, mustVouch, signal })
    const isSecure = origin.protocol === 'https:'
    // An attacker in between can also redirect to a port with TLS, so that alone must not exclude plain http for good.
    const isBound = isKnown || base.protocol === 'https:' || tlsOnly
    if (isSecure && isBound) keep(keys)
    const before = current
    const connections = before !== null && isSame(before, origin, keys) ? before.connections : connectionsTo(origin, keys)
    const body = { code, nonce, challenge, proof: proofOf(key, deviceProofText({ code, nonce, challenge })) }
    const { dispatcher } = connections
    try {
      const answer = await exchange(origin, deviceProtocolCalls.token, { body }, { signal, dispatcher })
      const { token, expiresIn } = dataOf(deviceProtocolCalls.token.data, answer) as DataOf<typeof deviceProtocolCalls.token>
      if (before !== null && before.connections !== connections) before.connections.close()
      current = { origin, keys, connections, token, isDetour: isSecure && !isBound }
      renewAt = clock() + 1000 * (expiresIn - Math.min(RENEW_BEFORE, expiresIn / 10))
      return current
    } catch (error) {
      if (before?.connections !== connections) connections.destroy()
      throw error instanceof ForeignKey ? foreign(origin, keys, error.keyDigest) : away(error, origin, { isKnown })
    }
  }

  function keep(keys: readonly string[]): void {
    const kept = currentTrust()
    if (unkept === null && kept?.keys.join() === keys.join()) return
    unkept = { secretMark, keys }
    try {
      trust.keepTrust(unkept)
      unkept = null
    } catch {
      // The disk is full. The trust stays in memory and is written at the next sign-in.
    }
  }

  async function way(signal: AbortSignal): Promise<Way> {
    if (current !== null && clock() < renewAt) return current
    signing ??= signIn().finally(() => (signing = null))
    return unlessAborted(signing, signal)
  }

  return {
    address: () => current?.origin ?? start(),
    security: () => (current === null ? null : securityOf(current)),
    way,
    spent(used) {
      if (current === used) renewAt = 0
    },
    unanswered(used) {
      if (current === used && used.isDetour) renewAt = 0
    },
    async unproven(work) {
      const origin = current === null || current.isDetour ? start() : current.origin
      const answer = await unproven(origin, work)
      return asksForTls(origin, answer) ? unproven(overTls(origin), work) : answer
    },
    close() {
      closing.abort()
      current?.connections.destroy()
    },
  }
}

/**
 * Check that the server at an address knows the secret of a device and vouches for the key of the connection. Nothing
 * is sent but a challenge.
 * @throws ServerAway, ServerRefused if it does not
 */
export async function proveServer(
  { server, code, secret, trust = trustInMemory(), mustVouch = false }: Omit<SignInOptions, 'clock'>,
  signal: AbortSignal,
): Promise<void> {
  const isKnown = isReachedOverTls({ secret, trust })
  const base = addressOfServer(server)
  await proven(isKnown ? overTls(base) : base, { code, key: keyOfSecret(secret), isKnown, mustVouch, signal })
}

/** Return the origin at which a server is contacted first: https if the device no longer uses plain http. */
export function serverOrigin({ server, ...credentials }: { server: string; secret: string; trust: TrustKeeper }): string {
  const base = addressOfServer(server)
  return (isReachedOverTls(credentials) ? overTls(base) : base).origin
}

const isReachedOverTls = ({ secret, trust }: { secret: string; trust: TrustKeeper }): boolean =>
  trust.trust()?.secretMark === markOfSecret(keyOfSecret(secret))

interface Proven {
  origin: URL
  nonce: string
  challenge: string
  keys: string[]
  tlsOnly: boolean
}

interface Proving {
  code: string
  key: Buffer
  /** The device has reached its server over TLS before. */
  isKnown: boolean
  /** As of `SignInOptions`. */
  mustVouch: boolean
  /** The peer at the http address asked for TLS. */
  isUpgraded?: boolean
  signal: AbortSignal
}

/** Challenge the peer at an address, and check its proof and the key of the connection. @throws ServerAway, ServerRefused */
async function proven(origin: URL, proving: Proving): Promise<Proven> {
  const { code, key, mustVouch, signal } = proving
  const { challenge: call } = deviceProtocolCalls
  const nonce = randomBytes(24).toString('base64url')
  const { answer, peer } = await unproven(origin, async (at, connection) => ({
    answer: await exchange(at, call, { body: { code, nonce } }, { signal, dispatcher: connection.dispatcher }),
    peer: connection.peer(),
  })).catch((error: unknown) => Promise.reject(away(error, origin, proving)))
  const upgraded = () => proven(overTls(origin), { ...proving, isUpgraded: true })
  if (asksForTls(origin, answer)) return upgraded()
  if (answer.status === 404)
    throw new ServerAway(
      `The server at ${origin.origin} knows no handshake: it is older than this terminal, or no Gatehouse ` +
        'server. Upgrade the server; the secret is not sent.',
      { status: 404 },
    )
  if (answer.status >= 300 && answer.status < 400)
    throw new ServerAway(`The server at ${origin.origin} points to another address; start this terminal with that one.`, {
      status: answer.status,
    })
  const { challenge, keys, tlsOnly, proof } = dataOf(call.data, answer) as DataOf<typeof call>
  if (!isProofOf(key, serverProofText({ code, nonce, challenge, keys, tlsOnly }), proof))
    throw new ServerUnproven(
      `What answers at ${origin.origin} does not prove that it knows the secret of "${code}": either code or ` +
        `secret are wrong here or not valid any more, or it is another program than this terminal's server.`,
    )
  if (peer !== null && (keys.length > 0 ? !keys.includes(peer.keyDigest) : peer.untrusted !== null))
    throw foreign(origin, keys, peer.keyDigest, peer.untrusted)
  if (peer !== null && mustVouch && keys.length === 0) throw unvouched(origin, peer.keyDigest)
  // The server itself would have answered 426, so an intermediary forwards this request.
  if (tlsOnly && origin.protocol === 'http:') return upgraded()
  return { origin, nonce, challenge, keys, tlsOnly }
}

const asksForTls = ({ protocol }: URL, { status }: Answer): boolean => status === 426 && protocol === 'http:'

/** Run `work` on a connection to an unproven peer; only public data may be sent over it. @throws as `work` */
async function unproven<Result>(origin: URL, work: (origin: URL, connection: UnprovenConnection) => Promise<Result>): Promise<Result> {
  const connection = unprovenConnection(origin)
  try {
    return await work(origin, connection)
  } finally {
    connection.destroy()
  }
}

function foreign(origin: URL, keys: readonly string[], keyDigest: string, untrusted: string | null = null): ServerUnproven {
  const who = 'Either somebody stands in between, or a proxy'
  return new ServerUnproven(
    keys.length > 0
      ? `The server at ${origin.origin} does not vouch for the key its connection shows (${keyDigest}). ${who} ` +
          'whose certificate the server does not know: name it there with PROXY_CERT_FILE.'
      : `The certificate at ${origin.origin} cannot be verified${untrusted === null ? '' : ` (${untrusted})`}, ` +
          `and the server vouches for no key; the one shown is ${keyDigest}. ${who} whose certificate the server ` +
          'does not know: name it there with PROXY_CERT_FILE, or its authority here with NODE_EXTRA_CA_CERTS.',
  )
}

function unvouched({ origin }: URL, keyDigest: string): ServerUnproven {
  return new ServerUnproven(
    `The server at ${origin} vouches for no key; the one shown is ${keyDigest}. At another host than the one ` +
      'this terminal was started with, a certificate of an authority does not rule out somebody in between: ' +
      'name the certificate that is shown there to the server with PROXY_CERT_FILE.',
  )
}

/** Explain a server that does not speak TLS; return other errors unchanged. */
function away(error: unknown, { origin }: URL, { isKnown, isUpgraded = false }: Pick<Proving, 'isKnown' | 'isUpgraded'>): unknown {
  if (!(error instanceof NotEncrypted)) return error
  if (isKnown)
    return new ServerAway(
      `The server at ${origin} answers without encryption. This terminal has reached its server encrypted ` +
        'before, and never speaks to it otherwise again. Should encryption have been given up on purpose, make a ' +
        'new secret for this terminal and start it with that.',
    )
  return new ServerAway(
    isUpgraded
      ? `Over http the server asks for https, and ${origin} answers without encryption: either a proxy leads to ` +
          'it over http only, or somebody stands in between. Start this terminal with the address at which the ' +
          'server speaks https.'
      : `The server at ${origin} answers without encryption: begin its address with http:// if that is meant.`,
  )
}

function addressOfServer(server: string): URL {
  const address = new URL(server)
  if (!/^https?:$/.test(address.protocol))
    throw new TypeError(`The server's address must begin with http:// or https://, not ${address.protocol}`)
  return address
}

/** Return the same address over TLS: on the port it names, otherwise on the default port. */
const overTls = (address: URL): URL => (address.protocol === 'https:' ? address : new URL(`https://${address.host}${address.pathname}`))

const isSame = (way: Way, origin: URL, keys: readonly string[]): boolean =>
  way.origin.origin === origin.origin && way.keys.join() === keys.join()

function securityOf({ origin, keys }: Way): ServerSecurity {
  if (origin.protocol === 'http:') return 'none'
  return keys.length > 0 ? 'vouched' : 'authority'
}

function unlessAborted<Result>(work: Promise<Result>, signal: AbortSignal): Promise<Result> {
  const { promise, reject } = Promise.withResolvers<never>()
  const give = (): void => {
    const timedOut = isTimeout(signal.reason)
    reject(new ServerAway(`The server cannot be asked (${timedOut ? 'no answer in time' : 'broken off'}).`, { timedOut }))
  }
  if (signal.aborted) give()
  else signal.addEventListener('abort', give, { once: true })
  work.catch(() => {})
  return Promise.race([work, promise]).finally(() => signal.removeEventListener('abort', give))
}

/** For clients that store nothing. */
function trustInMemory(): TrustKeeper {
  let kept: ServerTrust | null = null
  return { trust: () => kept, keepTrust: (trust) => void (kept = trust) }
}
