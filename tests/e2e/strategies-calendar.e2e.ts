/** Special days of a time rule from a calendar file, the month they result in, and door groups for strategies. */
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { localDate } from '@gatehouse/access-rules'
import { strategyCalls, timeRuleCalls } from '@gatehouse/contract/strategies/calls'
import { accessGroupCalls } from '@gatehouse/contract/strategies/access-groups'
import type { World } from '@gatehouse/dev-env/world'
import { expectAccessible, formReady, pagesOf, pick } from '../support/console.ts'
import { until } from '../support/until.ts'
import { sharedBrowser, sharedWorld } from '../support/stage.ts'

let world: World
let browser: Browser
beforeAll(async () => {
  world = await sharedWorld()
  browser = await sharedBrowser()
})
afterAll(async () => {
  await world?.stop()
})

const show = pagesOf(() => ({ browser, world }))
const nameOf = (page: Page) => page.locator('main form').getByRole('textbox', { name: 'Name' })

/** Return a Monday of next month, in the zone of the park, and the two days that follow. */
function daysAhead(): [string, string, string] {
  const now = new Date()
  const first = Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 8)
  const monday = first + ((8 - new Date(first).getUTCDay()) % 7) * 86_400_000
  const date = (day: number) => new Date(monday + day * 86_400_000).toISOString().slice(0, 10)
  return [date(0), date(1), date(2)]
}

test('holidays of a calendar are chosen, seen in the month and saved with the rule', async () => {
  const [monday, tuesday, wednesday] = daysAhead()
  const compact = (date: string) => date.replaceAll('-', '')
  const events = [
    ['DTSTART;VALUE=DATE:' + compact(monday), 'DTEND;VALUE=DATE:' + compact(wednesday), 'SUMMARY:Founders'],
    ['DTSTART;VALUE=DATE:' + compact(wednesday), 'SUMMARY:Fair'],
    ['DTSTART;VALUE=DATE:20200101', 'RRULE:FREQ=HOURLY', 'SUMMARY:Chimes'],
  ]
  const text = ['BEGIN:VCALENDAR', ...events.flatMap((lines) => ['BEGIN:VEVENT', ...lines, 'END:VEVENT']), 'END:VCALENDAR'].join('\r\n')
  const page = await show('/timeRuleDetail/new')
  await nameOf(page).fill('With holidays')
  await page.getByRole('button', { name: 'Import a calendar: Closed on' }).click()
  const dialog = page.getByRole('dialog')
  const choose = (content: string) =>
    dialog.locator('input[type="file"]').setInputFiles({ name: 'holidays.ics', mimeType: 'text/calendar', buffer: Buffer.from(content) })
  await choose('no calendar')
  await dialog.getByText('This is no calendar file', { exact: false }).waitFor()
  await choose(text)
  await dialog.getByText('3 days from today on.').waitFor()
  await dialog.getByText('because their days could not be read: Chimes', { exact: false }).waitFor()
  await dialog.getByRole('checkbox', { name: `${wednesday} Fair` }).uncheck()
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Add 2 days' }).click()
  await dialog.waitFor({ state: 'hidden' })

  // It opens at the present month in the zone of the park.
  const month = page.locator('main table')
  const thisMonth = new Intl.DateTimeFormat('en', { year: 'numeric', month: 'long', timeZone: world.park.zone }).format(new Date())
  await page.getByRole('table', { name: thisMonth }).waitFor()
  await page.getByRole('button', { name: 'Month after' }).click()
  const cell = (date: string) => month.getByRole('cell', { name: new RegExp(`^${Number(date.slice(8))}\\D`) })
  await until('the days to be closed', async () =>
    (await Promise.all([monday, tuesday].map((date) => cell(date).getAttribute('data-state')))).every((state) => state === 'closed'),
  )
  expect(await cell(wednesday).getAttribute('data-state')).toBe('partly')
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Save' }).click()
  await page.locator('tr[data-row-key]').filter({ hasText: 'With holidays' }).waitFor()
  const { content } = await world.call(timeRuleCalls.list, { query: { name: 'With holidays' } })
  expect(content[0]).toMatchObject({ forbiddenExceptionDates: [monday, tuesday], allowedExceptionDates: [] })
})

test('date pickers go by the clock of the park, not by that of the browser', async () => {
  const page = await show('/home')
  const today = localDate(Date.now(), world.park.zone)
  const browserClock = await page.context().newCDPSession(page)
  const timezoneId = ['Pacific/Kiritimati', 'Pacific/Pago_Pago'].find((zone) => localDate(Date.now(), zone) !== today)!
  await browserClock.send('Emulation.setTimezoneOverride', { timezoneId })
  onTestFinished(async () => void (await browserClock.send('Emulation.setTimezoneOverride', { timezoneId: '' })))
  await page.goto(`${world.url}/#/timeRuleDetail/new`)
  await page.locator('main .ant-picker').first().click()
  const marked = page.locator('.ant-picker-cell-today')
  expect([await marked.getAttribute('title'), await page.locator('.ant-picker-dropdown th').first().innerText()]).toEqual([today, 'Su'])
})

test('doors are put under one name, and a strategy opens them by it', { tags: 'extended' }, async () => {
  const [door, person] = [await world.device({ name: 'Night door' }), await world.person({ name: 'Night Watch' })]
  const rule = await world.timeRule({ name: 'Nights' })
  const page = await show('/passStrategy')
  await page.getByRole('button', { name: 'Door groups' }).click()
  await page.getByRole('button', { name: 'Add a door group' }).click()
  await formReady(page)
  const form = page.getByRole('dialog').filter({ hasText: 'Single doors' })
  await form.getByRole('textbox', { name: 'Name' }).fill('Night doors')
  await pick(form.getByLabel('Single doors'), door.name)
  await form.getByRole('textbox', { name: 'Name' }).click()
  await form.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('listitem').filter({ hasText: 'Night doors' }).getByText('1 door', { exact: false }).waitFor()
  await expectAccessible(page)
  const [group] = await world.call(accessGroupCalls.all, {})
  expect(group).toMatchObject({ name: 'Night doors', deviceIds: [door.id], strategyCount: 0 })

  await page.goto(`${world.url}/#/addPassStrategyDetail`)
  await nameOf(page).fill('Watch')
  await page.getByLabel('Single people').fill(person.name)
  await page.locator('.ant-select-item-option:visible').filter({ hasText: person.name }).click()
  await page.keyboard.press('Escape')
  await pick(page.getByLabel('Door groups'), 'Night')
  await page.keyboard.press('Escape')
  await page.getByText('1 person may pass at 1 door.').waitFor()
  await pick(page.getByLabel('Time rules'), rule.name)
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Save' }).click()
  await until('the strategy to be saved', async () => (await world.call(strategyCalls.find, { body: { name: 'Watch' } })).total === 1)
  expect((await world.call(strategyCalls.find, { body: { name: 'Watch' } })).content[0]).toMatchObject({
    accessGroupIds: [group!.id],
    deviceIds: [],
    deviceCount: 1,
    personCount: 1,
  })
})
