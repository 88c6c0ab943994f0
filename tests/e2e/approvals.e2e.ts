/** Compliance rules, as administrators see them: a change that violates one is refused, or needs the approval of another user. */
import type { Browser, Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { accessGroupCalls } from '@gatehouse/contract/strategies/access-groups'
import { writtenRuleCalls } from '@gatehouse/contract/approvals/written-rules'
import type { World } from '@gatehouse/dev-env/world'
import { expectAccessible, pagesOf, pick } from '../support/console.ts'
import { PASSWORD, usersOf } from '../support/users.ts'
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
/** The name in the form, not in the list it was opened from. */
const nameOf = (page: Page): Locator => page.locator('form').getByLabel('Name', { exact: true })
const rowsOf = (part: Page | Locator): Locator => part.locator('tr[data-row-key]').filter({ visible: true })
const EVENINGS = [1, 2, 3, 4, 5, 6, 7].map((weekday) => ({ weekday, start: '20:00', end: '24:00' }))
const DAYS = EVENINGS.map(({ weekday }) => ({ weekday, start: '08:00', end: '18:00' }))

/** Milliseconds: every key press is a round trip to the browser. */
const KEYBOARD_TIMEOUT = 300_000
/** More Tab stops than any page has. */
const STOPS = 120
/** Move the focus to an element, by keyboard alone. */
async function tabTo(page: Page, target: Locator, key: 'Tab' | 'Shift+Tab' = 'Tab'): Promise<void> {
  await target.waitFor()
  for (let stop = 0; stop < STOPS; stop++) {
    if ((await target.and(page.locator(':focus')).count()) > 0) return
    await page.keyboard.press(key)
  }
  throw new Error(`no way by ${key} to ${target}`)
}
/** Choose an option of an open list by typing. */
async function choose(page: Page, field: Locator, name: string, key: 'Tab' | 'Shift+Tab' = 'Tab'): Promise<void> {
  await tabTo(page, field, key)
  await page.keyboard.type(name)
  await page.locator('.ant-select-dropdown').filter({ visible: true }).getByText(name, { exact: true }).waitFor()
  if ((await page.locator('.ant-select-dropdown').filter({ visible: true }).locator('.ant-select-tree').count()) > 0)
    await page.keyboard.press('ArrowDown')
  // Enter chooses the active option, which is another one until the list has been filtered.
  else await page.locator('.ant-select-item-option-active').filter({ visible: true }).getByText(name, { exact: true }).waitFor()
  await page.keyboard.press('Enter')
  await page.locator('.ant-select-selection-item, .ant-select-content-item').filter({ hasText: name }).first().waitFor()
  // The next Tab, too, chooses the active option of a list that is still open.
  await expect
    .poll(async () => {
      await page.keyboard.press('Escape')
      return page.locator('.ant-select-dropdown').filter({ visible: true }).count()
    })
    .toBe(0)
}

test(
  'a strategy built by the keyboard alone says what it would do, is refused by a written rule, and passes once it does not go against it',
  { tags: 'extended', timeout: KEYBOARD_TIMEOUT },
  async () => {
    const group = await world.personGroup({ name: 'Cleaners' })
    await world.person({ name: 'Cleo Clean', groupId: group.id })
    const [vault] = [await world.device({ name: 'Vault' }), await world.device({ name: 'Hall' })]
    await world.timeRule({ name: 'By day', periods: DAYS })
    await world.call(writtenRuleCalls.create, {
      body: { name: 'Vault rule', personGroupIds: [group.id], deviceIds: [vault.id], sentence: 'Ask the treasurer.' },
    })

    const page = await show('/passStrategy')
    await tabTo(page, page.getByRole('button', { name: 'Add an access rule' }).first())
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Add an access rule' }).waitFor()
    await tabTo(page, nameOf(page))
    await page.keyboard.type('Cleaning rounds')
    await choose(page, page.getByLabel('Person groups'), 'Cleaners')
    await choose(page, page.getByLabel('Single doors'), 'Vault')
    await choose(page, page.getByLabel('Time rules'), 'By day')

    const effect = page.getByRole('status', { name: 'What saving would change' })
    const gain = effect.getByRole('button', { name: '1 person gains Vault' })
    await tabTo(page, gain)
    const ahead = page.getByRole('region', { name: 'Compliance rules this violates' })
    await ahead.getByText('Violates the compliance rule “Vault rule”: it will be refused').waitFor()
    await ahead.getByText('1 person could pass Vault', { exact: false }).waitFor()
    await page.keyboard.press('Enter')
    const drawer = page.getByRole('dialog', { name: 'What saving would change' })
    await rowsOf(drawer).filter({ hasText: 'Cleo Clean' }).waitFor()
    await page.keyboard.press('Escape')
    await drawer.waitFor({ state: 'hidden' })

    await tabTo(page, page.getByRole('button', { name: 'Save' }))
    await page.keyboard.press('Enter')
    const refused = page.getByRole('alert', { name: 'Not saved: this violates a compliance rule' })
    await refused.getByText('Ask the treasurer.').waitFor()
    await expectAccessible(page)
    // Nothing that was typed is lost; the people concerned are named.
    await expect.poll(() => nameOf(page).inputValue()).toBe('Cleaning rounds')
    await tabTo(page, refused.getByRole('button', { name: 'Show people' }))
    await page.keyboard.press('Enter')
    const who = page.getByRole('dialog', { name: 'Violates “Vault rule”' })
    await rowsOf(who).filter({ hasText: 'Cleo Clean' }).getByText('Every day', { exact: false }).waitFor()
    await page.keyboard.press('Escape')
    await who.waitFor({ state: 'hidden' })

    await tabTo(page, page.getByLabel('Single doors'), 'Shift+Tab')
    await page.keyboard.press('Backspace')
    await choose(page, page.getByLabel('Single doors'), 'Hall')
    await refused.waitFor({ state: 'hidden' })
    await effect.getByRole('button', { name: '1 person gains Hall' }).waitFor()
    await tabTo(page, page.getByRole('button', { name: 'Save' }))
    await page.keyboard.press('Enter')
    await page.getByText('1 person may pass at 1 door.').waitFor()
  },
)

test('a rule is made on its page, which names who stands against it already and takes nothing from them', async () => {
  const group = await world.personGroup({ name: 'Nightshift' })
  const door = await world.device({ name: 'Server room' })
  await world.person({ name: 'Nadia North', groupId: group.id })
  await world.strategy({
    name: 'Nights',
    personGroups: [group],
    devices: [door],
    timeRules: [await world.timeRule({ name: 'Nights', periods: EVENINGS })],
  })
  const page = await show('/writtenRules')
  await page.getByRole('button', { name: 'Add a compliance rule' }).first().click()
  await page.getByRole('heading', { name: 'Add a compliance rule' }).waitFor()
  await nameOf(page).fill('Server room closed at night')
  await page.getByText('All people except these', { exact: true }).click()
  await pick(page.getByLabel('Single doors'), 'Server room')
  await page.keyboard.press('Escape')
  await page.getByText('At certain hours of the week').click()
  const standing = page.getByRole('status', { name: 'Existing violations' })
  await standing.getByText('1 person currently has access that violates this rule.', { exact: false }).waitFor()
  await standing.getByRole('button', { name: 'Show people' }).click()
  const who = page.getByRole('dialog', { name: 'Existing violations' })
  await rowsOf(who).filter({ hasText: 'Nadia North' }).getByText('Server room').waitFor()
  await page.keyboard.press('Escape')
  await who.waitFor({ state: 'hidden' })
  await page.getByRole('radio', { name: /^Require a second approval/ }).check()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Save' }).click()
  const row = rowsOf(page).filter({ hasText: 'Server room closed at night' })
  await row.getByText('Every day 20:00–', { exact: false }).waitFor()
  await row.getByText('Require a second approval').waitFor()
  await expectAccessible(page)
  await page.goto(`${world.url}/#/accessQuestion?deviceIds=${door.id}&at=${Date.parse('2099-01-05T21:00:00')}`)
  await rowsOf(page).filter({ hasText: 'Nadia North' }).waitFor()
})

test('of an access group that waits for a second person is told who would gain which door', { tags: 'extended' }, async () => {
  const group = await world.personGroup({ name: 'Couriers' })
  await world.person({ name: 'Cem Courier', groupId: group.id })
  const [ramp, depot] = [await world.device({ name: 'Ramp' }), await world.device({ name: 'Depot' })]
  const { id } = await world.call(accessGroupCalls.create, { body: { name: 'Deliveries', deviceIds: [ramp.id] } })
  await world.strategy({ personGroups: [group], accessGroupIds: [id] })
  await world.call(writtenRuleCalls.create, {
    body: { name: 'Depot rule', personGroupIds: [group.id], deviceIds: [depot.id], reaction: 'ask' },
  })
  const waits = await world.ask(accessGroupCalls.change, { body: { id, deviceIds: [ramp.id, depot.id] } })
  expect(waits).toMatchObject({ status: 409 })
  const page = await show('/pendingChanges')
  await rowsOf(page).getByRole('button', { name: 'Deliveries' }).click()
  const drawer = page.getByRole('dialog', { name: 'Change pending approval' })
  await drawer.getByText('1 person gains Depot').waitFor()
  await drawer.getByText('Violates the compliance rule “Depot rule”', { exact: false }).waitFor()
})

test(
  'a change that a rule asks a second person about waits; another administrator agrees, and it holds',
  { tags: 'extended' },
  async () => {
    const group = await world.personGroup({ name: 'Auditors' })
    await world.person({ name: 'Ada Audit', groupId: group.id })
    const archive = await world.device({ name: 'Archive' })
    const { id } = await world.strategy({ name: 'Yearly audit', personGroups: [group], devices: [await world.device({ name: 'Lobby' })] })
    await world.call(writtenRuleCalls.create, {
      body: { name: 'Archive rule', personGroupIds: [group.id], deviceIds: [archive.id], reaction: 'ask' },
    })

    const page = await show(`/addPassStrategyDetail?id=${id}`)
    await page.getByRole('heading', { name: 'Edit Yearly audit' }).waitFor()
    await pick(page.getByLabel('Single doors'), 'Archive')
    await page.keyboard.press('Escape')
    await page
      .getByRole('region', { name: 'Compliance rules this violates' })
      .getByText('it will need a second approval', { exact: false })
      .waitFor()
    await page.getByRole('button', { name: 'Save' }).click()
    const waits = page.getByRole('alert', { name: 'Nothing has been changed yet: pending approval' })
    await expectAccessible(page)
    await waits.getByRole('link', { name: 'View pending changes' }).click()
    const own = rowsOf(page).filter({ hasText: 'Yearly audit' })
    await own.getByText('Waiting', { exact: true }).waitFor()
    await own.getByRole('button', { name: 'Yearly audit' }).click()
    const mine = page.getByRole('dialog', { name: 'Change pending approval' })
    await mine.getByText('You requested this change. Another administrator has to approve it.').waitFor()
    await expect.poll(() => mine.getByRole('button', { name: 'Approve and apply' }).count()).toBe(0)

    const users = usersOf(world)
    const { account } = await users.loggedIn({
      realName: 'Bea Second',
      roles: [await users.role(['access', 'access.rule', 'person', 'person.list', 'device', 'device.list'])],
    })
    const other = await show('/pendingChanges', { user: { account, password: PASSWORD } })
    await rowsOf(other).filter({ hasText: 'Yearly audit' }).getByRole('button', { name: 'Yearly audit' }).click()
    const drawer = other.getByRole('dialog', { name: 'Change pending approval' })
    await drawer.getByText('1 person gains Archive').waitFor()
    await drawer.getByText('Violates the compliance rule “Archive rule”', { exact: false }).waitFor()
    await expectAccessible(other)
    await drawer.getByLabel('Remark').fill('As every year.')
    await drawer.getByRole('button', { name: 'Approve and apply' }).click()
    await other.getByText('“Yearly audit” is in force now.').waitFor()
    await rowsOf(other).filter({ hasText: 'Yearly audit' }).getByText('Approved and applied').waitFor()

    await other.goto(`${world.url}/#/accessQuestion?deviceIds=${archive.id}`)
    await rowsOf(other).filter({ hasText: 'Ada Audit' }).getByText('Yearly audit').waitFor()
  },
)
