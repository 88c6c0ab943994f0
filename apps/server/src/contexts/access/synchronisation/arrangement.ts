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
  const { everybody, status, others, othersInside } = without(arrangement, except)
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

/** The same list without some of its persons. */
function without(arrangement: Arrangement, except: ReadonlySet<string>): Arrangement {
  if (except.size === 0) return arrangement
  const everybody = arrangement.everybody.filter((id) => !except.has(id))
  const others = new Map([...arrangement.others].filter(([id]) => !except.has(id)))
  return { ...arrangement, everybody, others, othersInside: everybody.filter((id) => others.has(id)).length }
}

function* allBut(everybody: readonly string[], others: ReadonlyMap<string, number>): Generator<string> {
  for (const id of everybody) if (!others.has(id)) yield id
}
