/** Keys that decide on the focused visit or print its badge, and the focus when that visit leaves the list. */
import { useEffect, useRef, type FocusEvent, type KeyboardEvent, type RefObject } from 'react'
import type { VisitRow } from '@gatehouse/contract/visitors/visit'
import { isKey, KEYS } from '../../../kit/keys.ts'
import type { VisitActions } from './useVisitActions.ts'

/** Rows of the table, and cards. */
const ITEMS = 'tr[data-row-key], button[data-id]'
const idOf = ({ dataset }: HTMLElement): string | undefined => dataset['rowKey'] ?? dataset['id']

interface DeskKeys {
  frame: RefObject<HTMLDivElement | null>
  onKeyDown: (event: KeyboardEvent<HTMLElement>) => void
  onFocus: (event: FocusEvent<HTMLElement>) => void
  onBlur: (event: FocusEvent<HTMLElement>) => void
}

/** @param isAway whether a dialog or the drawer has the focus now */
export function useDeskKeys(rows: readonly VisitRow[], actions: VisitActions, isAway: boolean): DeskKeys {
  const frame = useRef<HTMLDivElement>(null)
  /** Place of the focused visit in the list; undefined while the focus is elsewhere. */
  const place = useRef<number>(undefined)

  const ids = rows.map(({ id }) => id).join()
  useEffect(() => {
    if (place.current === undefined || document.activeElement !== document.body || isAway) return
    const items = [...(frame.current?.querySelectorAll<HTMLElement>(ITEMS) ?? [])]
    items[Math.min(place.current, items.length - 1)]?.focus()
  }, [ids, isAway])

  function onKeyDown(event: KeyboardEvent<HTMLElement>): void {
    const target = event.target as HTMLElement
    if (!target.matches(ITEMS) || event.ctrlKey || event.metaKey || event.altKey || event.repeat) return
    const visit = rows.find(({ id }) => id === idOf(target))
    if (visit === undefined) return
    const { printing, mayChange } = actions
    const can = mayChange ? visit.can : undefined
    const key = event.key.toLowerCase()
    if (isKey(KEYS.visits.accept, key) && can?.accept) actions.accept([visit])
    else if (isKey(KEYS.visits.refuse, key) && can?.refuse) actions.refusing.edit([visit])
    else if (isKey(KEYS.visits.signIn, key) && (can?.signIn || can?.verify)) actions.signingIn.edit(visit)
    else if (isKey(KEYS.visits.signOff, key) && can?.signOff) actions.signingOff.edit([visit])
    else if (isKey(KEYS.visits.print, key) && printing.canPrint(visit)) printing.print(visit)
    else return
    event.preventDefault()
  }

  return {
    frame,
    onKeyDown,
    onFocus: ({ target }) => {
      const at = rows.findIndex(({ id }) => id === idOf(target))
      if (at >= 0) place.current = at
    },
    // When a row is removed, no other element gets its focus: the user has not left the list.
    onBlur: ({ relatedTarget }) => {
      if (relatedTarget) place.current = undefined
    },
  }
}
