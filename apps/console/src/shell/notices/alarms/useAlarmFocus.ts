/** The keyboard's way to the bubbles and back. */
import { useEffect, useEffectEvent, useRef, type RefObject } from 'react'
import { KEYS } from '../../../kit/keys.ts'

const [KEY] = KEYS.everywhere.alarm
const bubblesOf = (region: HTMLElement | null): HTMLElement[] => [...(region?.querySelectorAll<HTMLElement>('[data-bubble]') ?? [])]

/**
 * F8 leads to the newest bubble, Esc closes the one the keyboard is in.
 *
 * @returns closes a bubble by its id: the keyboard moves to the next one, or back to where it was
 */
export function useAlarmFocus(region: RefObject<HTMLElement | null>, close: (id: string) => void): (id: string) => void {
  const before = useRef<HTMLElement>(null)
  function leave(id: string): void {
    const all = bubblesOf(region.current)
    const leaving = all.find((bubble) => bubble.dataset.bubble === id)
    const hadFocus = leaving?.contains(document.activeElement)
    close(id)
    if (!hadFocus) return
    const back = before.current?.isConnected ? before.current : document.getElementById('content')
    const next = all.find((bubble) => bubble !== leaving) ?? back
    next?.focus({ preventScroll: true })
  }
  const leaveThis = useEffectEvent(leave)
  useEffect(() => {
    const press = (event: KeyboardEvent): void => {
      const [newest] = bubblesOf(region.current)
      if (newest === undefined) return
      const inside = bubblesOf(region.current).find((bubble) => bubble.contains(document.activeElement))
      if (event.key === KEY) newest.focus()
      else if (event.key === 'Escape' && inside?.dataset.bubble) leaveThis(inside.dataset.bubble)
      else return
      // What lies below has an Esc of its own.
      event.preventDefault()
      event.stopImmediatePropagation()
    }
    const enter = (event: FocusEvent): void => {
      const { target, relatedTarget } = event
      if (!(target instanceof Node) || !region.current?.contains(target)) return
      // A dialog calls the focus back wherever it goes: an alarm does not wait for it to be closed.
      event.stopPropagation()
      if (relatedTarget instanceof HTMLElement && !region.current.contains(relatedTarget)) before.current = relatedTarget
    }
    window.addEventListener('keydown', press, { capture: true })
    document.addEventListener('focusin', enter)
    return () => {
      window.removeEventListener('keydown', press, { capture: true })
      document.removeEventListener('focusin', enter)
    }
  }, [region])
  return leave
}
