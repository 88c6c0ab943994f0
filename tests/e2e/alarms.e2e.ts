/** Urgent alarms, as a guard sees and hears them: a person of the watch list at a door, and a device that goes offline. */
import type { Browser, Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { shownScore } from '@gatehouse/contract'
import { recordCalls, type AccessRecord } from '@gatehouse/contract/records/calls'
import { alarmsCalls } from '@gatehouse/contract/alarms/calls'
import { failReason } from '@gatehouse/contract/enums'
import { personGroupType } from '@gatehouse/contract/enums/people'
import type { World } from '@gatehouse/dev-env/world'
import { connectedDevice } from '../support/connected-device.ts'
import { expectAccessible, expectAddress, openConsole, pageHolding } from '../support/console.ts'
import { until } from '../support/until.ts'
import { sharedBrowser, sharedWorld } from '../support/stage.ts'

const MINUTE = 60_000

let world: World
let browser: Browser
beforeAll(async () => {
  world = await sharedWorld()
  browser = await sharedBrowser()
  await wantAll()
  const group = await world.personGroup({ name: 'Wanted', type: personGroupType.blacklist })
  await world.person({
    name: 'James Moriarty',
    kind: 'special',
    groupId: group.id,
    photo: await world.photographs.people[0]!.photo(1),
    remark: 'Stole a crown',
    instruction: 'Call Baker Street, do not talk to him',
  })
})
afterAll(async () => {
  await world?.stop()
})

/** Subscribe the administrator to all alarms. */
const wantAll = () => world.call(alarmsCalls.saveAccountAlert, { body: { deviceOffline: true, watchListHit: true } })

/** Records the pitch of each tone that the page starts. */
const LISTENING = `
  window.tones = []
  const begin = OscillatorNode.prototype.start
  OscillatorNode.prototype.start = function (...given) { tones.push(this.frequency.value); return begin.apply(this, given) }
`
const tonesOf = (page: Page): Promise<number[]> => page.evaluate('tones')

/** As in users' browsers: no sound before the user has interacted with the page. */
const SILENT_UNTIL_TOUCHED = `
  let touched = false
  addEventListener('pointerdown', () => (touched = true), true)
  window.AudioContext = class extends AudioContext {
    constructor() { super(); super.suspend() }
    resume() { return touched ? super.resume() : new Promise(() => {}) }
  }
`
/** Resolve once alarms reach the page: it requests those of the last minutes as soon as it has subscribed. */
const listensToAlarms = (page: Page): Promise<unknown> =>
  page.waitForResponse((response) => {
    if (!response.url().includes(recordCalls.find.url)) return false
    const { watchList, startTime = 0 } = response.request().postDataJSON() as { watchList?: true; startTime?: number }
    return watchList === true && Date.now() - startTime < 10 * MINUTE
  })
/** Open a page of its own, whose tones are recorded. */
async function opened(at: string, script = ''): Promise<Page> {
  const { page, context } = await openConsole(browser, world, { at })
  onTestFinished(() => context.close())
  await page.addInitScript(LISTENING + script)
  const listening = listensToAlarms(page)
  await page.reload()
  await live(page)
  await listening
  return page
}
/** The same, after an interaction with the page. */
async function watching(at: string): Promise<Page> {
  const page = await opened(at)
  await page.locator('main').click({ position: { x: 2, y: 2 } })
  return page
}
/** Resolve once new events reach the page. */
const live = (page: Page): Promise<void> => page.locator('header [data-state="connected"]').waitFor()
const bubbleOf = (page: Page, words: string): Locator => page.getByRole('alert').filter({ hasText: words })
const hitRow = (page: Page): Locator => page.locator('tr[data-row-key]').filter({ hasText: 'Watch list' })

test('whoever has switched them off is not told; the sound can be tried and muted in this browser', async () => {
  onTestFinished(async () => void (await wantAll()))
  const page = await watching('/home')
  await page.getByRole('button', { name: /Administrator/ }).click()
  await page.getByRole('menuitem', { name: 'Pop-up settings' }).click()
  const dialog = page.getByRole('dialog', { name: 'Pop-up settings' })
  await dialog.getByRole('button', { name: 'Try: device' }).click()
  await until('the sound', async () => (await tonesOf(page)).length > 0)
  const switches = dialog.getByRole('switch')
  await expect.poll(async () => (await switches.first().getAttribute('id')) ?? '').toContain('watchListHit')
  await dialog.getByRole('switch', { name: /^Sound of alarms/ }).click()
  await dialog.getByRole('switch', { name: /^Device offline/ }).click()
  await expectAccessible(page)
  const readAgain = page.waitForResponse((response) => response.url().includes(alarmsCalls.accountAlertList.url))
  await dialog.getByRole('button', { name: 'Save' }).click()
  await readAgain
  await dialog.waitFor({ state: 'hidden' })
  expect(await page.evaluate(`localStorage.getItem('alarmsMuted')`)).toBe('true')
  const device = await world.device({ name: 'South door' })
  await (await connectedDevice(world, device)).stop()
  await page.goto(`${world.url}/#/deviceList?onlineStatus=0`)
  await page.getByRole('row').filter({ hasText: 'South door' }).waitFor()
  expect(await page.locator('#alarm-bubbles').innerText()).toBe('')
})

// The alarms among the three notices of the shell. The one about expired customers: session.e2e.ts; incoming calls do not exist yet.
test('a device that falls silent is told once, several as one, and no more when they are back [BEH-042]', async () => {
  const devices = [await world.device({ name: 'East door' }), await world.device({ name: 'West door' })] as const
  const [east, west] = [await connectedDevice(world, devices[0]), await connectedDevice(world, devices[1])]
  await world.settled()
  const page = await watching('/staffAdd')
  await east.stop()
  const bubble = bubbleOf(page, 'East door')
  await bubble.getByText('Device offline').waitFor()
  await until('the sound', async () => (await tonesOf(page)).length > 0)
  // Under the pointer it stays.
  await bubble.hover()
  await west.stop()
  await bubbleOf(page, '2 devices offline').waitFor()
  expect(await page.getByRole('alert').count()).toBe(1)
  await expectAccessible(page)
  await bubbleOf(page, '2 devices offline').getByRole('link', { name: 'Show offline devices' }).click()
  await expectAddress(page, 'onlineStatus=0')

  await connectedDevice(world, devices[0])
  await connectedDevice(world, devices[1])
  await page.getByRole('alert').waitFor({ state: 'detached' })
})

// Runs last: hits of the last minutes are shown on every page that opens.
test('a watch-list person at a door is announced at once to those who see the list: faces, score, reason, person [BEH-128]', async () => {
  const gate = await world.device({ name: 'North gate' })
  const terminal = await world.terminal(gate)
  onTestFinished(() => terminal.stop())
  await world.settled()
  const limited = await world.session({ roleSign: 'other' })
  const token = { token: (limited.credentials as { bearer: string }).bearer, tokenExpires: Date.now() + 3_600_000 }
  const unaware = await pageHolding(browser, world, { language: 'en', ...token }, { at: `/staffCurrent?deviceId=${gate.id}` })
  await live(unaware)
  const untouched = await opened('/home', SILENT_UNTIL_TOUCHED)
  const page = await watching('/staffList')
  const search = page.getByRole('textbox', { name: 'Name' })
  await search.focus()

  expect(await terminal.show(await world.photographs.people[0]!.photo(1))).toMatchObject({ failReason: failReason.notRegistered })
  const bubble = bubbleOf(page, 'James Moriarty')
  await bubble.waitFor()
  for (const words of [
    'Watch list: at the door now',
    'North gate',
    'Wanted',
    'Stole a crown',
    'Call Baker Street, do not talk to him',
    'Refused',
  ])
    await bubble.getByText(words).first().waitFor()
  const faces = bubble.getByRole('img').and(page.locator('img'))
  await expect.poll(() => faces.count()).toBe(2)
  const [{ watchList }] = (await world.call(recordCalls.find, { body: { watchList: true } })).content as [AccessRecord]
  expect(await bubble.locator('output').innerText()).toBe(shownScore(watchList!.score).toFixed(2))
  const [captured, registered] = [await faces.nth(0).boundingBox(), await faces.nth(1).boundingBox()]
  expect([captured?.width, captured?.height]).toEqual([registered?.width, registered?.height])
  await expectAccessible(page)
  await until('the sound', async () => (await tonesOf(page)).length > 0)
  const heard = await tonesOf(page)

  // Before an interaction, the browser plays no sound: the bubble says so.
  const turnOn = untouched.getByRole('button', { name: 'Turn on sound' })
  await turnOn.waitFor()
  expect(await tonesOf(untouched)).toEqual([])
  await turnOn.click()
  await turnOn.waitFor({ state: 'detached' })
  expect((await tonesOf(untouched)).length).toBeGreaterThan(0)

  // By keyboard: to the bubble, and back to the previous focus.
  await page.keyboard.press('F8')
  await expect.poll(() => page.evaluate('document.activeElement.textContent')).toContain('James Moriarty')
  await page.keyboard.press('Escape')
  await bubble.waitFor({ state: 'detached' })
  await expect.poll(() => page.evaluate(`document.activeElement.getAttribute('aria-label')`)).toBe('Name')
  // It does not reappear when the page is loaded again.
  await page.reload()
  await live(page)
  await page.getByRole('heading', { name: 'Staff' }).waitFor()
  expect(await page.locator('#alarm-bubbles').innerText()).toBe('')

  await terminal.show(await world.photographs.people[0]!.photo(2))
  await bubble.getByRole('link', { name: 'Open record' }).click()
  const drawer = page.getByRole('dialog')
  const found = drawer.getByRole('region', { name: 'Watch list' })
  await found.getByText('Call Baker Street, do not talk to him').waitFor()
  await drawer.getByRole('img', { name: 'James Moriarty' }).waitFor()
  await drawer.getByText('Why this result', { exact: true }).waitFor()
  await drawer.locator('ol li').first().waitFor()
  for (const words of ['For this person to pass', 'No matching registered person', 'Who is it?'])
    expect(await drawer.getByText(words).count(), words).toBe(0)
  await expectAccessible(page)
  await page.keyboard.press('Escape')
  await drawer.waitFor({ state: 'hidden' })
  await expect.poll(() => hitRow(page).filter({ hasText: 'James Moriarty' }).count()).toBe(2)
  await page.getByRole('checkbox', { name: 'Watch list only' }).click()
  await expectAddress(page, 'watchList=true')
  await expect.poll(() => page.locator('tr[data-row-key]').count()).toBe(2)

  await page.goto(`${world.url}/#/home`)
  const alarms = page.getByRole('region', { name: 'Alarms today' })
  await expect.poll(() => alarms.getByRole('listitem').count()).toBe(2)
  // It is an alarm, and not also a task.
  expect(await page.getByRole('region', { name: 'Needs attention' }).getByText('Watch', { exact: false }).count()).toBe(0)
  await expectAccessible(page)
  await alarms
    .getByRole('link', { name: /Watch list: James Moriarty.*North gate/ })
    .first()
    .click()
  await found.getByText('Call Baker Street, do not talk to him').waitFor()
  await page.keyboard.press('Escape')
  await bubble.getByRole('link', { name: 'Open person' }).click()
  await page.getByText('No door admits this person', { exact: false }).waitFor()
  await page.getByText('Call Baker Street, do not talk to him').first().waitFor()

  // It does not cover the field that is typed into.
  await page.goto(`${world.url}/#/blackAdd`)
  await page.locator('main form').getByRole('textbox', { name: 'Reason' }).waitFor()
  await page.setViewportSize({ width: 1280, height: 620 })
  for (const field of await page.locator('main form').getByRole('textbox').all()) {
    await field.focus()
    const covers = async (): Promise<boolean> => {
      const [typed, bubbles] = [await field.boundingBox(), await page.locator('#alarm-bubbles').boundingBox()]
      if (typed === null || bubbles === null) return false
      return (
        typed.x < bubbles.x + bubbles.width &&
        bubbles.x < typed.x + typed.width &&
        typed.y < bubbles.y + bubbles.height &&
        bubbles.y < typed.y + typed.height
      )
    }
    await expect.poll(covers).toBe(false)
  }

  // Users without access to the list see two strangers who were refused.
  const rows = unaware.locator('tr[data-row-key]')
  await expect.poll(() => rows.filter({ hasText: 'Stranger' }).filter({ hasText: 'No matching registered person' }).count()).toBe(2)
  expect(await unaware.getByText('Watch list').or(unaware.getByText('Moriarty')).or(unaware.getByRole('alert')).count()).toBe(0)
  await unaware.goto(`${world.url}/#/home`)
  const latest = unaware.getByRole('region', { name: 'Latest records' })
  await latest.getByText('No matching registered person').first().waitFor()
  expect(await unaware.getByRole('region', { name: 'Alarms today' }).or(unaware.getByText('Moriarty')).count()).toBe(0)
  expect(heard.length).toBeGreaterThan(4)
})
