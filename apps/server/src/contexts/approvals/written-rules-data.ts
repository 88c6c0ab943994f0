/** Rows of written rules; every function takes the scope first. */
import { columnList } from '../../platform/database/column-list.ts'
import { containing, sql, timestamp, type Database } from '../../platform/database/database.ts'
import { readPage } from '../../platform/database/page.ts'
import type { Scope } from '../../platform/session/session.ts'
import { updateAtVersion } from '../../platform/database/versioned-rows.ts'
import type { WrittenRuleTables } from './written-rules-schema.ts'

type Db = Database<WrittenRuleTables>

const columns = columnList([
  'id',
  'name',
  'everybody_except as everybodyExcept',
  'kinds',
  'person_group_ids as personGroupIds',
  'person_ids as personIds',
  'device_ids as deviceIds',
  'device_group_ids as deviceGroupIds',
  'periods',
  'reaction',
  'enabled',
  'sentence',
  'version',
  'updated_at as updatedAt',
])

const rowsOf = (scope: Scope, db: Db) => db.selectFrom('written_rule').select(columns).where('park_id', '=', scope.parkId)

export async function listWrittenRules(scope: Scope, db: Db, query: { name?: string | undefined; page: number; size: number }) {
  let rows = rowsOf(scope, db)
  if (query.name !== undefined && query.name !== '') rows = rows.where('name', 'ilike', containing(query.name))
  return readPage(rows.orderBy('name').orderBy('id'), query)
}
export type WrittenRuleRow = Awaited<ReturnType<typeof listWrittenRules>>['content'][number]

export const findEnabledRules = (scope: Scope, db: Db): Promise<WrittenRuleRow[]> =>
  rowsOf(scope, db).where('enabled', '=', true).orderBy('name').orderBy('id').execute()

export const findWrittenRule = (scope: Scope, db: Db, id: string): Promise<WrittenRuleRow | undefined> =>
  rowsOf(scope, db).where('id', '=', id).executeTakeFirst()

export type WrittenRuleValues = Omit<WrittenRuleRow, 'id' | 'version' | 'updatedAt'>

const columnsOf = (
  values: WrittenRuleValues,
): Omit<WrittenRuleTables['written_rule'], 'id' | 'park_id' | 'created_at' | 'updated_at' | 'version'> => ({
  name: values.name,
  everybody_except: values.everybodyExcept,
  kinds: values.kinds,
  person_group_ids: values.personGroupIds,
  person_ids: values.personIds,
  device_ids: values.deviceIds,
  device_group_ids: values.deviceGroupIds,
  periods: JSON.stringify(values.periods),
  reaction: values.reaction,
  enabled: values.enabled,
  sentence: values.sentence,
})

export async function insertWrittenRule(scope: Scope, db: Db, id: string, values: WrittenRuleValues, now: number): Promise<void> {
  await db
    .insertInto('written_rule')
    .values({ id, park_id: scope.parkId, ...columnsOf(values), created_at: timestamp(now), updated_at: timestamp(now), version: 1 })
    .execute()
}

/** False where the rule is not at `version` any more. */
export function updateWrittenRule(
  scope: Scope,
  db: Db,
  id: string,
  values: WrittenRuleValues,
  version: number,
  now: number,
): Promise<boolean> {
  return updateAtVersion(scope, db, 'written_rule', { id, version }, columnsOf(values), now)
}

/** False where the rule is not at `version` any more. */
export async function deleteWrittenRule(scope: Scope, db: Db, id: string, version: number): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('written_rule')
    .where('id', '=', id)
    .where('park_id', '=', scope.parkId)
    .where('version', '=', version)
    .executeTakeFirst()
  return numDeletedRows > 0n
}

/** One change after the other: the lock is let go with the transaction. */
export async function lockPark(scope: Scope, db: Db): Promise<void> {
  await sql`SELECT pg_advisory_xact_lock(hashtextextended(${`written rules ${scope.parkId}`}, 0))`.execute(db)
}

export async function deleteWrittenRulesOfPark(scope: Scope, db: Db): Promise<void> {
  await db.deleteFrom('written_rule').where('park_id', '=', scope.parkId).execute()
  await db.deleteFrom('pending_change').where('park_id', '=', scope.parkId).execute()
}
