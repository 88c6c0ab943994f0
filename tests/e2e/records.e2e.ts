/** Records, as a guard sees them: passages as they happen, and how they are handled. */
import type { Browser, Locator, Page, WebSocketRoute } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { localDate, offsetMinutes } from '@gatehouse/access-rules'
import { recordCalls } from '@gatehouse/contract/records/calls'
import type { RecordObject } from '@gatehouse/contract/device/protocol-records'
import { accessResult, failReason, verifyType } from '@gatehouse/contract/enums'
import { faceCalls } from '@gatehouse/contract/faces/calls'
import { peopleCalls } from '@gatehouse/contract/people/calls'
import { REALTIME_ENDPOINT } from '@gatehouse/contract/realtime'
import type { SimulatedDevice } from '@gatehouse/dev-env/demo/simulated-device'
import type { Made, World } from '@gatehouse/dev-env/world'
import { connectedDevice } from '../support/connected-device.ts'
import { countClicks, expectAccessible, expectAddress, pagesOf } from '../support/console.ts'
import { drawnFace } from '../support/fixtures.ts'
import { until } from '../support/until.ts'
import { sharedBrowser, sharedWorld } from '../support/stage.ts'

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

interface Door extends Made {
  /** Let this many people pass; return their names. */
  pass(count: number, more?: Partial<RecordObject>): Promise<string[]>
  simulated: SimulatedDevice
}

/** Create a door that sends passages, each one second after the previous one, all within the last minutes. */
async function door(): Promise<Door> {
  const opened = Date.now() - 600_000
  const device = await world.device()
  const simulated = await connectedDevice(world, device)
  let seq = 0
  return {
    ...device,
    simulated,
    async pass(count, more = {}) {
      const records = Array.from({ length: count }, (): RecordObject => ({
        seq: ++seq,
        occurredAt: opened + seq * 1000,
        personId: null,
        personName: `Passer ${seq}`,
        result: accessResult.allowed,
        failReason: null,
        verifyType: verifyType.face,
        direction: 1,
        score: 91,
        checks: '[]',
        revision: simulated.manifest().revision,
        hasPicture: false,
        ...more,
      }))
      await simulated.send(records)
      return records.map(({ personName }) => personName)
    },
  }
}

/** The two zones are always a day apart, so that one has another date than the park. */
const [EAST, WEST] = ['Pacific/Kiritimati', 'Pacific/Pago_Pago']

const rowsOf = (page: Page): Locator => page.locator('tr[data-row-key]')
/** Resolve once new events reach the page. */
const live = (page: Page): Promise<void> => page.locator('header [data-state="connected"]').waitFor()
const newPill = (page: Page, count: number): Locator => page.getByRole('button', { name: `${count} new`, exact: true })
/** Open the list of one door; resolve once it is loaded and subscribed. */
async function recordsOf(at: Door, rest = ''): Promise<Page> {
  const page = await show(`/staffCurrent?deviceId=${at.id}${rest}`)
  await live(page)
  await page.getByRole('heading', { name: 'Access records' }).waitFor()
  return page
}

