/** Requests that leaving a page cancels. */
import { CANCEL_LIST_MAX } from '@gatehouse/contract'

export interface CancelList {
  /** Remembers a request; returns how to forget it once answered. Beyond the limit the oldest is forgotten, not cancelled. */
  add(controller: AbortController): () => void
  cancelAll(): void
  readonly size: number
}

export function cancelList(limit: number = CANCEL_LIST_MAX): CancelList {
  const pending = new Set<AbortController>()
  return {
    add(controller) {
      pending.add(controller)
      const [oldest] = pending
      if (pending.size > limit && oldest) pending.delete(oldest)
      return () => void pending.delete(controller)
    },
    cancelAll() {
      for (const controller of pending) controller.abort()
      pending.clear()
    },
    get size() {
      return pending.size
    },
  }
}

/** The console's own list; the router empties it when the page changes. */
export const pendingRequests = cancelList()
