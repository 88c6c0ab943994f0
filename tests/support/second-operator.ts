/** A second operator of an installation, created through the calls of the console: forced upgrades require two people. */
import { PERMISSION_CODES } from '@gatehouse/contract'
import { ownCalls } from '@gatehouse/contract/identity/own'
import { roleCalls } from '@gatehouse/contract/identity/roles'
import { userCalls } from '@gatehouse/contract/identity/users'
import { organisationCalls } from '@gatehouse/contract/organisation/calls'
import { ADMIN } from '@gatehouse/dev-env/administrator'
import { confirmPassword, createClient, logIn, sealPassword, type Client } from '@gatehouse/dev-env/client'

const ACCOUNT = 'second'
const FIRST = 'First-pass-1'
const PASSWORD = 'Second-pass-2'

/** @param admin the administrator, who confirms it with their password @returns a client of a user who has just typed their password */
export async function secondOperator(admin: Pick<Client, 'call' | 'url'>): Promise<Client> {
  await confirmPassword(admin, ADMIN.password)
  const { id: organisationId } = await admin.call(organisationCalls.tree, {})
  const { id: roleId } = await admin.call(roleCalls.create, {
    body: { name: 'Operators', permissions: [...PERMISSION_CODES], organisationId, roleSign: 'operator' },
  })
  const nobody = createClient(admin.url)
  const password = await sealPassword(nobody, FIRST)
  await admin.call(userCalls.create, { body: { account: ACCOUNT, realName: 'Second', organisationId, roles: [roleId], password } })
  // A cipher text can be decrypted once, so the first password is encrypted again.
  const oldPassword = await sealPassword(nobody, FIRST)
  const chosen = { newPassword: await sealPassword(nobody, PASSWORD), confirmPassword: await sealPassword(nobody, PASSWORD) }
  await nobody.call(ownCalls.changeExpired, { body: { account: ACCOUNT, oldPassword, ...chosen } })
  const client = nobody.as({ bearer: (await logIn(nobody, { account: ACCOUNT, password: PASSWORD })).access_token })
  return client
}
