/** Every call of the contract, and how any of them is asked. */
import type { Call } from '@gatehouse/contract'
import { calls as contract } from '@gatehouse/contract/calls'
import { createClient, type Answer, type CallInput, type Client, type Credentials } from '@gatehouse/dev-env/client'
import type { SessionWishes, World } from '@gatehouse/dev-env/world'
import { drawnFace, type Furnished } from './furnished.ts'
import { requestFor, type Given } from './requests.ts'
import { asksMore, nameOf } from './rungs/all.ts'

export const ALL_CALLS: readonly Call[] = Object.values(contract).flatMap((context) => Object.values(context) as Call[])
export const named = (calls: readonly Call[]) => calls.map((call): [string, Call] => [nameOf(call), call])

/** Ask with everything the contract wants, and these values. */
export async function ask({ url }: Pick<World, 'url'>, call: Call, credentials: Credentials, values: Given = {}): Promise<Answer> {
  const file = call.consumes === 'multipart' ? await drawnFace() : undefined
  const input = { ...requestFor(call, values), ...(file && { file }) } as CallInput<Call>
  return createClient(url, credentials).ask(call, input)
}

/** Whose credentials a call takes, in a park. */
export function credentialsFor(call: Call, things: Furnished, client: Client): Credentials {
  if (call.permission === 'device') return { basic: [things.device.code, things.device.secret] }
  return call.permission === 'basic' ? { basic: ['console', ''] } : client.credentials
}

/** What a session must be for a call to come through: an administrator at the root where the call asks for more than a code. */
export const sessionFor = (world: World, call: Call): SessionWishes =>
  asksMore(call) ? { roleSign: 'admin', organisationId: world.server.contexts.organisation.service.root().id } : {}
