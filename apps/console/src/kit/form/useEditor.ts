/** The state of a form dialog: closed, open to add a record, or open to change one. */
import { useState } from 'react'

export interface Editor<T> {
  open: boolean
  /** The record being changed; undefined while adding. */
  target: T | undefined
  add: () => void
  edit: (target: T) => void
  close: () => void
  /** Number of openings so far: a dialog keyed by it starts with a new state. */
  openingCount: number
}

export function useEditor<T>(): Editor<T> {
  const [state, setState] = useState<{ open: boolean; target: T | undefined; openingCount: number }>({
    open: false,
    target: undefined,
    openingCount: 0,
  })
  return {
    ...state,
    add: () => setState(({ openingCount }) => ({ open: true, target: undefined, openingCount: openingCount + 1 })),
    edit: (target) => setState(({ openingCount }) => ({ open: true, target, openingCount: openingCount + 1 })),
    close: () => setState((before) => ({ ...before, open: false })),
  }
}
