/** The alarm centre as a guard uses it: a picture of a camera becomes a bubble, and its alarm is handled by two keys. */
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { shownScore } from '@gatehouse/contract'
import { faceAlarmCalls } from '@gatehouse/contract/alarms/face-alarms'
import { numberedCalls } from '@gatehouse/contract/device/numbered'
import { alarmHandlingStatus } from '@gatehouse/contract/enums/alarms'
import { aiBoxDeviceCalls } from '@gatehouse/contract/device/ai-box'
import { deviceType } from '@gatehouse/contract/enums/devices'
import { monitoringTaskCalls } from '@gatehouse/contract/surveillance/tasks'
import { createClient, type Client } from '@gatehouse/dev-env/client'
import { ALWAYS_OPEN } from '@gatehouse/dev-env/site'
import type { World } from '@gatehouse/dev-env/world'
import { expectAccessible, expectAddress, openConsole, openHolding } from '../support/console.ts'
import { sharedBrowser, sharedWorld } from '../support/stage.ts'

const HOUR = 3_600_000

let world: World
let browser: Browser
let camera: Client
beforeAll(async () => {
  world = await sharedWorld()
  browser = await sharedBrowser()
  const group = await world.personGroup({ name: '离职员工' })
  await world.person({ name: '林小雨', groupId: group.id, photo: await world.photographs.people[0]!.photo(1) })
  const device = await world.device({ name: '东门摄像机', type: deviceType.captureCamera, model: 1 })
  await world.call(monitoringTaskCalls.add, {
    body: {
      name: '东门布控',
      startTime: Date.now() - HOUR,
      endTime: Date.now() + 10 * HOUR,
      periods: ALWAYS_OPEN,
      deviceIds: [device.id],
      personGroupIds: [group.id],
      strangerAlarm: true,
      repeatSeconds: 0,
    },
  })
  camera = createClient(world.url, { basic: [device.code, device.secret] })
})
afterAll(() => world?.stop())

let pictures = 0
/** Post a picture of a photographed person, as a camera that only sends pictures does. */
async function pass(person: number, photo = 2): Promise<void> {
  await camera.call(numberedCalls.postedCapture, {
    query: { eventId: `picture ${++pictures}`, occurredAt: Date.now() },
    file: await world.photographs.people[person]!.photo(photo),
  })
}
async function opened(at: string): Promise<Page> {
  const { page, context } = await openConsole(browser, world, { language: 'zh-CN', at })
  onTestFinished(() => context.close())
  await page.locator('header [data-state="connected"]').waitFor()
  await page.locator('main').click({ position: { x: 2, y: 2 } })
  return page
}
/** Open an address without touching the page: what it opens by itself may cover it. */
async function shown(at: string): Promise<Page> {
  const { page, context } = await openConsole(browser, world, { language: 'zh-CN', at })
  onTestFinished(() => context.close())
  return page
}
const statuses = async (): Promise<number[]> => (await world.call(faceAlarmCalls.list, { body: {} })).content.map(({ status }) => status)
const bubbleOf = (page: Page, words: string) => page.locator('#alarm-bubbles').getByRole('alert').filter({ hasText: words })

test('the bubble of a person shows faces and score, and leads to the alarm, handled by two keys [BEH-121, BEH-123, BEH-128]', async () => {
  const page = await opened('/home')
  await pass(0)
  const bubble = bubbleOf(page, '林小雨')
  await bubble.getByText('重点人员报警').waitFor()
  for (const words of ['东门摄像机', '东门布控']) await bubble.getByText(words).first().waitFor()
  const [alarm] = (await world.call(faceAlarmCalls.list, { body: {} })).content
  expect(await bubble.locator('output').innerText()).toBe(shownScore(alarm!.score!).toFixed(2))
  expect(await bubble.getByRole('link', { name: '查看报警' }).getAttribute('href')).toMatch(
    new RegExp(`#/monitorAlarm\\?id=${alarm!.id}&timeStamp=\\d+$`),
  )
  await expectAccessible(page)

  await page.keyboard.press('F8')
  await page.keyboard.press('d')
  const dialog = page.getByRole('dialog', { name: /林小雨/ })
  await dialog.getByText('处理中').first().waitFor()
  await expectAddress(page, '/monitorAlarm')
  await expectAccessible(page)
  await page.keyboard.press('1')
  await dialog.waitFor({ state: 'hidden' })
  expect(await statuses()).toEqual([alarmHandlingStatus.confirmed])
  // What is handled is told of no more, wherever it was handled.
  await bubble.waitFor({ state: 'detached' })

  await page.getByRole('link', { name: '已处理' }).click()
  await page.getByRole('row').filter({ hasText: '林小雨' }).click()
  await dialog.getByText('已确认').first().waitFor()
  await dialog.getByText('处理过程').waitFor()
  expect(await dialog.getByRole('button', { name: /确认/ }).count()).toBe(0)
})

