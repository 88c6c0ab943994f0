/** Rows of API users. Unscoped: an API user belongs to a node of the tree, not to a park. */
import { columnList } from '../../platform/database/column-list.ts'
import { containing, oneOf, timestamp, type Database } from '../../platform/database/database.ts'
import { readPage } from '../../platform/database/page.ts'
import { updateAtVersionUnscoped } from '../../platform/database/versioned-rows.ts'

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
  'apiKey',
  'secretHash',
  'permissions',
  'organisationId',
  'enabled',
  'accessSeconds',
  'refreshSeconds',
  'masking',
  'purpose',
  'lastUsedAt',
  'version',
  'createdAt',
])

export async function findClientUnscoped(db: Database, by: { id: string } | { apiKey: string }): Promise<ApiClientRow | undefined> {
  const query = db.selectFrom('apiClient').select(columns)
  return (await ('id' in by ? query.where('id', '=', by.id) : query.where('apiKey', '=', by.apiKey)).executeTakeFirst()) as
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
  db: Database,
  { name, status, page, size }: ClientFilter,
  nodeIds: readonly string[] | null,
): Promise<{ total: number; content: ApiClientRow[] }> {
  let rows = db.selectFrom('apiClient').select(columns)
  if (name !== undefined && name !== '') rows = rows.where('name', 'ilike', containing(name))
  if (status !== undefined) rows = rows.where('enabled', '=', status === 1)
  if (nodeIds !== null) rows = rows.where('organisationId', '=', oneOf(nodeIds))
  const { content, total } = await readPage(rows.orderBy('createdAt', 'desc').orderBy('id', 'desc'), { page, size })
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
  organisationId: values.organisationId,
  accessSeconds: values.accessSeconds,
  refreshSeconds: values.refreshSeconds,
  masking: values.masking,
})

export async function insertClientUnscoped(
  db: Database,
  client: { id: string; apiKey: string; secretHash: Buffer },
  values: ClientValues,
  now: number,
): Promise<void> {
  await db
    .insertInto('apiClient')
    .values({
      id: client.id,
      apiKey: client.apiKey,
      secretHash: client.secretHash,
      ...columnsOf(values),
      enabled: true,
      lastUsedAt: null,
      createdAt: timestamp(now),
      updatedAt: timestamp(now),
      version: 1,
    })
    .execute()
}

/** Update an API user. @returns false where the version is no longer the current one */
export function updateClientUnscoped(db: Database, id: string, values: ClientValues, version: number, now: number): Promise<boolean> {
  return updateAtVersionUnscoped(db, 'apiClient', { id, version }, columnsOf(values), now)
}

export async function updateClientStateUnscoped(
  db: Database,
  id: string,
  state: { enabled?: boolean; secretHash?: Buffer; lastUsedAt?: number },
): Promise<void> {
  await db
    .updateTable('apiClient')
    .set({
      ...(state.enabled !== undefined && { enabled: state.enabled }),
      ...(state.secretHash !== undefined && { secretHash: state.secretHash }),
      ...(state.lastUsedAt !== undefined && { lastUsedAt: timestamp(state.lastUsedAt) }),
    })
    .where('id', '=', id)
    .execute()
}

export async function deleteClientUnscoped(db: Database, id: string): Promise<void> {
  await db.deleteFrom('apiClient').where('id', '=', id).execute()
}
