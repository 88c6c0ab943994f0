/** Maintenance alarms as a guard uses them, and what all lists of alarms do with the alarm that is open. */
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { deviceEventCalls } from '@gatehouse/contract/alarms/device-events'
import { faceAlarmCalls } from '@gatehouse/contract/alarms/face-alarms'
import { maintenanceAlarmCalls } from '@gatehouse/contract/alarms/maintenance-alarms'
import { numberedCalls } from '@gatehouse/contract/device/numbered'
import { alarmHandlingStatus, alarmHandlingStatusAlt, deviceAlarmHandling } from '@gatehouse/contract/enums/alarms'
import { maintenanceCalls } from '@gatehouse/contract/maintenance/calls'
import { createClient } from '@gatehouse/dev-env/client'
import type { MadeDevice, World } from '@gatehouse/dev-env/world'
import { expectAccessible, expectAddress, openConsole } from '../support/console.ts'
import { insertFaceAlarm } from '../support/face-alarm.ts'
import { sharedBrowser, sharedWorld } from '../support/stage.ts'

const HOUR = 3_600_000

let world: World
let browser: Browser
beforeAll(async () => {
  world = await sharedWorld()
  browser = await sharedBrowser()
})
afterAll(() => world?.stop())

async function shown(at: string): Promise<Page> {
  const { page, context } = await openConsole(browser, world, { language: 'zh-CN', at })
  onTestFinished(() => context.close())
  await page.locator('header [data-state="connected"]').waitFor()
  return page
}
const clientOf = ({ code, secret }: MadeDevice) => createClient(world.url, { basic: [code, secret] })
const report = (device: MadeDevice, disk: number) =>
  clientOf(device).call(maintenanceCalls.reportResource, { body: { cpu: 12, memory: 40, disk } })
const alarmOf = async ({ id: deviceId }: MadeDevice) => (await world.call(maintenanceAlarmCalls.list, { query: { deviceId } })).content[0]!
const rowOf = (page: Page, words: string) => page.locator('tr[data-row-key]').filter({ hasText: words })

test('a full disk is a bubble that leads to its alarm, which two keys handle; what is over waits until it is', async () => {
  const page = await shown('/home')
  await page.locator('main').click({ position: { x: 2, y: 2 } })
  const device = await world.device({ name: '南门一体机' })
  await report(device, 96)
  const bubble = page.locator('#alarm-bubbles').getByRole('alert').filter({ hasText: '南门一体机' })
  await bubble.getByText('设备资源不足').waitFor()
  const alarm = await alarmOf(device)
  const link = bubble.getByRole('link', { name: '查看报警' })
  expect(await link.getAttribute('href')).toMatch(new RegExp(`#/maintenanceAlarm\\?id=${alarm.id}&timeStamp=\\d+$`))
  await link.click()
  const dialog = page.getByRole('dialog', { name: '南门一体机：磁盘空间不足' })
  await dialog.getByText('磁盘占用 96%（报警阈值 90%）').waitFor()
  await expectAddress(page, '/maintenanceAlarm')
  await dialog.getByText('持续中').waitFor()
  await expectAccessible(page)

  // It is over, but nobody has seen to it.
  await report(device, 20)
  await dialog.getByText('持续中').waitFor({ state: 'detached' })
  await dialog.getByRole('button', { name: /跟进/ }).waitFor()
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'hidden' })
  await expectAccessible(page)
  await rowOf(page, '南门一体机').focus()
  await page.keyboard.press('d')
  await dialog.getByLabel('处理记录').fill('已清理日志')
  await dialog.getByText('处理过程').click()
  await page.keyboard.press('1')
  await dialog.waitFor({ state: 'hidden' })
  expect(await alarmOf(device)).toMatchObject({ status: alarmHandlingStatusAlt.handling, dealingRecord: '已清理日志' })
  await rowOf(page, '南门一体机').waitFor({ state: 'detached' })
  await page.getByRole('link', { name: '已处理' }).click()
  await rowOf(page, '南门一体机').click()
  await dialog.getByText('已清理日志').waitFor()
  expect(await dialog.getByRole('button', { name: /跟进|忽略/ }).count()).toBe(0)
})

