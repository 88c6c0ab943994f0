/** Rows of print jobs. Functions for one park take the scope first; those of the worker, which serves all parks, are unscoped. */
import type { Language } from '@gatehouse/contract'
import type { PrintJobState, PrintMedia, PrintReason } from '@gatehouse/contract/printers/calls'
import { oneOf, timestamp, type Database } from '../../platform/database/database.ts'
import { readPage, type Paging } from '../../platform/database/page.ts'
import type { Scope } from '../../platform/session/session.ts'

const columns = [
  'printJob.id',
  'printJob.parkId',
  'printJob.printerId',
  'printJob.visitId',
  'printJob.media',
  'printJob.language',
  'printJob.masked',
  'printJob.state',
  'printJob.reason',
  'printJob.attempts',
  'printJob.nextAt',
  'printJob.sentAt',
  'printJob.jobNumber',
  'printJob.requestedBy',
  'printJob.createdAt',
  'printJob.endedAt',
  'printer.name as printerName',
  'printer.kind',
  'printer.address',
] as const

const selectJobs = (db: Database) => db.selectFrom('printJob').innerJoin('printer', 'printer.id', 'printJob.printerId').select(columns)
export type JobRow = Awaited<ReturnType<ReturnType<typeof selectJobs>['execute']>>[number]

export interface NewJob {
  id: string
  printerId: string
  visitId: string | null
  clientKey: string | null
  media: PrintMedia
  language: Language
  masked: boolean
  state: PrintJobState
  userId: string
  requestedBy: string
}

/** Insert a job. Return false where the user's job with this key is there already. */
export async function insertJob(scope: Scope, db: Database, job: NewJob, now: number): Promise<boolean> {
  const inserted = await db
    .insertInto('printJob')
    .values({
      ...job,
      parkId: scope.parkId,
      reason: null,
      attempts: 0,
      nextAt: job.state === 'waiting' ? timestamp(now) : null,
      claimedUntil: null,
      sentAt: null,
      jobNumber: null,
      createdAt: timestamp(now),
      endedAt: job.state === 'waiting' ? null : timestamp(now),
    })
    .onConflict((conflict) => conflict.columns(['parkId', 'userId', 'clientKey']).where('clientKey', 'is not', null).doNothing())
    .returning('id')
    .executeTakeFirst()
  return inserted !== undefined
}

export const findJobOfKey = (scope: Scope, db: Database, userId: string, clientKey: string): Promise<JobRow | undefined> =>
  selectJobs(db)
    .where('printJob.parkId', '=', scope.parkId)
    .where('printJob.userId', '=', userId)
    .where('printJob.clientKey', '=', clientKey)
    .executeTakeFirst()

export const findJob = (scope: Scope, db: Database, id: string): Promise<JobRow | undefined> =>
  selectJobs(db)
    .where('printJob.parkId', '=', scope.parkId)
    .where('printJob.id', '=', oneOf([id]))
    .executeTakeFirst()

export interface JobFilter {
  printerId?: string | undefined
  state?: readonly PrintJobState[] | undefined
}

export function listJobs(scope: Scope, db: Database, { printerId, state, ...page }: JobFilter & Paging) {
  let rows = selectJobs(db).where('printJob.parkId', '=', scope.parkId)
  if (printerId !== undefined) rows = rows.where('printJob.printerId', '=', printerId)
  if (state !== undefined) rows = rows.where('printJob.state', 'in', state)
  return readPage(rows.orderBy('printJob.createdAt', 'desc').orderBy('printJob.id', 'desc'), page)
}

export interface JobChange {
  state: PrintJobState
  reason?: PrintReason | null
  attempts?: number
  /** Null: nothing follows. */
  nextAt: number | null
  sentAt?: number | null
  jobNumber?: number | null
  endedAt?: number | null
}

const momentOf = (moment: number | null) => (moment === null ? null : timestamp(moment))
const valuesOf = ({ nextAt, sentAt, endedAt, ...values }: JobChange) => ({
  ...values,
  nextAt: momentOf(nextAt),
  claimedUntil: null,
  ...(sentAt !== undefined && { sentAt: momentOf(sentAt) }),
  ...(endedAt !== undefined && { endedAt: momentOf(endedAt) }),
})

/** Change a job that is in one of these states. Return whether it was. */
export async function changeJob(
  scope: Scope,
  db: Database,
  id: string,
  from: readonly PrintJobState[],
  change: JobChange,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('printJob')
    .set(valuesOf(change))
    .where('parkId', '=', scope.parkId)
    .where('id', '=', id)
    .where('state', 'in', from)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Claim due jobs for this node; another node that claims at the same moment gets other ones. */
export async function claimUnscoped(db: Database, now: number, forMs: number, limit: number): Promise<JobRow[]> {
  const claimed = await db
    .updateTable('printJob')
    .set({ claimedUntil: timestamp(now + forMs) })
    .where('id', 'in', (eb) =>
      eb
        .selectFrom('printJob')
        .select('id')
        .where('nextAt', '<=', timestamp(now))
        .where((or) => or.or([or('claimedUntil', 'is', null), or('claimedUntil', '<', timestamp(now))]))
        .orderBy('nextAt')
        .limit(limit)
        .forUpdate()
        .skipLocked(),
    )
    .returning('id')
    .execute()
  if (claimed.length === 0) return []
  return selectJobs(db)
    .where('printJob.id', '=', oneOf(claimed.map(({ id }) => id)))
    .execute()
}

/** Give a claim back, so that any node can go on with the job. */
export async function unclaimUnscoped(db: Database, id: string): Promise<void> {
  await db.updateTable('printJob').set({ claimedUntil: null }).where('id', '=', id).execute()
}

/** Delete jobs from before a moment, whatever became of them. Return how many. */
export async function deleteBeforeUnscoped(db: Database, before: number): Promise<number> {
  const { numDeletedRows } = await db.deleteFrom('printJob').where('createdAt', '<', timestamp(before)).executeTakeFirst()
  return Number(numDeletedRows)
}
