/** How far persons have reached doors, as an administrator in China sees it. */
import type { Browser, Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { synchronisationCalls } from '@gatehouse/contract/access/synchronisation'
import { peopleCalls } from '@gatehouse/contract/people/calls'
import type { Made, MadeDevice, MadePerson, World } from '@gatehouse/dev-env/world'
import { expectAccessible, expectAddress, pagesOf } from '../support/console.ts'
import { drawnFace } from '../support/furnished.ts'
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
    await rowOf(page, '东门').getByText('同步失败 1').waitFor()
    await rowOf(page, '东门').getByText('同步成功 1').waitFor()
    await rowOf(page, '西门').getByText('同步中 2').waitFor()
    await expect.poll(() => rowsOf(page).first().innerText()).toContain('东门')
    await expectAccessible(page)

    await rowOf(page, '东门').focus()
    await page.keyboard.press('Enter')
    const drawer = page.getByRole('dialog', { name: '东门 · 人员同步情况' })
    await rowOf(drawer, '王无照').getByText('没有登记人脸照片').waitFor()
    await rowOf(drawer, '李有照').getByText('同步成功').waitFor()
    await expectAccessible(page)
    await page.keyboard.press('Escape')
    await drawer.waitFor({ state: 'hidden' })
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
    await rowOf(drawer, '东门').getByText('没有登记人脸照片').waitFor()
    await rowOf(drawer, '西门').getByText('同步中').waitFor()
  })

  test('is sent again for one or for all, and says what came of it [BEH-166]', async () => {
    const page = await show(`/syncStatus/${strategy.id}`)
    await rowOf(page, '东门').getByText('东门').click()
    const drawer = page.getByRole('dialog')
    await drawer.getByRole('button', { name: '将王无照重新下发到东门' }).click()
    await said(page, '正在重新下发 1 项。')
    // The device tries again and says so again, while the same words may stand there all the time.
    await until('the device to have taken all and failed once more', async () => {
      const { content } = await world.call(synchronisationCalls.devices, { query: { strategyId: strategy.id } })
      const { behind, counts } = content.find(({ id }) => id === door.id)!
      return behind === 0 && counts.failed === 1
    })
    await rowOf(drawer, '王无照').getByText('没有登记人脸照片').waitFor()
    await page.keyboard.press('Escape')
    await drawer.waitFor({ state: 'hidden' })
    await rowOf(page, '东门').getByText('同步失败 1').waitFor()
    await page.getByRole('button', { name: '重新下发失败项' }).click()
    await said(page, '正在重新下发 1 项。')
    await expect.poll(() => rowOf(page, '西门').getByText('同步中 2').isVisible()).toBe(true)
  })

  test('follows a change without a reload', { tags: 'extended' }, async () => {
    const page = await show(`/syncStatus/${strategy.id}`)
    await rowOf(page, '东门').getByText('同步失败 1').waitFor()
    const newcomer = await world.person({ name: '赵新人' })
    await world.strategy({ name: '新人通行', persons: [newcomer], devices: [door] })
    await rowOf(page, '东门').getByText('同步失败 2').waitFor()
    await world.call(peopleCalls.delete, { query: { ids: [newcomer.id] } })
    await rowOf(page, '东门').getByText('同步失败 1').waitFor()
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

  test('leads from a door to those who failed there', { tags: 'extended' }, async () => {
    const page = await show(`/deviceDetails/${door.id}`)
    await page.getByRole('button', { name: '查看 1 名同步失败的人员' }).click()
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
