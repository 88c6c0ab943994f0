/**
 * Two ways to find browser tests that depend on whether the page or the test is faster: `BROWSER_LATENCY=400 npm test -- tests/e2e` delays
 * each request of a page by a random time of up to 400 ms; `BROWSER_PACE=150 npm test -- tests/e2e` makes each step of a test wait for 150
 * ms, so that the page is always ahead.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Browser } from 'playwright-core'

/** Maximum delay of a request in milliseconds; 0: no delay. */
const LATENCY = Number(process.env.BROWSER_LATENCY ?? 0)

/** Return options of a browser with slow tests, where that was requested. */
export const pace = (): { slowMo?: number } => (process.env.BROWSER_PACE === undefined ? {} : { slowMo: Number(process.env.BROWSER_PACE) })

/** Make all contexts this browser opens from now on slow, where that was requested. */
export function slowDown(browser: Browser): Browser {
  if (LATENCY === 0) return browser
  const open = browser.newContext.bind(browser)
  browser.newContext = async (options) => {
    const context = await open(options)
    await context.route('**/*', async (route) => {
      await sleep(Math.random() * LATENCY)
      // The page may have been left since.
      await route.continue().catch(() => {})
    })
    return context
  }
  return browser
}
