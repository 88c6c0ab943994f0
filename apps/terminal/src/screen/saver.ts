/** The screen saver. It appears when nobody has been here for a while, and disappears at once when somebody is. */

export interface Saver {
  /** Somebody is here. */
  somebody(): void
  /** Apply changed settings. */
  refresh(): void
}

/**
 * @param after returns the seconds without anybody; 0: never
 * @param show shows it or removes it
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
