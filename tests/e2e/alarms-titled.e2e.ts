/** Screens of monitoring and alarms that the specification names by a title stand where the table says. */
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { alarmsCalls } from '@gatehouse/contract/alarms/calls'
import { aiBoxDeviceCalls } from '@gatehouse/contract/device/ai-box'
import { numberedCalls } from '@gatehouse/contract/device/numbered'
import { accessResult, failReason } from '@gatehouse/contract/enums/access'
import { alarmPopupStay } from '@gatehouse/contract/enums/alarms'
import { deviceType } from '@gatehouse/contract/enums/devices'
import { maintenanceCalls } from '@gatehouse/contract/maintenance/calls'
import { createClient } from '@gatehouse/dev-env/client'
import type { MadeDevice, World } from '@gatehouse/dev-env/world'
import { passages, sentBy } from '@gatehouse/server/contexts/records/testing/records'
import { openConsole } from '../support/console.ts'
import { insertFaceAlarm } from '../support/face-alarm.ts'
import { sharedBrowser, sharedWorld } from '../support/stage.ts'
import { TITLED_SCREENS } from '../support/titled-screens.ts'

let world: World
let browser: Browser
beforeAll(async () => {
  world = await sharedWorld()
  browser = await sharedBrowser()
  const [door, box, person, now] = [
    await world.device({ name: '南门' }),
    await world.device({ name: '南门盒子', type: deviceType.aiBox }),
    await world.person(),
    Date.now(),
  ]
  await insertFaceAlarm(world, door)
  await clientOf(door).call(maintenanceCalls.reportResource, { body: { cpu: 1, memory: 1, disk: 99 } })
  const event = { seq: 1, kind: 'fire' as const, occurredAt: now, endOf: null, hasPicture: false }
  await clientOf(door).call(numberedCalls.events, { body: { epoch: 'one', oldestSeq: 1, sentAt: now, events: [event] } })
  await clientOf(box).call(aiBoxDeviceCalls.event, { body: { eventId: 'one', eventType: 'fire', eventTime: now, ipcName: '南门' } })
  const refused = { result: accessResult.rejected, failReason: failReason.personReturned, personId: person.id, occurredAt: now }
  await world.server.contexts.records.ingest({ deviceId: door.id, parkId: world.park.id }, sentBy(passages([refused]), { sentAt: now }))
  await world.server.platform.events.settled()
  // Pop-ups of these alarms would cover what the tests click.
  await world.call(alarmsCalls.saveConfig, { body: { stay_time: alarmPopupStay.none, device_alert_stay_time: alarmPopupStay.none } })
})
afterAll(() => world?.stop())

const clientOf = ({ code, secret }: MadeDevice) => createClient(world.url, { basic: [code, secret] })
async function shown(at: string): Promise<Page> {
  const { page, context } = await openConsole(browser, world, { language: 'zh-CN', at })
  onTestFinished(() => context.close())
  return page
}

test.each(TITLED_SCREENS)('the screen $id stands at $at', { tags: 'extended' }, async ({ at, title, tab, dialog }) => {
  const page = await shown(at)
  const heading = page.getByRole('heading', { level: 1 })
  await (title === '' ? heading : heading.and(page.getByRole('heading', { name: title, exact: true }))).first().waitFor()
  expect(new URL(page.url()).hash).toBe(`#${at}`)
  if (tab !== undefined) await page.getByRole('link', { name: tab, exact: true }).and(page.locator('[aria-current="page"]')).waitFor()
  if (dialog === 'row') {
    await page.locator('tr[data-row-key]').first().click()
    const opened = page.getByRole('dialog')
    await opened.getByText('处理过程').waitFor()
    await opened.getByLabel('处理记录').waitFor()
  }
  if (dialog === 'user') {
    await page.locator('header button[title]').last().click()
    await page.getByRole('menuitem', { name: '弹窗提醒设置' }).click()
    const settings = page.getByRole('dialog', { name: '弹窗提醒设置' })
    for (const name of ['访客待审核', '访客到访', '设备资源', '设备报警', 'AI 盒子报警'])
      await settings.getByText(name, { exact: true }).waitFor()
    await settings.getByText('布控任务的人脸报警').waitFor()
  }
})
