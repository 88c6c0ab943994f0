/** Organisations, settings of a park and device limits, as an administrator sees them. */
import type { Browser, Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { areaCalls } from '@gatehouse/contract/organisation/areas'
import { deviceLimitCalls } from '@gatehouse/contract/organisation/limits'
import { parkSettingCalls } from '@gatehouse/contract/organisation/settings'
import { startWorld, type World } from '@gatehouse/dev-env/world'
import { expectAccessible, formReady, pagesOf, typePassword } from '../support/console.ts'
import { until } from '../support/until.ts'
import { sharedBrowser } from '../support/stage.ts'

let world: World
let browser: Browser
let companyId: string
beforeAll(async () => {
  world = await startWorld({ console: true })
  browser = await sharedBrowser()
  companyId = world.server.contexts.organisation.service.get(world.park.id)!.parentId!
})
afterAll(async () => {
  await world?.stop()
})

const show = pagesOf(() => ({ browser, world }))
const errorAt = (form: Locator, label: string): Locator =>
  form.locator('.ant-form-item').filter({ hasText: label }).locator('.ant-form-item-explain-error')
const groupOf = (page: Page, title: string): Locator => page.getByRole('region', { name: title })

test('a park is added, found in the tree, shown with its code, and deleted by typing its name', async () => {
  const page = await show(`/regionManage?id=${companyId}`)
  await page.getByRole('button', { name: 'Add below' }).first().click()
  await formReady(page)
  const form = page.getByRole('dialog', { name: 'Add below Company' })
  await form.getByLabel('Name').press('Enter')
  // Without name and park type the form stays open, and both fields show an error.
  await errorAt(form, 'Name').waitFor()
  await errorAt(form, 'Park type').waitFor()
  await expectAccessible(page)
  await form.getByLabel('Name').fill('Harbour')
  await form.getByText('Campus', { exact: true }).click()
  // The modules that are built, and no others.
  const modules = form.getByRole('group', { name: 'Function modules' }).getByRole('checkbox')
  await expect
    .poll(() =>
      modules.evaluateAll((boxes) =>
        boxes.map((box) => (box as unknown as { labels: { innerText: string }[] }).labels[0]!.innerText.trim()),
      ),
    )
    .toEqual(['People', 'Visitors', 'Access', 'Devices', 'Alarms', 'Surveillance and video', 'Reports and statistics'])
  await form.getByRole('checkbox', { name: 'Reports and statistics' }).uncheck()
  await form.getByRole('button', { name: 'Save' }).click()
  await form.waitFor({ state: 'hidden' })

  await page.getByRole('heading', { name: 'Harbour' }).waitFor()
  await page.getByText('Reports and statistics').getByText('(off)').waitFor({ state: 'attached' })
  for (const name of ['Attendance', 'Patrol', 'Meetings']) expect(await page.getByText(name).count(), name).toBe(0)
  const tree = page.getByRole('tree')
  await page.getByRole('textbox', { name: 'Name or area code' }).fill('harb')
  await expect.poll(() => tree.getByRole('treeitem').allTextContents()).toEqual(['Gatehouse', 'Company', 'Harbour'])
  await expectAccessible(page)

  await page.getByRole('button', { name: 'QR code' }).click()
  const code = page.getByRole('dialog', { name: 'Code of Harbour' })
  await code.getByRole('img', { name: 'QR code of Harbour' }).waitFor()
  const { id } = await world.call(areaCalls.read, { params: { id: new URLSearchParams(page.url().split('?')[1]).get('id')! } })
  const { verificationCode } = await world.call(areaCalls.verificationCode, { query: { id } })
  await code.getByText(verificationCode, { exact: true }).waitFor()
  await expectAccessible(page)
  await code.getByText('Close', { exact: true }).click()
  await code.waitFor({ state: 'hidden' })

  await page.getByRole('button', { name: 'Delete', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: 'Delete Harbour?' })
  const remove = dialog.getByRole('button', { name: 'Delete', exact: true })
  await dialog.getByRole('textbox').fill('Harbor')
  await expect.poll(() => remove.isDisabled()).toBe(true)
  await dialog.getByRole('textbox').fill('Harbour')
  await remove.click()
  await typePassword(page)
  await page.getByRole('heading', { name: 'Company' }).waitFor()
  expect((await world.ask(areaCalls.read, { params: { id } })).status).toBe(404)
})

test('what keeps an organisation from being deleted is said in the dialog', { tags: 'extended' }, async () => {
  const { id } = await world.call(areaCalls.add, { body: { name: 'Branch', type: 200, parentId: companyId } })
  await world.call(areaCalls.add, { body: { name: 'Yard', type: 300, parkType: 1, parentId: id } })
  const page = await show(`/regionManage?id=${id}`)
  await page.getByRole('button', { name: 'More' }).click()
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  const dialog = page.getByRole('dialog', { name: 'Delete Branch?' })
  await dialog.getByRole('textbox').fill('Branch')
  await dialog.getByRole('textbox').press('Enter')
  await typePassword(page)
  await dialog.getByText('There are organisations below this one').waitFor()
  expect((await world.ask(areaCalls.read, { params: { id } })).code).toBe(0)
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'hidden' })
})

