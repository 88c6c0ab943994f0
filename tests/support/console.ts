/** The console in a browser, as somebody who has logged in sees it. */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type Axe from 'axe-core'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { expect, onTestFinished } from 'vitest'
import type { Language } from '@gatehouse/contract'
import { keptTokens } from '../../apps/console/src/kit/storage.ts'
import { identityCalls, type Tokens } from '@gatehouse/contract/identity/calls'
import { createClient, logIn } from '@gatehouse/dev-env/client'
import { ADMIN, type World } from '@gatehouse/dev-env/world'
import { keepWhenFailed } from './failure.ts'

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

type Place = Pick<World, 'url' | 'park'>

/** Tokens of sessions that may still be good, by park and account: a login takes longer than what most tests do with it. */
const sessions = new Map<string, Tokens>()

async function tokensOf({ url, park }: Place, user: { account: string; password: string }): Promise<Tokens> {
  const key = [url, park.areaCode, user.account, user.password].join(' ')
  const known = sessions.get(key)
  if (known !== undefined && (await createClient(url, { bearer: known.access_token }).ask(identityCalls.profile, {})).code === 0)
    return known
  const tokens = await logIn(createClient(url), { areaCode: park.areaCode, ...user })
  sessions.set(key, tokens)
  return tokens
}

/** What the browser of somebody who has logged in keeps. */
async function keptBy(place: Place, { language = 'en', theme = 'light', user = ADMIN }: ConsoleWishes): Promise<Record<string, unknown>> {
  return { language, theme, ...keptTokens(await tokensOf(place, user), Date.now()) }
}

const VIEWPORT = { width: 1280, height: 800 }

/** Opens an address as somebody comes back to it; how they log in is for the tests of the login page. The caller closes the context. */
export async function openConsole(
  browser: Browser,
  world: Place,
  { at = '/home', reducedMotion, ...wishes }: ConsoleWishes = {},
): Promise<{ page: Page; context: BrowserContext }> {
  const localStorage = Object.entries(await keptBy(world, wishes)).map(([name, value]) => ({ name, value: JSON.stringify(value) }))
  const context = await browser.newContext({
    viewport: VIEWPORT,
    ...(reducedMotion && { reducedMotion }),
    storageState: { cookies: [], origins: [{ origin: new URL(world.url).origin, localStorage }] },
  })
  const page = await context.newPage()
  await page.goto(`${world.url}/#${at}`)
  return { page, context }
}

/** A context of each browser that stays open: the console's files are fetched once. */
const lasting = new WeakMap<Browser, Promise<BrowserContext>>()
/** Whether a test has its page: what is stored belongs to one page at a time. */
const lent = new WeakSet<Browser>()

function lastingContext(browser: Browser): Promise<BrowserContext> {
  const known = lasting.get(browser) ?? browser.newContext({ viewport: VIEWPORT })
  lasting.set(browser, known)
  return known
}

/** Opens an address in the lasting context. Whatever the test before has stored is gone. */
async function openInLasting(browser: Browser, world: Place, { at = '/home', ...wishes }: ConsoleWishes): Promise<Page> {
  const kept = await keptBy(world, wishes)
  const page = await (await lastingContext(browser)).newPage()
  await page.addInitScript((entries) => {
    // Once in the life of the page: what it stores itself stays when it is loaded again.
    if (sessionStorage.getItem('prepared') !== null) return
    localStorage.clear()
    for (const [name, value] of Object.entries(entries)) localStorage.setItem(name, JSON.stringify(value))
    sessionStorage.setItem('prepared', 'true')
  }, kept)
  await page.goto(`${world.url}/#${at}`)
  return page
}

/**
 * Opens addresses in pages that end with the test: the first of a test in a context that lasts, further ones, which stand for
 * other people, in contexts of their own. @param of asked when a test runs, since both are made before all of them
 */
export const pagesOf =
  (of: () => { browser: Browser; world: Place }) =>
  async (at: string, wishes: ConsoleWishes = {}): Promise<Page> => {
    const { browser, world } = of()
    if (lent.has(browser) || wishes.reducedMotion !== undefined) {
      const { page, context } = await openConsole(browser, world, { ...wishes, at })
      onTestFinished(() => context.close())
      await keepWhenFailed(page)
      return page
    }
    lent.add(browser)
    const page = await openInLasting(browser, world, { ...wishes, at })
    onTestFinished(async () => {
      await page.close()
      lent.delete(browser)
    })
    await keepWhenFailed(page)
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

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** What axe finds on the page as it stands, each with the places; empty where all is well. Run in the page itself: a page of its own for the report takes longer than axe. */
async function accessibilityFindings(page: Page): Promise<string[]> {
  await page.evaluate(AT_REST)
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(AXE)
  const violations = await page.evaluate(async () => {
    const { axe } = globalThis as unknown as { axe: typeof Axe }
    const results = await axe.run({ resultTypes: ['violations'] } as never)
    return results.violations.map(({ id, nodes }) => ({ id, places: nodes.map(({ target }) => target.join(' ')) }))
  })
  return violations.map(({ id, places }) => `${id}: ${places.join(' | ')}`)
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
