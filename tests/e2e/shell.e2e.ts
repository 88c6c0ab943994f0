/** What every screen stands in: login, menu, command palette, language and appearance, pages kept alive, error pages. */
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { ADMIN, startWorld, type World } from '@gatehouse/dev-env/world'
import { launchChromium } from '../support/chromium.ts'
import { expectAccessible, openConsole, pagesOf } from '../support/console.ts'
import { until } from '../support/until.ts'

let world: World
let browser: Browser
beforeAll(async () => {
  world = await startWorld({ console: true })
  browser = await launchChromium()
  const group = await world.personGroup({ name: 'Reception' })
  await world.person({ name: 'Radia Perlman', groupId: group.id })
})
afterAll(async () => {
  await browser?.close()
  await world?.stop()
})

const show = pagesOf(() => ({ browser, world }))

test('a page asked for without a session comes after the login, and a wrong password is counted in words', async () => {
  const context = await browser.newContext({ locale: 'en' })
  onTestFinished(() => context.close())
  const page = await context.newPage()
  await page.goto(`${world.url}/#/staffList`)
  await page.getByRole('button', { name: 'Log in' }).waitFor()
  await expectAccessible(page)
  const logIn = async (password: string): Promise<void> => {
    await page.getByLabel('User name').fill(ADMIN.account)
    await page.getByLabel('Password', { exact: true }).fill(password)
    await page.keyboard.press('Enter')
  }
  await logIn('Wrong-pass-1')
  const alert = page.getByRole('alert')
  await alert.waitFor()
  expect(await alert.innerText()).toMatch(/1.*6/s)
  expect(await page.getByLabel('User name').inputValue()).toBe(ADMIN.account)
  await logIn(ADMIN.password)
  await page.getByRole('heading', { name: 'Staff' }).waitFor()
  expect(new URL(page.url()).hash).toBe('#/staffList')
})

test('an address that does not exist says so, with a way back', async () => {
  const page = await show('/nothingHere')
  await page.getByRole('heading', { name: 'There is no such page' }).waitFor()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Go to home' }).click()
  await page.waitForURL((url) => url.hash.startsWith('#/home'))
})

test('the command palette finds a person by keyboard alone', async () => {
  const page = await show('/home')
  await page.getByText('Live', { exact: true }).waitFor()
  await page.keyboard.press('Control+k')
  await page.getByPlaceholder('Search pages, people, actions…').fill('Radia')
  await page.getByRole('option', { name: /Radia Perlman/ }).waitFor()
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Radia Perlman' }).waitFor()
  await page.keyboard.press('Control+k')
  await page.getByPlaceholder('Search pages, people, actions…').waitFor()
  await expectAccessible(page)
})

test('language and appearance change at once and are kept', async () => {
  const { page, context } = await openConsole(browser, world, { at: '/staffList' })
  onTestFinished(() => context.close())
  await page.getByRole('button', { name: 'Language' }).click()
  await page.getByRole('menuitem', { name: '繁體中文' }).click()
  await page.getByRole('heading', { name: '員工管理' }).or(page.getByRole('heading', { name: '員工' })).first().waitFor()
  expect(await page.locator('html').getAttribute('lang')).toBe('zh-TW')
  await page.getByRole('button', { name: /深色/ }).click()
  await until('the dark appearance', async () => (await page.locator('html').getAttribute('data-theme')) === 'dark')
})

test('a list keeps its filter while another page is looked at', async () => {
  const page = await show('/staffList')
  await page.getByRole('row').filter({ hasText: 'Radia Perlman' }).waitFor()
  await page.keyboard.press('/')
  await page.keyboard.type('nobody of this name')
  await page.keyboard.press('Enter')
  await page.getByRole('row').filter({ hasText: 'Radia Perlman' }).waitFor({ state: 'hidden' })
  await page.getByRole('menuitem', { name: 'Access records' }).click()
  await page.getByRole('heading', { name: 'Access records' }).waitFor()
  await page.getByRole('menuitem', { name: 'Staff' }).click()
  await page.getByRole('heading', { name: 'Staff' }).waitFor()
  expect(await page.getByPlaceholder('Name').filter({ visible: true }).inputValue()).toBe('nobody of this name')
})

test('lists open in their place where motion is reduced', async () => {
  const page = await show('/addPassStrategyDetail', { reducedMotion: 'reduce' })
  await page.getByLabel('Groups of people').click()
  const choices = page.locator('.ant-select-dropdown').filter({ hasText: 'Reception' })
  await until('the list to stand under its field', async () => {
    const box = await choices.boundingBox()
    return box !== null && box.x > 0 && box.x < 1280 && box.y > 0 && box.y < 800
  })
})

test('a session without a right sees neither the menu entry nor the page', async () => {
  const { credentials } = await world.session({ permissions: ['access', 'access.record'] })
  if (credentials === null || !('bearer' in credentials)) throw new Error('the session has no token')
  const context = await browser.newContext({ locale: 'en' })
  onTestFinished(() => context.close())
  // The console finds the session as one of another tab.
  await context.addInitScript((token) => {
    localStorage.setItem('token', JSON.stringify(token))
    localStorage.setItem('tokenExpires', JSON.stringify(Date.now() + 3_600_000))
  }, credentials.bearer)
  const page = await context.newPage()
  await page.goto(`${world.url}/#/staffCurrent`)
  await page.getByRole('heading', { name: 'Access records' }).waitFor()
  await page.getByRole('menuitem', { name: 'Access records' }).waitFor()
  expect(await page.getByRole('menuitem', { name: 'Staff' }).count()).toBe(0)
  await page.goto(`${world.url}/#/staffList`)
  await page.getByRole('heading', { name: 'You may not view this page' }).waitFor()
})
