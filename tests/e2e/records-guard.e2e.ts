/** Guard mode: who is at the door now, as a guard sees and hears it from a distance of two metres, and controls it by keys alone. */
import type { Browser, Locator, Page, WebSocketRoute } from 'playwright-core'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { accessResult, verifyType } from '@gatehouse/contract/enums'
import type { RecordObject } from '@gatehouse/contract/device/protocol-records'
import { personGroupType } from '@gatehouse/contract/enums/people'
import { REALTIME_ENDPOINT } from '@gatehouse/contract/realtime'
import type { MadeDevice, World } from '@gatehouse/dev-env/world'
import { startAnswering } from '../support/answering-device.ts'
import { connectedDevice } from '../support/connected-device.ts'
import { expectAccessible, expectAddress, openConsole, pageHolding, pagesOf } from '../support/console.ts'
import { drawnFace } from '../support/fixtures.ts'
import { sharedBrowser, sharedWorld } from '../support/stage.ts'
import { until } from '../support/until.ts'

let world: World
let browser: Browser
beforeAll(async () => {
  world = await sharedWorld()
  browser = await sharedBrowser()
})
afterAll(async () => {
  await world?.stop()
})

const show = pagesOf(() => ({ browser, world }))
const DESK = { width: 1440, height: 900 }

/** Resolve once events at the doors reach the page. */
const live = (page: Page): Promise<void> => page.locator('header [data-state="connected"]').waitFor()
const stageOf = (page: Page): Locator => page.getByRole('region', { name: 'Access event on stage' })
const nameOn = (page: Page, name: string): Locator => stageOf(page).getByRole('heading', { name })
const stripOf = (page: Page): Locator => page.getByRole('list', { name: 'Last six access events' }).getByRole('button')
async function watching(at: string): Promise<Page> {
  const page = await show(at)
  await live(page)
  return page
}

/** Records the pitch of each tone that the page starts. */
const LISTENING = `
  window.tones = []
  const begin = OscillatorNode.prototype.start
  OscillatorNode.prototype.start = function (...given) { tones.push(this.frequency.value); return begin.apply(this, given) }
`
const tonesOf = (page: Page): Promise<number[]> => page.evaluate('tones')
/** Whether a tone belongs to the alarm of the watch list. */
const isOfAlarm = (tone: number): boolean => [880, 659, 1175].includes(tone)

/** Let people pass at a door; each is refused where this is given. */
async function passerAt(device: MadeDevice) {
  const simulated = await connectedDevice(world, device)
  let seq = 0
  return {
    async pass(personName: string, more: Partial<RecordObject> = {}) {
      await simulated.send([
        {
          seq: ++seq,
          occurredAt: Date.now(),
          personId: null,
          personName,
          result: accessResult.allowed,
          failReason: null,
          verifyType: verifyType.face,
          direction: 1,
          score: 91,
          checks: '[]',
          revision: simulated.manifest().revision,
          hasPicture: false,
          ...more,
        },
      ])
      return seq
    },
    stop: () => simulated.stop(),
    picture: async (of: number) => simulated.sendPicture(of, await drawnFace()),
  }
}

/** Width and height of what the stage shows for each of the two faces: a picture, or words in its place. */
const FACES = `[...document.querySelectorAll('main section span[data-result] > :is(img, [role="img"])')]
  .map((face) => face.getBoundingClientRect())
  .map(({ width, height }) => [Math.round(width), Math.round(height)])`
const facesOf = (page: Page) => page.evaluate(FACES)
const BAND = `(() => {
  const band = document.querySelector('main section > div')
  const solid = (name) => { const probe = document.body.appendChild(document.createElement('i'));
    probe.style.color = 'var(' + name + ')'; const { color } = getComputedStyle(probe); probe.remove(); return color }
  const colour = getComputedStyle(band).backgroundColor
  return {
    width: band.getBoundingClientRect().width,
    colour: ['--status-ok-solid', '--status-bad-solid', '--alarm'].find((name) => solid(name) === colour) ?? colour,
    word: Number.parseFloat(getComputedStyle(band.querySelector('strong')).fontSize),
    name: Number.parseFloat(getComputedStyle(document.querySelector('main h2')).fontSize),
  }
})()`
const bandOf = (page: Page) => page.evaluate(BAND)

