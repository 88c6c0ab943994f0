/** The part of a long tree that is visible: only its lines are drawn. */
import { useEffect, useLayoutEffect, useRef, useState, type RefObject } from 'react'
import type { TreeCursor } from './useTreeCursor.ts'

/** Pixels of a line; as in the style sheet. */
export const LINE_PX = 34
/** Lines above and below the visible ones. */
const SPARE = 12
/** With more lines than this, only the visible ones are drawn. */
const DRAWN_AT_ONCE = 120

interface TreeWindow {
  frame: RefObject<HTMLDivElement | null>
  /** First and last line that are drawn. */
  drawn: [number, number]
  /** Lines that a page key moves by. */
  pageLines: number
  onScroll: (frame: HTMLDivElement) => void
  /** Move the focus along with the next change of the cursor. */
  focusNext: () => void
}

interface TreePlace {
  /** Number of lines. */
  lines: number
  /** Index of the line that Tab leads to. */
  entrance: number
  cursor: TreeCursor['cursor']
  chosen: string | undefined
}

const viewOf = ({ scrollTop, clientHeight }: HTMLDivElement) => ({ top: scrollTop, height: clientHeight })

export function useTreeWindow({ lines, entrance, cursor, chosen }: TreePlace): TreeWindow {
  const frame = useRef<HTMLDivElement>(null)
  const [view, setView] = useState({ top: 0, height: 800 })
  const focusIsDue = useRef(false)

  useEffect(() => {
    const element = frame.current
    if (!element) return
    const observer = new ResizeObserver(() => setView(viewOf(element)))
    observer.observe(element)
    return () => observer.disconnect()
  }, [])
  // The line of the arrow keys is scrolled into sight, and so is the chosen one when the tree opens.
  useLayoutEffect(() => {
    const element = frame.current
    if (!element) return
    const top = entrance * LINE_PX
    if (top < element.scrollTop) element.scrollTop = top
    else if (top + LINE_PX > element.scrollTop + element.clientHeight) element.scrollTop = top + LINE_PX - element.clientHeight
    if (!focusIsDue.current) return
    focusIsDue.current = false
    element.querySelector<HTMLElement>('li[tabindex="0"]')?.focus({ preventScroll: true })
  }, [cursor, entrance, chosen])

  return {
    frame,
    drawn:
      lines <= DRAWN_AT_ONCE
        ? [0, lines - 1]
        : [Math.floor(view.top / LINE_PX) - SPARE, Math.ceil((view.top + view.height) / LINE_PX) + SPARE],
    pageLines: Math.max(1, Math.floor(view.height / LINE_PX) - 1),
    onScroll: (element) => setView(viewOf(element)),
    focusNext() {
      focusIsDue.current = true
    },
  }
}
