/** The register of devices as an administrator sees it: adding, pairing, opening a door, cutting off, deleting. */
import type { Browser, Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { deviceCalls } from '@gatehouse/contract/devices/calls'
import { startWorld, type World } from '@gatehouse/dev-env/world'
import { launchChromium } from '../support/chromium.ts'
import { expectAccessible, formReady, pagesOf } from '../support/console.ts'
import { drawnFace } from '../support/furnished.ts'
import { until } from '../support/until.ts'

let world: World
let browser: Browser
beforeAll(async () => {
  world = await startWorld({ console: true })
  browser = await launchChromium()
})
afterAll(async () => {
  await browser?.close()
  await world?.stop()
})

const show = pagesOf(() => ({ browser, world }))

const rowOf = (page: Page, name: string): Locator => page.getByRole('row').filter({ hasText: name })
const chooseFor = async (page: Page, name: string, action: string): Promise<void> => {
  await page.getByRole('button', { name: `Actions for ${name}` }).click()
  await page.getByRole('menuitem', { name: action }).click()
}
const namesOf = async (): Promise<string[]> => (await world.call(deviceCalls.list, { query: {} })).content.map(({ name }) => name)

test('a device is added, its secret is shown once, and the terminal started with it is online without a reload', async () => {
  const page = await show('/deviceList')
  await page.getByRole('button', { name: 'Add a device' }).first().click()
  const form = page.getByRole('dialog', { name: 'Add a device' })
  await form.getByLabel('Name').fill('North gate')
  await form.getByLabel('Code').fill('NORTH 1')
  await form.getByRole('button', { name: 'Save' }).click()
  await form.getByText('This is not a valid device code.').waitFor()
  await form.getByLabel('Code').fill('NORTH-1')
  await form.getByRole('button', { name: 'Save' }).click()

  const pairing = page.getByRole('dialog', { name: 'Pair North gate' })
  await pairing.getByText('Waiting for the terminal to connect…').waitFor()
  const command = await pairing.getByText(/^npm run terminal/).innerText()
  const secret = command.split(' ').at(-1)!
  expect(command).toBe(`npm run terminal -- --server ${world.url} --code NORTH-1 --secret ${secret}`)
  await expectAccessible(page)

  const [id] = (await world.call(deviceCalls.list, { query: { code: 'NORTH-1' } })).content.map((device) => device.id)
  const terminal = await world.terminal({ id: id!, name: 'North gate', code: 'NORTH-1', secret })
  onTestFinished(() => terminal.stop())
  await pairing.getByText('The terminal has connected.').waitFor()
  await pairing.getByRole('button', { name: 'I have copied it' }).click()
  await rowOf(page, 'North gate').getByText('Online', { exact: true }).waitFor()
  expect(await page.content()).not.toContain(secret)
})

test('the type decides which models are offered, and the face gate only while changing a device', async () => {
  const device = await world.device({ name: 'Recorder room' })
  const page = await show('/deviceList')
  const open = page.locator('.ant-select-dropdown:visible')
  /** A form that is filled in while its list is open closes it again. */
  const choices = (field: string): Promise<string[]> =>
    until(`what ${field} offers`, async () => {
      if ((await open.count()) === 0) await page.getByRole('dialog').getByLabel(field).click()
      const listed = open.locator('.ant-select-item-option')
      await listed.first().waitFor({ timeout: 2_000 })
      const texts = await listed.allInnerTexts()
      return texts.length > 0 ? texts : null
    })
  const choose = async (choice: string): Promise<void> => {
    await open.locator('.ant-select-item-option').filter({ hasText: choice }).click()
    await open.waitFor({ state: 'hidden' })
  }
  await page.getByRole('button', { name: 'Add a device' }).first().click()
  await formReady(page)
  const offered = await choices('Type')
  expect(offered).not.toContain('Face gate')
  await choose('Capture camera')
  expect(await choices('Model')).toHaveLength(6)
  await choose('Camera model 3')
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click()
  await page.getByRole('button', { name: 'Discard' }).click()
  // The form that is on its way out has the same fields.
  await page.getByRole('dialog', { name: 'Add a device' }).waitFor({ state: 'hidden' })

  await chooseFor(page, device.name, 'Edit')
  await formReady(page)
  expect(await choices('Type')).toContain('Face gate')
})

test('people arrive at a terminal while the list is looked at', async () => {
  const terminal = await world.terminal(await world.device({ name: 'Canteen' }))
  onTestFinished(() => terminal.stop())
  const page = await show('/deviceList')
  await rowOf(page, 'Canteen').getByText('Nobody to know').waitFor()
  await world.person({ photo: await drawnFace(), permittedAt: terminal.device })
  await world.settled()
  await rowOf(page, 'Canteen').getByText('1 / 1').waitFor()
  expect(await rowOf(page, 'Canteen').getByText('complete').count()).toBe(1)
})

test('a door is opened from the list and held open from its own page, and says so each time', async () => {
  const terminal = await world.terminal(await world.device({ name: 'Loading bay' }))
  onTestFinished(() => terminal.stop())
  const page = await show('/deviceList')
  await page.getByRole('button', { name: 'Open the door of Loading bay' }).click()
  await rowOf(page, 'Loading bay').getByText('Opened').waitFor()

  await page.getByRole('link', { name: 'Loading bay' }).click()
  await page.getByRole('button', { name: 'Keep open', exact: true }).click()
  await page.getByRole('status').getByText('Kept open').waitFor()
  await until('the door to be held open', () => terminal.state().door === 'alwaysOpen')
  await page.mouse.move(0, 0)
  await expectAccessible(page)
})

test('a door that cannot be controlled from here says why', async () => {
  const device = await world.device({ name: 'Back door' })
  const page = await show(`/deviceDetails/${device.id}`, { theme: 'dark' })
  await page.getByText('The device is offline, so its door cannot be controlled from here.').waitFor()
  expect(await page.getByRole('button', { name: 'Open', exact: true }).isDisabled()).toBe(true)
  await expectAccessible(page)
})

test('a new secret cuts the connected terminal off', async () => {
  const terminal = await world.terminal(await world.device({ name: 'Depot' }))
  onTestFinished(() => terminal.stop())
  const page = await show('/deviceList')
  await chooseFor(page, 'Depot', 'New secret')
  const question = page.getByRole('dialog', { name: 'Make a new secret for Depot?' })
  await question.getByText('The connected terminal is cut off at once.').waitFor()
  await question.getByRole('button', { name: 'New secret' }).click()
  const fresh = await page.getByRole('dialog', { name: 'Pair Depot' }).getByText(/^npm run terminal/).innerText()
  expect(fresh).not.toContain(terminal.device.secret)
  await page.getByRole('button', { name: 'I have copied it' }).click()
  await until('the terminal to be refused', () => terminal.state().link.kind === 'refused')
  await rowOf(page, 'Depot').getByText('Never paired').waitFor()
})

test('deleting names what is lost, and can be taken back until it is done', async () => {
  const kept = await world.device({ name: 'Kept door' })
  const lost = await world.device({ name: 'Lost door' })
  const page = await show('/deviceList')
  const remove = async (name: string): Promise<void> => {
    await chooseFor(page, name, 'Delete')
    const question = page.getByRole('dialog', { name: `Delete ${name}?` })
    await question.getByText('Access strategies that name it let go of it.').waitFor()
    await question.getByRole('button', { name: 'Delete' }).click()
    await page.getByText(`Deleting ${name}…`).waitFor()
  }
  await remove(kept.name)
  await page.getByRole('button', { name: 'Undo' }).click()
  await page.getByText(`Deleting ${kept.name}…`).waitFor({ state: 'hidden' })
  // Asked after the other: when that one is gone, the time of the first has long passed.
  await remove(lost.name)
  await until('the device to be gone', async () => !(await namesOf()).includes(lost.name))
  await rowOf(page, lost.name).waitFor({ state: 'detached' })
  expect(await namesOf()).toContain(kept.name)
})

test.each([{ theme: 'light' }, { theme: 'dark' }] as const)('the list has no findings of axe in the $theme theme', async ({ theme }) => {
  const page = await show('/deviceList', { theme, language: 'zh-CN' })
  await page.getByRole('table').first().waitFor()
  await page.getByRole('button', { name: '新增设备' }).first().waitFor()
  await expectAccessible(page)
})
