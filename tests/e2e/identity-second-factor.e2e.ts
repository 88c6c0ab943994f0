/**
 * The second step of a login: set up in one's own menu, required at the login, required of other users, and reset for a user who lost it.
 */
import { readFile } from 'node:fs/promises'
import type { Browser, Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { PERMISSION_CODES } from '@gatehouse/contract'
import { identityCalls } from '@gatehouse/contract/identity/calls'
import { roleCalls } from '@gatehouse/contract/identity/roles'
import { ONE_TIME_SECONDS, RECOVERY_CODES, secondFactorCalls } from '@gatehouse/contract/identity/second-factor'
import { userCalls } from '@gatehouse/contract/identity/users'
import { organisationCalls } from '@gatehouse/contract/organisation/calls'
import type { Client } from '@gatehouse/dev-env/client'
import { ADMIN, startWorld, type World } from '@gatehouse/dev-env/world'
import { settledUser, tryLogin, type MadeUser } from '../support/accounts.ts'
import { oneTimePassword } from '../support/authenticator.ts'
import { expectAccessible, pageHolding, pagesOf } from '../support/console.ts'
import { sharedBrowser } from '../support/stage.ts'

let ahead = 0
let world: World
let browser: Browser
let [chief, deputy]: MadeUser[] = []
/** The chief's secret in the app, and the saved recovery codes. */
let secret = ''
let recoveryCodes: string[] = []

beforeAll(async () => {
  world = await startWorld({ console: true, clock: { now: () => Date.now() + ahead } })
  browser = await sharedBrowser()
  const { id: organisationId } = await world.call(organisationCalls.tree, {})
  const role = { name: 'Operators', permissions: [...PERMISSION_CODES], organisationId, roleSign: 'operator' as const }
  const options = { organisationId, roles: [(await world.call(roleCalls.create, { body: role })).id] }
  chief = await settledUser(world, { ...options, account: 'chief' })
  deputy = await settledUser(world, { ...options, account: 'deputy' })
})
afterAll(async () => {
  await world?.stop()
})

const show = pagesOf(() => ({ browser, world }))

/** Return a one-time password that was not used yet: each is accepted once. */
function nextPassword(of = secret): string {
  ahead += ONE_TIME_SECONDS * 1000
  return oneTimePassword(of, world.clock.now())
}
async function loginPage(): Promise<Page> {
  return pageHolding(browser, world, { language: 'zh-CN' }, { at: '/login' })
}
async function logIn(page: Page, { account, password }: MadeUser): Promise<void> {
  await page.getByLabel('用户名').fill(account)
  await page.getByLabel('密码', { exact: true }).fill(password)
  await page.keyboard.press('Enter')
}
const atHome = (page: Page): Promise<void> => page.waitForURL((url) => url.hash.startsWith('#/home'))
async function openFromMenu(page: Page, entry: string): Promise<void> {
  await page.getByTitle(/的账号$/).click()
  await page.getByRole('menuitem', { name: entry }).click()
}
async function confirmPassword(page: Page, { password }: { password: string }): Promise<void> {
  const dialog = page.getByRole('dialog', { name: '请确认是本人操作' })
  await dialog.getByLabel('您的密码').fill(password)
  await page.keyboard.press('Enter')
  await dialog.waitFor({ state: 'hidden' })
}
/** Go from the picture to the recovery codes. @returns the secret */
async function setUp(page: Page, within: Locator): Promise<string> {
  await within.getByRole('img', { name: /二维码/ }).waitFor()
  await expectAccessible(page)
  const shown = await within.getByRole('group', { name: '无法扫描时，手动输入密钥' }).innerText()
  const field = within.getByLabel('动态验证码', { exact: true })
  const right = nextPassword(shown)
  await field.fill(right === '000000' ? '000001' : '000000')
  await within.getByText('验证码有误或已使用过').waitFor()
  // As the app shows it, in two halves; six digits submit the form.
  await field.fill(`${right.slice(0, 3)} ${right.slice(3)}`)
  return shown
}
/** Set up a second factor without a browser. @returns the session that did, and the secret */
async function enrolled(user: MadeUser): Promise<{ client: Client; secret: string }> {
  const client = await world.as(user)
  const enrolment = await client.call(secondFactorCalls.begin, { body: {} })
  await client.call(secondFactorCalls.confirm, { body: { code: nextPassword(enrolment.secret) } })
  return { client, secret: enrolment.secret }
}

test('a second factor is set up in one’s own menu, and its recovery codes are kept', async () => {
  const page = await loginPage()
  await logIn(page, chief!)
  await atHome(page)
  await openFromMenu(page, '两步验证')
  const dialog = page.getByRole('dialog', { name: '两步验证' })
  await expectAccessible(page)
  await dialog.getByRole('button', { name: '开始设置' }).click()
  secret = await setUp(page, dialog)
  const once = page.getByRole('dialog', { name: '保存恢复码' })
  recoveryCodes = (await once.getByRole('group', { name: '账号 chief 的恢复码' }).innerText()).trim().split('\n')
  expect(recoveryCodes).toHaveLength(RECOVERY_CODES)
  await expectAccessible(page)
  const saving = page.waitForEvent('download')
  await once.getByRole('button', { name: '下载文本文件' }).click()
  const saved = await saving
  expect(saved.suggestedFilename()).toBe('恢复码-chief.txt')
  expect(await readFile(await saved.path(), 'utf8')).toContain(recoveryCodes.join('\n'))
  await once.getByRole('button', { name: '我已妥善保存' }).click()
  await dialog.getByText('已启用').waitFor()
  await dialog.getByText(`${RECOVERY_CODES} 个`).waitFor()
  await expectAccessible(page)
  // The drafts of forms that a tab stores contain no secret.
  expect(await page.evaluate(() => JSON.stringify([{ ...sessionStorage }, { ...localStorage }]))).not.toContain(secret)
})

test('the login asks for the code, says how many tries are left, and takes a recovery code once', async () => {
  const page = await loginPage()
  await logIn(page, chief!)
  const field = page.getByLabel('动态验证码', { exact: true })
  await field.waitFor()
  // It can be typed at once, without a click.
  await page.locator('input[autocomplete="one-time-code"]:focus').waitFor()
  await expectAccessible(page)
  const right = nextPassword()
  await field.fill(right === '000000' ? '000001' : '000000')
  await page.getByText('还可尝试 5 次').waitFor()
  expect(await field.inputValue()).toBe('')
  await page.getByRole('button', { name: '返回' }).click()
  // What was typed is still there.
  expect(await page.getByLabel('用户名').inputValue()).toBe('chief')
  await page.keyboard.press('Enter')
  await field.fill(right)
  await atHome(page)
  await openFromMenu(page, '退出登录')
  await page.locator('input[autocomplete="username"]').waitFor()

  const recover = async (code: string): Promise<Page> => {
    const another = await loginPage()
    await logIn(another, chief!)
    await another.getByRole('button', { name: '手机不在身边？使用恢复码' }).click()
    await another.getByLabel('恢复码', { exact: true }).fill(code)
    await another.keyboard.press('Enter')
    return another
  }
  await atHome(await recover(recoveryCodes[0]!.toUpperCase()))
  const again = await recover(recoveryCodes[0]!)
  await again.getByText('验证码有误或已使用过').waitFor()
  await expectAccessible(again)
  await again.getByLabel('恢复码', { exact: true }).fill(recoveryCodes[1]!)
  await again.keyboard.press('Enter')
  await atHome(again)
})

test(
  'the phone is changed, recovery codes are made anew and the second factor is given up, each with a code',
  { tags: 'extended' },
  async () => {
    const user = await settledUser(world, { account: 'own.phone' })
    const former = (await enrolled(user)).secret
    const page = await loginPage()
    await logIn(page, user)
    await page.getByLabel('动态验证码', { exact: true }).fill(nextPassword(former))
    await atHome(page)
    await openFromMenu(page, '两步验证')
    const dialog = page.getByRole('dialog')
    const code = dialog.getByLabel('动态验证码', { exact: true })
    await dialog.getByRole('button', { name: '更换手机' }).click()
    await expectAccessible(page)
    // No click is needed: six digits submit the form.
    await code.fill(nextPassword(former))
    const changed = await setUp(page, dialog)
    const codes = dialog.getByRole('group', { name: '账号 own.phone 的恢复码' })
    const first = await codes.innerText()
    await dialog.getByRole('button', { name: '我已妥善保存' }).click()

    await dialog.getByRole('button', { name: '重新生成恢复码' }).click()
    await expectAccessible(page)
    // A password of the former phone is refused.
    await code.fill(nextPassword(former))
    await dialog.getByRole('button', { name: '重新生成', exact: true }).click()
    await dialog.getByText('验证码有误或已使用过').waitFor()
    await code.fill(nextPassword(changed))
    await dialog.getByRole('button', { name: '重新生成', exact: true }).click()
    await codes.waitFor()
    const second = await codes.innerText()
    expect(
      second
        .trim()
        .split('\n')
        .filter((one) => first.includes(one)),
    ).toEqual([])
    await dialog.getByRole('button', { name: '我已妥善保存' }).click()

    await dialog.getByRole('button', { name: '停用' }).click()
    await expectAccessible(page)
    await code.fill(nextPassword(changed))
    await dialog.getByRole('button', { name: '停用', exact: true }).click()
    await page.getByText('两步验证已停用。').waitFor()
    await dialog.getByRole('button', { name: '开始设置' }).waitFor()
    expect((await tryLogin(world, user.account, user.password)).code).toBe(0)
  },
)

test('who lost phone and codes is reset by an administrator, which is offered for nobody else', { tags: 'extended' }, async () => {
  const lost = await settledUser(world, { account: 'lost.phone' })
  const { client } = await enrolled(lost)
  const page = await show('/userManage', { language: 'zh-CN' })
  const row = (account: string): Locator => page.getByRole('row').filter({ hasText: account })
  const openMenu = (account: string): Promise<void> => row(account).getByRole('button', { name: /操作/ }).click()
  const entries = page.locator('.ant-dropdown:visible').getByRole('menuitem')
  await row('lost.phone').getByText('已启用').waitFor()
  await openMenu('deputy')
  await entries.filter({ hasText: '重置密码' }).waitFor()
  expect(await entries.filter({ hasText: '重置两步验证' }).count()).toBe(0)
  await page.keyboard.press('Escape')
  await openMenu('lost.phone')
  await entries.filter({ hasText: '重置两步验证' }).click()
  const question = page.getByRole('dialog', { name: '重置 lost.phone 的两步验证？' })
  await question.getByText('在所有设备上退出登录').waitFor()
  await expectAccessible(page)
  await question.getByRole('button', { name: '重置两步验证' }).click()
  await confirmPassword(page, ADMIN)
  await row('lost.phone').getByText('未启用').waitFor()
  expect((await client.ask(identityCalls.profile, {})).status).toBe(401)
  expect((await tryLogin(world, lost.account, lost.password)).code).toBe(0)
})

test(
  'a password that was reset is replaced with a code of the second factor, and the login asks for the next one',
  { tags: 'extended' },
  async () => {
    const user = await settledUser(world, { account: 'new.password' })
    const theirs = await enrolled(user)
    const { initialPassword } = await world.call(userCalls.resetPassword, { params: { id: user.id }, body: {} })
    const page = await loginPage()
    await logIn(page, { ...user, password: initialPassword! })
    const dialog = page.getByRole('dialog', { name: '设置新密码' })
    await dialog.getByLabel('新密码', { exact: true }).fill('Third-pass-3')
    await dialog.getByLabel('确认新密码').fill('Third-pass-3')
    await page.keyboard.press('Enter')
    const field = dialog.getByLabel('动态验证码', { exact: true })
    const right = nextPassword(theirs.secret)
    await field.fill(right === '000000' ? '000001' : '000000')
    await page.keyboard.press('Enter')
    await dialog.getByText('还可尝试').waitFor()
    await expectAccessible(page)
    await field.fill(right)
    await page.keyboard.press('Enter')
    await dialog.waitFor({ state: 'hidden' })
    await page.getByLabel('动态验证码', { exact: true }).fill(nextPassword(theirs.secret))
    await atHome(page)
  },
)

test('who demands it of others has one first, and a second administrator is led to set it up and goes on', async () => {
  const theirs = await show('/basicSettings', { language: 'zh-CN', user: deputy! })
  const group = (page: Page): Locator => page.getByRole('region', { name: '两步验证' })
  await group(theirs).getByText('您的账号尚未启用两步验证').waitFor()
  await expectAccessible(theirs)
  await group(theirs).getByRole('button', { name: '立即启用' }).click()
  await theirs.getByRole('dialog', { name: '两步验证' }).locator('.ant-modal-footer').getByRole('button', { name: '关闭' }).click()

  const page = await loginPage()
  await logIn(page, chief!)
  await page.getByLabel('动态验证码', { exact: true }).fill(nextPassword())
  await atHome(page)
  await page.goto(`${world.url}/#/basicSettings`)
  await group(page).getByLabel('要求启用的用户').click()
  await page.locator('.ant-select-item-option:visible').filter({ hasText: '系统管理员和运营人员' }).click()
  await group(page).getByRole('button', { name: '保存' }).click()
  await page.getByText('设置已保存').waitFor()

  // The open session is affected by its next action.
  await theirs.goto(`${world.url}/#/userManage`)
  await theirs.getByRole('heading', { name: '请先设置两步验证' }).waitFor()
  await expectAccessible(theirs)
  await theirs.reload()
  await theirs.getByRole('heading', { name: '请先设置两步验证' }).waitFor()
  await theirs.getByRole('button', { name: '开始设置' }).click()
  await confirmPassword(theirs, deputy!)
  await setUp(theirs, theirs.locator('main'))
  await theirs.getByRole('dialog', { name: '保存恢复码' }).getByRole('button', { name: '我已妥善保存' }).click()
  // The page they wanted to open, without another login.
  await theirs.getByRole('row').filter({ hasText: 'chief' }).getByText('已启用').waitFor()
  expect(new URL(theirs.url()).hash).toBe('#/userManage')
  await expectAccessible(theirs)
})
