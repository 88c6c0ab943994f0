/** The latest measurements of the sensors, which belong to the person at the door. */
import type { Measured } from '@gatehouse/access-rules'

export interface Sensors {
  /** Note the values a sensor measured; the others stay. */
  note(measured: Measured, now: number): void
  /** Return the measurements that are recent enough. */
  latest(now: number): Measured
  /** Forget all measurements, because the next person is another one. */
  forget(): void
}

/** @param within returns the milliseconds for which a measurement belongs to the person at the door */
export function createSensors(within: () => number): Sensors {
  const latestValues = new Map<keyof Measured, { value: number | boolean; at: number }>()
  return {
    note(measured, now) {
      for (const [name, value] of Object.entries(measured)) if (value != null) latestValues.set(name as keyof Measured, { value, at: now })
    },
    latest: (now) =>
      Object.fromEntries([...latestValues].filter(([, { at }]) => now - at <= within()).map(([name, { value }]) => [name, value])),
    forget: () => latestValues.clear(),
  }
}
