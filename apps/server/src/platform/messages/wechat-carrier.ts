/**
 * Messages by WeChat, from its published interface: subscribe messages of a mini program and template messages of an official account. Each
 * request carries an access token, which the app id and its secret obtain and which lives for two hours.
 */
import type { Clock } from '../time/clock.ts'
import { Undelivered, type Carrier, type ProviderAccounts, type WechatAccount, type WechatKind } from './carrier.ts'
import { askProvider, type ProviderAnswer } from './provider-request.ts'

const PATHS: Record<WechatKind, string> = {
  miniProgram: '/cgi-bin/message/subscribe/send',
  officialAccount: '/cgi-bin/message/template/send',
}
/** The access token is invalid or has expired. */
const TOKEN_ERRORS: readonly number[] = [40001, 40014, 42001]
/** Refusals that may pass by themselves: the system is busy, or the quota of the day or the minute is used up. */
const PASSING: readonly number[] = [-1, 45009, 45011, 43108]
/** Milliseconds before its end at which a token is replaced. */
const RENEWAL_MS = 5 * 60_000
/** Characters of a value that every kind of keyword takes. */
const VALUE_MAX = 20

interface WechatParts {
  /** Start of the provider's address. */
  url: string
  clock: Clock
  accounts: () => Pick<ProviderAccounts, 'wechat'>
  patienceMs: number
}

/** @throws Undelivered for an answer that is an error */
function assertAccepted({ status, body }: ProviderAnswer): void {
  const code = Number(body['errcode'] ?? 0)
  if (code === 0 && status < 400) return
  const isPassing = status >= 500 || status === 429 || PASSING.includes(code)
  throw new Undelivered(`${code === 0 ? `HTTP ${status}` : code} ${String(body['errmsg'] ?? '')}`.trim(), !isPassing)
}

/** Return what fills in a template: the values that it shows, by its own names for them. */
function dataOf(keywords: WechatAccount['keywords'], values: Readonly<Record<string, string>>) {
  const given = (['park', 'time', 'state'] as const).flatMap((name) =>
    keywords[name] === '' ? [] : [[keywords[name], { value: [...(values[name] ?? '')].slice(0, VALUE_MAX).join('') }]],
  )
  return Object.fromEntries(given) as Record<string, { value: string }>
}

/** Return a function that returns the access token of an app. */
function createTokens({ url, clock, patienceMs }: WechatParts) {
  const tokens = new Map<string, { token: string; endsAt: number }>()
  /** @param refused the token that was refused, if one was; another one is then demanded */
  return async ({ app, secret }: WechatAccount, refused?: string): Promise<string> => {
    // With the secret: a new secret ends the tokens of the former one.
    const key = JSON.stringify([app, secret])
    const found = tokens.get(key)
    if (found !== undefined && found.token !== refused && found.endsAt > clock.now()) return found.token
    // The stable token is the same for all nodes; the other interface ends the token of one node when another node asks for its own.
    const body = { grant_type: 'client_credential', appid: app, secret, force_refresh: refused !== undefined }
    const answer = await askProvider(
      new URL('/cgi-bin/stable_token', url),
      { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) },
      patienceMs,
    )
    assertAccepted(answer)
    const [token, seconds] = [answer.body['access_token'], Number(answer.body['expires_in'])]
    if (typeof token !== 'string' || !(seconds > 0)) throw new Undelivered('WeChat answered without an access token', false)
    tokens.set(key, { token, endsAt: clock.now() + Math.max(0, seconds * 1000 - RENEWAL_MS) })
    return token
  }
}

export function createWechatCarrier(kind: WechatKind, parts: WechatParts): Carrier {
  const { url, accounts, patienceMs } = parts
  const tokenOf = createTokens(parts)

  return {
    carries: ({ template }) => template !== undefined && accounts().wechat(template.parkId, kind) !== null,
    async send(_id, { to, template }) {
      const account = template && accounts().wechat(template.parkId, kind)
      if (template === undefined || !account) throw new Undelivered('WeChat is not set up', true)
      const body = JSON.stringify({ touser: to, template_id: account.template, data: dataOf(account.keywords, template.values) })
      const post = (token: string): Promise<ProviderAnswer> => {
        const address = new URL(PATHS[kind], url)
        address.searchParams.set('access_token', token)
        return askProvider(address, { method: 'POST', headers: { 'content-type': 'application/json' }, body }, patienceMs)
      }
      const token = await tokenOf(account)
      let answer = await post(token)
      if (TOKEN_ERRORS.includes(Number(answer.body['errcode']))) answer = await post(await tokenOf(account, token))
      assertAccepted(answer)
    },
    stop: () => {},
  }
}
