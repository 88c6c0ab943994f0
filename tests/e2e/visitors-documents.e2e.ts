/** Documents to sign: written in the configuration, signed on a phone by finger and by keyboard, opened at the desk. */
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { visitorLinkCalls } from '@gatehouse/contract/visitors/appointments'
import { visitorCalls } from '@gatehouse/contract/visitors/calls'
import { visitorConfigurationCalls } from '@gatehouse/contract/visitors/configuration'
import { visitorDocumentCalls } from '@gatehouse/contract/visitors/documents'
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

/** Open the reservation form on a small phone. */
async function phonePage(): Promise<Page> {
  const { url } = await world.call(visitorLinkCalls.createLink, { body: { kind: 'park', address: world.url } })
  const context = await browser.newContext({ viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true, locale: 'zh-CN' })
  onTestFinished(() => context.close())
  const page = await context.newPage()
  await page.goto(url)
  await page.getByRole('heading', { level: 1 }).waitFor()
  return page
}

async function fillForm(page: Page, name: string, phone: string): Promise<void> {
  await page.getByLabel('姓名', { exact: false }).first().fill(name)
  await page.getByLabel('手机号 *').first().fill(phone)
  await page.getByLabel('会议', { exact: true }).check()
}

test('documents are written in the configuration, signed on a phone, and opened at the desk', async () => {
  const page = await open('/configuration', { language: 'zh-CN' })
  const editor = page.getByRole('region', { name: '签署文件' })
  await editor.getByRole('button', { name: '新增文件' }).click()
  await editor.getByLabel('标题（简体中文）').fill('保密协议')
  await editor.getByLabel('正文（简体中文）').fill('访客应对在园区内获知的信息保密。')
  await expectAccessible(page)
  await editor.getByRole('button', { name: '保存文件' }).click()
  await editor.getByText('当前版本 1').waitFor()
  const { documents, version } = await world.call(visitorDocumentCalls.list, {})
  const rules = {
    agreement: 'tick' as const,
    enabled: true,
    texts: { 'zh-CN': { title: '安全须知', text: '请佩戴访客证。\n'.repeat(40) } },
  }
  const kept = documents.map(({ textVersion: _, ...document }) => document)
  await world.call(visitorDocumentCalls.change, { body: { documents: [rules, ...kept], version } })

  const phone = await phonePage()
  await fillForm(phone, '苏洵', '13688880001')
  const send = phone.getByRole('button', { name: '提交预约' })
  await send.click()
  await phone.getByText('请阅读并勾选同意。').waitFor()
  await phone.getByText('请签名，或输入您的姓名。').waitFor()
  await phone.getByRole('checkbox', { name: '我已阅读并同意《安全须知》。' }).check()
  const pad = phone.getByRole('img', { name: '签名：保密协议' })
  await pad.scrollIntoViewIfNeeded()
  const box = (await pad.boundingBox())!
  await phone.mouse.move(box.x + 20, box.y + 20)
  await phone.mouse.down()
  await phone.mouse.move(box.x + 120, box.y + 60, { steps: 5 })
  await phone.mouse.move(box.x + 200, box.y + 30, { steps: 5 })
  await phone.mouse.up()
  await phone.getByRole('button', { name: '重新签名' }).waitFor()
  const widths = (await phone.evaluate('[document.documentElement.scrollWidth, innerWidth]')) as [number, number]
  expect(widths[0]).toBeLessThanOrEqual(widths[1])
  await expectAccessible(phone)
  await send.click()
  await phone.getByText('等待确认').waitFor()

  const { content } = await world.call(visitorCalls.list, { query: { keyword: '苏洵', page: 1, size: 5 } })
  const desk = await open(`/visitorCurrent?visit=${content[0]!.id}`, { language: 'zh-CN' })
  const drawer = desk.getByRole('dialog')
  await drawer.getByText('已签署的文件').waitFor()
  await drawer.getByText('手写签名').waitFor()
  const download = desk.waitForEvent('download')
  await drawer.getByRole('button', { name: '打开 PDF：保密协议' }).click()
  expect((await download).suggestedFilename()).toBe('保密协议.pdf')
  await expectAccessible(desk)
})

test('a name that is typed takes the place of a signature; a text that changed meanwhile is shown anew', async () => {
  const phone = await phonePage()
  await fillForm(phone, '曾巩', '13688880002')
  await phone.getByRole('checkbox', { name: '我已阅读并同意《安全须知》。' }).check()
  await phone.getByLabel('或输入您的姓名代替签名').fill('曾巩')
  const { documents } = await world.call(visitorDocumentCalls.list, {})
  const changed = documents.map(({ textVersion: _, ...document }) =>
    document.agreement === 'tick' ? { ...document, texts: { 'zh-CN': { title: '安全须知', text: '禁止吸烟。' } } } : document,
  )
  await world.call(visitorDocumentCalls.change, { body: { documents: changed } })
  const send = phone.getByRole('button', { name: '提交预约' })
  await send.click()
  await phone.getByText('文本已更新，请重新阅读并确认。').waitFor()
  await phone.getByText('禁止吸烟。').waitFor()
  await phone.getByRole('checkbox', { name: '我已阅读并同意《安全须知》。' }).check()
  await send.click()
  await phone.getByText('等待确认').waitFor()
  const { content } = await world.call(visitorCalls.list, { query: { keyword: '曾巩', page: 1, size: 5 } })
  expect(await world.call(visitorDocumentCalls.signed, { query: { id: content[0]!.id } })).toMatchObject([
    { title: '安全须知', textVersion: 2, acceptance: 'tick' },
    { title: '保密协议', acceptance: 'typed' },
  ])
})
