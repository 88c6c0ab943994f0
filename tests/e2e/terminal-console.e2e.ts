/** The terminal's own console, as a user with a browser sees it: every page, with a real terminal and a real server. */
import type { Browser, BrowserContext, Page } from 'playwright-core'
import sharp from 'sharp'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { openPhotographs } from '@gatehouse/dev-env/photographs'
import { startWorld, type World, type WorldTerminal } from '@gatehouse/dev-env/world'
import { expectAccessible } from '../support/console.ts'
import { until } from '../support/until.ts'
import { sharedBrowser } from '../support/stage.ts'

const photographs = openPhotographs()
const fileOf = (name: string, buffer: Buffer, mimeType = 'image/jpeg') => ({ name, mimeType, buffer })

/** Pages behind the login, by address, with the heading in Chinese. */
const PAGES = {
  people: '人员注册',
  bulkPeople: '批量注册',
  device: '设备管理',
  detection: '检测',
  settings: '参数设置',
  time: '时间设置',
  network: '网络设置',
  volume: '音量设置',
  screenSaver: '屏保设置',
  records: '导出与导入',
  account: '账号设置',
} as const

describe.skipIf(photographs.kind !== 'real')("the terminal's console", () => {
  let world: World
  let browser: Browser
  let terminal: WorldTerminal
  let context: BrowserContext
  let page: Page
  const sentences: string[] = []
  const password = () => /password "(\w+)"/.exec(sentences.findLast((sentence) => sentence.includes('/console/')) ?? '')?.[1] ?? ''

  beforeAll(async () => {
    world = await startWorld()
    browser = await sharedBrowser()
    terminal = await world.terminal(await world.device({ name: 'East gate' }), { log: (sentence) => void sentences.push(sentence) })
    context = await browser.newContext({ locale: 'en', viewport: { width: 1280, height: 800 }, acceptDownloads: true })
    page = await context.newPage()
  })
  afterAll(async () => {
    await terminal?.stop()
    await world?.stop()
  })

  // A test that fails leaves its dialog open, which would cover what the next one clicks.
  afterEach(async () => {
    if ((await page.getByRole('dialog').count()) > 0) await page.reload()
  })

  const at = (path: string) => page.goto(`${terminal.url}console/${path}`)
  const card = (title: string) => page.locator('section.card').filter({ has: page.getByRole('heading', { name: title, exact: true }) })
  const said = (words: string) => page.locator('#said.shown').filter({ hasText: words }).waitFor()
  const trouble = (words: string) => page.getByRole('alert').filter({ hasText: words }).first().waitFor()

  test('whoever is not logged in sees the login, and a wrong password says so', async () => {
    await at('people')
    await page.waitForURL(/\/console\/login$/)
    await page.getByRole('button', { name: 'Log in' }).click()
    await trouble('Enter the user name.')
    await page.getByLabel('Account').fill('admin')
    await page.getByRole('button', { name: 'Log in' }).click()
    await trouble('Enter the password.')
    await page.getByLabel('Password').fill('wrong1')
    await page.keyboard.press('Enter')
    await trouble('The account or the password is wrong.')
    await expectAccessible(page)
    await page.getByLabel('Password').fill(password())
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'People', exact: true }).waitFor()
    await page.getByText('No people are registered here yet.', { exact: false }).waitFor()
  })

  test('somebody registered with a photograph is recognised at the door and on the records of the server', async () => {
    const person = photographs.person('colin_powell')
    await page.getByRole('button', { name: 'Add a person' }).click()
    const form = page.getByRole('dialog', { name: 'Add a person' })
    await form.getByRole('button', { name: 'Save' }).click()
    await form.getByText('Fill this in.').first().waitFor()
    const blank = await sharp({ create: { width: 300, height: 300, channels: 3, background: '#888888' } })
      .jpeg()
      .toBuffer()
    await form.locator('#picture-file').setInputFiles(fileOf('blank.jpg', blank))
    await form.getByText('No features can be extracted from this picture.', { exact: false }).waitFor()
    await form.locator('#picture-file').setInputFiles(fileOf('colin.jpg', await person.photo(1)))
    await form.getByRole('button', { name: 'Remove picture 1' }).waitFor()
    await form.getByLabel('Name').fill('Colin Powell')
    await form.getByLabel('Work number').fill('1024')
    await form.getByLabel('Card number').fill('4711')
    await expectAccessible(page)
    await form.getByRole('button', { name: 'Save' }).click()
    await form.waitFor({ state: 'hidden' })
    await page.getByRole('row').filter({ hasText: 'Colin Powell' }).waitFor()
    await expectAccessible(page)

    const verdict = await terminal.show(await person.photo(2))
    expect(verdict).toMatchObject({ verdict: 'allowed', personId: null, personName: 'Colin Powell' })
    await until('the record is sent', () => terminal.state().queue.records === 0)
  })

  test('people are changed and found; a card somebody has is refused at its field', async () => {
    await page.getByRole('button', { name: 'Edit Colin Powell' }).click()
    const form = page.getByRole('dialog', { name: 'Edit a person' })
    await form.getByLabel('Name').fill('General Powell')
    await form.getByRole('button', { name: 'Save' }).click()
    await form.waitFor({ state: 'hidden' })
    await page.getByRole('row').filter({ hasText: 'General Powell' }).waitFor()

    await page.getByRole('button', { name: 'Add a person' }).click()
    const other = page.getByRole('dialog', { name: 'Add a person' })
    await other.locator('#picture-file').setInputFiles(fileOf('other.jpg', await photographs.person('tony_blair').photo(1)))
    await other.getByRole('button', { name: 'Remove picture 1' }).waitFor()
    await other.getByLabel('Name').fill('Tony Blair')
    await other.getByLabel('Work number').fill('1025')
    await other.getByLabel('Card number').fill('4711')
    await other.getByRole('button', { name: 'Save' }).click()
    await other.getByText('This card number already exists.').waitFor()
    await expect.poll(() => other.getByLabel('Card number').getAttribute('aria-invalid')).toBe('true')
    await page.keyboard.press('Escape')
    await page.getByRole('searchbox').fill('nobody of this name')
    await page.getByText('No people match this search.').waitFor()
    await page.getByRole('searchbox').fill('powell')
    await page.getByRole('row').filter({ hasText: 'General Powell' }).waitFor()
  })

  test('the camera asks for a second picture after the first, and takes it a moment later', async () => {
    const photo = (await photographs.person('tony_blair').photo(2)).toString('base64')
    // A camera that shows a photo.
    await page.evaluate(`navigator.mediaDevices.getUserMedia = async () => {
      const bytes = Uint8Array.from(atob('${photo}'), (letter) => letter.charCodeAt(0))
      const picture = await createImageBitmap(new Blob([bytes]))
      const canvas = Object.assign(document.createElement('canvas'), { width: picture.width, height: picture.height })
      setInterval(() => canvas.getContext('2d').drawImage(picture, 0, 0), 50)
      return canvas.captureStream()
    }; undefined`)
    await page.getByRole('button', { name: 'Add a person' }).click()
    const form = page.getByRole('dialog', { name: 'Add a person' })
    await form.getByRole('button', { name: 'Camera' }).click()
    await page.getByRole('dialog', { name: 'Camera' }).getByRole('button', { name: 'Take the picture' }).click()
    const again = page.getByRole('dialog', { name: 'Now once more' })
    await again.getByText('Turn your head a little', { exact: false }).waitFor()
    await expectAccessible(page)
    await again.getByRole('button', { name: 'Take the picture' }).click()
    await form.getByRole('img', { name: 'Picture 2' }).waitFor()
    expect(await again.count()).toBe(0)
    await form.getByRole('button', { name: 'Cancel' }).click()
  })

  test('bulk registration tells of each file what became of it', async () => {
    await page.getByRole('link', { name: 'Bulk registration' }).click()
    await page.getByLabel('Pictures').setInputFiles([
      fileOf('2001_Meryl Streep.jpg', await photographs.person('meryl_streep').photo(1)),
      fileOf('nonumber.jpg', await photographs.person('jackie_chan').photo(1)),
      fileOf(
        '2003_Png.jpg',
        await sharp(await photographs.person('jackie_chan').photo(1))
          .png()
          .toBuffer(),
      ),
    ])
    await page.getByText('3 pictures chosen.').waitFor()
    await page.getByRole('button', { name: 'Start' }).click()
    await page.getByText('3 of 3: 1 registered, 2 refused.').waitFor()
    const outcomes = page.locator('.outcomes li')
    await expect
      .poll(() => outcomes.allInnerTexts())
      .toEqual([
        expect.stringContaining('Registered'),
        expect.stringContaining('The name of a picture is not right.'),
        expect.stringContaining('This picture format is not supported.'),
      ])
    await expectAccessible(page)
  })

  test('the device page shows the terminal, and restoring the defaults asks for the password', async () => {
    await page.getByRole('link', { name: 'Device', exact: true }).click()
    await card('This terminal').getByText('East gate').waitFor()
    await card('Storage').getByText('People registered here').waitFor()
    await page.getByText('upgraded by its package manager', { exact: false }).waitFor()
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Restore the defaults' }).click()
    const dialog = page.getByRole('dialog', { name: 'Restore the defaults' })
    await dialog.getByLabel('Password').fill('wrong1')
    await dialog.getByRole('button', { name: 'Restore the defaults' }).click()
    await dialog.getByText('The verification failed.').waitFor()
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'hidden' })
  })

  test('detection looks at a picture and opens nothing; readers that are not there are named so', async () => {
    await page.getByRole('link', { name: 'Detection' }).click()
    await page.locator('#test-picture').setInputFiles(fileOf('colin.jpg', await photographs.person('colin_powell').photo(3)))
    await card('Camera and face engine').getByText('General Powell', { exact: false }).waitFor()
    await expect.poll(() => page.getByText('There is no such reader at this terminal.').count()).toBe(2)
    await expectAccessible(page)
  })

  test('settings hold at once; a text too long is told at its field', async () => {
    await page.getByRole('link', { name: 'Settings' }).click()
    const texts = card('Texts')
    await texts.getByLabel('Voice prompt').fill('欢迎光临欢迎光临欢迎光临')
    await texts.getByRole('button', { name: 'Save' }).click()
    await texts.getByText('The text is longer than 32 bytes.').waitFor()
    await texts.getByLabel('Voice prompt').fill('欢迎光临')
    await texts.getByLabel('Prompt text').fill('Welcome')
    await texts.getByRole('button', { name: 'Save' }).click()
    await said('Saved.')
    // The message of the previous page may still be shown.
    await expect.poll(() => terminal.state().settings.values).toMatchObject({ promptText: 'Welcome', voicePromptText: '欢迎光临' })
    const recognition = card('Recognition')
    // The threshold that keeps the promise of the park, for the faces stored now.
    await recognition.getByText(`Now ${terminal.state().device!.threshold.toFixed(1)}; faces compared:`).waitFor()
    await recognition.getByLabel('Face', { exact: true }).check()
    await recognition.getByLabel('Match threshold', { exact: true }).fill('60')
    await recognition.getByRole('button', { name: 'Save' }).click()
    await until(
      'both hold',
      () =>
        terminal.state().settings.values.threshold === 60 &&
        terminal.state().device?.threshold === 60 &&
        terminal.state().settings.values.verificationMode.join() === '1',
    )
    await recognition.getByLabel('Match threshold', { exact: true }).fill('')
    await recognition.getByRole('button', { name: 'Save' }).click()
    await until('that of the park holds again', () => terminal.state().settings.values.threshold === null)
    await expectAccessible(page)
  })

  test('check details are shown on the open screen as long as they are switched on', async () => {
    const screen = await context.newPage()
    await screen.goto(terminal.url)
    const insight = screen.getByRole('complementary', { name: 'What it sees and decides' })
    await screen.getByRole('heading', { name: 'East gate' }).waitFor()
    expect(await insight.isHidden()).toBe(true)
    const own = card('Screen')
    await own.getByLabel('Show the check details on the screen').selectOption('On')
    await own.getByRole('button', { name: 'Save' }).click()
    await insight.waitFor()
    await insight.getByText('Built-in').or(insight.getByText(terminal.state().engine.name)).first().waitFor()
    await terminal.show(await photographs.person('colin_powell').photo(3))
    await insight.getByText(/Face matches: similarity \d/).waitFor()
    expect(await screen.locator('#score').innerText()).toMatch(/^Similarity \d/)
    await expectAccessible(screen)
    await page.reload()
    await expect.poll(() => own.getByLabel('Show the check details on the screen').inputValue()).toBe('1')

    await own.getByLabel('Show the check details on the screen').selectOption('Off')
    await own.getByRole('button', { name: 'Save' }).click()
    await insight.waitFor({ state: 'hidden' })
    await expect.poll(() => screen.locator('#score').textContent()).toBe('')
    await screen.close()
  })

  test('the time page offers 36 zones, and says that the clock is the machine’s own', async () => {
    await page.getByRole('link', { name: 'Time' }).click()
    const zones = page.getByLabel('Time zone')
    await zones.waitFor()
    await expect.poll(() => zones.locator('option').count()).toBe(37)
    expect([await zones.locator('option').nth(1).innerText(), await zones.locator('option').last().innerText()]).toEqual([
      'UTC−11:00',
      'UTC+14:00',
    ])
    await zones.selectOption('UTC+05:45')
    await card('Time zone').getByRole('button', { name: 'Save' }).click()
    await until('the zone holds', () => terminal.state().zone === '+05:45')
    await page.getByText('The clock belongs to the machine', { exact: false }).waitFor()
    await page.getByRole('button', { name: 'Synchronise now' }).click()
    await trouble('The time server could not be reached.')
    await expectAccessible(page)
  })

  test('what was typed and the focus stay when the language changes, a card is saved and another page is opened', async () => {
    const focused = (words: string) => page.locator(':focus').filter({ hasText: words }).waitFor()
    await page.getByRole('link', { name: 'Time' }).click()
    await page.getByLabel('Time server').fill('ntp.example')
    await card('Time zone').getByLabel('Time zone').selectOption('UTC+02:00')
    await card('Time zone').getByRole('button', { name: 'Save' }).press('Enter')
    await card('Time of the terminal').getByText('+02:00').waitFor()
    await focused('Save')
    const language = page.getByRole('combobox').first()
    await language.selectOption('zh-CN')
    await page.getByRole('heading', { level: 1, name: PAGES.time }).waitFor()
    expect(await page.locator('[name=ntpServer]').inputValue()).toBe('ntp.example')
    await language.selectOption('en')
    await page.getByRole('link', { name: 'Network' }).press('Enter')
    await page.getByLabel('Mode').waitFor()
    await focused('Network')
  })

  test('the network page judges addresses and tests the server', async () => {
    await page.getByRole('link', { name: 'Network' }).click()
    await page.getByLabel('Mode').selectOption('Static address')
    await page.getByLabel('IP address').fill('192.168.1')
    await card('Address of the terminal').getByRole('button', { name: 'Save' }).click()
    await page.getByText('Enter an IP address such as 192.168.1.20.').first().waitFor()
    await page.getByRole('button', { name: 'Test the connection' }).click()
    await page.getByText('The server answered within', { exact: false }).waitFor()
    await page.getByText('Not encrypted').waitFor()
    await expectAccessible(page)
  })

  test('volume and screen saver are set, and a picture that is no PNG is refused', async () => {
    await page.getByRole('link', { name: 'Volume' }).click()
    await page.getByRole('slider', { name: 'Volume' }).fill('25')
    await page.getByRole('button', { name: 'Save' }).click()
    await said('Saved.')
    // The message of the previous page is still shown.
    await expect.poll(() => terminal.state().settings.values.volume).toBe(25)
    await expectAccessible(page)

    await page.getByRole('link', { name: 'Screen saver' }).click()
    const picture = sharp({ create: { width: 320, height: 180, channels: 3, background: '#1f4fd8' } })
    await page.locator('#saver').setInputFiles(fileOf('saver.png', await picture.clone().jpeg().toBuffer(), 'image/png'))
    await trouble('The picture must be a real PNG file')
    await page.locator('#saver').setInputFiles(fileOf('saver.png', await picture.clone().png().toBuffer(), 'image/png'))
    await page.getByRole('img', { name: 'Picture' }).waitFor()
    expect(terminal.state().files.screenSaver).toMatch(/^\/files\/local-/)
    await expectAccessible(page)
  })

  test('people leave in a file and come back from it after everybody was cleared', async () => {
    await page.getByRole('link', { name: 'Export and import' }).click()
    const exporting = card('Export')
    await exporting.getByLabel('Password of the file').fill('opens the file')
    const [download] = await Promise.all([page.waitForEvent('download'), exporting.getByRole('button', { name: 'Export' }).click()])
    const path = await download.path()
    await page.getByRole('button', { name: 'Clear the people' }).click()
    const dialog = page.getByRole('dialog', { name: 'Clear the people' })
    await dialog.getByLabel('Password').fill(password())
    await dialog.getByRole('button', { name: 'Clear the people' }).click()
    await dialog.waitFor({ state: 'hidden' })
    expect((await terminal.show(await photographs.person('colin_powell').photo(2))).verdict).toBe('rejected')

    const importing = card('Import')
    await importing.getByLabel('File', { exact: true }).setInputFiles(path)
    await importing.getByLabel('Password of the file').fill('opens the file')
    await importing.getByRole('button', { name: 'Import' }).click()
    await page.getByText('2 people imported, 0 refused.').waitFor()
    expect(await terminal.show(await photographs.person('colin_powell').photo(2))).toMatchObject({
      verdict: 'allowed',
      personName: 'General Powell',
    })
    await expectAccessible(page)
  })

  test('the console is a set of screens of its own, in Chinese too, also on a phone [BEH-206]', async () => {
    await page.getByRole('combobox', { name: 'Language' }).selectOption('zh-CN')
    for (const [path, heading] of Object.entries(PAGES)) {
      await at(path)
      await page.getByRole('heading', { level: 1, name: heading }).waitFor()
      await expect.poll(() => page.locator('html').getAttribute('lang')).toBe('zh-CN')
      for (const size of [
        { width: 390, height: 800 },
        { width: 1280, height: 800 },
      ]) {
        await page.setViewportSize(size)
        const overflow = await page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth')
        expect([path, size.width, overflow]).toEqual([path, size.width, 0])
      }
    }
  })

  test('the password is changed, and logging out ends it', async () => {
    await page.getByRole('combobox', { name: '语言' }).selectOption('en')
    await at('account')
    await page.getByLabel('Present password').fill(password())
    await page.getByLabel('New password', { exact: true }).fill('Secret77')
    await page.getByLabel('New password again').fill('Secret78')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('The two passwords differ.').waitFor()
    await page.getByLabel('New password again').fill('Secret77')
    await page.getByRole('button', { name: 'Save' }).click()
    await said('Saved.')
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Log out' }).click()
    // The page that was left has its own fields for account and password.
    await page.waitForURL(/\/console\/login$/)
    await page.getByLabel('Account').fill('admin')
    await page.getByLabel('Password').fill('Secret77')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'People', exact: true }).waitFor()
  })
})
