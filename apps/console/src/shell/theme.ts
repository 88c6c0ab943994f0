/** Light or dark mode: the user's choice, else the system's. */
import { create } from 'zustand'
import { storage } from '../api/storage.ts'
import { cssVariablesOf, type Mode } from '../theme/tokens.ts'

const systemDark = matchMedia('(prefers-color-scheme: dark)')
const preferred = (): Mode => storage.get('theme') ?? (systemDark.matches ? 'dark' : 'light')

export const useTheme = create<{ mode: Mode }>(() => ({ mode: preferred() }))
systemDark.addEventListener('change', () => useTheme.setState({ mode: preferred() }))

const systemCalm = matchMedia('(prefers-reduced-motion: reduce)')
/** Whether animations are allowed. antd has to know: it waits for animations to end. */
export const useMotion = create<{ motion: boolean }>(() => ({ motion: !systemCalm.matches }))
systemCalm.addEventListener('change', () => useMotion.setState({ motion: !systemCalm.matches }))

export function chooseTheme(mode: Mode): void {
  storage.set('theme', mode)
  useTheme.setState({ mode })
}

/** Set the palette as variables of the style sheets. */
export function applyTheme(mode: Mode): void {
  const root = document.documentElement
  root.style.colorScheme = mode
  root.dataset['theme'] = mode
  for (const [name, value] of Object.entries(cssVariablesOf(mode))) root.style.setProperty(name, value)
}
applyTheme(useTheme.getState().mode)
