/** Which row of a list has the focus, and where the focus goes when that row leaves the list. */
import { useEffect, useRef, type FocusEvent, type RefObject } from 'react'

/** Rows of a table, and cards. */
const ITEMS = 'tr[data-row-key], button[data-id]'
const idOf = ({ dataset }: HTMLElement): string | undefined => dataset['rowKey'] ?? dataset['id']

interface FocusedRow<Row> {
  /** Put it on the element around the list, with the two handlers. */
  frame: RefObject<HTMLDivElement | null>
  onFocus: (event: FocusEvent<HTMLElement>) => void
  onBlur: (event: FocusEvent<HTMLElement>) => void
  /** Return the row of an element; undefined for what is inside a row, such as its buttons. */
  rowOf: (element: HTMLElement) => Row | undefined
  /** Move the focus to the row at a place of the list, or the last one. */
  focusAt: (place: number) => void
}

/** @param isAway whether a dialog or the drawer has the focus now */
export function useFocusedRow<Row extends { id: string }>(rows: readonly Row[], isAway: boolean): FocusedRow<Row> {
  const frame = useRef<HTMLDivElement>(null)
  /** Place of the focused row in the list; undefined while the focus is elsewhere. */
  const place = useRef<number>(undefined)

  function focusAt(at: number): void {
    const items = [...(frame.current?.querySelectorAll<HTMLElement>(ITEMS) ?? [])]
    items[Math.min(at, items.length - 1)]?.focus()
  }
  const ids = rows.map(({ id }) => id).join()
  useEffect(() => {
    if (place.current !== undefined && document.activeElement === document.body && !isAway) focusAt(place.current)
  }, [ids, isAway])

  return {
    frame,
    onFocus: ({ target }) => {
      const at = rows.findIndex(({ id }) => id === idOf(target))
      if (at >= 0) place.current = at
    },
    // When a row is removed, no other element gets its focus: the user has not left the list.
    onBlur: ({ relatedTarget }) => {
      if (relatedTarget) place.current = undefined
    },
    rowOf: (element) => (element.matches(ITEMS) ? rows.find(({ id }) => id === idOf(element)) : undefined),
    focusAt,
  }
}