test('who passes is on the stage within seconds: verdict in colour across the width, two faces of 400 px, name, door, reason', async () => {
  const [known, unknown] = world.photographs.people
  const gate = await world.device({ name: 'North gate' })
  const person = await world.person({ name: 'Ada Lovelace', workNumber: 'BH0042', photo: await known!.photo(1) })
  await world.strategy({ name: 'North gate', persons: [person], devices: [gate] })
  const terminal = await world.terminal(gate)
  onTestFinished(() => terminal.stop())
  await world.settled()
  const page = await show('/staffCurrent')
  await page.setViewportSize(DESK)
  await page.goto(`${world.url}/#/guardMode?deviceId=${gate.id}`)
  await live(page)
  await stageOf(page).getByText('No access event matches', { exact: false }).waitFor()
  await expectAccessible(page)

  expect(await terminal.show(await known!.photo(1))).toMatchObject({ verdict: 'allowed' })
  const shownBy = Date.now()
  await nameOn(page, 'Ada Lovelace').waitFor()
  expect(Date.now() - shownBy).toBeLessThan(5000)
  for (const words of ['Admitted', 'BH0042', 'North gate']) await stageOf(page).getByText(words, { exact: true }).first().waitFor()
  await stageOf(page).getByRole('img', { name: 'Ada Lovelace, at the door' }).waitFor()
  await stageOf(page).getByRole('img', { name: 'Ada Lovelace, on file' }).waitFor()
  expect(await facesOf(page)).toEqual([
    [400, 400],
    [400, 400],
  ])
  expect(await bandOf(page)).toMatchObject({ width: DESK.width, colour: '--status-ok-solid' })
  const { word, name } = (await bandOf(page)) as { word: number; name: number }
  expect([word >= 72, name >= 44]).toEqual([true, true])
  await expectAccessible(page)

  if (world.photographs.kind !== 'real') return
  expect(await terminal.show(await unknown!.photo(1))).toMatchObject({ verdict: 'rejected' })
  await nameOn(page, 'Stranger').waitFor()
  await stageOf(page)
    .getByText(/^(No matching registered person|Similarity too low)$/)
    .waitFor()
  expect(await bandOf(page)).toMatchObject({ width: DESK.width, colour: '--status-bad-solid' })
  // Without a picture, words of the same size take its place.
  await stageOf(page).getByText('No registered person matched').waitFor()
  expect(await facesOf(page)).toEqual([
    [400, 400],
    [400, 400],
  ])
  await expectAccessible(page)
})

test('a picture that comes later takes the place that was kept for it', async () => {
  const gate = await world.device({ name: 'Slow gate' })
  const passer = await passerAt(gate)
  const page = await watching(`/guardMode?deviceId=${gate.id}`)
  await page.setViewportSize(DESK)
  const record = await passer.pass('Grace Hopper', { hasPicture: true })
  await nameOn(page, 'Grace Hopper').waitFor()
  await stageOf(page).getByText('No picture has arrived').waitFor()
  const before = await stageOf(page).getByRole('heading').boundingBox()
  const size = await facesOf(page)
  await passer.picture(record)
  await stageOf(page).getByRole('img', { name: 'Grace Hopper, at the door' }).and(page.locator('img')).waitFor()
  expect([await stageOf(page).getByRole('heading').boundingBox(), await facesOf(page)]).toEqual([before, size])
})

