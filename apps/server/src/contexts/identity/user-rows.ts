/** Accounts as their administrators see them, and which of them a caller may act on. */
import type { Platform } from '../../platform/context.ts'
import { InvalidRequest, NotFound, forbid } from '../../platform/http/refusal.ts'
import type { Session } from '../../platform/session/session.ts'
import { openNumbers } from './personal-numbers.ts'
import { userAbilities } from './policy.ts'
import { roleName } from './ready-roles.ts'
import type { UserParts } from './users-types.ts'
import { findUserUnscoped, rolesOfUsersUnscoped, type UserRow } from './users-data.ts'
import type { UserRows } from './user-rows-types.ts'

export function createUserRows(platform: Platform, { organisation, privilege }: Pick<UserParts, 'organisation' | 'privilege'>): UserRows {
  const db = platform.db

  async function visible(session: Session, id: string): Promise<UserRow> {
    const row = await findUserUnscoped(db, id, platform.clock.now())
    if (row === undefined || !privilege.reaches(session, row.organisationId)) throw new NotFound()
    return row
  }

  return {
    visible,
    async present(session, rows, language) {
      const ids = rows.map(({ id }) => id)
      const covered = await privilege.covered(session, ids)
      const rolesByUser = Map.groupBy(await rolesOfUsersUnscoped(db, ids), ({ userId }) => userId)
      return Promise.all(
        rows.map(async ({ idCardSealed, telephoneSealed, enabled, masking, ...row }) => {
          const { telephone: phone, idCard } = await openNumbers(platform, { id: row.id, idCardSealed, telephoneSealed })
          const roles = rolesByUser.get(row.id) ?? []
          return {
            ...row,
            phone,
            idCard,
            organisationName: organisation.get(row.organisationId)?.name ?? '',
            roles: roles.map(({ id }) => id),
            roleDetails: roles.map((role) => ({ id: role.id, name: roleName(language, role), roleSign: role.roleSign })),
            status: enabled ? 1 : 0,
            enablePageDataMasking: masking,
            can: userAbilities(session, { ...row, enabled, masking }, covered.has(row.id)),
          }
        }),
      )
    },
    async actedOn(session, id) {
      const row = await visible(session, id)
      if (!(await privilege.covered(session, [id])).has(id)) forbid()
      return row
    },
  }
}

/** @throws InvalidRequest for a disabled account */
export function demandEnabled({ enabled }: UserRow): void {
  if (!enabled) throw new InvalidRequest([{ path: 'status', rule: 'accountDisabled' }])
}
