/** Accounts of the console, as the administrators of their part of the tree manage them. */
import type { Platform } from '../../platform/context.ts'
import { refuse } from '../../platform/http/refusal.ts'
import { findAccountUnscoped } from './data.ts'
import { createUserPasswords } from './user-passwords.ts'
import { createUserRows } from './user-rows.ts'
import { createUserWrites } from './user-writes.ts'
import * as data from './users-data.ts'
import type { UserParts, UserService } from './users-types.ts'

export function createUsers(platform: Platform, parts: UserParts): UserService {
  const db = platform.db
  const { organisation, privilege } = parts
  const rows = createUserRows(platform, parts)
  const passwords = createUserPasswords(platform, parts, rows)

  return {
    ...createUserWrites(platform, parts, rows, passwords),
    resetPassword: passwords.resetPassword,
    async list(session, query, language) {
      const above = query.organisationId ?? session.organisationId
      if (!privilege.reaches(session, above)) refuse(100413, 'organisationId')
      const nodeIds =
        above === organisation.root().id
          ? null
          : organisation
              .tree()
              .below(above)
              .map(({ id }) => id)
      const { total, content } = await data.listUsersUnscoped(db, { ...query, sees: session.scope.sees }, nodeIds, platform.clock.now())
      return { total, content: await rows.present(session, content, language), page: query.page, size: query.size }
    },
    async read(session, id, language) {
      const [user] = await rows.present(session, [await rows.visible(session, id)], language)
      return user!
    },
    isFreeName: async (account) => (await findAccountUnscoped(db, { account })) === undefined,
    isFreeEmail: async (email, userId) => platform.config.privatised || !(await data.emailTakenUnscoped(db, email, userId ?? null)),
  }
}