test('arrows step through the last six; what is looked at stays, and goes back to live by a key or by itself', async () => {
  const gate = await world.device({ name: 'Step gate' })
  const passer = await passerAt(gate)
  const { page, context } = await openConsole(browser, world, { at: `/guardMode?deviceId=${gate.id}` })
  onTestFinished(() => context.close())
  await page.clock.install()
  await page.reload()
  await live(page)
  for (const name of ['One', 'Two', 'Three', 'Four', 'Five', 'Six', 'Seven']) await passer.pass(`Passer ${name}`)
  await nameOn(page, 'Passer Seven').waitFor()
  await expect.poll(() => stripOf(page).count()).toBe(6)
  await expect.poll(() => stripOf(page).last().innerText()).toContain('Passer Two')

  await page.keyboard.press('ArrowRight')
  await nameOn(page, 'Passer Six').waitFor()
  await page.keyboard.press('ArrowRight')
  await nameOn(page, 'Passer Five').waitFor()
  await page.keyboard.press('ArrowLeft')
  await nameOn(page, 'Passer Six').waitFor()
  const paused = stageOf(page).getByRole('status').filter({ hasText: 'Paused' })
  await paused.waitFor()
  await passer.pass('Passer Eight')
  await passer.pass('Passer Nine')
  await paused.getByText('Paused · 2 new').waitFor()
  await nameOn(page, 'Passer Six').waitFor()
  await expectAccessible(page)
  await page.keyboard.press('End')
  await nameOn(page, 'Passer Nine').waitFor()
  await expect.poll(() => stripOf(page).first().innerText()).toContain('Passer Nine')

  await page.keyboard.press('ArrowRight')
  await nameOn(page, 'Passer Eight').waitFor()
  await page.keyboard.press('Escape')
  await nameOn(page, 'Passer Nine').waitFor()
  await expectAddress(page, '/guardMode')

  await page.keyboard.press('ArrowRight')
  await nameOn(page, 'Passer Eight').waitFor()
  await page.clock.fastForward(19_000)
  await paused.waitFor()
  await page.clock.fastForward(2000)
  await nameOn(page, 'Passer Nine').waitFor()
  await paused.waitFor({ state: 'detached' })

  // Without a passage for a while, the last one stays, with its time.
  await page.clock.fastForward(61_000)
  await stageOf(page).and(page.locator('[data-quiet]')).waitFor()
  await nameOn(page, 'Passer Nine').waitFor()
  await stageOf(page).getByText('1 min ago').waitFor()
  await expectAccessible(page)
})

test('the door of the passage is opened by keys alone, after a question, and says so; who may not has no button', async () => {
  const opened: number[] = []
  let answer: { isSuccess: boolean; errorType: number | null } = { isSuccess: true, errorType: null }
  const operateDoor = async () => {
    opened.push(Date.now())
    return answer
  }
  const gate = await world.device({ name: 'Main gate' })
  const passer = await passerAt(gate)
  await passer.pass('Alan Turing', { result: accessResult.rejected, failReason: 901 })
  // Both are the same device.
  await passer.stop()
  const { device } = await startAnswering(world, world, { operateDoor }, gate)
  onTestFinished(() => device.stop())
  const page = await watching(`/guardMode?deviceId=${gate.id}`)
  await nameOn(page, 'Alan Turing').waitFor()
  const question = page.getByRole('dialog', { name: /Main gate/ })
  // The other button has the focus for a moment before.
  const agreement = question.getByRole('button', { name: 'Open' }).and(page.locator(':focus'))
  const said = stageOf(page).getByRole('status')
  await stageOf(page).getByRole('button', { name: 'Open', exact: false }).waitFor()

  await page.keyboard.press('o')
  await question.getByRole('button', { name: 'Cancel' }).waitFor()
  await expectAccessible(page)
  await page.keyboard.press('Escape')
  await question.waitFor({ state: 'hidden' })
  await expectAddress(page, '/guardMode')
  expect(opened).toEqual([])
  await page.keyboard.press('o')
  await agreement.waitFor()
  await page.keyboard.press('Enter')
  await said.getByText('Main gate: Opened').waitFor()
  expect(opened.length).toBe(1)
  await expectAccessible(page)
  answer = { isSuccess: false, errorType: 4 }
  await page.keyboard.press('O')
  await agreement.waitFor()
  await page.keyboard.press('Enter')
  await said.getByText('Main gate: The door does not respond', { exact: false }).waitFor()

  const limited = await world.session({ permissions: ['access.record'] })
  const token = { token: (limited.credentials as { bearer: string }).bearer, tokenExpires: Date.now() + 3_600_000 }
  const other = await pageHolding(browser, world, { language: 'en', ...token }, { at: `/guardMode?deviceId=${gate.id}` })
  await nameOn(other, 'Alan Turing').waitFor()
  expect(await stageOf(other).getByRole('button').count()).toBe(0)
  await other.keyboard.press('o')
  expect(await other.getByRole('dialog').count()).toBe(0)
})

