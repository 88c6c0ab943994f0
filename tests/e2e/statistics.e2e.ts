/**
 * Statistics of passages, as an operator sees them: time windows, doors and groups, reasons for refusals, the records behind a figure, the
 * file.
 */
import { readFile } from 'node:fs/promises'
import type { Browser, Page } from 'playwright-core'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { localDate } from '@gatehouse/access-rules'
import { csvRowsOf, csvTextOf } from '@gatehouse/contract/files'
import { parkSettingCalls } from '@gatehouse/contract/organisation/settings'
import { startWorld, type MadeDevice, type World } from '@gatehouse/dev-env/world'
import { createPictureRetention } from '@gatehouse/server/contexts/records/picture-retention'
import { passages, sentBy } from '@gatehouse/server/contexts/records/testing/records'
import { recordId } from '@gatehouse/server/platform/database/ids'
import { expectAccessible, expectAddress, pagesOf } from '../support/console.ts'
import { onPaper } from '../support/paper.ts'
import { sharedBrowser } from '../support/stage.ts'

const DAY = 86_400_000
let world: World
let browser: Browser
let north: MadeDevice
/** Noon, so that no passage of a test is on another day. */
let noon = 0
beforeAll(async () => {
  world = await startWorld({ console: true })
  browser = await sharedBrowser()
  noon = Date.parse(`${localDate(Date.now(), world.park.zone)}T00:00:00Z`) - DAY + 12 * 3_600_000
  const [workshop, office] = [await world.personGroup({ name: 'Workshop' }), await world.personGroup({ name: 'Office' })]
  const [ada, grace] = [
    await world.person({ name: 'Ada', groupId: workshop.id }),
    await world.person({ name: 'Grace', groupId: office.id }),
  ]
  north = await world.device({ name: 'North gate' })
  const south = await world.device({ name: 'South gate' })
  const { ingest } = world.server.contexts.records
  const send = (device: MadeDevice, records: Parameters<typeof passages>[0]) =>
    ingest({ deviceId: device.id, parkId: world.park.id }, sentBy(passages(records), { sentAt: Date.now() }))
  await send(north, [
    ...Array.from({ length: 6 }, (_, index) => ({ occurredAt: noon + index * 60_000, personId: ada.id })),
    { occurredAt: noon, personId: ada.id, result: 0, failReason: 6 },
    { occurredAt: noon, result: 0, failReason: 904 },
    { occurredAt: noon, result: 0, failReason: 904 },
    { occurredAt: noon, personId: ada.id, temperature: 38.7, temperatureStatus: 1, result: 0, failReason: 8 },
    { occurredAt: noon - 40 * DAY, personId: ada.id, personName: 'Ada', hasPicture: true },
  ])
  await send(
    south,
    Array.from({ length: 3 }, (_, index) => ({
      occurredAt: noon - DAY + index,
      personId: grace.id,
      direction: 2,
      temperature: 36.4,
      temperatureStatus: 2,
    })),
  )
})
afterAll(async () => {
  await world?.stop()
})

const show = pagesOf(() => ({ browser, world }))
async function choosePeriod(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name: /^Time: / }).click()
  await page.getByRole('dialog', { name: 'Time' }).getByRole('button', { name }).click()
}

test('a window is chosen, seen by time, door and group, and says so in its address', async () => {
  const page = await show('/accessStatistics')
  await page.getByText('No access events in this period.').waitFor()
  await choosePeriod(page, 'Last 7 days')
  await page.getByRole('img', { name: '13 access events: 9 admitted, 4 refused' }).waitFor()
  await expectAccessible(page)
  const lines = page.getByRole('region', { name: 'Details' })
  await expect.poll(() => lines.getByRole('row').count()).toBeGreaterThan(7)
  await page.getByRole('radiogroup', { name: 'Counted by' }).getByText('Door').click()
  await lines.getByRole('row', { name: 'North gate 10 6 4' }).waitFor()
  await lines.getByRole('row', { name: 'South gate 3 3 0 0 3 3 0' }).waitFor()
  await page.getByRole('radiogroup', { name: 'Counted by' }).getByText('Group').click()
  await lines.getByRole('row', { name: 'Workshop 8' }).waitFor()
  await lines.getByRole('row', { name: 'No group 2' }).waitFor()
  await expectAddress(page, 'by=group')
  await page.reload()
  await lines.getByRole('row', { name: 'Office 3' }).waitFor()
  const temperatures = page.getByRole('region', { name: 'Temperatures' })
  await temperatures.getByText('Fever').waitFor()
  await temperatures.getByText('Normal').waitFor()

  const drawing = page.getByRole('img', { name: '13 access events' })
  const { faults } = await onPaper(page, async () => {
    // As wide as the page, each bar with its number.
    const [paper, chart] = [page.viewportSize(), await drawing.locator('svg').boundingBox()]
    expect(chart?.width).toBeGreaterThan(0.9 * (paper?.width ?? 0))
    await expect.poll(() => drawing.locator('svg text').allTextContents()).toEqual(expect.arrayContaining(['6', '3']))
  })
  expect(faults).toEqual([])
})

