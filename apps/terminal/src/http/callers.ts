/**
 * Access to the terminal over HTTP. One hook checks every request before the body is read: a route declares only its reach, and a route
 * without one is for this machine alone.
 */
import { createHmac, timingSafeEqual } from 'node:crypto'
import { hostname, networkInterfaces } from 'node:os'
import type { FastifyInstance, FastifyRequest } from 'fastify'

/**
 * Callers that a route serves. `everybody`: it reveals nothing of anybody who passes. `screen`: it takes pictures or shows who passes;
 * other machines need permission and the key. `console`: other machines need permission; the console has its own login. `thisMachine`: no
 * other machine.
 */
export type Reach = 'everybody' | 'screen' | 'console' | 'thisMachine'

/** Why a caller is refused. */
export type CallerRefusal = 'unknownHost' | 'foreignPage' | 'notAllowedFromHere' | 'keyNeeded'

declare module 'fastify' {
  interface FastifyContextConfig {
    reach?: Reach
    /** Body of a refusal; its reason alone by default. */
    refusal?: (request: FastifyRequest, reason: CallerRefusal) => object
  }
  interface FastifyRequest {
    /** The request contains the key itself, as those of programs do. The cookie of a screen on another machine is not the key. */
    holdsKey?: boolean
  }
}

export interface CallerOptions {
  /** Other machines with the key may show pictures and see who passes. */
  allowFrames: boolean
  /** Other machines may open the console. */
  allowConsole: boolean
  /** Names and addresses by which this machine is reached, besides its own. */
  allowHosts: readonly string[]
  /** Null if no other machine is admitted. */
  framesKey: string | null
}

const LOOPBACK_ADDRESS = /^(127\.|::1$|::ffff:127\.)/
const LOOPBACK_NAME = /^(localhost|127(\.\d+){3}|\[::1\])$/
const SCREEN_COOKIE = 'gatehouse_screen'
/** Seconds until a screen on another machine must send the key again. */
const YEAR = 31_536_000

/** Refuse callers that a route of the server does not serve. Routes that are added later are covered too. */
export function guardCallers(server: FastifyInstance, options: CallerOptions): void {
  const own = new Set(options.allowHosts.map(hostOf))
  const screen = options.framesKey === null ? null : screenOf(options.framesKey)

  function refusalOf(request: FastifyRequest, reach: Reach): CallerRefusal | null {
    const { host = '', origin } = request.headers
    const name = hostOf(host)
    // A foreign page may use a host name of its own that resolves to this machine (DNS rebinding).
    if (name === null || !(LOOPBACK_NAME.test(name) || own.has(name) || isOwnName(name))) return 'unknownHost'
    if (origin !== undefined && !isPageOf(origin, host)) return 'foreignPage'
    if (reach === 'everybody') return null
    if (isFromHere(request) && LOOPBACK_NAME.test(name)) return null
    if (reach === 'console') return options.allowConsole ? null : 'notAllowedFromHere'
    if (reach === 'thisMachine' || !options.allowFrames || screen === null) return 'notAllowedFromHere'
    return screen.isKnown(request) ? null : 'keyNeeded'
  }

  server.decorateRequest('holdsKey', false)
  server.addHook('onRequest', async (request, reply) => {
    request.holdsKey = screen?.holdsKey(request) ?? false
    const { reach = request.is404 ? 'everybody' : 'thisMachine', refusal = reasonAlone } = request.routeOptions.config
    const reason = refusalOf(request, reach)
    if (reason === null) return
    if (reason === 'keyNeeded') reply.header('www-authenticate', 'Bearer')
    return reply.code(reason === 'keyNeeded' ? 401 : 403).send(refusal(request, reason))
  })

  /** A browser on another machine sends the key once, because its event stream and image requests cannot carry it. */
  server.post('/screenKey', { config: { reach: 'screen' } }, async (request, reply) => {
    if (screen !== null && request.headers.authorization !== undefined) reply.header('set-cookie', screen.cookie)
    return reply.code(204).send()
  })
}

/** Headers that proxies add. A request through a proxy on this machine may come from any machine. */
const PROXY_HEADERS = ['forwarded', 'via', 'x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto', 'x-real-ip'] as const

const isFromHere = ({ headers, socket }: FastifyRequest): boolean =>
  LOOPBACK_ADDRESS.test(socket.remoteAddress ?? '') && PROXY_HEADERS.every((name) => headers[name] === undefined)

const reasonAlone = (_request: FastifyRequest, reason: CallerRefusal): object =>
  reason === 'unknownHost'
    ? { reason, message: 'This machine does not go by that name. Start the terminal with --allow-host NAME if it does.' }
    : { reason }

/** Recognise screens on other machines by the key, or by the cookie derived from it. */
function screenOf(key: string): {
  cookie: string
  holdsKey: (request: FastifyRequest) => boolean
  isKnown: (request: FastifyRequest) => boolean
} {
  const mark = createHmac('sha256', key).update(SCREEN_COOKIE).digest('base64url')
  const isKey = sameAs(key)
  const isMark = sameAs(mark)
  const holdsKey = ({ headers: { authorization } }: FastifyRequest) =>
    authorization !== undefined && isKey(/^Bearer +(\S.*)$/i.exec(authorization)?.[1] ?? '')
  return {
    holdsKey,
    cookie: `${SCREEN_COOKIE}=${mark}; Path=/; HttpOnly; SameSite=Strict; Max-Age=${YEAR}`,
    isKnown(request) {
      const { authorization, cookie = '' } = request.headers
      if (authorization !== undefined) return holdsKey(request)
      return cookie
        .split(';')
        .some((part) => part.trim().startsWith(`${SCREEN_COOKIE}=`) && isMark(part.trim().slice(SCREEN_COOKIE.length + 1)))
    },
  }
}

/** Return a function that compares a text in constant time, revealing nothing about either text. */
function sameAs(text: string): (other: string) => boolean {
  const digest = (compared: string) => createHmac('sha256', text).update(compared).digest()
  const expectedDigest = digest(text)
  return (other) => timingSafeEqual(expectedDigest, digest(other))
}

/** Whether a text is a name or an address, without a port. */
export const isHost = (text: string): boolean => !/:\d+$/.test(text.replace(/^\[.*\]$/, '')) && hostOf(text) !== null

/** Return the host of a `Host` header as URLs write it, without its port; null if it is none. */
function hostOf(header: string): string | null {
  if (!/^[^\s/?#@\\]+$/.test(header) || !URL.canParse(`http://${header}`)) return null
  return new URL(`http://${header}`).hostname.replace(/\.$/, '')
}

/** Return whether a name or address belongs to this machine at present: addresses change with the network. */
function isOwnName(name: string): boolean {
  const full = hostname().toLowerCase()
  const [short = full] = full.split('.')
  if ([full, short, `${short}.local`].includes(name)) return true
  return Object.values(networkInterfaces()).some((all) =>
    all?.some(({ address, family }) => hostOf(family === 'IPv6' ? `[${address.split('%')[0]}]` : address) === name),
  )
}

/** Return whether a page of this origin was served under this host. */
function isPageOf(origin: string, host: string): boolean {
  if (!URL.canParse(origin)) return false
  const page = new URL(origin)
  return /^https?:$/.test(page.protocol) && page.host === new URL(`${page.protocol}//${host}`).host
}
