/** Rows of demo campuses and their things. Every function takes the scope first, unless it looks up the park. */
import { columnList } from '../../platform/database/column-list.ts'
import { timestamp, type Database } from '../../platform/database/database.ts'
import type { MadeThing } from '../../platform/audit/audit-types.ts'
import type { Scope } from '../../platform/session/session.ts'
import type { RenamedNode } from './schema.ts'

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

const columns = columnList(['state as phase', 'done', 'total', 'beganAt', 'tokenId', 'renamed', 'removed'])

export async function findDemo(scope: Scope, db: Database): Promise<DemoRow | undefined> {
  return (await db.selectFrom('demo').select(columns).where('parkId', '=', scope.parkId).executeTakeFirst()) as DemoRow | undefined
}

/** Return the park of the demo; an installation has one. Unscoped: the park is what is looked up. */
export async function findParkUnscoped(db: Database): Promise<string | null> {
  return (await db.selectFrom('demo').select('parkId').orderBy('beganAt').limit(1).executeTakeFirst())?.parkId ?? null
}

/** Return the phase of a demo, and lock it until the transaction ends. */
export async function holdPhase(scope: Scope, tx: Database): Promise<DemoPhase | undefined> {
  const row = await tx.selectFrom('demo').select('state').where('parkId', '=', scope.parkId).forShare().executeTakeFirst()
  return row?.state as DemoPhase | undefined
}

/** Return the park whose demo a session makes; undefined for any other session. Unscoped: the park is what is looked up. */
export async function findParkOfMakerUnscoped(db: Database, tokenId: string): Promise<string | undefined> {
  return (await db.selectFrom('demo').select('parkId').where('tokenId', '=', tokenId).executeTakeFirst())?.parkId
}

/** Return the parks whose removal has begun. Unscoped: the start resumes all of them. */
export async function listRemovingUnscoped(db: Database): Promise<string[]> {
  const rows = await db.selectFrom('demo').select('parkId').where('state', '=', 'removing').execute()
  return rows.map(({ parkId }) => parkId)
}

/** Begin a demo, unless the park has had one. */
export async function insertDemo(
  scope: Scope,
  db: Database,
  { total, beganAt, renamed }: Pick<DemoRow, 'total' | 'renamed'> & { beganAt: number },
): Promise<void> {
  const values = { parkId: scope.parkId, state: 'preparing', done: 0, total, beganAt: timestamp(beganAt), tokenId: null }
  await db
    .insertInto('demo')
    .values({ ...values, renamed: JSON.stringify(renamed), removed: '{}' })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/** Note the session that makes the demo from now on. */
export async function updateMaker(scope: Scope, db: Database, tokenId: string): Promise<void> {
  await db.updateTable('demo').set({ tokenId }).where('parkId', '=', scope.parkId).execute()
}

/** Note how many steps are done; without effect once the demo is complete or being removed. */
export async function advanceDemo(scope: Scope, db: Database, done: number): Promise<void> {
  await db
    .updateTable('demo')
    .set((eb) => ({ done, state: eb.case().when('total', '<=', done).then('ready').else('preparing').end() }))
    .where('parkId', '=', scope.parkId)
    .where('state', '=', 'preparing')
    .execute()
}

/**
 * Begin the removal. Waits for transactions of the session that makes the demo to end.
 * @returns the id of that session; undefined where there is no demo
 */
export async function beginRemoval(scope: Scope, db: Database): Promise<{ tokenId: string | null } | undefined> {
  return db
    .updateTable('demo')
    .set({ state: 'removing' })
    .where('parkId', '=', scope.parkId)
    .where('state', '<>', 'removed')
    .returning('tokenId')
    .executeTakeFirst()
}

/** Add to the counts of removed things, over all attempts. */
export async function noteRemoved(scope: Scope, tx: Database, counts: Readonly<Record<string, number>>): Promise<void> {
  const row = await tx.selectFrom('demo').select('removed').where('parkId', '=', scope.parkId).forUpdate().executeTakeFirst()
  if (row === undefined) return
  const removed = { ...(row.removed as Record<string, number>) }
  for (const [what, count] of Object.entries(counts)) removed[what] = (removed[what] ?? 0) + count
  await tx
    .updateTable('demo')
    .set({ removed: JSON.stringify(removed) })
    .where('parkId', '=', scope.parkId)
    .execute()
}

/** End the removal. Things that were kept lose their marks. */
export async function endRemoval(scope: Scope, db: Database): Promise<void> {
  await db.deleteFrom('demoThing').where('parkId', '=', scope.parkId).execute()
  await db
    .updateTable('demo')
    .set({ state: 'removed', renamed: '[]' })
    .where('parkId', '=', scope.parkId)
    .where('state', '=', 'removing')
    .execute()
}

export async function insertThings(scope: Scope, db: Database, things: readonly MadeThing[]): Promise<void> {
  if (things.length === 0) return
  await db
    .insertInto('demoThing')
    .values(things.map(({ entity, id }) => ({ parkId: scope.parkId, entity, id })))
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/** Return the ids of the demo's things by entity. */
export async function findThings(scope: Scope, db: Database): Promise<Map<string, string[]>> {
  const rows = await db
    .selectFrom('demoThing')
    .select(['entity', 'id'])
    .where('parkId', '=', scope.parkId)
    .orderBy('entity')
    .orderBy('id')
    .execute()
  const things = new Map<string, string[]>()
  for (const { entity, id } of rows) things.set(entity, [...(things.get(entity) ?? []), id])
  return things
}

export async function deleteDemoOfPark(scope: Scope, db: Database): Promise<void> {
  await db.deleteFrom('demo').where('parkId', '=', scope.parkId).execute()
}
