/** The terminal's own screen follows its settings: what it shows of somebody, what it says aloud, when it rests. */
import { readFileSync } from 'node:fs'
import { networkInterfaces } from 'node:os'
import { join } from 'node:path'
import { testingFacePool } from '@gatehouse/dev-env/face-memo'
import { acceptedFace, type FacePool, portrait, portraitVariant } from '@gatehouse/face-engine'
import { idOf, personWith } from '@gatehouse/terminal/device/testing-objects'
import { startTestServer } from '@gatehouse/terminal/device/testing-server'
import type { Browser, Page } from 'playwright-core'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import type { TerminalOptions } from '@gatehouse/terminal'
import { terminalForTest, type TestTerminal } from '../../apps/terminal/src/settings/testing-terminal.ts'
import { expectAccessible } from '../support/console.ts'
import { until } from '../support/until.ts'
import { sharedBrowser } from '../support/stage.ts'

interface Heard {
  spoken?: string
  played?: string
  tone?: true
  volume: number
}

/** Notes what the page would be heard to say, in `window.heard`: a machine of tests has neither loudspeaker nor voices. */
const LISTENING = `
  window.heard = []
  Object.defineProperty(window, 'SpeechSynthesisUtterance', { value: class { constructor(text) { this.text = text } } })
  Object.defineProperty(window, 'speechSynthesis', { value: { cancel() {}, speak: ({ text, volume }) => heard.push({ spoken: text, volume }) } })
  HTMLMediaElement.prototype.play = function () { heard.push({ played: new URL(this.src).pathname, volume: this.volume }); return Promise.resolve() }
  const ramp = AudioParam.prototype.setValueAtTime
  AudioParam.prototype.setValueAtTime = function (value, at) { heard.push({ tone: true, volume: Math.round(value * 100) / 100 }); return ramp.call(this, value, at) }
`

const outside = Object.values(networkInterfaces())
  .flat()
  .find((address) => address?.family === 'IPv4' && !address.internal)?.address

