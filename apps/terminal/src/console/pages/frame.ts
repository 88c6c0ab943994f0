/** The frame around the pages: the terminal's name, navigation, language, account and logout. */
import type { VNode } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { call } from './api.ts'
import { Button } from './kit/button.ts'
import { html, type Children } from './kit/html.ts'
import { Icon } from './kit/icon.ts'
import { LanguageChoice } from './language-choice.ts'
import { go } from './navigation.ts'
import { terminalState } from './terminal-state.ts'
import { say } from './words.ts'

interface FrameProps {
  /** Path of the page that is shown. */
  current: string
  /** Paths of the pages that are listed. */
  paths: readonly string[]
  visit: number
  children: Children
}

export function Frame({ current, paths, visit, children }: FrameProps): VNode {
  const list = useRef<HTMLUListElement>(null)
  const [terminalName, setTerminalName] = useState('')
  useEffect(() => {
    list.current!.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest', inline: 'center' })
    void terminalState().then((state) => setTerminalName(state?.device?.name ?? state?.code ?? ''))
  }, [visit])
  const link = (path: string) => html`<${PageLink} path=${path} isCurrent=${path === current} />`
  return html`
    <div class="shell">
      <nav class="side" aria-label=${say('pages')}>
        <p class="device">${terminalName}</p>
        <ul ref=${list}>
          ${paths.map((path) => html`<li key=${path}>${link(path)}</li>`)}
        </ul>
      </nav>
      <div class="body">
        <header class="bar">
          <h1>${say(`page.${current}`)}</h1>
          <${LanguageChoice} />
          ${link('account')}
          <${Button} look="plain" onPress=${logOut}><${Icon} name="leave" />${say('logout')}<//>
        </header>
        ${children}
      </div>
    </div>
  `
}

function PageLink({ path, isCurrent }: { path: string; isCurrent: boolean }): VNode {
  const follow = (event: MouseEvent) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return
    event.preventDefault()
    go(path)
  }
  return html`<a href="/console/${path}" aria-current=${isCurrent ? 'page' : undefined} onClick=${follow}>
    <${Icon} name=${path} /><span>${say(`page.${path}`)}</span>
  </a>`
}

const logOut = (): void =>
  void call('POST', 'logout')
    .catch(() => {})
    .then(() => go('login'))
