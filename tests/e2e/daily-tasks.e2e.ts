/** Daily tasks by mouse, starting at home, and the number of clicks each takes. */
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { timeRuleCalls } from '@gatehouse/contract/strategies/calls'
import { csvOf } from '@gatehouse/contract/files'
import { userCalls } from '@gatehouse/contract/identity/users'
import { peopleCalls } from '@gatehouse/contract/people/calls'
import type { World } from '@gatehouse/dev-env/world'
import { countClicks, formReady, pagesOf, pick, typePassword } from '../support/console.ts'
import { drawnFace } from '../support/fixtures.ts'
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
const menuOf = (page: Page) => page.getByRole('navigation', { name: 'Main menu' })
/** Open home, and count clicks from now on. */
async function home(): Promise<{ page: Page; clicks: () => Promise<number> }> {
  const page = await show('/home')
  await menuOf(page).getByRole('link', { name: 'Staff', exact: true }).waitFor()
  return { page, clicks: await countClicks(page) }
}
/** Go to a page by its menu entry; expand its group first where it is collapsed. */
async function goByMenu(page: Page, group: string, name: string): Promise<void> {
  const entry = menuOf(page).getByRole('link', { name, exact: true })
  if (!(await entry.isVisible())) await menuOf(page).getByText(group, { exact: true }).click()
  await entry.click()
}
const picture = (buffer: Buffer) => ({ name: 'picture.jpg', mimeType: 'image/jpeg', buffer })

test('somebody new registers a person, permits them, lets them pass and sees why: nine clicks', async () => {
  await world.personGroup({ name: 'Research' })
  const device = await world.device({ name: 'East gate' })
  const terminal = await world.terminal(device)
  onTestFinished(() => terminal.stop())
  await world.settled()
  const { page, clicks } = await home()

  await menuOf(page).getByRole('link', { name: 'Staff', exact: true }).click()
  await page.getByRole('button', { name: 'Add a person' }).first().click()
  await formReady(page)
  const form = page.getByRole('dialog', { name: 'Add a person' })
  const chooser = page.waitForEvent('filechooser')
  await form.getByText('Choose a photo').click()
  await (await chooser).setFiles(picture(await drawnFace()))
  await form.getByRole('button', { name: 'Remove photo 1' }).waitFor()
  await form.getByLabel('Name').fill('Ada Lovelace')
  await pick(form.getByRole('combobox', { name: 'May pass at' }), 'East gate')
  await form.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('alert').filter({ hasText: 'All terminals have them.' }).waitFor()

  const context = await browser.newContext({ locale: 'en' })
  onTestFinished(() => context.close())
  const door = await context.newPage()
  await door.goto(terminal.url)
  const clicksAtDoor = await countClicks(door)
  const atDoor = door.waitForEvent('filechooser')
  await door.locator('#choose').click()
  await (await atDoor).setFiles(picture(await drawnFace()))
  await door
    .locator('#word')
    .filter({ hasText: 'Ada Lovelace' })
    .or(door.locator('#name').filter({ hasText: 'Ada Lovelace' }))
    .first()
    .waitFor()

  await goByMenu(page, 'Records', 'Access records')
  await page.locator('tr[data-row-key]:visible').filter({ hasText: 'Ada Lovelace' }).filter({ hasText: 'Admitted' }).click()
  const drawer = page.getByRole('dialog')
  await drawer.getByText('Why this result').first().waitFor()
  await drawer.getByText('Face match', { exact: false }).first().waitFor()
  expect((await clicks()) + (await clicksAtDoor())).toBeLessThanOrEqual(9)
})

