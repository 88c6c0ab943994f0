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
 * @param except persons that are not shown whatever is searched for
 */
export function pageOfArrangement(
  arrangement: Arrangement,
  {
    page,
    size,
    status: wanted,
    only,
    except,
  }: { page: number; size: number; status?: number | undefined; only: ReadonlySet<string> | null; except: ReadonlySet<string> },
): { ids: string[]; total: number } {
  const { everybody, status, others, othersInside } = except.size === 0 ? arrangement : narrowed(arrangement, (id) => !except.has(id))
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
    if (only === null) take(allBut(everybody, others), everybody.length - othersInside)
    else {
      const alike = everybody.filter((id) => only.has(id) && !others.has(id))
      take(alike, alike.length)
    }
  }
  return { ids, total }
}

/** How many persons of the list have each status. */
export function countsOf({ everybody, status, others, othersInside }: Arrangement): Map<number, number> {
  const counts = new Map([[status, everybody.length - othersInside]])
  for (const own of others.values()) counts.set(own, (counts.get(own) ?? 0) + 1)
  return counts
}

/** The same list with those of its persons who are to be kept. */
export function narrowed(arrangement: Arrangement, keeps: (personId: string) => boolean): Arrangement {
  const everybody = arrangement.everybody.filter(keeps)
  const others = new Map([...arrangement.others].filter(([id]) => keeps(id)))
  return { ...arrangement, everybody, others, othersInside: everybody.filter((id) => others.has(id)).length }
}

function* allBut(everybody: readonly string[], others: ReadonlyMap<string, number>): Generator<string> {
  for (const id of everybody) if (!others.has(id)) yield id
}
