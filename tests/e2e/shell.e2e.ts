/** The frame of every screen: login, menu, command palette, language and appearance, pages kept alive, error pages. */
import { basename } from 'node:path'
import type { Browser, Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { alarmsCalls } from '@gatehouse/contract/alarms/calls'
import { peopleCalls } from '@gatehouse/contract/people/calls'
import { createClient, logIn } from '@gatehouse/dev-env/client'
import { ADMIN, type World } from '@gatehouse/dev-env/world'
import { screens } from '../../apps/console/src/screens.ts'
import { expectAccessible, expectAddress, openConsole, pageHolding, pagesOf } from '../support/console.ts'
import { onPaper } from '../support/paper.ts'
import { until } from '../support/until.ts'
import { sharedBrowser, sharedWorld } from '../support/stage.ts'

let world: World
let browser: Browser
beforeAll(async () => {
  world = await sharedWorld()
  browser = await sharedBrowser()
  const group = await world.personGroup({ name: 'Reception' })
  await world.person({ name: 'Radia Perlman', groupId: group.id })
  // More than one page of guests, each page longer than the window.
  for (let number = 1; number <= 45; number++) await world.person({ name: `Guest ${String(number).padStart(2, '0')}`, groupId: group.id })
})
afterAll(async () => {
  await world?.stop()
})

const show = pagesOf(() => ({ browser, world }))

/** Open a browser with entries that another tab left in its storage. */
const withStored = (entries: Record<string, unknown>, at?: string): Promise<Page> =>
  pageHolding(browser, world, entries, { ...(at && { at }) })
/** Open the console as a user with these permissions. */
async function as(options: Parameters<World['session']>[0], at: string): Promise<Page> {
  const { credentials } = await world.session(options)
  if (credentials === null || !('bearer' in credentials)) throw new Error('the session has no token')
  return withStored({ token: credentials.bearer, tokenExpires: Date.now() + 3_600_000 }, at)
}
const hashOf = (page: Page): string => new URL(page.url()).hash

test('the root leads to the login, whose language can be chosen; all three are complete [BEH-007, BEH-009, BEH-014, BEH-019]', async () => {
  const page = await withStored({})
  await page.getByRole('button', { name: 'Log in' }).waitFor()
  expect(hashOf(page)).toBe('#/login')
  for (const [language, submit] of [
    ['简体中文', '登录'],
    ['繁體中文', '登入'],
    ['English', 'Log in'],
  ] as const) {
    await page.locator('button[aria-haspopup="menu"]').click()
    await page.getByRole('menuitem', { name: language }).click()
    await page.getByRole('button', { name: submit, exact: true }).waitFor()
    await expectSpoken(page)
  }
})

test('a page asked for without a session comes after the login, and a wrong password is counted in words [BEH-015]', async () => {
  const context = await browser.newContext({ locale: 'en' })
  onTestFinished(() => context.close())
  const page = await context.newPage()
  await page.goto(`${world.url}/#/staffList`)
  await page.getByRole('button', { name: 'Log in' }).waitFor()
  await expectAccessible(page)
  const enter = async (password: string): Promise<void> => {
    await page.getByLabel('User name').fill(ADMIN.account)
    await page.getByLabel('Password', { exact: true }).fill(password)
    await page.keyboard.press('Enter')
  }
  await enter('Wrong-pass-1')
  const alert = page.getByRole('alert')
  await alert.waitFor()
  await expect.poll(() => alert.innerText()).toMatch(/1.*6/s)
  await expect.poll(() => page.getByLabel('User name').inputValue()).toBe(ADMIN.account)
  await enter(ADMIN.password)
  await page.getByRole('heading', { name: 'Staff' }).waitFor()
  await expectAddress(page, '#/staffList')
})

test('a refresh token alone opens a page [BEH-016]', async () => {
  const { refresh_token: refreshToken } = await logIn(createClient(world.url), ADMIN)
  const page = await withStored({ refreshToken }, '/staffList')
  await page.getByRole('heading', { name: 'Staff' }).waitFor()
  expect([hashOf(page), await page.evaluate(() => localStorage.getItem('token') !== null)]).toEqual(['#/staffList', true])
})

test('an address that does not exist says so, and offers the previous page and home [BEH-020, BEH-025]', async () => {
  const page = await show('/deviceList')
  await page.getByRole('heading', { name: 'Devices' }).waitFor()
  await page.goto(`${world.url}/#/nothingHere`)
  await page.getByRole('heading', { name: 'There is no such page' }).waitFor()
  await expect.poll(() => page.title()).toBe('There is no such page · Gatehouse')
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Back to previous page' }).click()
  await page.getByRole('heading', { name: 'Devices' }).waitFor()
  await expect.poll(() => page.title()).toBe('Devices · Gatehouse')
  await page.goto(`${world.url}/#/nothingHere`)
  await page.getByRole('button', { name: 'Go to home' }).click()
  await page.waitForURL((url) => url.hash.startsWith('#/home'))
})

const isStaffList = (url: URL): boolean => /PersonListPage/.test(url.pathname)
const isRecords = (url: URL): boolean => /RecordsPage/.test(url.pathname)

test(
  'a screen is fetched when it is opened; one that does not load leaves the page before it [BEH-021, BEH-022]',
  { tags: 'extended' },
  async () => {
    const page = await show('/home')
    const asked: string[] = []
    const lost = Promise.withResolvers<void>()
    await page.route(isStaffList, async (route) => {
      asked.push(route.request().url())
      await lost.promise
      await route.abort()
    })
    const group = page.getByRole('menuitem', { name: 'Devices' })
    await group.click()
    await group.last().click()
    await page.getByRole('heading', { name: 'Devices' }).waitFor()
    expect(asked).toEqual([])
    await page.getByRole('menuitem', { name: 'Staff' }).click()
    const loading = page.getByRole('progressbar', { name: 'Loading page' })
    await loading.waitFor()
    lost.resolve()
    await loading.waitFor({ state: 'detached' })
    expect(asked).not.toEqual([])
    expect(hashOf(page)).toBe('#/deviceList')
    await page.unroute(isStaffList)
    await page.getByRole('menuitem', { name: 'Staff' }).click()
    await page.getByRole('heading', { name: 'Staff' }).waitFor()
    expect(hashOf(page)).toBe('#/staffList')
  },
)

test('a screen that does not load after one has turned to another leaves that one alone', { tags: 'extended' }, async () => {
  const page = await show('/deviceList')
  const [lost, late] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  let failures = 0
  page.on('requestfailed', (request) => {
    if (isStaffList(new URL(request.url()))) failures++
  })
  await page.route(isStaffList, async (route) => {
    await lost.promise
    await route.abort()
  })
  await page.route(isRecords, async (route) => {
    await late.promise
    await route.continue()
  })
  await page.getByRole('menuitem', { name: 'Staff' }).click()
  await page.getByRole('progressbar', { name: 'Loading page' }).waitFor()
  await page.getByRole('menuitem', { name: 'Access records' }).click()
  lost.resolve()
  await until('the first to be lost', () => failures > 0)
  // The effect would be immediate; no event shows that there is none.
  await page.waitForTimeout(500)
  late.resolve()
  await page.getByRole('heading', { name: 'Access records' }).waitFor()
  expect(hashOf(page)).toBe('#/staffCurrent')
})

test('the command palette finds a person by keyboard alone', async () => {
  const page = await show('/home')
  await page.getByText('Live', { exact: true }).waitFor()
  await page.keyboard.press('Control+k')
  await page.getByPlaceholder('Search pages, people, actions…').fill('Radia')
  await page.getByRole('option', { name: /Radia Perlman/ }).waitFor()
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Radia Perlman' }).waitFor()
  await page.keyboard.press('Control+k')
  await page.getByPlaceholder('Search pages, people, actions…').waitFor()
  await expectAccessible(page)
})

test('the keys are listed at a press of `?`, and from the menu of the user; where something is typed it is a letter', async () => {
  const page = await show('/staffList')
  const row = page.getByRole('row').filter({ hasText: 'Guest' }).first()
  await row.waitFor()
  const list = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
  const filter = page.locator('main [role="search"] input').first()
  await page.keyboard.press('/')
  await page.keyboard.press('?')
  await expect.poll(() => filter.inputValue()).toBe('?')
  expect(await list.count()).toBe(0)
  await page.keyboard.press('Backspace')
  await page.locator('tr[data-row-key][tabindex="0"]').focus()
  await page.keyboard.press('?')
  for (const words of ['Everywhere', 'Go to the first filter', 'Previous or next row', 'Previous or next record', 'Reject'])
    await list.getByText(words, { exact: true }).waitFor()
  await expectAccessible(page)
  await page.keyboard.press('Escape')
  await list.waitFor({ state: 'hidden' })
  await expect.poll(() => page.evaluate(`document.activeElement.matches('tr[data-row-key]')`)).toBe(true)
  await page.locator('header').getByTitle('Account of Administrator').click()
  await page.getByRole('menuitem', { name: 'Keyboard shortcuts' }).click()
  await list.getByText('Select the row').waitFor()
})

test('a list is printed without menu and buttons, in light colours, within the page, with filters and repeated headings', async () => {
  const page = await show('/staffList?name=Guest', { theme: 'dark' })
  const rows = page.locator('tr[data-row-key]').filter({ hasText: 'Guest' })
  await rows.first().waitFor()
  const count = await rows.count()
  const { faults, ground, pages } = await onPaper(page, async () => {
    expect(await rows.filter({ visible: true }).count()).toBe(count)
    // Headings of the table itself are repeated by the browser on each printed page.
    expect(await rows.first().locator('xpath=ancestor::table').getByRole('columnheader', { name: 'Name' }).count()).toBe(1)
    await page.getByText('Filters: Name: Guest').waitFor()
    await page.getByText(world.park.name, { exact: true }).filter({ visible: true }).waitFor()
    await page.getByText(/^Printed \d{4}-/).waitFor()
  })
  expect({ faults, ground }).toEqual({ faults: [], ground: 'rgb(255, 255, 255)' })
  expect(pages).toBeGreaterThan(1)
  // The screen is as it was.
  await page.getByRole('navigation', { name: 'Main menu' }).waitFor()
  await expect.poll(() => page.evaluate(`getComputedStyle(document.body).backgroundColor`)).not.toBe(ground)
  expect(await page.getByText(/^Printed /).count()).toBe(0)
})

test('the command palette finds people, devices, records, pages and actions by whatever they are called', async () => {
  const [door, person] = [
    await world.device({ name: '东门入口', code: 'PALETTE-1' }),
    await world.person({ name: '陈天佑', workNumber: 'BH0003', phone: '13609988363' }),
  ]
  const page = await show('/home', { language: 'zh-CN' })
  await page.getByText('实时', { exact: true }).waitFor()
  const search = page.getByPlaceholder('搜索页面、人员或操作…')
  const option = (name: string | RegExp): Locator => page.getByRole('option', { name })
  const type = async (text: string): Promise<void> => {
    if ((await search.count()) === 0) await page.keyboard.press('Control+k')
    await search.fill(text)
  }
  const leadsTo = async (text: string, heading: string): Promise<void> => {
    await type(text)
    await page.locator('[role=option][data-selected=true]').filter({ hasText: heading }).waitFor()
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: heading, exact: true }).waitFor()
  }

  for (const text of ['BH0003', '13609988363', '8363', 'cty', 'chen tianyou']) {
    await type(text)
    await option(/陈天佑.*BH0003/).waitFor()
  }
  await leadsTo('chentianyou', person.name)
  await leadsTo('PALETTE-1', door.name)
  for (const [text, title] of [
    ['黑名单', '重点人员'],
    ['blacklist', '重点人员'],
    ['批量导入', '批量导入'],
    ['导出记录', '导出记录'],
    ['修改密码', '修改密码'],
    ['新增通行', '新增通行策略'],
    ['Restricted', '通行限制'],
  ]) {
    await type(text!)
    await option(title!).first().waitFor()
  }
  const confirmed = async (verb: string): Promise<void> => {
    await type(`${verb} cty`)
    await option(`${verb}陈天佑`).click()
    await page
      .getByRole('dialog', { name: `${verb}陈天佑？` })
      .getByRole('button', { name: verb })
      .click()
    const status = { 停用: 0, 启用: 1 }[verb]
    await until(verb, async () => (await world.call(peopleCalls.read, { query: { id: person.id } })).status === status)
  }
  await confirmed('停用')
  await confirmed('启用')
  // An offline door is found, and cannot be opened.
  await type('开门 东门')
  await expect.poll(() => option(/开门：东门入口/).getAttribute('aria-disabled')).toBe('true')

  await type('nothing of this name')
  await page.getByText(/可按姓名、拼音/).waitFor()
  await expectAccessible(page)
  await type('东门 昨天')
  await option('东门入口的通行记录，昨天').waitFor()
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: '通行记录', exact: true }).waitFor()
  const { searchParams } = new URL(hashOf(page).slice(1), world.url)
  expect(searchParams.get('deviceId')).toBe(door.id)
  expect(Number(searchParams.get('endTime')) - Number(searchParams.get('startTime'))).toBe(86_400_000 - 1)
})

