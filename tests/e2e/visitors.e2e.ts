/** The visitors' desk, as a receptionist sees it: registering with a photo, signing off by keyboard, deciding, passes and links. */
import type { Browser, Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { accessMethod, visitorSource, visitorStatus, visitReason } from '@gatehouse/contract/enums'
import { visitorCalls } from '@gatehouse/contract/visitors/calls'
import { visitorConfigurationCalls } from '@gatehouse/contract/visitors/configuration'
import { passRuleCalls } from '@gatehouse/contract/visitors/pass-rules'
import type { World } from '@gatehouse/dev-env/world'
import { expectAccessible, expectAddress, pagesOf, pick } from '../support/console.ts'
import { drawnFace } from '../support/fixtures.ts'
import { until } from '../support/until.ts'
import { sharedBrowser, sharedWorld } from '../support/stage.ts'

let world: World
let browser: Browser
beforeAll(async () => {
  world = await sharedWorld()
  browser = await sharedBrowser()
  const gate = await world.device({ name: 'Gate' })
  const rule = await world.strategy({ name: 'Visitors at the gate', kind: 'visitor', devices: [gate] })
  const passMethods = [accessMethod.face, accessMethod.card]
  await world.call(passRuleCalls.create, { body: { name: 'All visitors', accessGroupIds: [rule.id], passMethods } })
})
afterAll(async () => {
  await world?.stop()
})

const open = pagesOf(() => ({ browser, world }))
const show = (at: string): Promise<Page> => open(at, { language: 'zh-CN' })
const rowOf = (page: Page, name: string): Locator => page.getByRole('row').filter({ hasText: name })
const visitOf = async (keyword: string) => (await world.call(visitorCalls.list, { query: { keyword } })).content[0]

/** Fill in what every form of a visit needs. */
async function fill(page: Page, { name, phone }: { name: string; phone: string }): Promise<void> {
  await page.getByLabel('姓名', { exact: true }).fill(name)
  await page.getByLabel('手机号', { exact: true }).fill(phone)
  await page.getByText('会议', { exact: true }).click()
}

let cards = 0
/** Make a reservation of a visitor with a card, due now. */
const reserve = (name: string) =>
  world.call(visitorCalls.create, {
    body: {
      source: visitorSource.reservation,
      name,
      phone: `1390000${1000 + ++cards}`,
      cardNumber: String(70_000 + cards),
      reason: visitReason.business,
      visitTime: Date.now(),
      visitEndTime: Date.now() + 3_600_000,
    },
  })

test('a visitor is registered at the desk with a photo, stands in the list, and is signed off by keyboard', async () => {
  await world.person({ name: '王经理' })
  const page = await show('/visitorRegister')
  await fill(page, { name: '张敏', phone: '13800000001' })
  await page
    .locator('input[type="file"]')
    .first()
    .setInputFiles({ name: 'face.jpg', mimeType: 'image/jpeg', buffer: await drawnFace() })
  await page.getByRole('button', { name: '移除照片 1' }).waitFor()
  await page.getByRole('checkbox', { name: /已同意采集人脸信息/ }).check()
  await pick(page.getByLabel('被访人', { exact: true }), '王经理')
  // The pass rule has filled in where the visitor may pass.
  await page.getByTitle('Visitors at the gate').first().waitFor()
  await expectAccessible(page)
  await page.getByRole('button', { name: '保存' }).click()
  await page.getByText('张敏登记成功').waitFor()
  await expectAccessible(page)

  await page.getByRole('button', { name: '查看来访' }).click()
  const drawer = page.getByRole('dialog')
  await drawer.getByRole('img', { name: '张敏' }).waitFor()
  await drawer.getByText('王经理').first().waitFor()
  await expectAccessible(page)
  await page.keyboard.press('Escape')
  await drawer.waitFor({ state: 'hidden' })

  const row = rowOf(page, '张敏')
  await row.getByText('已签到').waitFor()
  await row.focus()
  await page.keyboard.press('o')
  await page.getByRole('dialog', { name: '为张敏办理签离？' }).getByRole('button', { name: '签离' }).and(page.locator(':focus')).waitFor()
  await page.keyboard.press('Enter')
  await row.getByText('已签离').waitFor()
  expect(await visitOf('张敏')).toMatchObject({ status: visitorStatus.signedOff, visiteeName: '王经理', source: visitorSource.temporary })
})

test('pending reservations stand behind the status of the address, one is accepted, another refused with a reason [BEH-030]', async () => {
  await world.call(visitorConfigurationCalls.change, { body: { approvalSwitch: true } })
  await reserve('李接受')
  await reserve('赵拒绝')
  const page = await show('/visitorCurrent?status=5')
  await rowOf(page, '李接受').getByText('待审核').waitFor()
  await expectAccessible(page)
  await rowOf(page, '李接受').focus()
  await page.keyboard.press('a')
  await rowOf(page, '李接受').waitFor({ state: 'detached' })
  await until('the reservation to be accepted', async () => (await visitOf('李接受'))?.status === visitorStatus.notYetVisited)

  await rowOf(page, '赵拒绝').focus()
  await page.keyboard.press('r')
  const dialog = page.getByRole('dialog', { name: '拒绝赵拒绝来访？' })
  await dialog.getByLabel('拒绝原因', { exact: true }).press('Enter')
  await dialog.getByRole('alert').filter({ hasText: '请填写拒绝原因。' }).waitFor()
  await expectAccessible(page)
  await dialog.getByRole('button', { name: '来访时间不合适' }).click()
  await dialog.getByRole('button', { name: '拒绝', exact: true }).click()
  await rowOf(page, '赵拒绝').waitFor({ state: 'detached' })
  expect(await visitOf('赵拒绝')).toMatchObject({ status: visitorStatus.refused, rejectReason: '来访时间不合适' })
  await expectAddress(page, 'status=5')
})

test('a phone of staff is refused at its field, and what was typed stays', async () => {
  await world.person({ name: '内部员工', phone: '13700000009' })
  const page = await show('/visitorRegister')
  await fill(page, { name: '陈访客', phone: '13700000009' })
  await page.getByLabel('卡号', { exact: true }).fill('70999')
  await page.getByTitle('Visitors at the gate').first().waitFor()
  await page.getByRole('button', { name: '保存' }).click()
  await page.locator('.ant-form-item').filter({ hasText: '手机号' }).getByText('该手机号属于内部员工。').waitFor()
  await expectAccessible(page)
  await expect.poll(() => page.getByLabel('姓名', { exact: true }).inputValue()).toBe('陈访客')
  await expect.poll(() => page.getByLabel('卡号', { exact: true }).inputValue()).toBe('70999')
})

test('the pass of an invited visitor shows its code and is renewed, and a link for the gate is made and ended', async () => {
  const turnstile = await world.device({ name: 'Turnstile' })
  const rule = await world.strategy({ name: 'By code', kind: 'visitor', devices: [turnstile], methods: [accessMethod.qrCode] })
  const { id } = await world.call(visitorCalls.create, {
    body: {
      source: visitorSource.invitation,
      name: '孙扫码',
      phone: '13600000001',
      reason: visitReason.business,
      visitTime: Date.now(),
      visitEndTime: Date.now() + 3_600_000,
      accessGroupIds: [rule.id],
      passMethods: [accessMethod.qrCode],
    },
  })
  const textOf = async () => (await world.call(visitorCalls.pass, { query: { id } })).pass?.text
  const former = await textOf()
  const page = await show(`/visitorCurrent?visit=${id}`)
  const drawer = page.getByRole('dialog', { name: '孙扫码' })
  await drawer.getByRole('img', { name: '孙扫码的通行二维码' }).waitFor()
  await drawer.getByText('来访期间可多次使用').waitFor()
  await drawer.getByRole('button', { name: '打印访客证' }).waitFor()
  await expectAccessible(page)
  await drawer.getByRole('button', { name: '重新生成' }).click()
  await page.getByRole('dialog', { name: '为孙扫码重新生成二维码？' }).getByRole('button', { name: '重新生成' }).click()
  await page.getByText('二维码已重新生成').waitFor()
  expect(await textOf()).not.toBe(former)

  await drawer.getByRole('button', { name: '邀请链接' }).click()
  await page.getByRole('dialog', { name: '孙扫码的邀请链接' }).getByRole('button', { name: '生成链接' }).click()
  await page.getByRole('img', { name: '链接二维码' }).waitFor()
  await page.getByRole('button', { name: '完成' }).click()
  await drawer.locator('.ant-drawer-close').click()
  await drawer.waitFor({ state: 'hidden' })

  await page.getByRole('button', { name: '预约链接' }).click()
  const links = page.getByRole('dialog', { name: '访客和被访人链接' })
  await links.getByText('没有此类有效链接。').waitFor()
  await expectAccessible(page)
  await links.getByRole('button', { name: '新建预约链接（24 小时）' }).click()
  const made = page.getByRole('dialog', { name: '预约链接' })
  await made.getByRole('img', { name: '链接二维码' }).waitFor()
  expect(await made.getByRole('group', { name: '链接地址' }).innerText()).toMatch(/^http.+#/)
  await expectAccessible(page)
  await made.getByRole('button', { name: '完成' }).click()
  await links.getByRole('row').filter({ hasText: '任何访客' }).getByRole('button').click()
  await page.getByRole('menuitem', { name: '停用链接' }).click()
  await page.getByRole('dialog', { name: '停用该链接？' }).getByRole('button', { name: '停用链接' }).click()
  await links.getByText('没有此类有效链接。').waitFor()
})

// Screens of the specification that have a title and no address of their own.
test.each([
  { id: 'SCR-070', at: '/configuration?tab=h5', title: '访客配置', tab: '手机 H5', shows: '签署文件' },
  { id: 'SCR-071', at: '/configuration?tab=wechat', title: '访客配置', tab: '微信', shows: '短信模板' },
  { id: 'SCR-177', at: '/printerSettings', title: '打印机', tab: null, shows: '打印机' },
])('the screen $id stands at $at', { tags: 'extended' }, async ({ at, title, tab, shows }) => {
  const page = await show(at)
  await page.getByRole('heading', { level: 1, name: title }).waitFor()
  if (tab !== null) await page.getByRole('link', { name: tab, exact: true }).and(page.locator('[aria-current="page"]')).waitFor()
  await page.getByRole('heading', { name: shows }).first().waitFor()
  expect(new URL(page.url()).hash).toBe(`#${at}`)
})
