/** The login, as users see it: first password, mistakes, a lock and how it ends, and what users do with their own account. */
import type { Browser, Locator, Page, Response } from 'playwright-core'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Language } from '@gatehouse/contract'
import { identityCalls } from '@gatehouse/contract/identity/calls'
import { ownCalls } from '@gatehouse/contract/identity/own'
import { ONE_TIME_SECONDS } from '@gatehouse/contract/identity/second-factor'
import { lookCalls } from '@gatehouse/contract/system/look'
import { createClient } from '@gatehouse/dev-env/client'
import { startWorld, type World } from '@gatehouse/dev-env/world'
import { codeSentTo, failTimes, FIRST_PASSWORD, newUser, PASSWORD, settledUser, tryLogin } from '../support/accounts.ts'
import { oneTimePassword, setUpSecondFactor } from '../support/authenticator.ts'
import { fittingPlace, solveCaptcha } from '../support/captcha.ts'
import { expectAccessible, expectAddress, logOut, pageHolding } from '../support/console.ts'
import { failFrom, newAddress } from '../support/from-address.ts'
import { until } from '../support/until.ts'
import { sharedBrowser } from '../support/stage.ts'

const NEW = 'Third-pass-3'

let world: World
let browser: Browser
beforeAll(async () => {
  world = await startWorld({ console: true, config: { captcha: true } })
  browser = await sharedBrowser()
})
afterAll(async () => {
  await world?.stop()
})

/** Open the login page in a browser of its own. */
async function loginPage(language: Language = 'en'): Promise<Page> {
  const page = await pageHolding(browser, world, { language }, { at: '/login' })
  await page.locator('input[autocomplete="username"]').waitFor()
  return page
}
async function type(page: Page, account: string, password: string): Promise<void> {
  await page.locator('main input[autocomplete="username"]').fill(account)
  await page.locator('main input[autocomplete="current-password"]').fill(password)
  await page.keyboard.press('Enter')
}
const atHome = (page: Page): Promise<void> => page.waitForURL((url) => url.hash.startsWith('#/home'))
async function loggedIn(account: string, password: string, language: Language = 'en'): Promise<Page> {
  const page = await loginPage(language)
  await type(page, account, password)
  await atHome(page)
  return page
}
async function openFromMenu(page: Page, entry: string): Promise<void> {
  await page.getByTitle(/^Account of/).click()
  await page.getByRole('menuitem', { name: entry }).click()
}

test('the form asks for a user name, a password, and at least eight characters of it [VAL-001, VAL-002, VAL-003]', async () => {
  const page = await loginPage()
  let asked = 0
  page.on('request', (request) => {
    if (request.url().includes('/auth/token')) asked++
  })
  await page.getByRole('button', { name: 'Log in' }).press('Enter')
  await page.getByText('Enter your user name.').waitFor()
  await page.getByText('Enter your password.').waitFor()
  await type(page, 'admin', 'seven-7')
  await page.getByText('A password has at least 8 characters.').waitFor()
  expect(asked).toBe(0)
  await expectAccessible(page)
})

test('somebody new sets a password at the first login and goes straight in', async () => {
  const user = await newUser(world, { realName: '王小明' })
  const page = await loginPage('zh-CN')
  await type(page, user.account, FIRST_PASSWORD)
  const dialog = page.getByRole('dialog', { name: '设置新密码' })
  await dialog.waitFor()
  const [chosen, again] = [dialog.getByLabel('新密码', { exact: true }), dialog.getByLabel('确认新密码')]
  await chosen.fill(FIRST_PASSWORD)
  await again.fill(FIRST_PASSWORD)
  await page.keyboard.press('Enter')
  await dialog.getByText('新密码不能与上次的密码相同。').waitFor()
  await expectAccessible(page)
  await chosen.fill(PASSWORD)
  await again.fill(PASSWORD)
  await page.keyboard.press('Enter')
  await atHome(page)
  await page.getByRole('button', { name: /王小明/ }).waitFor()
  expect((await tryLogin(world, user.account, PASSWORD)).code).toBe(0)
})

