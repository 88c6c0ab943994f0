/** Bubbles of the shell, as the desk sees them: visits that wait, and visitors who arrive. */
import type { Browser, BrowserContext, Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { alarmsCalls } from '@gatehouse/contract/alarms/calls'
import { recordCalls } from '@gatehouse/contract/records/calls'
import { topics } from '@gatehouse/contract/realtime'
import { startWorld, type World } from '@gatehouse/dev-env/world'
import { createReception, type Reception } from '@gatehouse/server/contexts/visitors/testing/reception'
import { expectAccessible, logOut, openConsole, openHolding } from '../support/console.ts'
import { sharedBrowser } from '../support/stage.ts'
import { until } from '../support/until.ts'

let world: World
let browser: Browser
beforeAll(async () => {
  world = await startWorld({ console: true })
  browser = await sharedBrowser()
})
afterAll(() => world?.stop())

/** Records the pitch of each tone that the page starts. */
const LISTENING = `
  window.tones = []
  const begin = OscillatorNode.prototype.start
  OscillatorNode.prototype.start = function (...given) { tones.push(this.frequency.value); return begin.apply(this, given) }
`
/** Resolve once bubbles reach the page: it requests the hits of the last minutes as soon as it has subscribed. */
const listens = (page: Page): Promise<unknown> =>
  page.waitForResponse((response) => response.url().includes(recordCalls.find.url) && response.request().postDataJSON()?.watchList === true)
const live = (page: Page): Promise<void> => page.locator('header [data-state="connected"]').waitFor()

/** Open the console in the reception's park, as the administrator. */
async function opened({ site }: Reception, at: string): Promise<{ page: Page; context: BrowserContext }> {
  const opening = await openConsole(browser, { url: world.url, park: site.park }, { at })
  onTestFinished(() => opening.context.close())
  const { page } = opening
  await page.addInitScript(LISTENING)
  const listening = listens(page)
  await page.reload()
  await live(page)
  await listening
  await page.locator('main').click({ position: { x: 2, y: 2 } })
  return opening
}
const bubbles = (page: Page): Locator => page.locator('#alarm-bubbles').getByRole('alert')
const bubbleOf = (page: Page, words: string): Locator => bubbles(page).filter({ hasText: words })

test('a visit is a bubble with face, names, host and time, which closes by hand and by keyboard [BEH-119, BEH-122, BEH-123]', async () => {
  const reception = await createReception(world)
  const { page } = await opened(reception, '/staffList')
  const search = page.getByRole('textbox', { name: 'Name' })
  await search.focus()
  const facePhoto = await reception.photo(await world.photographs.people[0]!.photo(1))
  await reception.reservation({ facePhoto, remark: 'Brings a compiler' })
  const bubble = bubbleOf(page, 'Grace Hopper')
  await bubble.waitFor()
  for (const words of ['Visit to review', 'Host: Ada Lovelace', 'Business', 'Brings a compiler']) await bubble.getByText(words).waitFor()
  await bubble.getByText(/Planned for \d\d:\d\d/).waitFor()
  await expect.poll(() => bubble.locator('img').evaluate((image: { naturalWidth: number }) => image.naturalWidth)).toBeGreaterThan(0)
  expect(await bubble.getAttribute('data-type')).toBe('visit')
  expect(await bubble.getByRole('link', { name: 'Review visits' }).getAttribute('href')).toBe('#/visitorCurrent?status=5')
  await until('the sound', () => page.evaluate<boolean>('tones.length > 0'))
  await expectAccessible(page)

  await page.keyboard.press('F8')
  await expect.poll(() => page.evaluate('document.activeElement.textContent')).toContain('Grace Hopper')
  await page.keyboard.press('Escape')
  await bubble.waitFor({ state: 'detached' })
  await expect.poll(() => page.evaluate(`document.activeElement.getAttribute('aria-label')`)).toBe('Name')

  const { id } = await reception.visit({ name: 'Jean Bartik' })
  const arrival = bubbleOf(page, 'Jean Bartik')
  await arrival.getByText('Visitor arrived').waitFor()
  expect(await arrival.getByRole('link', { name: 'Open visit' }).getAttribute('href')).toBe(`#/visitorCurrent?visit=${id}`)
  await expectAccessible(page)
  await arrival.getByRole('button', { name: 'Close' }).click()
  await arrival.waitFor({ state: 'detached' })
})

test('four bubbles are shown at most, the oldest is dropped, and none covers the field that is typed into [BEH-116]', async () => {
  const reception = await createReception(world)
  const { page } = await opened(reception, '/staffAdd')
  const names = ['Betty Holberton', 'Jean Bartik', 'Kay McNulty', 'Marlyn Meltzer', 'Ruth Teitelbaum']
  for (const name of names) {
    await reception.visit({ name })
    await bubbleOf(page, name).waitFor()
  }
  await expect.poll(() => bubbles(page).locator('h3').allInnerTexts()).toEqual(names.slice(1).toReversed())

  await page.setViewportSize({ width: 1280, height: 620 })
  for (const field of await page.locator('main form').getByRole('textbox').all()) {
    await field.focus()
    const covers = async (): Promise<boolean> => {
      const [typed, shown] = [await field.boundingBox(), await page.locator('#alarm-bubbles').boundingBox()]
      if (typed === null || shown === null) return false
      return (
        typed.x < shown.x + shown.width &&
        shown.x < typed.x + typed.width &&
        typed.y < shown.y + shown.height &&
        shown.y < typed.y + typed.height
      )
    }
    await expect.poll(covers).toBe(false)
  }
  await page.getByRole('button', { name: 'Close all 4' }).click()
  await bubbles(page).first().waitFor({ state: 'detached' })
})

test('a kind that the user has switched off, or may not see, is not shown [BEH-125, BEH-126]', async () => {
  const reception = await createReception(world)
  const { site } = reception
  await site.call(alarmsCalls.saveAccountAlert, { body: { visitArrive: false } })
  const { credentials } = await world.session({ park: site.park, permissions: ['person.list', 'device.list'] })
  const stored = { language: 'en', token: (credentials as { bearer: string }).bearer, tokenExpires: Date.now() + 3_600_000 }
  const unaware = await openHolding(browser, world, stored, { at: '/staffList', reducedMotion: undefined })
  onTestFinished(() => unaware.context.close())
  await live(unaware.page)
  const { page } = await opened(reception, '/staffList')
  const heard = await site.listen(topics.visitorArriveAlert)
  onTestFinished(() => heard.stop())

  const { id } = await reception.visit({ name: 'Jean Bartik' })
  await heard.row('the arrival', (row) => row.id === id)
  await reception.reservation({ name: 'Kay McNulty' })
  await bubbleOf(page, 'Kay McNulty').waitFor()
  expect(await bubbleOf(page, 'Jean Bartik').count()).toBe(0)
  expect(await bubbles(unaware.page).count()).toBe(0)

  // Switched off in the dialog, one that is shown goes at once.
  await page.getByRole('button', { name: /Administrator/ }).click()
  await page.getByRole('menuitem', { name: 'Pop-up settings' }).click()
  const dialog = page.getByRole('dialog', { name: 'Pop-up settings' })
  await dialog.getByRole('switch', { name: /^Visits to review/ }).click()
  await dialog.getByRole('button', { name: 'Save' }).click()
  await bubbleOf(page, 'Kay McNulty').waitFor({ state: 'detached' })
})

test('another park, and a logout, clear the bubbles [BEH-129]', async () => {
  const [here, there] = [await createReception(world), await createReception(world, { name: 'South Gate' })]
  const { page } = await opened(here, '/home')
  await here.visit({ name: 'Jean Bartik' })
  await bubbleOf(page, 'Jean Bartik').waitFor()

  await page.getByRole('button', { name: `Change park, now ${here.site.park.name}` }).click()
  const listening = listens(page)
  await page
    .locator('.ant-popover')
    .getByRole('button', { name: /South Gate/ })
    .click()
  await page.getByRole('heading', { name: 'South Gate' }).waitFor()
  await live(page)
  await listening
  expect(await bubbles(page).count()).toBe(0)
  await here.visit({ name: 'Kay McNulty' })
  await there.visit({ name: 'Ruth Teitelbaum' })
  await bubbleOf(page, 'Ruth Teitelbaum').waitFor()
  expect(await bubbles(page).count()).toBe(1)

  await logOut(page)
  expect(await page.getByText('Ruth Teitelbaum').count()).toBe(0)
  const again = await opened(there, '/home')
  expect(await bubbles(again.page).count()).toBe(0)
})
