/** The installation, as its administrator sees it: branding, domains, notices, outgoing messages, about. */
import type { Browser, Page } from 'playwright-core'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { auditCalls } from '@gatehouse/contract/audit/calls'
import { ownCalls } from '@gatehouse/contract/identity/own'
import { lookCalls } from '@gatehouse/contract/system/look'
import { messageCalls } from '@gatehouse/contract/system/messages'
import { noticeCalls } from '@gatehouse/contract/system/notices'
import { createClient } from '@gatehouse/dev-env/client'
import { ADMIN, startWorld, type World } from '@gatehouse/dev-env/world'
import { expectAccessible, formReady, pagesOf, typePassword } from '../support/console.ts'
import { query } from '../support/embedded-postgres.ts'
import { until } from '../support/until.ts'
import { sharedBrowser } from '../support/stage.ts'

let world: World
let browser: Browser
beforeAll(async () => {
  // Branding, logs and domains belong to the installation.
  world = await startWorld({ console: true })
  browser = await sharedBrowser()
})
afterAll(async () => {
  await world?.stop()
})

const show = pagesOf(() => ({ browser, world }))
const picture = async (colour: string) => ({
  name: 'picture.png',
  mimeType: 'image/png',
  buffer: await sharp({ create: { width: 120, height: 60, channels: 3, background: colour } })
    .png()
    .toBuffer(),
})
const chooseFor = async (page: Page, name: string, colour: string): Promise<void> => {
  const field = page.getByRole('group', { name, exact: true })
  await field.locator('input[type="file"]').setInputFiles(await picture(colour))
  await field.locator('img').waitFor()
}

test(
  'the login page shows the name, logo and background that were set, as the preview did [BEH-084, BEH-080]',
  { tags: 'extended' },
  async () => {
    const page = await show('/uiSettings')
    const preview = page.getByRole('region', { name: 'Preview' })
    await page.getByText('Custom', { exact: true }).click()
    await page.getByLabel('System name').fill('Harbour Works')
    await preview.getByText('Harbour Works').first().waitFor()
    await chooseFor(page, 'Logo', '#00aa44')
    await chooseFor(page, 'Login background', '#aa4400')
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Branding saved').waitFor()
    expect(await world.call(lookCalls.uiConfig, {})).toMatchObject({ showType: 'custom', systemName: 'Harbour Works' })

    const context = await browser.newContext()
    const visitor = await context.newPage()
    const loaded: string[] = []
    visitor.on('response', (response) => response.ok() && loaded.push(new URL(response.url()).pathname))
    await visitor.goto(`${world.url}/#/login`)
    await visitor.getByRole('heading', { name: 'Harbour Works' }).waitFor()
    const { logoContent, background } = await world.call(lookCalls.uiConfig, {})
    await until('logo and background', () => loaded.includes(logoContent) && loaded.includes(background))
    expect(
      await visitor.locator(`img[src="${logoContent}"]`).evaluate((image) => (image as unknown as { naturalWidth: number }).naturalWidth),
    ).toBe(120)
    await expect.poll(() => visitor.locator(`[style*="${background}"]`).isVisible()).toBe(true)
    await context.close()
  },
)