describe('records', () => {
  test('a passage is on the screen at once: verdict, both faces, the reason, and why', async () => {
    const [known, unknown] = world.photographs.people
    const lab = await world.device({ name: 'Laboratory' })
    const night = await world.timeRule({
      name: 'Never again',
      periods: [{ weekday: 1, start: '00:00', end: '24:00' }],
      effectiveDate: '2099-01-01',
    })
    const person = await world.person({ name: 'Ada Lovelace', photo: await known!.photo(1) })
    await world.strategy({ name: 'Laboratory staff', persons: [person], devices: [lab], timeRules: [night] })
    const terminal = await world.terminal(lab)
    onTestFinished(() => terminal.stop())
    await world.settled()
    const page = await show('/staffCurrent')
    const latest = page.getByRole('complementary', { name: 'Latest record' })
    await latest.getByText('No access events yet.', { exact: false }).waitFor()
    await live(page)

    expect(await terminal.show(await known!.photo(1))).toMatchObject({ verdict: 'rejected', failReason: failReason.outsidePassageTime })
    await latest.getByRole('heading', { name: 'Ada Lovelace' }).waitFor()
    await latest.getByText('Refused', { exact: true }).waitFor()
    await latest.getByText('Outside permitted hours').waitFor()
    await latest.getByRole('img', { name: 'Ada Lovelace, at the door' }).waitFor()
    await latest.getByRole('img', { name: 'Ada Lovelace, on file' }).waitFor()
    await expectAccessible(page)

    await latest.getByRole('button', { name: 'Why this result' }).click()
    await page.getByText('“Never again” was not in force yet (access rule “Laboratory staff”).').waitFor()
    await expectAccessible(page)
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'hidden' })

    if (world.photographs.kind !== 'real') return
    expect(await terminal.show(await unknown!.photo(1))).toMatchObject({ failReason: failReason.notRegistered })
    await latest.getByRole('heading', { name: 'Stranger' }).waitFor()
  })

  test('a contact at the door is named beside the person: passing by contacts', { tags: 'extended' }, async () => {
    const [child, mother] = world.photographs.people
    const gate = await world.device({ name: 'Kindergarten' })
    const { faceId } = await world.call(faceCalls.cache, { body: {}, file: await mother!.photo(1) })
    const person = await world.person({
      name: 'Li Wei',
      photo: await child!.photo(1),
      contacts: [{ relation: 2, name: 'Wang Fang', phone: '5550199', gender: 2, photo: faceId }],
    })
    await world.strategy({ name: 'Pick-up', persons: [person], devices: [gate], authorizedObject: 'contact' })
    const terminal = await world.terminal(gate)
    onTestFinished(() => terminal.stop())
    await world.settled()
    const page = await show(`/staffCurrent?deviceId=${gate.id}`)
    await live(page)
    const latest = page.getByRole('complementary', { name: 'Latest record' })
    expect(await terminal.show(await mother!.photo(1))).toMatchObject({ verdict: 'allowed', contactName: 'Wang Fang' })
    await latest.getByRole('heading', { name: 'Li Wei' }).waitFor()
    await latest.getByText('by contact Wang Fang (Mother)').waitFor()
    await latest.getByRole('img', { name: 'Wang Fang, on file' }).waitFor()
    await rowsOf(page).filter({ hasText: 'by contact Wang Fang (Mother)' }).waitFor()
    await latest.getByRole('button', { name: 'Why this result' }).click()
    const drawer = page.getByRole('dialog')
    await drawer.getByText('Contact who came instead').waitFor()
    await drawer.getByText('Wang Fang (Mother)', { exact: true }).waitFor()
    await expectAccessible(page)
    await page.goto(`${world.url}/#/home`)
    // The list stays behind the home page, hidden, with the same words.
    await page.getByRole('region', { name: 'Latest records' }).getByText('by contact Wang Fang (Mother)', { exact: false }).waitFor()
  })

  test('new rows wait behind a pill while the top is out of sight, and older ones follow by cursor', async () => {
    const gate = await door()
    await gate.pass(45)
    const page = await recordsOf(gate)
    await until('the first page', async () => (await rowsOf(page).count()) === 30)
    await page.getByText('45 in all').waitFor()
    await page.getByRole('button', { name: 'Show older records' }).click()
    await until('all rows', async () => (await rowsOf(page).count()) === 45)
    await page.getByRole('button', { name: 'Show older records' }).waitFor({ state: 'detached' })

    await rowsOf(page).nth(40).scrollIntoViewIfNeeded()
    // A waiting row shows that the list has noticed that it is scrolled; before that, the first may still have been inserted.
    const [first] = await gate.pass(1)
    await until(
      'the pill or the row',
      async () => (await newPill(page, 1).isVisible()) || (await rowsOf(page).filter({ hasText: first! }).count()) === 1,
    )
    const before = await rowsOf(page).count()
    const waiting = (await newPill(page, 1).isVisible()) ? 1 : 0
    const [second, third] = await gate.pass(2)
    await newPill(page, waiting + 2).waitFor()
    await expect.poll(() => rowsOf(page).count()).toBe(before)
    await page.getByRole('heading', { name: third! }).waitFor()

    await newPill(page, waiting + 2).click()
    await until('the waiting rows', async () => (await rowsOf(page).count()) === 48)
    await expect.poll(() => rowsOf(page).first().innerText()).toContain(third!)
    await expect.poll(() => rowsOf(page).nth(1).innerText()).toContain(second!)
    await expect.poll(() => page.getByRole('button', { name: /new$/ }).count()).toBe(0)
  })

  test('who passes while the list is being read stands in it, although the answer is older', async () => {
    const gate = await door()
    const [before] = await gate.pass(1)
    const page = await recordsOf(gate)
    await rowsOf(page).filter({ hasText: before! }).waitFor()
    // The first answer is held back until the frame has arrived; no later one comes, so that the row can only be that of the frame.
    const framed = Promise.withResolvers<void>()
    let answers = 0
    await page.route(`**${recordCalls.find.url}`, async (route) => {
      // Alarms are requested too, and not for one door.
      if ((route.request().postDataJSON() as { deviceId?: string }).deviceId === undefined) return route.continue()
      if (answers++ > 0) return
      const response = await route.fetch()
      await framed.promise
      await route.fulfill({ response })
    })
    page.on('websocket', (socket) =>
      socket.on('framereceived', ({ payload }) => {
        if (String(payload).includes('Passer 2')) framed.resolve()
      }),
    )
    await page.reload()
    await until('the list to be asked for', () => answers > 0)
    await live(page)
    const [meanwhile] = await gate.pass(1)
    await rowsOf(page).filter({ hasText: meanwhile! }).waitFor()
    await rowsOf(page).filter({ hasText: before! }).waitFor()
    await page.getByText('2 in all').waitFor()
    await page.unroute(`**${recordCalls.find.url}`)
  })

  test('what happened while the connection was down stands in the list once it is up again', { tags: 'extended' }, async () => {
    const gate = await door()
    const page = await show('/home')
    await live(page)
    const cables: WebSocketRoute[] = []
    let down = false
    await page.routeWebSocket(`**${REALTIME_ENDPOINT}`, async (cable) => {
      if (down) return cable.close()
      cable.connectToServer()
      cables.push(cable)
    })
    await page.goto(`${world.url}/#/staffCurrent?deviceId=${gate.id}`)
    await page.reload()
    await live(page)
    await page.getByText('0 in all').waitFor()
    down = true
    for (const cable of cables) await cable.close()
    await page.locator('header [data-state="disconnected"]').waitFor()
    const [missed] = await gate.pass(1)
    down = false
    await live(page)
    await rowsOf(page).filter({ hasText: missed! }).waitFor()
    expect(await rowsOf(page).count()).toBe(1)
  })

  test('a picture that comes later appears in the row where it stands', { tags: 'extended' }, async () => {
    const gate = await door()
    const page = await recordsOf(gate)
    const [name] = await gate.pass(1, { hasPicture: true })
    const row = rowsOf(page).filter({ hasText: name! })
    await row.getByRole('img', { name: 'No picture has arrived' }).waitFor()
    await gate.simulated.sendPicture(1, await drawnFace())
    await row.getByRole('img', { name: `${name}, at the door` }).waitFor()
    await expect.poll(() => rowsOf(page).count()).toBe(1)
  })

  test('a record of last Tuesday at a door is four clicks away, by the clock of the park', async () => {
    const [gate, other] = [await door(), await door()]
    const offset = offsetMinutes(Date.now(), world.park.zone)
    const today = localDate(Date.now(), world.park.zone)
    const weekday = new Date(`${today}T00:00:00Z`).getUTCDay()
    // Tuesday of the week before.
    const day = new Date(Date.parse(today) - (((weekday + 5) % 7) + 7) * 86_400_000).toISOString().slice(0, 10)
    const at = (time: string) => Date.parse(`${day}T${time}Z`) - offset * 60_000
    await gate.pass(1, { personName: 'First of Tuesday', occurredAt: at('00:00:00.000') })
    await gate.pass(1, { personName: 'Before Tuesday', occurredAt: at('00:00:00.000') - 1 })
    await gate.pass(1, { personName: 'Last of Tuesday', occurredAt: at('23:59:59.999') })
    await other.pass(1, { personName: 'Elsewhere', occurredAt: at('12:00:00.000') })
    // In the zone of the browser, another day may have begun.
    const page = await show('/home')
    const browserClock = await page.context().newCDPSession(page)
    await browserClock.send('Emulation.setTimezoneOverride', { timezoneId: today === localDate(Date.now(), EAST) ? WEST : EAST })
    onTestFinished(async () => void (await browserClock.send('Emulation.setTimezoneOverride', { timezoneId: '' })))
    await page.goto(`${world.url}/#/staffCurrent`)
    const dialog = page.getByRole('dialog', { name: 'Time' })
    const title = new Intl.DateTimeFormat('en', { dateStyle: 'full', timeZone: 'UTC' }).format(Date.parse(day))
    const clicks = await countClicks(page)
    await page.getByRole('button', { name: /^Time: / }).click()
    await until(
      'today to be that of the park',
      async () => (await dialog.locator('[aria-current="date"]').getAttribute('data-day')) === today,
    )
    await expectAccessible(page)
    await dialog.getByRole('button', { name: title }).click()
    await page.getByRole('search').getByRole('button', { name: /^Door/ }).click()
    await page.getByRole('menuitem', { name: gate.name }).click()
    await until('its two records', async () => (await rowsOf(page).count()) === 2)
    expect(await clicks()).toBe(4)
    await page.getByRole('button', { name: `Time: Tue ${day.slice(5)}` }).waitFor()
    await dialog.waitFor({ state: 'hidden' })

    // By keyboard: the range from that day to the day before it, and a time of day.
    await page.getByRole('button', { name: /^Time: / }).focus()
    await page.keyboard.press('Enter')
    await dialog.locator(`[data-day="${day}"]:focus`).waitFor()
    await page.keyboard.press('Enter')
    await page.keyboard.press('ArrowLeft')
    await page.keyboard.press('Enter')
    await dialog.waitFor({ state: 'hidden' })
    await until('the record before', async () => (await rowsOf(page).count()) === 3)
    await page.getByRole('button', { name: /^Time: / }).click()
    await dialog.getByRole('switch').click()
    await dialog.getByRole('textbox', { name: 'From' }).fill('23.59')
    await page.keyboard.press('Enter')
    await dialog.getByRole('textbox', { name: 'To' }).fill('0')
    await page.keyboard.press('Enter')
    await until('those about midnight', async () => (await rowsOf(page).count()) === 2)
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'hidden' })
    await page.setViewportSize({ width: 390, height: 844 })
    await page.getByRole('button', { name: /^Time: / }).click()
    await dialog.getByRole('table').waitFor()
    expect(await dialog.getByRole('table').count()).toBe(1)
    await dialog.getByRole('button', { name: 'Last month' }).click()
    await page.getByRole('button', { name: 'Time: Last month' }).waitFor()
  })

  test('the person of a record is blocked and enabled beside it, its door is opened, and its link leads back', async () => {
    const gate = await door()
    const person = await world.person({ name: 'Ada Blocked', permittedAt: gate })
    await gate.pass(1, { personId: person.id, personName: person.name })
    await world.settled()
    const page = await recordsOf(gate)
    await rowsOf(page).first().click()
    const drawer = page.getByRole('dialog')
    await until('the drawer to have the focus', async () => (await drawer.locator(':focus').count()) > 0)
    const block = drawer.getByRole('button', { name: 'stop Block', exact: true })
    await block.click()
    const question = page.getByRole('dialog', { name: 'Block Ada Blocked?' })
    await question.getByRole('textbox', { name: 'Reason' }).fill('Lost the key')
    await expectAccessible(page)
    await question.getByRole('button', { name: 'Block', exact: true }).click()
    await drawer.getByText('Blocked. The terminal of 1 door has received it.').waitFor()
    expect(await world.call(peopleCalls.standing, { query: { id: person.id } })).toMatchObject({ enabled: false })
    await expectAccessible(page)
    await drawer.getByRole('button', { name: 'Enable' }).click()
    await drawer.getByText('Enabled. The terminal of 1 door has received it.').waitFor()
    await block.waitFor()

    await drawer.getByRole('button', { name: `Open the door of ${gate.name}` }).click()
    await drawer.getByText('Opened', { exact: true }).waitFor()
    await drawer.getByRole('button', { name: 'Copy link' }).click()
    await drawer.getByRole('button', { name: 'Link copied' }).waitFor()
    const link = await drawer.getByText('?record=').innerText()
    await page.goto('about:blank')
    await page.goto(link)
    await page.getByRole('dialog').getByText('Ada Blocked').first().waitFor()
  })

  test('filters stand in the address, narrow what comes live, and strangers have a page of their own', { tags: 'extended' }, async () => {
    const gate = await door()
    await gate.pass(1, { personName: 'Allowed One' })
    const stranger = { personName: '', result: accessResult.rejected, failReason: failReason.notRegistered, score: 40 }
    await gate.pass(1, stranger)
    const page = await recordsOf(gate)
    await until('both rows', async () => (await rowsOf(page).count()) === 2)
    await page.getByRole('checkbox', { name: 'Strangers only' }).click()
    await until('one row', async () => (await rowsOf(page).count()) === 1)
    await expect.poll(() => new URL(page.url()).hash).toBe(`#/staffCurrent?deviceId=${gate.id}&stranger=true`)

    await gate.pass(1, { personName: 'Allowed Two' })
    await gate.pass(1, stranger)
    await until('the stranger', async () => (await rowsOf(page).count()) === 2)
    await expect.poll(() => rowsOf(page).filter({ hasText: 'Stranger' }).count()).toBe(2)

    await page.goto(`${world.url}/#/strangerRecords?deviceId=${gate.id}`)
    await page.getByRole('heading', { name: 'Stranger records' }).waitFor()
    await until('the strangers', async () => (await rowsOf(page).filter({ visible: true }).count()) === 2)
  })

  test('a guard works without a mouse, in the table and among cards', async () => {
    const gate = await door()
    const names = await gate.pass(4)
    const page = await recordsOf(gate)
    await until('the rows', async () => (await rowsOf(page).count()) === 4)
    await rowsOf(page).first().focus()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    const drawer = page.getByRole('dialog')
    await drawer.getByText(names[2]!).first().waitFor()
    await until('the drawer to have the focus', async () => (await drawer.locator(':focus').count()) > 0)
    await page.keyboard.press('ArrowDown')
    await drawer.getByText(names[1]!).first().waitFor()
    await page.keyboard.press('Escape')
    await drawer.waitFor({ state: 'hidden' })

    await page.getByText('Cards', { exact: true }).click()
    const cards = page.getByRole('list', { name: 'Access records' }).getByRole('button')
    await until('the cards', async () => (await cards.count()) === 4)
    await expectAddress(page, 'view=cards')
    await cards.first().focus()
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press('Enter')
    await drawer.getByText(names[2]!).first().waitFor()
    await page.keyboard.press('Escape')
    await drawer.waitFor({ state: 'hidden' })
    await expectAccessible(page)
  })
})
