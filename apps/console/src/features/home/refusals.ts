/** The refused passage that home explains, and where it leads. */
import type { AccessRecord } from '@gatehouse/contract/records/calls'
import { isPseudonym } from '@gatehouse/contract/records/pseudonym'
import { accessResult } from '@gatehouse/contract/enums/access'
import { isStranger } from '../../shared/stranger.ts'
import { isHit } from '../../shared/watchList.ts'

/**
 * What follows from a record: `pass`, what has to change for the person to pass; `register`, nobody knows them; undefined: nothing is
 * offered, as for those admitted, those of the watch list and those who were erased.
 */
export function stepAfter(record: AccessRecord): 'pass' | 'register' | undefined {
  if (record.result !== accessResult.rejected || isHit(record) || isPseudonym(record.personId)) return undefined
  return isStranger(record) ? 'register' : 'pass'
}

/** The newest refused record since a moment of which something follows. @param since epoch milliseconds */
export const newestRefused = (records: readonly AccessRecord[], since: number): AccessRecord | undefined =>
  records
    .filter((record) => record.time >= since && stepAfter(record) !== undefined)
    .reduce<AccessRecord | undefined>((newest, record) => (newest && newest.time >= record.time ? newest : record), undefined)

/** Records kept live, and those read before that are not among them: what was read before may not know yet whom the watch list found. */
export function withOlder(live: readonly AccessRecord[], older: readonly AccessRecord[]): AccessRecord[] {
  const known = new Map([...older, ...live.toReversed()].map((record) => [record.id, record]))
  return [...known.values()]
}
