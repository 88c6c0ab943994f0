/** Work that is requested often and done one run at a time. */

export interface Coalesced {
  /** Request a run; requests during a run become one more run. */
  soon(): void
  /** Resolve after a run that started after this call. */
  now(): Promise<void>
  /** Allow no more runs; resolve when the last one has ended. */
  stop(): Promise<void>
}

/**
 * Coalesce the runs of work.
 * @param work must not reject
 * @param gapMs milliseconds from the end of a run to the start of the next one requested by `soon`
 */
export function coalesce(work: () => Promise<void>, gapMs = 0): Coalesced {
  let running: Promise<void> | null = null
  let next: Promise<void> | null = null
  let timer: NodeJS.Timeout | undefined
  let endedAt = -Infinity
  let again = false
  let stopped = false

  function soon(): void {
    if (stopped || timer !== undefined) return
    if (running !== null) {
      again = true
      return
    }
    const wait = gapMs - (performance.now() - endedAt)
    if (wait <= 0) return void now()
    timer = setTimeout(() => {
      timer = undefined
      void now()
    }, wait)
  }

  function now(): Promise<void> {
    if (stopped) return running ?? Promise.resolve()
    if (running !== null) {
      return (next ??= running.then(() => {
        next = null
        return now()
      }))
    }
    running = work().finally(() => {
      running = null
      endedAt = performance.now()
      if (!again) return
      again = false
      soon()
    })
    return running
  }

  return {
    soon,
    now,
    async stop() {
      stopped = true
      clearTimeout(timer)
      await running
    },
  }
}
