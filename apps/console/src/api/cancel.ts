/** Requests that leaving a page cancels. */
import { CANCEL_LIST_MAX } from '@gatehouse/contract'

export interface CancelList {
  /** Add a request. Return a function that removes it once it is answered. Beyond the limit the oldest is removed, not cancelled. */
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

/** The list of the console; the router cancels its requests when the page changes. */
export const pendingRequests = cancelList()