test('filters narrow it, and why somebody was refused leads to those records', { tags: 'extended' }, async () => {
  const page = await show('/accessStatistics')
  await choosePeriod(page, 'Last 7 days')
  await page.getByRole('img', { name: '13 access events' }).waitFor()
  await page.getByRole('search').getByRole('button', { name: /^Door/ }).click()
  const code = page.getByPlaceholder('Door: name or code')
  await expect.poll(() => code.evaluate((element) => element.matches(':focus'))).toBe(true)
  await page.keyboard.type(north.code)
  await page.keyboard.press('Enter')
  await page.getByRole('img', { name: '10 access events: 6 admitted, 4 refused' }).waitFor()
  const reasons = page.getByRole('region', { name: 'Reasons for refusal' })
  await expect.poll(() => reasons.getByRole('listitem').allInnerTexts()).toHaveLength(3)
  await reasons.getByRole('link').first().focus()
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Access records' }).waitFor()
  await expectAddress(page, 'failReason=904')
  await page.getByText('2 in all').waitFor()
})

test('any days can be asked for, and what is seen is had as a file', { tags: 'extended' }, async () => {
  const page = await show(`/accessStatistics?from=${new Date(noon - 45 * DAY).toISOString().slice(0, 10)}&by=device`)
  await page.getByRole('img', { name: '14 access events' }).waitFor()
  await expect.poll(() => page.getByRole('radiogroup', { name: 'Counted by' }).getByRole('radio', { name: 'Hour' }).isDisabled()).toBe(true)
  await page.getByRole('button', { name: 'Export' }).click()
  const download = page.waitForEvent('download')
  await page.getByRole('menuitem', { name: 'CSV' }).click()
  const rows = csvRowsOf(csvTextOf(new Uint8Array(await readFile(await (await download).path())))!)
  expect(rows.map(([name, total]) => [name, total])).toEqual([
    ['Door', 'Access events'],
    ['North gate', '11'],
    ['South gate', '3'],
    ['All', '14'],
  ])
})

test('is there in dark and in Chinese', { tags: 'extended' }, async () => {
  const page = await show('/accessStatistics?by=hour', { theme: 'dark', language: 'zh-CN' })
  await page.getByText('该时间段内没有通行。').waitFor()
  await page.getByRole('button', { name: /^时间: / }).click()
  await page.getByRole('button', { name: '昨天', exact: true }).click()
  await page.getByRole('img', { name: '共 10 次通行，放行 6 次，拒绝 4 次' }).waitFor()
  await expectAccessible(page)
})

test('a record whose picture is past its time says until when it was kept', { tags: 'extended' }, async () => {
  const { records } = world.server.contexts.records
  const picture = await sharp({ create: { width: 200, height: 200, channels: 3, background: '#567' } })
    .webp()
    .toBuffer()
  await records.attachPicture({ parkId: world.park.id }, { deviceId: north.id }, recordId(north.id, 'boot-1', 11), picture)
  const settings = await show('/basicSettings')
  const group = settings.getByRole('region', { name: 'Pictures of records' })
  await group.getByLabel('Keep pictures for').fill('30')
  await group.getByRole('button', { name: 'Save' }).click()
  await expect.poll(async () => (await world.call(parkSettingCalls.pictureRetention, {})).days).toBe(30)
  await createPictureRetention(world.server.platform, { organisation: world.server.contexts.organisation.service }).run()
  const page = await show(`/staffCurrent?startTime=${noon - 41 * DAY}&endTime=${noon - 39 * DAY}`)
  const words = `The picture was kept until ${localDate(noon - 10 * DAY, world.park.zone)}`
  await page.getByRole('row').getByRole('img', { name: words }).waitFor()
  await page
    .getByRole('row')
    .filter({ has: page.getByRole('img', { name: words }) })
    .click()
  await page.getByRole('dialog').getByText(words).waitFor()
})
