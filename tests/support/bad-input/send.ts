/** Sends bad requests and counts what the server took for a fault of its own. */
import { LINK_TOKEN_HEADER, type Call } from '@gatehouse/contract'
import { identityCalls } from '@gatehouse/contract/identity/calls'
import { createClient } from '@gatehouse/dev-env/client'
import type { World } from '@gatehouse/dev-env/world'
import { credentialsFor, sessionFor } from '../all-calls.ts'
import type { Fixtures } from '../fixtures.ts'
import { linkTokenIn } from '../cases/enrolment.ts'
import type { BadRequest } from './requests.ts'

/** How many requests are under way at a time. */
const AT_ONCE = 4

export interface Tally {
  /** How many got past the check of who is asking. */
  admitted: number
  /** Those the server took for a fault of its own or did not answer as the contract has it. */
  faults: string[]
}

/** Headers that get a request as far as its body. Each call has a session of its own: one that is ended ends no other. */
async function credentialsOf(world: World, call: Call, things: Fixtures): Promise<Record<string, string>> {
  if (call.linkToken === true) return { [LINK_TOKEN_HEADER]: await linkTokenIn({ world, site: things.site }) }
  const credentials = credentialsFor(call, things, await world.session(sessionFor(world, call)))
  if (credentials === null) return {}
  if ('bearer' in credentials) return { authorization: `Bearer ${credentials.bearer}` }
  return { authorization: `Basic ${Buffer.from(credentials.basic.join(':')).toString('base64')}` }
}

/** Send all of them, some at a time, and see that the server still answers afterwards. @param things what a device that asks belongs to */
export async function sendAll(world: World, call: Call, things: Fixtures, requests: Iterable<BadRequest>): Promise<Tally> {
  const credentials = await credentialsOf(world, call, things)
  // Where nobody is asked who they are, what is refused is what the body proves.
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
        // A refusal that names a field has come as far as the body.
        if (asksNobody || ![401, 403].includes(response.status) || text.includes('"fields"')) admitted++
        if (response.status >= 500) faults.push(`${why} → ${response.status}`)
        else if (call.produces === 'file' && response.headers.get('content-type')?.startsWith('application/json') !== true) continue
        else if (!Number.isInteger((JSON.parse(text) as { code?: unknown }).code)) faults.push(`${why} → an answer without a code`)
      } catch (error) {
        // A body that is too large may be cut off by closing the connection, which is an answer, too.
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