describe('the screen of a terminal', () => {
  let browser: Browser
  let pool: FacePool
  let ann: Buffer
  let annAgain: Buffer
  let stranger: Buffer

  beforeAll(async () => {
    pool = testingFacePool({ workers: 1 })
    browser = await sharedBrowser()
    ann = Buffer.from(await portrait(1))
    annAgain = Buffer.from(await portraitVariant(1, 1))
    stranger = Buffer.from(await portrait(7))
  })
  afterAll(async () => {
    await pool?.close()
  })

  /** A terminal that holds Ann, number W-7, and its page. */
  async function opened({ language = 'en', ...change }: Partial<TerminalOptions> & { language?: string } = {}): Promise<
    TestTerminal & { page: Page; heard: () => Promise<Heard[]> }
  > {
    const server = await startTestServer()
    // Drawn faces are alike: only a picture of the same one comes so near.
    server.audience.manifest.settings.threshold = 95
    server.audience.put(personWith(idOf('ann'), acceptedFace(await pool.analyse(ann)).embedding, { name: 'Ann Li', workNumber: 'W-7' }))
    const made = await terminalForTest({ pool, ...change }, server)
    onTestFinished(() => server.stop())
    await until('Ann to be held', () => made.terminal.state().held.persons === 1)
    const context = await browser.newContext({ locale: language, viewport: { width: 1280, height: 800 }, timezoneId: 'America/New_York' })
    onTestFinished(() => context.close())
    await context.addInitScript(LISTENING)
    const page = await context.newPage()
    await page.clock.install()
    await page.goto(made.terminal.url)
    await page.locator('#device-name').filter({ hasText: 'North gate' }).waitFor()
    return { ...made, page, heard: () => page.evaluate('window.heard') as Promise<Heard[]> }
  }

  async function show(page: Page, buffer: Buffer, word: string): Promise<void> {
    await page.locator('#file').setInputFiles({ name: 'picture.jpg', mimeType: 'image/jpeg', buffer })
    await page.locator('#word').filter({ hasText: word }).waitFor()
  }

  test('shows the prompt, and of whoever passes what the settings name', async () => {
    const { page, configured } = await opened()
    await expect.poll(() => page.locator('#reason').isHidden()).toBe(true)
    await configured({ promptText: 'Masks, please', temperatureUnit: 'F' })
    await page.locator('#reason').filter({ hasText: 'Masks, please' }).waitFor()
    await show(page, annAgain, 'Please enter')
    await expect.poll(() => page.locator('#name').textContent()).toBe('Ann Li')
    await expect.poll(() => page.locator('#details').textContent()).toMatch(/^W-7 · \d\d:\d\d:\d\d$/)
    await page.locator('#portrait').waitFor()
    await expectAccessible(page)

    await configured({ displayFields: ['workNumber'] })
    await page.locator('#name').waitFor({ state: 'hidden' })
    await expect.poll(() => page.locator('#details').textContent()).toBe('W-7')
    await expect.poll(() => page.locator('#portrait').isHidden()).toBe(true)
  })

  test('shows the time of the door’s place, whatever the browser’s', async () => {
    const { page, configured } = await opened()
    const shown = async () => (await page.locator('#clock').textContent())?.match(/(\d\d):\d\d:\d\d/)?.[1]
    const hourIn = (zone: string) => new Intl.DateTimeFormat('en', { hour: '2-digit', hourCycle: 'h23', timeZone: zone }).format(Date.now())
    await until('the hour of Shanghai', async () => (await shown()) === hourIn('Asia/Shanghai'))
    await configured({ timeZone: 0 })
    await until('the hour of UTC', async () => (await shown()) === hourIn('UTC'))
  })

  test('says aloud what the settings give it, as loud as they say, and nothing at volume 0', { tags: 'extended' }, async () => {
    const { page, configured, server, terminal, heard } = await opened()
    await show(page, annAgain, 'Please enter')
    await expect
      .poll(() => heard())
      .toEqual([
        { tone: true, volume: 0.24 },
        { tone: true, volume: 0.24 },
      ])
    await configured({ voicePromptText: 'Welcome', volume: 50 })
    await page.reload()
    await page.locator('#device-name').filter({ hasText: 'North gate' }).waitFor()
    await show(page, annAgain, 'Please enter')
    const welcome = { spoken: 'Welcome', volume: 0.5 }
    await expect.poll(() => heard()).toEqual([welcome])
    await show(page, stranger, 'No entry')
    await expect
      .poll(() => heard())
      .toEqual([welcome, { tone: true, volume: 0.2 }, { tone: true, volume: 0.2 }, { spoken: 'No entry', volume: 0.5 }])

    server.files.set('voice-1', Buffer.from('fffb900000000000', 'hex'))
    await configured({ voiceFile: 'voice-1', voicePromptText: 'Welcome', volume: 100 })
    await until('the file', () => terminal.state().files.voice !== null)
    await page.reload()
    await page.locator('#device-name').filter({ hasText: 'North gate' }).waitFor()
    await show(page, annAgain, 'Please enter')
    await expect.poll(() => heard()).toEqual([{ played: '/files/voice-1', volume: 1 }])

    await configured({ voiceFile: 'voice-1', voicePromptText: 'Welcome', volume: 0 })
    await page.reload()
    await page.locator('#device-name').filter({ hasText: 'North gate' }).waitFor()
    await show(page, annAgain, 'Please enter')
    await show(page, stranger, 'No entry')
    expect(await heard()).toEqual([])
  })

  test('rests behind the screen saver when nobody comes, and is there at once when somebody does', async () => {
    const { page, configured, server, terminal } = await opened()
    const saver = page.locator('#saver')
    const picture = await sharp({ create: { width: 64, height: 40, channels: 3, background: '#205080' } })
      .png()
      .toBuffer()
    server.files.set('saver-1', picture)
    await page.clock.fastForward('10:00')
    expect(await saver.isVisible()).toBe(false)
    await configured({ screenSaver: 'saver-1', screenSaverAfter: 300 })
    await page.locator('#saver-picture[src="/files/saver-1"]').waitFor({ state: 'attached' })
    await page.clock.fastForward(200_000)
    expect(await saver.isVisible()).toBe(false)
    await page.clock.fastForward(101_000)
    await expect.poll(() => saver.isVisible()).toBe(true)
    await expect.poll(() => page.evaluate("document.getElementById('saver-picture').naturalWidth")).toBe(64)

    await page.mouse.click(600, 300)
    await expect.poll(() => saver.isVisible()).toBe(false)
    await page.clock.fastForward(301_000)
    await expect.poll(() => saver.isVisible()).toBe(true)
    await terminal.look(annAgain)
    await page.locator('#word').filter({ hasText: 'Please enter' }).waitFor()
    await expect.poll(() => saver.isVisible()).toBe(false)

    await configured({ screenSaverAfter: 0 })
    await page.locator('#saver-picture[src]').waitFor({ state: 'detached' })
    await page.clock.fastForward('10:00')
    expect(await saver.isVisible()).toBe(false)
  })

  test('warns of what happens at the door, in the language of the page', async () => {
    const { page, terminal, configured } = await opened({ language: 'zh-CN', pins: 'simulated' })
    await expect.poll(() => page.locator('#notice').isHidden()).toBe(true)
    await configured({ gpioTypes: ['tamper'] })
    await fetch(`${terminal.url}pins/0`, { method: 'PUT', body: '1' })
    await page.getByRole('alert').filter({ hasText: '本终端的外壳正被拆开。' }).waitFor()
    await expectAccessible(page)
    await fetch(`${terminal.url}pins/0`, { method: 'PUT', body: '0' })
    await page.locator('#notice').waitFor({ state: 'hidden' })
  })

  test.skipIf(!outside)('opens on another machine with the key of the terminal, which then stands in no address', async () => {
    const { terminal, folder, page } = await opened({ host: '0.0.0.0', allowFrames: true })
    const elsewhere = `http://${outside}:${terminal.port}/`
    const key = readFileSync(join(folder, 'frames-key'), 'utf8').trim()
    await page.goto(elsewhere)
    await page.getByText('asks other machines for its key').waitFor()
    await page.goto(`${elsewhere}#key=${key}`)
    await page.locator('#device-name').filter({ hasText: 'North gate' }).waitFor()
    expect(page.url()).toBe(elsewhere)
    await show(page, annAgain, 'Please enter')
    await page.goto(elsewhere)
    await page.locator('#device-name').filter({ hasText: 'North gate' }).waitFor()
  })
})
