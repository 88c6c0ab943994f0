/** Buttons. */
import type { RefObject, VNode } from 'preact'
import { html, type Children } from './html.ts'

interface ButtonProps {
  children: Children
  /** Without it, the button submits its form. */
  onPress?: () => void
  /** The button is disabled. It can still be focused, so that the focus is not lost when it becomes disabled. */
  inactive?: boolean
  /** Classes of its look: `primary`, `danger`, `plain`. */
  look?: string
  /** Accessible name where the button's words do not say enough. */
  label?: string
  isInvalid?: boolean
  buttonRef?: RefObject<HTMLButtonElement>
}

export function Button({ children, onPress, inactive = false, look, label, isInvalid = false, buttonRef }: ButtonProps): VNode {
  const press = (event: Event) => {
    if (inactive) event.preventDefault()
    else onPress?.()
  }
  return html`<button
    type=${onPress ? 'button' : 'submit'}
    class=${look}
    ref=${buttonRef}
    aria-label=${label}
    aria-disabled=${inactive || undefined}
    aria-invalid=${isInvalid || undefined}
    onClick=${press}
  >
    ${children}
  </button>`
}
