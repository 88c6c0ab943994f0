/** The screen of a terminal with a network camera: it shows its pictures, and a message when there are none. */
import { testingFacePool } from '@gatehouse/dev-env/face-memo'
import { portrait, portraitVariant } from '@gatehouse/dev-env/portraits'
import { acceptedFace, type FacePool } from '@gatehouse/face-engine'
import { idOf, personWith } from '@gatehouse/terminal/device/testing/objects'
import { startTestServer } from '@gatehouse/terminal/device/testing/server'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { terminalForTest } from '../../apps/terminal/src/settings/testing/terminal.ts'
import { expectAccessible } from '../support/console.ts'
import { ffmpegMissing, startRtspCamera } from '../support/rtsp-camera.ts'
import { until } from '../support/until.ts'
import { sharedBrowser } from '../support/stage.ts'

/** Records in `window.shown` what the screen and its large panel show, so that nothing shown briefly is missed. */
const WATCHING = `
  window.shown = []
  new MutationObserver(() => {
    const now = document.getElementById('stage')?.dataset.shows + ': ' + document.getElementById('word')?.textContent
    if (shown.at(-1) !== now) shown.push(now)
  }).observe(document, { subtree: true, childList: true, characterData: true, attributeFilter: ['data-shows'] })
`

if (ffmpegMissing !== null) console.warn(`Skipped: ${ffmpegMissing}`)

describe.skipIf(ffmpegMissing !== null)('the screen of a terminal with a camera of the network', () => {
  let browser: Browser
  let pool: FacePool

  beforeAll(async () => {
    pool = testingFacePool({ workers: 1 })
    browser = await sharedBrowser()
  })
  afterAll(async () => {
    await pool?.close()
  })

  test('shows what it sees, who is let in, and says when it is away', async () => {
    const server = await startTestServer()
    onTestFinished(() => server.stop())
    // Drawn faces resemble each other: only a picture of the same one is this similar.
    server.audience.manifest.settings.threshold = 95
    server.audience.put(personWith(idOf('ann'), acceptedFace(await pool.analyse(await portrait(1))).embedding, { name: 'Ann Li' }))
    const camera = await startRtspCamera(await portraitVariant(1, 1))
    onTestFinished(() => camera.stop())
    const { terminal, stop } = await terminalForTest({ pool, camera: camera.url, cameraSilence: 60_000 }, server)
    const context = await browser.newContext({ locale: 'en', viewport: { width: 1280, height: 800 } })
    onTestFinished(() => context.close())
    const page = await context.newPage()
    // The browser's own camera was started on this screen before.
    await context.addInitScript(
      "localStorage.setItem('gatehouse.terminal.camera', 'on'); window.asked = 0; navigator.mediaDevices.getUserMedia = () => { " +
        "window.asked++; return Promise.reject(new Error('asked')) }",
    )
    await context.addInitScript(WATCHING)
    await page.goto(terminal.url)

    const remote = page.locator('#remote')
    const shows = () => page.locator('#stage').getAttribute('data-shows')
    const width = () => page.evaluate("document.getElementById('remote').naturalWidth")
    await until('the picture of the camera', async () => (await shows()) === 'remote' && (await width()) === 640)
    await page.locator('#name').filter({ hasText: 'Ann Li' }).waitFor()
    await expect.poll(() => page.locator('#word').textContent()).toBe('Please enter')
    await expect.poll(() => remote.getAttribute('alt')).toBe('What the camera sees')
    await expect.poll(() => page.locator('#camera-switch').isHidden()).toBe(true)
    expect(await page.evaluate('window.asked')).toBe(0)
    await expectAccessible(page)

    // A picture from a file takes precedence for a moment, though Ann is still in front of the camera; then the camera may take over again.
    const shown = () => page.evaluate('window.shown') as Promise<string[]>
    await page.locator('#file').setInputFiles({ name: 'picture.jpg', mimeType: 'image/jpeg', buffer: Buffer.from(await portrait(7)) })
    await until('the verdict on the chosen picture', async () => (await shown()).includes('picture: No entry'))
    await until('the camera again', async () => (await shows()) === 'remote')

    await camera.away()
    await page.getByRole('status').filter({ hasText: 'The camera sends no pictures.' }).waitFor()
    await until('no picture that passes for the present', async () => (await shows()) !== 'remote')
    await expect.poll(() => remote.getAttribute('src')).toBeNull()
    await page.locator('#word').filter({ hasText: 'Please present a card, enter a password, or show a QR code' }).waitFor()
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Language' }).click()
    await page.getByRole('button', { name: '繁體中文' }).click()
    await page.getByRole('status').filter({ hasText: '攝影機沒有畫面' }).waitFor()

    await camera.back()
    await until('the picture again', async () => (await shows()) === 'remote' && (await width()) === 640)
    await expect.poll(() => page.locator('#camera-trouble').isHidden()).toBe(true)
    await stop()
  })
})