/** Wait for the next captcha that a page receives. */
const drawn = (page: Page): Promise<Response> => page.waitForResponse((response) => response.url().endsWith(ownCalls.captcha.url))
const sliderOf = (within: Page | Locator): Locator => within.getByRole('slider', { name: 'Slide the piece into the gap' })
const idOf = async (captcha: Promise<Response>): Promise<string> => ((await (await captcha).json()) as { data: { id: string } }).data.id
/** Move the piece by keyboard, and release it. */
async function slideTo(slider: Locator, place: number): Promise<void> {
  await slider.waitFor()
  await slider.fill(String(place - 1))
  await slider.press('ArrowRight')
  await slider.press('Enter')
}
const solve = async (captcha: Promise<Response>, within: Page | Locator): Promise<void> =>
  slideTo(sliderOf(within), await fittingPlace(world, await idOf(captcha)))

test('mistakes are counted, the captcha is solved by keyboard, and the right password comes in', async () => {
  const user = await settledUser(world)
  const page = await loginPage()
  await type(page, user.account, 'Wrong-pass-1')
  await expect.poll(() => page.getByRole('alert').innerText()).toMatch(/1.*6/s)
  await failTimes(world, user.account, 1)
  const first = drawn(page)
  await type(page, user.account, 'Wrong-pass-3')
  const slider = sliderOf(page)
  await slider.waitFor()
  await expectAccessible(page)
  await page.locator('main input[autocomplete="current-password"]').fill(user.password)
  // Beside the gap: what was typed stays, and there is another picture.
  const second = drawn(page)
  await slideTo(slider, (await fittingPlace(world, await idOf(first))) - 40)
  await second
  await page.getByRole('alert').filter({ hasText: 'slider check failed' }).waitFor()
  await until('a slider at its start', async () => (await slider.inputValue()) === '0')
  await expect.poll(() => page.locator('main input[autocomplete="current-password"]').inputValue()).toBe(user.password)
  await solve(second, page)
  await atHome(page)
})

test(
  'a browser that was used before comes in though somebody behind the same address locked the account',
  { tags: 'extended' },
  async () => {
    const user = await settledUser(world)
    const page = await loggedIn(user.account, user.password)
    await logOut(page)
    for (let at = 0; at < 3; at++) await tryLogin(world, user.account, 'Wrong-pass-1')
    for (let at = 0; at < 3; at++) await tryLogin(world, user.account, 'Wrong-pass-1', await solveCaptcha(world))
    expect((await tryLogin(world, user.account, user.password)).code).toBe(903)
    await type(page, user.account, user.password)
    await atHome(page)
  },
)

test('behind a captcha the code of the second factor is asked for with another one', { tags: 'extended' }, async () => {
  const user = await settledUser(world)
  const own = await world.as(user)
  const { secret } = await setUpSecondFactor(own, world.clock)
  for (let at = 0; at < 3; at++) await failFrom(world, { account: user.account, ip: newAddress() }, 1)
  const page = await loginPage()
  const first = drawn(page)
  await type(page, user.account, user.password)
  await first
  const second = drawn(page)
  await solve(first, page)
  const field = page.getByLabel('One-time password', { exact: true })
  await field.waitFor()
  await expectAccessible(page)
  // The password of half a minute from now: the present one was used for the setup.
  const right = oneTimePassword(secret, world.clock.now() + ONE_TIME_SECONDS * 1000)
  await field.fill(right === '000000' ? '000001' : '000000')
  await second
  const third = drawn(page)
  await solve(second, page)
  await page.getByText('This code is not right').waitFor()
  await field.fill(right)
  await solve(third, page)
  await atHome(page)
})

test('a first password is replaced behind a captcha where others failed with the account', { tags: 'extended' }, async () => {
  const user = await newUser(world)
  for (let at = 0; at < 3; at++) await failFrom(world, { account: user.account, ip: newAddress() }, 1)
  const page = await loginPage()
  const first = drawn(page)
  await type(page, user.account, user.password)
  // Nothing failed in this browser: the check is required because of others.
  await page.getByRole('alert').filter({ hasText: 'Complete the check below' }).waitFor()
  await solve(first, page)
  const dialog = page.getByRole('dialog', { name: 'Choose a new password' })
  await dialog.getByLabel('New password', { exact: true }).fill(NEW)
  await dialog.getByLabel('New password again').fill(NEW)
  const second = drawn(page)
  await page.keyboard.press('Enter')
  await expectAccessible(page)
  await solve(second, dialog)
  // A new password clears the failures: the login that follows needs no check.
  await atHome(page)
})