test('wrong settings say at the field what is wrong, and right ones are kept [FIELD-16]', { tags: 'extended' }, async () => {
  const page = await show('/basicSettings')
  const reentry = groupOf(page, 'Re-entry interval')
  const save = reentry.getByRole('button', { name: 'Save' })
  const seconds = reentry.getByRole('spinbutton')
  await seconds.fill('99999')
  await reentry.getByText('Not saved yet').waitFor()
  await seconds.press('Enter')
  await errorAt(reentry, 'No new record within').getByText('86400').waitFor()
  expect(await world.call(parkSettingCalls.reentry, {})).toEqual({ seconds: 0, version: 0 })
  await expectAccessible(page)
  await seconds.fill('45')
  await save.click()
  await until('the setting', async () => (await world.call(parkSettingCalls.reentry, {})).seconds === 45)
  await reentry.getByText('Not saved yet').waitFor({ state: 'hidden' })
  // An error that only the server can detect is shown at the field too.
  const parking = groupOf(page, 'Parking system')
  await parking.getByLabel('Login address').fill('park.example.org')
  await parking.getByRole('button', { name: 'Save' }).click()
  await errorAt(parking, 'Login address').getByText('http://').waitFor()
})

test(
  'typed settings survive leaving the page, and a change by somebody else is said instead of overwritten',
  { tags: 'extended' },
  async () => {
    const page = await show('/basicSettings')
    const records = groupOf(page, 'Access records')
    await records.getByRole('spinbutton').fill('14')
    await records.getByText('Not saved yet').waitFor()
    await page.goto(`${world.url}/#/home`)
    await page.reload()
    await page.getByRole('heading', { level: 1 }).first().waitFor()
    await page.goto(`${world.url}/#/basicSettings`)
    await records.getByText('Not saved yet').waitFor()
    await expect.poll(() => records.getByRole('spinbutton').inputValue()).toBe('14')
    const { version } = await world.call(parkSettingCalls.accessControl, {})
    await world.call(parkSettingCalls.saveAccessControl, { body: { recordDays: 3, strangerRecordFlag: 1, version } })
    await records.getByRole('button', { name: 'Save' }).click()
    await errorAt(records, 'Lists look back').getByText('Another user has changed this').waitFor()
    expect((await world.call(parkSettingCalls.accessControl, {})).recordDays).toBe(3)
    await records.getByRole('button', { name: 'Discard' }).click()
    await until('what the other one set', async () => (await records.getByRole('spinbutton').inputValue()) === '3')
    // Two changes in a row do not conflict with each other.
    for (const days of ['9', '10']) {
      await records.getByRole('spinbutton').fill(days)
      await records.getByRole('spinbutton').press('Enter')
      await until('the setting', async () => String((await world.call(parkSettingCalls.accessControl, {})).recordDays) === days)
      await records.getByText('Not saved yet').waitFor({ state: 'hidden' })
    }
  },
)

test('a device limit is set, shows what is used, and is told where a device is added', { tags: 'extended' }, async () => {
  await world.device({ name: 'Gate' })
  const page = await show('/deviceLimit')
  await page.getByRole('button', { name: 'Add limit' }).first().click()
  await page.getByRole('heading', { name: 'New device limit' }).waitFor()
  await page.getByRole('combobox', { name: 'Organisation' }).click()
  await page.locator('.ant-select-tree-node-content-wrapper').filter({ hasText: 'Park' }).click()
  await page.getByLabel('Devices at most').fill('1')
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('heading', { name: 'Device limits' }).waitFor()
  await page.getByRole('row').filter({ hasText: 'Park' }).getByText('1 of 1: used up').waitFor()
  await expectAccessible(page)
  const { content } = await world.call(deviceLimitCalls.list, { body: { organisationId: world.park.id } })
  expect(content).toMatchObject([{ limit: 1, used: 1, deviceType: null }])

  await page.goto(`${world.url}/#/deviceList`)
  await page.getByRole('button', { name: 'Add a device' }).first().click()
  await formReady(page)
  const form = page.getByRole('dialog')
  await form.getByLabel('Name').fill('Second gate')
  await form.getByLabel('Code').fill('GATE-2')
  await form.getByRole('button', { name: 'Save' }).click()
  await typePassword(page)
  await form.getByText('may have 1 devices and has 1', { exact: false }).waitFor()

  await page.goto(`${world.url}/#/deviceLimit`)
  await page.getByRole('row').filter({ hasText: 'Park' }).getByRole('link').click()
  await page.getByRole('heading', { name: `Device limit of ${world.park.name}` }).waitFor()
  await page.getByLabel('Devices at most').fill('3')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('row').filter({ hasText: 'Park' }).getByText('1 of 3').waitFor()
})
