/** Rows of demo campuses and their things; every function takes the scope first, unless it finds out whose something is. */
import { columnList } from '../../platform/database/column-list.ts'
import { timestamp, type Database } from '../../platform/database/database.ts'
import type { MadeThing } from '../../platform/audit/audit.ts'
import type { Scope } from '../../platform/session/session.ts'
import type { DemoTables, RenamedNode } from './schema.ts'

type Db = Database<DemoTables>

export type DemoPhase = 'preparing' | 'ready' | 'removing' | 'removed'

export interface DemoRow {
  phase: DemoPhase
  done: number
  total: number
  /** Epoch milliseconds. */
  beganAt: number | null
  tokenId: string | null
  renamed: RenamedNode[]
  removed: Record<string, number>
}

const columns = columnList(['state as phase', 'done', 'total', 'began_at as beganAt', 'token_id as tokenId', 'renamed', 'removed'])

export async function findDemo(scope: Scope, db: Db): Promise<DemoRow | undefined> {
  return (await db.selectFrom('demo').select(columns).where('park_id', '=', scope.parkId).executeTakeFirst()) as DemoRow | undefined
}

/** The park of the demo; one in an installation. Unscoped: it is what is to be found out. */
export async function findParkUnscoped(db: Db): Promise<string | null> {
  return (await db.selectFrom('demo').select('park_id as parkId').orderBy('began_at').limit(1).executeTakeFirst())?.parkId ?? null
}

/** The phase of a demo, which stays what it is until the transaction ends. */
export async function holdPhase(scope: Scope, tx: Db): Promise<DemoPhase | undefined> {
  const row = await tx.selectFrom('demo').select('state').where('park_id', '=', scope.parkId).forShare().executeTakeFirst()
  return row?.state as DemoPhase | undefined
}

/** The park whose demo a session makes; undefined for any other session. Unscoped: it is what is to be found out. */
export async function findParkOfMakerUnscoped(db: Db, tokenId: string): Promise<string | undefined> {
  return (await db.selectFrom('demo').select('park_id as parkId').where('token_id', '=', tokenId).executeTakeFirst())?.parkId
}

/** Parks whose removal has begun. Unscoped: the start goes on with all of them. */
export async function listRemovingUnscoped(db: Db): Promise<string[]> {
  const rows = await db.selectFrom('demo').select('park_id as parkId').where('state', '=', 'removing').execute()
  return rows.map(({ parkId }) => parkId)
}

/** Begins a demo, unless the park has had one. */
export async function insertDemo(
  scope: Scope,
  db: Db,
  { total, beganAt, renamed }: Pick<DemoRow, 'total' | 'renamed'> & { beganAt: number },
): Promise<void> {
  const values = { park_id: scope.parkId, state: 'preparing', done: 0, total, began_at: timestamp(beganAt), token_id: null }
  await db
    .insertInto('demo')
    .values({ ...values, renamed: JSON.stringify(renamed), removed: '{}' })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/** Notes by which session the demo is made from now on. */
export async function updateMaker(scope: Scope, db: Db, tokenId: string): Promise<void> {
  await db.updateTable('demo').set({ token_id: tokenId }).where('park_id', '=', scope.parkId).execute()
}

/** Notes how many steps are done; changes nothing once the demo is complete or being removed. */
export async function advanceDemo(scope: Scope, db: Db, done: number): Promise<void> {
  await db
    .updateTable('demo')
    .set((eb) => ({ done, state: eb.case().when('total', '<=', done).then('ready').else('preparing').end() }))
    .where('park_id', '=', scope.parkId)
    .where('state', '=', 'preparing')
    .execute()
}

/** Begins the removal and answers by which session the demo was made; undefined where there is no demo. Waits for transactions of that session to end. */
export async function beginRemoval(scope: Scope, db: Db): Promise<{ tokenId: string | null } | undefined> {
  return db
    .updateTable('demo')
    .set({ state: 'removing' })
    .where('park_id', '=', scope.parkId)
    .where('state', '<>', 'removed')
    .returning('token_id as tokenId')
    .executeTakeFirst()
}

/** Adds to the counts of what was removed, over all attempts. */
export async function noteRemoved(scope: Scope, tx: Db, counts: Readonly<Record<string, number>>): Promise<void> {
  const row = await tx.selectFrom('demo').select('removed').where('park_id', '=', scope.parkId).forUpdate().executeTakeFirst()
  if (row === undefined) return
  const removed = { ...(row.removed as unknown as Record<string, number>) }
  for (const [what, count] of Object.entries(counts)) removed[what] = (removed[what] ?? 0) + count
  await tx
    .updateTable('demo')
    .set({ removed: JSON.stringify(removed) })
    .where('park_id', '=', scope.parkId)
    .execute()
}

/** Ends the removal. Things that were kept lose their marks. */
export async function endRemoval(scope: Scope, db: Db): Promise<void> {
  await db.deleteFrom('demo_thing').where('park_id', '=', scope.parkId).execute()
  await db
    .updateTable('demo')
    .set({ state: 'removed', renamed: '[]' })
    .where('park_id', '=', scope.parkId)
    .where('state', '=', 'removing')
    .execute()
}

export async function insertThings(scope: Scope, db: Db, things: readonly MadeThing[]): Promise<void> {
  if (things.length === 0) return
  await db
    .insertInto('demo_thing')
    .values(things.map(({ entity, id }) => ({ park_id: scope.parkId, entity, id })))
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/** Ids of the demo's things by what they are. */
export async function findThings(scope: Scope, db: Db): Promise<Map<string, string[]>> {
  const rows = await db
    .selectFrom('demo_thing')
    .select(['entity', 'id'])
    .where('park_id', '=', scope.parkId)
    .orderBy('entity')
    .orderBy('id')
    .execute()
  const things = new Map<string, string[]>()
  for (const { entity, id } of rows) things.set(entity, [...(things.get(entity) ?? []), id])
  return things
}

export async function deleteDemoOfPark(scope: Scope, db: Db): Promise<void> {
  await db.deleteFrom('demo').where('park_id', '=', scope.parkId).execute()
}
