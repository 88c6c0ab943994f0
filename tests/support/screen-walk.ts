/**
 * A walk over every screen of the console in its plain state. The screens are those of the table: a new one is walked without a line,
 * except for one with a parameter, whose meaning `screen-addresses.ts` has to know.
 */
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import type { World } from '@gatehouse/dev-env/world'
import { path } from '../../apps/console/src/paths.ts'
import { screenEntries, type ScreenName } from '../../apps/console/src/screens.ts'
import { expectAccessible, openConsole, type ConsoleWishes } from './console.ts'
import { furnishScreens } from './screen-addresses.ts'
import { englishIn, keyboardFaults, namesOfTexts, textsOf, watch, type Watch } from './screen-looks.ts'
import { sharedBrowser, sharedWorld } from './stage.ts'

/** Screens that lead on at once, to home where a session is good. */
const LEADS_HOME: readonly ScreenName[] = ['root', 'refresh']

/** Makes the tests of a walk: one for each screen. The console is loaded once, and goes from screen to screen by its address. */
export function walkScreens(wishes: Required<Pick<ConsoleWishes, 'language' | 'theme'>>): void {
  let world: World
  let browser: Browser
  let addressOf: Awaited<ReturnType<typeof furnishScreens>>
  let walker: { page: Page; context: BrowserContext; watched: Watch }
  const walked = new Set<ScreenName>()

  beforeAll(async () => {
    world = await sharedWorld()
    browser = await sharedBrowser()
    addressOf = await furnishScreens(world)
    const { page, context } = await openConsole(browser, world, wishes)
    walker = { page, context, watched: watch(page) }
    await walker.watched.settled('home')
  })
  afterAll(async () => {
    await walker?.context.close()
    await world?.stop()
  })

  const goTo = (page: Page, address: string) => page.evaluate(`location.hash = ${JSON.stringify(`#${address}`)}`)

  /** Fails with what is wrong with the screen that stands at this address. */
  async function expectGood(page: Page, watched: Watch, address: string): Promise<void> {
    await watched.settled(address)
    expect(new URL(page.url()).hash, 'the screen that is shown').toBe(`#${address}`)
    await expectAccessible(page)
    const texts = await textsOf(page)
    expect(namesOfTexts(texts), 'texts that lack').toEqual([])
    if (wishes.language !== 'en') expect(englishIn(texts), 'texts in English').toEqual([])
    expect(await keyboardFaults(page), 'what the keyboard does not reach').toEqual([])
    expect(await watched.takeFaults(), 'what went wrong').toEqual([])
  }

  /** In a browser nobody has logged in with. */
  async function walkWithoutSession(address: string): Promise<void> {
    const context = await browser.newContext({ viewport: { width: 1280, height: 800 } })
    onTestFinished(() => context.close())
    await context.addInitScript((kept) => {
      for (const [key, value] of Object.entries(kept)) localStorage.setItem(key, JSON.stringify(value))
    }, wishes)
    const page = await context.newPage()
    const watched = watch(page)
    await page.goto(`${world.url}/#${address}`)
    await expectGood(page, watched, address)
  }

  async function walkOn(address: string, end: string): Promise<void> {
    const { page, watched } = walker
    // What the screen before has left behind is no fault of this one.
    await watched.takeFaults()
    await goTo(page, address)
    await expectGood(page, watched, end)
  }

  test.each(screenEntries.map(([name, screen]) => ({ name, screen })))('$name', async ({ name, screen }) => {
    const address = addressOf(name, screen)
    if (screen.auth === 'none') await walkWithoutSession(address)
    else if (LEADS_HOME.includes(name)) {
      await walkOn(path('home'), path('home'))
      await walkOn(address, path('home'))
    } else await walkOn(address, address)
    walked.add(name)
  })

  test('every screen of the table was walked', () => {
    expect(walked.size).toBe(screenEntries.length)
  })
}
