/**
 * A stand-in for the providers of messages, which cannot be reached from tests: the short message service of Alibaba Cloud (Dysmsapi
 * 2017-05-25, SendSms, signature version 3) and WeChat (stable_token, message/subscribe/send, message/template/send). It is made from
 * their published interfaces and refuses what they document as an error. It has never been compared with the real ones.
 */
import { createHash, createHmac } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** The accounts that it accepts. */
export const SMS_ACCOUNT = { accessKey: 'LTAI-test', secret: 'sms-secret-77' }
export const MINI_PROGRAM = { app: 'wx-mini', secret: 'mini-secret-88' }
export const OFFICIAL_ACCOUNT = { app: 'wx-official', secret: 'official-secret-99' }

export interface SentSms {
  to: string
  signature: string
  template: string
  values: Record<string, string>
}
export interface SentWechat {
  path: string
  to: string
  template: string
  data: Record<string, { value: string }>
}
/** What the next request is answered with: an error code, an HTTP error without JSON, or never. */
type Fault = string | number | 'broken' | 'silent'

export interface MessageProviders {
  url: string
  sms: SentSms[]
  wechat: SentWechat[]
  /** Requests for access tokens; true: a new one was demanded. */
  tokens: boolean[]
  /** Used up one by one by messages, not by requests for tokens. */
  faults: Fault[]
  /** End the current access tokens. */
  expireTokens(): void
  stop(): Promise<void>
}

const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex')

/** Return the code of the error in a signed request; null for a valid one. */
function signatureFault({ headers, url = '' }: IncomingMessage): string | null {
  const authorization = /^ACS3-HMAC-SHA256 Credential=([^,]+),SignedHeaders=([^,]+),Signature=([0-9a-f]{64})$/.exec(
    headers.authorization ?? '',
  )
  if (authorization === null) return 'IncompleteSignature'
  const [, key, names, signature] = authorization
  if (key !== SMS_ACCOUNT.accessKey) return 'InvalidAccessKeyId.NotFound'
  const signed = names!.split(';').map((name) => `${name}:${String(headers[name])}\n`)
  const canonical = ['POST', '/', url.slice(url.indexOf('?') + 1), signed.join(''), names, headers['x-acs-content-sha256']].join('\n')
  const expected = createHmac('sha256', SMS_ACCOUNT.secret)
    .update(`ACS3-HMAC-SHA256\n${hashOf(canonical)}`)
    .digest('hex')
  if (signature !== expected || headers['x-acs-content-sha256'] !== hashOf('')) return 'SignatureDoesNotMatch'
  const isCall = headers['x-acs-action'] === 'SendSms' && headers['x-acs-version'] === '2017-05-25'
  if (!isCall) return 'InvalidAction.NotFound'
  return /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/.test(String(headers['x-acs-date'])) ? null : 'InvalidTimeStamp.Format'
}

async function bodyOf(request: IncomingMessage): Promise<Record<string, unknown>> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return chunks.length === 0 ? {} : (JSON.parse(Buffer.concat(chunks).toString('utf8')) as Record<string, unknown>)
}

/** Listen on a free port; the caller stops it. */
export async function startMessageProviders(): Promise<MessageProviders> {
  const [sms, wechat, tokens, faults]: [SentSms[], SentWechat[], boolean[], Fault[]] = [[], [], [], []]
  let epoch = 0

  const answer = (response: ServerResponse, body: object, status = 200): void => {
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
  }
  /** Return the error that is due; undefined: none. The answer has been given where it is null. */
  function dueFault(response: ServerResponse): string | number | null | undefined {
    const fault = faults.shift()
    if (fault === 'silent') return null
    if (fault !== 'broken') return fault
    response.writeHead(502).end('<html>Bad gateway</html>')
    return null
  }

  function takeSms(request: IncomingMessage, response: ServerResponse, query: URLSearchParams): void {
    const wrong = signatureFault(request)
    if (wrong !== null) return answer(response, { Code: wrong, Message: 'The signature is wrong.', RequestId: 'R-1' }, 400)
    const fault = dueFault(response)
    if (fault === null) return
    const to = query.get('PhoneNumbers') ?? ''
    const code = fault ?? (/^\d{8,15}$/.test(to) ? 'OK' : 'isv.MOBILE_NUMBER_ILLEGAL')
    if (code === 'OK')
      sms.push({
        to,
        signature: query.get('SignName') ?? '',
        template: query.get('TemplateCode') ?? '',
        values: JSON.parse(query.get('TemplateParam') ?? '{}') as Record<string, string>,
      })
    answer(response, { Code: code, Message: code, RequestId: 'R-1', ...(code === 'OK' && { BizId: 'B-1' }) })
  }

  const tokenOf = ({ app }: { app: string }): string => `token-${app}-${epoch}`
  function giveToken(response: ServerResponse, body: Record<string, unknown>): void {
    const account = [MINI_PROGRAM, OFFICIAL_ACCOUNT].find(({ app }) => app === body['appid'])
    if (account === undefined) return answer(response, { errcode: 40013, errmsg: 'invalid appid' })
    if (account.secret !== body['secret']) return answer(response, { errcode: 40125, errmsg: 'invalid appsecret' })
    tokens.push(body['force_refresh'] === true)
    if (body['force_refresh'] === true) epoch++
    answer(response, { access_token: tokenOf(account), expires_in: 7200 })
  }

  function takeWechat(response: ServerResponse, url: URL, body: Record<string, unknown>): void {
    const account = url.pathname.includes('subscribe') ? MINI_PROGRAM : OFFICIAL_ACCOUNT
    if (url.searchParams.get('access_token') !== tokenOf(account))
      return answer(response, { errcode: 40001, errmsg: 'invalid credential, access_token is invalid or not latest' })
    const fault = dueFault(response)
    if (fault === null) return
    if (fault !== undefined) return answer(response, { errcode: fault, errmsg: `error ${fault}` })
    wechat.push({
      path: url.pathname,
      to: String(body['touser']),
      template: String(body['template_id']),
      data: body['data'] as SentWechat['data'],
    })
    answer(response, { errcode: 0, errmsg: 'ok', msgid: 1 })
  }

  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://localhost')
    if (url.pathname === '/') return takeSms(request, response, url.searchParams)
    void bodyOf(request).then((body) =>
      url.pathname === '/cgi-bin/stable_token' ? giveToken(response, body) : takeWechat(response, url, body),
    )
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    sms,
    wechat,
    tokens,
    faults,
    expireTokens: () => void epoch++,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
