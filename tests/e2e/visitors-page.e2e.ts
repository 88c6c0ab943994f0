/** Pages of visitors and hosts on a phone: a visit is reserved with a photo, followed, cancelled; its host accepts it. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { visitorStatus } from '@gatehouse/contract/enums/visitors'
import { appointmentCalls, visitorLinkCalls } from '@gatehouse/contract/visitors/appointments'
import { visitorCalls } from '@gatehouse/contract/visitors/calls'
import { visitorConfigurationCalls } from '@gatehouse/contract/visitors/configuration'
import { createClient } from '@gatehouse/dev-env/client'
import type { Site, World } from '@gatehouse/dev-env/world'
import { expectAccessible } from '../support/console.ts'
import { flatPng } from '../support/pictures.ts'
import { sharedBrowser, sharedWorld } from '../support/stage.ts'

const HOUR = 3_600_000
/** Bytes of scripts, texts and styles that a phone loads before the page shows anything, gzipped. */
const FIRST_LOAD_MAX = 120_000
const DIST = join(import.meta.dirname, '../../apps/console/dist')

let world: World
let browser: Browser
let site: Site
let face: Buffer
beforeAll(async () => {
  world = await sharedWorld()
  browser = await sharedBrowser()
  site = await world.addPark()
  await site.person({ name: '李清照', phone: '13600000001' })
  await site.call(visitorConfigurationCalls.change, {
    body: {
      needAuthorisation: false,
      intervieweeRequired: true,
      companyName: '易安园区',
      address: '济南市历下区 1 号',
      coordinates: { latitude: 36.66, longitude: 117.02 },
    },
  })
  const fields = [
    { displayName: '公司', fieldName: 'company', inputType: 1 as const, required: true },
    { displayName: '交通', fieldName: 'transport', inputType: 2 as const, values: '地铁;汽车' },
    { displayName: '楼层', fieldName: 'floor', inputType: 3 as const, values: '一层;二层' },
    { displayName: '物品', fieldName: 'things', inputType: 4 as const, values: '电脑;相机' },
    { displayName: '健康码', fieldName: 'code', inputType: 5 as const },
  ]
  await site.call(visitorConfigurationCalls.changeForm, { body: { fields } })
  face = await world.photographs.people[0]!.photo(1)
})
afterAll(async () => {
  await world?.stop()
})

const linkFor = async (kind: 'park' | 'host', visitId?: string): Promise<string> =>
  (await site.call(visitorLinkCalls.createLink, { body: { kind, address: world.url, ...(visitId && { visitId }) } })).url

/** Open an address on a small phone. */
async function phoneAt(url: string, { locale = 'zh-CN', colorScheme = 'light' as 'light' | 'dark' } = {}): Promise<Page> {
  const context = await browser.newContext({ viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true, locale, colorScheme })
  onTestFinished(() => context.close())
  const page = await context.newPage()
  await page.goto(url)
  await page.getByRole('heading', { level: 1 }).waitFor()
  return page
}
async function fitsSideways(page: Page): Promise<void> {
  const { content, screen } = (await page.evaluate('({ content: document.documentElement.scrollWidth, screen: innerWidth })')) as {
    content: number
    screen: number
  }
  expect(content).toBeLessThanOrEqual(screen)
}
const choosePhoto = (page: Page, buffer: Buffer) =>
  page.locator('.photo > .ways input[type="file"]').last().setInputFiles({ name: 'photo.jpg', mimeType: 'image/jpeg', buffer })
const visitNamed = async (keyword: string) => (await site.call(visitorCalls.list, { query: { keyword, page: 1, size: 5 } })).content[0]!