/** Expect that nothing on the page is the key of a text. */
async function expectSpoken(page: Page): Promise<void> {
  const words = await page.locator('body').innerText()
  expect(words.match(/\b(?:[a-z]+:)?[a-z]+[A-Za-z]*\.[a-z]+[A-Za-z.]*\b/g) ?? []).toEqual([])
}

test(
  'language and appearance change at once and are kept; home and lists speak all three languages [BEH-007, BEH-009]',
  { tags: 'extended' },
  async () => {
    const { access_token: token } = await logIn(createClient(world.url), ADMIN)
    const page = await withStored({}, '/login')
    await page.evaluate((bearer) => {
      localStorage.setItem('token', JSON.stringify(bearer))
      localStorage.setItem('tokenExpires', JSON.stringify(Date.now() + 3_600_000))
    }, token)
    const titles = {
      繁體中文: ['使用者', '裝置列表', '員工管理'],
      简体中文: ['用户', '设备列表', '员工管理'],
      English: ['Users', 'Devices', 'Staff'],
    }
    await page.goto(`${world.url}/#/staffList`)
    await page.locator('h1').filter({ visible: true }).waitFor()
    for (const language of Object.keys(titles)) {
      await page.locator('header button[title]').last().click()
      await page.getByRole('menuitem', { name: language }).click()
      const lang = { 繁體中文: 'zh-TW', 简体中文: 'zh-CN', English: 'en' }[language]
      await page.locator(`html[lang="${lang}"]`).waitFor()
      for (const at of ['home', 'staffList', 'deviceList']) {
        await page.goto(`${world.url}/#/${at}`)
        await page.locator('h1').filter({ visible: true }).waitFor()
        await page.getByRole('progressbar').waitFor({ state: 'detached' })
        await expectSpoken(page)
      }
    }
    await page.reload()
    await page.locator('html[lang="en"]').waitFor()
    await page.getByRole('button', { name: 'Dark appearance' }).click()
    await until('the dark appearance', async () => (await page.locator('html').getAttribute('data-theme')) === 'dark')
  },
)