test('a locked account says how long, and a code from the e-mail opens it', { tags: 'extended' }, async () => {
  const user = await settledUser(world, { email: 'locked@example.org' })
  await failTimes(world, user.account, 3)
  for (let at = 0; at < 3; at++) await tryLogin(world, user.account, 'Wrong-pass-1', await solveCaptcha(world))
  const page = await loginPage()
  await type(page, user.account, user.password)
  const alert = page.getByRole('alert').filter({ hasText: 'locked for 30 minutes' })
  await alert.getByText(/Locked until \d\d:\d\d, for another 30 minutes/).waitFor()
  await expectAccessible(page)
  await type(page, user.account, user.password)
  await alert.waitFor()
  await page.getByRole('button', { name: 'Forgot your password?' }).click()
  const dialog = page.getByRole('dialog', { name: 'Forgotten password' })
  await expect.poll(() => dialog.getByLabel('User name').inputValue()).toBe(user.account)
  await dialog.getByRole('button', { name: 'Send code' }).click()
  const code = await until('the code', () => codeSentTo(world, 'locked@example.org'))
  await dialog.getByText('This installation sends no e-mail.', { exact: false }).waitFor()
  await expectAccessible(page)
  await dialog.getByLabel('Code from the e-mail').fill(code === '000000' ? '000001' : '000000')
  await page.keyboard.press('Enter')
  await dialog.getByText('The code is wrong.').waitFor()
  await dialog.getByLabel('Code from the e-mail').fill(code)
  await page.keyboard.press('Enter')
  await dialog.getByLabel('New password', { exact: true }).fill(NEW)
  await dialog.getByLabel('New password again').fill(NEW)
  await expectAccessible(page)
  await page.keyboard.press('Enter')
  await atHome(page)
})

test(
  'changing the own password ends the session and leads back to the login [BEH-077, STATE:session:logged in>no session]',
  { tags: 'extended' },
  async () => {
    const user = await settledUser(world)
    const page = await loggedIn(user.account, user.password)
    await openFromMenu(page, 'Change password')
    const dialog = page.getByRole('dialog', { name: 'Change password' })
    await dialog.getByLabel('Old password').fill('Wrong-pass-1')
    await dialog.getByLabel('New password', { exact: true }).fill(NEW)
    await dialog.getByLabel('New password again').fill('Third-pass-4')
    await page.keyboard.press('Enter')
    await dialog.getByText('The two entries differ.').waitFor()
    await dialog.getByLabel('New password again').fill(NEW)
    await page.keyboard.press('Enter')
    await dialog.getByText('The old password is wrong.').waitFor()
    await expectAccessible(page)
    const sent = page.waitForRequest((request) => request.url().endsWith(ownCalls.changePassword.url))
    await dialog.getByLabel('Old password').fill(user.password)
    await page.keyboard.press('Enter')
    // The browser sends only cipher text.
    expect((await sent).postData()).not.toContain('pass')
    await page.waitForURL((url) => url.hash === '#/login')
    await expect.poll(() => page.title()).toBe('Gatehouse')
    expect(await page.evaluate(() => ['token', 'refreshToken'].map((key) => localStorage.getItem(key)))).toEqual([null, null])
    await type(page, user.account, NEW)
    await atHome(page)
  },
)

