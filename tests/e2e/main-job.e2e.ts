/** The main use case, as two people see it: an administrator at the console and a person in front of a terminal. */
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { localTime } from '@gatehouse/access-rules'
import { recordCalls } from '@gatehouse/contract/records/calls'
import { strategyCalls } from '@gatehouse/contract/strategies/calls'
import { openPhotographs } from '@gatehouse/dev-env/photographs'
import type { MadeDevice, World, WorldTerminal } from '@gatehouse/dev-env/world'
import { expectAccessible, formReady, openConsole } from '../support/console.ts'
import { sharedBrowser, sharedWorld } from '../support/stage.ts'

const photographs = openPhotographs()
const isReal = photographs.kind === 'real'
if (!isReal)
  console.log(
    'The photographs of real people are not there: drawn faces cannot stand for a stranger, so the main job is not tested in the browser.',
  )

const pictureOf = (buffer: Buffer) => ({ name: 'picture.jpg', mimeType: 'image/jpeg', buffer })

describe.skipIf(!isReal)('the main job', () => {
  let world: World
  let browser: Browser
  let device: MadeDevice
  let terminal: WorldTerminal
  let guard: Page
  let door: Page

  beforeAll(async () => {
    world = await sharedWorld()
    browser = await sharedBrowser()
    await world.personGroup({ name: 'Research' })
    device = await world.device({ name: 'East gate' })
    terminal = await world.terminal(device)
    const opened = await openConsole(browser, world, { at: '/staffCurrent' })
    guard = opened.page
    await guard.getByText('Live', { exact: true }).waitFor()
    door = await (await browser.newContext({ locale: 'en' })).newPage()
    await door.goto(terminal.url)
  })
  afterAll(async () => {
    await terminal?.stop()
    await world?.stop()
  })

  const latest = () => guard.getByRole('complementary', { name: 'Latest record' })
  /** Show a picture to the terminal's own page and wait for its answer. */
  async function show(buffer: Buffer, word: string): Promise<void> {
    await door.locator('#file').setInputFiles(pictureOf(buffer))
    await door.locator('#word').filter({ hasText: word }).waitFor()
  }

  test(
    'a person registered with one photograph and permitted in the same form is recognised from another, and is on the ' +
      'guard’s screen without a reload',
    async () => {
      const person = photographs.person('colin_powell')
      const { page, context } = await openConsole(browser, world, { at: '/home', reducedMotion: 'no-preference' })
      onTestFinished(() => context.close())
      const menu = page.getByRole('navigation', { name: 'Main menu' })
      await menu.getByRole('link', { name: 'Staff', exact: true }).waitFor()
      await page.evaluate(`presses = 0; addEventListener('pointerdown', () => presses++, true)`)
      await menu.getByRole('link', { name: 'Staff', exact: true }).click()
      await page.getByRole('button', { name: 'Add a person' }).first().click()
      await formReady(page)
      const form = page.getByRole('dialog', { name: 'Add a person' })
      const chooser = page.waitForEvent('filechooser')
      await form.getByText('Choose a photo').click()
      await (await chooser).setFiles(pictureOf(await person.photo(1)))
      await form.getByRole('button', { name: 'Remove photo 1' }).waitFor()
      await form.getByLabel('Name').fill('Colin Powell')
      const access = form.getByRole('combobox', { name: 'May pass at' })
      await access.click()
      await access.fill(device.code)
      const offered = page.locator('.ant-select-item-option:visible').filter({ hasText: 'East gate' })
      await offered.getByText(device.code).waitFor()
      await offered.click()
      await form.getByRole('status', { name: 'Effect' }).getByText('Will gain: East gate; all day.').waitFor()
      await expectAccessible(page)
      await form.getByRole('button', { name: 'Save' }).click()
      await page.getByRole('heading', { name: 'Colin Powell' }).waitFor()
      const said = page.getByRole('alert').filter({ hasText: 'Registered' })
      await said.getByText('May pass at 1 door.').waitFor()
      await said.getByText('All terminals have them.').waitFor()
      // The only group was preset.
      expect(await page.evaluate('presses')).toBe(6)
      await page.getByRole('listitem').filter({ hasText: 'East gate · direct access' }).getByText('Synchronised').waitFor()
      await expectAccessible(page)

      await show(await person.photo(2), 'Please enter')
      await door.getByText('Colin Powell').first().waitFor()
      await latest().getByRole('heading', { name: 'Colin Powell' }).waitFor()
      await latest()
        .getByText('Let in', { exact: true })
        .or(latest().getByText('Admitted', { exact: true }))
        .first()
        .waitFor()
      await latest().getByRole('img', { name: 'Colin Powell, at the door' }).waitFor()
      await latest().getByRole('img', { name: 'Colin Powell, on file' }).waitFor()
      await expectAccessible(guard)
      await expectAccessible(door)
    },
  )

  test('somebody else is refused, and kept as a stranger', async () => {
    await show(await photographs.person('hu_jintao').photo(2), 'No entry')
    await latest().getByRole('heading', { name: 'Stranger' }).waitFor()
    await latest().getByText('Similarity too low').waitFor()
    const { content } = await world.call(recordCalls.find, { body: { stranger: true } })
    expect(content).toMatchObject([{ failReason: 904, personId: null }])
  })

  test('outside the permitted hours the same person is refused, and the guard reads why', async () => {
    const { weekday } = localTime(world.clock.now(), world.park.zone)
    const { content } = await world.call(strategyCalls.find, { body: { name: 'East gate' } })
    const strategy = await world.call(strategyCalls.read, { query: { id: content[0]!.id } })
    // Two days away, so that the door does not open if midnight passes during the test.
    const closed = await world.timeRule({
      name: 'Another day',
      periods: [{ weekday: ((weekday + 1) % 7) + 1, start: '08:00', end: '18:00' }],
    })
    const { name, personIds, deviceIds, methods } = strategy
    await world.call(strategyCalls.change, {
      body: { id: strategy.id, name, personIds, deviceIds, methods, timeRuleIds: [closed.id] },
    })
    await world.settled()
    await show(await photographs.person('colin_powell').photo(2), 'No entry')
    await latest().getByText('Outside permitted hours').waitFor()
    await expect.poll(() => latest().getByRole('heading').first().innerText()).toContain('Colin Powell')
  })
})
