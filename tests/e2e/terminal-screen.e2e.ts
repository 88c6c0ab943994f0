/** The terminal's own screen follows its settings: what it shows of a person, what it says aloud, when it is at rest. */
import { readFileSync } from 'node:fs'
import { networkInterfaces } from 'node:os'
import { join } from 'node:path'
import { testingFacePool } from '@gatehouse/dev-env/face-memo'
import { portrait, portraitVariant } from '@gatehouse/dev-env/portraits'
import { acceptedFace, type FacePool } from '@gatehouse/face-engine'
import { idOf, personWith } from '@gatehouse/terminal/device/testing/objects'
import { startTestServer } from '@gatehouse/terminal/device/testing/server'
import type { Browser, Page } from 'playwright-core'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import type { TerminalOptions } from '@gatehouse/terminal'
import { terminalForTest, type TestTerminal } from '../../apps/terminal/src/settings/testing/terminal.ts'
import { expectAccessible } from '../support/console.ts'
import { until } from '../support/until.ts'
import { sharedBrowser } from '../support/stage.ts'

interface Heard {
  spoken?: string
  played?: string
  tone?: true
  volume: number
}

/** Records in `window.heard` what the page would say aloud: a test machine has neither loudspeaker nor voices. */
const LISTENING = `
  window.heard = []
  Object.defineProperty(window, 'SpeechSynthesisUtterance', { value: class { constructor(text) { this.text = text } } })
  Object.defineProperty(window, 'speechSynthesis', { value: { cancel() {}, speak: ({ text, volume }) => heard.push({ spoken: text,
    volume }) } })
  HTMLMediaElement.prototype.play = function () { heard.push({ played: new URL(this.src).pathname, volume: this.volume });
    return Promise.resolve() }
  const ramp = AudioParam.prototype.setValueAtTime
  AudioParam.prototype.setValueAtTime = function (value, at) { heard.push({ tone: true, volume: Math.round(value * 100) / 100 });
    return ramp.call(this, value, at) }
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

  /** Start a terminal that stores Ann, number W-7, and open its page. */
  async function opened({ language = 'en', ...change }: Partial<TerminalOptions> & { language?: string } = {}): Promise<
    TestTerminal & { page: Page; heard: () => Promise<Heard[]> }
  > {
    const server = await startTestServer()
    // Drawn faces resemble each other: only a picture of the same one is this similar.
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

  /** Greetings in English by the hour at which they start. */
  const GREETINGS = [
    [0, 'Hello'],
    [5, 'Good morning'],
    [11, 'Hello'],
    [13, 'Good afternoon'],
    [18, 'Good evening'],
    [23, 'Hello'],
  ] as const
  /** Return the present greeting at the door, which is in Shanghai. */
  function greetingNow(): string {
    const hour = new Date(Date.now() + 8 * 3_600_000).getUTCHours()
    return GREETINGS.findLast(([begins]) => begins <= hour)![1]
  }

  const tone = (page: Page) => page.locator('body').getAttribute('data-tone')
  /** Wait until the screen is at rest, and shows nothing about a person. */
  async function atRest(page: Page): Promise<void> {
    await page.locator('body[data-tone=idle]').waitFor()
    for (const id of ['name', 'details', 'portrait', 'picture', 'picture-blurred'])
      expect(await page.locator(`#${id}`).isHidden()).toBe(true)
    expect(await page.locator('#picture').getAttribute('src')).toBeNull()
  }

  async function show(page: Page, buffer: Buffer, word: string): Promise<void> {
    await page.locator('#file').setInputFiles({ name: 'picture.jpg', mimeType: 'image/jpeg', buffer })
    await page.locator('#word').filter({ hasText: word }).waitFor()
  }

  test('shows the prompt, and of whoever passes what the settings name', async () => {
    const { page, configured } = await opened({ doorOpenFor: 60_000 })
    await expect.poll(() => page.locator('#reason').isHidden()).toBe(true)
    await configured({ promptText: 'Masks, please', temperatureUnit: 'F' })
    await page.locator('#reason').filter({ hasText: 'Masks, please' }).waitFor()
    await show(page, annAgain, 'Please enter')
    await expect.poll(() => page.locator('#name').textContent()).toBe(`${greetingNow()}, Ann Li`)
    await expect.poll(() => page.locator('#details').textContent()).toMatch(/^W-7 · \d\d:\d\d:\d\d$/)
    await page.locator('#portrait').waitFor()

    await configured({ displayFields: ['workNumber'] })
    await show(page, annAgain, 'Please enter')
    await expect.poll(() => page.locator('#name').textContent()).toBe(greetingNow())
    await expect.poll(() => page.locator('#details').textContent()).toBe('W-7')
    await expect.poll(() => page.locator('#portrait').isHidden()).toBe(true)
  })

  test('shows the time of the door’s place, whatever the browser’s', async () => {
    const { page, configured } = await opened()
    const shown = async () => (await page.locator('#clock-time').textContent())?.match(/^(\d\d):\d\d$/)?.[1]
    const hourIn = (zone: string) => new Intl.DateTimeFormat('en', { hour: '2-digit', hourCycle: 'h23', timeZone: zone }).format(Date.now())
    await until('the hour of Shanghai', async () => (await shown()) === hourIn('Asia/Shanghai'))
    await configured({ timeZone: 0 })
    await until('the hour of UTC', async () => (await shown()) === hourIn('UTC'))
  })

  test('fills the whole of any screen, and the verdict is read from two metres', async () => {
    const { page } = await opened({ doorOpenFor: 60_000 })
    // Heights in pixels of verdict and greeting: as wide as a hand on a usual panel where there is room.
    for (const [width, height, word, name] of [
      [800, 1280, 84, 52],
      [600, 1024, 68, 40],
      [1280, 800, 84, 48],
      [1920, 1080, 110, 64],
      [390, 844, 40, 28],
    ] as const) {
      await page.setViewportSize({ width, height })
      await show(page, annAgain, 'Please enter')
      const of = async (id: string) => (await page.locator(`#${id}`).boundingBox())!
      const pixels = (id: string) => page.evaluate<number>(`parseFloat(getComputedStyle(document.getElementById('${id}')).fontSize)`)
      expect(await of('stage')).toEqual({ x: 0, y: 0, width, height })
      const panel = await of('verdict')
      expect({ x: panel.x, width: panel.width, bottom: Math.round(panel.y + panel.height) }).toEqual({ x: 0, width, bottom: height })
      expect(panel.height).toBeGreaterThanOrEqual(height / 3)
      expect(panel.height).toBeLessThan(height / 2)
      expect([width, (await pixels('word')) >= word, (await pixels('name')) >= name]).toEqual([width, true, true])
      for (const id of ['word', 'name', 'details', 'device-name', 'language', 'choose']) {
        const box = await of(id)
        expect([width, id, box.x >= 0 && box.x + box.width <= width && box.y >= 0 && box.y + box.height <= height]).toEqual([
          width,
          id,
          true,
        ])
      }
      expect(await page.evaluate('[document.documentElement.scrollWidth, document.documentElement.scrollHeight]')).toEqual([width, height])
    }
  })

  test('says nobody may pass when the door has closed again, and every verdict goes by itself with its picture', async () => {
    const { page, terminal } = await opened({ doorOpenFor: 1_000 })
    await show(page, annAgain, 'Please enter')
    await page.locator('#picture').waitFor()
    await until('the door has closed', () => terminal.state().door === 'closed')
    // Long before a verdict disappears by itself.
    await atRest(page)

    await show(page, stranger, 'No entry')
    await page.clock.fastForward(7_000)
    expect(await tone(page)).toBe('rejected')
    await page.clock.fastForward(1_100)
    await atRest(page)
    await show(page, Buffer.from('no picture'), 'Please try again')
    await page.clock.fastForward(8_100)
    await atRest(page)
    const card = (number: string) => fetch(`${terminal.url}input/card`, { method: 'POST', body: JSON.stringify({ number }) })
    await card('99')
    await page.locator('#word').filter({ hasText: 'No entry' }).waitFor()
    await page.clock.fastForward(8_100)
    await atRest(page)
    await terminal.look(annAgain)
    await page.locator('#word').filter({ hasText: 'Please enter' }).waitFor()
    await until('the door has closed', () => terminal.state().door === 'closed')
    await atRest(page)
  })

  test('a language is chosen from a list of three, by hand or by keys, which closes by itself', async () => {
    const { page } = await opened()
    expect(await page.locator('select').count()).toBe(0)
    const opener = page.locator('#language')
    const list = page.getByRole('group', { name: 'Language' })
    const isFocused = async (name: string) =>
      (await page.evaluate<string>("document.activeElement.getAttribute('aria-label') ?? document.activeElement.textContent")) === name
    await opener.focus()
    await page.keyboard.press('Enter')
    await list.waitFor()
    expect(await opener.getAttribute('aria-expanded')).toBe('true')
    expect(await list.getByRole('button').allInnerTexts()).toEqual(['简体中文', '繁體中文', 'English'])
    await expect.poll(() => isFocused('English')).toBe(true)
    await page.keyboard.press('Escape')
    await list.waitFor({ state: 'hidden' })
    await expect.poll(() => isFocused('Language')).toBe(true)
    await page.keyboard.press('Enter')
    await page.keyboard.press('ArrowDown')
    await expect.poll(() => isFocused('简体中文')).toBe(true)
    await page.keyboard.press('ArrowUp')
    await page.keyboard.press('ArrowUp')
    await page.keyboard.press('Enter')
    await page.locator('html[lang="zh-TW"]').waitFor()
    await page.locator('#languages').waitFor({ state: 'hidden' })
    await page.reload()
    await page.locator('html[lang="zh-TW"]').waitFor()
    await page.getByRole('button', { name: '語言' }).click()
    await page.locator('#languages').waitFor()
    await page.mouse.click(300, 400)
    await page.locator('#languages').waitFor({ state: 'hidden' })
    await page.getByRole('button', { name: '語言' }).click()
    await page.clock.fastForward(15_100)
    await page.locator('#languages').waitFor({ state: 'hidden' })
  })

  test('is accessible at rest and with a verdict, in three languages, light and dark', async () => {
    for (const [language, opener, word] of [
      ['zh-CN', '语言', '请通行'],
      ['zh-TW', '語言', '請通行'],
      ['en', 'Language', 'Please enter'],
    ] as const) {
      const { page, terminal } = await opened({ language, doorOpenFor: 60_000 })
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme })
        await page.getByRole('button', { name: opener }).click()
        await page.locator('#languages').waitFor()
        await expectAccessible(page)
        await page.keyboard.press('Escape')
        for (const details of [false, true]) {
          terminal.showCheckDetails(details)
          await page.locator('#insight').waitFor({ state: details ? 'visible' : 'hidden' })
          await show(page, annAgain, word)
          await expectAccessible(page)
        }
        terminal.showCheckDetails(false)
        await page.clock.fastForward(8_100)
        await atRest(page)
      }
    }
  })

  test('takes a password typed on a keyboard or on its keypad, and goes back to rest after the verdict', async () => {
    const { page } = await opened({ language: 'zh-CN' })
    await page.setViewportSize({ width: 800, height: 1280 })
    await page.getByRole('button', { name: '输入密码' }).click()
    const keypad = page.getByRole('dialog', { name: '密码' })
    await keypad.waitFor()
    await expectAccessible(page)
    const box = (await keypad.boundingBox())!
    expect(box.x >= 0 && box.y >= 0 && box.x + box.width <= 800 && box.y + box.height <= 1280).toBe(true)
    await keypad.getByRole('button', { name: '4', exact: true }).click()
    await page.keyboard.type('711')
    await expect.poll(() => keypad.locator('.digits').innerText()).toBe('••••')
    await page.keyboard.press('Enter')
    await page.locator('#word').filter({ hasText: '禁止进入' }).waitFor()
    await keypad.waitFor({ state: 'hidden' })
    expect(await page.locator('#reason').innerText()).not.toBe('')
    await page.clock.fastForward(8_100)
    await atRest(page)
  })

  /** A camera of the browser that films a grey wall; `window.asked` counts the requests for it. */
  const WALL = `
    window.asked = 0
    HTMLMediaElement.prototype.play = function () { this.autoplay = true; return Promise.resolve() }
    navigator.mediaDevices.getUserMedia = async () => {
      window.asked++
      const wall = Object.assign(document.createElement('canvas'), { width: 640, height: 480 })
      const paint = wall.getContext('2d')
      setInterval(() => paint.fillRect(0, 0, 640, 480), 100)
      return wall.captureStream()
    }
  `

  test('the camera starts by itself where it is permitted or was started before, and looks again after a picture', async () => {
    const { page, terminal } = await opened()
    await page.addInitScript(WALL)
    const shows = () => page.locator('#stage').getAttribute('data-shows')
    const asked = () => page.evaluate<number>('window.asked')
    const reloaded = async () => {
      await page.reload()
      await page.locator('#device-name').filter({ hasText: 'North gate' }).waitFor()
    }
    await reloaded()
    expect([await shows(), await asked()]).toEqual(['nothing', 0])
    await page.getByRole('button', { name: 'Start camera' }).click()
    await expect.poll(shows).toBe('camera')
    await page.locator('#word').filter({ hasText: 'Look at the camera' }).waitFor()
    await reloaded()
    await expect.poll(shows).toBe('camera')

    await show(page, stranger, 'No entry')
    expect(await shows()).toBe('picture')
    await page.clock.fastForward(8_100)
    await expect.poll(shows).toBe('camera')
    await page.getByRole('button', { name: 'Stop camera' }).click()
    await expect.poll(shows).toBe('nothing')

    await page.context().grantPermissions(['camera'], { origin: new URL(terminal.url).origin })
    await reloaded()
    // Stopped by the user, it stays off.
    expect([await shows(), await asked()]).toEqual(['nothing', 0])
    await page.evaluate('localStorage.clear()')
    await reloaded()
    await expect.poll(shows).toBe('camera')
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
