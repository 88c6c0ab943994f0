/** Waiting of messages for the partitions of their months, without delaying other devices. */
import type { RecordsMessage } from '@gatehouse/contract/device/protocol-records'
import { PARTITIONS_END, type Partitions } from './partitions.ts'

/**
 * Return a promise that resolves when the months of a message exist, after those of the device's earlier messages; null where the
 * message need not wait.
 */
export type WaitForMonths = (deviceId: string, message: RecordsMessage) => Promise<void> | null

export function createWaitForMonths(partitions: Pick<Partitions, 'isReady' | 'ensure'>): WaitForMonths {
  /** What the last message of each device waits for, by device id. */
  const pending = new Map<string, Promise<void>>()

  return (deviceId, { records }) => {
    const moments = records.flatMap(({ occurredAt }) => (occurredAt < PARTITIONS_END ? [occurredAt] : []))
    const before = pending.get(deviceId)
    if (before === undefined && partitions.isReady(moments)) return null
    const after = (before ?? Promise.resolve()).catch(() => {}).then(() => partitions.ensure(moments))
    const done = () => {
      if (pending.get(deviceId) === after) pending.delete(deviceId)
    }
    pending.set(deviceId, after)
    after.then(done, done)
    return after
  }
}
