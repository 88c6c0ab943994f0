import type { Call } from '@gatehouse/contract'
import { insertRoleUnscoped } from '@gatehouse/server/contexts/identity/data'
import { confirmPendingUnscoped, setPendingUnscoped } from '@gatehouse/server/contexts/identity/second-factor-data'
import { newId } from '@gatehouse/server/platform/database/ids'
import { clientCalls } from '@gatehouse/contract/identity/clients'
import { roleCalls } from '@gatehouse/contract/identity/roles'
import { secondFactorCalls } from '@gatehouse/contract/identity/second-factor'
import { userCalls } from '@gatehouse/contract/identity/users'
import { insertUser } from '@gatehouse/dev-env/accounts'
import type { CallCase, Ground, ScreenParameters } from './case.ts'

let samples = 0
const word = (): string => `Sample${++samples}`

/** Create a role that belongs to the park and that no user has. */
async function role({ world, site }: Ground): Promise<string> {
  const id = newId()
  await insertRoleUnscoped(
    world.server.platform.db,
    { id, name: word(), roleSign: 'other', permissions: ['system'], organisationId: site.park.id },
    world.clock.now(),
  )
  return id
}
const user = ({ world, site }: Ground): Promise<string> =>
  insertUser(world.server, { organisationId: site.park.id, permissions: ['system'] })
/** Create a user whose login requires a code, which no test can generate. */
async function userWithFactor(ground: Ground): Promise<string> {
  const [id, db, now] = [await user(ground), ground.world.server.platform.db, ground.world.clock.now()]
  const [pending, secret] = [Buffer.from('pending'), Buffer.from('secret')]
  await setPendingUnscoped(db, id, pending, now + 60_000)
  await confirmPendingUnscoped(db, id, { pending, secret, step: 0 }, now)
  return id
}
const client = async ({ site }: Ground): Promise<string> =>
  (await site.call(clientCalls.create, { body: { name: word(), permissions: ['system'], organisationId: site.park.id } })).id

const nameOfUser = (): string => `u-${word().toLowerCase()}`

const userFields = async (ground: Ground) => ({
  realName: 'Somebody',
  organisationId: ground.site.park.id,
  roles: [await role(ground)],
  email: '',
  phone: '',
  idCard: '',
})
const fields = ({ site }: Ground) => ({ name: word(), permissions: ['system'], organisationId: site.park.id })
/** Return fields of a role whose permission can be limited to the devices of a group. */
const roleFields = (ground: Ground) => ({ ...fields(ground), permissions: ['person'] })
const withUser = async (ground: Ground) => ({ id: await user(ground) })
const withRole = async (ground: Ground) => ({ id: await role(ground) })
const withClient = async (ground: Ground) => ({ id: await client(ground) })

export const cases: readonly CallCase[] = [
  { call: userCalls.list, given: async (ground) => ({ organisationId: ground.site.park.id, roleId: await role(ground) }) },
  { call: userCalls.read, given: withUser },
  { call: userCalls.create, given: async (ground) => ({ account: nameOfUser(), ...(await userFields(ground)) }) },
  { call: userCalls.change, given: async (ground) => ({ id: await user(ground), ...(await userFields(ground)) }) },
  { call: userCalls.delete, given: withUser },
  { call: userCalls.enable, given: withUser },
  { call: userCalls.disable, given: withUser },
  { call: secondFactorCalls.reset, given: async (ground) => ({ id: await userWithFactor(ground) }) },
  { call: userCalls.resetPassword, given: async (ground) => ({ id: await user(ground), sendByEmail: false }) },
  // Whether an address is in use is the same for every user.
  { call: userCalls.checkEmail, given: async (ground) => ({ email: 'somebody@example.org', userId: await user(ground) }), foreign: false },
  { call: roleCalls.list },
  { call: roleCalls.read, given: withRole },
  { call: roleCalls.create, given: roleFields },
  { call: roleCalls.change, given: async (ground) => ({ id: await role(ground), ...roleFields(ground) }) },
  { call: roleCalls.delete, given: withRole },
  { call: roleCalls.subRoles, given: ({ site }) => ({ organisationId: site.park.id }) },
  { call: roleCalls.permissions, given: withRole },
  { call: clientCalls.read, given: withClient },
  { call: clientCalls.create, given: fields },
  { call: clientCalls.change, given: async (ground) => ({ id: await client(ground), ...fields(ground) }) },
  { call: clientCalls.delete, given: withClient },
  { call: clientCalls.enable, given: async (ground) => ({ id: await client(ground), status: 0 }) },
  { call: clientCalls.resetSecret, given: withClient },
]

/** What the parameters of screens name. */
export const screens = {
  roleDetail: { id: roleCalls.read },
} satisfies ScreenParameters

/** A list shows at least one row of what these calls read. */
export const listed: readonly Call[] = [userCalls.read, clientCalls.read]
