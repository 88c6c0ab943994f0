/** Somebody of the watch list on a record: what every place that shows records makes of it. */
import type { AccessRecord } from '@gatehouse/contract/records/calls'
import { topics } from '@gatehouse/contract/realtime'
import { usePersonName } from './personName.ts'
import { useMayCall } from '../api/session.ts'

/** A record on which somebody of the watch list was found. */
export type HitRecord = AccessRecord & Required<Pick<AccessRecord, 'watchList'>>
export const isHit = (record: AccessRecord): record is HitRecord => record.watchList !== undefined

/** Whether the session receives hits of the watch list. */
export const useSeesWatchList = (): boolean => useMayCall(topics.watchListHits)

/** A record as it came, with the hit that was known of it: frames of records tell of none. */
export const withEarlierHit = (record: AccessRecord, before: AccessRecord | undefined): AccessRecord =>
  before?.watchList !== undefined && record.watchList === undefined ? { ...record, watchList: before.watchList } : record

/** Whose registered face stands beside the captured one: who was found on the watch list, else who the terminal took it for. */
export function useMatch() {
  const nameOf = usePersonName()
  return ({ watchList, registeredImage, score, contactName, personId, personName }: AccessRecord) =>
    watchList
      ? { name: watchList.personName, registeredImage: watchList.registeredImage, score: watchList.score }
      : { name: contactName || nameOf(personId, personName), registeredImage, score }
}
