/** Strategies and time rules as an administrator sees them. */
import type { Browser, Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { strategyCalls, timeRuleCalls } from '@gatehouse/contract/strategies/calls'
import { accessMethod } from '@gatehouse/contract/enums'
import type { World } from '@gatehouse/dev-env/world'
import { expectAccessible, pagesOf, pick } from '../support/console.ts'
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

/** The field of the form, not the filter of the list it was opened from. */
const nameOf = (page: Page): Locator => page.locator('main form').getByRole('textbox', { name: 'Name' })
const rowsOf = (page: Page): Locator => page.locator('tr[data-row-key]')

describe('time rules', () => {
  const day = (page: Page, name: string): Locator => page.getByRole('group', { name, exact: true })

  test('an overlap is shown at its period, a day is copied, and the rule is saved', { tags: 'extended' }, async () => {
    const page = await show('/timeRule')
    await page.getByRole('button', { name: 'Add a time rule' }).first().click()
    await page.getByRole('heading', { name: 'Add a time rule' }).waitFor()
    await nameOf(page).fill('Shifts')
    const monday = day(page, 'Monday')
    await monday.getByRole('textbox', { name: 'End' }).fill('12')
    await monday.getByRole('button', { name: 'Add a period on Monday' }).click()
    const second = monday.getByRole('textbox', { name: 'Start' }).nth(1)
    await second.fill('1130')
    await second.press('Enter')
    await monday.getByText('These periods overlap.').waitFor()
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Time periods must not overlap.').waitFor()

    await second.fill('13:30')
    await second.press('Enter')
    await monday.getByText('These periods overlap.').waitFor({ state: 'detached' })
    await monday.getByRole('button', { name: 'Copy Monday to other days' }).click()
    await page.getByRole('menuitem', { name: 'Every day' }).click()
    await page.getByRole('button', { name: 'Save' }).click()
    await rowsOf(page).filter({ hasText: 'Shifts' }).waitFor()

    const { content } = await world.call(timeRuleCalls.list, { query: { name: 'Shifts' } })
    const sunday = content[0]!.periods.filter(({ weekday }) => weekday === 7)
    expect(sunday).toEqual([
      { weekday: 7, start: '08:00', end: '12:00' },
      { weekday: 7, start: '13:30', end: '17:00' },
    ])
  })

  test('a name that is taken is refused at the name, a week without periods at the week', { tags: 'extended' }, async () => {
    await world.timeRule({ name: 'Taken' })
    const page = await show('/timeRuleDetail/new')
    await nameOf(page).fill('Taken')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('This name is already used.').waitFor()
    const removals = page.getByRole('button', { name: 'Remove 08:00–18:00' })
    for (let left = await removals.count(); left > 0; left--) {
      await removals.first().click()
      await until('the period to be gone', async () => (await removals.count()) === left - 1)
    }
    await page.getByText('Add at least one period.').waitFor()
    expect((await world.call(timeRuleCalls.list, { query: { name: 'Taken' } })).total).toBe(1)
  })
})

describe('strategies', () => {
  test('one is made of groups, doors, rules and methods, and says how many it reaches', async () => {
    const group = await world.personGroup({ name: 'Night_shift' })
    await world.person({ name: 'Night One', groupId: group.id })
    await world.person({ name: 'Night Two', groupId: group.id })
    const single = await world.person({ name: 'Single Somebody' })
    const at = await world.device({ name: 'Boiler room' })
    await world.timeRule({ name: 'Boiler hours' })
    const page = await show('/passStrategy')
    await page.getByRole('button', { name: 'Add an access rule' }).first().click()

    await page.getByText('No one selected yet', { exact: false }).waitFor()
    await page.getByLabel('Person groups').click()
    await page.locator('.ant-select-tree-node-content-wrapper').filter({ hasText: group.name }).click()
    await page.keyboard.press('Escape')
    await page.getByLabel('Single people').fill('Single')
    await page.locator('.ant-select-item-option:visible').filter({ hasText: single.name }).click()
    await page.keyboard.press('Escape')
    await pick(page.getByLabel('Single doors'), at.code)
    await page.keyboard.press('Escape')
    await page.getByText('Covers up to 3 people and 1 door.').waitFor()
    await page.getByText('Contacts pass in the place of a person', { exact: false }).waitFor()
    await page.locator('label').filter({ hasText: 'Person and contacts' }).click()
    await pick(page.getByLabel('Time rules'), 'Boiler')
    await page.keyboard.press('Escape')
    expect(await page.getByRole('checkbox', { name: 'QR code', exact: true }).count()).toBe(1)
    await page.getByRole('checkbox', { name: 'Card', exact: true }).uncheck()
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Fill this in.').waitFor()
    await nameOf(page).fill('Boiler room, nights')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('These methods all need a face', { exact: false }).first().waitFor()
    await expectAccessible(page)

    await page.getByRole('checkbox', { name: 'Card', exact: true }).check()
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('3 people may pass at 1 door.').waitFor()
    await page.getByText('Who may pass', { exact: true }).waitFor()
    await page.getByText('Person and contacts').waitFor()
    await expectAccessible(page)
    const { content } = await world.call(strategyCalls.find, { body: { name: 'Boiler room' } })
    expect(content[0]).toMatchObject({
      personGroupIds: [group.id],
      deviceIds: [at.id],
      methods: [accessMethod.face, accessMethod.card],
      authorizedObject: 'both',
      personCount: 3,
    })
  })

  test('time rules that contradict each other are refused at the field, of the access rule and of the time rule', async () => {
    const date = new Date(Date.now() + 30 * 86_400_000).toISOString().slice(0, 10)
    await world.timeRule({ name: 'Guard duty', allowedExceptionDates: [date] })
    const closed = await world.timeRule({ name: 'Office closed', forbiddenExceptionDates: [date] })
    const page = await show('/addPassStrategyDetail')
    await nameOf(page).fill('Holiday')
    await pick(page.getByLabel('Time rules'), 'Guard duty')
    await pick(page.getByLabel('Time rules'), closed.name)
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Save' }).click()
    const sentence = `“Guard duty” is open on ${date} and “Office closed” is closed`
    const marked = page.locator('.ant-form-item-has-error')
    await marked.filter({ hasText: sentence }).filter({ hasText: 'Time rules' }).waitFor()
    expect(await marked.count()).toBe(1)
    expect((await world.call(strategyCalls.find, { body: { name: 'Holiday' } })).total).toBe(0)

    const { id } = await world.timeRule({ name: 'Free days' })
    await world.strategy({ timeRules: [closed, { id, name: 'Free days' }] })
    await page.goto(`${world.url}/#/timeRuleDetail/${id}`)
    await page.getByRole('button', { name: 'Import a calendar: Open all day on' }).click()
    const event = ['BEGIN:VEVENT', `DTSTART;VALUE=DATE:${date.replaceAll('-', '')}`, 'SUMMARY:Fair', 'END:VEVENT']
    const buffer = Buffer.from(['BEGIN:VCALENDAR', ...event, 'END:VCALENDAR'].join('\r\n'))
    await page.locator('input[type="file"]').setInputFiles({ name: 'fair.ics', mimeType: 'text/calendar', buffer })
    await page.getByRole('button', { name: 'Add 1 day' }).click()
    await page.getByRole('button', { name: 'Save' }).click()
    await marked
      .filter({ hasText: `“Free days” is open on ${date} and “Office closed” is closed` })
      .filter({ hasText: 'Open all day on' })
      .waitFor()
    expect(await world.call(timeRuleCalls.read, { params: { id } })).toMatchObject({ allowedExceptionDates: [], version: 1 })
  })

  test('deleting one says who loses what', { tags: 'extended' }, async () => {
    const person = await world.person()
    const strategy = await world.strategy({ name: 'Short-lived', persons: [person], devices: [await world.device()] })
    const page = await show(`/passStrategyDetail?id=${strategy.id}`)
    await page.getByRole('button', { name: 'Delete' }).click()
    await page.getByText('1 person can no longer pass 1 door by this access rule.', { exact: false }).waitFor()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await until(
      'the strategy to be gone',
      async () => !(await world.call(strategyCalls.all, { query: {} })).some(({ id }) => id === strategy.id),
    )
  })
})
