/**
 * Measures a burst of alarms, 5,000 in a minute unless BURST_ALARMS and BURST_SECONDS say otherwise, while a guard watches their list in a
 * browser: how long its frames take, as a ratio to those of the same page before, how long anything blocks it, how soon the last alarm
 * stands in the list, and whether e-mails keep to the budget of the hour. Every alarm must be listed and told of, else the benchmark fails.
 * Server, database and browser share the machine.
 */
import { execFile } from 'node:child_process'
import { loadavg } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { promisify } from 'node:util'
import { emailAlarmCalls } from '@gatehouse/contract/alarms/email'
import { faceAlarmCalls } from '@gatehouse/contract/alarms/face-alarms'
import { startWorld } from '@gatehouse/dev-env/world'
import { alarmBurst, alarmsTold, noteFrames } from '../tests/support/alarm-burst.ts'
import { launchChromium } from '../tests/support/chromium.ts'
import { openConsole } from '../tests/support/console.ts'
import { startMailServer } from '../tests/support/mail-server.ts'
import { until } from '../tests/support/until.ts'
import type { BenchResult } from './result.ts'
import { settings } from './settings.ts'

const CAMERAS = 10
const BUDGET = 20
const QUIET_MS = 5_000
const HOUR = 3_600_000

/** The clock of the server: ten minutes after the full hour, so that the hour of the budget does not end meanwhile. */
const offset = (HOUR + 10 * 60_000 - (Date.now() % HOUR)) % HOUR

export async function run(): Promise<BenchResult[]> {
  const { BURST_ALARMS: count, BURST_SECONDS: seconds } = settings
  await promisify(execFile)(process.execPath, [join(import.meta.dirname, '../scripts/run.mjs'), 'console'])
  const mailServer = await startMailServer()
  const clock = { now: () => Date.now() + offset }
  const world = await startWorld({ console: true, checkAnswers: false, config: { smtpUrl: mailServer.url }, clock })
  const browser = await launchChromium()
  try {
    await world.call(emailAlarmCalls.save, {
      body: { enabled: true, emails: ['guard@example.org'], language: 'en', budgetPerHour: BUDGET, groupMinutes: 0, minLevel: 1 },
    })
    const burst = await alarmBurst(world, CAMERAS)
    const { page } = await openConsole(browser, world, { at: '/monitorAlarm' })
    await page.locator('header [data-state="connected"]').waitFor()
    await page.locator('main').click({ position: { x: 2, y: 2 } })
    const frames = await noteFrames(page)
    await delay(QUIET_MS)
    const before = await frames()
    const startedAt = performance.now()
    await burst.raise(count, seconds)
    const raising = (performance.now() - startedAt) / 1000
    const during = await frames()
    const { content, total } = await world.call(faceAlarmCalls.list, { body: {} })
    if (total !== count) throw new Error(`${total} alarms are listed of ${count}`)
    const storedAt = performance.now()
    await page.locator(`tr[data-row-key="${content[0]!.id}"]`).waitFor()
    const listed = performance.now() - storedAt
    await until('every alarm to be told of', async () => (await alarmsTold(page)) === count)
    await world.settled()
    await until('the e-mails of the hour', async () => mailServer.received.length >= BUDGET)
    const { total: unsent } = await world.call(emailAlarmCalls.unsent, { query: {} })
    process.stderr.write(
      `${during.frames} frames; load ${loadavg()
        .map((load) => load.toFixed(1))
        .join(' ')}\n`,
    )
    const name = `${count.toLocaleString('en')} alarms in ${seconds} s`
    const ofBefore = (value: number, reference: number) => ({
      value,
      unit: 'ms',
      ratioTo: 'the same page before',
      ratio: value / reference,
    })
    return [
      { name: `${name}: raised in`, value: raising, unit: 's', ratioTo: 'the pace', ratio: raising / seconds, goal: 1.1 },
      { name: `${name}: frame of the browser, p50`, ...ofBefore(during.p50, before.p50) },
      { name: `${name}: frame of the browser, p95`, ...ofBefore(during.p95, before.p95) },
      { name: `${name}: longest frame of the browser`, value: during.longest, unit: 'ms', goal: 1_000 },
      { name: `${name}: longest task that blocks the page`, value: during.blocked, unit: 'ms', goal: 500 },
      { name: `${name}: the last one in the list of the page, after it was stored`, value: listed, unit: 'ms', goal: 2_000 },
      {
        name: `${name}: e-mails sent`,
        value: mailServer.received.length,
        unit: '',
        ratioTo: 'the budget',
        ratio: mailServer.received.length / BUDGET,
        goal: 1,
      },
      { name: `${name}: alarms neither e-mailed nor listed as unsent`, value: count - BUDGET - unsent, unit: '', goal: 0 },
    ]
  } finally {
    await browser.close()
    await world.stop()
    await mailServer.stop()
  }
}
