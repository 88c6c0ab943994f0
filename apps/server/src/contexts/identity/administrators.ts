/** The rule that at least one enabled administrator, who can do everything, remains at the root. */
import { sql, type Database } from '../../platform/database/database.ts'
import { InvalidRequest } from '../../platform/http/refusal.ts'
import { enabledAtUnscoped } from './users-data.ts'

/** Permissions with which an administrator can grant all other permissions, their own included. */
const NEEDED = ['system.user', 'system.role'] as const

/** Return the ids of the enabled administrators at the root. */
export async function administrators(db: Database, rootId: string, now: number): Promise<string[]> {
  const rolesByUser = Map.groupBy(await enabledAtUnscoped(db, rootId, now), ({ id }) => id)
  return [...rolesByUser].flatMap(([id, roles]) => {
    const permissions = roles.flatMap((role) => role.permissions)
    return roles.some(({ roleSign }) => roleSign === 'admin') && NEEDED.every((code) => permissions.includes(code)) ? [id] : []
  })
}

/** Refuse a change that would leave no administrator. @param path field of the form that causes it @throws InvalidRequest */
export async function demandAdministrator(tx: Database, rootId: string, now: number, path: string): Promise<void> {
  // Serialised: two administrators who disable each other at the same time would each still count the other.
  await sql`SELECT pg_advisory_xact_lock(hashtext('identity.administrators'))`.execute(tx)
  if ((await administrators(tx, rootId, now)).length === 0) throw new InvalidRequest([{ path, rule: 'lastAdministrator' }])
}
