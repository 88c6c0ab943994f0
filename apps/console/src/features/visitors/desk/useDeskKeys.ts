/** Keys that decide on the focused visit or print its badge. */
import type { FocusEvent, KeyboardEvent, RefObject } from 'react'
import type { VisitRow } from '@gatehouse/contract/visitors/visit'
import { isKey, KEYS } from '../../../kit/keys.ts'
import { useFocusedRow } from '../../../kit/list/useFocusedRow.ts'
import type { VisitActions } from './useVisitActions.ts'

interface DeskKeys {
  frame: RefObject<HTMLDivElement | null>
  onKeyDown: (event: KeyboardEvent<HTMLElement>) => void
  onFocus: (event: FocusEvent<HTMLElement>) => void
  onBlur: (event: FocusEvent<HTMLElement>) => void
}

/** @param isAway whether a dialog or the drawer has the focus now */
export function useDeskKeys(rows: readonly VisitRow[], actions: VisitActions, isAway: boolean): DeskKeys {
  const { frame, onFocus, onBlur, rowOf } = useFocusedRow(rows, isAway)

  function onKeyDown(event: KeyboardEvent<HTMLElement>): void {
    if (event.ctrlKey || event.metaKey || event.altKey || event.repeat) return
    const visit = rowOf(event.target as HTMLElement)
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

  return { frame, onKeyDown, onFocus, onBlur }
}