test('an alarm that somebody else handles meanwhile shows who did, and offers nothing more', async () => {
  const device = await world.device({ name: '北门一体机' })
  await report(device, 97)
  const { id } = await alarmOf(device)
  const page = await shown('/maintenanceAlarm')
  await rowOf(page, '北门一体机').click()
  const dialog = page.getByRole('dialog', { name: /北门一体机/ })
  await dialog.getByRole('button', { name: /跟进/ }).waitFor()
  await world.call(maintenanceAlarmCalls.dispose, { body: { id, handling: deviceAlarmHandling.ignored, dealingRecord: '值班室已知悉' } })
  await dialog.getByText('值班室已知悉').waitFor()
  await dialog.getByText('已忽略').first().waitFor()
  expect(await dialog.getByRole('button', { name: /跟进|忽略/ }).count()).toBe(0)
  // It has left the list, and the dialog stays with it.
  await rowOf(page, '北门一体机').waitFor({ state: 'detached' })
  expect(await dialog.getByText('已忽略').count()).toBeGreaterThan(0)
})

/** Let a device send events of one moment. */
async function happen(device: MadeDevice, kinds: readonly ('forced' | 'fire')[]): Promise<void> {
  const now = Date.now()
  const events = kinds.map((kind, at) => ({ seq: at + 1, kind, occurredAt: now, endOf: null, hasPicture: false }))
  await clientOf(device).call(numberedCalls.events, { body: { epoch: 'one', oldestSeq: 1, sentAt: now, events } })
}
const eventsOf = async ({ id: deviceId }: MadeDevice) => (await world.call(deviceEventCalls.list, { body: { deviceId } })).content

test('of two events of one moment a link opens the one it names [BEH-031]', async () => {
  const device = await world.device({ name: '西门' })
  await happen(device, ['forced', 'fire'])
  const events = await eventsOf(device)
  expect(new Set(events.map(({ alertTime }) => alertTime)).size).toBe(1)
  const ids = new Set<string>()
  for (const { id, alertTime, type } of events) {
    const page = await shown(`/deviceAlarm?id=${id}&time=${alertTime}&timestamp=${Date.now()}`)
    await page.getByRole('dialog', { name: type === 1 ? /火警/ : /强行开门/ }).waitFor()
    ids.add(id)
  }
  expect(ids.size).toBe(2)
  const lost = await shown(`/deviceAlarm?id=${crypto.randomUUID()}&time=${events[0]!.alertTime}`)
  await lost.getByText('该报警已不存在').waitFor()
})

test('an event and a face whose alarm is open follow what others do, too', async () => {
  const device = await world.device({ name: '东门' })
  await happen(device, ['forced'])
  const [event] = await eventsOf(device)
  const page = await shown('/deviceAlarm')
  await rowOf(page, '东门').click()
  const dialog = page.getByRole('dialog', { name: /东门/ })
  await dialog.getByRole('button', { name: /跟进/ }).waitFor()
  await world.call(deviceEventCalls.dispose, { body: { id: event!.id, handling: deviceAlarmHandling.followedUp, dealingRecord: '已到场' } })
  await dialog.getByText('已到场').waitFor()
  expect(await dialog.getByRole('button', { name: /跟进/ }).count()).toBe(0)

  const { id } = await insertFaceAlarm(world, device)
  const faces = await shown(`/monitorAlarm?id=${id}&timeStamp=${Date.now()}`)
  const face = faces.getByRole('dialog', { name: /东门/ })
  await face.getByRole('button', { name: /开始处理/ }).waitFor()
  for (const status of [alarmHandlingStatus.dealing, alarmHandlingStatus.misinformation] as const)
    await world.call(faceAlarmCalls.handle, { body: { id, status } })
  await face.getByText('误报').first().waitFor()
  await face.getByRole('button', { name: /开始处理/ }).waitFor({ state: 'detached' })
})

test('an address of before, when resources were a tab of device alarms, shows device alarms', async () => {
  const page = await shown(`/deviceAlarm?tab=resources&time=${Date.now() - HOUR}`)
  await page.getByRole('heading', { level: 1, name: '设备报警' }).waitFor()
  expect(await page.getByRole('link', { name: '设备资源' }).count()).toBe(0)
})
