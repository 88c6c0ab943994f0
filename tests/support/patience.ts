/** Settings of every context of a browser test, so that a busy machine does not change what a test sees. */
import type { Browser } from 'playwright-core'

/** Milliseconds until an element is considered missing; a test never proves anything about speed. */
const PATIENCE = 60_000

/**
 * Give contexts this browser opens from now on a long time-out, and no animations unless a test asks for them: a dialog that is still
 * growing between mouse down and mouse up has moved, so that there is no click. No person clicks that fast.
 */
export function patient(browser: Browser): Browser {
  const open = browser.newContext.bind(browser)
  browser.newContext = async (options) => {
    const context = await open({ reducedMotion: 'reduce', ...options })
    context.setDefaultTimeout(PATIENCE)
    return context
  }
  return browser
}
