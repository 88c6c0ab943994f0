/** The console in a browser, as somebody who has logged in sees it. */
import { AxeBuilder } from '@axe-core/playwright'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { expect, onTestFinished } from 'vitest'
import type { Language } from '@gatehouse/contract'
import { ADMIN, type World } from '@gatehouse/dev-env/world'

export interface ConsoleWishes {
  language?: Language
  theme?: 'light' | 'dark'
  /** Address behind the `#` to open after login; home unless told. */
  at?: string
  /** As the system's setting says. */
  reducedMotion?: 'reduce'
}

/** Logs in on the login page and opens an address. The caller closes the context. */
export async function openConsole(browser: Browser, world: Pick<World, 'url'>, { language = 'en', theme = 'light', at = '/home', reducedMotion }: ConsoleWishes = {}): Promise<{ page: Page; context: BrowserContext }> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, reducedMotion: reducedMotion ?? null })
  await context.addInitScript(
    ([chosenLanguage, chosenTheme]) => {
      localStorage.setItem('language', JSON.stringify(chosenLanguage))
      localStorage.setItem('theme', JSON.stringify(chosenTheme))
    },
    [language, theme] as const,
  )
  const page = await context.newPage()
  await page.goto(`${world.url}/#/login`)
  await page.locator('input[autocomplete="username"]').fill(ADMIN.account)
  await page.locator('input[type="password"]').fill(ADMIN.password)
  await page.keyboard.press('Enter')
  await page.waitForURL((url) => url.hash.startsWith('#/home'))
  if (at !== '/home') await page.goto(`${world.url}/#${at}`)
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

/** Fails with what axe finds. */
export async function expectAccessible(page: Page): Promise<void> {
  expect(await accessibilityFindings(page)).toEqual([])
}
