/**
 * Records of terminals: stored exactly once, in order, acknowledged only after commit. Messages of all devices that
 * arrive together share a transaction: a commit and its round trips cost the same for one record and for a thousand.
 */
import type { RecordsMessage } from '@gatehouse/contract/device/protocol'
import type { Platform } from '../../platform/context.ts'
import type { Database } from '../../platform/database/database.ts'
import { InvalidRequest } from '../../platform/http/refusal.ts'
import type { DevicePrincipal } from '../../platform/session/session.ts'
import { isStorableText } from '../../platform/http/nul.ts'
import { createBatchQueue } from './ingest-queue.ts'
import { arrivalsOf, type Arrival, type DeviceRun } from './ingest-rows.ts'
import { runOf } from './ingest-run.ts'
import { partsBy, storeRuns } from './ingest-store.ts'
import { PARTITIONS_END, createPartitions, isPartitionMissing } from './partitions.ts'
import { readAcksUnscoped } from './records-data.ts'
import type { RecordTables } from './schema.ts'
import { wanted } from './unrecorded.ts'

/**
 * Stores what follows on from what is stored of the epoch; repeats are ignored, and so is what comes after a gap that
 * can still be filled. Numbers below the message's `oldestSeq` that never came are given up, which is written down.
 * Any number may run at once; those of one device are taken in the order of the calls.
 * @returns the highest number stored or given up, after commit
 * @throws InvalidRequest an epoch that is no text; QueueFull, or a fault of the database: sent again, it is taken
 */
export type Ingest = (device: Pick<DevicePrincipal, 'deviceId' | 'parkId'>, message: RecordsMessage) => Promise<number>

interface Sent {
  device: Parameters<Ingest>[0]
  message: RecordsMessage
}

/** Messages of one device and epoch, in order of arrival. */
interface Group {
  deviceId: string
  parkId: string
  epoch: string
  messages: RecordsMessage[]
}

type Outcome = number | Error

/** Milliseconds, and numbers of records: what waits at most is about 200 MB. */
const LIMITS = { gatherMs: 10, batch: 2_000, waiting: 250_000 }
/** A month that was dropped or an epoch that moved meanwhile is met again by reading anew. */
const ATTEMPTS = 5

const asError = (error: unknown): Error => (error instanceof Error ? error : new Error(String(error)))

/** Whether a refusal is of what was sent, so that others may fare better without it, rather than of the moment. */
const isOfContent = (error: Error): boolean => /^(21|22|23|54|P0)/.test((error as { code?: string }).code ?? '')

