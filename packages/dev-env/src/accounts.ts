/**
 * Accounts and sessions made below the public calls: a person who starts an installation need not know its administrator's password, and a
 * test's user need not change its first one. Everything goes through the data functions of identity.
 */
import { createHash, randomBytes } from 'node:crypto'
import { newId } from '@gatehouse/server/platform/database/ids'
import type { Server } from '@gatehouse/server/server'
import { findAccountUnscoped, insertAccountUnscoped, insertRoleUnscoped } from '@gatehouse/server/contexts/identity/data'
import { confirmTokenUnscoped, findTokenUnscoped, insertTokenUnscoped } from '@gatehouse/server/contexts/identity/token-data'

const HOUR = 3_600_000
const databaseOf = (server: Server) => server.platform.db
const digest = (text: string) => createHash('sha256').update(text).digest()

export interface GrantedToken {
  bearer: string
  /** Epoch milliseconds. */
  expiresAt: number
}

/**
 * Make a session of a user in a park, as a login would.
 * @param hours until it expires; may be negative @param confirmed whether the password counts as typed again, for as long as the session
 * lasts
 */
export async function grantToken(
  server: Server,
  userId: string,
  parkId: string,
  { hours = 24, confirmed = false }: { hours?: number; confirmed?: boolean } = {},
): Promise<GrantedToken> {
  const now = server.platform.clock.now()
  const [access, refresh] = [randomBytes(32).toString('base64url'), randomBytes(32).toString('base64url')]
  const expiresAt = now + hours * HOUR
  const row = {
    id: newId(),
    userId,
    parkId,
    accessHash: digest(access),
    refreshHash: digest(refresh),
    accessSeconds: hours * 3600,
    accessExpiresAt: expiresAt,
    refreshExpiresAt: expiresAt,
    ...(confirmed && { confirmedUntil: expiresAt }),
  }
  await insertTokenUnscoped(databaseOf(server), row, now)
  return { bearer: access, expiresAt }
}

/** Make a session count as one whose user has typed the password again, for as long as it lasts. */
export async function confirmSession(server: Server, bearer: string): Promise<void> {
  const db = databaseOf(server)
  const { id, refreshExpiresAt } = (await findTokenUnscoped(db, { access: digest(bearer) }))!
  await confirmTokenUnscoped(db, id, refreshExpiresAt)
}

/** Return the user id of an account. @throws Error where there is no account of this name */
export async function userIdOf(server: Server, account: string): Promise<string> {
  const found = await findAccountUnscoped(databaseOf(server), { account })
  if (found === undefined) throw new Error(`there is no account ${account}`)
  return found.id
}

/** A role besides the first one of a user. */
export interface FurtherRole {
  permissions: readonly string[]
  /** By default every device. */
  deviceGroupIds?: readonly string[]
}

export interface NewUser {
  /** Node of the tree the user belongs to; the user sees the parks at or below it. */
  organisationId: string
  permissions: readonly string[]
  roleSign?: string
  /** Whether personal data are shown masked. */
  masking?: boolean
  /** Device groups to which the role is limited; by default every device. */
  deviceGroupIds?: readonly string[]
  furtherRoles?: readonly FurtherRole[]
}

/** Create a user with a role of these permissions, and further ones. Nobody can log in as this user; sessions come from `grantToken`. */
export async function insertUser(
  server: Server,
  { organisationId, permissions, roleSign = 'other', masking = false, deviceGroupIds = [], furtherRoles = [] }: NewUser,
): Promise<string> {
  const db = databaseOf(server)
  const now = server.platform.clock.now()
  const userId = newId()
  const roles = [{ permissions, deviceGroupIds }, ...furtherRoles].map((role) => ({ id: newId(), deviceGroupIds: [], ...role }))
  for (const role of roles) await insertRoleUnscoped(db, { ...role, name: `Role ${role.id}`, roleSign }, now)
  const account = { id: userId, account: `user-${userId}`, realName: 'Somebody', passwordHash: 'none', organisationId, masking }
  await insertAccountUnscoped(
    db,
    account,
    roles.map(({ id }) => id),
    now,
  )
  return userId
}
