/**
 * The page of a visitor machine. The server is the one of the terminal's tests, a fake built from the contract; the camera is a fake too,
 * which shows a drawn portrait.
 */
import { testingFacePool } from '@gatehouse/dev-env/face-memo'
import { portrait, portraitVariant } from '@gatehouse/dev-env/portraits'
import { acceptedFace, type FacePool } from '@gatehouse/face-engine'
import type { MachineVisit } from '@gatehouse/contract/device/visitor-machine'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { encodeTemplate } from '../../apps/terminal/src/store/template.ts'
import { machineWith, passOf, visitWith, type TestMachine } from '../../apps/terminal/src/visitor-machine/testing/machine.ts'
import { expectAccessible } from '../support/console.ts'
import { until } from '../support/until.ts'
import { sharedBrowser } from '../support/stage.ts'

/** A fake camera that shows a picture; `window.show` changes it. Printing is counted instead of done. */
const CAMERA = (first: string) => `
  window.printed = 0
  window.print = () => { window.printed++ }
  const canvas = Object.assign(document.createElement('canvas'), { width: 640, height: 640 })
  const image = new Image()
  setInterval(() => canvas.getContext('2d').drawImage(image, 0, 0, 640, 640), 50)
  window.show = (address) => { image.src = address }
  window.show(${JSON.stringify(first)})
  navigator.mediaDevices.getUserMedia = () => Promise.resolve(canvas.captureStream(10))
`
const addressOf = (picture: Uint8Array) => `data:image/jpeg;base64,${Buffer.from(picture).toString('base64')}`

