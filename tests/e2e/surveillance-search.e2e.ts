/** Face search, as an investigator uses it: by an upload, a capture and a person; its four views, its reason, and who may not. */
import type { Browser, Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { auditCalls } from '@gatehouse/contract/audit/calls'
import { numberedCalls } from '@gatehouse/contract/device/numbered'
import { deviceType } from '@gatehouse/contract/enums'
import { roleCalls } from '@gatehouse/contract/identity/roles'
import { searchCalls } from '@gatehouse/contract/people/search'
import { captureCalls } from '@gatehouse/contract/surveillance/captures'
import { faceSearchCalls } from '@gatehouse/contract/surveillance/face-search'
import { monitoringTaskCalls } from '@gatehouse/contract/surveillance/tasks'
import { createClient, type Client } from '@gatehouse/dev-env/client'
import { ALWAYS_OPEN } from '@gatehouse/dev-env/site'
import type { MadePerson, World } from '@gatehouse/dev-env/world'
import { expectAccessible, expectAddress, pagesOf } from '../support/console.ts'
import { settledUser } from '../support/accounts.ts'
import { sharedBrowser, sharedWorld } from '../support/stage.ts'
import { until } from '../support/until.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR

let world: World
let browser: Browser
let ada: MadePerson
/** Of Ada at the gate, three times and oldest first; the last is of another person. */
let captureIds: string[]
beforeAll(async () => {
  world = await sharedWorld()
  browser = await sharedBrowser()
  const group = await world.personGroup({ name: '实验室' })
  const [one, other] = people()
  ada = await world.person({ name: '林小雨', groupId: group.id, photo: await one.photo(1) })
  await world.person({ name: '周明', groupId: group.id, photo: await other.photo(1) })
  await world.settled()
  const gate = await world.device({ name: '北门抓拍机', type: deviceType.captureCamera, model: 1 })
  const yard = await world.device({ name: '后院抓拍机', type: deviceType.captureCamera, model: 1 })
  await world.call(monitoringTaskCalls.add, {
    body: {
      name: '北门布控',
      startTime: Date.now() - DAY,
      endTime: Date.now() + DAY,
      periods: ALWAYS_OPEN,
      deviceIds: [gate.id],
      personGroupIds: [group.id],
    },
  })
  const [atGate, atYard] = [gate, yard].map(({ code, secret }) => createClient(world.url, { basic: [code, secret] })) as [Client, Client]
  const now = Date.now()
  await post(atGate, await one.photo(2), now - 5 * HOUR)
  await post(atYard, await one.photo(3), now - 3 * HOUR)
  await post(atGate, await one.photo(1), now - HOUR)
  await post(atGate, await other.photo(2), now - 2 * HOUR)
  const { content } = await until('all captures', async () => {
    const page = await world.call(captureCalls.find, { body: { order: 2 } })
    return page.content.length === 4 ? page : null
  })
  captureIds = content.map(({ captureId }) => captureId)
})
afterAll(() => world?.stop())

type Photographed = World['photographs']['people'][number]
/** Three people, alone on their first photographs. */
function people(): [Photographed, Photographed, Photographed] {
  const { photographs } = world
  const [one, other, absent] =
    photographs.kind === 'real'
      ? ['colin_powell', 'hu_jintao', 'george_w_bush'].map((identity) => photographs.person(identity))
      : photographs.people
  return [one!, other!, absent!]
}

let pictures = 0
/** Post a picture of a person as a camera that only sends pictures does. */
const post = (camera: Client, file: Buffer, occurredAt: number) =>
  camera.call(numberedCalls.postedCapture, { query: { eventId: `picture ${++pictures}`, occurredAt }, file })

const show = pagesOf(() => ({ browser, world }))
const upload = (page: Page, buffer: Buffer) =>
  page.locator('input[type="file"]').setInputFiles({ name: 'picture.jpg', mimeType: 'image/jpeg', buffer })
/** Open the first row of a list in its drawer. */
async function openFirst(page: Page): Promise<void> {
  await page.locator('tr[data-row-key]').first().click()
  await page.getByRole('dialog').waitFor()
}
const results = (page: Page): Locator => page.getByRole('region', { name: 'Search results' })
const cards = (page: Page): Locator => results(page).locator('button[data-id]')
const reason = (page: Page): Locator => page.getByRole('textbox', { name: 'Reason' })
const search = (page: Page) => page.locator('form button[type="submit"]').click()
const cameras = (page: Page) =>
  cards(page).evaluateAll((all) => all.map((card) => (card as { textContent: string }).textContent.match(/北门|后院/)![0]))

test('an upload finds the captures of its person and of no other; the reason is required, and kept in the log of reads', async () => {
  const page = await show('/faceTrack')
  await results(page).getByText('Where was this face seen?').waitFor()
  await expectAccessible(page)
  await search(page)
  await page.getByText('Upload a photo or choose a person first.').waitFor()
  await page.getByText('State the reason of this search.').waitFor()
  await upload(page, await people()[0].photo(2))
  await page.getByText('Upload a photo or choose a person first.').waitFor({ state: 'detached' })
  await reason(page).fill('A wallet was found')
  await reason(page).press('Enter')
  await results(page).getByText('4 captures compared').waitFor()
  await results(page).getByText('3 results').waitFor()
  await expect.poll(() => cards(page).count()).toBe(3)
  await expectAccessible(page)
  // The focus is at the results, and arrows lead through them.
  await expect.poll(() => page.evaluate(`document.activeElement.dataset.id`)).toBe(await cards(page).first().getAttribute('data-id'))
  await page.keyboard.press('ArrowRight')
  await expect.poll(() => page.evaluate(`document.activeElement.dataset.id`)).toBe(await cards(page).nth(1).getAttribute('data-id'))
  await page.keyboard.press('Enter')
  const drawer = page.getByRole('dialog')
  await drawer.getByText('Captured at').or(drawer.getByText('In view')).first().waitFor()
  await page.keyboard.press('Escape')

  await expect
    .poll(async () => {
      const { content } = await world.call(auditCalls.reads, { query: {} })
      return content.find(({ url }) => url === faceSearchCalls.search.url)?.reason
    })
    .toBe('A wallet was found')
})

test('results are shown in three orders and as many as chosen; each choice searches again', async () => {
  const page = await show(`/faceTrack?personId=${ada.id}`)
  await reason(page).fill('An order')
  await search(page)
  await expect.poll(() => cards(page).count()).toBe(3)
  await page.getByRole('combobox', { name: 'Order' }).click()
  const oldestFirst = page.waitForRequest((request) => request.url().includes(faceSearchCalls.search.path))
  await page.getByTitle('Oldest first').last().click()
  expect(JSON.parse((await oldestFirst).postData()!)).toMatchObject({ order: 2, top: 10, reason: 'An order', personId: ada.id })
  await expect.poll(() => cameras(page)).toEqual(['北门', '后院', '北门'])
  await page.getByRole('combobox', { name: 'Results shown' }).click()
  const top = page.waitForRequest((request) => request.url().includes(faceSearchCalls.search.path))
  await page.getByTitle('Top 50').last().click()
  expect(JSON.parse((await top).postData()!)).toMatchObject({ order: 2, top: 50 })
  await expectAddress(page, `/faceTrack?personId=${ada.id}&top=50&order=2`)
})

test('a capture is searched for from its drawer; match view and 1:N view show whose face it is', async () => {
  const page = await show('/capturedList')
  await openFirst(page)
  await page.getByRole('dialog').getByRole('link', { name: 'Search this face' }).click()
  await expectAddress(page, `/faceTrack?captureId=${captureIds[3]}&captureTime=`)
  await page.getByText(/^Capture of \d{4}/).waitFor()
  await page.locator('label img').waitFor()
  await reason(page).fill('A capture')
  await search(page)
  await expect.poll(() => cards(page).count()).toBe(3)

  const views = page.getByRole('navigation', { name: 'Views of the search' })
  await views.getByRole('link', { name: 'Matches' }).click()
  await expect.poll(() => cards(page).count()).toBe(2)
  const first = cards(page).first()
  for (const words of ['林小雨', '实验室', '北门布控']) await first.getByText(words).waitFor()
  await expectAccessible(page)

  await views.getByRole('link', { name: 'People (1:N)' }).click()
  await results(page).getByRole('link', { name: 'Open 林小雨' }).waitFor()
  expect(await results(page).getByRole('link', { name: 'Open 周明' }).count()).toBe(0)
  await expectAccessible(page)
  await expect
    .poll(async () => {
      const { content } = await world.call(auditCalls.reads, { query: { subject: ada.id } })
      return content.find(({ url }) => url === searchCalls.oneToN.url)?.reason
    })
    .toBe('A capture')
})

test('a search that takes long is cancelled', async () => {
  const page = await show(`/faceTrack?personId=${ada.id}`)
  await page.route(`**${faceSearchCalls.search.path}`, () => {})
  await reason(page).fill('Too slow')
  const aborted = page.waitForEvent('requestfailed', (request) => request.url().includes(faceSearchCalls.search.path))
  await search(page)
  await results(page).getByText('Searching…').waitFor()
  await results(page).getByRole('button', { name: 'Cancel' }).click()
  expect((await aborted).failure()?.errorText).toContain('ABORTED')
  await results(page).getByText('Where was this face seen?').waitFor()
})

test('a window of more than 366 days is refused at its field, and nothing is sent', async () => {
  const now = Date.now()
  const page = await show(`/faceTrack?personId=${ada.id}&startTime=${now - 400 * DAY}&endTime=${now}`)
  await reason(page).fill('Too long')
  const sent: string[] = []
  page.on('request', (request) => void (request.url().includes(faceSearchCalls.search.path) && sent.push(request.url())))
  await search(page)
  await page.getByRole('form', { name: 'Search conditions' }).getByRole('alert').waitFor()
  expect(sent).toEqual([])
})

test('a person of whom nothing was captured leads to a wider window; one without a photo is said to have none', async () => {
  const group = await world.personGroup({ name: '新员工' })
  const absent = await world.person({ name: '缺席', groupId: group.id, photo: await people()[2].photo(1) })
  const faceless = await world.person({ name: '无照', groupId: group.id })
  await world.settled()
  const page = await show(`/faceTrack?personId=${absent.id}`, { language: 'zh-CN' })
  await page.getByRole('textbox', { name: '检索事由' }).fill('寻人')
  await search(page)
  await page.getByText('没有找到这张脸').waitFor()
  const wider = page.waitForRequest((request) => request.url().includes(faceSearchCalls.search.path))
  await page.getByRole('button', { name: '检索最近 30 天' }).click()
  const body = JSON.parse((await wider).postData()!) as { startTime: number; endTime: number }
  expect(Math.round((body.endTime - body.startTime) / DAY)).toBe(30)
  await page.goto(`${world.url}/#/faceTrack?personId=${faceless.id}`)
  await page.getByRole('textbox', { name: '检索事由' }).fill('寻人')
  await search(page)
  await page.getByText('该人员没有可比对的照片，或已被删除。').waitFor()
})

test('the same search opens in a window of its own, with the reason of the first, and leads back', async () => {
  const page = await show(`/faceTrack?personId=${ada.id}`)
  await reason(page).fill('For the second screen')
  const opening = page.waitForEvent('popup')
  await page.getByRole('link', { name: 'Open in a window of its own' }).click()
  const other = await opening
  await expectAddress(other, `/faceTrackFull?personId=${ada.id}`)
  await expect.poll(() => reason(other).inputValue()).toBe('For the second screen')
  expect(await other.getByRole('menu').count()).toBe(0)
  await search(other)
  await expect.poll(() => cards(other).count()).toBe(3)
  await expectAccessible(other)
  await other.getByRole('link', { name: 'Back to the console' }).click()
  await expectAddress(other, `/faceTrack?personId=${ada.id}`)
  await other.close()
})

test('a user without the permission sees neither entry nor action, and the address leads to 403', async () => {
  const role = await world.call(roleCalls.create, {
    body: { name: 'Watcher', permissions: ['surveillance', 'surveillance.data'], organisationId: world.park.id },
  })
  const user = await settledUser(world, { roles: [role.id] })
  const page = await show('/capturedList', { user })
  await openFirst(page)
  await page.getByRole('dialog').getByText('In view').waitFor()
  expect(await page.getByRole('link', { name: 'Search this face' }).count()).toBe(0)
  expect(await page.getByText('Face search', { exact: true }).count()).toBe(0)
  for (const address of ['/faceTrack', '/faceTrackFull']) {
    await page.goto(`${world.url}/#${address}`)
    await page.waitForURL((url) => url.hash === '#/403')
  }
})
