/** Frames of live alarms, passed on no faster than a guard can read: what arrives in between is joined. */
import { joinedFrames, type AlarmFrame } from './centre.ts'

/** Milliseconds between two changes of what is shown. */
const EVERY = 500
/** Alarms that wait; further ones are only counted. */
const WAITING_MAX = 200

export interface Bursts<Alarm> {
  push: (frame: AlarmFrame<Alarm>) => void
  /** Discards what waits and accepts no more. */
  stop: () => void
}

/** Return a queue that passes on a frame at once, and those that follow within half a second together. */
export function createBursts<Alarm extends { id: string }>(show: (frame: AlarmFrame<Alarm>) => void): Bursts<Alarm> {
  /** What arrived since a frame was passed on; undefined while nothing has to wait. */
  let waiting: AlarmFrame<Alarm> | undefined
  let timer: ReturnType<typeof setTimeout> | undefined
  let isStopped = false

  function showNow(frame: AlarmFrame<Alarm>): void {
    waiting = { rows: [], more: 0 }
    timer = setTimeout(showWaiting, EVERY)
    show(frame)
  }
  function showWaiting(): void {
    const next = waiting
    waiting = undefined
    if (!isStopped && next && (next.rows.length > 0 || (next.more ?? 0) > 0)) showNow(next)
  }
  return {
    push(frame) {
      if (isStopped) return
      if (waiting) waiting = joinedFrames(waiting, frame, WAITING_MAX)
      else showNow(frame)
    },
    stop() {
      isStopped = true
      clearTimeout(timer)
    },
  }
}
