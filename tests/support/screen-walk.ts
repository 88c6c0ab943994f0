/**
 * A walk over every screen of the console in its initial state. The screens are those of the table: a new one is walked without a change
 * here, except for one with a parameter, whose meaning `screen-addresses.ts` has to define.
 */
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser, BrowserContext, Page, Request } from 'playwright-core'
import { afterAll, beforeAll, expect, onTestFailed, test } from 'vitest'
import type { PermissionCode } from '@gatehouse/contract'
import { grantToken, insertUser } from '@gatehouse/dev-env/accounts'
import { startWorld, type World } from '@gatehouse/dev-env/world'
import { path } from '../../apps/console/src/paths.ts'
import { screenEntries, screens, type Screen, type ScreenName } from '../../apps/console/src/screens.ts'
import { expectAccessible, openConsole, openHolding, type ConsoleOptions } from './console.ts'
import { prepareScreenAddresses } from './screen-addresses.ts'
import {
  doubledColumns,
  englishIn,
  keyboardFaults,
  layoutFaults,
  namesOfTexts,
  textsOf,
  unnamedOf,
  watch,
  type Watch,
} from './screen-looks.ts'
import { sharedBrowser } from './stage.ts'

const TEXTS = join(import.meta.dirname, '../../apps/console/src/i18n')

/** Return the titles of all screens in a language: those of the shell, and of each feature. */
const titlesIn = (language: string): Record<ScreenName, string> =>
  Object.assign(
    {},
    ...globSync([`${language}/shell.json`, `${language}/titles/*.json`], { cwd: TEXTS }).map(
      (file) => (JSON.parse(readFileSync(join(TEXTS, file), 'utf8')) as { title: object }).title,
    ),
  ) as Record<ScreenName, string>

/** Screens that redirect at once: to home where the session is valid. */
const LEADS_HOME: readonly ScreenName[] = ['root', 'refresh']

/** Its form opens over the list. */
const OVER_A_LIST: ScreenName = 'apkUpload'
/** Whether a screen is a form of something new; those beside the issued cards write cards. */
const isEmptyForm = (name: ScreenName, { kind, parent, path: own }: Screen, address: string): boolean =>
  kind === 'form' && parent !== 'issuedCards' && address === own && name !== OVER_A_LIST
const IN_WRONG_FIELD = `Boolean(document.activeElement?.closest('.ant-form-item-has-error'))`

interface Walker {
  page: Page
  context: BrowserContext
  watched: Watch
}

const titleIn = (titles: Record<ScreenName, string>, name: ScreenName): string | null =>
  screens[name].layout === 'full' ? null : titles[name]

