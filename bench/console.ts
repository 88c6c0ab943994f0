/**
 * Measures how soon a browser shows something after an address was opened, in each language: the first paint, the login page, and the first
 * rows of a list, without a cache. The other languages are compared with English. Server and browser share the machine. Also measures the
 * scripts that each page needs before it shows anything, in the size the server sends.
 * CONSOLE_LOADS (9): loads of each page in each language; the languages take turns.
 */
import { LANGUAGES, type Language } from '@gatehouse/contract'
import { startWorld, type World } from '@gatehouse/dev-env/world'
import { screens } from '../apps/console/src/screens.ts'
import { launchChromium } from '../tests/support/chromium.ts'
import { openConsole, openHolding } from '../tests/support/console.ts'
import { scriptBytesOf } from '../tests/support/console-scripts.ts'
import { median, type BenchResult } from './result.ts'
import { settings } from './settings.ts'

/** Persons of the list. */
const PERSONS = 20
/** Maximum ratio of a language's time to that of English. */
const GOAL = 1.2
/** Maximum requests of a first load. */
const REQUESTS_MAX = 40
/** Maximum scripts of the first list, kB. */
const SCRIPTS_MAX = 350

const SHOWN = {
  'login page': { screen: screens.login, by: 'form button[type="submit"]' },
  'first list': { screen: screens.staffList, by: '.ant-table-row' },
}
type Page = keyof typeof SHOWN

interface Load {
  paint: number
  shown: number
  requests: number
}

/** Load a page in a browser without cached files of the console. Return milliseconds since the address was opened. */
async function load(browser: Awaited<ReturnType<typeof launchChromium>>, world: World, language: Language, name: Page): Promise<Load> {
  const { screen, by } = SHOWN[name]
  const at = screen.path
  // A page with few requests, so that its storage can be copied.
  const { context: before } =
    name === 'login page'
      ? await openHolding(browser, world, { language }, { at })
      : await openConsole(browser, world, { language, at: '/403' })
  const storageState = await before.storageState()
  await before.close()
  const context = await browser.newContext({ storageState })
  const page = await context.newPage()
  let requests = 0
  page.on('request', () => requests++)
  await page.addInitScript(`new MutationObserver((_, observer) => {
    if (document.querySelector(${JSON.stringify(by)}) === null) return
    observer.disconnect()
    performance.mark('shown')
  }).observe(document, { childList: true, subtree: true })`)
  await page.goto(`${world.url}/#${at}`)
  await page.locator(by).first().waitFor()
  const [paint, shown] = await page.evaluate(() =>
    ['first-contentful-paint', 'shown'].map((mark) => performance.getEntriesByName(mark)[0]?.startTime ?? Number.NaN),
  )
  await context.close()
  return { paint: paint!, shown: shown!, requests }
}

export async function run(): Promise<BenchResult[]> {
  const loads = settings.CONSOLE_LOADS
  const world = await startWorld({ console: true })
  const browser = await launchChromium()
  try {
    for (let person = 0; person < PERSONS; person++) await world.person()
    const results: BenchResult[] = []
    for (const name of Object.keys(SHOWN) as Page[]) {
      const of = new Map<Language, Load[]>(LANGUAGES.map((language) => [language, []]))
      // The first load of each warms up server and browser.
      for (let round = 0; round <= loads; round++)
        for (const language of LANGUAGES) {
          const one = await load(browser, world, language, name)
          if (round > 0) of.get(language)!.push(one)
        }
      const middle = (language: Language, what: keyof Load): number => median(of.get(language)!.map((one) => one[what]))
      for (const what of ['paint', 'shown'] as const)
        for (const language of LANGUAGES) {
          const value = middle(language, what)
          const title = `${name}, ${what === 'paint' ? 'first paint' : 'shown'}, ${language}`
          results.push(
            language === 'en'
              ? { name: title, value, unit: 'ms' }
              : { name: title, value, unit: 'ms', ratioTo: 'English', ratio: value / middle('en', what), goal: GOAL },
          )
        }
      results.push({
        name: `${name}, requests`,
        value: Math.max(...[...of.values()].flat().map(({ requests }) => requests)),
        unit: '',
        goal: REQUESTS_MAX,
      })
      results.push({
        name: `${name}, scripts`,
        value: scriptBytesOf(SHOWN[name].screen.page) / 1000,
        unit: 'kB',
        ...(name === 'first list' && { goal: SCRIPTS_MAX }),
      })
    }
    return results
  } finally {
    await browser.close()
    await world.stop()
  }
}
