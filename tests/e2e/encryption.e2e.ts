/**
 * The console over https; and over plain http from another machine, where it shows that the connection is not encrypted. On the same
 * machine it does not.
 */
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import type { Language } from '@gatehouse/contract'
import { enrolmentCalls } from '@gatehouse/contract/enrolment/calls'
import type { Client } from '@gatehouse/dev-env/client'
import { ADMIN, startWorld, type World } from '@gatehouse/dev-env/world'
import { launchChromium } from '../support/chromium.ts'
import { expectAccessible, pageHolding } from '../support/console.ts'
import { sharedWorld } from '../support/stage.ts'

/** A name that a browser does not recognise as its own machine. */
const NAME = 'gate.example'
const WORDS: Record<Language, RegExp> = {
  en: /^This connection is not encrypted: /,
  'zh-CN': /^当前连接未加密，/,
  'zh-TW': /^目前連線未加密，/,
}

let world: World
let browser: Browser
/** The server as another machine reaches it, and as this one does. */
let far: { url: string }
let near: { url: string }
beforeAll(async () => {
  world = await sharedWorld()
  browser = await launchChromium({ args: [`--host-resolver-rules=MAP ${NAME} 127.0.0.1`] })
  near = { url: world.url }
  far = { url: world.url.replace('127.0.0.1', NAME) }
})
afterAll(async () => {
  await browser?.close()
  await world?.stop()
})

const loginAt = async (place: { url: string }, language: Language): Promise<Page> => {
  const page = await pageHolding(browser, place, { language }, { at: '/login' })
  await page.locator('input[autocomplete="username"]').waitFor()
  return page
}
async function homeAt(place: { url: string }, { credentials }: Pick<Client, 'credentials'>, language: Language = 'en'): Promise<Page> {
  const token = { token: (credentials as { bearer: string }).bearer, tokenExpires: Date.now() + 3_600_000 }
  const page = await pageHolding(browser, place, { language, theme: 'light', ...token }, { at: '/home' })
  await page.locator('#content h1').first().waitFor()
  return page
}
const operator = (): Promise<Client> =>
  world.session({ roleSign: 'admin', organisationId: world.server.contexts.organisation.service.root().id })

test('the login page says so to everybody, and lets them log in', async () => {
  for (const language of ['zh-TW', 'en', 'zh-CN'] as const) {
    const page = await loginAt(far, language)
    await page.getByText(WORDS[language]).waitFor()
    await expectAccessible(page)
  }
  const page = await loginAt(far, 'zh-CN')
  await page.locator('input[autocomplete="username"]').fill(ADMIN.account)
  await page.locator('input[autocomplete="current-password"]').fill(ADMIN.password)
  await page.keyboard.press('Enter')
  await page.waitForURL((url) => url.hash.startsWith('#/home'))
  await page.getByText(/^当前连接未加密，.*TLS=self.*docs\/operations\/https\.md/).waitFor()

  const own = await loginAt(near, 'en')
  expect(await own.getByText(WORDS.en).count()).toBe(0)
})

test('whoever runs the installation is told what to do until they put it away; others are not', async () => {
  const client = await operator()
  const page = await homeAt(far, client)
  const notice = page.getByRole('region', { name: 'Notices' }).getByText(WORDS.en)
  await notice.waitFor()
  await expectAccessible(page)
  await page.getByRole('region', { name: 'Notices' }).getByRole('button', { name: 'Close' }).press('Enter')
  await notice.waitFor({ state: 'detached' })
  await page.reload()
  await page.locator('#content h1').first().waitFor()
  expect(await notice.count()).toBe(0)
  // It is shown again in another session.
  await (await homeAt(far, client)).getByText(WORDS.en).waitFor()

  expect(await (await homeAt(near, client)).getByText(WORDS.en).count()).toBe(0)
  const administrator = await world.session({ roleSign: 'parkAdmin' })
  expect(await (await homeAt(far, administrator)).getByText(WORDS.en).count()).toBe(0)
})

test('whoever is asked for a photograph is told before they choose one', { tags: 'extended' }, async () => {
  const group = await world.personGroup({ name: 'Visitors' })
  const { url } = await world.call(enrolmentCalls.createLink, { body: { groupId: group.id, address: world.url } })
  for (const [place, count] of [
    [far, 1],
    [near, 0],
  ] as const) {
    const context = await browser.newContext({ viewport: { width: 375, height: 667 }, locale: 'en-GB' })
    onTestFinished(() => context.close())
    const page = await context.newPage()
    await page.goto(url.replace(world.url, place.url))
    await page.getByRole('button', { name: 'Submit', exact: true }).waitFor()
    expect(await page.getByText('This connection is not encrypted: your photo').count()).toBe(count)
    await expectAccessible(page)
  }
})

test('over https the whole console works, live rows among it, and the address without it leads there', { tags: 'extended' }, async () => {
  const secure = await startWorld({ console: true, config: { tls: { kind: 'self', names: [NAME] } } })
  onTestFinished(() => secure.stop())
  const trusting = await launchChromium({ args: [`--host-resolver-rules=MAP ${NAME} 127.0.0.1`, '--ignore-certificate-errors'] })
  onTestFinished(() => trusting.close())
  const page = await trusting.newPage({ locale: 'en-GB' })
  await page.goto(secure.url.replace('https://127.0.0.1', `http://${NAME}`))
  await page.locator('input[autocomplete="username"]').fill(ADMIN.account)
  await page.locator('input[autocomplete="current-password"]').fill(ADMIN.password)
  await page.keyboard.press('Enter')
  await page.waitForURL((url) => url.protocol === 'https:' && url.hash.startsWith('#/home'))
  await page.getByText('Live', { exact: true }).waitFor()
  expect(await page.getByText(WORDS.en).count()).toBe(0)
  const { url } = await secure.call(enrolmentCalls.createLink, { body: { groupId: (await secure.personGroup()).id } })
  expect(new URL(url).protocol).toBe('https:')
})
