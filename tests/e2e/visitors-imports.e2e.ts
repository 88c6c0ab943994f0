/** Many visitors invited from a spreadsheet at the desk. */
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { visitorSource } from '@gatehouse/contract/enums/visitors'
import { csvOf } from '@gatehouse/contract/files'
import { visitorCalls } from '@gatehouse/contract/visitors/calls'
import { visitorConfigurationCalls } from '@gatehouse/contract/visitors/configuration'
import type { World } from '@gatehouse/dev-env/world'
import { expectAccessible, pagesOf } from '../support/console.ts'
import { sharedBrowser, sharedWorld } from '../support/stage.ts'

let world: World
let browser: Browser
beforeAll(async () => {
  world = await sharedWorld()
  browser = await sharedBrowser()
  await world.call(visitorConfigurationCalls.change, { body: { needAuthorisation: false } })
})
afterAll(() => world?.stop())

const open = pagesOf(() => ({ browser, world }))

test('a spreadsheet is uploaded at the desk; good rows are invited, bad ones are named with why', async () => {
  const page = await open('/visitorCurrent', { language: 'zh-CN' })
  await page.getByRole('button', { name: '批量邀请' }).click()
  const dialog = page.getByRole('dialog', { name: '通过表格邀请访客' })
  const template = page.waitForEvent('download')
  await dialog.getByRole('button', { name: '下载模板' }).click()
  expect((await template).suggestedFilename()).toBe('访客邀请表.xlsx')
  const day = new Date(Date.now() + 2 * 86_400_000).toISOString().slice(0, 10)
  const rows = [
    ['姓名', '手机号', '来访事由', '开始时间', '结束时间'],
    ['辛弃疾', '13677770001', '会议', `${day} 09:00`, `${day} 10:00`],
    ['陆游', '13677770002', '面试', `${day} 09:00`, `${day} 10:00`],
    ['姜夔', '无', '会议', `${day} 09:00`, `${day} 10:00`],
  ]
  const buffer = Buffer.from(csvOf(rows))
  await dialog.locator('input[type="file"]').setInputFiles({ name: '访客.csv', mimeType: 'text/csv', buffer })
  await dialog.getByText('已邀请 2 位').waitFor()
  await dialog.getByText('已完成').waitFor()
  await dialog.getByRole('row').filter({ hasText: '姜夔' }).getByText('手机号：').waitFor()
  await expectAccessible(page)
  await dialog
    .getByRole('button', { name: 'Close' })
    .or(dialog.getByRole('button', { name: '关闭' }))
    .click()
  const invited = (await world.call(visitorCalls.list, { query: { source: visitorSource.invitation, page: 1, size: 20 } })).content
  expect(invited.map(({ name }) => name).toSorted()).toEqual(['辛弃疾', '陆游'].toSorted())
  await page.getByRole('row').filter({ hasText: '辛弃疾' }).waitFor()
})
