/** The focus in the queue: when the application that has it leaves the list, the one shown next gets it. */
import { useEffect, useRef, type FocusEvent, type RefObject } from 'react'
import type { PersonApplication } from '@gatehouse/contract/enrolment/calls'

export interface QueueFocus {
  list: RefObject<HTMLUListElement | null>
  focusOn: (id: string | undefined) => void
  onFocus: () => void
  onBlur: (event: FocusEvent) => void
}

/** @param isAway whether a dialog has the focus now */
export function useQueueFocus(rows: readonly PersonApplication[], currentId: string | undefined, isAway: boolean): QueueFocus {
  const list = useRef<HTMLUListElement>(null)
  const wasInside = useRef(false)
  const focusOn = (id: string | undefined): void => list.current?.querySelector<HTMLElement>(`[data-id="${id}"]`)?.focus()

  const ids = rows.map(({ id }) => id).join()
  useEffect(() => {
    if (wasInside.current && document.activeElement === document.body && !isAway) focusOn(currentId)
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [ids])

  return {
    list,
    focusOn,
    onFocus() {
      wasInside.current = true
    },
    // When an element is removed, no other element gets its focus: the user has not left the queue.
    onBlur({ relatedTarget }) {
      if (relatedTarget) wasInside.current = false
    },
  }
}
