/** An import as its changes find it: existing, locked, one change at a time. */
import type { Platform } from '../../platform/context.ts'
import { createTurns } from '../../platform/async/turns.ts'
import type { Transaction } from '../../platform/database/database.ts'
import { InvalidRequest, NotFound } from '../../platform/http/refusal.ts'
import type { Scope } from '../../platform/session/session.ts'
import * as data from './data.ts'

/** @throws InvalidRequest always */
export const invalid = (rule: string, params?: Record<string, string | number>, path = 'file'): never => {
  throw new InvalidRequest([{ path, rule, ...(params && { params }) }])
}

export interface ImportAccess {
  /** @throws NotFound */
  find(scope: Scope, id: string): Promise<data.ImportRecord>
  /**
   * Lock an import that takes changes, until the transaction ends.
   * @throws NotFound; InvalidRequest while it runs
   */
  lock(tx: Transaction, scope: Scope, id: string): Promise<data.ImportRecord>
  /** Change one import one at a time: two uploads that are checked together would each miss what the other brought. */
  inTurn<T>(id: string, work: () => Promise<T>): Promise<T>
}

export function createImportAccess({ db }: Platform): ImportAccess {
  const turns = createTurns()
  return {
    async find(scope, id) {
      const one = await data.findImport(scope, db, id)
      if (one === null) throw new NotFound()
      return one
    },
    async lock(tx, scope, id) {
      const one = await data.lockImport(scope, tx, id)
      if (one === null) throw new NotFound()
      if (one.state === 'running') invalid('importRunning', undefined, '')
      return one
    },
    // As long as those before it last: nobody is turned away.
    inTurn: turns.during,
  }
}
