/** The refused passage that home explains, and its next step. */
import type { AccessRecord } from '@gatehouse/contract/records/calls'
import { isPseudonym } from '@gatehouse/contract/records/pseudonym'
import { accessResult } from '@gatehouse/contract/enums/access'
import { isStranger } from '../../shared/stranger.ts'
import { isHit } from '../../shared/watchList.ts'

/**
 * Return the next step after a record: `pass`, change what keeps the person out; `register`, add a stranger; undefined for admitted
 * persons, hits of the watch list and erased persons.
 */
export function stepAfter(record: AccessRecord): 'pass' | 'register' | undefined {
  if (record.result !== accessResult.rejected || isHit(record) || isPseudonym(record.personId)) return undefined
  return isStranger(record) ? 'register' : 'pass'
}

/** Return the newest refused record since a moment that has a next step. @param since epoch milliseconds */
export const newestRefused = (records: readonly AccessRecord[], since: number): AccessRecord | undefined =>
  records
    .filter((record) => record.time >= since && stepAfter(record) !== undefined)
    .reduce<AccessRecord | undefined>((newest, record) => (newest && newest.time >= record.time ? newest : record), undefined)

/** Merge live records with older ones. A live record replaces its older copy, which may lack the hit of the watch list. */
export function withOlder(live: readonly AccessRecord[], older: readonly AccessRecord[]): AccessRecord[] {
  const recordById = new Map([...older, ...live.toReversed()].map((record) => [record.id, record]))
  return [...recordById.values()]
}
