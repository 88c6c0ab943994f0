/** Visitor machines in the console: chosen in the settings, and conflicts that the desk sees to. */
import { randomUUID } from 'node:crypto'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { visitorMachineCalls } from '@gatehouse/contract/device/visitor-machine'
import { visitorSource, visitorStatus, visitReason } from '@gatehouse/contract/enums'
import { visitorCalls } from '@gatehouse/contract/visitors/calls'
import { visitorConfigurationCalls } from '@gatehouse/contract/visitors/configuration'
import { machineConflictCalls } from '@gatehouse/contract/visitors/machine-conflicts'
import type { MadeDevice, World } from '@gatehouse/dev-env/world'
import { expectAccessible, pagesOf, pick } from '../support/console.ts'
import { until } from '../support/until.ts'
import { sharedBrowser, sharedWorld } from '../support/stage.ts'
import { wireClient } from '../support/wire-device.ts'

let world: World
let browser: Browser
let kiosk: MadeDevice
beforeAll(async () => {
  world = await sharedWorld()
  browser = await sharedBrowser()
  kiosk = await world.device({ name: '前台访客机' })
})
afterAll(async () => {
  await world?.stop()
})

const open = pagesOf(() => ({ browser, world }))
const show = (at: string): Promise<Page> => open(at, { language: 'zh-CN' })

/** Make a visit that was cancelled, and say that its visitor signed in at the machine. */
async function conflict(name: string, phone: string): Promise<void> {
  const now = world.clock.now()
  const times = { visitTime: now, visitEndTime: now + 3_600_000 }
  const body = { source: visitorSource.invitation, name, phone, reason: visitReason.meeting, ...times }
  const { id } = await world.call(visitorCalls.create, { body })
  await world.call(visitorCalls.revoke, { body: { visits: [{ id, status: visitorStatus.notYetVisited }] } })
  const event = { id: randomUUID(), visitId: id, occurredAt: now, status: visitorStatus.notYetVisited, score: null }
  await wireClient(world.url, kiosk).call(visitorMachineCalls.events, { body: { sentAt: now, events: [{ ...event, kind: 'signedIn' }] } })
}

test('a device is made a visitor machine in the settings, and badges are printed there', async () => {
  const page = await show('/configuration?tab=h5')
  const section = page.getByRole('region', { name: '访客机', exact: true })
  await pick(section.getByLabel('作为访客机的设备', { exact: true }), '前台访客机')
  await section.getByRole('switch', { name: '打印访客证' }).click()
  await expectAccessible(page)
  await page.getByRole('button', { name: '保存', exact: true }).click()
  const read = () => world.call(visitorConfigurationCalls.read, {})
  await until('the configuration', async () => (await read()).visitorMachinesPrint)
  expect((await read()).visitorMachines).toEqual([kiosk.id])
})

test('the desk is shown how many conflicts there are, opens the visit of one, and sees to all by keyboard', async () => {
  await world.call(visitorConfigurationCalls.change, { body: { visitorMachines: [kiosk.id], needAuthorisation: false } })
  await conflict('吴冲突', '13900008001')
  await conflict('郑冲突', '13900008002')
  const page = await show('/visitorCurrent')
  const notice = page.getByText('有 2 条访客机记录与来访状态不符')
  await notice.waitFor()
  await expectAccessible(page)
  await page.getByRole('button', { name: '查看', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: '访客机冲突' })
  const row = dialog.getByRole('row').filter({ hasText: '吴冲突' })
  await row.getByText('来访状态为“已取消”。').waitFor()
  await row.getByText('前台访客机').waitFor()
  await expectAccessible(page)
  await row.focus()
  await page.keyboard.press('Enter')
  const phone = page.getByRole('dialog').getByText('13900008001')
  await phone.waitFor()
  await dialog.waitFor({ state: 'hidden' })
  await page.keyboard.press('Escape')
  await phone.waitFor({ state: 'hidden' })

  await page.getByRole('button', { name: '查看', exact: true }).click()
  for (const name of ['吴冲突', '郑冲突']) {
    await dialog.getByRole('row').filter({ hasText: name }).focus()
    await page.keyboard.press(' ')
  }
  await dialog.getByRole('button', { name: '标为已处理' }).press('Enter')
  await dialog.getByText('没有待处理的冲突。').waitFor()
  await page.keyboard.press('Escape')
  await notice.waitFor({ state: 'detached' })
  expect((await world.call(machineConflictCalls.list, { query: {} })).total).toBe(0)
})
