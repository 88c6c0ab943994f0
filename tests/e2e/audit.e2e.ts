/** The logs, the data dictionary, and data screens, as users see them. */
import type { Browser, Page } from 'playwright-core'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { peopleCalls } from '@gatehouse/contract/people/calls'
import { dictionaryCalls } from '@gatehouse/contract/system/dictionary'
import { mapCalls } from '@gatehouse/contract/system/map'
import { startWorld, type MadePerson, type World } from '@gatehouse/dev-env/world'
import { expectAccessible, formReady, pagesOf } from '../support/console.ts'
import { until } from '../support/until.ts'
import { sharedBrowser } from '../support/stage.ts'

let world: World
let browser: Browser
let ada: MadePerson
beforeAll(async () => {
  // The words of the dictionary and the title of the data screen belong to the whole installation.
  world = await startWorld({ console: true })
  browser = await sharedBrowser()
  ada = await world.person({ name: 'Ada Lovelace', workNumber: 'W-1' })
})
afterAll(async () => {
  await world?.stop()
})

const show = pagesOf(() => ({ browser, world }))
const rowOf = (page: Page, text: string) => page.getByRole('row').filter({ hasText: text })

test('the operation log says what was done and opens to what stood there before and after', async () => {
  const { version: _version, faces: _faces, ...person } = await world.call(peopleCalls.read, { query: { id: ada.id } })
  await world.call(peopleCalls.change, { body: { ...person, remark: 'Knows looms', facePhotos: [], version: _version } as never })
  const page = await show('/userLog')
  await rowOf(page, 'Changed a person').filter({ hasText: 'Ada Lovelace' }).click()
  const drawer = page.getByRole('dialog', { name: 'Changed a person' })
  await drawer.getByRole('row', { name: 'Remark' }).getByText('Knows looms').waitFor()
  await expectAccessible(page)
  await drawer.getByRole('link', { name: 'Access to this data' }).click()
  await page.waitForURL((url) => url.hash === `#/readLog?subject=${ada.id}`)
  await page.getByText('Access to the data of').waitFor()
})

test('a filter of the log stands in the address and is there again from it [BEH-200]', { tags: 'extended' }, async () => {
  const page = await show('/userLog')
  await page.getByLabel('About').first().fill('Lovelace')
  await page.waitForURL((url) => url.hash.includes('subject=Lovelace'))
  await page.getByRole('row').getByText('Added a person', { exact: true }).waitFor()
  const other = await show('/userLog?module=login&source=local')
  await rowOf(other, 'Logged in').first().waitFor()
  expect(await rowOf(other, 'Added a person').count()).toBe(0)
})

test('who looked at a person is listed under that person', { tags: 'extended' }, async () => {
  const page = await show(`/staffDetails/${ada.id}`)
  await page.getByText('Ada Lovelace').first().waitFor()
  await until('the note', async () => (await readsOf(page)) > 0)
  await rowOf(page, 'A person').filter({ hasText: 'Ada Lovelace' }).first().waitFor()
  await expectAccessible(page)

  async function readsOf(at: Page): Promise<number> {
    await at.goto(`${world.url}/#/home`)
    await at.goto(`${world.url}/#/readLog?subject=${ada.id}`)
    await at.locator('tbody tr.ant-table-row').first().waitFor({ timeout: 3000 })
    return rowOf(at, 'A person').count()
  }
})

test('a word of the dictionary is used at once, and the built-in one again after a reset', { tags: 'extended' }, async () => {
  const page = await show('/dataDictionary?enum=personStatus')
  await page.getByRole('button', { name: 'Edit the words of 1' }).click()
  await formReady(page)
  await page.getByRole('dialog').getByLabel('English').fill('In service')
  await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
  await page.getByText('instead of “Enabled”').waitFor()
  await expectAccessible(page)
  await page.goto(`${world.url}/#/staffList`)
  await rowOf(page, 'Ada Lovelace').getByText('In service').waitFor()
  // And from the start in a later session.
  const other = await show('/staffList')
  await rowOf(other, 'Ada Lovelace').getByText('In service').waitFor()
  await page.goto(`${world.url}/#/dataDictionary?enum=personStatus`)
  await page.getByRole('button', { name: 'Reset the words of 1' }).click()
  await page.getByText('instead of “Enabled”').waitFor({ state: 'detached' })
  await page.goto(`${world.url}/#/staffList`)
  await rowOf(page, 'Ada Lovelace').getByText('Enabled').waitFor()
})

test('a dictionary file without a byte-order mark is refused in words', { tags: 'extended' }, async () => {
  const page = await show('/dataDictionary')
  await page
    .locator('input[type="file"]')
    .setInputFiles({ name: 'words.csv', mimeType: 'text/csv', buffer: Buffer.from('enum,value,zh-CN,zh-TW,en\r\ngender,1,a,b,c\r\n') })
  await page.getByText('UTF-8 with a byte-order mark').waitFor()
  expect((await world.call(dictionaryCalls.read, {})).labels).toEqual({})
})

test('the data screen takes its title from the settings and shows the park', async () => {
  const page = await show('/screenSettings')
  await page.getByLabel('Title').first().fill('South gate')
  await page.getByLabel('Latest records with faces').uncheck()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Not saved yet').waitFor({ state: 'detached' })
  const address = await page.getByRole('link', { name: 'Open the screen' }).getAttribute('href')
  expect(address).toBe(`${world.url}/#/dataScreen`)
  await page.goto(address!)
  await page.getByRole('heading', { name: 'South gate' }).waitFor()
  await page.getByText('Inside now').waitFor()
  expect(await page.getByText('Latest records').count()).toBe(0)
  expect(await page.getByRole('navigation').count()).toBe(0)
  await expectAccessible(page)
})

test('a plan is uploaded, its entrance set by a click and moved by the keyboard', async () => {
  const page = await show('/mapSettings')
  const plan = await sharp({ create: { width: 800, height: 400, channels: 3, background: '#cde' } })
    .png()
    .toBuffer()
  await page.locator('input[type="file"]').first().setInputFiles({ name: 'plan.png', mimeType: 'image/png', buffer: plan })
  const field = page.getByRole('button', { name: 'Entrance: click to set it' })
  await field.click()
  await page.keyboard.press('ArrowRight')
  await page.getByLabel('Latitude').fill('31.2304')
  await page.getByLabel('Longitude').fill('121.4737')
  await page.getByText('31.23040° N · 121.47370° E').waitFor()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Save' }).click()
  const saved = await until('the map', async () => {
    const settings = await world.call(mapCalls.read, {})
    return settings.version > 0 ? settings : null
  })
  expect(saved).toMatchObject({ latitude: 31.2304, longitude: 121.4737 })
  expect(saved.marker!.x).toBeCloseTo(0.51, 2)
  expect(saved.marker!.y).toBeCloseTo(0.5, 1)
})
