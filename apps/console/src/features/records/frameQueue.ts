/** Frames of live records, passed on no faster than the page paints them. */
import type { AccessRecord } from '@gatehouse/contract/records/calls'
import { joined } from './recordFeed.ts'

export interface Frame {
  rows: AccessRecord[]
  /** Number of rows that were left out of the frame. */
  more: number
}

export interface FrameQueue {
  push: (frame: Frame) => void
  /** Discards waiting frames and accepts no more. */
  stop: () => void
}

/** Return both frames as one; rows beyond `limit` count as left out. */
function merged(earlier: Frame, later: Frame, limit: number): Frame {
  const rows = joined(earlier.rows, later.rows)
  return { rows: rows.slice(0, limit), more: earlier.more + later.more + Math.max(0, rows.length - limit) }
}

const isEmpty = ({ rows, more }: Frame): boolean => rows.length === 0 && more === 0

const afterPaint = (then: () => void): void => void requestAnimationFrame(() => setTimeout(then))

/**
 * Return a queue that shows a frame at once. Frames that arrive before the page has painted it are shown together, so that none waits for
 * all before it.
 * @param limit maximum number of waiting rows @param whenPainted calls back once the page has painted what was shown
 */
export function createFrameQueue(show: (frame: Frame) => void, limit: number, whenPainted = afterPaint): FrameQueue {
  /** What arrived since a frame was shown; undefined once that frame is painted. */
  let waiting: Frame | undefined
  let isStopped = false

  function showNow(frame: Frame): void {
    waiting = { rows: [], more: 0 }
    show(frame)
    whenPainted(showWaiting)
  }
  function showWaiting(): void {
    const next = waiting
    waiting = undefined
    if (!isStopped && next && !isEmpty(next)) showNow(next)
  }
  return {
    push(frame) {
      if (isStopped) return
      if (waiting) waiting = merged(waiting, frame, limit)
      else showNow(frame)
    },
    stop: () => void (isStopped = true),
  }
}
