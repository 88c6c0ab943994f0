/** The screen saver: comes when nobody has been here for a while, goes at once when somebody is. */

export interface Saver {
  /** Somebody is here. */
  somebody(): void
  /** The settings may be others. */
  refresh(): void
}

/**
 * @param after seconds without anybody; 0: never
 * @param show puts it on the screen or takes it away
 */
export function createSaver(after: () => number, show: (on: boolean) => void): Saver {
  let timer: ReturnType<typeof setTimeout> | undefined
  let waits = 0
  let on = false

  function turn(next: boolean): void {
    if (next === on) return
    on = next
    show(next)
  }

  function wait(): void {
    clearTimeout(timer)
    waits = after()
    if (waits > 0) timer = setTimeout(() => turn(true), waits * 1000)
  }

  return {
    somebody() {
      turn(false)
      wait()
    },
    refresh() {
      if (after() === waits) return
      turn(false)
      wait()
    },
  }
}
