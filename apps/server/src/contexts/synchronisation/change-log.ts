/**
 * Numbers changes within their audiences. Only the node that numbers events writes. It locks the rows of the audiences
 * meanwhile, so a number becomes visible only after all numbers before it.
 */
import type { Platform } from '../../platform/context.ts'
import type { Scope } from '../../platform/session/session.ts'
import * as data from './data.ts'
import type { Touched } from './audience.ts'
import type { ParkRegister } from './register.ts'

/** Above this number of changes at once, changes are not logged one by one: devices compare digests. */
export const COMPARE_ABOVE = 5_000

/**
 * Log the changes of touched audiences and publish the new numbers in the register.
 * @param reconcile audiences that no node has watched since the server stopped: if their digest differs from the stored
 *   one, persons changed meanwhile, and devices compare digests
 */
export async function logChanges(
  platform: Platform,
  scope: Scope,
  register: ParkRegister,
  touched: Touched,
  reconcile: readonly string[],
): Promise<void> {
  const audienceIds = [...new Set([...touched.keys(), ...reconcile])].filter((id) => register.audience(id) !== undefined)
  if (audienceIds.length === 0) return
  const now = platform.clock.now()
  const digests = new Map(audienceIds.map((id) => [id, register.sumsOf(id)]))
  // Copied, since the register may change while the transaction runs.
  const snapshots = new Map([...digests].map(([id, sums]) => [id, { bytes: sums.bytes(), total: sums.total() }]))
  const changed = await platform.transaction(async (tx) => {
    const strategyIds = (id: string) => register.audience(id)?.strategyIds ?? []
    await data.insertAudiences(
      scope,
      tx,
      audienceIds.map((id) => ({ id, strategyIds: strategyIds(id), digest: snapshots.get(id)!.bytes })),
      now,
    )
    const rows = await data.lockAudiences(scope, tx, audienceIds)
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