test(
  'the header shows where one is, the park and the person with the first role, who finds the rest in a menu; the menu is 220 ' +
    'pixels wide, 64 when folded [BEH-027, BEH-035, BEH-038, BEH-039, BEH-040]',
  { tags: 'extended' },
  async () => {
    const { page, context } = await openConsole(browser, world, { at: '/staffAdd' })
    onTestFinished(() => context.close())
    const trail = page.getByRole('navigation', { name: 'You are here' })
    await trail.getByText('Add a person').waitFor()
    await expect.poll(() => trail.getByRole('listitem').allInnerTexts()).toEqual(['Home', 'People', 'Staff', 'Add a person'])
    await page.getByRole('button', { name: `Change park, now ${world.park.name}` }).waitFor()
    const person = page.locator('header').getByTitle('Account of Administrator')
    expect(
      (await person.innerText())
        .split('\n')
        .map((word) => word.trim())
        .filter(Boolean),
    ).toEqual(['A', 'Administrator', 'Administrator'])
    await person.click()
    const entries = page.locator('.ant-dropdown').getByRole('menuitem')
    await entries.first().waitFor()
    await expect
      .poll(() => entries.allInnerTexts())
      .toEqual([
        'Change park',
        'My details',
        'Change password',
        'Two-step verification',
        'Pop-up settings',
        'My sessions',
        'Exports',
        '简体中文',
        '繁體中文',
        'English',
        'Keyboard shortcuts',
        'Log out',
      ])
    // The title of the group has the same distance from its icon as those of the entries.
    const left = async (word: string) => (await page.locator('.ant-dropdown').getByText(word, { exact: true }).boundingBox())?.x
    await expect.poll(async () => ((await left('Language')) ?? 0) - ((await left('My sessions')) ?? 0)).toBeCloseTo(0, 0)
    await page.getByRole('menuitem', { name: 'Change park' }).click()
    await page.getByPlaceholder('Find a park').waitFor()
    await page.keyboard.press('Escape')

    const own = await world.as(ADMIN)
    const wanted = await own.call(alarmsCalls.accountAlertList, {})
    await person.click()
    await page.getByRole('menuitem', { name: 'Pop-up settings' }).click()
    const dialog = page.getByRole('dialog', { name: 'Pop-up settings' })
    await dialog.getByRole('switch', { name: /^Watch list at a door/ }).click()
    await dialog.getByRole('switch', { name: /^Device alarms/ }).waitFor()
    await expectAccessible(page)
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.waitFor({ state: 'hidden' })
    expect(await own.call(alarmsCalls.accountAlertList, {})).toEqual({ ...wanted, watchListHit: !wanted.watchListHit })

    const menu = page.getByRole('navigation', { name: 'Main menu' })
    const width = async () => (await menu.boundingBox())?.width
    await expect.poll(() => width()).toBe(220)
    await page.getByRole('button', { name: 'Collapse menu' }).click()
    await until('the folded menu', async () => (await width()) === 64)

    // On a phone the menu covers the page, and disappears when an entry is chosen.
    await page.setViewportSize({ width: 390, height: 844 })
    await page.getByRole('button', { name: 'Expand menu' }).click()
    await expect.poll(() => width()).toBe(220)
    expect((await page.locator('#content').boundingBox())?.x).toBe(64)
    await page.getByRole('menuitem', { name: 'Home' }).click()
    await until('the menu to fold', async () => (await width()) === 64)
  },
)

