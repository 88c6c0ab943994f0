/** Elements of the pages: a few helpers instead of a framework. */
import { Refused } from './api.ts'
import { say } from './words.ts'

type Child = Node | string | null | undefined | false
type Value = string | number | boolean | null | undefined | ((event: Event) => void)

/** An element. A function is a listener (`onclick`), `true` an attribute without value, null and false none. */
export function h<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  values: Readonly<Record<string, Value>> = {},
  ...children: readonly Child[]
): HTMLElementTagNameMap[Tag] {
  const element = document.createElement(tag)
  for (const [name, value] of Object.entries(values)) {
    if (typeof value === 'function') element.addEventListener(name.slice(2), value)
    else if (value !== null && value !== undefined && value !== false) element.setAttribute(name, value === true ? '' : String(value))
  }
  element.append(...children.filter((child): child is Node | string => typeof child === 'string' || child instanceof Node))
  return element
}

const ICONS: Record<string, string> = {
  people: 'M9 11a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7zM2.5 20a6.5 6.5 0 0 1 13 0M16 4.5a3.5 3.5 0 0 1 0 6.5M18 14.5a6.5 6.5 0 0 1 3.5 5.5',
  bulkPeople: 'M4 5h12v12H4zM8 21h12V9M7 14l3-3 2 2 1.5-1.5L16 14',
  device: 'M7 3h10v18H7zM11 18h2M10 6.5h4',
  detection:
    'M4 8V5a1 1 0 0 1 1-1h3M16 4h3a1 1 0 0 1 1 1v3M20 16v3a1 1 0 0 1-1 1h-3M8 20H5a1 1 0 0 1-1-1v-3M9 10v.5M15 10v.5M9 15c2 1.5 4 1.5 6 0',
  settings: 'M4 7h9M17 7h3M15 5v4M4 17h3M11 17h9M9 15v4M4 12h1M9 12h11M7 10v4',
  time: 'M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18zM12 7v5l3.5 2',
  network: 'M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18zM3 12h18M12 3c3 3 3 15 0 18M12 3c-3 3-3 15 0 18',
  volume: 'M4 10v4h3l5 4V6L7 10zM16 9c1.5 1.5 1.5 4.5 0 6M18.5 6.5c3 3 3 8 0 11',
  screenSaver: 'M3 5h18v11H3zM9 20h6M12 16v4',
  records: 'M12 3v11M8 10l4 4 4-4M4 17v3h16v-3',
  account: 'M12 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8zM4.5 20.5a7.5 7.5 0 0 1 15 0',
  leave: 'M14 4h5v16h-5M4 12h10M10.5 8.5L14 12l-3.5 3.5',
  warning: 'M12 4L2.5 20h19zM12 10v4.5M12 17.2v.3',
  lock: 'M6 11h12v9H6zM9 11V8a3 3 0 0 1 6 0v3',
}

/** A drawing beside words, which say the same. */
export function icon(name: string): SVGElement {
  const space = 'http://www.w3.org/2000/svg'
  const drawing = document.createElementNS(space, 'svg')
  drawing.setAttribute('viewBox', '0 0 24 24')
  drawing.setAttribute('class', 'icon')
  drawing.setAttribute('aria-hidden', 'true')
  const path = document.createElementNS(space, 'path')
  path.setAttribute('d', ICONS[name] ?? '')
  drawing.append(path)
  return drawing
}

export const button = (words: string, onclick: () => void, values: Readonly<Record<string, Value>> = {}): HTMLButtonElement =>
  h('button', { type: 'button', onclick, ...values }, words)

/** A part of a page with a heading. */
export function card(title: string, ...children: readonly Child[]): HTMLElement {
  return h('section', { class: 'card' }, h('h2', {}, title), ...children)
}

/** Names beside values. */
export function facts(pairs: readonly (readonly [name: string, value: string])[]): HTMLElement {
  return h('dl', { class: 'facts' }, ...pairs.map(([name, value]) => h('div', {}, h('dt', {}, name), h('dd', {}, value))))
}

export const note = (words: string, kind: 'quiet' | 'warning' = 'quiet'): HTMLElement =>
  h('p', { class: `note ${kind}` }, kind === 'warning' && icon('warning'), h('span', {}, words))

let leaving: ReturnType<typeof setTimeout> | undefined

/** A word about what was done, which goes by itself. */
export function tell(words: string): void {
  const place = document.getElementById('said')!
  place.textContent = words
  place.className = 'shown'
  clearTimeout(leaving)
  leaving = setTimeout(() => (place.className = ''), 4_000)
}

export const wordsOf = (error: unknown): string => (error instanceof Refused ? error.message : say('unreachable'))

/** Runs what a button asks for: once at a time, with the refusal where it belongs. */
export async function work(trigger: HTMLButtonElement, trouble: HTMLElement, task: () => Promise<void>): Promise<void> {
  trigger.disabled = true
  trouble.textContent = ''
  try {
    await task()
  } catch (error) {
    trouble.textContent = wordsOf(error)
  } finally {
    trigger.disabled = false
  }
}

export const troublePlace = (): HTMLElement => h('p', { class: 'trouble', role: 'alert' })

let dialogs = 0

/** Asks something in a dialog. @param build puts what it shows into the dialog and calls `close` when it is done */
export function ask(title: string, build: (close: () => void) => readonly Child[], wide = false): void {
  const before = document.activeElement
  // One may open above another.
  const titleId = `dialog-title-${++dialogs}`
  const dialog = h('dialog', { 'aria-labelledby': titleId, class: wide ? 'wide' : '' })
  dialog.append(h('h2', { id: titleId }, title), ...build(() => dialog.close()).filter((child): child is Node => child instanceof Node))
  dialog.addEventListener('close', () => {
    dialog.remove()
    if (before instanceof HTMLElement && before.isConnected) before.focus()
  })
  document.body.append(dialog)
  dialog.showModal()
}

