/** Rows of API users. Unscoped: an API user belongs to a node of the tree, not to a park. */
import { columnList } from '../../platform/database/column-list.ts'
import { containing, oneOf, timestamp, type Database } from '../../platform/database/database.ts'
import { readPage } from '../../platform/database/page.ts'
import { updateAtVersionUnscoped } from '../../platform/database/versioned-rows.ts'
import type { IdentityTables } from './schema.ts'

type Db = Database<IdentityTables>

export interface ApiClientRow {
  id: string
  name: string
  apiKey: string
  secretHash: Buffer
  permissions: string[]
  organisationId: string
  enabled: boolean
  accessSeconds: number
  refreshSeconds: number
  masking: boolean
  purpose: string
  lastUsedAt: number | null
  version: number
  createdAt: number
}

const columns = columnList([
  'id',
  'name',
  'api_key as apiKey',
  'secret_hash as secretHash',
  'permissions',
  'organisation_id as organisationId',
  'enabled',
  'access_seconds as accessSeconds',
  'refresh_seconds as refreshSeconds',
  'masking',
  'purpose',
  'last_used_at as lastUsedAt',
  'version',
  'created_at as createdAt',
])

export async function findClientUnscoped(db: Db, by: { id: string } | { apiKey: string }): Promise<ApiClientRow | undefined> {
  const query = db.selectFrom('api_client').select(columns)
  return (await ('id' in by ? query.where('id', '=', by.id) : query.where('api_key', '=', by.apiKey)).executeTakeFirst()) as
    | ApiClientRow
    | undefined
}

export interface ClientFilter {
  name?: string | undefined
  /** 1 enabled, 0 disabled. */
  status?: number | undefined
  page: number
  size: number
}

/** @param nodeIds nodes the API users belong to; null: all of them */
export async function listClientsUnscoped(
  db: Db,
  { name, status, page, size }: ClientFilter,
  nodeIds: readonly string[] | null,
): Promise<{ total: number; content: ApiClientRow[] }> {
  let rows = db.selectFrom('api_client').select(columns)
  if (name !== undefined && name !== '') rows = rows.where('name', 'ilike', containing(name))
  if (status !== undefined) rows = rows.where('enabled', '=', status === 1)
  if (nodeIds !== null) rows = rows.where('organisation_id', '=', oneOf(nodeIds))
  const { content, total } = await readPage(rows.orderBy('created_at', 'desc').orderBy('id', 'desc'), { page, size })
  return { total, content: content as ApiClientRow[] }
}

export interface ClientValues {
  name: string
  purpose: string
  permissions: readonly string[]
  organisationId: string
  accessSeconds: number
  refreshSeconds: number
  masking: boolean
}
const columnsOf = (values: ClientValues) => ({
  name: values.name,
  purpose: values.purpose,
  permissions: [...values.permissions],
  organisation_id: values.organisationId,
  access_seconds: values.accessSeconds,
  refresh_seconds: values.refreshSeconds,
  masking: values.masking,
})

export async function insertClientUnscoped(
  db: Db,
  client: { id: string; apiKey: string; secretHash: Buffer },
  values: ClientValues,
  now: number,
): Promise<void> {
  await db
    .insertInto('api_client')
    .values({
      id: client.id,
      api_key: client.apiKey,
      secret_hash: client.secretHash,
      ...columnsOf(values),
      enabled: true,
      last_used_at: null,
      created_at: timestamp(now),
      updated_at: timestamp(now),
      version: 1,
    })
    .execute()
}

/** False where the version is no longer the current one. */
export function updateClientUnscoped(db: Db, id: string, values: ClientValues, version: number, now: number): Promise<boolean> {
  return updateAtVersionUnscoped(db, 'api_client', { id, version }, columnsOf(values), now)
}

export async function updateClientStateUnscoped(
  db: Db,
  id: string,
  state: { enabled?: boolean; secretHash?: Buffer; lastUsedAt?: number },
): Promise<void> {
  await db
    .updateTable('api_client')
    .set({
      ...(state.enabled !== undefined && { enabled: state.enabled }),
      ...(state.secretHash !== undefined && { secret_hash: state.secretHash }),
      ...(state.lastUsedAt !== undefined && { last_used_at: timestamp(state.lastUsedAt) }),
    })
    .where('id', '=', id)
    .execute()
}

export async function deleteClientUnscoped(db: Db, id: string): Promise<void> {
  await db.deleteFrom('api_client').where('id', '=', id).execute()
}