test(
  'a list keeps filter, page and place while a record is looked at, and a double click on reload raises nothing [BEH-026] [FIELD-14]',
  { tags: 'extended' },
  async () => {
    const page = await show('/staffList')
    const failures: string[] = []
    page.on('pageerror', ({ message }) => void failures.push(message))
    await page
      .getByRole('row')
      .filter({ hasText: 'Radia Perlman' })
      .or(page.getByRole('row').filter({ hasText: 'Guest' }))
      .first()
      .waitFor()
    await page.keyboard.press('/')
    await page.keyboard.type('Guest')
    await page.keyboard.press('Enter')
    await page.waitForURL((url) => url.hash.includes('name=Guest'))
    await page.getByTitle('2', { exact: true }).click()
    await page.waitForURL((url) => url.hash.includes('page=2'))
    const address = hashOf(page)
    const row = page.getByRole('row').filter({ hasText: 'Guest' })
    await until('the second page', async () => (await row.count()) >= 20)
    const scroller = page.locator('main > div').filter({ visible: true })
    await scroller.evaluate((element) => ((element as unknown as { scrollTop: number }).scrollTop = 90))
    await row.nth(10).getByRole('link').first().click()
    await page.waitForURL((url) => url.hash.startsWith('#/staffDetails/'))
    await page.getByRole('navigation', { name: 'You are here' }).getByRole('link', { name: 'Staff' }).click()
    await page.getByRole('heading', { name: 'Staff' }).waitFor()
    expect(hashOf(page)).toBe(address)
    await expect.poll(() => page.getByPlaceholder('Name').filter({ visible: true }).inputValue()).toBe('Guest')
    expect(await scroller.evaluate((element) => (element as unknown as { scrollTop: number }).scrollTop)).toBe(90)

    const answered = page.waitForResponse((response) => response.url().includes('/person/base/list'))
    await page.getByRole('button', { name: 'Reload' }).filter({ visible: true }).dblclick()
    await answered
    await page.locator('[data-refreshing]').waitFor({ state: 'detached' })
    await expect.poll(() => row.count()).toBeGreaterThanOrEqual(20)
    expect([failures, await page.locator('.ant-message-notice').count(), await page.getByRole('alert').count()]).toEqual([[], 0, 0])
  },
)

