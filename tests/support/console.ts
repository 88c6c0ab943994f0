/** The console in a browser, as a user who has logged in sees it. */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type Axe from 'axe-core'
import type { Browser, BrowserContext, Locator, Page } from 'playwright-core'
import { expect, onTestFinished } from 'vitest'
import type { Language } from '@gatehouse/contract'
import { keptTokens } from '../../apps/console/src/api/storage.ts'
import { identityCalls, type Tokens } from '@gatehouse/contract/identity/calls'
import { createClient, logIn } from '@gatehouse/dev-env/client'
import { ADMIN, type World } from '@gatehouse/dev-env/world'
import { keepWhenFailed } from './failure.ts'
import { until } from './until.ts'

export interface ConsoleOptions {
  language?: Language
  theme?: 'light' | 'dark'
  /** Address behind the `#` to open after login. Default: home. */
  at?: string
  /** The setting of the operating system. Default: `reduce`. */
  reducedMotion?: 'reduce' | 'no-preference'
  /** The user who has logged in. Default: the administrator. */
  user?: { account: string; password: string }
}

type Place = Pick<World, 'url' | 'park'>

/** Tokens of sessions that may still be valid, by park and account: a login takes longer than what most tests do with it. */
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

/** Return what the browser of a logged-in user stores. */
async function keptBy(place: Place, { language = 'en', theme = 'light', user = ADMIN }: ConsoleOptions): Promise<Record<string, unknown>> {
  return { language, theme, ...keptTokens(await tokensOf(place, user), Date.now()) }
}

const VIEWPORT = { width: 1280, height: 800 }

/** Open an address with a stored session; logging in is covered by the tests of the login page. The caller closes the context. */
export async function openConsole(
  browser: Browser,
  world: Place,
  { at = '/home', reducedMotion, ...options }: ConsoleOptions = {},
): Promise<{ page: Page; context: BrowserContext }> {
  return openHolding(browser, world, await keptBy(world, options), { at, reducedMotion })
}

/** Open an address with these entries of the local storage, by their names. The caller closes the context. */
export async function openHolding(
  browser: Browser,
  { url }: Pick<World, 'url'>,
  stored: Record<string, unknown>,
  { at = '/home', reducedMotion }: Pick<ConsoleOptions, 'at' | 'reducedMotion'>,
): Promise<{ page: Page; context: BrowserContext }> {
  const localStorage = Object.entries(stored).map(([name, value]) => ({ name, value: JSON.stringify(value) }))
  const context = await browser.newContext({
    viewport: VIEWPORT,
    ...(reducedMotion && { reducedMotion }),
    storageState: { cookies: [], origins: [{ origin: new URL(url).origin, localStorage }] },
  })
  const page = await context.newPage()
  await page.goto(`${url}/#${at}`)
  return { page, context }
}

/** A page that stays open from test to test, in a context of its own: the console's files are fetched and compiled once. */
interface Seat {
  page: Page
  reducedMotion: ConsoleOptions['reducedMotion']
  taken: boolean
  /** Whether a test changed the page in a way that would affect the next one. */
  altered: boolean
}

const seats = new WeakMap<Browser, Seat[]>()

/** Changes that last when a page goes to another address. */
const LASTING_CHANGES = ['addInitScript', 'emulateMedia', 'exposeBinding', 'exposeFunction', 'on', 'route', 'setViewportSize'] as const

/** Methods that set the clock of a page, also after navigation: in the next test, its own tokens would seem to have expired. */
const CLOCK_CHANGES = ['install', 'pauseAt', 'setFixedTime', 'setSystemTime'] as const

/** Record what a test changes on a page that lasts. */
function noteAlterations(seat: Seat): void {
  function noteCalls<Target extends object>(target: Target, names: readonly (keyof Target)[]): void {
    for (const name of names) {
      const change = (target[name] as (...given: unknown[]) => unknown).bind(target)
      Object.assign(target, {
        [name]: (...given: unknown[]) => {
          seat.altered = true
          return change(...given)
        },
      })
    }
  }
  noteCalls(seat.page, LASTING_CHANGES)
  noteCalls(seat.page.clock, CLOCK_CHANGES)
}

async function takeSeat(browser: Browser, reducedMotion: ConsoleOptions['reducedMotion']): Promise<Seat> {
  const all = seats.get(browser) ?? []
  seats.set(browser, all)
  const free = all.find((seat) => !seat.taken && seat.reducedMotion === reducedMotion)
  if (free !== undefined) {
    free.taken = true
    return free
  }
  const context = await browser.newContext({ viewport: VIEWPORT, ...(reducedMotion && { reducedMotion }) })
  const seat: Seat = { page: await context.newPage(), reducedMotion, taken: true, altered: false }
  noteAlterations(seat)
  all.push(seat)
  return seat
}

/** Release the page for the next test, or close it if it was changed. */
async function leaveSeat(browser: Browser, seat: Seat, failed: boolean): Promise<void> {
  const isAsItWas = !failed && !seat.altered && !seat.page.isClosed() && seat.page.context().pages().length === 1
  // Requests the console still sends must not reach the next test.
  if (
    isAsItWas &&
    (await seat.page.goto('about:blank').then(
      () => true,
      () => false,
    ))
  ) {
    seat.taken = false
    return
  }
  seats.set(
    browser,
    seats.get(browser)!.filter((other) => other !== seat),
  )
  await seat.page.context().close()
}

