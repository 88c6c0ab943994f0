import { grantToken, insertUser } from '@gatehouse/dev-env/accounts'
import { createClient } from '@gatehouse/dev-env/client'
import { identityCalls } from '@gatehouse/contract/identity/calls'
import { ownCalls } from '@gatehouse/contract/identity/own'
import { secondFactorCalls } from '@gatehouse/contract/identity/second-factor'
import type { Ground, CallCase } from './case.ts'

/** Create a session of a user of the park. */
async function session({ world, site }: Ground): Promise<string> {
  const userId = await insertUser(world.server, { organisationId: site.park.id, permissions: [] })
  const client = createClient(world.url, { bearer: (await grantToken(world.server, userId, site.park.id)).bearer })
  return (await client.call(ownCalls.sessions, {}))[0]!.id
}
const phone = () => ({ phone: '13800138000' })

export const cases: readonly CallCase[] = [
  // A refresh token that does not exist.
  { call: identityCalls.tokenByGet, given: () => ({ grant_type: 'refresh_token', refresh_token: 'none' }), lastWord: [400, 100412] },
  // Passwords that are not encrypted.
  { call: ownCalls.changeExpired, lastWord: [400, 400] },
  { call: ownCalls.changePassword, lastWord: [400, 400] },
  { call: ownCalls.confirm, lastWord: [400, 400] },
  // A code that was not sent.
  { call: ownCalls.checkCode, lastWord: [200, 100115] },
  { call: ownCalls.checkPhoneCode, given: phone, lastWord: [200, 100115] },
  { call: ownCalls.resetPassword, lastWord: [200, 100115] },
  { call: ownCalls.phoneCode, given: phone },
  // A second factor that is not set up.
  { call: secondFactorCalls.confirm, lastWord: [200, 100115] },
  { call: secondFactorCalls.renewRecoveryCodes, lastWord: [200, 100115] },
  { call: secondFactorCalls.remove, lastWord: [200, 100115] },
  // Users can end their own sessions only, in any park.
  { call: ownCalls.endSession, given: async (ground) => ({ id: await session(ground) }), lastWord: [404, 404] },
]
