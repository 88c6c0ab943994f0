/** Hits of the watch list that a page shows as large as an alarm is. */
import { create } from 'zustand'

interface StagedHit {
  /** Of the record that is shown so now: it has no bubble besides, until the page has turned to something else. */
  id: string | undefined
  /** Of those that were: their bubbles are small, as they stand beside what is looked at by then. */
  seen: readonly string[]
}
/** Ids remembered. */
const SEEN_MAX = 50
export const useStagedHit = create<StagedHit>(() => ({ id: undefined, seen: [] }))

export const stageHit = (id: string | undefined): void =>
  useStagedHit.setState(({ seen }) => ({ id, seen: id === undefined || seen.includes(id) ? seen : [...seen, id].slice(-SEEN_MAX) }))
