import { setTimeout as delay } from 'node:timers/promises'

/**
 * Wait until `probe` returns something other than undefined, null or false, and return that. A probe that throws counts as "not yet"; the
 * last failure is reported with the time-out.
 * @param what completes "waited N s for …"
 */
export async function until<Result>(what: string, probe: () => Promise<Result> | Result, seconds = 60): Promise<NonNullable<Result>> {
  const end = Date.now() + seconds * 1_000
  let cause: unknown
  while (Date.now() < end) {
    try {
      const result = await probe()
      if (result !== undefined && result !== null && result !== false) return result
      cause = undefined
    } catch (error) {
      cause = error
    }
    await delay(20)
  }
  const reason = cause instanceof Error ? `: ${cause.message}` : ''
  throw new Error(`waited ${seconds} s for ${what}${reason}`, { cause })
}