test('own data are changed, and another login of one’s own is ended from here', { tags: 'extended' }, async () => {
  const user = await settledUser(world, { realName: 'Ada Byron', expiry: Date.now() + 3 * 86_400_000 - 60_000 })
  const page = await loggedIn(user.account, user.password)
  const reminder = page.getByRole('alert').filter({ hasText: 'Your account expires in 3 days.' })
  await reminder.waitFor()
  await page.locator('.ant-notification-notice-close').click()
  await openFromMenu(page, 'My details')
  const form = page.getByRole('dialog', { name: 'My details' })
  await form.getByLabel('Name', { exact: true }).fill('Ada Lovelace')
  await form.getByLabel('Phone').fill('call me')
  await page.keyboard.press('Enter')
  await form.getByText('Use only digits and + * #.').waitFor()
  await form.getByLabel('Phone').fill('+44#20')
  await expectAccessible(page)
  await form.getByRole('button', { name: 'Save' }).click()
  // The login itself counts as a confirmation of the password.
  await form.waitFor({ state: 'hidden' })
  await page.getByTitle('Account of Ada Lovelace').waitFor()
  const elsewhere = await world.as(user)
  await openFromMenu(page, 'My sessions')
  const sessions = page.getByRole('dialog', { name: 'My sessions' })
  await sessions.getByText('This one').waitFor()
  await expectAccessible(page)
  await sessions
    .getByRole('button', { name: /^Log out / })
    .first()
    .click()
  await until('the other session to end', async () => (await elsewhere.ask(identityCalls.profile, {})).status === 401)
  await until('the list without it', async () => (await sessions.getByRole('listitem').count()) === 1)
  await expect.poll(() => sessions.getByRole('button', { name: 'Log out everywhere else' }).isDisabled()).toBe(true)
})

test(
  'a session that cannot be refreshed says so and asks for the login again [BEH-074, BEH-075, STATE:session:expired>no session]',
  { tags: 'extended' },
  async () => {
    const user = await settledUser(world)
    for (const [refreshToken, sentence] of [
      ['"ended"', 'expired'],
      [null, 'log in again'],
    ] as const) {
      const page = await loggedIn(user.account, user.password)
      await page.evaluate((token) => {
        localStorage.setItem('tokenExpires', '1')
        if (token === null) localStorage.removeItem('refreshToken')
        else localStorage.setItem('refreshToken', token)
      }, refreshToken)
      await page.goto(`${world.url}/#/staffList`)
      await page.getByText(new RegExp(sentence, 'i')).first().waitFor()
      await page.waitForURL((url) => url.hash.startsWith('#/login'))
      expect(await page.evaluate(() => localStorage.getItem('token'))).toBe(null)
    }
  },
)

test('after logging out the page is loaded afresh, once [BEH-018]', { tags: 'extended' }, async () => {
  const user = await settledUser(world)
  const page = await loggedIn(user.account, user.password)
  const bearer = JSON.parse((await page.evaluate(() => localStorage.getItem('token')))!) as string
  const addresses: string[] = []
  page.on('framenavigated', (frame) => addresses.push(new URL(frame.url()).hash))
  await page.evaluate('window.before = true')
  await page.getByTitle(/^Account of/).click()
  await page.getByRole('menuitem', { name: 'Log out' }).click()
  await until('a page of its own', () => page.evaluate(`!('before' in window)`))
  await page.locator('input[autocomplete="username"]').waitFor()
  expect(addresses).toContain('#/login?reload=1')
  await expectAddress(page, '#/login')
  expect((await createClient(world.url, { bearer }).ask(identityCalls.profile, {})).status).toBe(401)
})

test('the page shows the name, logo and background that are set for the installation [BEH-084]', { tags: 'extended' }, async () => {
  const picture = async (colour: string) =>
    `data:image/png;base64,${(
      await sharp({ create: { width: 64, height: 64, channels: 3, background: colour } })
        .png()
        .toBuffer()
    ).toString('base64')}`
  const body = {
    showType: 'custom' as const,
    enableSystemName: true,
    systemName: 'Harbour Works',
    logoContent: await picture('#dd2200'),
    background: await picture('#003355'),
  }
  await world.call(lookCalls.changeUiConfig, { body })
  const look = await createClient(world.url).call(lookCalls.uiConfig, {})
  const page = await loginPage()
  await page.getByRole('heading', { name: 'Harbour Works' }).waitFor()
  const logo = page.locator('main img').first()
  await until('the logo', () => logo.evaluate((image) => (image as unknown as { naturalWidth: number }).naturalWidth > 0))
  await expect.poll(() => logo.getAttribute('src')).toBe(look.logoContent)
  expect(
    await page.evaluate(
      `[...document.querySelectorAll('[aria-hidden="true"]')].map((one) => getComputedStyle(one).backgroundImage).join()`,
    ),
  ).toContain(look.background)
})
