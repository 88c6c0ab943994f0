/** Looking back among the last passages while others come: what is looked at stays where it is, and is left again after a while. */
import { useEffect, useEffectEvent, useState } from 'react'
import type { AccessRecord } from '@gatehouse/contract/records/calls'

/** Passages that can be looked at. */
const STRIP = 6
/** Without a key it goes back to what is live; milliseconds. */
const BACK_AFTER = 20_000

interface Look {
  id: string
  /** Ids of those that stood in the strip, newest first: they stay while one of them is looked at. */
  strip: readonly string[]
  /** When it was chosen; epoch milliseconds. */
  at: number
}

export interface Stepping {
  strip: AccessRecord[]
  /** What is looked at; undefined: what is live. */
  chosen: AccessRecord | undefined
  /** Passages that came since. */
  missed: number
  choose: (id: string) => void
  step: (by: number) => void
  back: () => void
}

/**
 * @param rows newest first
 * @param live id of what has the stage
 * @param isHeld whether it has to stay, as while something is asked about it
 */
export function useStepping(rows: readonly AccessRecord[], live: string | undefined, isHeld: boolean): Stepping {
  const [look, setLook] = useState<Look>()
  const newest = rows.slice(0, STRIP)
  const held = (look?.strip ?? []).flatMap((id) => rows.find((row) => row.id === id) ?? [])
  const strip = look === undefined ? newest : held
  const chosen = strip.find(({ id }) => id === look?.id)
  const first = rows.findIndex(({ id }) => id === held[0]?.id)
  const choose = (id: string): void => setLook({ id, strip: strip.map((row) => row.id), at: Date.now() })
  const back = (): void => setLook(undefined)

  const at = look?.at
  const leave = useEffectEvent(back)
  useEffect(() => {
    if (at === undefined || isHeld) return
    const timer = setTimeout(leave, BACK_AFTER)
    return () => clearTimeout(timer)
  }, [at, isHeld])

  return {
    strip,
    chosen,
    missed: look === undefined ? 0 : Math.max(0, first),
    choose,
    step: (by) => {
      const place = strip.findIndex(({ id }) => id === (look?.id ?? live))
      const next = strip[Math.min(Math.max(place + by, 0), strip.length - 1)]
      if (next) choose(next.id)
    },
    back,
  }
}
