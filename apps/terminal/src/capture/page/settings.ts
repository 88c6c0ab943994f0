/** Settings of what the camera looks at, behind the password of its console. */
import type { VNode } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { html } from '../../console/pages/kit/html.ts'
import type { CaptureSettings } from '../settings.ts'
import { changeSettings, logIn, readSettings, Refused } from './console.ts'
import type { Corner } from './picture.ts'
import { say } from './words.ts'

/** Corners that a polygon needs at least. */
const CORNERS = 3

interface SettingsProps {
  settings: CaptureSettings | null
  onSettings: (settings: CaptureSettings | null) => void
  drawn: readonly Corner[] | null
  onDrawn: (corners: readonly Corner[] | null) => void
}

export function Settings({ settings, onSettings, drawn, onDrawn }: SettingsProps): VNode {
  const [trouble, setTrouble] = useState('')

  async function act(work: () => Promise<CaptureSettings>): Promise<void> {
    try {
      onSettings(await work())
      setTrouble('')
    } catch (error) {
      const isLoggedOut = error instanceof Refused && error.isLoggedOut
      if (isLoggedOut) onSettings(null)
      setTrouble(isLoggedOut ? '' : (error as Error).message)
    }
  }
  // Whoever has logged in before need not do it again.
  useEffect(() => void readSettings().then(onSettings, () => {}), [onSettings])
  const change = (next: Partial<CaptureSettings>) => void act(() => changeSettings(next))

  return html`<section class="card">
    <h2>${say('settings')}</h2>
    ${
      settings === null
        ? html`<${Login} onLogin=${(account: string, password: string) => void act(() => logIn(account, password).then(readSettings))} />`
        : html`<${Form} settings=${settings} onChange=${change} /><${Areas}
              settings=${settings}
              onChange=${change}
              drawn=${drawn}
              onDrawn=${onDrawn}
            />`
    }
    <p class="trouble" role="alert">${trouble}</p>
  </section>`
}

const textOf = (form: FormData, name: string): string => String(form.get(name) ?? '')

function Login({ onLogin }: { onLogin: (account: string, password: string) => void }): VNode {
  function submit(event: SubmitEvent): void {
    event.preventDefault()
    const form = new FormData(event.target as HTMLFormElement)
    onLogin(textOf(form, 'account'), textOf(form, 'password'))
  }
  return html`<form onSubmit=${submit}>
    <label>${say('account')}<input name="account" autocomplete="username" required /></label>
    <label>${say('password')}<input name="password" type="password" autocomplete="current-password" required /></label>
    <button type="submit" class="main">${say('login')}</button>
  </form>`
}

interface ChangeProps {
  settings: CaptureSettings
  onChange: (change: Partial<CaptureSettings>) => void
}

function Form({ settings, onChange }: ChangeProps): VNode {
  function submit(event: SubmitEvent): void {
    event.preventDefault()
    const form = new FormData(event.target as HTMLFormElement)
    onChange({ leastFaceSize: Number(form.get('leastFaceSize')), leastQuality: Number(form.get('leastQuality')) / 100 })
  }
  const { leastFaceSize, leastQuality } = settings
  return html`<form onSubmit=${submit}>
    <label
      >${say('leastFaceSize')}<input name="leastFaceSize" type="number" min="20" max="1000" required defaultValue=${leastFaceSize}
    /></label>
    <label>
      ${say('leastQuality')}<input
        name="leastQuality"
        type="number"
        min="0"
        max="100"
        required
        defaultValue=${Math.round(leastQuality * 100)}
      />
    </label>
    <button type="submit" class="main">${say('save')}</button>
  </form>`
}

function Areas({ settings, onChange, drawn, onDrawn }: ChangeProps & Pick<SettingsProps, 'drawn' | 'onDrawn'>): VNode {
  const [kind, setKind] = useState<'zones' | 'masks'>('zones')
  function draw(next: 'zones' | 'masks'): void {
    setKind(next)
    onDrawn([])
  }
  function finish(): void {
    onChange({ [kind]: [...settings[kind], drawn!.map(({ x, y }) => ({ x, y }))] })
    onDrawn(null)
  }
  if (drawn !== null)
    return html`<p>${say('drawHint')}</p>
      <div class="row">
        <button type="button" class="main" disabled=${drawn.length < CORNERS} onClick=${finish}>${say('finish')}</button>
        <button type="button" onClick=${() => onDrawn(null)}>${say('cancel')}</button>
      </div>`
  const listed = (name: 'zones' | 'masks') =>
    html`<div class="row">
      <span>${say(name, { count: settings[name].length })}</span>
      <button type="button" onClick=${() => draw(name)}>${say(name === 'zones' ? 'addZone' : 'addMask')}</button>
      ${settings[name].length > 0 && html`<button type="button" onClick=${() => onChange({ [name]: [] })}>${say('removeAll')}</button>`}
    </div>`
  return html`${listed('zones')} ${listed('masks')}`
}
