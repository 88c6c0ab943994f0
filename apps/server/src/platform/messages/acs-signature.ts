/** Signature of requests to Alibaba Cloud, version 3 (ACS3-HMAC-SHA256), for calls whose parameters are all in the query. */
import { createHash, createHmac } from 'node:crypto'

export interface AcsRequest {
  /** Host and port. */
  host: string
  action: string
  version: string
  parameters: Readonly<Record<string, string>>
  /** As `2026-11-30T08:00:00Z`. */
  date: string
  nonce: string
}

const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex')
/** Encode as RFC 3986 demands, which escapes more than `encodeURIComponent`. */
const encoded = (text: string): string =>
  encodeURIComponent(text).replaceAll(/[!'()*]/g, (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`)
const byName = ([one]: readonly [string, string], [other]: readonly [string, string]): number => (one < other ? -1 : 1)

/** Return the query and the headers of a POST request without a body. */
export function signedAcsRequest(
  { host, action, version, parameters, date, nonce }: AcsRequest,
  { accessKey, secret }: { accessKey: string; secret: string },
): { query: string; headers: Record<string, string> } {
  const body = hashOf('')
  const headers: Record<string, string> = {
    host,
    'x-acs-action': action,
    'x-acs-content-sha256': body,
    'x-acs-date': date,
    'x-acs-signature-nonce': nonce,
    'x-acs-version': version,
  }
  const names = Object.keys(headers).toSorted()
  const query = Object.entries(parameters)
    .toSorted(byName)
    .map(([name, value]) => `${encoded(name)}=${encoded(value)}`)
    .join('&')
  const canonical = ['POST', '/', query, ...names.map((name) => `${name}:${headers[name]}`), '', names.join(';'), body].join('\n')
  const signature = createHmac('sha256', secret)
    .update(`ACS3-HMAC-SHA256\n${hashOf(canonical)}`)
    .digest('hex')
  const authorization = `ACS3-HMAC-SHA256 Credential=${accessKey},SignedHeaders=${names.join(';')},Signature=${signature}`
  return { query, headers: { ...headers, authorization } }
}
