/**
 * The operation log and the log of reads of personal data. Every call that writes leaves an entry, in the transaction of its change where
 * it has one, so that neither exists without the other. A context adds what it changed with `note`; what it does not note is only missing
 * from the entry's details.
 */
import { loggedActor } from './actors.ts'
import { createEntries } from './entries.ts'
import { createForgetting } from './forgetting.ts'
import { createReadBuffer } from './reads.ts'
import type { Crypto } from '../encryption/crypto.ts'
import { timestamp, type Database } from '../database/database.ts'
import type { Clock } from '../time/clock.ts'
import { newId } from '../database/ids.ts'
import type { Audit } from './audit-types.ts'

export { sourceOf, type LoggedActor } from './actors.ts'

export function createAudit(db: Database, clock: Clock, crypto: Pick<Crypto, 'seal'>, onFault: (error: unknown) => void): Audit {
  const reads = createReadBuffer(db, onFault)
  return {
    ...createEntries({ db, clock, crypto }),
    read(call, caller, ip, subjects, searched = false, reason = undefined) {
      const others = subjects.filter((id) => id !== caller.userId)
      // Only the caller's own data, or none, was shown. A file does not say which persons it shows.
      if (others.length === 0 && call.produces !== 'file' && !searched) return
      const { parkId, userId, account, operator, source } = loggedActor(caller)
      reads.add({
        id: newId(),
        parkId,
        userId,
        account,
        operator,
        source,
        method: call.method,
        url: call.url,
        ip,
        subjects: others,
        persons: null,
        reason: reason ?? null,
        occurredAt: timestamp(clock.now()),
      })
    },
    async handedOut(tx, call, { parkId, userId, account, operator, source }, { subject, persons }) {
      await tx
        .insertInto('readLog')
        .values({
          id: newId(),
          parkId,
          userId,
          account,
          operator,
          source,
          method: call.method,
          url: call.url,
          ip: '',
          subjects: [subject],
          persons,
          reason: null,
          occurredAt: timestamp(clock.now()),
        })
        .execute()
    },
    ...createForgetting(),
    settled: () => reads.settled(),
    stop: () => reads.stop(),
  }
}
