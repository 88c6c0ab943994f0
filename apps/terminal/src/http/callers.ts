/**
 * Who may call the terminal. One hook asks it of every request, before the body is read: a route says only how far it reaches, and one
 * that says nothing is for this machine.
 */
import { createHmac, timingSafeEqual } from 'node:crypto'
import { hostname, networkInterfaces } from 'node:os'
import type { FastifyInstance, FastifyRequest } from 'fastify'

/**
 * How far a route reaches. `everybody`: it says nothing of anybody who passes. `screen`: shows pictures or who passes; other machines need
 * leave and the key. `console`: other machines need leave; who calls, the console asks itself. `thisMachine`: nobody else.
 */
export type Reach = 'everybody' | 'screen' | 'console' | 'thisMachine'

/** Why a caller is refused. */
export type CallerRefusal = 'unknownHost' | 'foreignPage' | 'notAllowedFromHere' | 'keyNeeded'

declare module 'fastify' {
  interface FastifyContextConfig {
    reach?: Reach
    /** Body of a refusal; its reason alone unless told. */
    refusal?: (request: FastifyRequest, reason: CallerRefusal) => object
  }
  interface FastifyRequest {
    /** It carries the key itself, as programs do; the cookie of a screen elsewhere is not the key. */
    holdsKey?: boolean
  }
}

export interface CallerOptions {
  /** Other machines with the key may show pictures and see who passes. */
  allowFrames: boolean
  /** Other machines may open the console. */
  allowConsole: boolean
  /** Names and addresses this machine is reached by, besides its own. */
  allowHosts: readonly string[]
  /** Null where other machines are not let in anyway. */
  framesKey: string | null
}

const LOOPBACK_ADDRESS = /^(127\.|::1$|::ffff:127\.)/
const LOOPBACK_NAME = /^(localhost|127(\.\d+){3}|\[::1\])$/
const SCREEN_COOKIE = 'gatehouse_screen'
/** Seconds a screen elsewhere is not asked for the key again. */
const YEAR = 31_536_000

/** Refuses whoever may not call a route of the server; those added later are under the rule like all others. */
export function guardCallers(server: FastifyInstance, options: CallerOptions): void {
  const own = new Set(options.allowHosts.map(hostOf))
  const screen = options.framesKey === null ? null : screenOf(options.framesKey)

  function refusalOf(request: FastifyRequest, reach: Reach): CallerRefusal | null {
    const { host = '', origin } = request.headers
    const name = hostOf(host)
    // A page of elsewhere may come under its own name, which was made to lead here.
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

  /** A browser elsewhere shows the key once: neither its events nor its pictures can carry it. */
  server.post('/screenKey', { config: { reach: 'screen' } }, async (request, reply) => {
    if (screen !== null && request.headers.authorization !== undefined) reply.header('set-cookie', screen.cookie)
    return reply.code(204).send()
  })
}

/** What proxies add: whoever asks through one on this machine may sit anywhere. */
const PROXY_HEADERS = ['forwarded', 'via', 'x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto', 'x-real-ip'] as const

const isFromHere = ({ headers, socket }: FastifyRequest): boolean =>
  LOOPBACK_ADDRESS.test(socket.remoteAddress ?? '') && PROXY_HEADERS.every((name) => headers[name] === undefined)

const reasonAlone = (_request: FastifyRequest, reason: CallerRefusal): object =>
  reason === 'unknownHost'
    ? { reason, message: 'This machine does not go by that name. Start the terminal with --allow-host NAME if it does.' }
    : { reason }

/** What screens elsewhere show: the key, or the cookie that follows from it. */
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

/** Compares in a time that says nothing about either text. */
function sameAs(text: string): (other: string) => boolean {
  const digest = (given: string) => createHmac('sha256', text).update(given).digest()
  const known = digest(text)
  return (other) => timingSafeEqual(known, digest(other))
}

/** Whether a text is a name or an address, without a port. */
export const isHost = (text: string): boolean => !/:\d+$/.test(text.replace(/^\[.*\]$/, '')) && hostOf(text) !== null

/** The host of a `Host` header as URLs write it, without its port; null where it is none. */
function hostOf(header: string): string | null {
  if (!/^[^\s/?#@\\]+$/.test(header) || !URL.canParse(`http://${header}`)) return null
  return new URL(`http://${header}`).hostname.replace(/\.$/, '')
}

/** Whether this machine goes by a name or has an address now: addresses come and go with the network. */
function isOwnName(name: string): boolean {
  const full = hostname().toLowerCase()
  const [short = full] = full.split('.')
  if ([full, short, `${short}.local`].includes(name)) return true
  return Object.values(networkInterfaces()).some((all) =>
    all?.some(({ address, family }) => hostOf(family === 'IPv6' ? `[${address.split('%')[0]}]` : address) === name),
  )
}

/** Whether a page of this origin was served under this host. */
function isPageOf(origin: string, host: string): boolean {
  if (!URL.canParse(origin)) return false
  const page = new URL(origin)
  return /^https?:$/.test(page.protocol) && page.host === new URL(`${page.protocol}//${host}`).host
}
