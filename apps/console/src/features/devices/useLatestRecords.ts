/** The newest access records, kept live: what a frame brings stands at the top at once. */
import { keepPreviousData, useQuery, useQueryClient, type UseQueryResult } from '@tanstack/react-query'
import { recordCalls, type AccessRecord } from '@gatehouse/contract/records/calls'
import { topics } from '@gatehouse/contract/realtime'
import type { AnswerOf } from '../../api/http.ts'
import { useLive } from '../../api/live.ts'
import { changeHeld, readOptions } from '../../api/query.ts'
import { useMay } from '../../api/session.ts'
import { withKnownHit } from '../../shared/watchList.ts'

/** Known and new records, newest first; one that comes again, now with its picture, replaces itself. */
export function withNewer(known: readonly AccessRecord[], arrived: readonly AccessRecord[], size: number): AccessRecord[] {
  const before = new Map(known.map((record) => [record.id, record]))
  const fresh = arrived.map((record) => withKnownHit(record, before.get(record.id)))
  const ids = new Set(fresh.map(({ id }) => id))
  return [...fresh, ...known.filter(({ id }) => !ids.has(id))].sort((one, other) => other.time - one.time).slice(0, size)
}

/** @param deviceId only of this device; undefined for the whole park */
export function useLatestRecords({ deviceId, size }: { deviceId?: string | undefined; size: number }): UseQueryResult<AccessRecord[]> {
  const cache = useQueryClient()
  const options = readOptions(recordCalls.find, { body: { size, deviceId } })
  const held = { queryKey: options.queryKey, exact: true }
  function take({ rows }: { rows: AccessRecord[] }): void {
    const ours = rows.filter((row) => deviceId === undefined || row.deviceId === deviceId)
    if (ours.length > 0)
      changeHeld<AnswerOf<typeof recordCalls.find>>(cache, held, (page) => ({
        ...page,
        content: withNewer(page.content, ours, size),
      }))
  }
  useLive(topics.accessRecord, take, [held])
  useLive(topics.watchListHits, take, [])
  return useQuery({ ...options, enabled: useMay('access.record'), placeholderData: keepPreviousData, select: ({ content }) => content })
}
