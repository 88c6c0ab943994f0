/** Pairs of persons and devices inside a drawer. */
import { use } from 'react'
import { PAGE_SIZE_DEFAULT } from '@gatehouse/contract'
import type { SyncPair } from '@gatehouse/contract/synchronisation/calls'
import { useRead } from '../../api/query.ts'
import type { List } from '../../kit/list/useList.ts'
import { useListOf, useLocalQuery } from '../../kit/list/useLocalList.ts'
import { SyncContext } from './syncCalls.ts'

/** Persons of a device, or devices of a person: all, or those of a strategy. */
export type PairsOf =
  | { deviceId: string; strategyId?: string; personId?: undefined }
  | { personId: string; strategyId?: string; deviceId?: undefined }
export interface PairQuery {
  status?: number | undefined
  name?: string | undefined
  page?: number | undefined
}

/** @param status filter it opens with */
export function usePairs(of: PairsOf, status?: number): List<SyncPair, PairQuery> {
  const state = useLocalQuery<PairQuery>({ status }, PAGE_SIZE_DEFAULT)
  const ofDevice = of.deviceId !== undefined
  const calls = use(SyncContext)
  const persons = useRead(
    calls.personsOfDevice,
    { query: { ...state.query, deviceId: of.deviceId ?? '', strategyId: of.strategyId } },
    { enabled: ofDevice },
  )
  const devices = useRead(
    calls.devicesOfPerson,
    { query: { ...state.query, personId: of.personId ?? '', strategyId: ofDevice ? undefined : of.strategyId } },
    { enabled: !ofDevice },
  )
  return useListOf<SyncPair, PairQuery>(
    'syncPairs',
    state,
    ofDevice ? persons : devices,
    [],
    ofDevice ? calls.personsOfDevice : calls.devicesOfPerson,
  )
}
