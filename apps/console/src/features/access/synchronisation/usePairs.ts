/** A list inside a drawer: like `useList`, but its state ends with the drawer instead of standing in the address. */
import { useState } from 'react'
import { PAGE_SIZE_DEFAULT, PAGE_SIZE_OPTIONS, PAGE_START } from '@gatehouse/contract'
import { synchronisationCalls, type SyncPair } from '@gatehouse/contract/access/synchronisation'
import { useListSettings } from '../../../kit/listSettings.ts'
import { useRead } from '../../../kit/query.ts'
import type { List } from '../../../kit/useList.ts'

/** Persons of a device, or devices of a person: all, or those of a strategy. */
export type PairsOf = { deviceId: string; personId?: undefined } | { personId: string; strategyId?: string; deviceId?: undefined }
export interface PairQuery {
  page: number
  size: number
  status?: number | undefined
  name?: string | undefined
}

/** @param status filter it opens with */
export function usePairs(of: PairsOf, status?: number): List<SyncPair, PairQuery> {
  const settings = useListSettings('syncPairs')
  const [query, setState] = useState<PairQuery>({ page: PAGE_START, size: PAGE_SIZE_DEFAULT, status })
  const ofDevice = of.deviceId !== undefined
  const persons = useRead(synchronisationCalls.personsOfDevice, { query: { ...query, deviceId: of.deviceId ?? '' } }, { enabled: ofDevice })
  const devices = useRead(
    synchronisationCalls.devicesOfPerson,
    { query: { ...query, personId: of.personId ?? '', strategyId: ofDevice ? undefined : of.strategyId } },
    { enabled: !ofDevice },
  )
  const { data, error, isPending, isFetching, refetch } = ofDevice ? persons : devices
  const { content = [], total = 0 } = data ?? {}
  const setQuery = (change: Partial<PairQuery>): void => setState((before) => ({ ...before, page: PAGE_START, ...change }))
  return {
    query,
    setQuery,
    filtered: query.status !== undefined || query.name !== undefined,
    clear: () => setQuery({ status: undefined, name: undefined }),
    rows: content,
    total,
    totalExact: true,
    pending: isPending,
    refreshing: isFetching && !isPending,
    error,
    retry: () => void refetch(),
    selected: [],
    setSelected: () => {},
    settings,
    tableProps: {
      dataSource: content,
      rowKey: 'id',
      size: 'small',
      pagination: { current: query.page, pageSize: query.size, total, showSizeChanger: false, hideOnSinglePage: total <= PAGE_SIZE_OPTIONS[0] },
      onChange: ({ current = PAGE_START, pageSize = query.size }) => setQuery({ page: current, size: pageSize }),
    },
  }
}