const goTo = (page: Page, address: string) => page.evaluate(`location.hash = ${JSON.stringify(`#${address}`)}`)

/** Open the console with stored entries of the browser. */
async function openWith(browser: Browser, world: World, stored: Record<string, unknown>, at: string): Promise<Walker> {
  const { page, context } = await openHolding(browser, world, stored, { at })
  return { page, context, watched: watch(page) }
}

/** Define the tests of a walk: one for each screen. The console is loaded once, and goes from screen to screen by its address. */
export function walkScreens(options: Required<Pick<ConsoleOptions, 'language' | 'theme'>>): void {
  let world: World
  let browser: Browser
  let addressOf: Awaited<ReturnType<typeof prepareScreenAddresses>>
  let walker: Walker
  /** A browser in which no user has logged in. */
  let stranger: Walker
  const walked = new Set<ScreenName>()
  const titles = titlesIn(options.language)
  const titleOf = (name: ScreenName): string | null => titleIn(titles, name)

  beforeAll(async () => {
    // Some fixtures belong to the installation.
    world = await startWorld({ console: true })
    browser = await sharedBrowser()
    addressOf = await prepareScreenAddresses(world)
    const { page, context } = await openConsole(browser, world, options)
    walker = { page, context, watched: watch(page) }
    await walker.watched.settled(titleOf('home'))
    stranger = await openWith(browser, world, { ...options }, path('login'))
  })
  afterAll(async () => {
    await walker?.context.close()
    await stranger?.context.close()
    await world?.stop()
  })

  async function expectWords(page: Page): Promise<void> {
    const texts = await textsOf(page)
    expect(namesOfTexts(texts), 'texts that lack').toEqual([])
    if (options.language !== 'en') expect(englishIn(texts), 'texts in English').toEqual([])
  }

  /** Fail unless a form that is sent empty shows its errors at the fields, moves the focus to one of these, and sends no request. */
  async function expectRefusesEmpty(page: Page): Promise<void> {
    const sent: string[] = []
    const note = (request: Request) => void (request.method() === 'GET' || sent.push(`${request.method()} ${request.url()}`))
    page.on('request', note)
    await page.locator('main button[type="submit"]').click()
    await page.locator('main .ant-form-item-explain-error').first().waitFor()
    page.off('request', note)
    expect(sent, 'what was sent').toEqual([])
    expect(await page.locator('main .ant-alert-error').allInnerTexts(), 'said beside the fields').toEqual([])
    expect(await page.evaluate(IN_WRONG_FIELD), 'the focus is in a field that is wrong').toBe(true)
    await expectWords(page)
  }

  /** Fail with the faults of the screen at this address. */
  async function expectGood(page: Page, watched: Watch, name: ScreenName, address: string): Promise<void> {
    await watched.settled(titleOf(name))
    expect(new URL(page.url()).hash, 'the screen that is shown').toBe(`#${address}`)
    await expectAccessible(page)
    expect(await unnamedOf(page), 'named by an icon only').toEqual([])
    await expectWords(page)
    expect(await doubledColumns(page), 'columns of one table under the same title').toEqual([])
    expect(await keyboardFaults(page), 'what the keyboard does not reach').toEqual([])
    // In one language: English texts are the longest.
    if (options.language === 'en') expect(await layoutFaults(page), 'what has no room, by the width of the window').toEqual([])
    expect(await watched.takeFaults(), 'what went wrong').toEqual([])
  }

  async function expectGoodOn({ page, watched }: Walker, address: string, name: ScreenName, end = address): Promise<void> {
    // Faults of one screen must not be reported at the next.
    onTestFailed(() => void watched.takeFaults())
    await goTo(page, address)
    await expectGood(page, watched, name, end)
  }

  test.each(screenEntries.map(([name, screen]) => ({ name, screen })))('$name', async ({ name, screen }) => {
    const address = addressOf(name, screen)
    if (screen.auth === 'none') await expectGoodOn(stranger, address, name)
    else if (LEADS_HOME.includes(name)) {
      await expectGoodOn(walker, path('home'), 'home')
      await expectGoodOn(walker, address, 'home', path('home'))
    } else await expectGoodOn(walker, address, name)
    if (isEmptyForm(name, screen, address)) await expectRefusesEmpty(walker.page)
    walked.add(name)
  })

  test('every screen of the table was walked', async () => {
    for (const { watched } of [walker, stranger]) expect(await watched.takeFaults(), 'what went wrong at the end').toEqual([])
    expect(walked.size).toBe(screenEntries.length)
  })
}

/** Define the tests of a walk on which each screen is opened by an operator who has the permission it requires and no other. */
export function walkScreensByPermission(): void {
  let world: World
  let browser: Browser
  let addressOf: Awaited<ReturnType<typeof prepareScreenAddresses>>
  let walker: Walker & { permissions: string }
  const titles = titlesIn('en')

  beforeAll(async () => {
    world = await startWorld({ console: true })
    browser = await sharedBrowser()
    addressOf = await prepareScreenAddresses(world)
  })
  afterAll(async () => {
    await walker?.context.close()
    await world?.stop()
  })

  async function openAs(permissions: readonly PermissionCode[]): Promise<void> {
    await walker?.context.close()
    const organisationId = world.server.contexts.organisation.service.root().id
    const userId = await insertUser(world.server, {
      organisationId,
      permissions,
      roleSign: 'operator',
    })
    const { bearer, expiresAt } = await grantToken(world.server, userId, world.park.id)
    const stored = { language: 'en', token: bearer, tokenExpires: expiresAt }
    walker = { permissions: permissions.join(), ...(await openWith(browser, world, stored, path('home'))) }
    await walker.watched.settled(titles.home)
  }

  const guarded = screenEntries.filter(([name, { auth }]) => auth !== 'none' && !LEADS_HOME.includes(name))
  const askedBy = ({ permission, besides = [] }: Screen): PermissionCode[] => [...(permission === null ? [] : [permission]), ...besides]
  const inOrder = [...Map.groupBy(guarded, ([, screen]) => askedBy(screen).join()).values()].flat()
  test.each(inOrder.map(([name, screen]) => ({ name, screen })))('$name', async ({ name, screen }) => {
    const asked = askedBy(screen)
    if (walker?.permissions !== asked.join()) await openAs(asked)
    const { page, watched } = walker
    // Faults of one screen must not be reported at the next.
    onTestFailed(() => void watched.takeFaults())
    const address = addressOf(name, screen)
    await goTo(page, address)
    await watched.settled(titleIn(titles, name))
    expect(new URL(page.url()).hash, 'the screen that is shown').toBe(`#${address}`)
    // A form for a new item requires more permissions: for its choices, and for what the user may grant.
    const add = page.locator('main button.ant-btn-primary:not(.ant-dropdown-trigger):has(.anticon-plus)').first()
    if (screen.kind === 'list' && (await add.isVisible())) {
      await add.click()
      await page.locator('main form, [role="dialog"] form').first().waitFor()
      await watched.settled((await page.title()).split(' · ')[0]!)
      await page.keyboard.press('Escape')
    }
    expect(await watched.takeFaults(), 'what went wrong').toEqual([])
  })
}