test('a visit is reserved with a photo, survives a reload and a lost answer, is followed and cancelled', async () => {
  const page = await phoneAt(await linkFor('park'))
  await fitsSideways(page)
  await expectAccessible(page)
  const send = page.getByRole('button', { name: '提交预约' })
  await send.click()
  await page.getByText('请填写被访人姓名。').waitFor()
  await page.getByLabel('姓名', { exact: false }).first().fill('苏轼')
  await page.getByLabel('手机号 *').first().fill('13612345678')
  await page.getByLabel('被访人姓名').fill('李清照')
  await page.getByLabel('会议', { exact: true }).check()
  await page.getByLabel('公司').fill('东坡')
  await page.getByLabel('交通').selectOption('汽车')
  await page.getByLabel('二层', { exact: true }).check()
  await page.getByLabel('电脑', { exact: true }).check()
  await page.getByLabel('相机', { exact: true }).check()
  await page.getByLabel('健康码').setInputFiles({ name: 'code.png', mimeType: 'image/png', buffer: flatPng(300, 300) })
  await page.getByText('图片已上传').waitFor()
  await page.getByRole('button', { name: '添加随行人员' }).click()
  const companion = page.getByRole('group', { name: '随行人员 1' })
  await companion.getByLabel('姓名').fill('苏辙')
  await companion.getByLabel('手机号').fill('13612345679')
  await choosePhoto(page, flatPng(400, 400))
  await page.getByRole('alert').filter({ hasText: '没有找到人脸' }).waitFor()
  await choosePhoto(page, face)
  await page.getByRole('checkbox', { name: '我同意' }).check()
  await fitsSideways(page)
  await expectAccessible(page)

  await page.reload()
  await page.getByRole('heading', { level: 1 }).waitFor()
  await expect.poll(() => page.getByLabel('公司').inputValue()).toBe('东坡')
  // The first answer is lost on its way: the visit is there, and the same form makes no second one.
  let lost = 0
  await page.route(`**${appointmentCalls.submit.url}`, async (route) => {
    if (lost++ > 0) return route.continue()
    await route.fetch()
    await route.abort()
  })
  await send.click()
  await page.getByText('等待确认').waitFor()
  expect(lost).toBe(2)
  const found = await site.call(visitorCalls.list, { query: { keyword: '苏轼', page: 1, size: 5 } })
  expect(found).toMatchObject({ total: 1, content: [{ status: visitorStatus.pendingReview, peerCount: 1, deskChecks: [] }] })
  const visit = await site.call(visitorCalls.read, { query: { id: found.content[0]!.id } })
  expect(visit.customFields.map(({ value }) => value)).toMatchObject([
    '东坡',
    '汽车',
    '二层',
    '电脑;相机',
    expect.stringMatching(/^\/files\//),
  ])
  expect(visit.facePhoto).toMatch(/^\/files\//)

  expect(page.url()).toContain('visit.html#visit.')
  await page.getByText('济南市历下区 1 号').waitFor()
  expect(await page.getByRole('link', { name: '在地图中打开' }).getAttribute('href')).toContain('position=117.02%2C36.66')
  await fitsSideways(page)
  await expectAccessible(page)
  await page.getByRole('button', { name: '取消来访' }).click()
  await expectAccessible(page)
  await page.getByRole('button', { name: '确认取消' }).click()
  await page.getByText('已取消', { exact: true }).waitFor()
  expect((await visitNamed('苏轼')).status).toBe(visitorStatus.cancelled)
})

test('a host accepts, and refuses with a reason; the visitor sees it', async () => {
  const token = (await linkFor('park')).split('.').at(-1)!
  for (const [name, phone] of [
    ['欧阳修', '13600000011'],
    ['王安石', '13600000012'],
  ] as const) {
    const body = {
      key: crypto.randomUUID(),
      name,
      phone,
      host: { name: '李清照' },
      reason: 1 as const,
      visitTime: world.clock.now() + HOUR,
      visitEndTime: world.clock.now() + 2 * HOUR,
      customFields: (await createClient(world.url).call(appointmentCalls.open, { linkToken: token, body: {} })).fields
        .filter(({ required }) => required)
        .map(({ id }) => ({ id, value: 'x' })),
    }
    const made = await createClient(world.url).call(appointmentCalls.submit, { linkToken: token, body })
    const page = await phoneAt(await linkFor('host', (await visitNamed(name)).id), { colorScheme: 'dark' })
    await page.getByText(`${name}希望来访，请确认。`).waitFor()
    await expectAccessible(page)
    if (name === '欧阳修') await page.getByRole('button', { name: '同意来访' }).click()
    else {
      await page.getByRole('button', { name: '拒绝来访' }).click()
      await page.getByRole('button', { name: '确认拒绝' }).click()
      await page.getByText('请填写拒绝原因。').waitFor()
      await page.getByLabel('拒绝原因').fill('出差')
      await page.getByRole('button', { name: '确认拒绝' }).click()
    }
    await page.getByRole('heading', { name: name === '欧阳修' ? '已同意来访' : '已拒绝来访' }).waitFor()
    await fitsSideways(page)
    const status = await phoneAt(`${world.url}/visit.html#visit.${made.token}`, { colorScheme: 'dark' })
    await status.getByText(name === '欧阳修' ? '已通过' : '未通过', { exact: true }).waitFor()
    await expectAccessible(status)
  }
})

test.each([
  { locale: 'en-GB', title: 'Visit reservation', ended: 'This link has ended' },
  { locale: 'zh-HK', title: '訪客預約', ended: '連結已失效' },
])(
  'speaks $locale to a phone that does, in the dark, and says that a link has ended',
  { tags: 'extended' },
  async ({ locale, title, ended }) => {
    const page = await phoneAt(await linkFor('park'), { locale, colorScheme: 'dark' })
    await page.getByRole('heading', { level: 1, name: title }).waitFor()
    await fitsSideways(page)
    await expectAccessible(page)
    const wrong = await phoneAt(`${world.url}/visit.html#visit.nothing-that-was-ever-made`, { locale, colorScheme: 'dark' })
    await wrong.getByRole('heading', { name: ended }).waitFor()
    await expectAccessible(wrong)
  },
)

test('the page is small', async () => {
  const link = await linkFor('park')
  const context = await browser.newContext({ viewport: { width: 360, height: 740 }, locale: 'zh-CN' })
  onTestFinished(() => context.close())
  const page = await context.newPage()
  const files = new Set<string>()
  page.on('request', (request) => void files.add(new URL(request.url()).pathname))
  await page.goto(link)
  await page.getByRole('heading', { level: 1 }).waitFor()
  const built = [...files].map((file) => join(DIST, file)).filter((file) => /\.(js|css|html)$/.test(file))
  expect(built.length).toBeGreaterThan(3)
  expect(built.reduce((sum, file) => sum + gzipSync(readFileSync(file), { level: 9 }).length, 0)).toBeLessThan(FIRST_LOAD_MAX)
})
