/** The page shown in place of all others during an upgrade: nothing else can be done until the terminal is back. */
import type { VNode } from 'preact'
import { useEffect } from 'preact/hooks'
import { html } from './kit/html.ts'
import { Icon } from './kit/icon.ts'
import { terminalState } from './terminal-state.ts'
import { say } from './words.ts'

/** Milliseconds between two requests to the terminal. */
const LOOK_MS = 2_000

export function Upgrading({ words }: { words: string }): VNode {
  useEffect(() => {
    const before = terminalState()
    let wasAway = false
    const timer = setInterval(() => void look(), LOOK_MS)
    async function look(): Promise<void> {
      const [then, now] = [await before, await terminalState()]
      if (!now) wasAway = true
      if (!now || (!wasAway && now.version === then?.version)) return
      clearInterval(timer)
      location.assign('/console/device')
    }
    return () => clearInterval(timer)
  }, [])
  return html`<main class="blocked" role="alert">
    <${Icon} name="warning" />
    <h1>${words}</h1>
    <p>${say('upgradeHint')}</p>
  </main>`
}
