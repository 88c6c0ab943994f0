/** Printers as an administrator sees them: one is added, a test page is printed, a job that failed says why. */
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { World } from '@gatehouse/dev-env/world'
import { startIppServer, type IppServer } from '@gatehouse/server/contexts/printers/testing/ipp-server'
import { expectAccessible, formReady, pagesOf } from '../support/console.ts'
import { sharedBrowser, sharedWorld } from '../support/stage.ts'
import { until } from '../support/until.ts'

let world: World
let browser: Browser
let server: IppServer
beforeAll(async () => {
  world = await sharedWorld()
  browser = await sharedBrowser()
  server = await startIppServer()
})
afterAll(async () => {
  await server?.stop()
  await world?.stop()
})

const show = pagesOf(() => ({ browser, world }))

test('a printer is added, prints its test page, and says that paper is missing', async () => {
  const page = await show('/printerSettings')
  await page.getByRole('button', { name: 'Add printer' }).first().click()
  const dialog = page.getByRole('dialog', { name: 'Add printer' })
  await formReady(page)
  await dialog.getByLabel('Name').fill('Front desk')
  await dialog.getByLabel('Address').fill('printer.example.org')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await dialog.getByText('Enter an address that begins with ipp://').waitFor()
  await dialog.getByLabel('Address').fill(server.address)
  await dialog.getByRole('button', { name: 'Save' }).click()
  await dialog.waitFor({ state: 'hidden' })
  const row = page.getByRole('row').filter({ hasText: server.address })
  await row.waitFor()
  await expectAccessible(page)

  const act = async (name: string): Promise<void> => {
    await page.getByRole('button', { name: 'Actions for Front desk' }).click()
    await page.getByRole('menuitem', { name }).click()
  }
  await act('Print test page')
  await page.getByRole('row').filter({ hasText: 'Test page' }).getByText('Printed', { exact: true }).waitFor()
  await until('the page to arrive', () => server.jobs.length === 1)
  server.behaviour.job = 'stopped'
  server.behaviour.reasons = ['media-empty-error']
  await act('Print test page')
  await page.getByText('Paper is missing.').waitFor()
  await act('Show status')
  await page.getByText('Test Labeller 1: Stopped. Paper is missing.').waitFor()
  expect(server.jobs).toHaveLength(2)
})
