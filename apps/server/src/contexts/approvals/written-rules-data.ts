/** Rows of written rules; every function takes the scope first. */
import { columnList } from '../../platform/database/column-list.ts'
import { containing, isLockTimeout, sql, timestamp, type Database, type Transaction } from '../../platform/database/database.ts'
import { readPage } from '../../platform/database/page.ts'
import { refuse } from '../../platform/http/refusal.ts'
import type { Scope } from '../../platform/session/session.ts'
import { updateAtVersion } from '../../platform/database/versioned-rows.ts'

const columns = columnList([
  'id',
  'name',
  'everybodyExcept',
  'kinds',
  'personGroupIds',
  'personIds',
  'deviceIds',
  'deviceGroupIds',
  'periods',
  'reaction',
  'enabled',
  'sentence',
  'version',
  'updatedAt',
])

const rowsOf = (scope: Scope, db: Database) => db.selectFrom('writtenRule').select(columns).where('parkId', '=', scope.parkId)

export async function listWrittenRules(scope: Scope, db: Database, query: { name?: string | undefined; page: number; size: number }) {
  let rows = rowsOf(scope, db)
  if (query.name !== undefined && query.name !== '') rows = rows.where('name', 'ilike', containing(query.name))
  return readPage(rows.orderBy('name').orderBy('id'), query)
}
export type WrittenRuleRow = Awaited<ReturnType<typeof listWrittenRules>>['content'][number]

export const findEnabledRules = (scope: Scope, db: Database): Promise<WrittenRuleRow[]> =>
  rowsOf(scope, db).where('enabled', '=', true).orderBy('name').orderBy('id').execute()

export const findWrittenRule = (scope: Scope, db: Database, id: string): Promise<WrittenRuleRow | undefined> =>
  rowsOf(scope, db).where('id', '=', id).executeTakeFirst()

export type WrittenRuleValues = Omit<WrittenRuleRow, 'id' | 'version' | 'updatedAt'>

const columnsOf = (values: WrittenRuleValues) => ({
  name: values.name,
  everybodyExcept: values.everybodyExcept,
  kinds: values.kinds,
  personGroupIds: values.personGroupIds,
  personIds: values.personIds,
  deviceIds: values.deviceIds,
  deviceGroupIds: values.deviceGroupIds,
  periods: JSON.stringify(values.periods),
  reaction: values.reaction,
  enabled: values.enabled,
  sentence: values.sentence,
})

export async function insertWrittenRule(scope: Scope, db: Database, id: string, values: WrittenRuleValues, now: number): Promise<void> {
  await db
    .insertInto('writtenRule')
    .values({ id, parkId: scope.parkId, ...columnsOf(values), createdAt: timestamp(now), updatedAt: timestamp(now), version: 1 })
    .execute()
}

/** False where the rule is not at `version` any more. */
export function updateWrittenRule(
  scope: Scope,
  db: Database,
  id: string,
  values: WrittenRuleValues,
  version: number,
  now: number,
): Promise<boolean> {
  return updateAtVersion(scope, db, 'writtenRule', { id, version }, columnsOf(values), now)
}

/** False where the rule is not at `version` any more. */
export async function deleteWrittenRule(scope: Scope, db: Database, id: string, version: number): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('writtenRule')
    .where('id', '=', id)
    .where('parkId', '=', scope.parkId)
    .where('version', '=', version)
    .executeTakeFirst()
  return numDeletedRows > 0n
}

/** Serialise changes of a park by a lock that ends with the transaction. @throws Refusal 900000 where another node holds it for too long */
export async function lockPark(scope: Scope, tx: Transaction): Promise<void> {
  await sql`SELECT pg_advisory_xact_lock(hashtextextended(${`written rules ${scope.parkId}`}, 0))`.execute(tx).catch((error: unknown) => {
    if (isLockTimeout(error)) refuse(900000)
    throw error
  })
}

export async function deleteWrittenRulesOfPark(scope: Scope, db: Database): Promise<void> {
  await db.deleteFrom('writtenRule').where('parkId', '=', scope.parkId).execute()
  await db.deleteFrom('pendingChange').where('parkId', '=', scope.parkId).execute()
}
