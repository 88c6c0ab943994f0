/** Sends bad requests and counts those the server answered as a fault of its own. */
import { LINK_TOKEN_HEADER, type Call } from '@gatehouse/contract'
import { identityCalls } from '@gatehouse/contract/identity/calls'
import { createClient } from '@gatehouse/dev-env/client'
import type { World } from '@gatehouse/dev-env/world'
import { credentialsFor, sessionFor } from '../all-calls.ts'
import type { Fixtures } from '../fixtures.ts'
import { linkTokenFor } from '../cases/all.ts'
import type { BadRequest } from './requests.ts'

/** Number of concurrent requests. */
const AT_ONCE = 4

export interface Tally {
  /** Number of requests that passed authentication and authorization. */
  admitted: number
  /** Requests that the server answered as a fault of its own, or not the way the contract requires. */
  faults: string[]
}

/**
 * Return headers with which a request is accepted up to its body. Each call has a session of its own: ending one session does not end
 * another.
 */
async function credentialsOf(world: World, call: Call, things: Fixtures): Promise<Record<string, string>> {
  if (call.linkToken === true) return { [LINK_TOKEN_HEADER]: await linkTokenFor(call, { world, site: things.site }) }
  const credentials = credentialsFor(call, things, await world.session(sessionFor(world, call)))
  if (credentials === null) return {}
  if ('bearer' in credentials) return { authorization: `Bearer ${credentials.bearer}` }
  return { authorization: `Basic ${Buffer.from(credentials.basic.join(':')).toString('base64')}` }
}

/**
 * Send all requests, some at a time, and check that the server still answers afterwards. @param things fixtures, with the device that makes
 * device calls
 */
export async function sendAll(world: World, call: Call, things: Fixtures, requests: Iterable<BadRequest>): Promise<Tally> {
  const credentials = await credentialsOf(world, call, things)
  // Where no credentials are required, a refusal concerns proofs in the body.
  const asksNobody = call.permission === 'public' && call.linkToken !== true
  const waiting = requests[Symbol.iterator]()
  const faults: string[] = []
  let admitted = 0
  async function work(): Promise<void> {
    for (const { why, address, headers, body } of { [Symbol.iterator]: () => ({ next: () => waiting.next() }) }) {
      try {
        const response = await fetch(world.url + address, {
          method: call.method,
          headers: { ...credentials, ...headers },
          body: body as RequestInit['body'],
        })
        const text = await response.text()
        // A refusal that names a field shows that the body was reached.
        if (asksNobody || ![401, 403].includes(response.status) || text.includes('"fields"')) admitted++
        if (response.status >= 500) faults.push(`${why} → ${response.status}`)
        else if (call.produces === 'file' && response.headers.get('content-type')?.startsWith('application/json') !== true) continue
        else if (!Number.isInteger((JSON.parse(text) as { code?: unknown }).code)) faults.push(`${why} → an answer without a code`)
      } catch (error) {
        // The server may cut off a body that is too large by closing the connection, which also counts as an answer.
        const { cause } = error as { cause?: { code?: string } }
        if (!['EPIPE', 'ECONNRESET', 'UND_ERR_SOCKET'].includes(cause?.code ?? ''))
          faults.push(`${why} → ${String(error)} ${String(cause)}`)
      }
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, work))
  const alive = await createClient(world.url).ask(identityCalls.loginConfig, {})
  if (alive.code !== 0) faults.push('afterwards the server no longer answers')
  return { admitted, faults }
}
