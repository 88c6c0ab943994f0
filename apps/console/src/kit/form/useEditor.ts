/** Whether a form dialog is open, and on what: nothing yet (adding) or a record (changing it). */
import { useState } from 'react'

export interface Editor<T> {
  open: boolean
  /** The record being changed; undefined while adding. */
  target: T | undefined
  add: () => void
  edit: (target: T) => void
  close: () => void
  /** Changes with each opening: a dialog keyed by it starts afresh. */
  round: number
}

export function useEditor<T>(): Editor<T> {
  const [state, setState] = useState<{ open: boolean; target: T | undefined; round: number }>({ open: false, target: undefined, round: 0 })
  return {
    ...state,
    add: () => setState(({ round }) => ({ open: true, target: undefined, round: round + 1 })),
    edit: (target) => setState(({ round }) => ({ open: true, target, round: round + 1 })),
    close: () => setState((before) => ({ ...before, open: false })),
  }
}
