/** Pages of a long list of persons ordered by status, most urgent first, without reading the facts of each row. */
import { STATUS_ORDER } from './pair-status.ts'

export interface Arrangement {
  /** Persons of the list in order; each has `status` unless `others` says otherwise. */
  everybody: readonly string[]
  /** Status shared by `everybody`. */
  status: number
  /** Persons with a status of their own; they need not be among `everybody`. */
  others: ReadonlyMap<string, number>
  /** Number of `others` that are among `everybody`. */
  othersInside: number
}

/**
 * Return one page and the exact total.
 * @param only persons to show, such as the matches of a search by name; null: all
 * @param except persons never shown, whatever is searched for
 */
export function pageOfArrangement(
  arrangement: Arrangement,
  {
    page,
    size,
    status: requestedStatus,
    only,
    except,
  }: { page: number; size: number; status?: number | undefined; only: ReadonlySet<string> | null; except: ReadonlySet<string> },
): { ids: string[]; total: number } {
  const { everybody, status, others, othersInside } = except.size === 0 ? arrangement : narrowed(arrangement, (id) => !except.has(id))
  const begin = (page - 1) * size
  const ids: string[] = []
  let total = 0
  /** Append the ids that fall on the page, without reading past its end. */
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
    if (requestedStatus !== undefined && next !== requestedStatus) continue
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

/** Return how many persons of the list have each status. */
export function countsOf({ everybody, status, others, othersInside }: Arrangement): Map<number, number> {
  const counts = new Map([[status, everybody.length - othersInside]])
  for (const own of others.values()) counts.set(own, (counts.get(own) ?? 0) + 1)
  return counts
}

/** Return the list reduced to the persons to keep. */
export function narrowed(arrangement: Arrangement, keeps: (personId: string) => boolean): Arrangement {
  const everybody = arrangement.everybody.filter(keeps)
  const others = new Map([...arrangement.others].filter(([id]) => keeps(id)))
  return { ...arrangement, everybody, others, othersInside: everybody.filter((id) => others.has(id)).length }
}

function* allBut(everybody: readonly string[], others: ReadonlyMap<string, number>): Generator<string> {
  for (const id of everybody) if (!others.has(id)) yield id
}
