/**
 * Passes for one use that admitted at this terminal. They are stored until they have ended, so that a pass is refused the second time also
 * after a restart and without the server.
 */
import type { DatabaseSync } from 'node:sqlite'

export interface UsedPasses {
  has(passId: string): boolean
  /** @param validTo end of the pass, epoch milliseconds @throws when it cannot be written */
  add(passId: string, validTo: number): void
  /** Forget passes that have ended. @throws when it cannot be written */
  prune(): void
}

/** Milliseconds after its end for which a pass is stored: a clock that was set back must not make it valid again. */
const KEPT_FOR = 7 * 86_400_000

export function createUsedPasses(database: DatabaseSync, clock: () => number): UsedPasses {
  const find = database.prepare('SELECT 1 FROM used_pass WHERE id = ?')
  const insert = database.prepare('INSERT OR IGNORE INTO used_pass (id, valid_to) VALUES (?, ?)')
  const drop = database.prepare('DELETE FROM used_pass WHERE valid_to < ?')
  return {
    has: (passId) => find.get(passId) !== undefined,
    add: (passId, validTo) => void insert.run(passId, validTo),
    prune: () => void drop.run(clock() - KEPT_FOR),
  }
}
