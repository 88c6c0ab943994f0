/**
 * Many alarms at once, while a guard watches their list with bubbles and sound: none is lost, in the list or on the screen, and e-mails
 * keep to the budget of their hour; the digest says the rest. In the soak, the 5,000 of a minute.
 */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ALARM_BUBBLES_MAX } from '@gatehouse/contract'
import { emailAlarmCalls } from '@gatehouse/contract/alarms/email'
import { faceAlarmCalls } from '@gatehouse/contract/alarms/face-alarms'
import { startWorld, type World } from '@gatehouse/dev-env/world'
import { alarmBurst, alarmsTold, noteFrames } from '../support/alarm-burst.ts'
import { launchChromium } from '../support/chromium.ts'
import { openConsole } from '../support/console.ts'
import { startMailServer, type MailServer } from '../support/mail-server.ts'
import { until } from '../support/until.ts'
import { depth } from './depth.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const ALARMS = depth({ usual: 300, soak: 5_000 })
const SECONDS = depth({ usual: 3, soak: 60 })
const CAMERAS = 10
const BUDGET = 3
const PAGE = 100

/** The clock of the world: ten minutes after the full hour at the start, so that the hour of the budget does not end meanwhile. */
const offset = (70 * MINUTE - (Date.now() % HOUR)) % HOUR
let later = 0
let world: World
let mailServer: MailServer
beforeAll(async () => {
  mailServer = await startMailServer()
  const clock = { now: () => Date.now() + offset + later }
  world = await startWorld({ console: true, config: { smtpUrl: mailServer.url }, clock, jobsAsleep: true })
})
afterAll(async () => {
  await world?.stop()
  await mailServer?.stop()
})

/** Return everything that was sent in no e-mail of its own. */
async function unsent() {
  const all = []
  for (let page = 1; ; page++) {
    const { content, total } = await world.call(emailAlarmCalls.unsent, { query: { page, size: PAGE } })
    all.push(...content)
    if (all.length >= total || content.length === 0) return all
  }
}

test(`${ALARMS} alarms within ${SECONDS} seconds are all listed, told of on the screen, and e-mailed within the budget`, async () => {
  await world.call(emailAlarmCalls.save, {
    body: { enabled: true, emails: ['guard@example.org'], language: 'en', budgetPerHour: BUDGET, groupMinutes: 30, minLevel: 1 },
  })
  const burst = await alarmBurst(world, CAMERAS)
  const browser = await launchChromium()
  try {
    const { page } = await openConsole(browser, world, { at: '/monitorAlarm' })
    await page.locator('header [data-state="connected"]').waitFor()
    // From the first touch on it may be heard.
    await page.locator('main').click({ position: { x: 2, y: 2 } })
    const frames = await noteFrames(page)
    await burst.raise(ALARMS, SECONDS)
    await expect.poll(() => alarmsTold(page)).toBe(ALARMS)
    console.log(`Frames of the page during ${ALARMS} alarms: ${JSON.stringify(await frames())}`)
    expect(await page.locator('#alarm-bubbles').getByRole('alert').count()).toBeLessThanOrEqual(ALARM_BUBBLES_MAX)
    const { total, content } = await world.call(faceAlarmCalls.list, { body: { size: PAGE } })
    expect(total).toBe(ALARMS)
    // The list came along by itself, without being read again by hand.
    await page.locator(`tr[data-row-key="${content[0]!.id}"]`).waitFor()
  } finally {
    await browser.close()
  }

  await world.settled()
  const { platform, contexts } = world.server
  await platform.messages.deliver()
  await until('the e-mails of the hour', () => mailServer.received.length >= BUDGET)
  expect(mailServer.received).toHaveLength(BUDGET)
  const listed = await unsent()
  expect(new Set(listed.map(({ alarmId }) => alarmId)).size).toBe(ALARMS - BUDGET)
  const waiting = listed.filter(({ reason }) => reason === 'budget')
  expect(waiting.length).toBeGreaterThan(0)

  later = HOUR
  await contexts.alarms.jobs!.find(({ name }) => name === 'alarms.sendMails')!.run()
  await platform.messages.deliver()
  // The digest, and what was counted with the alarms that were sent, a message for each.
  await until('the digest', () => mailServer.received.some(({ raw }) => raw.includes(`More alarms (${waiting.length})`)))
  await until('the messages about repeats', () => mailServer.received.length >= BUDGET + 1 + BUDGET)
  expect(mailServer.received).toHaveLength(BUDGET + 1 + BUDGET)
  const after = await unsent()
  expect(after).toHaveLength(ALARMS - BUDGET)
  expect(after.filter(({ includedAt }) => includedAt === null)).toEqual([])
})
