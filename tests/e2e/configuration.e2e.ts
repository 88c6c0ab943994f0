/** Settings of terminals, as an administrator sees them: of one device, of the park, templates, and what the doors show. */
import type { Browser, Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { configurationCalls } from '@gatehouse/contract/configuration/calls'
import { deviceType } from '@gatehouse/contract/enums'
import type { World } from '@gatehouse/dev-env/world'
import { expectAccessible, pageHolding, pagesOf } from '../support/console.ts'
import { flatPng } from '../support/pictures.ts'
import { until } from '../support/until.ts'
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
const rowOf = (page: Page, name: string): Locator => page.getByRole('row').filter({ hasText: name })
const detailOf = (id: string) => world.call(configurationCalls.detail, { query: { id } })
/** By its whole name: the button that restores the default contains it too. */
const field = (page: Page, name: string): Locator => page.getByLabel(name, { exact: true })
const save = (page: Page) => page.getByRole('button', { name: 'Save', exact: true }).click()

test('a device is set to something of its own, which the list tells, and given back to the park', async () => {
  const device = await world.device({ name: 'North gate' })
  const page = await show('/deviceConfig')
  await rowOf(page, 'North gate').getByText('Same as park').waitFor()
  await expectAccessible(page)
  await page.getByRole('link', { name: 'North gate' }).click()
  const volume = field(page, 'Volume')
  await volume.fill('85')
  await field(page, 'Text on the screen').fill('Please wait')
  await page.getByText('Not saved yet').waitFor()
  await save(page)
  await page.getByText('Saved; the terminal has it within seconds.').waitFor()
  await expectAccessible(page)
  expect((await detailOf(device.id)).own).toEqual({ volume: 85, promptText: 'Please wait' })

  await page.getByRole('button', { name: /\(Volume\)$/ }).click()
  await expect.poll(() => volume.inputValue()).toBe('60')
  await save(page)
  await until('the volume to be given back', async () => !('volume' in (await detailOf(device.id)).own))
  await page.goto(`${world.url}/#/deviceConfig?own=1`)
  await rowOf(page, 'North gate').getByText('Text on the screen: Please wait').waitFor()
})

test('what is wrong stands on its field, contradictions too, and nothing typed is lost', { tags: 'extended' }, async () => {
  const device = await world.device({ name: 'Clinic door' })
  const page = await show(`/deviceConfigDetail?id=${device.id}`)
  await field(page, 'Spoken text').fill('欢迎光临请出示您的证件')
  await field(page, 'Lowest temperature').fill('39')
  await field(page, 'Pause after a success').fill('1.2')
  await save(page)
  await page.getByText('Use at most 32 bytes: a Chinese character takes three.').waitFor()
  await page.getByText('Use steps of 0.5.').waitFor()
  await field(page, 'Spoken text').fill('欢迎光临')
  await field(page, 'Pause after a success').fill('1.5')
  await save(page)
  await page.getByText('The maximum must be above the minimum.').waitFor()
  expect(Number(await field(page, 'Lowest temperature').inputValue())).toBe(39)
  expect((await detailOf(device.id)).version).toBe(0)
})

test('which server devices belong to is for whoever may pair devices to set; others are told so', { tags: 'extended' }, async () => {
  const device = await world.device({ name: 'Moved gate' })
  await world.call(configurationCalls.add, { body: { deviceId: device.id, settings: { serverAddress: 'gate.example' } } })
  const plain = await world.device({ name: 'Plain gate' })
  const permissions = ['device', 'device.list', 'device.setting']
  const { credentials } = await world.session({ permissions, roleSign: 'other' })
  const token = { token: (credentials as { bearer: string }).bearer, tokenExpires: Date.now() + 3_600_000 }
  const page = await pageHolding(
    browser,
    world,
    { language: 'en', theme: 'light', ...token },
    { at: `/deviceConfigDetail?id=${device.id}` },
  )
  for (const name of ['Server address', 'Server port']) await expect.poll(() => field(page, name).isDisabled()).toBe(true)
  expect(await page.getByText('Only users who may pair devices can set this: it moves devices to another server.').count()).toBe(2)
  expect(await page.getByRole('button', { name: /\(Server address\)$/ }).count()).toBe(0)
  await expectAccessible(page)
  await field(page, 'Volume').fill('85')
  await save(page)
  await page.getByText('Saved; the terminal has it within seconds.').waitFor()
  expect((await detailOf(device.id)).own).toEqual({ volume: 85, serverAddress: 'gate.example' })

  await page.getByRole('button', { name: 'Copy to devices' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.locator('#copy-devices').fill('Plain gate')
  await page.locator('.ant-select-dropdown:visible .ant-select-item-option').filter({ hasText: 'Plain gate' }).click()
  await dialog.getByText('Changing the server moves the device away from this one. A user who may pair devices has to do it.').waitFor()
  expect((await detailOf(plain.id)).own).toEqual({})

  const own = await show(`/deviceConfigDetail?id=${device.id}`)
  await expect.poll(() => field(own, 'Server address').isEnabled()).toBe(true)
})

test('temperatures are set in Celsius and shown in Fahrenheit beside it', { tags: 'extended' }, async () => {
  const device = await world.device()
  await world.call(configurationCalls.add, { body: { deviceId: device.id, settings: { temperatureUnit: 'F' } } })
  const page = await show(`/deviceConfigDetail?id=${device.id}`)
  await page.getByText('= 99.1 °F').waitFor()
  await expect.poll(() => field(page, 'Highest temperature').inputValue()).toBe('37.3')
})

test('a console password is set, is never shown again, and can be taken away', { tags: 'extended' }, async () => {
  const device = await world.device({ name: 'Vault' })
  const page = await show(`/deviceConfigDetail?id=${device.id}`)
  const secret = page.locator('.ant-form-item').filter({ hasText: 'Password of the terminal’s own console' })
  await secret.getByText('Not set').waitFor()
  await secret.getByRole('button', { name: 'Set' }).click()
  await secret.locator('input').fill('short')
  await save(page)
  await secret.getByText('Use at least 6 characters.').waitFor()
  await secret.locator('input').fill('Turnstile7')
  await save(page)
  await secret.getByText('Set here, never shown').waitFor()
  expect(await page.content()).not.toContain('Turnstile7')
  await secret.getByRole('button', { name: 'Remove' }).click()
  await secret.getByText('Removed on saving').waitFor()
  await save(page)
  await secret.getByText('Not set').waitFor()
  expect((await detailOf(device.id)).secrets.consolePassword).toBeNull()
})

test('a screen saver is uploaded and seen; a file that is none is refused where it was chosen', { tags: 'extended' }, async () => {
  const device = await world.device()
  const page = await show(`/deviceConfigDetail?id=${device.id}`)
  const saver = page.getByRole('group', { name: 'Screen saver' })
  await saver
    .locator('input[type="file"]')
    .setInputFiles({ name: 'saver.png', mimeType: 'image/png', buffer: Buffer.from('no picture at all, whatever its name says') })
  await saver.getByText('The picture must be a real PNG file, not a renamed one.').waitFor()
  await saver.locator('input[type="file"]').setInputFiles({ name: 'saver.png', mimeType: 'image/png', buffer: flatPng(160, 90) })
  // Saving waits until the file is uploaded.
  await save(page)
  await saver.getByRole('img', { name: 'Screen saver' }).waitFor()
  await until('the screen saver to be set', async () => (await detailOf(device.id)).own.screenSaver)
})

test('a template is made and copied to a type of devices, counted before and after', async () => {
  const site = await world.addPark({ name: 'Copies' })
  await world.device({ name: 'Android tablet', model: 5 })
  for (const name of ['Lobby', 'Canteen']) await world.device({ name })
  const count = (await world.call(configurationCalls.list, { query: { type: 3 } })).total
  const page = await show('/deviceConfigTemplates')
  await page.getByRole('button', { name: 'Add a template' }).first().click()
  // The list it was opened from has a filter with this name.
  await page.getByRole('heading', { name: 'Add a template' }).waitFor()
  await page.getByRole('textbox', { name: 'Template' }).fill('Quiet hall')
  await field(page, 'Volume').fill('5')
  await save(page)
  await rowOf(page, 'Quiet hall').getByText('Volume: 5%').waitFor()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Actions for Quiet hall' }).click()
  await page.getByRole('menuitem', { name: 'Copy to devices' }).click()
  const dialog = page.getByRole('dialog', { name: 'Copy Quiet hall to devices' })
  await dialog.getByText('A type', { exact: true }).click()
  await dialog.getByText(`${count - 1} of ${count} devices will be changed.`).waitFor()
  await dialog.getByText('Android tablet: another model').waitFor()
  await expectAccessible(page)
  await dialog.getByRole('button', { name: `Copy to ${count - 1} devices` }).click()
  await dialog.getByText(`${count - 1} devices were changed.`).waitFor()
  await dialog.getByRole('button', { name: 'Close' }).last().click()
  expect(
    (await world.call(configurationCalls.list, { query: { own: 1, size: 100 } })).content.filter(({ differing }) => differing.volume === 5),
  ).toHaveLength(count - 1)
  expect((await site.call(configurationCalls.templates, { query: {} })).total).toBe(0)
})

test('a template is applied to the devices that are marked in the list', { tags: 'extended' }, async () => {
  const [one, other] = [await world.device({ name: 'Marked one' }), await world.device({ name: 'Marked two' })]
  await world.call(configurationCalls.addTemplate, { body: { name: 'Loud hall', deviceType: 3, model: 4, settings: { volume: 95 } } })
  const page = await show('/deviceConfig?name=Marked')
  for (const name of ['Marked one', 'Marked two']) await rowOf(page, name).getByRole('checkbox').check()
  await page.getByRole('button', { name: 'Copy a template' }).click()
  const dialog = page.getByRole('dialog', { name: 'Copy a template' })
  await dialog.getByRole('combobox', { name: 'Template' }).click()
  await page.getByTitle('Loud hall').click()
  await dialog.getByRole('button', { name: 'Copy to 2 devices' }).click()
  await dialog.getByText('2 devices were changed.').waitFor()
  for (const { id } of [one, other]) expect((await detailOf(id)).own).toEqual({ volume: 95 })
})

test('the park’s defaults and what its terminals show are chosen on their tabs', { tags: 'extended' }, async () => {
  const device = await world.device({ name: 'Follower' })
  const page = await show('/deviceConfigDisplay')
  await page.getByRole('checkbox', { name: 'Work number' }).waitFor()
  // No device of the park measures temperatures.
  expect(await page.getByText(/temperature|36\.5/i).count()).toBe(0)
  await page.goto(`${world.url}/#/deviceConfigDefaults`)
  await field(page, 'Text on the screen').fill('Welcome')
  await page.getByRole('switch', { name: 'Measure temperature' }).click()
  await save(page)
  await page.getByText('Saved for the whole park.').waitFor()
  expect(await field(page, 'IP address').count()).toBe(0)
  await expectAccessible(page)
  await page.getByRole('link', { name: 'What is shown' }).click()
  await page.getByRole('checkbox', { name: 'Temperature' }).uncheck()
  await page.getByRole('figure').getByText('36.5 °C').waitFor({ state: 'detached' })
  await save(page)
  await page.getByText('The terminals show this now.').waitFor()
  await expectAccessible(page)
  const { settings } = await world.call(configurationCalls.effective, { query: { id: device.id } })
  expect([settings.promptText, settings.displayFields.includes('temperature')]).toEqual(['Welcome', false])
  await page.goto(`${world.url}/#/deviceConfigDetail?id=${device.id}`)
  await page.locator('.ant-form-item').filter({ hasText: 'Text on the screen' }).getByText('From the park').waitFor()
})

test('who may set devices and not list them is not led to the list', { tags: 'extended' }, async () => {
  const empty = await world.inPark()
  const { role, loggedIn } = usersOf(empty)
  const { account } = await loggedIn({ roles: [await role(['device', 'device.setting'])] })
  const at = pagesOf(() => ({ browser, world: empty }))
  const there = (page: Page) => page.getByRole('main').getByRole('link', { name: 'To the devices' })
  const permitted = await at('/deviceConfig')
  await there(permitted).waitFor()
  const page = await at('/deviceConfig', { user: { account, password: PASSWORD } })
  await page.getByText('There are no devices yet', { exact: false }).waitFor()
  expect(await there(page).count()).toBe(0)
})

test('a capture camera is set to keep nobody who matches no task, which says what follows, and a sign for the door tells it', async () => {
  const camera = await world.device({ name: 'Hall camera', type: deviceType.captureCamera, model: 1 })
  const page = await show(`/deviceConfigDetail?id=${camera.id}`)
  const choose = async (words: string) => {
    await field(page, 'Captures are kept').click()
    await page.locator('.ant-select-dropdown:visible .ant-select-item-option').filter({ hasText: words }).click()
  }
  expect(await field(page, 'Kept for').count()).toBe(0)
  await choose('For some hours')
  await field(page, 'Kept for').fill('721')
  await save(page)
  await page.getByText('Use 720 or less.').waitFor()
  await field(page, 'Kept for').fill('48')
  await save(page)
  await page.getByText('Saved; the terminal has it within seconds.').waitFor()
  expect((await detailOf(camera.id)).own).toEqual({ captureKeeping: 'hours', captureHours: 48 })
  await choose('Only of people a task identifies')
  await page.getByText('What is captured while the camera cannot reach the server is lost').waitFor()
  await expectAccessible(page)
  await save(page)
  await until('it to be set', async () => (await detailOf(camera.id)).own.captureKeeping === 'matchedOnly')

  await page.getByRole('button', { name: 'Sign for the door' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('简体中文').check()
  await dialog.getByLabel('Contact').fill('data@example.org')
  const sign = dialog.getByRole('region', { name: 'Preview' })
  await sign.getByText('they are not stored').waitFor()
  await sign.getByText('Contact: data@example.org').waitFor()
  await sign.getByText('此处有人脸抓拍').waitFor()
  await sign.getByText('联系方式：data@example.org').waitFor()
  await expectAccessible(page)
  // A frame that is printed says what it prints, in place of opening the dialog of the browser.
  await page.evaluate(`{
    const append = document.body.append.bind(document.body)
    document.body.append = (frame) => {
      append(frame)
      frame.contentWindow.print = () => { document.body.dataset.printed = frame.contentDocument.body.textContent }
    }
  }`)
  await dialog.getByRole('button', { name: 'Print' }).click()
  const printed = await until('the sign to be printed', () => page.evaluate<string | null>('document.body.dataset.printed ?? null'))
  expect(printed).toContain('Faces are captured here')
  expect(printed).toContain('此处有人脸抓拍')

  const door = await world.device({ name: 'Hall door' })
  const other = await show(`/deviceConfigDetail?id=${door.id}`)
  await field(other, 'Volume').waitFor()
  expect(await field(other, 'Captures are kept').count()).toBe(0)
})
