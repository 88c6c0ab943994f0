/** A long list of persons in the order of what needs somebody, without looking at each row's facts. */
import { STATUS_ORDER } from './pair-status.ts'

export interface Arrangement {
  /** Everybody in the list whose status is not told otherwise, in their order. */
  everybody: readonly string[]
  /** Status of those. */
  status: number
  /** Status of single persons, who need not be among everybody. */
  others: ReadonlyMap<string, number>
}

/**
 * One page and the exact number of all.
 * @param only persons that may be shown, as after a search by name; null: all
 */
export function pageOfArrangement(
  { everybody, status, others }: Arrangement,
  { page, size, status: wanted, only }: { page: number; size: number; status?: number | undefined; only: ReadonlySet<string> | null },
): { ids: string[]; total: number } {
  const begin = (page - 1) * size
  const ids: string[] = []
  let total = 0
  const take = (alike: readonly string[]): void => {
    if (ids.length < size) ids.push(...alike.slice(Math.max(0, begin - total), Math.max(0, begin - total) + size - ids.length))
    total += alike.length
  }
  for (const next of STATUS_ORDER) {
    if (wanted !== undefined && next !== wanted) continue
    take([...others].filter(([id, own]) => own === next && (only === null || only.has(id))).map(([id]) => id).toSorted())
    if (next !== status) continue
    if (others.size === 0 && only === null) take(everybody)
    else take(everybody.filter((id) => (only === null || only.has(id)) && !others.has(id)))
  }
  return { ids, total }
}
