/** Records of persons on the watch list, for every place that shows records. */
import type { AccessRecord } from '@gatehouse/contract/records/calls'
import { topics } from '@gatehouse/contract/realtime'
import { usePersonName } from './personName.ts'
import { useMayCall } from '../api/session.ts'

/** A record on which a person of the watch list was found. */
export type HitRecord = AccessRecord & Required<Pick<AccessRecord, 'watchList'>>
export const isHit = (record: AccessRecord): record is HitRecord => record.watchList !== undefined

/** Return whether the session receives hits of the watch list. */
export const useSeesWatchList = (): boolean => useMayCall(topics.watchListHits)

/** Return a record with the hit that an earlier version of it had: frames of records carry no hits. */
export const withEarlierHit = (record: AccessRecord, before: AccessRecord | undefined): AccessRecord =>
  before?.watchList !== undefined && record.watchList === undefined ? { ...record, watchList: before.watchList } : record

/**
 * Return a function that gives the face to show beside the captured one: that of the person found on the watch list, else of the one the
 * terminal recognised.
 */
export function useMatch() {
  const nameOf = usePersonName()
  return ({ watchList, registeredImage, score, contactName, personId, personName }: AccessRecord) =>
    watchList
      ? { name: watchList.personName, registeredImage: watchList.registeredImage, score: watchList.score }
      : { name: contactName || nameOf(personId, personName), registeredImage, score }
}
