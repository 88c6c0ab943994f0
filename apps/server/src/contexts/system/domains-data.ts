/** Rows of domains. Unscoped: they belong to the installation; who sees which is decided by their organisation. */
import { timestamp, type Database } from '../../platform/database/database.ts'
import { updateAtVersionUnscoped } from '../../platform/database/versioned-rows.ts'
import type { SystemTables } from './schema.ts'

type Db = Database<SystemTables>

export interface StoredDomain {
  id: string
  address: string
  host: string
  name: string
  showType: 'neutral' | 'custom'
  logoId: string | null
  bigScreenLogoId: string | null
  organisationId: string
  remark: string
  version: number
}

/** All of them, in the order of their addresses; some dozens at most. */
export const readDomainsUnscoped = (db: Db): Promise<StoredDomain[]> =>
  db
    .selectFrom('domain')
    .select([
      'id',
      'address',
      'host',
      'name',
      'show_type as showType',
      'logo_id as logoId',
      'big_screen_logo_id as bigScreenLogoId',
      'organisation_id as organisationId',
      'remark',
      'version',
    ])
    .orderBy('host')
    .execute()

const valuesOf = (domain: Omit<StoredDomain, 'id' | 'version'>) => ({
  address: domain.address,
  host: domain.host,
  name: domain.name,
  show_type: domain.showType,
  logo_id: domain.logoId,
  big_screen_logo_id: domain.bigScreenLogoId,
  organisation_id: domain.organisationId,
  remark: domain.remark,
})

export async function insertDomainUnscoped(db: Db, domain: Omit<StoredDomain, 'version'>, now: number): Promise<void> {
  await db
    .insertInto('domain')
    .values({ id: domain.id, ...valuesOf(domain), created_at: timestamp(now), updated_at: timestamp(now), version: 1 })
    .execute()
}

/** Whether it was there in that version. */
export function updateDomainUnscoped(db: Db, domain: StoredDomain, now: number): Promise<boolean> {
  return updateAtVersionUnscoped(db, 'domain', domain, valuesOf(domain), now)
}

/** Whether it was there. */
export async function deleteDomainUnscoped(db: Db, id: string): Promise<boolean> {
  const { numDeletedRows } = await db.deleteFrom('domain').where('id', '=', id).executeTakeFirstOrThrow()
  return numDeletedRows > 0n
}