test('a passage is heard by its verdict; the switch is remembered in this browser', async () => {
  const gate = await world.device({ name: 'Loud gate' })
  const passer = await passerAt(gate)
  const { page, context } = await openConsole(browser, world, { at: `/guardMode?deviceId=${gate.id}` })
  onTestFinished(() => context.close())
  await page.addInitScript(LISTENING)
  await page.reload()
  await live(page)
  await passer.pass('First')
  await nameOn(page, 'First').waitFor()
  await until('a tone', async () => (await tonesOf(page)).length > 0)
  const admitted = await tonesOf(page)
  await page.evaluate('tones.length = 0')
  await passer.pass('Second', { result: accessResult.rejected, failReason: 901 })
  await nameOn(page, 'Second').waitFor()
  await until('another tone', async () => (await tonesOf(page)).length > 0)
  expect(await tonesOf(page)).not.toEqual(admitted)

  await page.keyboard.press('s')
  await page.getByRole('button', { name: 'Sound: off' }).waitFor()
  await page.reload()
  await page.getByRole('button', { name: 'Sound: off' }).waitFor()
  await live(page)
  await passer.pass('Third', { result: accessResult.rejected, failReason: 901 })
  await nameOn(page, 'Third').waitFor()
  expect(await tonesOf(page)).toEqual([])
  await page.keyboard.press('s')
  await page.getByRole('button', { name: 'Sound: on' }).waitFor()
  await until('what it sounds like', async () => (await tonesOf(page)).length > 0)
})

test('it is reached from the records at the same door, lists its keys, fills the screen, and leads back', async () => {
  const gate = await world.device({ name: 'Back gate' })
  const passer = await passerAt(gate)
  await passer.pass('Katherine Johnson')
  const page = await watching(`/staffCurrent?deviceId=${gate.id}`)
  await page.getByRole('button', { name: 'Guard mode' }).click()
  await expectAddress(page, `/guardMode?deviceId=${gate.id}`)
  await nameOn(page, 'Katherine Johnson').waitFor()
  expect(await page.title()).toContain('Guard mode')
  await page.keyboard.press('?')
  const keys = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
  await keys.getByText('Choose the door to watch').waitFor()
  await page.keyboard.press('Escape')
  await keys.waitFor({ state: 'hidden' })
  await expectAddress(page, '/guardMode')

  const isFull = () => page.evaluate('document.fullscreenElement !== null')
  await page.keyboard.press('f')
  await page.getByRole('button', { name: 'Exit full screen' }).waitFor()
  expect(await isFull()).toBe(true)
  await page.keyboard.press('f')
  await page.getByRole('button', { name: 'fullscreen Full screen', exact: true }).waitFor()

  // Another door, by keys.
  await page.keyboard.press('d')
  await page.locator('input:focus').fill('Back')
  await page.keyboard.press('Enter')
  await expectAddress(page, `deviceId=${gate.id}`)
  await page.getByRole('menu').waitFor({ state: 'hidden' })
  await page.keyboard.press('Escape')
  await expectAddress(page, `/staffCurrent?deviceId=${gate.id}`)
  await page.getByRole('heading', { name: 'Access records' }).waitFor()
})

