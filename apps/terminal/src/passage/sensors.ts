/** The latest that sensors at the door said of whoever stands there. */
import type { Measured } from '@gatehouse/access-rules'

export interface Sensors {
  /** Takes what a sensor said; what it did not speak of stays. */
  tell(measured: Measured, now: number): void
  /** What is not older than a while. */
  latest(now: number): Measured
  /** Whoever comes next is somebody else. */
  forget(): void
}

/** @param within milliseconds for which what was said is of whoever stands there */
export function createSensors(within: () => number): Sensors {
  const told = new Map<keyof Measured, { value: number | boolean; at: number }>()
  return {
    tell(measured, now) {
      for (const [name, value] of Object.entries(measured)) if (value != null) told.set(name as keyof Measured, { value, at: now })
    },
    latest: (now) => Object.fromEntries([...told].filter(([, { at }]) => now - at <= within()).map(([name, { value }]) => [name, value])),
    forget: () => told.clear(),
  }
}
