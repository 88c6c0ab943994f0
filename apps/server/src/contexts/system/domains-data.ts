/** Rows of domains. Unscoped: they belong to the installation; the organisation of a domain decides who sees it. */
import { timestamp, type Database } from '../../platform/database/database.ts'
import { updateAtVersionUnscoped } from '../../platform/database/versioned-rows.ts'

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

/** Return all domains in the order of their addresses, some dozens at most. */
export const readDomainsUnscoped = (db: Database): Promise<StoredDomain[]> =>
  db
    .selectFrom('domain')
    .select(['id', 'address', 'host', 'name', 'showType', 'logoId', 'bigScreenLogoId', 'organisationId', 'remark', 'version'])
    .orderBy('host')
    .execute()

const valuesOf = (domain: Omit<StoredDomain, 'id' | 'version'>) => ({
  address: domain.address,
  host: domain.host,
  name: domain.name,
  showType: domain.showType,
  logoId: domain.logoId,
  bigScreenLogoId: domain.bigScreenLogoId,
  organisationId: domain.organisationId,
  remark: domain.remark,
})

export async function insertDomainUnscoped(db: Database, domain: Omit<StoredDomain, 'version'>, now: number): Promise<void> {
  await db
    .insertInto('domain')
    .values({ id: domain.id, ...valuesOf(domain), createdAt: timestamp(now), updatedAt: timestamp(now), version: 1 })
    .execute()
}

/** Update a domain. @returns whether it existed in that version */
export function updateDomainUnscoped(db: Database, domain: StoredDomain, now: number): Promise<boolean> {
  return updateAtVersionUnscoped(db, 'domain', domain, valuesOf(domain), now)
}

/** Delete a domain. @returns whether it existed */
export async function deleteDomainUnscoped(db: Database, id: string): Promise<boolean> {
  const { numDeletedRows } = await db.deleteFrom('domain').where('id', '=', id).executeTakeFirstOrThrow()
  return numDeletedRows > 0n
}
