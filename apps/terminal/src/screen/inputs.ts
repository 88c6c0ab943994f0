/**
 * Inputs at the screen besides a face: a keypad for passwords and numbers, readers that type, and the prompt for what the terminal awaits.
 */
import type { Awaiting } from '../passage/decision.ts'
import { createKeypad } from './inputs-keypad.ts'
import { createWedge, type Typed } from './inputs-wedge.ts'
import { made } from './made.ts'
import type { ShownVerdict } from './shown.ts'
import { fill } from './texts.ts'
import { icon, label } from './view.ts'

export interface Inputs {
  /** Render the words after a change of the language. */
  render(): void
  /** Show what the terminal awaits; null for nothing. */
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

/** Prompts by the missing factor. */
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

/** Add the keypad's button to the tools, and the prompt below the verdict. */
export function createInputs({ words, cardNumberFormat, now, onVerdict, onTrouble }: InputsOptions): Inputs {
  document.head.append(made('link', { rel: 'stylesheet', href: '/inputs.css' }))
  const opener = made('button', { type: 'button', id: 'keypad-open', className: 'tool' })
  opener.append(icon('keypad'))
  document.querySelector('.tools')?.prepend(opener)
  const prompt = made('p', { id: 'awaiting', className: 'awaiting', hidden: true })
  prompt.setAttribute('role', 'status')
  document.getElementById('said')?.append(prompt)

  const keypad = createKeypad({
    words,
    onConfirm: (mode, value) =>
      void (mode === 'password' ? send('password', { password: value }) : send('id', { number: value, source: 'typed' })),
  })
  const wedge = createWedge(cardNumberFormat)
  let awaiting: Awaiting | null = null

  function render(): void {
    const own = words()
    label(opener.id, fill(own, 'keypadOpen'))
    keypad.render()
    const seconds = awaiting ? Math.max(0, Math.ceil((awaiting.until - now()) / 1000)) : 0
    const question = awaiting === null ? '' : promptOf(own, awaiting)
    prompt.hidden = question === ''
    prompt.textContent = question === '' ? '' : fill(own, 'awaitSeconds', { what: question, count: seconds })
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

  const sendTyped = (read: Typed) => void (read.kind === 'card' ? send('card', { number: read.number }) : send('qr', { text: read.text }))

  opener.addEventListener('click', () => keypad.open(awaiting?.factors.includes('idNumber') ? 'id' : 'password'))
  addEventListener('keydown', (event) => {
    const isWriting =
      event.target instanceof HTMLInputElement || event.target instanceof HTMLSelectElement || event.target instanceof HTMLTextAreaElement
    if (keypad.isOpen() || isWriting || event.ctrlKey || event.altKey || event.metaKey) return
    const read = wedge.press(event.key, performance.now())
    if (read) {
      // Otherwise Enter would press the button that has the focus.
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

/** Return the prompts for all factors that would do, each once. */
function promptOf(own: Record<string, string>, { factors }: Awaiting): string {
  const keys = [...new Set(factors.flatMap((factor) => PROMPTS[factor] ?? []))]
  return keys.length === 0 ? fill(own, 'awaitSensor') : keys.map((key) => fill(own, key)).join(fill(own, 'awaitOr'))
}
