/** What every context of a browser test begins with, so that a busy machine changes nothing about what a test sees. */
import type { Browser } from 'playwright-core'

/** Milliseconds until what is looked for is taken not to come; a test never proves anything about speed. */
const PATIENCE = 60_000

/**
 * Makes contexts this browser opens from now on wait long, and without animations unless a test asks for them: a dialog that is
 * still growing when the button goes down is elsewhere when it comes up, which is no click. Nobody's hand is that fast.
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
