/** There is always somebody who can do everything: an enabled administrator at the root. */
import { sql, type Database } from '../../platform/database/database.ts'
import { InvalidRequest } from '../../platform/http/refusal.ts'
import type { IdentityTables } from './schema.ts'
import { enabledAtUnscoped } from './users-data.ts'

/** What an administrator needs to give himself and others everything else. */
const NEEDED = ['system.user', 'system.role'] as const

/** Enabled administrators at the root. */
export async function administrators(db: Database<IdentityTables>, rootId: string, now: number): Promise<string[]> {
  const held = Map.groupBy(await enabledAtUnscoped(db, rootId, now), ({ id }) => id)
  return [...held].flatMap(([id, roles]) => {
    const permissions = roles.flatMap((role) => role.permissions)
    return roles.some(({ roleSign }) => roleSign === 'admin') && NEEDED.every((code) => permissions.includes(code)) ? [id] : []
  })
}

/** Refuses a change that would leave none. @param path the field that would have done it */
export async function demandAdministrator(tx: Database<IdentityTables>, rootId: string, now: number, path: string): Promise<void> {
  // One after the other: two who take it from each other at once would both see somebody left.
  await sql`SELECT pg_advisory_xact_lock(hashtext('identity.administrators'))`.execute(tx)
  if ((await administrators(tx, rootId, now)).length === 0) throw new InvalidRequest([{ path, rule: 'lastAdministrator' }])
}
