/** The token that identifies a user to the third-party monitor: a JSON Web Token, signed with the secret that both know. */
import { createHmac } from 'node:crypto'
import { newId } from '../../platform/database/ids.ts'
import type { Session } from '../../platform/session/session.ts'

/** Seconds for which a token is valid: long enough for a window to open. */
const LIFE = 120

const encoded = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url')

/**
 * Return a token with the claims `sub` account, `name` real name, `area` code of the current park, `jti` different each time.
 *
 * @param now epoch milliseconds
 */
export function loginToken(session: Pick<Session, 'account' | 'operator' | 'park'>, secret: string, now: number): string {
  const iat = Math.floor(now / 1000)
  const claims = {
    iss: 'gatehouse',
    sub: session.account,
    name: session.operator,
    area: session.park.areaCode,
    iat,
    exp: iat + LIFE,
    jti: newId(),
  }
  const signed = `${encoded({ alg: 'HS256', typ: 'JWT' })}.${encoded(claims)}`
  return `${signed}.${createHmac('sha256', secret).update(signed).digest('base64url')}`
}

/** Return the monitor's address with the token added to its query. */
export function loginUrl(address: string, token: string): string {
  const url = new URL(address)
  url.searchParams.set('token', token)
  return url.href
}