test.each([{ theme: 'light' }, { theme: 'dark' }] as const)(
  'what takes something away is readable in the $theme theme, also under the pointer',
  { tags: 'extended' },
  async ({ theme }) => {
    const { id } = await world.person({ name: 'Annie Easley' })
    const page = await show(`/staffDetails/${id}`, { theme })
    const remove = page.getByRole('button', { name: 'Delete', exact: true })
    await remove.waitFor()
    await expectAccessible(page)
    await remove.hover()
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Actions for Annie Easley' }).click()
    await page.getByRole('menuitem', { name: /Erase/ }).click()
    const question = page.getByRole('dialog')
    await question.getByLabel('Reason').waitFor()
    await expectAccessible(page)
    await question.getByRole('button', { name: 'Erase', exact: true }).hover()
    await expectAccessible(page)
  },
)

test('lists open in their place where motion is reduced', { tags: 'extended' }, async () => {
  const page = await show('/addPassStrategyDetail')
  await page.getByLabel('Person groups').click()
  const choices = page.locator('.ant-select-dropdown').filter({ hasText: 'Reception' })
  await until('the list to stand under its field', async () => {
    const box = await choices.boundingBox()
    return box !== null && box.x > 0 && box.x < 1280 && box.y > 0 && box.y < 800
  })
})

