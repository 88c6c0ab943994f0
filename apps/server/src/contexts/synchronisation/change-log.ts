/**
 * Numbers changes within their audiences. One node writes, the one that numbers events; the rows of the audiences are
 * locked meanwhile, so a number is visible only when all before it are.
 */
import type { Platform } from '../../platform/context.ts'
import type { Tx } from '../../platform/database/database.ts'
import type { Scope } from '../../platform/session/session.ts'
import * as data from './data.ts'
import type { ParkRegister, Touched } from './register.ts'
import type { SynchronisationTables } from './schema.ts'

/** More changes at once are not told one by one: devices compare digests. */
export const COMPARE_ABOVE = 5_000

/**
 * Writes what touched audiences and publishes the new numbers in the register.
 * @param reconcile audiences that nobody has watched since the server stopped: where their digest is another than was
 *   stored, something happened meanwhile, and devices compare
 */
export async function logChanges(
  platform: Platform,
  scope: Scope,
  register: ParkRegister,
  touched: Touched,
  reconcile: readonly string[],
): Promise<void> {
  const known = [...new Set([...touched.keys(), ...reconcile])].filter((id) => register.audience(id) !== undefined)
  if (known.length === 0) return
  const now = platform.clock.now()
  const digests = new Map(known.map((id) => [id, register.sumsOf(id)]))
  // What is written is what stood in the register at this moment, whatever comes meanwhile.
  const snapshots = new Map([...digests].map(([id, sums]) => [id, { bytes: sums.bytes(), total: sums.total() }]))
  const changed = await platform.transaction(async (tx: Tx<SynchronisationTables>) => {
    const strategyIds = (id: string) => register.audience(id)?.strategyIds ?? []
    await data.insertAudiences(
      scope,
      tx,
      known.map((id) => ({ id, strategyIds: strategyIds(id), digest: snapshots.get(id)!.bytes })),
      now,
    )
    const rows = await data.lockAudiences(scope, tx, known)
    const changes: data.Change[] = []
    const next = rows.map((row) => {
      const { bytes } = snapshots.get(row.id)!
      const persons = touched.get(row.id) ?? new Set<string>()
      const unwatched = reconcile.includes(row.id) && !row.digest.equals(bytes)
      if (unwatched || persons.size > COMPARE_ABOVE)
        return { ...row, head: row.head + 1, compareSeq: row.head + 1, digest: bytes, changed: true }
      let head = row.head
      for (const personId of persons) changes.push({ audienceId: row.id, personId, seq: ++head })
      return { ...row, head, digest: bytes, changed: persons.size > 0 }
    })
    const moved = next.filter((row) => row.changed)
    await data.deleteChanges(
      scope,
      tx,
      moved.filter((row) => row.compareSeq === row.head).map((row) => row.id),
    )
    await data.saveChanges(scope, tx, changes, now)
    if (moved.length > 0) await data.saveAudiences(scope, tx, moved, now)
    return next
  })
  for (const row of changed) {
    const audience = register.audience(row.id)
    if (audience === undefined) continue
    audience.published = {
      head: row.head,
      compareSeq: row.compareSeq,
      digest: snapshots.get(row.id)!.total,
      updatedAt: row.changed ? now : row.updatedAt,
    }
  }
}