/** An address of the server that is not a page of the console. */
const OUTSIDE = '/openapi.json/none'

/**
 * Open an address in a page that belongs to the test until it ends, and then to the next one.
 * @param stored entries of the local storage, by their names
 */
export async function pageHolding(
  browser: Browser,
  { url }: Pick<World, 'url'>,
  stored: Record<string, unknown>,
  { at, reducedMotion }: Pick<ConsoleOptions, 'at' | 'reducedMotion'>,
): Promise<Page> {
  const seat = await takeSeat(browser, reducedMotion)
  const { page } = seat
  onTestFinished(({ task }) => leaveSeat(browser, seat, task.result?.state === 'fail'))
  await keepWhenFailed(page)
  await page.context().clearCookies()
  await page.goto(`${url}${OUTSIDE}`)
  await page.evaluate((entries) => {
    localStorage.clear()
    sessionStorage.clear()
    for (const [name, value] of Object.entries(entries)) localStorage.setItem(name, JSON.stringify(value))
  }, stored)
  await page.goto(at === undefined ? `${url}/` : `${url}/#${at}`)
  return page
}

/**
 * Return a function that opens addresses as a user who has logged in. @param of called when a test runs, since browser and world are
 * created before all tests
 */
export const pagesOf =
  (of: () => { browser: Browser; world: Place }) =>
  async (at = '/home', options: ConsoleOptions = {}): Promise<Page> => {
    const { browser, world } = of()
    return pageHolding(browser, world, await keptBy(world, options), { ...options, at })
  }

/** Wait until the address behind the `#` contains this: a page, or a filter of its list. */
export async function expectAddress(page: Page, part: string): Promise<void> {
  await expect.poll(() => new URL(page.url()).hash).toContain(part)
}

/** Type the password where the page asks for it again. Default: the administrator's. */
export async function typePassword(page: Page, password: string = ADMIN.password): Promise<void> {
  const question = page.getByRole('dialog', { name: 'Confirm that it is you' })
  await question.getByLabel('Your password').fill(password)
  await question.getByRole('button', { name: 'Confirm' }).click()
  await question.waitFor({ state: 'hidden' })
}

/** Wait until a form has taken the focus, which it does once it has opened; a list opened before that would close again. */
export const formReady = (page: Page): Promise<unknown> => page.getByRole('dialog').locator('input:focus').first().waitFor()

/** Choose an option of a select by the keyboard; the Enter key chooses nothing before the option is shown. */
export async function pick(field: Locator, name: string): Promise<void> {
  await field.fill(name)
  /** Whether the option is shown in the select's own list: that of the previous select may still be closing. */
  async function isShown(): Promise<boolean> {
    // The select names its list while that is open; one without a choice closes until the server has answered.
    const id = await field.getAttribute('aria-controls')
    const list = field.page().locator('.ant-select-dropdown', { has: field.page().locator(`[id="${id ?? ''}"]`) })
    return id !== null && list.locator('.ant-select-item-option-active').filter({ hasText: name }).isVisible()
  }
  await expect.poll(isShown).toBe(true)
  await field.press('Enter')
}

/** Colours in transition have no meaningful contrast; endless animations, such as a spinner, are not waited for. */
const AT_REST = `Promise.allSettled(document.getAnimations()
  .filter(({ effect }) => effect.getComputedTiming().endTime !== Infinity)
  .map(({ finished }) => finished))`

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/**
 * Return what axe finds on the page in its present state, each with its places; empty where there is nothing. Run in the page itself: a
 * separate page for the report takes longer than axe.
 */
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

/** Number of times axe runs on a page that is still loading. */
const LOOKS = 4

/** Fail with what axe finds once the page has settled: a text or a chart that is still loading has no name yet. */
export async function expectAccessible(page: Page): Promise<void> {
  let findings = await accessibilityFindings(page)
  for (let look = 1; look < LOOKS && findings.length > 0; look++) {
    await page.waitForTimeout(300)
    findings = await accessibilityFindings(page)
  }
  expect(findings).toEqual([])
}

/** Count clicks on a page from now on, until it is loaded again. Return a function that reads the count. */
export async function countClicks(page: Page): Promise<() => Promise<number>> {
  await page.evaluate("window.clicks = 0; window.addEventListener('pointerdown', () => void window.clicks++, true)")
  return () => page.evaluate<number>('window.clicks')
}

/** Log out; resolve when the login page of the new document is shown: what is typed before it is loaded is lost with the old document. */
export async function logOut(page: Page): Promise<void> {
  await page.evaluate('isBeforeLogout = true')
  await page
    .locator('header')
    .getByTitle(/^Account of/)
    .click()
  await page.getByRole('menuitem', { name: 'Log out' }).click()
  // Between the two documents nothing can be evaluated.
  await until('the document after the logout', () => page.evaluate<boolean>("!('isBeforeLogout' in window)").catch(() => false))
  await page.getByRole('button', { name: 'Log in' }).waitFor()
}
