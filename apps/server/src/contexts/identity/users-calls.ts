/** Handlers of accounts. */
import { userCalls } from '@gatehouse/contract/identity/users'
import { handler, type MountedCall } from '../../platform/context.ts'
import type { Sleeping } from './sleeping.ts'
import type { UserService } from './users-types.ts'

export function userHandlers(users: UserService, sleeping: Sleeping): MountedCall[] {
  return [
    handler(userCalls.list, async ({ session, query, language }) => users.list(session, query, language)),
    handler(userCalls.read, async ({ session, params, language }) => users.read(session, params.id, language)),
    handler(userCalls.create, async ({ session, body, language }) => users.create(session, body, language)),
    handler(userCalls.change, async ({ session, body, language }) => {
      await users.change(session, body, language)
      return { id: body.id }
    }),
    handler(userCalls.delete, async ({ session, params }) => {
      await users.delete(session, params.id)
      return { id: params.id }
    }),
    handler(userCalls.enable, async ({ session, params }) => {
      await users.setEnabled(session, params.id, true)
      return { id: params.id }
    }),
    handler(userCalls.disable, async ({ session, params }) => {
      await users.setEnabled(session, params.id, false)
      return { id: params.id }
    }),
    handler(userCalls.resetPassword, async ({ session, params, body, language }) =>
      users.resetPassword(session, params.id, body.sendByEmail, language),
    ),
    handler(userCalls.checkUsername, async ({ query }) => ({ available: await users.isFreeName(query.username) })),
    handler(userCalls.checkEmail, async ({ query }) => ({ available: await users.isFreeEmail(query.email, query.userId) })),
    handler(userCalls.sleepingConfig, async () => sleeping.config()),
    handler(userCalls.saveSleepingConfig, async ({ body: { version, ...config } }) => sleeping.configure(config, version)),
  ]
}
