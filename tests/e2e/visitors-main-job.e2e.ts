/** A visit as the people of it see it: a visitor with a phone, the desk at the console, and the door, also when its network is cut. */
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { accessMethod, visitorStatus } from '@gatehouse/contract/enums'
import { recordCalls } from '@gatehouse/contract/records/calls'
import { visitorLinkCalls } from '@gatehouse/contract/visitors/appointments'
import { visitorCalls } from '@gatehouse/contract/visitors/calls'
import { visitorConfigurationCalls } from '@gatehouse/contract/visitors/configuration'
import { passRuleCalls } from '@gatehouse/contract/visitors/pass-rules'
import { openPhotographs } from '@gatehouse/dev-env/photographs'
import type { World, WorldTerminal } from '@gatehouse/dev-env/world'
import { fakeCamera } from '../support/camera.ts'
import { launchChromium } from '../support/chromium.ts'
import { openConsole } from '../support/console.ts'
import { startCutNetwork, type CutNetwork } from '../support/cut-network.ts'
import { sharedBrowser, sharedWorld } from '../support/stage.ts'
import { until } from '../support/until.ts'

const photographs = openPhotographs()
/** Where the terminal reaches the server: an address at which nothing but proxies listens. */
const DOOR_HOST = '127.0.0.9'
const SECOND = 1_000

const pictureOf = (buffer: Buffer) => ({ name: 'picture.jpg', mimeType: 'image/jpeg', buffer })

describe.skipIf(photographs.kind !== 'real')('the main job of a visit', () => {
  let world: World
  let browser: Browser
  let terminal: WorldTerminal
  let network: CutNetwork

  beforeAll(async () => {
    world = await sharedWorld()
    browser = await sharedBrowser()
    await world.person({ name: '李清照' })
    const door = await world.device({ name: 'East gate' })
    const methods = [accessMethod.face, accessMethod.qrCode]
    const rule = await world.strategy({ name: 'Visitors', kind: 'visitor', devices: [door], methods })
    await world.call(passRuleCalls.create, { body: { name: 'All visitors', accessGroupIds: [rule.id], passMethods: methods } })
    // The form proposes the next full hour.
    await world.call(visitorConfigurationCalls.change, { body: { signInLeadMinutes: 60 } })
    network = await startCutNetwork(world, DOOR_HOST)
    terminal = await world.terminal(door, { server: network.url })
  })
  afterAll(async () => {
    await terminal?.stop()
    await network?.stop()
    await world?.stop()
  })

  const online = () => until('the terminal to be online', () => terminal.state().link.kind === 'online')

  /** Reserve a visit on a small phone; return its page, which shows how the visit stands. */
  async function reserve(name: string, photo: Buffer): Promise<Page> {
    const context = await browser.newContext({ viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true, locale: 'zh-CN' })
    onTestFinished(() => context.close())
    const phone = await context.newPage()
    await phone.goto((await world.call(visitorLinkCalls.createLink, { body: { kind: 'park', address: world.url } })).url)
    await phone.getByLabel('姓名', { exact: false }).first().fill(name)
    await phone.getByLabel('手机号').first().fill('13612340001')
    await phone.getByLabel('被访人姓名').fill('李清照')
    await phone.getByLabel('会议', { exact: true }).check()
    await phone.locator('.photo > .ways input[type="file"]').last().setInputFiles(pictureOf(photo))
    await phone.getByRole('checkbox', { name: '我同意' }).check()
    await phone.getByRole('button', { name: '提交预约' }).click()
    await phone.getByText('等待确认').waitFor()
    return phone
  }

  /** Show a picture to the page of the terminal until it answers with this word; return the seconds since `start`. */
  async function shownUntil(door: Page, photo: Buffer, word: string, start: number): Promise<number> {
    await until(`the terminal to say ${word}`, async () => {
      await door.locator('#file').setInputFiles([])
      await door.locator('#file').setInputFiles(pictureOf(photo))
      return door
        .locator('#word')
        .filter({ hasText: word })
        .waitFor({ timeout: SECOND })
        .then(() => true)
    })
    return (Date.now() - start) / SECOND
  }

  test('who reserved on a phone passes once accepted, by code also without a network, and no more once signed off', async () => {
    const visitor = photographs.person('colin_powell')
    const phone = await reserve('苏轼', await visitor.photo(1))
    const door = await (await browser.newContext({ locale: 'zh-CN' })).newPage()
    onTestFinished(() => door.context().close())
    await door.goto(terminal.url)
    await shownUntil(door, await visitor.photo(2), '禁止进入', Date.now())

    const { page: desk, context } = await openConsole(browser, world, { at: '/visitorCurrent?status=5', language: 'zh-CN' })
    onTestFinished(() => context.close())
    const row = desk.getByRole('row').filter({ hasText: '苏轼' })
    await row.focus()
    await desk.keyboard.press('a')
    const accepted = Date.now()
    const knownAfter = await shownUntil(door, await visitor.photo(2), '请通行', accepted)
    const visit = await until('the visitor to have arrived', async () => {
      const [one] = (await world.call(visitorCalls.list, { query: { keyword: '苏轼' } })).content
      return one?.status === visitorStatus.checkedIn ? one : null
    })

    // The page on the phone now shows the pass; the door reads it from there while nothing else reaches it.
    const code = phone.locator('.pass img')
    await code.waitFor()
    const camera = await fakeCamera(await code.screenshot())
    const filming = await launchChromium({ args: camera.args })
    onTestFinished(async () => {
      await filming.close()
      camera.remove()
    })
    network.cut()
    await until('the terminal to be cut off', () => terminal.state().link.kind !== 'online')
    const reader = await (await filming.newContext({ locale: 'zh-CN' })).newPage()
    await reader.goto(terminal.url)
    await reader.locator('#camera-switch').click()
    await reader.locator('#word').filter({ hasText: '请通行' }).waitFor()
    await reader.locator('#name').filter({ hasText: '苏轼' }).waitFor()
    network.restore()
    await online()
    const { personId } = await world.call(visitorCalls.read, { query: { id: visit.id } })
    await until('both passages to be told', async () => {
      const { content } = await world.call(recordCalls.find, { body: { personId: personId! } })
      return new Set(content.map(({ verifyType }) => verifyType)).size === 2
    })

    await desk.goto(`${world.url}/#/visitorCurrent`)
    await row.getByText('已签到').waitFor()
    await row.focus()
    await desk.keyboard.press('o')
    await desk.getByRole('dialog', { name: '为苏轼办理签离？' }).getByRole('button', { name: '签离' }).and(desk.locator(':focus')).waitFor()
    await desk.keyboard.press('Enter')
    const signedOff = Date.now()
    const forgottenAfter = await shownUntil(door, await visitor.photo(2), '禁止进入', signedOff)
    // The code that was on the phone is worth nothing any more.
    await reader.locator('#word').filter({ hasText: '禁止进入' }).waitFor()
    expect(terminal.state().held.persons).toBe(0)
    console.log(
      `A visitor was let in ${knownAfter.toFixed(1)} s after acceptance and refused ${forgottenAfter.toFixed(1)} s after sign-off.`,
    )
  })
})
