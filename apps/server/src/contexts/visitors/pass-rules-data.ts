/** Rows of pass rules; every function takes the scope first. */
import { containing, oneOf, timestamp, type Database } from '../../platform/database/database.ts'
import { readPage } from '../../platform/database/page.ts'
import { updateAtVersion } from '../../platform/database/versioned-rows.ts'
import type { Scope } from '../../platform/session/session.ts'

const columns = ['id', 'name', 'hostGroupIds', 'visitorGroupIds', 'accessGroupIds', 'passMethods', 'version', 'updatedAt'] as const

export interface PassRuleValues {
  name: string
  hostGroupIds: string[]
  visitorGroupIds: string[]
  accessGroupIds: string[]
  passMethods: number[]
}

export function listPassRules(scope: Scope, db: Database, { name, page, size }: { name?: string | undefined; page: number; size: number }) {
  let rows = db.selectFrom('visitorPassRule').where('parkId', '=', scope.parkId)
  if (name !== undefined && name !== '') rows = rows.where('name', 'ilike', containing(name))
  return readPage(rows.select(columns).orderBy('name').orderBy('id'), { page, size })
}
export type PassRuleRow = Awaited<ReturnType<typeof listPassRules>>['content'][number]

export const allPassRules = (scope: Scope, db: Database): Promise<PassRuleRow[]> =>
  db.selectFrom('visitorPassRule').select(columns).where('parkId', '=', scope.parkId).orderBy('name').orderBy('id').execute()

export async function findPassRule(scope: Scope, db: Database, id: string): Promise<PassRuleRow | undefined> {
  return db
    .selectFrom('visitorPassRule')
    .select(columns)
    .where('parkId', '=', scope.parkId)
    .where('id', '=', oneOf([id]))
    .executeTakeFirst()
}

export async function insertPassRule(scope: Scope, db: Database, id: string, values: PassRuleValues, now: number): Promise<void> {
  await db
    .insertInto('visitorPassRule')
    .values({ id, parkId: scope.parkId, ...values, createdAt: timestamp(now), updatedAt: timestamp(now), version: 1 })
    .execute()
}

/** Return false where the rule is not at this version any more. */
export const updatePassRule = (
  scope: Scope,
  db: Database,
  row: { id: string; version: number },
  values: PassRuleValues,
  now: number,
): Promise<boolean> => updateAtVersion(scope, db, 'visitorPassRule', row, values, now)

/** Return whether it was there. */
export async function deletePassRule(scope: Scope, db: Database, id: string): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('visitorPassRule')
    .where('parkId', '=', scope.parkId)
    .where('id', '=', oneOf([id]))
    .executeTakeFirst()
  return numDeletedRows > 0n
}
