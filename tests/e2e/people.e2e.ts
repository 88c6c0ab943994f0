/** The register of staff as an administrator sees it: photographs and their refusals, fields, list, status, deleting. */
import type { Browser, Locator, Page } from 'playwright-core'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { faceCalls } from '@gatehouse/contract/faces/calls'
import { peopleCalls } from '@gatehouse/contract/people/calls'
import { startWorld, type Made, type World } from '@gatehouse/dev-env/world'
import { launchChromium } from '../support/chromium.ts'
import { expectAccessible, formReady, pagesOf } from '../support/console.ts'
import { drawnFace } from '../support/furnished.ts'
import { until } from '../support/until.ts'

let world: World
let browser: Browser
let group: Made
beforeAll(async () => {
  world = await startWorld({ console: true })
  browser = await launchChromium()
  group = await world.personGroup({ name: 'Workshop' })
})
afterAll(async () => {
  await browser?.close()
  await world?.stop()
})

const show = pagesOf(() => ({ browser, world }))
const rowOf = (page: Page, name: string): Locator => page.getByRole('row').filter({ hasText: name })
const upload = (form: Locator, buffer: Buffer) => form.locator('input[type="file"]').setInputFiles({ name: 'picture.jpg', mimeType: 'image/jpeg', buffer })
async function openForm(page: Page): Promise<Locator> {
  await page.getByRole('button', { name: 'Add a person' }).first().click()
  await formReady(page)
  return page.getByRole('dialog', { name: 'Add a person' })
}
async function choose(page: Page, form: Locator): Promise<void> {
  await form.getByLabel('Group').click()
  await page.locator('.ant-select-tree-node-content-wrapper').filter({ hasText: group.name }).click()
}

test('a photograph without a face is refused in words, and what was typed stays', async () => {
  const page = await show('/staffList')
  const form = await openForm(page)
  await form.getByLabel('Name').fill('Grace Hopper')
  await upload(form, await sharp({ create: { width: 400, height: 400, channels: 3, background: '#8aa' } }).jpeg().toBuffer())
  await form.getByText('no face', { exact: false }).waitFor()
  expect(await form.getByLabel('Name').inputValue()).toBe('Grace Hopper')
  await expectAccessible(page)
  await upload(form, await drawnFace())
  await form.getByRole('button', { name: 'Remove photo 1' }).waitFor()
  await choose(page, form)
  await form.getByRole('button', { name: 'Save' }).click()
  await form.waitFor({ state: 'hidden' })
  await rowOf(page, 'Grace Hopper').getByRole('img').first().waitFor()
})

test('a work number that is taken is refused at its field', async () => {
  await world.person({ name: 'Number One', workNumber: 'W-1', groupId: group.id })
  const page = await show('/staffList')
  const form = await openForm(page)
  await form.getByLabel('Name').fill('Number Two')
  await form.getByLabel('Work no.').fill('W-1')
  await choose(page, form)
  await form.getByRole('button', { name: 'Save' }).click()
  await form.locator('.ant-form-item').filter({ hasText: 'Work no.' }).getByRole('alert').or(form.locator('.ant-form-item-explain-error')).first().waitFor()
  expect(await form.getByLabel('Name').inputValue()).toBe('Number Two')
  const { content } = await world.call(peopleCalls.list, { query: { name: 'Number Two' } })
  expect(content).toEqual([])
})

test('a name with a forbidden character does not leave the form', async () => {
  const page = await show('/staffList')
  const form = await openForm(page)
  await form.getByLabel('Name').fill('A/B')
  await choose(page, form)
  await form.getByRole('button', { name: 'Save' }).click()
  await form.locator('.ant-form-item-explain-error').first().waitFor()
  expect((await world.call(peopleCalls.list, { query: { name: 'A/B' } })).total).toBe(0)
})

test('the list finds by name, keeps its filter in the address, and opens the person', async () => {
  await world.person({ name: 'Katherine Johnson', groupId: group.id })
  await world.person({ name: 'Dorothy Vaughan', groupId: group.id })
  const page = await show('/staffList?name=Katherine')
  await rowOf(page, 'Katherine Johnson').waitFor()
  expect(await rowOf(page, 'Dorothy Vaughan').count()).toBe(0)
  await rowOf(page, 'Katherine Johnson').getByRole('link', { name: 'Katherine Johnson' }).click()
  await page.getByRole('heading', { name: 'Katherine Johnson' }).waitFor()
  expect(page.url()).toContain('/staffDetails/')
  await expectAccessible(page)
  await page.goBack()
  await rowOf(page, 'Katherine Johnson').waitFor()
  expect(page.url()).toContain('name=Katherine')
})

