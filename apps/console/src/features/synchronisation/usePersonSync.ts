/** How far one person has reached the terminals, door by door, kept true while terminals are at work. */
import { PAGE_SIZE_MAX } from '@gatehouse/contract'
import { synchronisationCalls, type SyncPair } from '@gatehouse/contract/synchronisation/calls'
import { personSyncStatus } from '@gatehouse/contract/enums/access'
import { useRead } from '../../api/query.ts'
import { useMayCall } from '../../api/session.ts'
import { useSyncWatch } from './useSyncWatch.ts'

export interface PersonSync {
  /** False while nothing has been answered, and for users who may not see it. */
  known: boolean
  /** By id of the device; undefined where the person is not on its way there yet. */
  pairOf: (deviceId: string) => SyncPair | undefined
  /** Of these devices, how many hold the person. */
  holding: number
  /** One of these devices has no photo to know the person by. */
  lacksPhoto: boolean
}

/** @param deviceIds where the person may pass */
export function usePersonSync(personId: string, deviceIds: readonly string[]): PersonSync {
  const allowed = useMayCall(synchronisationCalls.devicesOfPerson)
  const pairs = useRead(
    synchronisationCalls.devicesOfPerson,
    { query: { personId, size: PAGE_SIZE_MAX } },
    { enabled: allowed && deviceIds.length > 0 },
  )
  const { content = [], total = 0 } = pairs.data ?? {}
  const known = pairs.data !== undefined
  const staying = new Map(content.filter(({ leaving }) => !leaving).map((pair) => [pair.deviceId, pair]))
  const isOnItsWay = (deviceId: string): boolean => (staying.get(deviceId)?.status ?? personSyncStatus.syncing) === personSyncStatus.syncing
  // Those that hold the person come last: beyond the first page there are no others.
  const isWhole = content.length === total
  useSyncWatch(known && isWhole && deviceIds.some(isOnItsWay))
  const missing = deviceIds.filter((id) => (staying.has(id) || isWhole) && staying.get(id)?.status !== personSyncStatus.success)
  return {
    known,
    pairOf: (deviceId) => staying.get(deviceId),
    holding: deviceIds.length - missing.length,
    lacksPhoto: deviceIds.some((id) => staying.get(id)?.status === personSyncStatus.photoMissing),
  }
}
