/** Access records as a file: requested in their list, followed in the list of exports, downloaded, cancelled. */
import { readFile } from 'node:fs/promises'
import type { Browser, Download, Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { localDate } from '@gatehouse/access-rules'
import { exportCalls } from '@gatehouse/contract/exports/calls'
import type { World } from '@gatehouse/dev-env/world'
import { passages, sentBy } from '@gatehouse/server/contexts/records/testing/records'
import { holdDisk } from '@gatehouse/server/contexts/exports/testing/slow-disk'
import { readXlsx } from '@gatehouse/server/platform/documents/testing/xlsx'
import { countClicks, expectAccessible, pagesOf } from '../support/console.ts'
import { sharedBrowser, sharedWorld } from '../support/stage.ts'

let world: World
let browser: Browser
beforeAll(async () => {
  world = await sharedWorld()
  browser = await sharedBrowser()
  const door = await world.device({ name: 'North gate' })
  const now = world.clock.now()
  const lastMonth = Date.parse(`${localDate(now, world.park.zone).slice(0, 7)}-01`) - 7 * 86_400_000
  const records = passages([
    { occurredAt: now - 1000 },
    { occurredAt: now - 2000, direction: 2 },
    { occurredAt: now - 3000 },
    { occurredAt: lastMonth },
  ])
  await world.server.contexts.records.ingest({ deviceId: door.id, parkId: world.park.id }, sentBy(records, { sentAt: now }))
})
afterAll(async () => {
  await world?.stop()
})

const show = pagesOf(() => ({ browser, world }))
const rowOf = (page: Page, name: string): Locator => page.getByRole('row').filter({ hasText: name })
async function openDialog(page: Page): Promise<Locator> {
  await page.getByRole('row').filter({ hasText: 'North gate' }).first().waitFor()
  await page.getByRole('button', { name: /Export$/ }).click()
  const dialog = page.getByRole('dialog', { name: 'Export access records' })
  await dialog.waitFor()
  return dialog
}
const ask = (dialog: Locator): Promise<void> => dialog.getByRole('button', { name: 'Export', exact: true }).click()
async function saved(page: Page, row: Locator): Promise<{ name: string; bytes: Buffer }> {
  const [download] = await Promise.all([page.waitForEvent('download'), row.getByRole('button', { name: /^Download / }).click()])
  return savedAs(download)
}
const savedAs = async (download: Download): Promise<{ name: string; bytes: Buffer }> => ({
  name: download.suggestedFilename(),
  bytes: await readFile(await download.path()),
})
/** Return the column of directions of a file. */
async function inDirections({ bytes }: { bytes: Buffer }): Promise<unknown[]> {
  const [headings, ...rows] = (await readXlsx(bytes)).rows
  const direction = headings!.findIndex(({ value }) => value === 'Direction')
  return rows.map((cells) => cells[direction]!.value)
}

test('the records of a month come as a file four clicks after their list, and again from the list of exports', async () => {
  const page = await show('/staffCurrent?direction=1')
  await page.getByRole('row').filter({ hasText: 'North gate' }).first().waitFor()
  const download = page.waitForEvent('download')
  const dialog = page.getByRole('dialog', { name: 'Export access records' })
  const clicks = await countClicks(page)
  await page.getByRole('button', { name: /Export$/ }).click()
  await dialog.getByText('All that match the filter: 2 records').waitFor()
  await expectAccessible(page)
  await dialog.getByRole('button', { name: /^Time: / }).click()
  await page.getByRole('dialog', { name: 'Time' }).getByRole('button', { name: 'Last month' }).click()
  await dialog.getByText('All that match the filter: 1 record.').waitFor()
  await ask(dialog)
  expect(await inDirections(await savedAs(await download))).toEqual(['In'])
  // To save the file, the browser clicks on a link that is not on the page.
  expect(await clicks()).toBe(4)
  await dialog.getByText('The file is ready').waitFor()
  await expectAccessible(page)
  const again = page.waitForEvent('download')
  await dialog.getByRole('button', { name: 'Download' }).click()
  expect((await again).suggestedFilename()).toMatch(/^Access records \d{4}-\d\d-\d\d \d{4}\.xlsx$/)

  await dialog.getByRole('link', { name: 'To the list of exports' }).click()
  await page.getByRole('heading', { name: 'Exports' }).waitFor()
  const row = rowOf(page, 'Access records')
  await row.getByText('Exported', { exact: true }).waitFor()
  await expectAccessible(page)
  expect(await inDirections(await saved(page, row))).toEqual(['In'])
})

test('the file is offered beside the page where its dialog was closed before it was ready', { tags: 'extended' }, async () => {
  const release = holdDisk(world.server.platform.storage)
  const page = await show('/staffCurrent?direction=2')
  const dialog = await openDialog(page)
  await ask(dialog)
  await dialog.getByText('The export has started.').waitFor()
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Close', exact: true }).last().click()
  await dialog.waitFor({ state: 'hidden' })
  release()
  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Download', exact: true }).click()
  expect(await inDirections(await savedAs(await download))).toEqual(['Out'])
})

test('where nothing is in the list, the dialog says so beforehand', { tags: 'extended' }, async () => {
  const page = await show('/staffCurrent')
  const dialog = await openDialog(page)
  await dialog.getByText('All of the list: 3 records').waitFor()
  await dialog.getByRole('button', { name: 'Close', exact: true }).last().click()
  await page.goto(`${world.url}/#/staffCurrent?personName=Nobody`)
  await page.getByRole('row').filter({ hasText: 'North gate' }).first().waitFor({ state: 'detached' })
  await page.getByRole('button', { name: /Export$/ }).click()
  await page.getByText('There is nothing to export', { exact: false }).waitFor()
  await expect.poll(() => page.getByRole('dialog').getByRole('button', { name: 'Export', exact: true }).isDisabled()).toBe(true)
})

test(
  'one that waits is cancelled, one that is made is stopped and tried again; the menu of the person leads there',
  { tags: 'extended' },
  async () => {
    const release = holdDisk(world.server.platform.storage)
    const page = await show('/home')
    await page.getByTitle(/^Account of/).click()
    await page.getByRole('menuitem', { name: 'Exports' }).click()
    await page.getByRole('heading', { name: 'Exports' }).waitFor()
    for (const format of ['csv', 'zip'] as const) await world.call(exportCalls.accessRecord, { body: { format } })
    await page.getByRole('button', { name: 'Reload' }).click()
    const [made, waiting] = [rowOf(page, '.csv'), rowOf(page, '.zip')]
    await made.getByText('Exporting', { exact: true }).waitFor()
    await made.getByRole('progressbar').waitFor()
    await waiting.getByText('Waiting', { exact: true }).waitFor()
    // Away from the button, whose tooltip would stay.
    await page.mouse.move(0, 0)
    await page.getByRole('tooltip').waitFor({ state: 'hidden' })
    await expectAccessible(page)

    await waiting.getByRole('button', { name: /^Cancel / }).click()
    await waiting.waitFor({ state: 'detached' })
    await made.getByRole('button', { name: /^Stop / }).click()
    await made.getByText('Stopped by you.').waitFor()
    await made.getByRole('button', { name: /again$/ }).click()
    // Its state is updated automatically.
    await made
      .getByText('Exporting', { exact: true })
      .or(made.getByText('Waiting', { exact: true }))
      .waitFor()
    release()
    await made.getByText('Exported', { exact: true }).waitFor()
    const { bytes } = await saved(page, made)
    expect(bytes.toString('utf8').trim().split('\r\n')).toHaveLength(4)
  },
)
