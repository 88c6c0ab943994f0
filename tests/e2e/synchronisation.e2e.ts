/** The synchronisation of persons to doors, as an administrator in China sees it. */
import type { Browser, Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { strategyCalls } from '@gatehouse/contract/strategies/calls'
import { deviceProtocolCalls } from '@gatehouse/contract/device/protocol-calls'
import { peopleCalls } from '@gatehouse/contract/people/calls'
import type { Made, MadeDevice, MadePerson, World } from '@gatehouse/dev-env/world'
import { expectAccessible, expectAddress, pagesOf } from '../support/console.ts'
import { drawnFace } from '../support/fixtures.ts'
import { startWireDevice } from '../support/wire-device.ts'
import { until } from '../support/until.ts'
import { sharedBrowser, sharedWorld } from '../support/stage.ts'

let world: World
let browser: Browser
let door: MadeDevice
let unreached: MadeDevice
let faceless: MadePerson
let strategy: Made

beforeAll(async () => {
  world = await sharedWorld()
  browser = await sharedBrowser()
  const photo = await drawnFace()
  door = await world.device({ name: '东门' })
  unreached = await world.device({ name: '西门' })
  faceless = await world.person({ name: '王无照' })
  const known = await world.person({ name: '李有照', photo })
  strategy = await world.strategy({ name: '员工通行', persons: [faceless, known], devices: [door, unreached] })
  await world.terminal(door)
  await world.settled()
})
afterAll(async () => {
  await world?.stop()
})

const pages = pagesOf(() => ({ browser, world }))
const show = (at: string): Promise<Page> => pages(at, { language: 'zh-CN' })
const rowsOf = (part: Page | Locator): Locator => part.locator('tr[data-row-key]')
const rowOf = (part: Page | Locator, name: string): Locator => rowsOf(part).filter({ hasText: name })
const said = (page: Page, sentence: string): Promise<void> => page.locator('.ant-message').getByText(sentence).waitFor()

describe('the synchronisation of a strategy', () => {
  test('shows each door with its counts, and who failed there and why [FIELD-8]', async () => {
    const page = await show(`/syncStatus/${strategy.id}`)
    await page.getByRole('heading', { name: '同步状态' }).waitFor()
    await page.getByRole('link', { name: '员工通行' }).waitFor()
    await page.getByRole('region', { name: '人员同步情况' }).getByText('共 2 人').waitFor()
    await rowOf(page, '东门').getByText('缺少照片 1').waitFor()
    await rowOf(page, '东门').getByText('同步成功 1').waitFor()
    // Without a photo there is nothing to send again.
    expect(await page.getByRole('button', { name: '重新下发失败项' }).isDisabled()).toBe(true)
    expect(await page.getByRole('button', { name: '重新下发：东门' }).count()).toBe(0)
    await rowOf(page, '西门').getByText('同步中 2').waitFor()
    await expect.poll(() => rowsOf(page).first().innerText()).toContain('东门')
    await expectAccessible(page)

    await rowOf(page, '东门').focus()
    await page.keyboard.press('Enter')
    const drawer = page.getByRole('dialog', { name: '东门 · 人员同步情况' })
    await rowOf(drawer, '王无照').getByRole('link', { name: '添加照片' }).waitFor()
    await rowOf(drawer, '李有照').getByText('同步成功').waitFor()
    await expectAccessible(page)
    await rowOf(drawer, '王无照').getByRole('link', { name: '发送登记链接' }).click()
    const link = page.getByRole('dialog', { name: '新建链接' })
    await link.getByTitle('王无照').waitFor()
  })

  test('shows each person, and the doors of one', { tags: 'extended' }, async () => {
    const page = await show(`/syncStatus/${strategy.id}`)
    await page.getByText('按人员', { exact: true }).click()
    await rowOf(page, '李有照').getByText('同步成功 1').waitFor()
    await page.getByRole('textbox', { name: '人员' }).fill('无照')
    await until('the list to be narrowed', async () => (await rowsOf(page).count()) === 1)
    await until('both to stand in the address', () => /view=persons/.test(page.url()) && /name=/.test(page.url()))
    await expectAccessible(page)

    await rowOf(page, '王无照').getByText('王无照').click()
    const drawer = page.getByRole('dialog', { name: '王无照 · 门点同步情况' })
    await rowOf(drawer, '东门').getByText('缺少照片').waitFor()
    await rowOf(drawer, '西门').getByText('同步中').waitFor()
  })

  test('is sent again for one or for all, and says what came of it [BEH-166]', async () => {
    const [gate, refused] = [await world.device({ name: '北门' }), await world.person({ name: '赵模糊' })]
    const ofGate = await world.strategy({ name: '北门通行', persons: [refused], devices: [gate] })
    await world.settled()
    const device = await startWireDevice(world.url, gate)
    const synchronisation = world.server.contexts.synchronisation.service
    async function refuse(): Promise<void> {
      const {
        audience,
        head: cursor,
        digest,
        revision,
      } = synchronisation.current({ deviceId: gate.id, code: gate.code, parkId: world.park.id })!
      const exceptions = [{ personId: refused.id, version: '0'.repeat(16), reason: 'photoRefused' }]
      await device.http.call(deviceProtocolCalls.exceptions, { body: { audience, cursor, exceptions } })
      await device.say({ held: { revision, audience, cursor, digest, persons: 0, failed: 1 } })
    }
    await refuse()
    const page = await show(`/syncStatus/${ofGate.id}`)
    await rowOf(page, '北门').getByText('同步失败 1').waitFor()
    await rowOf(page, '北门').getByText('北门').click()
    const drawer = page.getByRole('dialog')
    await drawer.getByRole('button', { name: '将赵模糊重新下发到北门' }).click()
    await said(page, '正在重新下发 1 项。')
    await rowOf(drawer, '赵模糊').getByText('同步中').waitFor()
    await refuse()
    await rowOf(drawer, '赵模糊').getByText('照片不合格').waitFor()
    await page.keyboard.press('Escape')
    await drawer.waitFor({ state: 'hidden' })
    await page.getByRole('button', { name: '重新下发失败项' }).click()
    await said(page, '正在重新下发 1 项。')
    await expect.poll(() => rowOf(page, '北门').getByText('同步中 1').isVisible()).toBe(true)
  })

  test('follows a change without a reload', { tags: 'extended' }, async () => {
    const page = await show(`/syncStatus/${strategy.id}`)
    await rowOf(page, '东门').getByText('缺少照片 1').waitFor()
    const newcomer = await world.person({ name: '赵新人' })
    const { id, name, timeRuleIds, methods, persons, devices } = await world.call(strategyCalls.read, { query: { id: strategy.id } })
    const ids = (all: readonly { id: string }[]): string[] => all.map((one) => one.id)
    await world.call(strategyCalls.change, {
      body: { id, name, timeRuleIds, methods, personIds: [...ids(persons), newcomer.id], deviceIds: ids(devices) },
    })
    await rowOf(page, '东门').getByText('缺少照片 2').waitFor()
    await world.call(peopleCalls.delete, { query: { ids: [newcomer.id] } })
    await rowOf(page, '东门').getByText('缺少照片 1').waitFor()
    await expect.poll(() => rowOf(page, '东门').getByText('同步成功 1').isVisible()).toBe(true)
  })
})

describe('the way there', () => {
  test('leads from a strategy', { tags: 'extended' }, async () => {
    const page = await show('/passStrategy')
    await page.getByRole('button', { name: /员工通行/ }).click()
    await page.getByRole('menuitem', { name: '同步状态' }).click()
    await page.getByRole('heading', { name: '同步状态' }).waitFor()
    await rowOf(page, '西门').getByText('同步中 2').waitFor()
    await expectAddress(page, `/syncStatus/${strategy.id}`)
  })

  test('leads from a door to those who are not recognised there', { tags: 'extended' }, async () => {
    const page = await show(`/deviceDetails/${door.id}`)
    await page.getByRole('button', { name: '查看 1 名缺少照片的人员' }).click()
    const drawer = page.getByRole('dialog', { name: '东门 · 人员同步情况' })
    await rowOf(drawer, '王无照').waitFor()
    await expect.poll(() => rowsOf(drawer).count()).toBe(1)
    await expectAccessible(page)
  })

  test('is closed to a strategy that is not there', { tags: 'extended' }, async () => {
    const page = await show('/syncStatus/00000000-0000-4000-8000-000000000000')
    await page.getByRole('alert').waitFor()
    expect(await rowsOf(page).count()).toBe(0)
  })
})
