/** Hits of the watch list that a page shows as large as an alarm. */
import { create } from 'zustand'

interface StagedHit {
  /** Id of the record shown that way now: it has no bubble besides until the page shows another one. */
  id: string | undefined
  /** Ids of those that were: their bubbles are small, since the user is looking at another record by then. */
  seen: readonly string[]
}
/** Number of remembered ids. */
const SEEN_MAX = 50
export const useStagedHit = create<StagedHit>(() => ({ id: undefined, seen: [] }))

export const stageHit = (id: string | undefined): void =>
  useStagedHit.setState(({ seen }) => ({ id, seen: id === undefined || seen.includes(id) ? seen : [...seen, id].slice(-SEEN_MAX) }))
