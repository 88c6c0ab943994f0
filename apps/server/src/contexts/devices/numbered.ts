/**
 * What devices number besides access records: taken exactly once and in order, by the area that stores it, in its own transaction. Of
 * each kind an epoch of a device has its own numbers. How far an epoch is stored is kept as long as the device may come back to it: the
 * newest one for as long as there is the device, one that another has replaced for a year, since a device may be set back to a backup.
 */
import { InvalidRequest } from '../../platform/http/refusal.ts'
import { isStorableText } from '../../platform/http/nul.ts'
import type { Platform } from '../../platform/context.ts'
import type { Transaction } from '../../platform/database/database.ts'
import type { Job } from '../../platform/jobs/jobs.ts'
import type { DevicePrincipal } from '../../platform/session/session.ts'
import { advanceNumberedUnscoped, deleteReplacedNumberedUnscoped, lockNumberedUnscoped } from './numbered-data.ts'
import { numberedRun } from './numbered-run.ts'

export type NumberedKind = 'event' | 'capture'

export interface NumberedMessage<Item> {
  epoch: string
  oldestSeq: number
  items: readonly Item[]
}

export interface Numbered {
  /**
   * Lock the epoch until the transaction ends, note how far it is stored with this message, and return what the message adds, ascending.
   * The caller stores all of that in the same transaction. Numbers that the device has no more are given up, and logged.
   * @throws InvalidRequest an epoch that is no storable text
   */
  take<Item extends { seq: number }>(
    tx: Transaction,
    device: Pick<DevicePrincipal, 'deviceId' | 'parkId'>,
    kind: NumberedKind,
    message: NumberedMessage<Item>,
  ): Promise<{ fresh: readonly Item[]; ackSeq: number }>
  job: Job
}

/** How long a replaced epoch is kept that its device does not speak of. */
const KEPT_MS = 365 * 86_400_000

export function createNumbered({ db, log, clock }: Pick<Platform, 'db' | 'log' | 'clock'>): Numbered {
  return {
    job: {
      name: 'devices.endEpochs',
      schedule: '29 4 * * *',
      run: async () => ({
        outcome: 'success',
        counts: { epochsEnded: await deleteReplacedNumberedUnscoped(db, clock.now() - KEPT_MS) },
      }),
    },
    async take(tx, { deviceId, parkId }, kind, { epoch, oldestSeq, items }) {
      if (!isStorableText(epoch)) throw new InvalidRequest([{ path: 'epoch', rule: 'text' }])
      const key = { deviceId, kind, epoch, parkId }
      const stored = await lockNumberedUnscoped(tx, key, clock.now())
      const { records: fresh, gaps, ackSeq } = numberedRun(stored, [{ oldestSeq, records: items }])
      if (ackSeq > stored) await advanceNumberedUnscoped(tx, key, ackSeq)
      for (const gap of gaps) log.warn({ ...key, ...gap }, 'what a device had numbered is gone before it arrived')
      return { fresh, ackSeq }
    },
  }
}
