/** Dialogs above the page. */
import type { VNode } from 'preact'
import { useId, useLayoutEffect, useRef } from 'preact/hooks'
import { html, type Children } from './html.ts'

interface DialogProps {
  title: string
  isWide?: boolean
  /** Called when the dialog closes, by Escape for instance; the owner then stops rendering it. */
  onClose: () => void
  children: Children
}

/** A dialog that is open as long as it is rendered; afterwards the focus returns to where it was. */
export function Dialog({ title, isWide = false, onClose, children }: DialogProps): VNode {
  const element = useRef<HTMLDialogElement>(null)
  const titleId = useId()
  const isLeftOut = useRef(false)
  useLayoutEffect(() => {
    const dialog = element.current!
    const before = document.activeElement
    dialog.showModal()
    return () => {
      isLeftOut.current = true
      dialog.close()
      if (before instanceof HTMLElement && before.isConnected) before.focus()
    }
  }, [])
  // The event comes later, and must not close another dialog opened since.
  const close = () => isLeftOut.current || onClose()
  return html`<dialog ref=${element} aria-labelledby=${titleId} class=${isWide ? 'wide' : ''} onClose=${close}>
    <h2 id=${titleId}>${title}</h2>
    ${children}
  </dialog>`
}