test(
  'a session without a right sees neither the menu entry nor the page, which says so and offers two ways out [BEH-024, ' +
    'BEH-033, BEH-036, BEH-037]',
  async () => {
    const page = await as({ permissions: ['access', 'access.record'] }, '/staffCurrent')
    await page.getByRole('heading', { name: 'Access records' }).waitFor()
    await page.getByRole('menuitem', { name: 'Access records' }).waitFor()
    await page.getByRole('menuitem', { name: 'Home' }).waitFor()
    expect(await page.getByRole('menuitem', { name: 'Staff' }).count()).toBe(0)
    await page.goto(`${world.url}/#/staffList`)
    await page.getByRole('heading', { name: 'You do not have permission to view this page' }).waitFor()
    await expect.poll(() => page.title()).toBe('You do not have permission to view this page · Gatehouse')
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Back to previous page' }).click()
    await page.getByRole('heading', { name: 'Access records' }).waitFor()
    await expect.poll(() => page.title()).toBe('Access records · Gatehouse')
    await page.goto(`${world.url}/#/403`)
    await page.getByRole('button', { name: 'Go to home' }).click()
    await page.waitForURL((url) => url.hash.startsWith('#/home'))
  },
)

test('whoever is bound to a park is not offered another [BEH-041]', { tags: 'extended' }, async () => {
  for (const roleSign of ['parkAdmin', 'other']) {
    const page = await as({ roleSign }, '/home')
    await page
      .locator('header')
      .getByTitle(/^Account of/)
      .click()
    await page.getByRole('menuitem', { name: 'Change password' }).waitFor()
    expect([
      await page.getByRole('menuitem', { name: 'Change park' }).count(),
      await page.getByRole('button', { name: /^Change park/ }).count(),
    ]).toEqual([0, 0])
  }
})

test.each(['staffList', 'passStrategy', 'userManage', 'exportRecord'] as const)(
  'the list of %s is asked for once, before the code of its page has come',
  async (name) => {
    const { path, page: file, list } = screens[name]
    const { url } = await list!.call()
    const page = await show('/403')
    let asked = 0
    page.on('request', (request) => void (asked += new URL(request.url()).pathname === url ? 1 : 0))
    const chunk = new RegExp(`/assets/${basename(file, '.tsx')}-[^/]+\\.js$`)
    let isDelayed = false
    await page.route(chunk, async (route) => {
      isDelayed = true
      await until('the list to be asked for', () => Promise.resolve(asked > 0))
      await route.continue()
    })
    await page.goto(`${world.url}/#${path}`)
    await page.locator('main table').first().waitFor()
    // By then, the page has sent the requests it sends when it appears.
    await page.evaluate('new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)))')
    expect({ asked, isDelayed }).toEqual({ asked: 1, isDelayed: true })
  },
)

test('a list is not asked for at an address that is refused', async () => {
  const page = await as({ permissions: ['access.record'] }, '/staffCurrent')
  const { url } = await screens.staffList.list!.call()
  let asked = 0
  page.on('request', (request) => void (asked += new URL(request.url()).pathname === url ? 1 : 0))
  await page.goto(`${world.url}/#${screens.staffList.path}`)
  await page.getByRole('heading', { name: 'You do not have permission to view this page' }).waitFor()
  expect(asked).toBe(0)
})
