/** One-to-N search, as at a desk: a photo in, the person out, with photos of people where available. */
import type { Browser, Locator, Page } from 'playwright-core'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { MadePerson, World } from '@gatehouse/dev-env/world'
import { parkSettingCalls } from '@gatehouse/contract/organisation/settings'
import { openPhotographs } from '@gatehouse/dev-env/photographs'
import { expectAccessible, pagesOf } from '../support/console.ts'
import { sharedBrowser, sharedWorld } from '../support/stage.ts'

const photographs = openPhotographs()
const [ada, grace, stranger] = photographs.people as [
  (typeof photographs.people)[0],
  (typeof photographs.people)[0],
  (typeof photographs.people)[0],
]

let world: World
let browser: Browser
let persons: { ada: MadePerson; grace: MadePerson }
beforeAll(async () => {
  world = await sharedWorld()
  browser = await sharedBrowser()
  const { id: groupId } = await world.personGroup({ name: 'Workshop' })
  persons = {
    ada: await world.person({ name: 'Ada', groupId, photo: await ada.photo(1) }),
    grace: await world.person({ name: 'Grace', groupId, kind: 'customer', photo: await grace.photo(1) }),
  }
  await world.settled()
})
afterAll(async () => {
  await world?.stop()
})

const show = pagesOf(() => ({ browser, world }))
const keepCustomers = (showCustomerManagerFlag: 0 | 1) =>
  world.call(parkSettingCalls.saveUpdateConfig, {
    body: { staffFaceRegisterFlag: 0, customerFaceRegisterFlag: 0, showCustomerManagerFlag },
  })
const fileOf = (buffer: Buffer) => ({ name: 'picture.jpg', mimeType: 'image/jpeg', buffer })
const choose = (page: Page, buffer: Buffer) => page.locator('input[type="file"]').setInputFiles(fileOf(buffer))
const results = (page: Page): Locator => page.getByRole('region', { name: 'People found' })
const precision = (page: Page, name: string) => page.getByRole('radiogroup', { name: 'Match precision' }).getByText(name, { exact: true })

test('a photograph leads to its person: both faces, the score, the group, and the way to the record', async () => {
  const page = await show('/oneToN')
  await results(page).getByText('Who is on this photo?').waitFor()
  await expectAccessible(page)
  await choose(page, await ada.photo(2))
  const first = results(page).getByRole('listitem').first()
  await first.getByRole('link', { name: 'Open Ada' }).waitFor()
  await expect.poll(() => first.textContent()).toContain('Workshop')
  await expect.poll(() => first.textContent()).toContain('Staff')
  await expect
    .poll(() =>
      first
        .getByRole('img')
        .evaluateAll((images) => images.map((image) => (image as unknown as { naturalWidth: number }).naturalWidth > 0)),
    )
    .toEqual([true, true])
  // Ten times the square root of the raw score: a match is shown between 50 and 100.
  const shown = Number(await first.getByTitle('Similarity', { exact: false }).textContent())
  expect(shown).toBeGreaterThan(50)
  expect(shown).toBeLessThanOrEqual(100)
  await results(page).getByText('among 2 photos').waitFor()
  await expectAccessible(page)
  await first.getByRole('link', { name: 'Open Ada' }).focus()
  await page.keyboard.press('Enter')
  await page.waitForURL((url) => url.hash.startsWith(`#/staffDetails/${persons.ada.id}`))
})

test('only registers that the park has are offered', async () => {
  const page = await show('/oneToN')
  await results(page).getByText('Who is on this photo?').waitFor()
  expect(await page.getByRole('checkbox').count()).toBe(3)
  expect(await page.getByRole('checkbox', { name: 'Customers' }).count()).toBe(0)
  await keepCustomers(1)
  await page.reload()
  await page.getByRole('checkbox', { name: 'Customers' }).waitFor()
  await page.getByRole('checkbox', { name: 'Visitors' }).waitFor()
})

test('what is asked for stands in the address, and another register has other people', { tags: 'extended' }, async () => {
  await keepCustomers(1)
  const page = await show('/oneToN?kinds=customer&precision=6&custom=1&top=20&order=2')
  await expect.poll(() => page.getByRole('checkbox', { name: 'Customers' }).isChecked()).toBe(true)
  expect(await page.getByRole('checkbox', { name: 'Staff' }).isChecked()).toBe(false)
  await expect.poll(() => page.getByLabel('Lowest similarity').inputValue()).toBe('10.0')
  await choose(page, await grace.photo(2))
  await results(page).getByRole('link', { name: 'Open Grace' }).waitFor()
  await page.getByRole('checkbox', { name: 'Staff' }).click()
  await page.waitForURL((url) => url.hash.includes('kinds=staff'))
  await page.getByRole('checkbox', { name: 'Customers' }).click()
  await page.waitForURL((url) => url.hash.includes('kinds=staff') && !url.hash.includes('kinds=customer'))
  await results(page).getByRole('link', { name: 'Open Grace' }).waitFor({ state: 'detached' })
})

test('nobody: it says so, and looking more loosely is one step', { tags: 'extended' }, async () => {
  const page = await show('/oneToN?precision=1')
  await choose(page, await stranger.photo(1))
  await results(page).getByText('No registered person reaches this similarity').waitFor()
  await expectAccessible(page)
  await results(page).getByRole('button', { name: 'Search with lower precision' }).click()
  await page.waitForURL((url) => url.hash.includes('precision=2'))
})

test('a picture without a face is refused in words, and the next one is taken', { tags: 'extended' }, async () => {
  const page = await show('/oneToN')
  await choose(
    page,
    await sharp({ create: { width: 400, height: 400, channels: 3, background: '#8aa' } })
      .jpeg()
      .toBuffer(),
  )
  await page.getByText('no face', { exact: false }).waitFor()
  expect(await results(page).getByRole('listitem').count()).toBe(0)
  await choose(page, await ada.photo(2))
  await results(page).getByRole('link', { name: 'Open Ada' }).waitFor()
})

test.skipIf(photographs.kind !== 'real')('of several people on a picture one is chosen', { tags: 'extended' }, async () => {
  const page = await show('/oneToN')
  const two = await Promise.all(
    [ada, grace].map(async (one) =>
      sharp(await one.photo(2))
        .resize(400, 400, { fit: 'cover' })
        .toBuffer(),
    ),
  )
  const both = await sharp({ create: { width: 800, height: 400, channels: 3, background: '#888' } })
    .composite([
      { input: two[0]!, left: 0, top: 0 },
      { input: two[1]!, left: 400, top: 0 },
    ])
    .jpeg()
    .toBuffer()
  await choose(page, both)
  await page.getByRole('button', { name: 'Face 1' }).waitFor()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Face 1' }).click()
  await results(page).getByRole('listitem').first().waitFor()
})

test('works by keyboard: registers, precision and results without a mouse', async () => {
  const page = await show('/oneToN')
  await choose(page, await ada.photo(2))
  await results(page).getByRole('link', { name: 'Open Ada' }).waitFor()
  await page.getByRole('checkbox', { name: 'Watch list' }).focus()
  await page.keyboard.press('Space')
  await page.waitForURL((url) => url.hash.includes('kinds=staff') && !url.hash.includes('special'))
  await page.getByRole('radiogroup', { name: 'Match precision' }).getByRole('radio', { checked: true }).focus()
  await page.keyboard.press('ArrowLeft')
  await page.waitForURL((url) => url.hash.includes('precision=2'))
  await expect.poll(() => precision(page, 'Strict').isVisible()).toBe(true)
})
