/** The progress of one person to the terminals, door by door, read again while terminals are at work. */
import { PAGE_SIZE_MAX } from '@gatehouse/contract'
import { synchronisationCalls, type SyncPair } from '@gatehouse/contract/synchronisation/calls'
import { personSyncStatus } from '@gatehouse/contract/enums/access'
import { useRead } from '../../api/query.ts'
import { useMayCall } from '../../api/session.ts'
import { useSyncWatch } from './useSyncWatch.ts'

export interface PersonSync {
  /** False until the pairs have been read, and for users who may not see them. */
  isLoaded: boolean
  /** The pair by the id of its device; undefined where the person is not on the way to it yet. */
  pairOf: (deviceId: string) => SyncPair | undefined
  /** Number of these devices that hold the person. */
  holding: number
  /** Whether one of these devices has no photo of the person. */
  lacksPhoto: boolean
}

/** @param deviceIds devices of the doors that open for the person */
export function usePersonSync(personId: string, deviceIds: readonly string[]): PersonSync {
  const allowed = useMayCall(synchronisationCalls.devicesOfPerson)
  const pairs = useRead(
    synchronisationCalls.devicesOfPerson,
    { query: { personId, size: PAGE_SIZE_MAX } },
    { enabled: allowed && deviceIds.length > 0 },
  )
  const { content = [], total = 0 } = pairs.data ?? {}
  const isLoaded = pairs.data !== undefined
  const staying = new Map(content.filter(({ leaving }) => !leaving).map((pair) => [pair.deviceId, pair]))
  const isOnItsWay = (deviceId: string): boolean => (staying.get(deviceId)?.status ?? personSyncStatus.syncing) === personSyncStatus.syncing
  // Devices that hold the person come last: the pages after the first have no others.
  const isWhole = content.length === total
  useSyncWatch(isLoaded && isWhole && deviceIds.some(isOnItsWay))
  const missing = deviceIds.filter((id) => (staying.has(id) || isWhole) && staying.get(id)?.status !== personSyncStatus.success)
  return {
    isLoaded,
    pairOf: (deviceId) => staying.get(deviceId),
    holding: deviceIds.length - missing.length,
    lacksPhoto: deviceIds.some((id) => staying.get(id)?.status === personSyncStatus.photoMissing),
  }
}
