/** The persons that an operation is about, and what every change of persons writes besides its rows. */
import type { Platform } from '../../platform/context.ts'
import type { Transaction } from '../../platform/database/database.ts'
import { NotFound, refuse } from '../../platform/http/refusal.ts'
import type { Scope } from '../../platform/session/session.ts'
import * as data from './data.ts'
import { personsChanged } from './events.ts'
import { findPersonFacts } from './facts-data.ts'

type LockedPerson = Awaited<ReturnType<typeof data.lockPersons>>[number]

export interface PersonRows {
  /** Outside of any transaction. */
  reading: data.Reading
  within(tx: Transaction): data.Reading
  /** Return the persons of these ids, in no order. @throws NotFound where any is missing, as if none were there */
  existing(scope: Scope, ids: readonly string[]): Promise<data.PersonRow[]>
  /**
   * Lock these persons until the transaction ends: of two concurrent calls the second finds what the first has done.
   * @throws NotFound where any is missing; Refusal 200224 where any is disabled
   */
  lockEnabled(tx: Transaction, scope: Scope, ids: readonly string[]): Promise<LockedPerson[]>
  /** Note in the history what decides about the access of these persons, as this transaction leaves them. */
  noteHistory(tx: Transaction, scope: Scope, ids: readonly string[]): Promise<void>
  /** Announce that these persons changed. */
  announceChange(tx: Transaction, scope: Scope, personIds: string[]): Promise<void>
}

export function createPersonRows({ db, crypto, history, events }: Platform): PersonRows {
  const reading: data.Reading = { db, crypto }
  const within = (tx: Transaction): data.Reading => ({ db: tx, crypto })
  return {
    reading,
    within,
    async existing(scope, ids) {
      const rows = await data.findPersons(scope, reading, ids)
      if (rows.length < new Set(ids).size) throw new NotFound()
      return rows
    },
    async lockEnabled(tx, scope, ids) {
      const rows = await data.lockPersons(scope, tx, ids)
      if (rows.length < new Set(ids).size) throw new NotFound()
      if (rows.some(({ enabled }) => !enabled)) refuse(200224)
      return rows
    },
    noteHistory: (tx, scope, ids) =>
      history.noteAll(tx, scope, 'person', ids, async () => {
        const rows = await findPersonFacts(scope, within(tx), ids)
        return new Map(rows.map(({ id, enabled, groupId, validFrom, validTo }) => [id, { enabled, groupId, validFrom, validTo }]))
      }),
    announceChange: (tx, scope, personIds) => events.announce(tx, personsChanged, scope.parkId, { personIds }),
  }
}
