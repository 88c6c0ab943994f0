/** Remote control of doors, as guards see it: one door, many doors, actions of others, and the log of who did what. */
import type { Browser, Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { deviceCalls } from '@gatehouse/contract/devices/calls'
import { doorCalls } from '@gatehouse/contract/doors/calls'
import { doorOperation } from '@gatehouse/contract/enums/devices'
import type { World } from '@gatehouse/dev-env/world'
import { startAnswering } from '../support/answering-device.ts'
import { expectAccessible, pagesOf } from '../support/console.ts'
import { until } from '../support/until.ts'
import { sharedBrowser, sharedWorld } from '../support/stage.ts'

/** No confirmation before a door is opened. */
const OPEN_LONG = { holdSeconds: 600, confirmFlag: 0 } as const

let world: World
let browser: Browser
beforeAll(async () => {
  world = await sharedWorld()
  // A door stays open for as long as a test may take.
  await world.call(doorCalls.saveSetting, { body: OPEN_LONG })
  browser = await sharedBrowser()
})
afterAll(async () => {
  await world?.stop()
})

const show = pagesOf(() => ({ browser, world }))
const rowOf = (page: Page, name: string): Locator => page.getByRole('row').filter({ hasText: name })

/** Connect a device by its name that gives this answer. */
async function doorNamed(name: string, answer: { isSuccess: boolean; errorType: number | null } = { isSuccess: true, errorType: null }) {
  const started = await startAnswering(world, world, { operateDoor: async () => answer }, await world.device({ name }))
  onTestFinished(() => started.device.stop())
  return started.made
}

test('what somebody else does is seen at once: opened, held open, and in use [STATE:door:*>busy (error)]', async () => {
  const terminal = await world.terminal(await world.device({ name: 'West gate' }))
  onTestFinished(() => terminal.stop())
  const colleague = await world.session({ permissions: ['device.list', 'own:door.open'] })
  await until(
    'the gate to be seen',
    async () => (await colleague.call(deviceCalls.read, { params: { id: terminal.device.id } })).onlineStatus === 1,
  )
  const page = await show(`/deviceDetails/${terminal.device.id}`)
  const state = page.getByRole('status')
  await state.getByText('Closed', { exact: true }).waitFor()
  await colleague.call(doorCalls.controlDoor, { body: { deviceId: terminal.device.id, operateType: 2 } })
  await state.getByText('Kept open').waitFor()
  await state.getByText(/controls this door now/).waitFor()
  // Bubbles of alarms have a button of that name.
  await page.locator('#content').getByRole('button', { name: 'Close', exact: true }).click()
  await page.getByText('Another user is controlling this device. Try again shortly.').waitFor()
  await page.mouse.move(0, 0)
  await expectAccessible(page)
})

test('a door is opened from the command palette, after a question wherever it is, and says so', async () => {
  await doorNamed('东门入口')
  const page = await show('/home', { language: 'zh-CN' })
  await page.getByText('实时', { exact: true }).waitFor()
  await page.keyboard.press('Control+k')
  await page.getByPlaceholder('搜索页面、人员或操作…').fill('开门 东门')
  await page.locator('[role=option][data-selected=true]').filter({ hasText: '开门：东门入口' }).waitFor()
  await page.keyboard.press('Enter')
  const question = page.getByRole('dialog', { name: /东门入口/ })
  await question.getByRole('button', { name: '开门' }).click()
  await expect.poll(() => page.locator('.ant-message').allInnerTexts()).toContainEqual(expect.stringMatching(/东门入口.*已开门/))
})

test('each error of a door is told in its own words, and a busy one is not called offline', { tags: 'extended' }, async () => {
  for (const [name, errorType] of [
    ['Door two', 2],
    ['Door three', 3],
    ['Door four', 4],
  ] as const)
    await doorNamed(name, { isSuccess: false, errorType })
  const busy = await doorNamed('Door busy')
  await world.device({ name: 'Door away' })
  await (
    await world.session({ permissions: ['device.list', 'own:door.open'] })
  ).call(doorCalls.controlDoor, { body: { deviceId: busy.id, operateType: 1 } })
  const page = await show('/deviceList')
  const sentences: string[] = []
  for (const name of ['Door two', 'Door three', 'Door four']) {
    await page.getByRole('button', { name: `Open the door of ${name}` }).click()
    sentences.push(await page.locator('.ant-message').getByText(`${name}: `).innerText())
  }
  expect(new Set(sentences.map((sentence) => sentence.replace(/^Door \w+: /, ''))).size).toBe(3)
  await rowOf(page, 'Door busy').getByText('In use').waitFor()
  await rowOf(page, 'Door away').getByText('Cannot be opened now').waitFor()
  await page.getByRole('button', { name: 'Open the door of Door busy' }).click()
  await page.locator('.ant-message').getByText('Door busy: Another user is controlling this device. Try again shortly.').waitFor()
})

test(
  'several doors are controlled at once, each says how it went, and those that failed are asked again',
  { tags: 'extended' },
  async () => {
    const answer: { isSuccess: boolean; errorType: number | null } = { isSuccess: false, errorType: 4 }
    await doorNamed('Batch one')
    await doorNamed('Batch two', answer)
    await world.device({ name: 'Batch away' })
    const page = await show('/deviceList')
    await page.getByRole('textbox', { name: 'Name' }).fill('Batch')
    await until('the list to be narrowed', async () => (await page.locator('tr[data-row-key]').count()) === 3)
    for (const name of ['Batch one', 'Batch two', 'Batch away']) await rowOf(page, name).getByRole('checkbox').check()
    await page.getByRole('button', { name: 'Control doors' }).click()
    const dialog = page.getByRole('dialog', { name: 'Control 3 doors' })
    await dialog.getByRole('button', { name: 'Run' }).click()
    await dialog.getByText('1 done, 2 failed').waitFor()
    const outcome = (name: string): Locator => dialog.getByRole('listitem').filter({ hasText: name })
    await outcome('Batch one').getByText('Done').waitFor()
    await outcome('Batch two').getByText('The door does not respond').waitFor()
    await outcome('Batch away').getByText('This device cannot be controlled remotely').waitFor()
    await expectAccessible(page)
    Object.assign(answer, { isSuccess: true, errorType: null })
    await dialog.getByRole('button', { name: 'Again for the 2 that failed' }).click()
    await dialog.getByText('2 done, 1 failed').waitFor()
    await dialog.getByRole('button', { name: 'Close window' }).click()
    await dialog.waitFor({ state: 'hidden' })
  },
)

test('where the park wants it, an opening is asked about, and the log says who opened what', { tags: 'extended' }, async () => {
  const door = await doorNamed('Vault')
  await world.call(doorCalls.saveSetting, { body: { ...OPEN_LONG, confirmFlag: 1 } })
  onTestFinished(() => world.call(doorCalls.saveSetting, { body: OPEN_LONG }))
  const page = await show(`/deviceDetails/${door.id}`, { language: 'zh-CN' })
  await page.getByRole('button', { name: '开门', exact: true }).first().click()
  const question = page.getByRole('dialog', { name: '确认对Vault执行“开门”？' })
  await question.getByRole('button', { name: '开门' }).click()
  await page.getByRole('status').getByText('已开门').waitFor()
  await page.getByRole('heading', { name: '远程开门记录' }).waitFor()
  const log = page.locator('tr[data-row-key]').filter({ hasText: 'admin' })
  await log.getByText('已开门', { exact: true }).waitFor()
  await world.call(doorCalls.controlDoor, { body: { deviceId: door.id, operateType: doorOperation.close } })
  await page.reload()
  // The log shows a closing as closed, not as opened.
  await log.filter({ hasText: '关门' }).getByText('已关门', { exact: true }).waitFor()
  await page.mouse.move(0, 0)
  await expectAccessible(page)
})
