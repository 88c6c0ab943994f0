/** The console in a browser, as somebody who has logged in sees it. */
import { AxeBuilder } from '@axe-core/playwright'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { expect, onTestFinished } from 'vitest'
import type { Language } from '@gatehouse/contract'
import { keptTokens } from '../../apps/console/src/kit/storage.ts'
import { createClient, logIn } from '@gatehouse/dev-env/client'
import { ADMIN, type World } from '@gatehouse/dev-env/world'

export interface ConsoleWishes {
  language?: Language
  theme?: 'light' | 'dark'
  /** Address behind the `#` to open after login; home unless told. */
  at?: string
  /** As the system's setting says; `reduce` unless told. */
  reducedMotion?: 'reduce' | 'no-preference'
  /** Who has logged in; the administrator unless told. */
  user?: { account: string; password: string }
}

/** Opens an address as somebody comes back to it; how they log in is for the tests of the login page. The caller closes the context. */
export async function openConsole(
  browser: Browser,
  world: Pick<World, 'url'>,
  { language = 'en', theme = 'light', at = '/home', reducedMotion, user = ADMIN }: ConsoleWishes = {},
): Promise<{ page: Page; context: BrowserContext }> {
  const kept = { language, theme, ...keptTokens(await logIn(createClient(world.url), user), Date.now()) }
  const localStorage = Object.entries(kept).map(([name, value]) => ({ name, value: JSON.stringify(value) }))
  const context = await browser.newContext({
    viewport: { width: 1280, height: 800 },
    ...(reducedMotion && { reducedMotion }),
    storageState: { cookies: [], origins: [{ origin: new URL(world.url).origin, localStorage }] },
  })
  const page = await context.newPage()
  await page.goto(`${world.url}/#${at}`)
  return { page, context }
}

/** Opens addresses in a browser context that ends with the test. @param of asked when a test runs, since both are made before all of them */
export const pagesOf =
  (of: () => { browser: Browser; world: Pick<World, 'url'> }) =>
  async (at: string, wishes: ConsoleWishes = {}): Promise<Page> => {
    const { browser, world } = of()
    const { page, context } = await openConsole(browser, world, { ...wishes, at })
    onTestFinished(() => context.close())
    return page
  }

/** Waits until the address behind the `#` holds this: a page, or what its list is narrowed to. */
export async function expectAddress(page: Page, part: string): Promise<void> {
  await expect.poll(() => new URL(page.url()).hash).toContain(part)
}

/** A form takes the focus once it has opened; a list opened before that would close again. */
export const formReady = (page: Page): Promise<unknown> => page.getByRole('dialog').locator('input:focus').first().waitFor()

/** Colours on their way from one state to another are nobody's contrast; what turns for ever, such as a spinner, is not waited for. */
const AT_REST = `Promise.allSettled(document.getAnimations()
  .filter(({ effect }) => effect.getComputedTiming().endTime !== Infinity)
  .map(({ finished }) => finished))`

/** What axe finds on the page as it stands, each with the places; empty where all is well. */
async function accessibilityFindings(page: Page): Promise<string[]> {
  await page.evaluate(AT_REST)
  const { violations } = await new AxeBuilder({ page }).analyze()
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(' ')).join(' | ')}`)
}

/** Looks of axe at a page that is still arriving. */
const LOOKS = 4

/** Fails with what axe finds once the page has settled: a text or a chart that is on its way has no name yet. */
export async function expectAccessible(page: Page): Promise<void> {
  let findings = await accessibilityFindings(page)
  for (let look = 1; look < LOOKS && findings.length > 0; look++) {
    await page.waitForTimeout(300)
    findings = await accessibilityFindings(page)
  }
  expect(findings).toEqual([])
}
