/** What is shown here besides a face: a keypad for passwords and numbers, readers that type, and what the terminal waits for. */
import type { Awaiting } from '../passage/decision.ts'
import { createWedge, type Typed } from './inputs-wedge.ts'
import type { ShownVerdict } from './shown.ts'
import { fill } from './texts.ts'
import { icon, label } from './view.ts'

export interface Inputs {
  /** Words that change with the language. */
  render(): void
  /** What the terminal waits for; null when it waits for nothing. */
  await(awaiting: Awaiting | null): void
}

export interface InputsOptions {
  words: () => Record<string, string>
  /** How readers here write card numbers. */
  cardNumberFormat: () => string
  /** Epoch milliseconds by the terminal's clock. */
  now: () => number
  onVerdict: (verdict: ShownVerdict) => void
  /** @param key of the texts */
  onTrouble: (key: string, values?: Record<string, number>) => void
}

type Mode = 'password' | 'id'
const LONGEST: Record<Mode, number> = { password: 16, id: 18 }
const DIGITS = ['1', '2', '3', '4', '5', '6', '7', '8', '9', 'X', '0']

/** What is asked for, by the factor that is missing. */
const PROMPTS: Record<string, string | undefined> = {
  face: 'awaitFace',
  idPortrait: 'awaitFace',
  card: 'awaitCard',
  idCard: 'awaitIdCard',
  idNumber: 'awaitIdNumber',
  qrCode: 'awaitQrCode',
  handprint: 'awaitHandprint',
  personalPassword: 'awaitPassword',
  smartPersonalPassword: 'awaitPassword',
  devicePassword: 'awaitPassword',
}

/** Puts the keypad's button among the tools, and the prompt below the verdict. */
export function createInputs({ words, cardNumberFormat, now, onVerdict, onTrouble }: InputsOptions): Inputs {
  const styles = made('link', { rel: 'stylesheet', href: '/inputs.css' })
  const opener = made('button', { type: 'button', id: 'keypad-open', className: 'tool' })
  opener.append(icon('keypad'))
  const prompt = made('p', { id: 'awaiting', className: 'awaiting', hidden: true })
  prompt.setAttribute('role', 'status')
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
  const chosen = made('div', { className: 'modes' })
  chosen.append(...modes.map(({ button }) => button))
  const ends = made('div', { className: 'ends' })
  ends.append(cancel, confirm)
  dialog.append(title, chosen, shown, pad, ends)
  document.head.append(styles)
  document.body.append(dialog)
  document.querySelector('.tools')?.prepend(opener)
  document.getElementById('said')?.append(prompt)

  const wedge = createWedge(cardNumberFormat)
  let mode: Mode = 'password'
  let typed = ''
  let awaiting: Awaiting | null = null

  function render(): void {
    const own = words()
    label(opener.id, fill(own, 'keypadOpen'))
    title.textContent = fill(own, mode === 'password' ? 'keypadPassword' : 'keypadIdNumber')
    for (const { mode: of, button } of modes) {
      button.textContent = fill(own, of === 'password' ? 'keypadPassword' : 'keypadIdNumber')
      button.setAttribute('aria-pressed', String(of === mode))
    }
    cancel.textContent = fill(own, 'keypadCancel')
    confirm.textContent = fill(own, 'keypadConfirm')
    erase.setAttribute('aria-label', fill(own, 'keypadErase'))
    // Numbers of ID cards end in X at times, passwords never do.
    for (const key of keys) if (key.textContent === 'X') key.disabled = mode === 'password'
    shown.textContent = mode === 'password' ? '•'.repeat(typed.length) : typed
    const seconds = awaiting ? Math.max(0, Math.ceil((awaiting.until - now()) / 1000)) : 0
    const asked = awaiting === null ? '' : promptOf(own, awaiting)
    prompt.hidden = asked === ''
    prompt.textContent = asked === '' ? '' : fill(own, 'awaitSeconds', { what: asked, count: seconds })
  }

  function press(key: string): void {
    if (/^[\dX]$/.test(key) && !(key === 'X' && mode === 'password')) typed = (typed + key).slice(0, LONGEST[mode])
    render()
  }

  function open(next: Mode): void {
    mode = next
    typed = ''
    if (!dialog.open) dialog.showModal()
    // Digits typed on a keyboard end with Enter.
    confirm.focus()
    render()
  }

  async function send(path: string, form: object): Promise<void> {
    try {
      const response = await fetch(`/input/${path}`, {
        method: 'POST',
        body: JSON.stringify(form),
        headers: { 'content-type': 'application/json', 'accept-language': document.documentElement.lang },
      })
      const answer = await response.json()
      if (response.status === 200) {
        if (answer.verdict !== 'pending') onVerdict(answer)
      } else if (answer.reason === 'paused') onTrouble('keypadPaused', { count: answer.retryAfter })
      else onTrouble(response.status === 403 ? 'notFromHere' : 'busy')
    } catch {
      onTrouble('notReachable')
    }
  }

  function submit(): void {
    const value = typed
    dialog.close()
    if (value === '') return
    void (mode === 'password' ? send('password', { password: value }) : send('id', { number: value, source: 'typed' }))
  }

  const sendTyped = (read: Typed) => void (read.kind === 'card' ? send('card', { number: read.number }) : send('qr', { text: read.text }))

  opener.addEventListener('click', () => open(awaiting?.factors.includes('idNumber') ? 'id' : 'password'))
  for (const key of keys)
    key.addEventListener('click', ({ detail: byHand }) => {
      press(key.textContent ?? '')
      // Enter on a keyboard is to confirm, not to press the key that was touched last.
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
  addEventListener('keydown', (event) => {
    const isWriting =
      event.target instanceof HTMLInputElement || event.target instanceof HTMLSelectElement || event.target instanceof HTMLTextAreaElement
    if (dialog.open || isWriting || event.ctrlKey || event.altKey || event.metaKey) return
    const read = wedge.press(event.key, performance.now())
    if (read) {
      // Enter would press the button that has the focus.
      event.preventDefault()
      sendTyped(read)
    }
  })
  setInterval(() => awaiting && render(), 500)

  return {
    render,
    await(next) {
      awaiting = next
      render()
    },
  }
}

/** Each thing that would do, once. */
function promptOf(own: Record<string, string>, { factors }: Awaiting): string {
  const keys = [...new Set(factors.flatMap((factor) => PROMPTS[factor] ?? []))]
  return keys.length === 0 ? fill(own, 'awaitSensor') : keys.map((key) => fill(own, key)).join(fill(own, 'awaitOr'))
}

function made<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  properties: Partial<HTMLElementTagNameMap[Name]>,
): HTMLElementTagNameMap[Name] {
  return Object.assign(document.createElement(name), properties)
}
