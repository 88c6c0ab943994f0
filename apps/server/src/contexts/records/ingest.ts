/**
 * Ingestion of the records of terminals: stored exactly once, in order, acknowledged only after commit. Messages of all devices
 * that arrive together share a transaction: a commit and its round trips cost the same for one record and for a thousand.
 */
import type { RecordsMessage } from '@gatehouse/contract/device/protocol-records'
import type { Platform } from '../../platform/context.ts'
import { InvalidRequest } from '../../platform/http/refusal.ts'
import type { DevicePrincipal } from '../../platform/session/session.ts'
import { isStorableText } from '../../platform/http/nul.ts'
import { createWaitForMonths } from './ingest-months.ts'
import { createBatchQueue } from './ingest-queue.ts'
import { arrivalsOf, type Arrival, type DeviceRun } from './ingest-rows.ts'
import { numberedRun } from '../devices/index.ts'
import { partsBy, storeRuns } from './ingest-store.ts'
import { createPartitions, isPartitionMissing } from './partitions.ts'
import { readAcksUnscoped } from './records-data.ts'
import { arrivalsToRecord } from './unrecorded.ts'

/**
 * Store the records that follow on from what is stored of the epoch. Repeats are ignored, and so are records after a gap that can
 * still be filled. Numbers below the message's `oldestSeq` that never arrived are given up and stored as a gap. Any number of
 * calls may run at once; those of one device are processed in the order of the calls.
 * @returns the highest number stored or given up, after commit
 * @throws InvalidRequest an epoch that is no storable text; QueueFull, or a fault of the database: the message may be sent again
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

/** Milliseconds, and numbers of records: all waiting records take at most about 200 MB. */
const LIMITS = { gatherMs: 10, batch: 2_000, waiting: 250_000 }
/** Attempts, since a month may be dropped or an epoch may advance while records are stored; each attempt reads again. */
const ATTEMPTS = 5

const asError = (error: unknown): Error => (error instanceof Error ? error : new Error(String(error)))

/**
 * Whether the database refused the content that was sent, so that other groups may succeed without it, rather than failed for the
 * moment.
 */
const isOfContent = (error: Error): boolean => /^(21|22|23|54|P0)/.test((error as { code?: string }).code ?? '')

export function createIngest(platform: Platform, needs: Parameters<typeof arrivalsOf>[1]): Ingest {
  const db = platform.db
  const partitions = createPartitions(platform)
  const waitForMonths = createWaitForMonths(partitions)

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

  /** Return what each group adds to what is now stored of its epoch. */
  async function runsOf(groups: readonly Group[]): Promise<Map<Group, DeviceRun>> {
    const acks = new Map((await readAcksUnscoped(db, groups)).map((row) => [groupKey(row), row.ackSeq]))
    return new Map(
      groups.map((group) => {
        const { deviceId, parkId, epoch, messages } = group
        const storedSeq = acks.get(groupKey(group)) ?? 0
        const sent = messages.map(({ oldestSeq, sentAt, records }) => ({
          oldestSeq,
          records: records.map((record) => ({ ...record, sentAt })),
        }))
        return [group, { deviceId, parkId, epoch, storedSeq: storedSeq, ...numberedRun(storedSeq, sent) }]
      }),
    )
  }

  /** Return the rows of all runs that are to be recorded, and by park the error where its rows could not be made. */
  async function prepare(runs: readonly DeviceRun[]): Promise<{ arrivals: Arrival[]; failed: Map<string, Error> }> {
    const failed = new Map<string, Error>()
    const now = platform.clock.now()
    const perPark = await Promise.all(
      [...partsBy(runs, ({ parkId }) => parkId)].map(([parkId, ofPark]) =>
        arrivalsOf({ parkId }, needs, platform.crypto, ofPark, now)
          .then((ofThePark) => arrivalsToRecord({ parkId }, db, needs, ofThePark))
          .catch((error: unknown) => {
            failed.set(parkId, asError(error))
            return []
          }),
      ),
    )
    return { arrivals: perPark.flat(), failed }
  }

  /** Try once to store groups; a group whose epoch advanced meanwhile has no outcome. */
  async function storeOnce(groups: readonly Group[]): Promise<Map<Group, Outcome>> {
    const outcomes = new Map<Group, Outcome>()
    const runs = await runsOf(groups)
    const growing = new Map<Group, DeviceRun>()
    for (const [group, run] of runs) {
      if (run.ackSeq === run.storedSeq) outcomes.set(group, run.storedSeq)
      else growing.set(group, run)
    }
    const { arrivals, failed } = await prepare([...growing.values()])
    const sound = new Map([...growing].filter(([{ parkId }]) => !failed.has(parkId)))
    for (const [group] of growing) if (failed.has(group.parkId)) outcomes.set(group, failed.get(group.parkId)!)
    if (sound.size === 0) return outcomes
    // The months exist already, unless one was dropped since.
    await partitions.ensure(arrivals.flatMap(({ row, sent }) => (row === null ? [] : [sent.occurredAt])))
    const stored = await storeRuns(platform, [...sound.values()], arrivals)
    for (const [group, run] of sound) if (stored.has(run)) outcomes.set(group, run.ackSeq)
    return outcomes
  }

  /** Store groups together; where the content of one is refused, each by itself. */
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

  return async ({ deviceId, parkId }, message) => {
    if (!isStorableText(message.epoch)) throw new InvalidRequest([{ path: 'epoch', rule: 'invalid' }])
    const months = waitForMonths(deviceId, message)
    if (months !== null) await months
    return queue.add({ device: { deviceId, parkId }, message })
  }
}
