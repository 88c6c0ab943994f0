/** Maintenance of devices, as a technician sees it: the offline log, logs to download, resources, and commands. */
import { gunzipSync } from 'node:zlib'
import { readFile } from 'node:fs/promises'
import type { Browser, Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { maintenanceCalls } from '@gatehouse/contract/maintenance/calls'
import { startWorld, type World } from '@gatehouse/dev-env/world'
import { startAnswering } from '../support/answering-device.ts'
import { expectAccessible, formReady, pagesOf } from '../support/console.ts'
import { until } from '../support/until.ts'
import { sharedBrowser } from '../support/stage.ts'

let world: World
let browser: Browser
let ahead = 0
beforeAll(async () => {
  world = await startWorld({ console: true, clock: { now: () => Date.now() + ahead } })
  // In the first minute after a start, no entries are made.
  ahead = 120_000
  browser = await sharedBrowser()
})
afterAll(async () => {
  await world?.stop()
})

const show = pagesOf(() => ({ browser, world }))
const chooseFor = async (page: Page, name: string, action: string): Promise<void> => {
  await page.getByRole('button', { name: `Actions for ${name}` }).click()
  await page.getByRole('menuitem', { name: action }).click()
}
const chooseTool = async (page: Page, tool: string): Promise<void> => {
  await page.getByRole('button', { name: 'Maintenance' }).click()
  await page.getByRole('menuitem', { name: tool }).click()
}
const rowOf = (part: Page | Locator, name: string): Locator => part.locator('tr[data-row-key]').filter({ hasText: name })

test('the offline log shows who was away, since when, and how long', { tags: 'extended' }, async () => {
  const [away, back] = [
    await startAnswering(world, world, {}, await world.device({ name: 'Away door' })),
    await startAnswering(world, world, {}, await world.device({ name: 'Back door' })),
  ]
  await Promise.all([away.stop(), back.stop()])
  await world.settled()
  ahead += 3_600_000
  const again = await startAnswering(world, world, {}, back.made)
  onTestFinished(() => again.device.stop())
  await world.settled()
  const page = await show('/deviceList')
  await chooseTool(page, 'Offline log')
  const dialog = page.getByRole('dialog', { name: 'Offline log' })
  await rowOf(dialog, 'Away door').getByText('Still offline').waitFor()
  await rowOf(dialog, 'Back door')
    .getByText(/^1 h \d+ min$/)
    .waitFor()
  await expectAccessible(page)
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'hidden' })
  await chooseFor(page, 'Back door', 'Offline log')
  const own = page.getByRole('dialog', { name: 'Offline log of Back door' })
  // Only one row: the other device has been away as long.
  await rowOf(own, '1 h').waitFor()
  expect(await own.getByText('Still offline').count()).toBe(0)
})

test('a device’s log is asked for, arrives, and is downloaded', { tags: 'extended' }, async () => {
  const terminal = await world.terminal(await world.device({ name: 'Talkative door' }))
  onTestFinished(() => terminal.stop())
  await terminal.ready()
  const page = await show('/deviceList')
  await chooseFor(page, 'Talkative door', 'Device logs')
  const dialog = page.getByRole('dialog', { name: 'Logs of Talkative door' })
  await dialog.getByText('No log has been requested.').waitFor()
  await dialog.getByRole('button', { name: 'Request the log' }).click()
  await dialog.locator('tr[data-row-key]').getByText('Exported').waitFor()
  await expectAccessible(page)
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    dialog.getByRole('button', { name: 'Download the log of Talkative door' }).click(),
  ])
  expect(download.suggestedFilename()).toMatch(new RegExp(`^${terminal.device.code}-\\d{4}-\\d\\d-\\d\\d\\.log\\.gz$`))
  expect(gunzipSync(await readFile(await download.path())).toString()).toContain('Connected to')
})

test('a log that cannot be had is told, and asked for again', { tags: 'extended' }, async () => {
  const { device } = await startAnswering(world, world, {}, await world.device({ name: 'Silent door' }))
  onTestFinished(() => device.stop())
  const page = await show('/deviceList')
  await chooseFor(page, 'Silent door', 'Device logs')
  const dialog = page.getByRole('dialog', { name: 'Logs of Silent door' })
  await dialog.getByRole('button', { name: 'Request the log' }).click()
  await dialog.locator('tr[data-row-key]').getByText('Failed').waitFor()
  await dialog.getByRole('button', { name: 'Request the log of Silent door again' }).click()
  await until('it to have been asked again', async () => {
    const { content } = await world.call(maintenanceCalls.logs, { query: {} })
    return content.some(({ deviceName, status }) => deviceName === 'Silent door' && status === 3)
  })
})

test('resources are shown with a warning for what is too full, and thresholds are the park’s', { tags: 'extended' }, async () => {
  const { made, device } = await startAnswering(
    world,
    world,
    { commands: { resource: async () => ({ cpu: 12, memory: 40, disk: 84 }), synchronise: async () => ({}) } },
    await world.device({ name: 'Full door' }),
  )
  onTestFinished(() => device.stop())
  const page = await show('/deviceList')
  await chooseTool(page, 'Resource alerts')
  const form = page.getByRole('dialog', { name: 'Resource alerts' })
  await formReady(page)
  await form.getByLabel('Disk').fill('80')
  await form.getByRole('button', { name: 'Save' }).click()
  await form.waitFor({ state: 'hidden' })
  await chooseFor(page, 'Full door', 'Synchronise now')
  await page.getByText('Full door is comparing its data.').waitFor()

  const detail = await show(`/deviceDetails/${made.id}`, { language: 'zh-CN' })
  await detail.getByText('磁盘占用 84%（报警阈值 80%）').waitFor()
  await detail.getByText('12 %').waitFor()
  await expectAccessible(detail)
})

test('a restart is asked about first', async () => {
  let restarts = 0
  const { device } = await startAnswering(
    world,
    world,
    { commands: { restart: async () => (restarts++, {}) } },
    await world.device({ name: 'Tired door' }),
  )
  onTestFinished(() => device.stop())
  const page = await show('/deviceList')
  await chooseFor(page, 'Tired door', 'Restart')
  const question = page.getByRole('dialog', { name: 'Restart Tired door?' })
  expect(restarts).toBe(0)
  await question.getByRole('button', { name: 'Restart' }).click()
  await page.getByText('Tired door restarts.').waitFor()
  expect(restarts).toBe(1)
})
