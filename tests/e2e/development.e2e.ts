/** The development group: released versions, the people devices store, and the state of the installation's parts. */
import type { Browser, Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { developmentCalls } from '@gatehouse/contract/development/calls'
import type { World } from '@gatehouse/dev-env/world'
import { expectAccessible, pagesOf } from '../support/console.ts'
import { runJob } from '../support/jobs.ts'
import { until } from '../support/until.ts'
import { sharedBrowser, sharedWorld } from '../support/stage.ts'

let world: World
let browser: Browser
beforeAll(async () => {
  world = await sharedWorld()
  browser = await sharedBrowser()
  const terminal = await world.terminal(await world.device({ name: 'North gate' }))
  await world.device({ name: 'South gate' })
  await world.person({ name: 'Mei Lin', workNumber: 'D-1', permittedAt: terminal.device })
  await world.settled()
})
afterAll(async () => {
  await world?.stop()
})

const show = pagesOf(() => ({ browser, world }))

test('what was released: each device with what it should come to, filtered by name', async () => {
  const page = await show('/dataReleased')
  await page
    .getByRole('row', { name: /North gate/ })
    .getByText('Up to date')
    .waitFor()
  await page
    .getByRole('row', { name: /South gate/ })
    .getByText('Behind')
    .waitFor()
  await page.getByLabel('Device').fill('South')
  await page.getByRole('row', { name: /North gate/ }).waitFor({ state: 'hidden' })
  await expectAccessible(page)
})

test('whom a device holds: failed by name and reason, by device and by person', { tags: 'extended' }, async () => {
  const page = await show('/personnelIssued')
  await page.getByRole('row', { name: /North gate/ }).click()
  const drawer = page.getByRole('dialog', { name: 'People of North gate' })
  await drawer.getByText('Mei Lin').waitFor()
  await drawer.getByText('Photo missing').first().waitFor()
  await expectAccessible(page)
  await page.keyboard.press('Escape')
  // The name contains `person` too.
  await drawer.waitFor({ state: 'hidden' })
  await page.getByRole('link', { name: 'By person' }).click()
  await page.getByLabel('Person').fill('D-1')
  await page.getByTitle('Mei Lin').click()
  await page.getByRole('row', { name: /North gate/ }).waitFor()
  await expectAccessible(page)
})

const partOf = (page: Page, name: string): Locator =>
  page.getByRole('listitem').filter({ has: page.getByRole('heading', { name, exact: true }) })
const figureOf = (page: Page, part: string, name: string): Locator =>
  partOf(page, part)
    .locator('div')
    .filter({ has: page.getByText(name, { exact: true }) })
    .getByRole('definition')

test('the health of each part of the installation is seen as it changes, without a reload', { tags: 'extended' }, async () => {
  const page = await show('/serviceMonitor')
  await partOf(page, 'Database').getByText('Healthy', { exact: true }).waitFor()
  for (const part of ['Device connections', 'Events', 'Background jobs', 'Long-running tasks', 'Storage', 'Face engine', 'Server process'])
    await partOf(page, part).waitFor()
  const connected = figureOf(page, 'Device connections', 'Devices connected')
  await connected.waitFor()
  const before = Number(await connected.innerText())
  const terminal = await world.terminal(await world.device({ name: 'West gate' }))
  onTestFinished(() => terminal.stop())
  await until('the terminal to be counted', async () => Number(await connected.innerText()) === before + 1)
  await page.getByRole('cell', { name: 'audit.dropOld' }).waitFor()
  await expectAccessible(page)
})

test.each([
  { language: 'en', said: '0 old templates deleted' },
  { language: 'zh-CN', said: '已删除 0 个旧模板' },
  { language: 'zh-TW', said: '已刪除 0 個舊範本' },
] as const)('what a background job did is said in $language', { tags: 'extended' }, async ({ language, said }) => {
  await runJob(world, 'faces.dropOldTemplates')
  const page = await show('/serviceMonitor', { language })
  await expect.poll(() => page.getByRole('row', { name: 'faces.dropOldTemplates' }).getByRole('cell').allInnerTexts()).toContain(said)
})

test('whoever does not want to wait for the next measurement has it at once', { tags: 'extended' }, async () => {
  const page = await show('/serviceMonitor')
  await partOf(page, 'Database').waitFor()
  let asked = 0
  // Requests the page makes by itself get no answer, so that no other one follows.
  await page.route(`**${developmentCalls.service.url}`, () => void asked++)
  await until('the page to ask by itself', () => asked === 1)
  await page.unrouteAll()
  const [answer] = await Promise.all([
    page.waitForResponse(`**${developmentCalls.service.url}`),
    page.getByRole('button', { name: 'Reload' }).click(),
  ])
  expect(answer.status()).toBe(200)
  await partOf(page, 'Database').getByText('Healthy', { exact: true }).waitFor()
})
