/** Ends visits whose time is over (BEH-171, BEH-172, BEH-175). */
import { visitorStatus } from '@gatehouse/contract/enums/visitors'
import { statusAfter } from '@gatehouse/contract/visitors/transitions'
import type { Platform } from '../../platform/context.ts'
import { BEFORE_ALL_IDS } from '../../platform/database/ids.ts'
import type { Transaction } from '../../platform/database/database.ts'
import type { Job } from '../../platform/jobs/jobs.ts'
import type { Configuration } from './configuration.ts'
import type { VisitorsDependencies } from './dependencies.ts'
import { isWaiting, statusOf } from './policy.ts'
import type { Rights } from './rights.ts'
import { signOffMoment } from './times.ts'
import { changeVisit, findDueUnscoped, lockVisit, type DueVisit } from './visits-data.ts'

const BATCH = 100

/** The job `visitors.endVisits`, each minute: what a run does not reach, the next one does. */
export function createEndingJob(
  platform: Platform,
  { organisation }: Pick<VisitorsDependencies, 'organisation'>,
  configuration: Configuration,
  rights: Rights,
): Job {
  const { db, clock } = platform

  async function endOne(tx: Transaction, { id, parkId }: DueVisit, now: number): Promise<boolean> {
    const scope = { parkId }
    const row = await lockVisit(scope, tx, id)
    if (row === undefined) return false
    if ((isWaiting(statusOf(row)) ? row.visitEndAt : row.expiresAt) >= now) return false
    const { expiredAutoSignOffTime } = configuration.of(scope)
    const isPresent = row.status === visitorStatus.checkedIn
    const isDue = !isPresent || signOffMoment(row.expiresAt, expiredAutoSignOffTime, organisation.park(scope).zone) <= now
    const status = isDue ? statusAfter(statusOf(row), 'ended', configuration.conditions(scope)) : null
    // Until the sign-off the visitor passes no door any more.
    if (status === null && row.personId === null) return false
    await changeVisit(
      scope,
      tx,
      id,
      {
        ...(await rights.withdraw(tx, scope, row)),
        ...(status !== null && { status, endedAt: now, ...(status === visitorStatus.signedOff && { signedOffAt: now }) }),
      },
      now,
    )
    return status !== null
  }

  return {
    name: 'visitors.endVisits',
    schedule: '* * * * *',
    async run() {
      const now = clock.now()
      let ended = 0
      for (let after = BEFORE_ALL_IDS; ;) {
        const due = await findDueUnscoped(db, now, after, BATCH)
        for (const visit of due) if (await platform.transaction((tx) => endOne(tx, visit, now))) ended++
        if (due.length < BATCH) break
        after = due.at(-1)!.id
      }
      const peers = await rights.grantMissingPeers()
      return { outcome: ended + peers > 0 ? 'success' : 'skipped', counts: { visitsEnded: ended } }
    },
  }
}
