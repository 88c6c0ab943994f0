/** The menu: its entries and their order, what is open, and that none of its entries, nor any other link, leads nowhere. */
import type { Browser, Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { parkSettingCalls } from '@gatehouse/contract/organisation/settings'
import { startWorld, type World } from '@gatehouse/dev-env/world'
import { passages, sentBy } from '@gatehouse/server/contexts/records/testing/records'
import { path } from '../../apps/console/src/paths.ts'
import { expectAccessible, expectAddress, pagesOf } from '../support/console.ts'
import { sharedBrowser } from '../support/stage.ts'
import { until } from '../support/until.ts'

let world: World
let browser: Browser
beforeAll(async () => {
  world = await startWorld({ console: true, config: { upgradeService: true } })
  browser = await sharedBrowser()
})
afterAll(() => world?.stop())

const show = pagesOf(() => ({ browser, world }))
const menuOf = (page: Page): Locator => page.getByRole('navigation', { name: 'Main menu' })
/** Return a group of the menu by its title. */
const groupIn = (page: Page, name: string): Locator => menuOf(page).locator('.ant-menu-submenu-title').filter({ hasText: name })
const isOpen = async (page: Page, name: string): Promise<boolean> => (await groupIn(page, name).getAttribute('aria-expanded')) === 'true'
async function expectOpen(page: Page, names: string[]): Promise<void> {
  await expect.poll(() => menuOf(page).locator('.ant-menu-submenu-title[aria-expanded="true"]').allInnerTexts()).toEqual(names)
}

test('what a guard needs stands first and open; what is opened, and what is folded, is kept in the browser', async () => {
  const page = await show('/home')
  await expect
    .poll(() => menuOf(page).locator('.ant-menu-submenu-title').allInnerTexts())
    .toEqual(['Records', 'Alarm centre', 'People', 'Visitors', 'Devices', 'Access', 'Surveillance', 'Park', 'System', 'Operations'])
  await expectOpen(page, ['Records', 'People'])
  await groupIn(page, 'People').click()
  // The keyboard works like the pointer.
  await groupIn(page, 'Operations').focus()
  await page.keyboard.press('Enter')
  await expectOpen(page, ['Records', 'Operations'])
  await expectAccessible(page)
  await page.reload()
  await menuOf(page).getByRole('menuitem', { name: 'Service monitor' }).waitFor()
  await expectOpen(page, ['Records', 'Operations'])
})

test('the group of the page that is shown is open, unless it is folded while the page is shown', async () => {
  const page = await show('/roleManage')
  await page.getByRole('heading', { name: 'Roles' }).waitFor()
  await expectOpen(page, ['Records', 'People', 'System'])
  await groupIn(page, 'System').click()
  await expectOpen(page, ['Records', 'People'])
  await page.evaluate(`location.hash = '#/timeRule'`)
  await page.getByRole('heading', { name: 'Time rules' }).waitFor()
  await expectOpen(page, ['Records', 'People', 'Access'])
  await page.evaluate(`location.hash = '#/home'`)
  await expectOpen(page, ['Records', 'People'])
  await page.evaluate(`location.hash = '#/about'`)
  await expectOpen(page, ['Records', 'People', 'System'])
})

test('folded to icons the menu opens a group beside it, and is as it was when unfolded', { tags: 'extended' }, async () => {
  const page = await show('/home')
  await groupIn(page, 'Devices').click()
  await expectOpen(page, ['Records', 'People', 'Devices'])
  await page.getByRole('button', { name: 'Collapse menu' }).click()
  await until('the folded menu', async () => (await menuOf(page).boundingBox())?.width === 64)
  // A pointer that rests there while the menu still folds is not noticed.
  await until('the group beside the menu', async () => {
    await page.mouse.move(700, 400)
    await menuOf(page).locator('.ant-menu-submenu-title').nth(5).hover()
    return page
      .getByRole('menuitem', { name: 'Time rules' })
      .waitFor({ timeout: 2_000 })
      .then(
        () => true,
        () => null,
      )
  })
  await page.getByRole('menuitem', { name: 'Time rules' }).click()
  await page.getByRole('heading', { name: 'Time rules' }).waitFor()
  await page.mouse.move(700, 400)
  await page.getByRole('button', { name: 'Expand menu' }).click()
  await expectOpen(page, ['Records', 'People', 'Devices', 'Access'])
})

/** Open every group. */
async function openAll(page: Page): Promise<void> {
  const groups = menuOf(page).locator('.ant-menu-submenu-title')
  await groups.first().waitFor()
  for (const name of await groups.allInnerTexts()) if (!(await isOpen(page, name))) await groupIn(page, name).click()
  await expect.poll(() => menuOf(page).locator('.ant-menu-submenu-title[aria-expanded="false"]').count()).toBe(0)
}

test('every entry of an administrator’s menu leads to a page that is there, and the palette lists the same pages', async () => {
  const page = await show('/home')
  const faults: string[] = []
  page.on('pageerror', ({ message }) => void faults.push(message))
  page.on('response', (response) => response.status() >= 400 && faults.push(`${response.status()} ${response.url()}`))
  await openAll(page)
  const links = menuOf(page).getByRole('menuitem').getByRole('link')
  const entries = await links.evaluateAll((all) =>
    all.map((link) => {
      const { hash, innerText } = link as unknown as { hash: string; innerText: string }
      return { hash, words: innerText.trim() }
    }),
  )
  expect(entries.length).toBeGreaterThan(30)
  // No external links are configured, except for the upgrade service, for users whose profile allows it.
  expect(await menuOf(page).getByRole('img', { name: 'opens in a new window' }).count()).toBe(1)
  for (const { hash, words } of entries) {
    await page.evaluate(`location.hash = ${JSON.stringify(hash)}`)
    await page.locator('main h1').filter({ visible: true }).first().waitFor()
    await expect.poll(() => page.title(), { message: words }).toContain(words === 'Home' ? '' : words)
    await expectAddress(page, hash)
    await page.getByRole('progressbar').waitFor({ state: 'detached' })
    expect(faults, words).toEqual([])
    expect(await page.locator('.ant-message-error').count(), words).toBe(0)
  }
  await page.keyboard.press('Control+k')
  const pages = page.getByRole('group', { name: 'Pages' }).getByRole('option')
  const actions = page.getByRole('group', { name: 'Actions' }).getByRole('option')
  // A form is an action.
  const forms = ['Register visitor', 'Register regular visitor']
  for (const words of [...entries.map((entry) => entry.words), 'Upgrade service']) {
    await page.getByPlaceholder('Search pages, people, actions…').fill(words)
    if (forms.includes(words)) await actions.filter({ hasText: words }).first().waitFor()
    // The name of its group may follow.
    else await expect.poll(async () => (await pages.allInnerTexts())[0]?.split('\n')[0]?.trim(), { message: words }).toBe(words)
  }
})

test('a way out of the console is there once it is set up, and leaves with its address', async () => {
  const site = await world.inPark()
  const at = pagesOf(() => ({ browser, world: site }))
  const page = await at('/basicSettings', { language: 'zh-CN' })
  const group = page.getByRole('region', { name: '停车系统' })
  await group.waitFor()
  const parking = page.getByRole('navigation', { name: '主菜单' }).getByText('停车管理', { exact: true })
  expect(await parking.count()).toBe(0)
  const config = { channel: '', account: '', merchantCode: '', key: '', password: '' }
  await site.call(parkSettingCalls.saveCarPark, {
    body: { ...config, url: 'https://park.example.org/login', createUrl: '', appId: 'app-1', secret: 'the-secret' },
  })
  await page.reload()
  await parking.waitFor()
  const menu = page.getByRole('navigation', { name: '主菜单' })
  const title = menu.locator('.ant-menu-submenu-title').filter({ hasText: '停车管理' })
  // It is short: where the menu has room for it, it is open already.
  if ((await title.getAttribute('aria-expanded')) !== 'true') await title.click()
  await menu.getByText('停车管理系统').waitFor()
  expect(await menu.getByText('开通停车账号').count()).toBe(0)
})

test('nothing is offered that is not built', async () => {
  const page = await show('/home')
  const absent = async (at: string, there: string, ...names: (string | RegExp)[]): Promise<void> => {
    await page.evaluate(`location.hash = ${JSON.stringify(`#${at}`)}`)
    await page.locator('main').getByText(there).filter({ visible: true }).first().waitFor()
    for (const name of names) expect(await page.locator('main').getByText(name).filter({ visible: true }).count(), `${at}: ${name}`).toBe(0)
  }
  await absent('/regionManage', 'Reports and statistics', 'Attendance', 'Patrol', 'Epidemic', 'Meetings')
  await absent('/oneToN', 'Watch list', 'Customers')
  await absent(path('writtenRuleDetail', { id: 'new' }), 'Kinds of people')
  await page.getByLabel('Kinds of people').click()
  await expect
    .poll(() => page.locator('.ant-select-dropdown:visible .ant-select-item-option').allInnerTexts())
    .toEqual(['Staff', 'Visitors'])
  await page.keyboard.press('Escape')
  await absent('/privacyPolicy', 'Watch list', 'Customers')
})

test('figures, columns and fields of what sensors measure are shown once something measures', async () => {
  const site = await world.inPark()
  const at = pagesOf(() => ({ browser, world: site }))
  const { id } = await site.device({ name: 'North gate' })
  const sentence = (temperature: number | null) =>
    world.server.contexts.records.ingest(
      { deviceId: id, parkId: site.park.id },
      sentBy(passages([{ occurredAt: Date.now() - 1000, temperature }]), { sentAt: Date.now(), epoch: `boot-${temperature}` }),
    )
  await sentence(null)
  const page = await at('/accessStatistics')
  const shown = async () => {
    await page.locator('main dl').waitFor()
    const figures = await page.locator('main dl dt').allInnerTexts()
    const headings = (await page.locator('main thead th').allInnerTexts()).filter((heading) => heading !== '')
    await page.goto(`${world.url}/#/staffCurrent`)
    await page.getByRole('button', { name: 'Columns' }).filter({ visible: true }).click()
    const columns = page.locator('.ant-popover:visible, .ant-dropdown:visible')
    await columns.getByText('Verified by').waitFor()
    const hasColumn = await columns.getByText('Temperature').count()
    await page.keyboard.press('Escape')
    return { figures, headings, hasColumn, tallies: await page.getByRole('region', { name: 'Temperatures' }).count() }
  }
  const without = await shown()
  expect([without.figures, without.hasColumn, without.tallies]).toEqual([['Access events', 'Admitted', 'Refused', 'In', 'Out'], 0, 0])
  expect(without.headings).not.toContain('Fever')
  await sentence(36.5)
  await page.goto(`${world.url}/#/accessStatistics`)
  await page.reload()
  await page.getByRole('region', { name: 'Temperatures' }).waitFor()
  const measured = await shown()
  expect([measured.figures.slice(-2), measured.hasColumn]).toEqual([['Measured', 'Fever'], 1])
  expect(measured.headings).toContain('Fever')
})
