/** Alarms and e-mails about alarms that name persons, so that an erasure finds them. */
import type { PersonHolder } from '../../platform/context.ts'
import type { Transaction } from '../../platform/database/database.ts'
import type { Scope } from '../../platform/session/session.ts'

/** One kind of what this area stores about persons. */
export interface AlarmsAboutPersons {
  count(scope: Scope, personIds: readonly string[]): Promise<number>
  /** Delete them; return how many. */
  forget(tx: Transaction, scope: Scope, personIds: readonly string[]): Promise<number>
}

const sum = (counts: readonly number[]): number => counts.reduce((total, count) => total + count, 0)

export const createAlarmsHolder = (kinds: readonly AlarmsAboutPersons[]): PersonHolder => ({
  place: 'alarms',
  async count(scope, persons) {
    const ids = persons.map(({ id }) => id)
    return sum(await Promise.all(kinds.map((kind) => kind.count(scope, ids))))
  },
  async forget(tx, scope, persons) {
    const ids = persons.map(({ id }) => id)
    let count = 0
    for (const kind of kinds) count += await kind.forget(tx, scope, ids)
    return { count, fileIds: [] }
  },
})
