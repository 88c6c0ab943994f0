/** What somebody may hand on: nobody grants a permission, a role sign or an area that he lacks. */
import type { Database } from '../../platform/database.ts'
import type { Session } from '../../platform/session.ts'
import type { OrganisationService } from '../organisation/index.ts'
import { findClientUnscoped } from './client-data.ts'
import { rolesOfUnscoped } from './data.ts'
import type { IdentityTables } from './schema.ts'
import { knownUsersUnscoped, rolesOfUsersUnscoped } from './users-data.ts'

/** From the one that reaches furthest. */
const RANK = ['admin', 'operator', 'parkAdmin', 'other']
/** 0 reaches furthest. */
export const rankOf = (roleSign: string): number => (RANK.includes(roleSign) ? RANK.indexOf(roleSign) : RANK.length)

/** What a role, a user or an API user may do. */
export interface Power {
  roleSign: string
  permissions: readonly string[]
}
export interface Holding extends Power {
  /** Node at and below which it holds. */
  organisationId: string
}

/** Several roles of one person taken together. */
export const powerOf = (roles: readonly Power[]): Power => ({
  roleSign: RANK[Math.min(RANK.length - 1, ...roles.map(({ roleSign }) => rankOf(roleSign)))]!,
  permissions: [...new Set(roles.flatMap(({ permissions }) => permissions))],
})

/** Permissions of a power that somebody lacks. */
export const lackedBy = (holding: Power, { permissions }: Pick<Power, 'permissions'>): string[] =>
  permissions.filter((code) => !holding.permissions.includes(code))

/** Whether somebody has all that a power consists of. */
export const covers = (holding: Power, power: Power): boolean =>
  rankOf(holding.roleSign) <= rankOf(power.roleSign) && lackedBy(holding, power).length === 0

export interface Privilege {
  /** What the caller has, whatever modules the park it is in has turned off. */
  of(session: Session): Promise<Holding>
  /** Whether a node lies in the caller's part of the tree. */
  reaches(session: Pick<Session, 'organisationId'>, organisationId: string): boolean
  /**
   * Those of these users on whose accounts the caller may act: they lie in the caller's part of the tree, and the caller
   * has all that their roles give. With a password or a code of anybody else the caller would gain what they have.
   */
  covered(session: Session, userIds: readonly string[]): Promise<ReadonlySet<string>>
  /** Real names of those of these users that lie in the caller's part of the tree. */
  names(session: Pick<Session, 'organisationId'>, userIds: readonly string[]): Promise<Map<string, string>>
}

export function createPrivilege(db: Database<IdentityTables>, organisation: OrganisationService): Privilege {
  const reaches: Privilege['reaches'] = (session, organisationId) => organisation.isBelow(organisationId, session.organisationId)
  const within = async (session: Pick<Session, 'organisationId'>, userIds: readonly string[]) =>
    userIds.length === 0 ? [] : (await knownUsersUnscoped(db, userIds)).filter(({ organisationId }) => reaches(session, organisationId))

  async function of({ kind, userId, roleSign, permissions, organisationId }: Session): Promise<Holding> {
    const stored =
      kind === 'client'
        ? ((await findClientUnscoped(db, { id: userId }))?.permissions ?? [])
        : (await rolesOfUnscoped(db, userId)).flatMap((role) => role.permissions)
    return { roleSign, permissions: [...new Set([...stored, ...permissions])], organisationId }
  }

  return {
    of,
    reaches,
    async covered(session, userIds) {
      const ids = (await within(session, userIds)).map(({ id }) => id)
      if (ids.length === 0) return new Set()
      const [holding, roles] = await Promise.all([of(session), rolesOfUsersUnscoped(db, ids)])
      return new Set(ids.filter((id) => covers(holding, powerOf(roles.filter(({ userId }) => userId === id)))))
    },
    names: async (session, userIds) => new Map((await within(session, userIds)).map(({ id, realName }) => [id, realName])),
  }
}
