/** A dialog with a keypad, for passwords and numbers of ID cards. */
import { made } from './made.ts'
import { fill } from './texts.ts'

export type KeypadMode = 'password' | 'id'

export interface Keypad {
  open(mode: KeypadMode): void
  isOpen(): boolean
  /** Render the words after a change of the language. */
  render(): void
}

export interface KeypadOptions {
  words: () => Record<string, string>
  /** @param value not empty */
  onConfirm: (mode: KeypadMode, value: string) => void
}

const LONGEST: Record<KeypadMode, number> = { password: 16, id: 18 }
const DIGITS = ['1', '2', '3', '4', '5', '6', '7', '8', '9', 'X', '0']
const titleKey = (mode: KeypadMode): string => (mode === 'password' ? 'keypadPassword' : 'keypadIdNumber')

export function createKeypad({ words, onConfirm }: KeypadOptions): Keypad {
  const { dialog, title, modes, shown, keys, erase, cancel, confirm } = keypadElements()
  let mode: KeypadMode = 'password'
  let typed = ''

  function render(): void {
    const own = words()
    title.textContent = fill(own, titleKey(mode))
    for (const { mode: of, button } of modes) {
      button.textContent = fill(own, titleKey(of))
      button.setAttribute('aria-pressed', String(of === mode))
    }
    cancel.textContent = fill(own, 'keypadCancel')
    confirm.textContent = fill(own, 'keypadConfirm')
    erase.setAttribute('aria-label', fill(own, 'keypadErase'))
    // Numbers of ID cards may end in X, passwords never do.
    for (const key of keys) if (key.textContent === 'X') key.disabled = mode === 'password'
    shown.textContent = mode === 'password' ? '•'.repeat(typed.length) : typed
  }

  function press(key: string): void {
    if (/^[\dX]$/.test(key) && !(key === 'X' && mode === 'password')) typed = (typed + key).slice(0, LONGEST[mode])
    render()
  }

  function open(next: KeypadMode): void {
    mode = next
    typed = ''
    if (!dialog.open) dialog.showModal()
    // Digits typed on a keyboard end with Enter.
    confirm.focus()
    render()
  }

  function submit(): void {
    const value = typed
    dialog.close()
    if (value !== '') onConfirm(mode, value)
  }

  for (const key of keys)
    key.addEventListener('click', ({ detail: byHand }) => {
      press(key.textContent ?? '')
      // Enter on a keyboard confirms; it must not press the key that was touched last.
      if (byHand > 0) confirm.focus()
    })
  for (const { mode: of, button } of modes) button.addEventListener('click', () => open(of))
  erase.addEventListener('click', () => {
    typed = typed.slice(0, -1)
    render()
  })
  cancel.addEventListener('click', () => dialog.close())
  confirm.addEventListener('click', submit)
  dialog.addEventListener('keydown', (event) => {
    if (event.key === 'Backspace') erase.click()
    else press(event.key.toUpperCase())
  })

  return { open, isOpen: () => dialog.open, render }
}

function keypadElements() {
  const dialog = made('dialog', { id: 'keypad', className: 'keypad' })
  const title = made('h2', { id: 'keypad-title' })
  dialog.setAttribute('aria-labelledby', title.id)
  const modes = (['password', 'id'] as const).map((mode) => ({ mode, button: made('button', { type: 'button', className: 'mode' }) }))
  const shown = made('output', { className: 'digits' })
  const keys = DIGITS.map((digit) => made('button', { type: 'button', className: 'key', textContent: digit }))
  const erase = made('button', { type: 'button', className: 'key', textContent: '⌫' })
  const cancel = made('button', { type: 'button', className: 'end' })
  const confirm = made('button', { type: 'button', className: 'end main' })
  const pad = made('div', { className: 'keys' })
  pad.append(...keys, erase)
  const choice = made('div', { className: 'modes' })
  choice.append(...modes.map(({ button }) => button))
  const ends = made('div', { className: 'ends' })
  ends.append(cancel, confirm)
  dialog.append(title, choice, shown, pad, ends)
  document.body.append(dialog)
  return { dialog, title, modes, shown, keys, erase, cancel, confirm }
}
