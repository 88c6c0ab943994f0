/** One transaction of records: all rows are inserted at once; those the database refuses are found by inserting ever smaller parts. */
import type { Platform } from '../../platform/context.ts'
import { sql, type Transaction } from '../../platform/database/database.ts'
import { eventBatches } from '../../platform/events/batches.ts'
import { recordsReceived } from './events.ts'
import * as data from './ingest-data.ts'
import type { Arrival, DeviceRun } from './ingest-rows.ts'
import { insertNamesUnscoped } from './record-names-data.ts'
import { recordCompanions } from './extension-points.ts'
import { lockWatched } from './watched-lock.ts'

/** Whether the database refused the content of a row rather than the statement (SQLSTATE class 22, data exception). */
const isContentFault = (error: unknown): boolean => (error as { code?: string }).code?.startsWith('22') === true

/** Do the work; where its content is refused, return the fault and leave the transaction as it was. */
async function attempt<T>(tx: Transaction, work: () => Promise<T>): Promise<{ value: T } | { fault: Error }> {
  await sql`SAVEPOINT records`.execute(tx)
  try {
    const value = await work()
    await sql`RELEASE SAVEPOINT records`.execute(tx)
    return { value }
  } catch (error) {
    if (!isContentFault(error)) throw error
    await sql`ROLLBACK TO SAVEPOINT records`.execute(tx)
    return { fault: error as Error }
  }
}

/** Group items by `keyOf`, in order of first appearance. */
export function partsBy<T, K>(items: readonly T[], keyOf: (item: T) => K): Map<K, T[]> {
  const parts = new Map<K, T[]>()
  for (const item of items) {
    const key = keyOf(item)
    const part = parts.get(key)
    if (part === undefined) parts.set(key, [item])
    else part.push(item)
  }
  return parts
}

interface Stored {
  /** New records by park. */
  rows: Map<string, (data.NewRecord & { watched: boolean })[]>
  refused: Arrival[]
}

/** Insert all rows; where that is refused, the rows of each run separately, then one by one. */
async function insertAll(tx: Transaction, arrivals: readonly Arrival[]): Promise<Stored> {
  const stored: Stored = { rows: new Map(), refused: arrivals.filter(({ row }) => row === null) }
  const insert = (part: readonly Arrival[]) =>
    attempt(tx, () =>
      data.insertRecordsUnscoped(
        tx,
        part.map(({ row }) => row!),
      ),
    )

  async function store(part: readonly Arrival[], smaller: (part: readonly Arrival[]) => (readonly Arrival[])[]): Promise<void> {
    const outcome = await insert(part)
    if ('value' in outcome) {
      const fresh = new Map(outcome.value.map(({ id, watched }) => [id, watched]))
      for (const [parkId, rows] of partsBy(part, ({ run }) => run.parkId)) {
        const ofPark = rows.flatMap(({ row }) => {
          const watched = fresh.get(row!.id)
          return watched === undefined ? [] : [{ ...row!, watched }]
        })
        stored.rows.set(parkId, [...(stored.rows.get(parkId) ?? []), ...ofPark])
      }
      return
    }
    if (part.length === 1) {
      stored.refused.push({ ...part[0]!, reason: outcome.fault.message })
      return
    }
    for (const one of smaller(part)) await store(one, (run) => run.map((arrival) => [arrival]))
  }

  const rows = arrivals.filter(({ row }) => row !== null)
  if (rows.length > 0) await store(rows, (part) => [...partsBy(part, ({ run }) => run).values()])
  return stored
}

/**
 * Store runs and advance their epochs, in one transaction with the events.
 * @returns the runs that were stored; a run whose epoch has advanced since it was read is left out
 */
export async function storeRuns(platform: Platform, runs: readonly DeviceRun[], arrivals: readonly Arrival[]): Promise<Set<DeviceRun>> {
  const now = platform.clock.now()
  return platform.transaction(async (tx) => {
    const epochs = runs.map(({ deviceId, epoch, parkId }) => ({ deviceId, epoch, parkId }))
    const acks = new Map(
      (await data.lockEpochsUnscoped(tx, epochs, now)).map(({ deviceId, epoch, ackSeq }) => [`${deviceId}/${epoch}`, ackSeq]),
    )
    const steady = new Set(runs.filter((run) => acks.get(`${run.deviceId}/${run.epoch}`) === run.storedSeq))
    if (steady.size === 0) return steady
    await lockWatched(tx, 'shared')
    const { rows, refused } = await insertAll(
      tx,
      arrivals.filter(({ run }) => steady.has(run)),
    )
    await data.insertUnstorableUnscoped(tx, refused.map(asideOf), now)
    await data.insertGapsUnscoped(tx, [...steady].flatMap(gapsOf), now)
    const moved = [...steady].map(({ deviceId, epoch, parkId, ackSeq }) => ({ deviceId, epoch, parkId, ackSeq }))
    await data.advanceEpochsUnscoped(tx, moved, now)
    const fresh = [...rows.values()].flat()
    for (const companion of platform.extensions.all(recordCompanions)) await companion.stored?.(tx, fresh)
    await insertNamesUnscoped(tx, fresh)
    for (const [parkId, ofPark] of rows)
      await platform.events.announceAll(
        tx,
        recordsReceived,
        parkId,
        eventBatches(ofPark).map((batch) => {
          const moments = batch.map(({ occurredAt }) => Date.parse(occurredAt))
          return { recordIds: batch.map(({ id }) => id), from: Math.min(...moments), to: Math.max(...moments) }
        }),
      )
    for (const { run, sent, reason } of refused)
      platform.log.warn(
        { deviceId: run.deviceId, epoch: run.epoch, seq: sent.seq, reason },
        'a record could not be stored and is set aside',
      )
    for (const gap of [...steady].flatMap(gapsOf)) platform.log.warn(gap, 'records of a device are gone before they arrived')
    return steady
  })
}

const asideOf = ({ run: { deviceId, epoch, parkId }, sent, reason }: Arrival): data.UnstorableRecord => ({
  deviceId,
  epoch,
  parkId,
  seq: sent.seq,
  content: JSON.stringify(sent, (key, value: unknown) => (key === 'sentAt' ? undefined : value)),
  reason,
})

const gapsOf = ({ deviceId, epoch, parkId, gaps }: DeviceRun): data.RecordGap[] =>
  gaps.map(({ from, to }) => ({ deviceId, epoch, parkId, fromSeq: from, toSeq: to }))