test(
  'a domain is added, refused in words where its address is none, and removed; the address of links and the tender switch are set',
  { tags: 'extended' },
  async () => {
    const page = await show('/ipSettings')
    await page.getByRole('button', { name: 'Add a domain' }).first().click()
    await formReady(page)
    const form = page.getByRole('dialog', { name: 'Add a domain' })
    await expectAccessible(page)
    await form.getByLabel('Domain').fill('gate.example.org')
    await form.getByRole('button', { name: 'Save' }).click()
    await form.getByText('The address must start with http:// or https://.').waitFor()
    await form.getByLabel('Domain').fill('http://gate..example.org')
    await form.getByRole('button', { name: 'Save' }).click()
    await form.getByText('This is not a valid domain address.').waitFor()
    await form.getByLabel('Domain').fill('https://gate.example.org')
    await form.getByLabel('Name').fill('North Gate')
    await form.getByRole('button', { name: 'Save' }).click()
    await form.waitFor({ state: 'hidden' })
    await page.getByRole('row').filter({ hasText: 'North Gate' }).getByRole('button', { name: 'Actions' }).click()
    await page.getByRole('menuitem', { name: 'Remove' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
    await page.getByText('No domain has its own branding yet.').waitFor()

    await page.getByLabel('IP address or host name').fill('not an address')
    const save = page.getByRole('region', { name: 'Address of this installation' }).getByRole('button', { name: 'Save' })
    await save.click()
    // If the question is cancelled, nothing is saved, and no error is shown.
    const question = page.getByRole('dialog', { name: 'Confirm that it is you' })
    await question.getByRole('button', { name: 'Cancel' }).click()
    await question.waitFor({ state: 'hidden' })
    expect(await page.locator('.ant-form-item-has-error').count()).toBe(0)
    await save.click()
    await typePassword(page)
    await page.getByText('Enter an IP address or host name such as').waitFor()
    await page.getByLabel('IP address or host name').fill('１０.0.0.7')
    await save.click()
    await page.getByText(`http://10.0.0.7:${world.server.port}`).waitFor()

    await page.getByRole('switch', { name: 'Tender switch' }).click()
    await page.getByText('The tender switch is on').waitFor()
    await page.goto(`${world.url}/#/home`)
    await page.getByText('This installation is being shown for a tender.').waitFor()
  },
)

test('a notice is published in three languages and read by everybody in their own', async () => {
  const page = await show('/noticeSettings')
  await page.getByRole('button', { name: 'New notice' }).first().click()
  await formReady(page)
  const form = page.getByRole('dialog', { name: 'New notice' })
  await form.getByLabel('Title').locator('visible=true').fill('Upgrade on Sunday')
  await form.getByLabel('Text').locator('visible=true').fill('Nobody can log in\nfor ten minutes.')
  await form.getByRole('tab', { name: '简体中文' }).click()
  await form.getByLabel('Title').locator('visible=true').fill('周日升级')
  await form.getByRole('button', { name: 'Save' }).click()
  await form.getByText('Something is still wrong or missing in:').waitFor()
  await form.getByRole('tab', { name: 'English' }).click()
  await form.getByRole('button', { name: 'Copy to the other languages' }).click()
  await expectAccessible(page)
  await form.getByRole('button', { name: 'Save' }).click()
  await form.waitFor({ state: 'hidden' })
  expect((await world.call(noticeCalls.lastNotice, {}))?.title).toEqual({
    'zh-CN': '周日升级',
    'zh-TW': 'Upgrade on Sunday',
    en: 'Upgrade on Sunday',
  })

  const reader = await show('/onlineNotice', { language: 'zh-CN' })
  await reader.getByRole('heading', { name: '周日升级' }).waitFor()
  await expectAccessible(reader)
  await until('it to count as read', async () => (await world.call(noticeCalls.lastNotice, {}))?.read)
})

test('without a mail server the outbox says so, and shows a text only when asked', { tags: 'extended' }, async () => {
  const page = await show('/messageOutbox')
  await page.getByText('E-mails are not delivered: no mail server is set up').waitFor()
  await page.getByRole('button', { name: 'Send a test e-mail' }).click()
  const form = page.getByRole('dialog', { name: 'Send a test e-mail' })
  await form.getByLabel('To').fill('guard@example.org')
  await form.getByRole('button', { name: 'Send' }).click()
  await form.getByText('It was stored here and not delivered').waitFor()
  await form.getByRole('button', { name: 'Close' }).last().click()
  const row = page.getByRole('row').filter({ hasText: 'guard@example.org' })
  await row.getByText('Not sent').waitFor()
  expect(await page.getByText('Gatehouse can deliver messages').count()).toBe(0)
  await expectAccessible(page)
  await row.click()
  await typePassword(page)
  await page.getByText('Gatehouse can deliver messages').waitFor()
})

test('what somebody may not read, and what is no longer kept, is listed and says so', { tags: 'extended' }, async () => {
  await world.call(ownCalls.updatePersonal, { body: { realName: 'Administrator', email: 'chief@example.org' } })
  await createClient(world.url).call(ownCalls.sendCode, { query: { account: ADMIN.account } })
  await until('the code', async () =>
    (await world.call(messageCalls.messages, { query: {} })).content.some(({ to }) => to === 'c***@example.org'),
  )
  const { id } = await world.call(messageCalls.testMessage, { body: { to: 'expired@example.org' } })
  await query(world.connectionString, `UPDATE message SET text_until = created_at WHERE id = $1`, [id])
  const page = await show('/messageOutbox')
  const dialog = page.getByRole('dialog')
  const masked = page.getByRole('row').filter({ hasText: 'c***@example.org' })
  await masked.getByText('Not shown to you').waitFor()
  await masked.click()
  await dialog.getByText('Only an administrator who may reset the recipient’s password can read it here.').waitFor()
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Close' }).last().click()
  await page.getByRole('row').filter({ hasText: 'expired@example.org' }).click()
  await typePassword(page)
  await dialog.getByText('What this message said is no longer valid.').waitFor()
  expect(await page.getByText('Gatehouse can deliver messages').count()).toBe(0)
})

test('how long the logs are kept is changed, and not where somebody else has changed it meanwhile', { tags: 'extended' }, async () => {
  const page = await show('/userLog')
  const form = page.getByRole('dialog', { name: 'Log retention' })
  async function fill(months: number): Promise<void> {
    await page.getByRole('button', { name: /^Retention: \d+ months$/ }).click()
    await formReady(page)
    await form.getByLabel('Months').fill(String(months))
  }
  for (const months of [48, 60]) {
    await fill(months)
    await form.getByRole('button', { name: 'Save' }).click()
    // The password is required once in some minutes.
    if (months === 48) await typePassword(page)
    await page.getByRole('button', { name: `Retention: ${months} months` }).waitFor()
    await form.waitFor({ state: 'detached' })
  }
  await fill(72)
  const { version } = await world.call(auditCalls.retention, {})
  await world.call(auditCalls.changeRetention, { body: { months: 84, version } })
  await form.getByRole('button', { name: 'Save' }).click()
  await form.getByText('Another user has changed this').waitFor()
  expect((await world.call(auditCalls.retention, {})).months).toBe(84)
})
