/** The current upgrade on the screen. */
import type { UpgradeShown } from '../upgrade/agent.ts'
import { fill } from './texts.ts'

const WORDS = {
  downloading: 'upgradeDownloading',
  checking: 'upgradeChecking',
  prompt: 'upgradePrompt',
  installing: 'upgradeInstalling',
} as const

/** Show it, with a button if a person must agree. */
export function showUpgrade(own: Record<string, string>, upgrade: UpgradeShown | null): void {
  const place = document.getElementById('upgrade')!
  place.hidden = upgrade === null
  if (upgrade === null) return
  const { versionNumber, content, step, progress } = upgrade
  const words = fill(own, WORDS[step], { version: versionNumber, percent: progress })
  document.getElementById('upgrade-words')!.textContent = content === '' || step !== 'prompt' ? words : `${words} ${content}`
  const agree = document.getElementById('upgrade-agree')!
  agree.textContent = fill(own, 'upgradeAgree')
  agree.hidden = step !== 'prompt'
}

/** Make the button agree. */
export function listenForAgreement(): void {
  document.getElementById('upgrade-agree')!.addEventListener('click', () => void fetch('/upgrade', { method: 'POST' }).catch(() => {}))
}