test('a second administrator with the rights of reception: eight clicks', async () => {
  const { page, clicks } = await home()
  await goByMenu(page, 'System', 'Users')
  await page.getByRole('button', { name: 'Add a user' }).first().click()
  await formReady(page)
  const form = page.getByRole('dialog', { name: 'Add a user' })
  await form.getByLabel('User name').fill('reception.south')
  await form.getByLabel('Real name').fill('Rosa Parks')
  await form.getByLabel('Roles').click()
  await page.locator('.ant-select-item-option:visible').filter({ hasText: 'Reception' }).first().click()
  await page.keyboard.press('Escape')
  await form.getByRole('button', { name: 'Save' }).click()
  await typePassword(page)
  await page.getByRole('dialog', { name: 'First password of reception.south' }).waitFor()
  expect(await clicks()).toBeLessThanOrEqual(8)
  const { content } = await world.call(userCalls.list, { query: { account: 'reception.south' } })
  expect(content).toMatchObject([{ roleDetails: [{ name: 'Reception' }] }])
})

test('a person is blocked from the record that shows them: three clicks after the list', async () => {
  const device = await world.device({ name: 'North gate' })
  const terminal = await world.terminal(device)
  onTestFinished(() => terminal.stop())
  const person = await world.person({ name: 'Hedy Lamarr', photo: await world.photographs.people[0]!.photo(1), permittedAt: device })
  await world.settled()
  expect(await terminal.show(await world.photographs.people[0]!.photo(1))).toMatchObject({ verdict: 'allowed' })
  const page = await show('/staffCurrent')
  const row = page.locator('tr[data-row-key]').filter({ hasText: 'Hedy Lamarr' })
  await row.waitFor()
  const clicks = await countClicks(page)
  await row.click()
  const drawer = page.getByRole('dialog')
  await drawer.getByRole('button', { name: 'stop Block', exact: true }).click()
  await page.getByRole('dialog', { name: 'Block Hedy Lamarr?' }).getByRole('button', { name: 'Block', exact: true }).click()
  await drawer.getByText('Blocked. The terminal of 1 door has received it.').waitFor()
  expect(await clicks()).toBe(3)
  expect(await world.call(peopleCalls.standing, { query: { id: person.id } })).toMatchObject({ enabled: false })
})

test('the hours of a time rule are changed: five clicks', async () => {
  await world.timeRule({ name: 'Half days', periods: [{ weekday: 1, start: '08:00', end: '12:00' }] })
  const { page, clicks } = await home()
  await goByMenu(page, 'Access', 'Time rules')
  await page.locator('tr[data-row-key]').filter({ hasText: 'Half days' }).click()
  const end = page.getByRole('group', { name: 'Monday', exact: true }).getByRole('textbox', { name: 'End' })
  await end.click()
  await end.fill('13:00')
  await end.press('Enter')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.waitForURL((url) => url.hash.startsWith('#/timeRule') && !url.hash.includes('Detail'))
  expect(await clicks()).toBeLessThanOrEqual(5)
  const { content } = await world.call(timeRuleCalls.list, { query: { name: 'Half days' } })
  expect(content).toMatchObject([{ periods: [{ weekday: 1, start: '08:00', end: '13:00' }] }])
})

test('people of a file are handed in and registered: seven clicks after the list of staff', async () => {
  const group = await world.personGroup({ name: 'Harbour' })
  const page = await show('/staffList')
  const importing = page.getByRole('button', { name: 'import Import' })
  await importing.waitFor()
  const clicks = await countClicks(page)
  await importing.click()
  await page.getByRole('button', { name: 'New import' }).first().click()
  const form = page.getByRole('dialog', { name: 'New import' })
  await formReady(page)
  await form.getByLabel('Group').click()
  await page.locator('.ant-select-tree-node-content-wrapper').filter({ hasText: group.name }).click()
  await form.getByRole('button', { name: 'Next: add files' }).click()
  await page.locator('input[type="file"][aria-label="Choose files"]').setInputFiles({
    name: 'people.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from(
      csvOf([
        ['Name', 'Work no.'],
        ['Grace Hopper', 'G-1'],
      ]),
    ),
  })
  await page.getByRole('button', { name: 'Start: 1 row' }).click()
  await page.getByText('1 person registered').waitFor()
  expect(await clicks()).toBeLessThanOrEqual(7)
  expect((await world.call(peopleCalls.list, { query: { groupId: group.id } })).content).toMatchObject([{ name: 'Grace Hopper' }])
})
