/** The keys of guard mode, wherever the focus is; none while something is typed, asked or chosen. */
import { useEffect, useEffectEvent } from 'react'
import { isKey, isTyping, KEYS } from '../../../kit/keys.ts'

type Use = keyof typeof KEYS.guard
const uses = Object.entries(KEYS.guard) as [Use, readonly string[]][]

/** What lies over the page, or is an alarm of its own, has keys of its own. */
const isElsewhere = ({ target }: KeyboardEvent): boolean =>
  (target instanceof Element && target.closest('[data-bubble]') !== null) ||
  [...document.querySelectorAll('[role="dialog"], [role="menu"]')].some((element) => element.checkVisibility())

export function useGuardKeys(does: Partial<Record<Use, (key: string) => void>>): void {
  const press = useEffectEvent((event: KeyboardEvent): void => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing || isTyping(event) || isElsewhere(event)) return
    const key = event.key.length === 1 ? event.key.toLowerCase() : event.key
    const use = uses.find(([name, keys]) => does[name] !== undefined && isKey(keys, key))?.[0]
    if (use === undefined) return
    event.preventDefault()
    // A key that is held down steps on, and does nothing else again.
    if (!event.repeat || use === 'step') does[use]?.(key)
  })
  useEffect(() => {
    // Before what is closed by the same key is gone.
    window.addEventListener('keydown', press, { capture: true })
    return () => window.removeEventListener('keydown', press, { capture: true })
  }, [])
}
