/** The register of customers: people who are admitted for a limited time, in a park that has customers. */
import type { Browser, Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { parkSettingCalls } from '@gatehouse/contract/organisation/settings'
import { peopleCalls } from '@gatehouse/contract/people/calls'
import type { Made, World } from '@gatehouse/dev-env/world'
import { expectAccessible, expectAddress, formReady, pagesOf } from '../support/console.ts'
import { until } from '../support/until.ts'
import { sharedBrowser, sharedWorld } from '../support/stage.ts'

let world: World
let browser: Browser
let group: Made
const DAY = 86_400_000

const park = async (
  flags: { staffFaceRegisterFlag?: 0 | 1; customerFaceRegisterFlag?: 0 | 1; showCustomerManagerFlag?: 0 | 1 } = {},
): Promise<void> => {
  await world.call(parkSettingCalls.saveUpdateConfig, {
    body: { staffFaceRegisterFlag: 0, customerFaceRegisterFlag: 0, showCustomerManagerFlag: 1, ...flags },
  })
}

beforeAll(async () => {
  world = await sharedWorld()
  browser = await sharedBrowser()
  group = await world.personGroup({ name: 'Tenants' })
  await park()
})
afterAll(async () => {
  await world?.stop()
})

const show = pagesOf(() => ({ browser, world }))
const rowOf = (page: Page, name: string): Locator => page.getByRole('row').filter({ hasText: name })
const menuEntry = (page: Page): Locator => page.getByRole('navigation', { name: 'Main menu' }).getByText('Customers', { exact: true })
async function openForm(page: Page): Promise<Locator> {
  await page.getByRole('button', { name: 'Add a customer' }).first().click()
  await formReady(page)
  const form = page.getByRole('dialog', { name: 'Add a customer' })
  await form.getByLabel('Group').click()
  await page.locator('.ant-select-tree-node-content-wrapper:visible').filter({ hasText: group.name }).click()
  return form
}
const named = async (name: string) => (await world.call(peopleCalls.list, { query: { name } })).content
const customer = (name: string, days: number | null) =>
  world.person({ name, kind: 'customer', groupId: group.id, validTo: days === null ? null : world.clock.now() + days * DAY })

test(
  'customers stand in the menu where the park keeps them, and nowhere else; a typed address opens nothing there [BEH-046]',
  { tags: 'extended' },
  async () => {
    const page = await show('/staffList')
    await menuEntry(page).waitFor()
    await park({ showCustomerManagerFlag: 0 })
    onTestFinished(() => park())
    await page.reload()
    await page.getByRole('heading', { name: 'Staff', level: 1 }).waitFor()
    expect(await menuEntry(page).count()).toBe(0)
    await page.goto(`${world.url}/#/customerList`)
    await page.getByText('You do not have permission to view this page').waitFor()
  },
)

test('a customer is added, and found by when the validity ends', async () => {
  await customer('Ends In A Year', 365)
  await customer('Ends In Ten Days', 10)
  await customer('Has Ended', -2)
  await world.person({ name: 'No Customer', groupId: group.id, validTo: world.clock.now() + 3 * DAY })
  const page = await show('/customerList')
  await rowOf(page, 'Ends In A Year').waitFor()
  expect(await rowOf(page, 'No Customer').count()).toBe(0)
  const form = await openForm(page)
  await form.getByLabel('Name').fill('Ends This Week')
  await form.getByLabel('Valid until').fill(new Date(world.clock.now() + 3 * DAY).toISOString().slice(0, 10))
  await form.getByLabel('Valid until').press('Tab')
  await form.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('heading', { name: 'Ends This Week' }).waitFor()
  await page.goBack()
  await expect.poll(() => named('Ends This Week')).toMatchObject([{ kind: 'customer', validTo: expect.any(Number) }])

  const shown = async (...names: string[]): Promise<void> => {
    await page.getByText(names.length === 1 ? '1 person' : `${names.length} people`, { exact: true }).waitFor()
    for (const name of names) await rowOf(page, name).waitFor()
  }
  await shown('Ends This Week', 'Ends In Ten Days', 'Ends In A Year', 'Has Ended')
  await page.getByText('Within 7 days').click()
  await shown('Ends This Week')
  await rowOf(page, 'Ends This Week').getByText('days left', { exact: false }).waitFor()
  await expectAddress(page, 'expiringDays=7')
  await page.getByText('Within 15 days').click()
  await shown('Ends This Week', 'Ends In Ten Days')
  await page.getByText('Ended', { exact: true }).first().click()
  await shown('Has Ended')
  await expectAccessible(page)
  await page.getByText('All', { exact: true }).click()
  await shown('Ends This Week', 'Ends In Ten Days', 'Ends In A Year', 'Has Ended')
})

test('the form demands a face of customers by the flag of customers [VAL-057]', { tags: 'extended' }, async () => {
  await park({ staffFaceRegisterFlag: 1 })
  onTestFinished(() => park())
  const page = await show('/customerList')
  const form = await openForm(page)
  await form.getByLabel('Name').fill('Without Face')
  await form.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('heading', { name: 'Without Face' }).waitFor()
  await expect.poll(() => named('Without Face')).toHaveLength(1)
  await park({ customerFaceRegisterFlag: 1 })
  await page.goBack()
  await page.reload()
  const strict = await openForm(page)
  await strict.getByLabel('Name').fill('Second Without')
  await strict.getByRole('button', { name: 'Save' }).click()
  await strict.locator('.ant-form-item').filter({ hasText: 'Photos (up to 3)' }).getByText('Fill this in.').waitFor()
  expect(await named('Second Without')).toEqual([])
})

test('whoever comes to a customer by the address of staff is led to the customer', { tags: 'extended' }, async () => {
  const { id } = await customer('Led Here', null)
  const page = await show(`/staffDetails/${id}`)
  await page.getByRole('heading', { name: 'Led Here' }).waitFor()
  await page.getByText('Customer no.').waitFor()
  await expectAddress(page, `#/customerDetails/${id}`)
})

test('how people are registered is set on its page, and the forms follow', { tags: 'extended' }, async () => {
  onTestFinished(() => park())
  const page = await show('/staffSetting')
  const registration = page.getByRole('region').filter({ has: page.getByRole('switch') })
  await registration.getByRole('switch').first().click()
  await registration.getByRole('button', { name: 'Save' }).click()
  await until('the flag', async () => (await world.call(parkSettingCalls.updateConfig, {})).staffFaceRegisterFlag === 1)
  await expectAccessible(page)
})