export function createIngest(platform: Platform, needs: Parameters<typeof arrivalsOf>[1]): Ingest {
  const db = platform.db as unknown as Database<RecordTables>
  const partitions = createPartitions(platform)

  const groupKey = ({ deviceId, epoch }: { deviceId: string; epoch: string }) => `${deviceId}/${epoch}`

  function groupsOf(items: readonly Sent[]): Map<Group, Sent[]> {
    const parts = partsBy(items, ({ device, message }) => groupKey({ deviceId: device.deviceId, epoch: message.epoch }))
    return new Map(
      [...parts.values()].map((sent) => [
        { ...sent[0]!.device, epoch: sent[0]!.message.epoch, messages: sent.map(({ message }) => message) },
        sent,
      ]),
    )
  }

  /** What each group adds to what is stored of its epoch now. */
  async function runsOf(groups: readonly Group[]): Promise<Map<Group, DeviceRun>> {
    const acks = new Map((await readAcksUnscoped(db, groups)).map((row) => [groupKey(row), row.ackSeq]))
    return new Map(
      groups.map((group) => {
        const { deviceId, parkId, epoch, messages } = group
        const known = acks.get(groupKey(group)) ?? 0
        const sent = messages.map(({ oldestSeq, sentAt, records }) => ({
          oldestSeq,
          records: records.map((record) => ({ ...record, sentAt })),
        }))
        return [group, { deviceId, parkId, epoch, known, ...runOf(known, sent) }]
      }),
    )
  }

  /** Rows of all runs that are to be recorded; a park whose rows cannot be made fails by itself. */
  async function prepare(runs: readonly DeviceRun[]): Promise<{ arrivals: Arrival[]; failed: Map<string, Error> }> {
    const failed = new Map<string, Error>()
    const now = platform.clock.now()
    const perPark = await Promise.all(
      [...partsBy(runs, ({ parkId }) => parkId)].map(([parkId, ofPark]) =>
        arrivalsOf({ parkId }, needs, platform.crypto, ofPark, now)
          .then((ofThePark) => wanted({ parkId }, db, needs, ofThePark))
          .catch((error: unknown) => {
            failed.set(parkId, asError(error))
            return []
          }),
      ),
    )
    return { arrivals: perPark.flat(), failed }
  }

  /** One try at some groups; those whose epoch moved meanwhile have no outcome. */
  async function storeOnce(groups: readonly Group[]): Promise<Map<Group, Outcome>> {
    const outcomes = new Map<Group, Outcome>()
    const runs = await runsOf(groups)
    const growing = new Map<Group, DeviceRun>()
    for (const [group, run] of runs) {
      if (run.ackSeq === run.known) outcomes.set(group, run.known)
      else growing.set(group, run)
    }
    const { arrivals, failed } = await prepare([...growing.values()])
    const sound = new Map([...growing].filter(([{ parkId }]) => !failed.has(parkId)))
    for (const [group] of growing) if (failed.has(group.parkId)) outcomes.set(group, failed.get(group.parkId)!)
    if (sound.size === 0) return outcomes
    // There already, unless one was dropped since.
    await partitions.ensure(arrivals.flatMap(({ row, sent }) => (row === null ? [] : [sent.occurredAt])))
    const stored = await storeRuns(platform, [...sound.values()], arrivals)
    for (const [group, run] of sound) if (stored.has(run)) outcomes.set(group, run.ackSeq)
    return outcomes
  }

  /** Stores groups together; where what one of them holds is refused, each by itself. */
  async function storeGroups(groups: readonly Group[]): Promise<Map<Group, Outcome>> {
    const outcomes = new Map<Group, Outcome>()
    for (let attempt = 1; outcomes.size < groups.length; attempt++) {
      const remaining = groups.filter((group) => !outcomes.has(group))
      try {
        for (const [group, outcome] of await storeOnce(remaining)) outcomes.set(group, outcome)
        if (attempt === ATTEMPTS)
          for (const group of remaining) if (!outcomes.has(group)) outcomes.set(group, new Error('the epoch moves all the time'))
      } catch (caught) {
        const error = asError(caught)
        if (isPartitionMissing(error) && attempt < ATTEMPTS) {
          partitions.forget()
          continue
        }
        if (remaining.length === 1 || !isOfContent(error)) for (const group of remaining) outcomes.set(group, error)
        else for (const group of remaining) outcomes.set(group, (await storeGroups([group])).get(group)!)
      }
    }
    return outcomes
  }

  const queue = createBatchQueue<Sent, number>(
    async (items) => {
      const groups = groupsOf(items)
      const outcomes = await storeGroups([...groups.keys()])
      const bySent = new Map([...groups].flatMap(([group, sent]) => sent.map((item) => [item, outcomes.get(group)!] as const)))
      return items.map((item) => bySent.get(item)!)
    },
    ({ message }) => message.records.length,
    LIMITS,
  )

  /** Devices whose records wait for a month to be made, which others need not wait for. */
  const held = new Map<string, Promise<void>>()

  /** Resolves when a message's months are there, after those of the device's messages before it; null where it may go on at once. */
  function waitFor(deviceId: string, { records }: RecordsMessage): Promise<void> | null {
    const moments = records.flatMap(({ occurredAt }) => (occurredAt < PARTITIONS_END ? [occurredAt] : []))
    const before = held.get(deviceId)
    if (before === undefined && partitions.isReady(moments)) return null
    const after = (before ?? Promise.resolve()).catch(() => {}).then(() => partitions.ensure(moments))
    const done = () => {
      if (held.get(deviceId) === after) held.delete(deviceId)
    }
    held.set(deviceId, after)
    after.then(done, done)
    return after
  }

  return async ({ deviceId, parkId }, message) => {
    if (!isStorableText(message.epoch)) throw new InvalidRequest([{ path: 'epoch', rule: 'invalid' }])
    const months = waitFor(deviceId, message)
    if (months !== null) await months
    return queue.add({ device: { deviceId, parkId }, message })
  }
}
