/** Persons as a file, from the list of staff: a selection, the format, and cancelling. */
import { readFile } from 'node:fs/promises'
import type { Browser, Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { SERVER_EXPORT_RECORDS } from '@gatehouse/contract'
import { csvRowsOf, csvTextOf } from '@gatehouse/contract/files'
import { peopleCalls } from '@gatehouse/contract/people/calls'
import type { World } from '@gatehouse/dev-env/world'
import { sql } from '@gatehouse/server/platform/database/database'
import { readXlsx } from '@gatehouse/server/platform/documents/testing/xlsx'
import { expectAccessible, pagesOf } from '../support/console.ts'
import { sharedBrowser, sharedWorld } from '../support/stage.ts'

let world: World
let browser: Browser
let groupId: string
beforeAll(async () => {
  world = await sharedWorld()
  browser = await sharedBrowser()
  groupId = (await world.personGroup({ name: 'Workshop' })).id
  for (const name of ['Ada', 'Grace', 'Hedy']) await world.person({ name, groupId })
  await world.person({ name: 'Customer', groupId, kind: 'customer' })
})
afterAll(async () => {
  await world?.stop()
})

const show = pagesOf(() => ({ browser, world }))
const rowOf = (page: Page, name: string): Locator => page.getByRole('row').filter({ hasText: name })
async function openDialog(page: Page): Promise<Locator> {
  await page
    .getByRole('button', { name: /Export$/ })
    .first()
    .click()
  const dialog = page.getByRole('dialog', { name: 'Export people' })
  await dialog.waitFor()
  return dialog
}
async function saved(page: Page, dialog: Locator) {
  const [download] = await Promise.all([page.waitForEvent('download'), dialog.getByRole('button', { name: 'Export', exact: true }).click()])
  await dialog.waitFor({ state: 'hidden' })
  return { name: download.suggestedFilename(), bytes: await readFile(await download.path()) }
}

test('everybody of the list is saved as an Excel file, the other registers are not', async () => {
  const page = await show('/staffList')
  await rowOf(page, 'Ada').waitFor()
  const dialog = await openDialog(page)
  await dialog.getByText('All of the list: 3 people').waitFor()
  await expectAccessible(page)
  const { name, bytes } = await saved(page, dialog)
  expect(name).toMatch(/^Staff \d{4}-\d\d-\d\d\.xlsx$/)
  const { rows } = await readXlsx(bytes)
  expect(
    rows
      .slice(1)
      .map(([cell]) => cell!.value)
      .toSorted(),
  ).toEqual(['Ada', 'Grace', 'Hedy'])
})

test('those selected, as CSV', { tags: 'extended' }, async () => {
  const page = await show('/staffList')
  for (const name of ['Ada', 'Hedy']) await rowOf(page, name).getByRole('checkbox').check()
  const dialog = await openDialog(page)
  await expect.poll(() => dialog.getByRole('radio', { name: 'The 2 people selected' }).isChecked()).toBe(true)
  await dialog.getByRole('radio', { name: 'CSV (UTF-8)' }).check()
  const { name, bytes } = await saved(page, dialog)
  expect(name).toMatch(/\.csv$/)
  expect(
    csvRowsOf(csvTextOf(bytes)!)
      .slice(1)
      .map(([cell]) => cell)
      .toSorted(),
  ).toEqual(['Ada', 'Hedy'])
})

test('those of the filter; where it finds nobody the dialog says so beforehand', { tags: 'extended' }, async () => {
  const page = await show('/staffList?name=Grace')
  await rowOf(page, 'Grace').waitFor()
  const { bytes } = await saved(page, await openDialog(page))
  expect((await readXlsx(bytes)).rows.slice(1).map(([cell]) => cell!.value)).toEqual(['Grace'])
  await page.goto(`${world.url}/#/staffList?name=Nobody`)
  await rowOf(page, 'Grace').waitFor({ state: 'detached' })
  const dialog = await openDialog(page)
  await dialog.getByText('There is nothing to export', { exact: false }).waitFor()
  await expect.poll(() => dialog.getByRole('button', { name: 'Export', exact: true }).isDisabled()).toBe(true)
})

test('shows how far it is, and can be stopped; more than one file holds is said beforehand', { tags: 'extended' }, async () => {
  await sql`INSERT INTO person (id, park_id, group_id, kind, name, gender, nationality, created_at, updated_at)
    SELECT gen_random_uuid(), ${world.park.id}::uuid, ${groupId}::uuid, 'staff', 'Many ' || number, 3, repeat(md5(number::text), 8),
      now(), now() FROM generate_series(1, ${SERVER_EXPORT_RECORDS - 3}) number`.execute(world.server.platform.db)
  const page = await show('/staffList')
  await rowOf(page, 'Many').first().waitFor()
  const dialog = await openDialog(page)
  await dialog.getByRole('button', { name: 'Export', exact: true }).click()
  await dialog.getByText('of 50,000 people', { exact: false }).waitFor()
  await expect.poll(() => dialog.getByRole('progressbar').count()).toBe(1)
  await dialog.getByRole('button', { name: 'Stop' }).click()
  await dialog.getByRole('progressbar').waitFor({ state: 'detached' })
  // It can be started again at once.
  await expect.poll(() => dialog.getByRole('button', { name: 'Export', exact: true }).isEnabled()).toBe(true)
  await dialog.getByRole('button', { name: 'Close', exact: true }).last().click()
  await world.call(peopleCalls.create, { body: { name: 'One too many', groupId, facePhotos: [] } })
  await page.reload()
  await rowOf(page, 'One too many').waitFor()
  await (await openDialog(page)).getByText('at most 50,000 records', { exact: false }).waitFor()
})
