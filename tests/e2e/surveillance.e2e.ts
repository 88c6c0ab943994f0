/** Monitoring tasks, as their editor sees them: one is created by hand, looks out, is switched off and deleted. */
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { deviceType } from '@gatehouse/contract/enums'
import { specialCalls } from '@gatehouse/contract/people/special'
import { monitoringTaskCalls } from '@gatehouse/contract/surveillance/tasks'
import type { World } from '@gatehouse/dev-env/world'
import { expectAccessible, expectAddress, pagesOf } from '../support/console.ts'
import { sharedBrowser, sharedWorld } from '../support/stage.ts'

let world: World
let browser: Browser
beforeAll(async () => {
  world = await sharedWorld()
  browser = await sharedBrowser()
})
afterAll(() => world?.stop())

const show = pagesOf(() => ({ browser, world }))

test('a task is created, looks out, names the task it would double, is disabled and deleted', async () => {
  await world.device({ name: '北门抓拍机', type: deviceType.captureCamera, model: 1 })
  // A terminal captures nobody: it is not offered.
  await world.device({ name: '北门闸机' })
  await world.personGroup({ name: '研发部' })
  await world.call(specialCalls.createGroup, { body: { name: '重点关注' } })
  const page = await show('/areaManage', { language: 'zh-CN' })
  await page.getByRole('button', { name: '新增布控任务' }).first().click()
  await expectAddress(page, '/addMonitor')

  async function fillIn(name: string): Promise<void> {
    await page.getByRole('textbox', { name: '* 名称' }).fill(name)
    const devices = page.getByLabel('抓拍摄像机')
    await devices.fill('北门')
    await page.getByTitle('北门抓拍机').last().waitFor()
    expect(await page.getByTitle('北门闸机').count()).toBe(0)
    await page.getByTitle('北门抓拍机').last().click()
    await page.keyboard.press('Escape')
    await page.getByLabel('人员分组').click()
    await page.getByRole('tree').getByText('重点关注').click()
    await page.keyboard.press('Escape')
  }
  await page.getByRole('button', { name: /保\s?存/ }).click()
  await page.getByText('请至少选择一台设备。').waitFor()
  await page.getByText('请至少选择一个人员分组。').waitFor()
  await fillIn('北门夜间布控')
  await page.getByText('极严格', { exact: true }).click()
  await page.getByText('误报约为默认的十分之一，漏报更多。').waitFor()
  await page.getByText('自定义', { exact: true }).click()
  await page.getByRole('spinbutton', { name: '自定义精度（0–100）' }).fill('81')
  await page.getByText(/相似度 90\.0 及以上视为同一人/).waitFor()
  await page.getByRole('switch', { name: '陌生人报警' }).click()
  await expectAccessible(page)
  await page.getByRole('button', { name: /保\s?存/ }).click()

  await page.getByRole('heading', { name: '北门夜间布控' }).waitFor()
  await expectAddress(page, '/monitorDetail/')
  await page.getByText('布控中', { exact: true }).waitFor()
  await page.getByRole('link', { name: '北门抓拍机' }).waitFor()
  await page.getByText('90.0', { exact: true }).waitFor()
  // The breadcrumb leads to the list.
  await page.getByRole('navigation').getByRole('link', { name: '布控任务' }).last().click()
  const row = page.getByRole('row', { name: /北门夜间布控/ })
  await row.getByText('布控中').waitFor()
  await row.getByRole('button', { name: /北门夜间布控/ }).click()
  await page.getByRole('menuitem', { name: '停用' }).waitFor()
  // In control it cannot be deleted, so that it is not offered.
  expect(await page.getByRole('menu').last().getByRole('menuitem').allInnerTexts()).toEqual(['查看', '编辑', '停用'])
  await page.keyboard.press('Escape')

  await page.getByRole('button', { name: '新增布控任务' }).click()
  await fillIn('第二个任务')
  await page.getByRole('button', { name: /保\s?存/ }).click()
  await page.getByText(/设备“北门抓拍机”在“北门夜间布控”中已于相同时段/).waitFor()

  await page.goto(`${world.url}/#/areaManage`)
  await row.getByRole('button', { name: /北门夜间布控/ }).click()
  await page.getByRole('menuitem', { name: '停用' }).click()
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /停\s?用/ })
    .click()
  await row.getByText('已停用').waitFor()
  const { content } = await world.call(monitoringTaskCalls.find, { body: { name: '北门夜间布控' } })
  expect(content).toMatchObject([{ status: 'disabled', customPrecision: 81, strangerAlarm: true, personGroupCount: 1, deviceCount: 1 }])
  await page.goto(`${world.url}/#/editMonitor/${content[0]!.id}`)
  await page.getByText('已停用的任务不能编辑，请先启用。').waitFor()
  await page.goto(`${world.url}/#/areaManage`)
  await row.getByRole('button', { name: /北门夜间布控/ }).click()
  await page.getByRole('menuitem', { name: '删除' }).click()
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /删\s?除/ })
    .click()
  await row.waitFor({ state: 'detached' })
})

test('an edited task keeps what was not changed', async () => {
  const camera = await world.device({ name: 'East camera', type: deviceType.captureCamera, model: 1 })
  const group = await world.personGroup({ name: 'Sales' })
  const { id } = await world.call(monitoringTaskCalls.add, {
    body: {
      name: 'East gate',
      startTime: Date.now(),
      endTime: Date.now() + 86_400_000,
      periods: [{ weekday: 1, start: '22:00', end: '24:00' }],
      deviceIds: [camera.id],
      personGroupIds: [group.id],
      similarityThreshold: 72.5,
    },
  })
  const before = await world.call(monitoringTaskCalls.read, { query: { id } })
  const page = await show(`/editMonitor/${id}`)
  await page.getByRole('textbox', { name: '* Name' }).fill('East gate, night')
  await page.getByLabel('Repeat interval').fill('60')
  await page.getByRole('spinbutton', { name: 'Match threshold' }).clear()
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('heading', { name: 'East gate, night' }).waitFor()
  expect(await world.call(monitoringTaskCalls.read, { query: { id } })).toMatchObject({
    ...before,
    name: 'East gate, night',
    repeatSeconds: 60,
    similarityThreshold: null,
    score: expect.any(Number),
    version: before.version + 1,
    updatedAt: expect.any(Number),
  })
})
