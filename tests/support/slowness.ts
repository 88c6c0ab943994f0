/**
 * Two ways to find browser tests that depend on who is faster, the page or the test:
 * `BROWSER_LATENCY=400 npm test -- tests/e2e` holds each request of a page back for up to 400 ms, each for another time;
 * `BROWSER_PACE=150 npm test -- tests/e2e` lets each step of a test wait for 150 ms, so that the page has always got further.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Browser } from 'playwright-core'

/** Milliseconds a request waits at most; 0: none waits. */
const LATENCY = Number(process.env.BROWSER_LATENCY ?? 0)

/** Options of a browser whose tests are slow, where that was asked for. */
export const pace = (): { slowMo?: number } => (process.env.BROWSER_PACE === undefined ? {} : { slowMo: Number(process.env.BROWSER_PACE) })

/** Makes all contexts this browser opens from now on slow, where that was asked for. */
export function slowDown(browser: Browser): Browser {
  if (LATENCY === 0) return browser
  const open = browser.newContext.bind(browser)
  browser.newContext = async (options) => {
    const context = await open(options)
    await context.route('**/*', async (route) => {
      await sleep(Math.random() * LATENCY)
      // The page may have gone on meanwhile.
      await route.continue().catch(() => {})
    })
    return context
  }
  return browser
}