test('a screen that is cut off says so, and since when; what was missed is there once it is live again', async () => {
  const gate = await world.device({ name: 'Far gate' })
  const passer = await passerAt(gate)
  const page = await watching('/home')
  const cables: WebSocketRoute[] = []
  let down = false
  await page.routeWebSocket(`**${REALTIME_ENDPOINT}`, async (cable) => {
    if (down) return cable.close()
    cable.connectToServer()
    cables.push(cable)
  })
  await page.goto(`${world.url}/#/guardMode?deviceId=${gate.id}`)
  await page.reload()
  await live(page)
  down = true
  for (const cable of cables) await cable.close()
  await page
    .getByRole('alert')
    .getByText(/^Not live: .* Last contact \d\d:\d\d:\d\d/)
    .waitFor()
  await expectAccessible(page)
  await passer.pass('Missed One')
  down = false
  await live(page)
  await page.getByRole('alert').waitFor({ state: 'detached' })
  await nameOn(page, 'Missed One').waitFor()

  // The dialog was loaded while there was a server: pressing the key without one causes no error.
  await stageOf(page).getByRole('button', { name: /Open/ }).and(page.locator(':enabled')).waitFor()
  await page.context().setOffline(true)
  onTestFinished(() => page.context().setOffline(false))
  await page.keyboard.press('o')
  await page
    .getByRole('dialog', { name: /Far gate/ })
    .getByRole('button', { name: 'Cancel' })
    .waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'hidden' })
  await nameOn(page, 'Missed One').waitFor()
})

// Runs last: hits of the last minutes are shown on every page that opens.
test('a watch-list person fills the stage, rings once and has no bubble beside it; without sight of the list it is a refusal', async () => {
  const group = await world.personGroup({ name: 'Wanted', type: personGroupType.blacklist })
  await world.person({
    name: 'James Moriarty',
    kind: 'special',
    groupId: group.id,
    photo: await world.photographs.people[0]!.photo(1),
    remark: 'Stole a crown',
    instruction: 'Call Baker Street, do not talk to him',
  })
  const gate = await world.device({ name: 'Tower gate' })
  const terminal = await world.terminal(gate)
  onTestFinished(() => terminal.stop())
  const passer = await passerAt(await world.device({ name: 'Other gate' }))
  await world.settled()
  const limited = await world.session({ roleSign: 'other' })
  const token = { token: (limited.credentials as { bearer: string }).bearer, tokenExpires: Date.now() + 3_600_000 }
  const unaware = await pageHolding(browser, world, { language: 'en', ...token }, { at: `/guardMode?deviceId=${gate.id}` })
  await live(unaware)
  const { page, context } = await openConsole(browser, world, { at: '/guardMode', language: 'zh-CN', theme: 'dark' })
  onTestFinished(() => context.close())
  await page.addInitScript(LISTENING)
  await page.setViewportSize(DESK)
  await page.reload()
  await live(page)
  await passer.pass('张三')
  await page.getByRole('heading', { name: '张三' }).waitFor()

  await terminal.show(await world.photographs.people[0]!.photo(1))
  const stage = page.getByRole('region', { name: '当前通行' })
  await stage.getByRole('heading', { name: 'James Moriarty' }).waitFor()
  for (const words of ['重点人员', '拒绝', 'Tower gate', 'Stole a crown', 'Call Baker Street, do not talk to him'])
    await stage.getByText(words, { exact: false }).first().waitFor()
  expect(await bandOf(page)).toMatchObject({ width: DESK.width, colour: '--alarm' })
  await until('the alarm', async () => (await tonesOf(page)).filter(isOfAlarm).length > 0)
  await expectAccessible(page)
  expect(await page.getByRole('alert').count()).toBe(0)
  const heard = (await tonesOf(page)).filter(isOfAlarm).length
  // A person who was admitted since waits in the list.
  await passer.pass('李四')
  await page.getByRole('list', { name: '最近 6 次通行' }).getByText('李四').waitFor()
  await stage.getByRole('heading', { name: 'James Moriarty' }).waitFor()
  // While another event is on the stage, the alarm is shown beside it.
  await page.keyboard.press('ArrowLeft')
  await stage.getByRole('heading', { name: '李四' }).waitFor()
  await page.getByRole('alert').filter({ hasText: 'James Moriarty' }).waitFor()
  expect((await tonesOf(page)).filter(isOfAlarm)).toHaveLength(heard)

  await nameOn(unaware, 'Stranger').waitFor()
  await stageOf(unaware).getByText('Refused', { exact: true }).waitFor()
  expect(await bandOf(unaware)).toMatchObject({ colour: '--status-bad-solid' })
  expect(await unaware.getByText('Watch list').or(unaware.getByText('Moriarty')).or(unaware.getByRole('alert')).count()).toBe(0)
})
