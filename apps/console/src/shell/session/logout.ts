import { identityCalls } from '@gatehouse/contract/identity/calls'
import { request } from '../../api/request.ts'
import { endSession } from '../../api/session.ts'

/** End the session on the server, then here, whether or not the server answered. */
export async function logout(): Promise<void> {
  await request(identityCalls.revoke, {}).catch(() => {})
  endSession('/login?reload=1', 'drop')
}