/** Asks for the password before something that cannot be taken back. @param task gets the password */
export function askPassword(title: string, lost: string, confirm: string, task: (password: string) => Promise<void>): void {
  ask(title, (close) => {
    const password = field({ name: 'password', label: say('password'), type: 'password', autocomplete: 'current-password' })
    const own = form([password], confirm, async () => {
      await task(password.input.value)
      close()
    })
    own.querySelector('.actions')!.prepend(button(say('cancel'), close))
    own.querySelector('button[type=submit]')!.classList.add('danger')
    return [h('p', {}, lost), own]
  })
}

/** A button that chooses files, and what was chosen; the browser's own speaks the browser's language. */
export function fileChoice(input: HTMLInputElement): HTMLElement {
  const chosen = h('span', {}, '')
  const choose = button(say('chooseFile'), () => input.click())
  input.hidden = true
  input.addEventListener('change', () => {
    const files = [...(input.files ?? [])]
    chosen.textContent = files.length > 1 ? say('filesChosen', { count: files.length }) : (files[0]?.name ?? '')
  })
  return h('div', { class: 'file' }, choose, chosen, input)
}

export interface FieldWish {
  name: string
  label: string
  type?: string
  value?: string
  hint?: string
  /** Choices make it a list. */
  choices?: readonly (readonly [value: string, words: string])[]
  autocomplete?: string
  required?: boolean
  /** Why it cannot be changed. */
  locked?: string | null
  min?: number
  max?: number
  step?: number
  maxlength?: number
}

export interface Field {
  name: string
  row: HTMLElement
  input: HTMLInputElement | HTMLSelectElement
  locked: boolean
}

let made = 0

/** A labelled field, with its hint and the place of its refusal. */
export function field(wish: FieldWish): Field {
  const { name, label, type = 'text', value = '', hint, choices, locked = null } = wish
  // Two forms of a page, or a page and its dialog, may have fields of one name.
  const id = `field-${name}-${++made}`
  const described = `${id}-hint ${id}-issue`
  const common = { id, name, 'aria-describedby': described, required: wish.required ?? false, disabled: locked !== null }
  const input = choices
    ? h('select', common, ...choices.map(([key, words]) => h('option', { value: key, selected: key === value }, words)))
    : h('input', {
        ...common,
        type,
        value,
        autocomplete: wish.autocomplete ?? 'off',
        min: wish.min,
        max: wish.max,
        step: wish.step,
        maxlength: wish.maxlength,
      })
  const row = h(
    'div',
    { class: 'field', 'data-name': name },
    h('label', { for: id }, label),
    h(
      'div',
      { class: 'control' },
      type === 'file' && input instanceof HTMLInputElement ? fileChoice(input) : input,
      h('p', { class: 'hint', id: `${id}-hint` }, locked !== null && icon('lock'), locked ?? hint ?? ''),
      h('p', { class: 'issue', id: `${id}-issue` }),
    ),
  )
  return { name, row, input, locked: locked !== null }
}

/** Several choices of a list. @param chosen values that are ticked */
export function choicesField(
  { name, label, hint, choices = [], locked = null }: FieldWish,
  chosen: readonly string[],
): { row: HTMLElement; ticked(): string[] } {
  const id = `field-${name}-${++made}`
  const boxes = choices.map(([value, words]) => ({
    value,
    words,
    box: h('input', { type: 'checkbox', checked: chosen.includes(value), disabled: locked !== null }),
  }))
  const row = h(
    'div',
    { class: 'field', 'data-name': name, role: 'group', 'aria-labelledby': id },
    h('span', { class: 'label', id }, label),
    h(
      'div',
      { class: 'control' },
      h('div', { class: 'choices' }, ...boxes.map(({ words, box }) => h('label', {}, box, words))),
      h('p', { class: 'hint' }, locked !== null && icon('lock'), locked ?? hint ?? ''),
      h('p', { class: 'issue' }),
    ),
  )
  return { row, ticked: () => boxes.flatMap(({ value, box }) => (box.checked ? [value] : [])) }
}

/** A form that keeps what was typed and shows each refusal at its field. @param submit throws Refused */
export function form(fields: readonly (Field | HTMLElement)[], submitWords: string, submit: () => Promise<void>): HTMLFormElement {
  const trouble = troublePlace()
  const send = h('button', { type: 'submit', class: 'primary' }, submitWords)
  const own = h(
    'form',
    {
      novalidate: true,
      onsubmit: (event) => {
        event.preventDefault()
        showIssues(own, {})
        void work(send, trouble, () => submit().catch((error: unknown) => Promise.reject(noted(own, error))))
      },
    },
    ...fields.map((one) => (one instanceof HTMLElement ? one : one.row)),
    trouble,
    h('div', { class: 'actions' }, send),
  )
  return own
}

function noted(own: HTMLFormElement, error: unknown): unknown {
  if (error instanceof Refused) showIssues(own, error.fields)
  return error
}

function showIssues(own: HTMLFormElement, issues: Readonly<Record<string, string>>): void {
  let first: HTMLElement | null = null
  for (const row of own.querySelectorAll<HTMLElement>('.field')) {
    const words = issues[row.dataset['name'] ?? '']
    row.querySelector('.issue')!.textContent = words ?? ''
    const input = row.querySelector<HTMLElement>('input, select, button')
    if (words) input?.setAttribute('aria-invalid', 'true')
    else input?.removeAttribute('aria-invalid')
    if (words) first ??= input
  }
  first?.focus()
}
