/** Users, roles and API users, as an administrator manages them, and what a user then sees. */
import type { Browser, Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { permissionsByModule } from '@gatehouse/contract'
import { clientCalls } from '@gatehouse/contract/identity/clients'
import { doorCalls } from '@gatehouse/contract/doors/calls'
import { identityCalls } from '@gatehouse/contract/identity/calls'
import { READY_ROLES } from '@gatehouse/contract/identity/ready-roles'
import { roleCalls } from '@gatehouse/contract/identity/roles'
import { userCalls } from '@gatehouse/contract/identity/users'
import { createClient } from '@gatehouse/dev-env/client'
import { startWorld, type World } from '@gatehouse/dev-env/world'
import { startAnswering } from '../support/answering-device.ts'
import { expectAccessible, expectAddress, formReady, pageHolding, pagesOf, typePassword } from '../support/console.ts'
import { until } from '../support/until.ts'
import { sharedBrowser } from '../support/stage.ts'

let world: World
let browser: Browser
beforeAll(async () => {
  // An installation in which e-mail addresses must be unique: a private deployment does not check them.
  world = await startWorld({ console: true, config: { privatised: false } })
  browser = await sharedBrowser()
})
afterAll(async () => {
  await world?.stop()
})

const USER_NAME_TAKEN = 'This user name is already taken.'
const EMAIL_TAKEN = 'Another user already has this e-mail address.'

const show = pagesOf(() => ({ browser, world }))
const rowOf = (page: Page, name: string): Locator => page.getByRole('row').filter({ hasText: name })
/** Return the entries of the side menu, in all of its groups. */
async function menuOf(page: Page): Promise<string[]> {
  const entries = page.locator('aside, nav').locator('li.ant-menu-item')
  await entries.first().waitFor()
  return (await entries.allTextContents()).map((text) => text.trim())
}

async function choose(page: Page, field: Locator, option: string): Promise<void> {
  await field.click()
  await field.fill(option)
  await page.locator('.ant-select-item-option:visible').filter({ hasText: option }).click()
  await page.keyboard.press('Escape')
}
/** Entries of the open row menu; the side menu has entries too. */
const rowMenu = (page: Page): Locator => page.locator('.ant-dropdown:visible').getByRole('menuitem')
async function act(page: Page, name: string, action: string): Promise<void> {
  await page.getByRole('button', { name: `Actions for ${name}` }).click()
  await rowMenu(page)
    .filter({ hasText: new RegExp(`^${action}$`) })
    .click()
}
async function openUserForm(page: Page): Promise<Locator> {
  await page.getByRole('button', { name: 'Add a user' }).first().click()
  await formReady(page)
  return page.getByRole('dialog', { name: 'Add a user' })
}
const roleNamed = async (name: string, permissions: ('person.list' | 'access.record')[] = ['person.list']): Promise<string> =>
  (await world.call(roleCalls.create, { body: { name, permissions } })).id
async function userNamed(account: string, roleId: string, email?: string): Promise<string> {
  const organisationId = world.server.contexts.organisation.service.root().id
  return (
    await world.call(userCalls.create, {
      body: { account, realName: `Real ${account}`, organisationId, roles: [roleId], ...(email && { email }) },
    })
  ).id
}

/** Log in with a first password, which has to be replaced. */
async function logInFirst(account: string, first: string, next: string): Promise<Page> {
  const page = await pageHolding(browser, world, { language: 'en' }, { at: '/login' })
  await page.locator('input[autocomplete="username"]').fill(account)
  await page.locator('input[type="password"]').fill(first)
  await page.keyboard.press('Enter')
  const change = page.getByRole('dialog', { name: 'Choose a new password' })
  await change.locator('input[type="password"]').nth(0).fill(next)
  await change.locator('input[type="password"]').nth(1).fill(next)
  await change.getByRole('button', { name: 'Set and log in' }).click()
  await page.waitForURL((url) => url.hash.startsWith('#/home'))
  return page
}

test('a role is built from the tree and given to a new user, who sees exactly what it opens [BEH-188, BEH-033]', async () => {
  const page = await show('/roleDetail')
  await page.getByLabel('Role name').fill('Front desk')
  await page.getByRole('button', { name: 'Save' }).click()
  // A role needs a permission, which the tree says.
  await page.getByText('A role needs at least one permission', { exact: false }).first().waitFor()
  await page.getByLabel('Search permissions').fill('record')
  await page.getByRole('checkbox', { name: /^Access records/ }).check()
  await page.getByLabel('Search permissions').fill('')
  const people = page.getByRole('region', { name: 'People' })
  await people.getByRole('checkbox', { name: 'View staff, customers and watch list', exact: false }).check()
  // Two of its permissions: half checked.
  await expect.poll(() => people.locator('.ant-checkbox-indeterminate').count()).toBe(1)
  const sees = page.getByRole('complementary', { name: 'Users with this role see' })
  const promised = (await sees.getByRole('listitem').allInnerTexts()).map((text) => text.trim())
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Save' }).click()
  // A user who creates accounts has to confirm their password; for some minutes this is not asked again.
  await typePassword(page)
  await page.waitForURL((url) => url.hash === '#/roleManage')
  await rowOf(page, 'Front desk').waitFor()

  await page.goto(`${world.url}/#/userManage`)
  const form = await openUserForm(page)
  await form.getByLabel('User name').fill('reception1')
  await form.getByLabel('Real name').fill('Rosa Parks')
  // The present park, not the whole installation.
  await form
    .locator('.ant-select', { has: page.getByLabel('Organisation') })
    .getByText(world.park.name)
    .waitFor()
  await choose(page, form.getByLabel('Roles'), 'Front desk')
  await expectAccessible(page)
  await form.getByRole('button', { name: 'Save' }).click()
  const once = page.getByRole('dialog', { name: 'First password of reception1' })
  const password = await once.getByRole('group', { name: 'First password' }).innerText()
  await expectAccessible(page)
  await once.getByRole('button', { name: 'I have kept it' }).click()
  await rowOf(page, 'reception1').getByText('Awaiting first login').waitFor()
  await expectAccessible(page)

  const theirs = await logInFirst('reception1', password, 'Own-choice-9')
  expect((await menuOf(theirs)).toSorted()).toEqual(promised.toSorted())
  await theirs.goto(`${world.url}/#/userManage`)
  await theirs.waitForURL((url) => url.hash === '#/403')
  await theirs.getByRole('heading', { name: 'You do not have permission to view this page' }).waitFor()
})

test('the ready guard is given to a new user, who opens doors and finds nothing to change or delete', async () => {
  const { made: gate, device } = await startAnswering(
    world,
    world,
    { operateDoor: async () => ({ isSuccess: true, errorType: null }) },
    await world.device({ name: 'East gate' }),
  )
  onTestFinished(() => device.stop())
  const person = await world.person({ name: 'Wangari Maathai' })
  const page = await show('/userManage')
  const form = await openUserForm(page)
  await form.getByLabel('User name').fill('guard.east')
  await form.getByLabel('Real name').fill('Gil Ward')
  await form.getByLabel('Roles').click()
  await page.locator('.ant-select-item-option:visible').filter({ hasText: 'and the watch list' }).filter({ hasText: 'Guard' }).click()
  await page.keyboard.press('Escape')
  await form.getByRole('button', { name: 'Save' }).click()
  await typePassword(page)
  const once = page.getByRole('dialog', { name: 'First password of guard.east' })
  const password = await once.getByRole('group', { name: 'First password' }).innerText()

  const theirs = await logInFirst('guard.east', password, 'Own-choice-7')
  const menu = await menuOf(theirs)
  expect(menu).toEqual(expect.arrayContaining(['Access records', 'Devices', 'Staff', 'Watch list']))
  for (const name of ['Users', 'Roles', 'Access rules']) expect(menu).not.toContain(name)
  await theirs.goto(`${world.url}/#/deviceList`)
  await theirs.getByRole('button', { name: 'Open the door of East gate' }).click()
  const requests = async () => (await world.call(doorCalls.requests, { query: { deviceId: gate.id } })).content
  await expect.poll(requests).toMatchObject([{ account: 'guard.east', operateType: 1 }])

  /** Names of buttons that change something, other than a guard's own tasks. */
  const CHANGES = /^(Add|Edit|Delete|Move|Restart|Disable|Copy|Revoke|New secret|Import|Erase)/
  const expectNothingToChange = async (): Promise<void> => {
    expect(await theirs.locator('main').getByRole('button', { name: CHANGES }).count()).toBe(0)
    await expectAccessible(theirs)
  }
  await expectNothingToChange()
  await theirs.getByRole('button', { name: 'Actions for East gate' }).click()
  expect((await rowMenu(theirs).allInnerTexts()).filter((name) => CHANGES.test(name))).toEqual([])
  await theirs.keyboard.press('Escape')
  await theirs.goto(`${world.url}/#/deviceDetails/${gate.id}`)
  await theirs.getByRole('heading', { name: 'East gate' }).waitFor()
  await expectNothingToChange()
  for (const [address, name] of [
    ['staffList', 'Wangari Maathai'],
    [`staffDetails/${person.id}`, 'Wangari Maathai'],
    ['blacklist', 'Watch list'],
  ] as const) {
    await theirs.goto(`${world.url}/#/${address}`)
    await theirs.locator('main').getByText(name).first().waitFor()
    await expectNothingToChange()
    expect(
      await theirs
        .locator('main')
        .getByRole('button', { name: /^Actions for/ })
        .count(),
    ).toBe(0)
  }
  for (const refused of ['staffAdd', 'blackAdd', 'staffImport']) {
    await theirs.goto(`${world.url}/#/${refused}`)
    await theirs.waitForURL((url) => url.hash === '#/403')
  }
})

test('a ready role is looked at and copied, and not changed or deleted', async () => {
  const page = await show('/roleManage')
  const row = page.getByRole('row').filter({ hasText: 'Auditor' })
  await row.getByText('Built-in').waitFor()
  await page.getByRole('button', { name: 'Actions for Auditor' }).click()
  await expect.poll(() => rowMenu(page).allInnerTexts()).toEqual(['View', 'Copy'])
  await rowMenu(page).filter({ hasText: 'View' }).click()
  await page.getByText('Built-in role.', { exact: false }).waitFor()
  expect(await page.getByRole('button', { name: 'Save' }).count()).toBe(0)
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Copy' }).click()
  await expect.poll(() => page.getByRole('textbox', { name: 'Role name' }).inputValue()).toBe('Auditor (copy)')
  await page.getByRole('region', { name: 'People' }).getByRole('checkbox', { name: 'View staff', exact: false, checked: true }).waitFor()
  // Modules that are not built are not offered.
  for (const name of ['Patrol', 'Meetings and welcome screens', 'Attendance'])
    expect(await page.getByRole('region', { name }).count()).toBe(0)
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Save' }).click()
  await typePassword(page)
  await page.waitForURL((url) => url.hash === '#/roleManage')
  const { content } = await world.call(roleCalls.list, { query: { name: 'Auditor (copy)' } })
  expect(content).toMatchObject([
    {
      ready: null,
      can: { change: true, delete: true },
      roleSign: 'parkAdmin',
      permissions: permissionsByModule(READY_ROLES.auditor.permissions),
    },
  ])
})

test('a role is limited to device groups, and what concerns all devices is said before it is saved', async () => {
  const group = await world.deviceGroup('North side')
  const page = await show('/roleDetail')
  await page.getByLabel('Role name').fill('North guard')
  await page.getByRole('checkbox', { name: /^View devices/ }).check()
  await page.getByRole('checkbox', { name: /^Device settings/ }).check()
  await page.getByText('Only some', { exact: true }).click()
  await page.getByRole('button', { name: 'Save' }).click()
  // An empty selection does not mean all groups.
  await page
    .locator('.ant-form-item', { has: page.getByLabel('Device groups') })
    .locator('.ant-form-item-explain-error')
    .waitFor()
  await page.getByLabel('Device groups').click()
  await page.locator('.ant-select-tree-title').filter({ hasText: 'North side' }).click()
  await page.keyboard.press('Escape')
  await page.getByText('These permissions apply to all devices and cannot be limited: Device settings.').waitFor()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Remove' }).click()
  await page.getByRole('button', { name: 'Save' }).click()
  await typePassword(page)
  await page.waitForURL((url) => url.hash === '#/roleManage')
  await rowOf(page, 'North guard').getByText('1 device group').waitFor()
  const { content } = await world.call(roleCalls.list, { query: { name: 'North guard' } })
  expect(content).toMatchObject([{ deviceGroupIds: [group.id], permissions: { device: ['device', 'device.list'] } }])
  await page.getByRole('link', { name: 'North guard' }).click()
  await page
    .locator('.ant-select', { has: page.getByLabel('Device groups') })
    .getByText('North side')
    .waitFor()
})

test(
  'a user name and an e-mail address that are taken are refused beside their fields, nothing typed is lost and no toast is ' +
    'shown [BEH-091, VAL-007, VAL-034]',
  { tags: 'extended' },
  async () => {
    const roleId = await roleNamed('Taken test')
    await userNamed('taken.name', roleId, 'taken@example.org')
    const page = await show('/userManage')
    const form = await openUserForm(page)
    const item = (label: string): Locator => form.locator('.ant-form-item').filter({ hasText: label }).first()
    await form.getByLabel('User name').fill('taken.name')
    await form.getByLabel('Real name').fill('Ida Wells')
    await item('User name').getByText(USER_NAME_TAKEN).waitFor()
    await form.getByLabel('E-mail', { exact: true }).fill('taken@example.org')
    await form.getByLabel('Phone').fill('123')
    await item('E-mail').getByText(EMAIL_TAKEN).waitFor()
    await choose(page, form.getByLabel('Roles'), 'Taken test')
    await form.getByLabel('User name').fill('free.name')
    await form.getByLabel('E-mail', { exact: true }).fill('free@example.org')
    await form.getByLabel('Phone').focus()
    await item('User name').getByText(USER_NAME_TAKEN).waitFor({ state: 'detached' })
    // Taken by another user between leaving the field and saving: the server's codes without a message of their own.
    await userNamed('free.name', roleId)
    await form.getByRole('button', { name: 'Save' }).click()
    await typePassword(page)
    await item('User name').getByText(USER_NAME_TAKEN).waitFor()
    expect(await page.locator('.ant-message-notice').count()).toBe(0)
    await form.getByLabel('User name').fill('free.name.2')
    await userNamed('free.name.3', roleId, 'free@example.org')
    await form.getByRole('button', { name: 'Save' }).click()
    await item('E-mail').getByText(EMAIL_TAKEN).waitFor()
    expect(await page.locator('.ant-message-notice').count()).toBe(0)
    await expect.poll(() => form.getByLabel('Real name').inputValue()).toBe('Ida Wells')
    await form.getByLabel('E-mail', { exact: true }).fill('free2@example.org')
    await form.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('dialog', { name: 'First password of free.name.2' }).getByRole('button', { name: 'I have kept it' }).click()
    expect((await world.call(userCalls.list, { query: { account: 'free.name.2' } })).content).toMatchObject([
      { realName: 'Ida Wells', email: 'free2@example.org', phone: '123' },
    ])
  },
)

test('the form of a user can be filled in and saved at a browser zoom of 200 % [FIELD-15]', { tags: 'extended' }, async () => {
  await roleNamed('Zoom test')
  const page = await show('/userManage')
  // The size of a window of 1280 × 800 at 200 %.
  await page.setViewportSize({ width: 640, height: 400 })
  const form = await openUserForm(page)
  const save = form.getByRole('button', { name: 'Save' })
  const box = (await save.boundingBox())!
  expect(box.y + box.height).toBeLessThanOrEqual(400)
  expect(box.x + box.width).toBeLessThanOrEqual(640)
  await form.getByLabel('User name').fill('zoomed')
  await form.getByLabel('Real name').fill('Zora Hurston')
  await choose(page, form.getByLabel('Roles'), 'Zoom test')
  const last = form.getByRole('switch', { name: 'Masked personal data' })
  await last.scrollIntoViewIfNeeded()
  await last.click()
  await form.getByText('Set it manually').click()
  await form.getByLabel('Password', { exact: true }).fill('Zoomed-in-1')
  expect(await form.evaluate((dialog) => dialog.scrollWidth <= dialog.clientWidth)).toBe(true)
  // The draft of a form that is not saved does not contain the password.
  const kept = await page.evaluate('JSON.stringify(sessionStorage)')
  expect(kept).toContain('Zora Hurston')
  expect(kept).not.toContain('Zoomed-in-1')
  await save.click()
  await typePassword(page)
  await form.waitFor({ state: 'hidden' })
  expect((await world.call(userCalls.list, { query: { account: 'zoomed' } })).content).toMatchObject([{ enablePageDataMasking: true }])
  // The password of the account is the one that was typed.
  const refused = await world.as({ account: 'zoomed', password: 'Zoomed-in-1' }).catch((error: unknown) => error)
  expect(refused).toMatchObject({ code: 902 })
})

test(
  'an account is disabled, offers only enabling then, is reset and deleted; the own one is neither disabled nor deleted ' +
    '[BEH-195, BEH-197, VAL-213, VAL-215]',
  { tags: 'extended' },
  async () => {
    const id = await userNamed('shortlived', await roleNamed('Short test'))
    const page = await show('/userManage?account=shortlived')
    const actionsOf = async (name: string): Promise<string[]> => {
      await page.getByRole('button', { name: `Actions for ${name}` }).click()
      const labels = await until('the menu of the row', async () => {
        const texts = await rowMenu(page).allInnerTexts()
        return texts.length > 0 ? texts : null
      })
      await page.keyboard.press('Escape')
      await rowMenu(page).first().waitFor({ state: 'hidden' })
      return labels
    }
    expect(await actionsOf('shortlived')).toEqual(['Edit', 'Reset password', 'Disable', 'Delete'])
    await act(page, 'shortlived', 'Disable')
    await page.getByRole('dialog', { name: 'Disable shortlived?' }).getByRole('button', { name: 'Disable' }).click()
    await typePassword(page)
    await rowOf(page, 'shortlived').getByText('Disabled').waitFor()
    expect(await actionsOf('shortlived')).toEqual(['Enable'])
    await act(page, 'shortlived', 'Enable')
    await rowOf(page, 'shortlived').getByText('Awaiting first login').waitFor()
    await act(page, 'shortlived', 'Reset password')
    await page.getByRole('dialog', { name: 'Reset the password of shortlived?' }).getByRole('button', { name: 'Reset password' }).click()
    const once = page.getByRole('dialog', { name: 'First password of shortlived' })
    await expect.poll(() => once.getByRole('group', { name: 'First password' }).innerText()).toMatch(/^\S{8,14}$/)
    await once.getByRole('button', { name: 'I have kept it' }).click()
    await act(page, 'shortlived', 'Delete')
    await page.getByRole('dialog', { name: 'Delete shortlived?' }).getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('button', { name: 'Undo' }).click()
    expect((await world.call(userCalls.read, { params: { id } })).account).toBe('shortlived')
    await act(page, 'shortlived', 'Delete')
    await page.getByRole('dialog', { name: 'Delete shortlived?' }).getByRole('button', { name: 'Delete' }).click()
    await rowOf(page, 'shortlived').waitFor({ state: 'detached' })
    await until('the account to be gone', async () => (await world.call(userCalls.list, { query: { account: 'shortlived' } })).total === 0)
    await page.goto(`${world.url}/#/userManage?account=admin`)
    await rowOf(page, 'admin').getByText('You', { exact: true }).waitFor()
    expect(await actionsOf('admin')).toEqual(['Edit'])
  },
)

test('a role somebody holds is not deleted, and it is said who holds it [BEH-191, VAL-210]', { tags: 'extended' }, async () => {
  const roleId = await roleNamed('Held test')
  await userNamed('holder1', roleId)
  const page = await show('/roleManage?name=Held')
  await act(page, 'Held test', 'Delete')
  const said = page.getByRole('dialog', { name: 'Held test is in use and cannot be deleted' })
  await said.getByText('holder1').waitFor()
  await said.getByRole('button', { name: 'Show these users' }).click()
  await rowOf(page, 'holder1').waitFor()
  await expectAddress(page, `roleId=${roleId}`)
  expect((await world.call(roleCalls.read, { params: { id: roleId } })).name).toBe('Held test')
})

test(
  'what is deleted asks for the password before it waits to be taken back, and who leaves the question deletes nothing',
  { tags: 'extended' },
  async () => {
    await roleNamed('Unused test')
    const page = await show('/roleManage?name=Unused')
    const question = page.getByRole('dialog', { name: 'Confirm that it is you' })
    const remove = async (): Promise<void> => {
      await act(page, 'Unused test', 'Delete')
      await page.getByRole('dialog', { name: 'Delete the role Unused test?' }).getByRole('button', { name: 'Delete' }).click()
      await question.waitFor()
    }
    await remove()
    expect(await page.getByRole('button', { name: 'Undo' }).count()).toBe(0)
    await expectAccessible(page)
    await question.getByRole('button', { name: 'Cancel' }).click()
    await question.waitFor({ state: 'hidden' })
    await remove()
    // The previous dialog has closed, and has not moved the focus.
    await page.getByRole('dialog', { name: 'Delete the role Unused test?' }).waitFor({ state: 'detached' })
    await question.locator('input[type="password"]:focus').waitFor()
    await typePassword(page)
    await page.getByRole('button', { name: 'Undo' }).waitFor()
    await rowOf(page, 'Unused test').waitFor({ state: 'detached' })
  },
)

test('controls somebody lacks the permission for are not there at all [BEH-044]', { tags: 'extended' }, async () => {
  const name = 'Users only'
  const { id } = await world.call(roleCalls.create, { body: { name, permissions: ['system', 'system.user'] } })
  const organisationId = world.server.contexts.organisation.service.root().id
  const { initialPassword } = await world.call(userCalls.create, {
    body: { account: 'users.only', realName: 'Only Users', organisationId, roles: [id] },
  })
  const page = await logInFirst('users.only', initialPassword!, 'Own-choice-8')
  await page.goto(`${world.url}/#/userManage`)
  await rowOf(page, 'users.only').waitFor()
  expect((await menuOf(page)).toSorted()).toEqual(['About', 'Home', 'Users'])
  // Its roles are a filter of the list, but there is no link to the roles themselves.
  await act(page, 'users.only', 'Edit')
  expect(await page.locator('a[href*="roleManage"], a[href*="roleDetail"], a[href*="staffList"]').count()).toBe(0)
})

test(
  'an API user is made, its secret is shown once and copied on plain http too, and obtains a token [BEH-196]',
  { tags: 'extended' },
  async () => {
    const page = await show('/apiUserManage')
    await page.getByText('There is no API user here yet', { exact: false }).waitFor()
    // As on plain http, where browsers give scripts no clipboard.
    await page.evaluate(() => Object.defineProperty(navigator, 'clipboard', { value: undefined }))
    await page.getByRole('button', { name: 'Add an API user' }).first().click()
    await formReady(page)
    const form = page.getByRole('dialog', { name: 'Add an API user' })
    await form.getByLabel('Name', { exact: true }).fill('Payroll')
    await form.getByRole('checkbox', { name: /^Access records/ }).check()
    await expectAccessible(page)
    await form.getByRole('button', { name: 'Save' }).click()
    await typePassword(page)
    const once = page.getByRole('dialog', { name: 'Key and secret' })
    const valueOf = (name: string): Promise<string> => once.getByRole('group', { name, exact: true }).innerText()
    const [key, secret] = [await valueOf('ApiKey'), await valueOf('ApiSecret')]
    expect(await valueOf('Try it: obtain a token')).toContain(`curl -u '${key}:${secret}'`)
    await once.getByRole('button', { name: 'Copy: ApiSecret' }).click()
    await once.getByText('Copied').waitFor()
    await expectAccessible(page)
    await once.getByRole('button', { name: 'I have kept it' }).click()
    await expect.poll(() => page.getByText(secret).count()).toBe(0)
    const program = createClient(world.url).as({ basic: [key, secret] })
    const obtain = () => program.ask(identityCalls.token, { body: { grant_type: 'client_credentials', areaCode: world.park.areaCode } })
    expect((await obtain()).code).toBe(0)

    await act(page, 'Payroll', 'Disable')
    await page.getByRole('dialog', { name: 'Disable Payroll?' }).getByRole('button', { name: 'Disable' }).click()
    await rowOf(page, 'Payroll').getByText('Disabled').waitFor()
    expect(await obtain()).toMatchObject({ status: 400, code: 901 })
    await act(page, 'Payroll', 'Enable')
    await rowOf(page, 'Payroll').getByText('Enabled').waitFor()
    await act(page, 'Payroll', 'Reset secret')
    await page.getByRole('dialog', { name: 'Reset the secret of Payroll?' }).getByRole('button', { name: 'Reset secret' }).click()
    const again = await valueOf('ApiSecret')
    expect(again).not.toBe(secret)
    expect((await obtain()).status).toBe(401)
    await once.getByRole('button', { name: 'I have kept it' }).click()
    expect((await world.call(clientCalls.list, { query: {} })).content).toMatchObject([{ name: 'Payroll', status: 1 }])
    // The copied text is the secret.
    await page.getByRole('textbox', { name: 'Name' }).press('Control+V')
    await until('the list to be asked for what was copied', () => page.url().includes(encodeURIComponent(secret)))
  },
)
