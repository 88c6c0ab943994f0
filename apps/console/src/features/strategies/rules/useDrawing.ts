/** Drawing a period on the bar of a day with the mouse, by half hours. Keyboards use the figures instead. */
import { useState, type PointerEvent } from 'react'

const STEP = 30
const DAY_MINUTES = 1440

interface Span {
  from: number
  to: number
}

/** @param done told the minutes past midnight of what was drawn */
export function useDrawing(done: (from: number, to: number) => void) {
  const [drawn, setDrawn] = useState<{ anchor: number; head: number }>()
  const minuteAt = (event: PointerEvent<HTMLElement>): number => {
    const { left, width } = event.currentTarget.getBoundingClientRect()
    const share = Math.min(Math.max((event.clientX - left) / width, 0), 1)
    return Math.round((share * DAY_MINUTES) / STEP) * STEP
  }
  const span: Span | undefined = drawn && { from: Math.min(drawn.anchor, drawn.head), to: Math.max(drawn.anchor, drawn.head) }
  return {
    /** What is being drawn. */
    span,
    handlers: {
      onPointerDown: (event: PointerEvent<HTMLElement>) => {
        if (event.button !== 0) return
        event.currentTarget.setPointerCapture(event.pointerId)
        const at = minuteAt(event)
        setDrawn({ anchor: at, head: at })
      },
      onPointerMove: (event: PointerEvent<HTMLElement>) => {
        const head = minuteAt(event)
        setDrawn((before) => before && { ...before, head })
      },
      onPointerUp: () => {
        // A mere click draws nothing.
        if (span && span.to > span.from) done(span.from, span.to)
        setDrawn(undefined)
      },
      onPointerCancel: () => setDrawn(undefined),
    },
  }
}