describe('the page of a visitor machine', () => {
  let browser: Browser
  let pool: FacePool
  let ann: MachineVisit
  let annAgain: string
  let stranger: string

  beforeAll(async () => {
    pool = testingFacePool({ workers: 1 })
    browser = await sharedBrowser()
    ann = visitWith({ template: encodeTemplate(acceptedFace(await pool.analyse(await portrait(1))).embedding) })
    annAgain = addressOf(await portraitVariant(1, 1))
    stranger = addressOf(await portrait(7))
  })
  afterAll(async () => {
    await pool?.close()
  })

  /** Start a machine that expects these visits, and open its page. */
  async function opened(
    visits: readonly MachineVisit[],
    {
      language = 'en',
      viewport = { width: 1280, height: 800 },
      ...machine
    }: Parameters<typeof machineWith>[1] & {
      language?: string
      viewport?: { width: number; height: number }
    } = {},
  ): Promise<TestMachine & { page: Page }> {
    const made = await machineWith(visits, machine, { pool })
    const context = await browser.newContext({ locale: language, viewport })
    onTestFinished(() => context.close())
    await context.addInitScript(CAMERA(stranger))
    const page = await context.newPage()
    await page.goto(`${made.terminal().url}visitor-machine`)
    await page.locator('h1').filter({ hasText: 'North park' }).waitFor()
    return { ...made, page }
  }

  const heading = (page: Page, text: string) => page.getByRole('heading', { level: 1 }).filter({ hasText: text }).waitFor()
  /** Type as a reader does. */
  async function read(page: Page, text: string): Promise<void> {
    await page.evaluate(
      `for (const key of [...${JSON.stringify(text)}, 'Enter'])
        document.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }))`,
    )
  }

  test('signs in by number and face, and off by the code, without leaving anything of the visitor behind', async () => {
    const { page, server } = await opened([ann])
    await expectAccessible(page)
    await page.getByRole('button', { name: /^Sign in/ }).click()
    await heading(page, 'Show your code')
    await expectAccessible(page)
    for (const digit of ann.phone) await page.getByRole('button', { name: digit, exact: true }).click()
    await page.getByRole('button', { name: 'Continue' }).click()
    await heading(page, 'Please look at the camera')
    await expectAccessible(page)
    expect(await page.locator('main').innerText()).not.toContain('Ann Li')
    await page.getByRole('button', { name: 'Take the picture now' }).click()
    await page.getByText('Attempts left: 2').waitFor()
    await page.evaluate(`window.show(${JSON.stringify(annAgain)})`)
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByRole('button', { name: 'Take the picture now' }).click()
    await heading(page, 'Is this your visit?')
    expect(await page.locator('main').innerText()).toContain('Bob Wu')
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await heading(page, 'You are signed in')
    await page.getByText('Your host has been told.').waitFor()
    await expectAccessible(page)
    expect(server.machine.events).toMatchObject([{ visitId: ann.id, kind: 'signedIn' }])
    await page.getByRole('button', { name: 'Done' }).click()
    await heading(page, 'Welcome to North park')
    expect(await page.content()).not.toMatch(/Ann Li|Bob Wu|1380000/)

    // A code that is shown at the welcome is enough; who is signed in already is offered to sign off.
    await read(page, passOf(ann))
    await heading(page, 'Sign off now?')
    await page.getByRole('button', { name: 'Sign off' }).click()
    await heading(page, 'You are signed off')
    expect(server.machine.events.map(({ kind }) => kind)).toEqual(['signedIn', 'signedOff'])
  })

  test('goes on without a network, says so, asks for the certificate, and prints the badge itself', async () => {
    const bob = visitWith({ name: 'Bob Sun' })
    const { page, server } = await opened([bob], { certificateRequired: true })
    server.isCutOff = true
    await page.getByText('No network: signing in works all the same').waitFor()
    await read(page, passOf(bob))
    await heading(page, 'Your certificate')
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Passport' }).click()
    await expect.poll(() => page.evaluate('document.activeElement.tagName')).toBe('INPUT')
    await page.keyboard.type('E12345')
    await page.keyboard.press('Enter')
    await heading(page, 'Is this your visit?')
    await page.getByRole('button', { name: 'Sign in' }).click()
    await heading(page, 'You are signed in')
    await page.getByText('Your host will be told as soon as the network is back.').waitFor()
    await expect.poll(() => page.evaluate('window.printed')).toBe(1)
    await page.emulateMedia({ media: 'print' })
    await expect.poll(() => page.locator('.badge-name').isVisible()).toBe(true)
    expect(await page.locator('.bar').isVisible()).toBe(false)
    expect(await page.locator('.badge-sheet').innerText()).toMatch(/North park[\s\S]*Bob Sun[\s\S]*Bob Wu/)
    server.isCutOff = false
    await until('the server knows', () => server.machine.events.length === 1)
    expect(server.machine.events[0]).toMatchObject({ certificateInfo: { type: 'passport', number: 'E12345' } })
  })

  test('sends an unknown visitor to the desk, fits the screens of machines, and speaks three languages', async () => {
    for (const viewport of [
      { width: 1080, height: 1920 },
      { width: 1280, height: 800 },
    ]) {
      const { page } = await opened([], { language: 'zh-CN', viewport })
      await heading(page, '欢迎来到North park')
      const fits = () =>
        page.evaluate('document.documentElement.scrollWidth <= innerWidth && document.documentElement.scrollHeight <= innerHeight')
      expect(await fits()).toBe(true)
      await page.getByRole('button', { name: /^签到/ }).click()
      await heading(page, '请出示二维码或输入手机号')
      expect(await fits()).toBe(true)
      await page.keyboard.type('13700000000')
      await page.getByRole('button', { name: '继续' }).click()
      await heading(page, '请前往前台')
      expect(await fits()).toBe(true)
      await expectAccessible(page)
      await page.getByRole('button', { name: '重新开始' }).click()
      await page.getByRole('button', { name: '繁體中文' }).click()
      await heading(page, '歡迎來到North park')
      await page.getByRole('button', { name: 'English' }).click()
      await page.getByRole('button', { name: /^Sign off/ }).click()
      await page.getByRole('button', { name: 'Cancel' }).click()
      // The next visitor is met in the language of the machine.
      await heading(page, '欢迎来到North park')
    }
  })
})
