/**
 * Answers that come late, to find browser tests that only pass where the console is faster than they are:
 * `BROWSER_LATENCY=400 npm run test:browser` holds each request of a page back for up to 400 ms, each for another time.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Browser } from 'playwright-core'

/** Milliseconds a request waits at most; 0: none waits. */
const LATENCY = Number(process.env.BROWSER_LATENCY ?? 0)

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