test('a person is disabled and deleted from the list, and the deletion can be taken back', async () => {
  const person = await world.person({ name: 'Mary Jackson', groupId: group.id })
  const statusOf = async () => (await world.call(peopleCalls.read, { query: { id: person.id } })).status
  const page = await show('/staffList?name=Mary')
  const act = async (action: string): Promise<void> => {
    await page.getByRole('button', { name: 'Actions for Mary Jackson' }).click()
    await page.getByRole('menuitem', { name: action }).click()
  }
  await act('Disable')
  await until('the person to be disabled', async () => (await statusOf()) === 0)
  await act('Enable')
  await until('the person to be enabled', async () => (await statusOf()) === 1)
  await act('Delete')
  await page.getByRole('dialog', { name: 'Delete 1 person?' }).getByRole('button', { name: 'Delete' }).click()
  await page.getByRole('button', { name: 'Undo' }).click()
  await rowOf(page, 'Mary Jackson').waitFor()
  expect(await statusOf()).toBe(1)
})

test('a photograph of somebody already registered is said to be, and saved nevertheless', async () => {
  const known = world.photographs.people[0]!
  await world.person({ name: 'Registered Already', workNumber: 'A-1', groupId: group.id, photo: await known.photo(1) })
  const page = await show('/staffList')
  const form = await openForm(page)
  await form.getByLabel('Name').fill('Registered Again')
  await upload(form, await known.photo(2))
  const warning = form.getByRole('alert').filter({ hasText: 'This face looks like somebody already registered' })
  await warning.getByText('Registered Already').waitFor()
  await warning.getByText('A-1').waitFor()
  await form.getByText('photos are asked for', { exact: false }).waitFor()
  await expectAccessible(page)
  expect(await form.getByLabel('Name').inputValue()).toBe('Registered Again')
  // It goes with the photograph it is about.
  await form.getByRole('button', { name: 'Remove photo 1' }).click()
  await warning.waitFor({ state: 'hidden' })
  await upload(form, await known.photo(2))
  await warning.waitFor()
  await choose(page, form)
  await form.getByRole('button', { name: 'Save' }).click()
  await form.waitFor({ state: 'hidden' })
  const { content } = await world.call(peopleCalls.list, { query: { name: 'Registered Again' } })
  expect(content).toMatchObject([{ faces: [{ faceId: expect.any(String) }] }])
})

test('how a person is compared is changed and kept: how strictly, by which photographs, with whom not to mix up', async () => {
  const [one] = world.photographs.people
  const twin = await world.person({ name: 'Alan Twin', groupId: group.id })
  const person = await world.person({ name: 'Alan Turing', groupId: group.id, photo: [await one!.photo(1), await one!.photo(2)] })
  const matching = () => world.call(faceCalls.matching, { params: { id: person.id } })
  const { parkThreshold } = await matching()
  const page = await show(`/staffDetails/${person.id}`)
  await page.getByText('Stricter', { exact: true }).click()
  await until('the threshold', async () => (await matching()).threshold === parkThreshold + 5)
  const used = page.getByRole('switch')
  await used.nth(1).click()
  await page.getByText('Photo 2 is set aside').waitFor()
  expect((await matching()).photos).toMatchObject([{ setAsideAt: null }, { setAsideAt: expect.any(Number) }])
  // One has to stay.
  expect(await used.nth(0).isDisabled()).toBe(true)
  await page.getByRole('button', { name: 'Add a look-alike' }).click()
  await page.getByRole('combobox', { name: 'Add a look-alike' }).fill('Alan T')
  const offered = page.locator('.ant-select-item-option:visible')
  await offered.filter({ hasText: 'Alan Twin' }).waitFor()
  expect(await offered.filter({ hasText: 'Alan Turing' }).count()).toBe(0)
  await offered.filter({ hasText: 'Alan Twin' }).click()
  await page.getByRole('link', { name: 'Alan Twin' }).waitFor()
  expect((await matching()).lookAlikes).toMatchObject([{ personId: twin.id, origin: 'hand' }])
  await expectAccessible(page)

  await page.reload()
  await page.getByText('Photo 2 is set aside').waitFor()
  expect(await page.getByRole('radio', { name: 'Stricter', exact: true }).isChecked()).toBe(true)
  await used.nth(1).click()
  await page.getByText('Photo 2 is used').waitFor()
  await page.getByRole('button', { name: 'Alan Twin is no look-alike' }).click()
  await page.getByRole('link', { name: 'Alan Twin' }).waitFor({ state: 'detached' })
  await page.getByText('As usual', { exact: true }).click()
  await until('the usual threshold', async () => (await matching()).threshold === null)
  expect(await matching()).toMatchObject({ photos: [{ setAsideAt: null }, { setAsideAt: null }], lookAlikes: [] })
})

test.each([{ theme: 'light', language: 'zh-CN' }, { theme: 'dark', language: 'zh-TW' }] as const)('no screen has findings of axe ($theme, $language)', async ({ theme, language }) => {
  const page = await show('/staffList', { theme, language })
  for (const at of ['/staffList', '/staffAdd', '/home']) {
    await page.goto(`${world.url}/#${at}`)
    await page.getByRole('heading', { level: 1 }).filter({ visible: true }).waitFor()
    await expectAccessible(page)
  }
})
