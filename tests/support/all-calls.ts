/** Every call of the contract, and how to request any of them. */
import { PERMISSION_CODES, isWrite, type Call } from '@gatehouse/contract'
import { calls as contract } from '@gatehouse/contract/calls'
import { createClient, type Answer, type CallInput, type Client, type Credentials } from '@gatehouse/dev-env/client'
import type { SessionOptions, World } from '@gatehouse/dev-env/world'
import { drawnFace, type Fixtures } from './fixtures.ts'
import { requestFor, type Given } from './requests.ts'
import { asksMore, nameOf } from './cases/all.ts'

export const ALL_CALLS: readonly Call[] = contract
export const named = (calls: readonly Call[]) => calls.map((call): [string, Call] => [nameOf(call), call])

/** Send a request with everything the contract requires, and these values. */
export async function ask({ url }: Pick<World, 'url'>, call: Call, credentials: Credentials, values: Given = {}): Promise<Answer> {
  const file = call.consumes === 'multipart' ? await drawnFace() : undefined
  const linkToken = call.linkToken === true ? { linkToken: values['linkToken'] } : {}
  const input = { ...requestFor(call, values), ...(file && { file }), ...linkToken } as CallInput<Call>
  return createClient(url, credentials).ask(call, input)
}

/** Return the credentials a call takes in a park. */
export function credentialsFor(call: Call, things: Fixtures, client: Client): Credentials {
  if (call.permission === 'device') return { basic: [things.device.code, things.device.secret] }
  return call.permission === 'basic' ? { basic: ['console', ''] } : client.credentials
}

/** Return all permission codes a call requires of a role. */
export const codesOf = ({ permission, besides = [] }: Call): string[] =>
  [permission, ...besides].filter((code) => (PERMISSION_CODES as readonly string[]).includes(code))

/** Whether a call grants permissions or changes a user who has some: its caller must hold those permissions too. */
export const grantsPower = (call: Call): boolean => isWrite(call) && ['system.user', 'system.role', 'system.api'].includes(call.permission)

/**
 * Options of the smallest session for which a call succeeds: the codes it requires; an administrator at the root where it requires more
 * than a code.
 */
export const sessionFor = (world: World, call: Call): SessionOptions => ({
  permissions: grantsPower(call) ? PERMISSION_CODES : codesOf(call),
  ...(asksMore(call) && { roleSign: 'admin', organisationId: world.server.contexts.organisation.service.root().id }),
})
