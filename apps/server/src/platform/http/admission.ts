/** Admission to calls: token or credentials, and permission, are checked before anything of the request is read. */
import type { FastifyReply, FastifyRequest } from 'fastify'
import { LINK_TOKEN_HEADER, isWrite, type Call } from '@gatehouse/contract'
import { mayCall, needsSecondFactor } from '@gatehouse/contract/policy'
import type { MountedCall } from '../context.ts'
import type { Authenticator, ClientCredentials, SignedInDevice, Session } from '../session/session.ts'
import { businessText, loginText } from '../texts.ts'
import { envelope } from './error-answer.ts'
import { nulPath } from './nul.ts'
import { InvalidRequest, PasswordNeeded, SecondFactorNeeded } from './refusal.ts'
import { languageOfRequest } from './responding.ts'

declare module 'fastify' {
  interface FastifyRequest {
    session: Session | null
    device: SignedInDevice | null
    client: ClientCredentials | null
    /** What the token of a link opens, for a call that takes one. */
    link: unknown
  }
}

/** Credentials of `Authorization: Basic`. */
function basicOf(request: FastifyRequest): ClientCredentials | null {
  const [scheme, value] = (request.headers.authorization ?? '').split(' ')
  if (scheme?.toLowerCase() !== 'basic' || value === undefined) return null
  const text = Buffer.from(value, 'base64').toString('utf8')
  const colon = text.indexOf(':')
  if (colon < 0) return null
  const credentials = { id: decodeURIComponentSafely(text.slice(0, colon)), secret: decodeURIComponentSafely(text.slice(colon + 1)) }
  return nulPath(credentials) === null ? credentials : null
}

/** RFC 6749 form-encodes client credentials; plain ones pass unchanged. */
function decodeURIComponentSafely(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    return text
  }
}

/** Return the token of `Authorization: Bearer`. */
function tokenOf(request: FastifyRequest): string | null {
  const [scheme, value] = (request.headers.authorization ?? '').split(' ')
  return scheme?.toLowerCase() === 'bearer' && value !== undefined ? value : null
}

function bearerOf(call: Call, request: FastifyRequest): string | null {
  const token = tokenOf(request)
  if (token !== null) return token
  const query = (request.query as { st?: unknown }).st
  // Addresses end up in logs and histories, so a token in one must not be able to change anything (AMBIGUITIES 47).
  return request.method === 'GET' && typeof query === 'string' && !isWrite(call) ? query : null
}

/** Return the token of the link by which a page was opened. @throws InvalidRequest where there is none */
export function linkTokenOf({ headers }: FastifyRequest): string {
  const token = headers[LINK_TOKEN_HEADER.toLowerCase()]
  if (typeof token !== 'string' || token === '') throw new InvalidRequest([{ path: 'token', rule: 'required' }])
  return token
}

/** Assert that a call is guarded. @throws Error for one that takes a file without login or link, or does not check the token it requires */
export function assertGuarded({ call, open }: MountedCall): void {
  const isOpenToAll = call.permission === 'public' && call.consumes === 'multipart' && call.linkToken !== true
  if (isOpenToAll || (call.linkToken === true) !== (open !== undefined))
    throw new Error(`${call.method} ${call.url} must check the token of a link before its body is read`)
}

/**
 * Return a function that refuses a request that is not permitted, and attaches the caller to one that is.
 * @throws SecondFactorNeeded, PasswordNeeded from the function
 */
export function createAdmission(authenticator: Authenticator): (call: Call, request: FastifyRequest, reply: FastifyReply) => Promise<void> {
  async function admitClient(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const credentials = basicOf(request)
    if (credentials !== null && (await authenticator.client(credentials.id, credentials.secret))) {
      request.client = credentials
      return
    }
    await reply
      .status(401)
      .header('WWW-Authenticate', 'Basic realm="gatehouse"')
      .send({ ...envelope(100412, businessText(languageOfRequest(request), 100412)), error: 'invalid_client' })
  }

  async function admitDevice(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const [credentials, token] = [basicOf(request), tokenOf(request)]
    if (token !== null) request.device = await authenticator.deviceToken(token)
    else request.device = credentials === null ? null : await authenticator.device(credentials.id, credentials.secret)
    if (request.device === null) await reply.status(401).send(envelope(100412, businessText(languageOfRequest(request), 100412)))
  }

  async function admitUser(call: Call, request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const language = languageOfRequest(request)
    const token = bearerOf(call, request)
    const found = token === null ? 'unknown' : await authenticator.session(token)
    if (found === 'disabled') {
      // 901 is a code of the body, never a status (AMBIGUITIES 8).
      await reply.status(403).send(envelope(901, loginText(language, 901)))
      return
    }
    if (typeof found === 'string') {
      const code = found === 'expired' ? 40120 : 100412
      await reply.status(401).send(envelope(code, businessText(language, code)))
      return
    }
    request.session = found
    if (needsSecondFactor(found, call)) throw new SecondFactorNeeded()
    const may = mayCall(found, call) && (call.freshPassword !== true || found.kind === 'user')
    if (!may) await reply.status(403).send(envelope(100510, businessText(language, 100510)))
    else if (call.freshPassword !== undefined && found.kind === 'user' && !(await authenticator.isConfirmed(found)))
      throw new PasswordNeeded()
  }

  return async (call, request, reply) => {
    if (call.permission === 'public') return
    if (call.permission === 'basic') await admitClient(request, reply)
    else if (call.permission === 'device') await admitDevice(request, reply)
    else await admitUser(call, request, reply)
  }
}
