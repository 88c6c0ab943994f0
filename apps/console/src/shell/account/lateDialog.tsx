/** A dialog of the header whose code and texts are loaded when it is first opened. */
import { lazy, Suspense, useState, type ComponentType } from 'react'

export interface DialogProps {
  open: boolean
  close: () => void
}

/** @param load the module whose default export is the dialog; it is mounted again at each opening */
export function lateDialog(load: () => Promise<{ default: ComponentType<DialogProps> }>) {
  const Inside = lazy(load)
  return function LateDialog({ open, close }: DialogProps) {
    const [{ round, was }, setOpening] = useState({ round: open ? 1 : 0, was: open })
    if (open !== was) setOpening({ round: round + (open ? 1 : 0), was: open })
    return round > 0 ? (
      <Suspense fallback={null}>
        <Inside key={round} open={open} close={close} />
      </Suspense>
    ) : null
  }
}
