/** A long list of persons in the order of what needs somebody, without looking at each row's facts. */
import { STATUS_ORDER } from './pair-status.ts'

export interface Arrangement {
  /** Everybody in the list whose status is not told otherwise, in their order. */
  everybody: readonly string[]
  /** Status of those. */
  status: number
  /** Status of single persons, who need not be among everybody. */
  others: ReadonlyMap<string, number>
  /** How many of these are. */
  othersInside: number
}

/**
 * One page and the exact number of all.
 * @param only persons that may be shown, as after a search by name; null: all
 */
export function pageOfArrangement(
  { everybody, status, others, othersInside }: Arrangement,
  { page, size, status: wanted, only }: { page: number; size: number; status?: number | undefined; only: ReadonlySet<string> | null },
): { ids: string[]; total: number } {
  const begin = (page - 1) * size
  const ids: string[] = []
  let total = 0
  /** Takes what of these stands on the page; looks no further than its end. */
  function take(alike: Iterable<string>, count: number): void {
    let skip = Math.max(0, begin - total)
    if (skip < count && ids.length < size)
      for (const id of alike) {
        if (skip-- > 0) continue
        if (ids.push(id) === size) break
      }
    total += count
  }
  for (const next of STATUS_ORDER) {
    if (wanted !== undefined && next !== wanted) continue
    const single = [...others].filter(([id, own]) => own === next && (only === null || only.has(id))).map(([id]) => id)
    take(single.toSorted(), single.length)
    if (next !== status) continue
    if (only === null) take(without(everybody, others), everybody.length - othersInside)
    else {
      const alike = everybody.filter((id) => only.has(id) && !others.has(id))
      take(alike, alike.length)
    }
  }
  return { ids, total }
}

function* without(everybody: readonly string[], others: ReadonlyMap<string, number>): Generator<string> {
  for (const id of everybody) if (!others.has(id)) yield id
}