test('an address opens the alarm it names, by its id or by its time [BEH-031]', async () => {
  const [alarm] = (await world.call(faceAlarmCalls.list, { body: {} })).content
  const page = await shown(`/monitorAlarm?id=${alarm!.id}&timeStamp=${Date.now()}`)
  await page.getByRole('dialog', { name: /林小雨/ }).waitFor()

  const box = await world.device({ name: '周界盒子', type: deviceType.aiBox })
  const sender = createClient(world.url, { basic: [box.code, box.secret] })
  const [long, now] = [Date.now() - 3 * HOUR, Date.now()]
  for (const [eventId, eventTime] of [
    ['early', long],
    ['late', now],
  ] as const)
    await sender.call(aiBoxDeviceCalls.event, { body: { eventId, eventTime, eventType: eventId, eventTypeName: `${eventId} event` } })
  const boxes = await shown(`/AIBoxAlarm?time=${long}&timestamp=${now}`)
  const dialog = boxes.getByRole('dialog')
  await dialog.getByText('early event').first().waitFor()
  expect(await dialog.getByText('late event').count()).toBe(0)
})

test('alarms of the list are handled one after the other, each by two keys; a stranger is named as one [BEH-155]', async () => {
  const page = await opened('/monitorAlarm')
  await pass(1, 1)
  await pass(2, 1)
  const rows = page.locator('tr[data-row-key]')
  await expect.poll(() => rows.count()).toBe(2)
  await bubbleOf(page, '陌生人').first().waitFor()
  await page.getByRole('button', { name: /全部关闭/ }).click()
  await rows.first().focus()
  await page.keyboard.press('d')
  const dialog = page.getByRole('dialog')
  await dialog.getByText('处理中').first().waitFor()
  await page.keyboard.press('2')
  await dialog.waitFor({ state: 'hidden' })
  await expect.poll(() => rows.count()).toBe(1)
  await expect.poll(() => page.evaluate(`document.activeElement.matches('tr[data-row-key]')`)).toBe(true)
  await page.keyboard.press('Enter')
  await dialog.getByText('处理中').first().waitFor()
  await page.keyboard.press('3')
  await page.getByText('没有未处理的报警。').waitFor()
  expect((await statuses()).toSorted()).toEqual([
    alarmHandlingStatus.confirmed,
    alarmHandlingStatus.misinformation,
    alarmHandlingStatus.test,
  ])
})

test('a user who may not handle alarms sees no way to [BEH-127]', async () => {
  await pass(1, 2)
  const { credentials } = await world.session({ permissions: ['surveillance.alert'] })
  const stored = { language: 'zh-CN', token: (credentials as { bearer: string }).bearer, tokenExpires: Date.now() + HOUR }
  const { page, context } = await openHolding(browser, world, stored, { at: '/monitorAlarm', reducedMotion: undefined })
  onTestFinished(() => context.close())
  const row = page.locator('tr[data-row-key]').first()
  await row.waitFor()
  await row.focus()
  await page.keyboard.press('d')
  const dialog = page.getByRole('dialog')
  await dialog.getByText('东门布控').waitFor()
  expect(await dialog.getByRole('button', { name: /处理|确认|误报|测试/ }).count()).toBe(0)
  await page.keyboard.press('1')
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'hidden' })
  expect(await statuses()).toContain(alarmHandlingStatus.undealt)
})
