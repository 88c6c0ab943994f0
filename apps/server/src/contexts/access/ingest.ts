/** Records of terminals: stored exactly once, in order, acknowledged only after commit. */
import { localTime } from '@gatehouse/access-rules'
import type { RecordObject, RecordsMessage } from '@gatehouse/contract/device/protocol'
import type { Platform } from '../../platform/context.ts'
import { sql, type Database, type Tx } from '../../platform/database.ts'
import { recordId } from '../../platform/ids.ts'
import type { DevicePrincipal, Scope } from '../../platform/session.ts'
import type { AccessDependencies } from './dependencies.ts'
import { eventBatches, recordsReceived } from './events.ts'
import { isUuid } from './issues.ts'
import { PARTITIONS_END, createPartitions } from './partitions.ts'
import * as data from './records-data.ts'
import type { AccessTables } from './schema.ts'

/**
 * Stores what follows on without a gap from what is stored of the epoch; repeats are ignored, a gap ends it.
 * @returns the highest number stored, after commit
 */
export type Ingest = (scope: Scope, device: Pick<DevicePrincipal, 'deviceId'>, message: RecordsMessage) => Promise<number>

/** A record on its way in; without a row where no column could take its moment. */
interface Arrival {
  seq: number
  sent: RecordObject
  row: data.NewRecord | null
}

/** The records after `ack` up to the first gap, in order. */
function following<R extends { seq: number }>(ack: number, records: readonly R[]): R[] {
  const run: R[] = []
  for (const record of records.toSorted((one, other) => one.seq - other.seq)) if (record.seq === ack + run.length + 1) run.push(record)
  return run
}

const BEYOND = { fault: new Error('a moment beyond the year 9999') }

/** Whether the database refused what was in a row, not the work itself (SQLSTATE class 22, data exception). */
const isContentFault = (error: unknown): boolean => (error as { code?: string }).code?.startsWith('22') === true

/** Does the work, or leaves the transaction as it was where the content is refused. */
async function attempt<T>(tx: Tx<AccessTables>, work: () => Promise<T>): Promise<{ value: T } | { fault: Error }> {
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

export function createIngest(
  platform: Platform,
  { people, devices, organisation }: Pick<AccessDependencies, 'people' | 'devices' | 'organisation'>,
): Ingest {
  const db = platform.db as unknown as Database<AccessTables>
  const partitions = createPartitions(platform)

  /** Records with what is known of person and device now, which the record keeps when both are gone. */
  async function arrivalsOf(scope: Scope, deviceId: string, epoch: string, sentAt: number, records: readonly RecordObject[]): Promise<Arrival[]> {
    const now = platform.clock.now()
    const personIds = new Set(records.flatMap((record) => (record.personId !== null && isUuid(record.personId) ? [record.personId] : [])))
    const [persons, names] = await Promise.all([people.facts(scope, [...personIds]), devices.names(scope, [deviceId])])
    const personById = new Map(persons.map((person) => [person.id, person]))
    const { zone } = organisation.park(scope)
    return records.map((sent) => {
      if (sent.occurredAt >= PARTITIONS_END) return { seq: sent.seq, sent, row: null }
      const person = sent.personId === null ? undefined : personById.get(sent.personId)
      const local = localTime(sent.occurredAt, zone)
      const row: data.NewRecord = {
        id: recordId(deviceId, epoch, sent.seq),
        occurred_at: new Date(sent.occurredAt).toISOString(),
        received_at: new Date(now).toISOString(),
        clock_offset_ms: now - sentAt,
        zone,
        local_date: local.date,
        local_hour: Math.floor(local.minute / 60),
        device_id: deviceId,
        device_name: names[0]?.name ?? '',
        person_id: sent.personId,
        person_name: person?.name ?? sent.personName,
        work_number: person?.workNumber ?? '',
        direction: sent.direction,
        verify_type: sent.verifyType,
        result: sent.result,
        fail_reason: sent.failReason,
        score: sent.score,
        checks: sent.checks,
        settings_revision: sent.revision,
      }
      return { seq: sent.seq, sent, row }
    })
  }

  /** Inserts all at once; where one row is refused, each by itself, and what no column takes is set aside. */
  async function store(scope: Scope, tx: Tx<AccessTables>, deviceId: string, epoch: string, arrivals: readonly Arrival[]): Promise<string[]> {
    const rows = arrivals.flatMap(({ row }) => (row === null ? [] : [row]))
    const together = await attempt(tx, () => data.insertRecords(scope, tx, rows))
    const stored = 'value' in together ? together.value : []
    const remaining = 'value' in together ? arrivals.filter(({ row }) => row === null) : arrivals
    for (const { seq, sent, row } of remaining) {
      const alone = row === null ? BEYOND : await attempt(tx, () => data.insertRecords(scope, tx, [row]))
      if ('value' in alone) {
        stored.push(...alone.value)
        continue
      }
      platform.log.warn({ deviceId, epoch, seq, err: alone.fault }, 'a record could not be stored and is set aside')
      const aside = { deviceId, epoch, seq, content: JSON.stringify(sent), reason: alone.fault.message }
      await data.insertUnstorable(scope, tx, aside, platform.clock.now())
    }
    return stored
  }

  return async (scope, { deviceId }, { epoch, sentAt, records: sent }) => {
    const known = await data.readAckUnscoped(db, deviceId, epoch)
    const records = following(known, sent)
    if (records.length === 0) return known
    const arrivals = await arrivalsOf(scope, deviceId, epoch, sentAt, records)
    await partitions.ensure(arrivals.flatMap((arrival) => (arrival.row === null ? [] : [arrival.sent.occurredAt])))
    return platform.transaction(async (tx: Tx<AccessTables>) => {
      const now = platform.clock.now()
      const ack = await data.lockEpoch(scope, tx, deviceId, epoch, now)
      // The same message may have come by another way while this one waited.
      const fresh = following(ack, arrivals)
      if (fresh.length === 0) return ack
      const recordIds = await store(scope, tx, deviceId, epoch, fresh)
      const ackSeq = fresh.at(-1)!.seq
      await data.advanceEpoch(scope, tx, deviceId, epoch, ackSeq, now)
      for (const batch of eventBatches(recordIds)) await platform.events.announce(tx, recordsReceived, scope.parkId, { recordIds: batch })
      return ackSeq
    })
  }
}
