/** Face recognition, as an administrator sees it: the engine in use, its thresholds, and its quality here. */
import { rmSync } from 'node:fs'
import type { Browser, Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { recordCalls } from '@gatehouse/contract/records/calls'
import { clinicCalls } from '@gatehouse/contract/clinic/calls'
import { faceCalls } from '@gatehouse/contract/faces/calls'
import { facePolicyCalls } from '@gatehouse/contract/faces/policy'
import type { FacePurpose } from '@gatehouse/contract/faces/precision'
import { DEFAULT_PROMISES } from '@gatehouse/contract/faces/promise'
import { faceLivenessCalls } from '@gatehouse/contract/faces/liveness'
import { faceReportCalls } from '@gatehouse/contract/faces/report'
import { peopleCalls } from '@gatehouse/contract/people/calls'
import { FacePool, engineOf } from '@gatehouse/face-engine'
import { hasTestingModels, testingModelDir } from '@gatehouse/face-engine/onnx/testing/set'
import { startWorld, type MadePerson, type World } from '@gatehouse/dev-env/world'
import { expectAccessible, expectAddress, pagesOf } from '../support/console.ts'
import { query } from '../support/embedded-postgres.ts'
import { flatPng } from '../support/pictures.ts'
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
const tab = (page: Page, name: string): Locator =>
  page.getByRole('navigation', { name: 'Parts of face recognition' }).getByRole('link', { name })
const setting = (page: Page, name: string): Locator => page.getByRole('region', { name, exact: true })
const policyNow = () => world.call(facePolicyCalls.read, {})
const promiseOf = async (of: FacePurpose): Promise<number | undefined> =>
  (await policyNow()).purposes.find(({ purpose }) => purpose === of)?.promise

const NAMES = ['Ada Lovelace', 'Grace Hopper', 'Katherine Johnson', 'Dorothy Vaughan', 'Hedy Lamarr']
const photographed = () => world.photographs.people.filter(({ count }) => count >= 3)

/** Register persons with two photos each, as many as make a separate part of a report; the first is registered again under another name. */
async function registered(): Promise<MadePerson[]> {
  const persons: MadePerson[] = []
  for (const [at, name] of NAMES.entries()) {
    const who = photographed()[at]!
    persons.push(await world.person({ name, gender: 2, photo: [await who.photo(1), await who.photo(2)] }))
  }
  return [...persons, await world.person({ name: 'Ada Byron', gender: 1, photo: await photographed()[0]!.photo(3) })]
}

describe('a park without photographs', () => {
  test('its report says what is missing and what to do', async () => {
    const page = await show('/faceReport')
    await page.getByText('Nothing has been measured yet').waitFor()
    await page.getByRole('button', { name: 'Measure now' }).click()
    await page.getByText('There are too few photos to measure.').waitFor()
    await page.getByRole('link', { name: 'Go to staff' }).waitFor()
    await expectAccessible(page)
  })
})

describe('a park with photographs', () => {
  let persons: MadePerson[]
  beforeAll(async () => {
    persons = await registered()
    await world.settled()
  })

  test.each(['light', 'dark'] as const)(
    'the engine is named, in words how good it is, and how to get the better one (%s)',
    { tags: 'extended' },
    async (theme) => {
      const page = await show('/faceEngine', { theme })
      await page.getByRole('heading', { name: 'Built-in engine' }).waitFor()
      await page
        .getByText(
          new RegExp(
            'Of 100 photos of the right person, \\d+ are recognised at a threshold ' +
              'where 1 in 1,000 strangers is taken for a registered person\\.',
          ),
        )
        .waitFor()
      await page.getByText('npm run models', { exact: true }).waitFor()
      const counts = page.getByRole('listitem').filter({ hasText: 'with a template' })
      await until('all photographs to be counted', async () => (await counts.innerText()).startsWith('11'))
      await page.locator('[role="img"] svg path').first().waitFor()
      await expectAccessible(page)
    },
  )

  test('each tab has its address, and the keyboard stays on the tabs', { tags: 'extended' }, async () => {
    const page = await show('/faceEngine')
    await tab(page, 'Recognition promises').focus()
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Doors' }).waitFor()
    await expectAddress(page, '/facePolicy')
    await page.locator('a:focus').and(tab(page, 'Recognition promises')).waitFor()
    await tab(page, 'Error report').click()
    await page.getByRole('button', { name: 'Measure now' }).waitFor()
    await tab(page, 'Liveness').click()
    await page.getByText('cannot tell a live face from a picture').waitFor()
    await expectAddress(page, '/faceLiveness')
  })

  test('another promise says what it costs before it is saved, and a terminal follows within seconds', { tags: 'extended' }, async () => {
    const terminal = await world.terminal()
    const { id } = await world.person({ name: 'Mary Jackson', photo: await photographed()[5]!.photo(1), permittedAt: terminal.device })
    await world.settled()
    const before = terminal.state().device!.threshold
    const page = await show('/facePolicy')
    const doors = setting(page, 'Doors')
    await doors.getByText('10 in 1,000').first().waitFor()
    await doors.getByText(/^Even a door that knows all \d+ faces keeps it: at most 10 in 1,000 strangers get in/).waitFor()
    await doors.getByText('1 in 10,000').first().click()
    await doors.getByText(/at most 1 in 10,000 strangers get in/).waitFor()
    // Such rare mistakes cost more than one in twenty of the park's own people a second attempt: remedies are shown.
    await doors.getByText('Your own people are asked to look again rather often. This helps:').waitFor()
    await doors.getByRole('link', { name: 'See the engine' }).waitFor()
    await expect.poll(() => promiseOf('door')).toBe(10)
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Saved. Terminals follow within seconds.').waitFor()
    await expect.poll(() => terminal.state().device!.threshold, { timeout: 5000 }).toBeGreaterThan(before)
    expect(await promiseOf('door')).toBe(0.1)
    await page.reload()
    await expect.poll(() => doors.getByRole('radio', { name: /1 in 10,000/ }).isChecked()).toBe(true)
    await expect.poll(() => page.getByRole('button', { name: 'Save' }).isDisabled()).toBe(true)
    await terminal.stop()
    await world.call(peopleCalls.delete, { query: { ids: [id] }, body: undefined })
    const { margin, lookAlikeMargin, photosWanted } = await policyNow()
    await world.call(facePolicyCalls.change, {
      body: { ...DEFAULT_PROMISES, margin, lookAlikeMargin, photosWanted, liveness: { mode: 'off' } },
    })
  })

  test('a number of one’s own is typed in, with its meaning', { tags: 'extended' }, async () => {
    const page = await show('/facePolicy', { theme: 'dark' })
    const search = setting(page, 'Search')
    await search.getByText('Another number').click()
    const field = search.getByRole('spinbutton')
    await field.fill('2.5')
    await search.getByText(/at most 2.5 a search/).waitFor()
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Saved. Terminals follow within seconds.').waitFor()
    expect(await promiseOf('search')).toBe(2.5)
  })

  test('what was not saved is still there after another page, and can be given up', { tags: 'extended' }, async () => {
    const page = await show('/facePolicy')
    const photos = setting(page, 'Photos per person')
    await photos.getByText('3 photos', { exact: true }).click()
    await page.getByText('Not saved yet').waitFor()
    await tab(page, 'Engine').click()
    await page.getByRole('heading', { name: 'Built-in engine' }).waitFor()
    await tab(page, 'Recognition promises').click()
    await page.getByText('What you typed earlier is still here.').waitFor()
    await expect.poll(() => photos.getByRole('radio', { name: '3 photos' }).isChecked()).toBe(true)
    await page.getByRole('button', { name: 'Discard changes' }).click()
    await until('the old value to be back', () => photos.getByRole('radio', { name: '2 photos' }).isChecked())
    expect((await policyNow()).photosWanted).toBe(2)
  })

  test('what somebody else changed meanwhile is not overwritten', { tags: 'extended' }, async () => {
    const page = await show('/facePolicy')
    const margin = setting(page, 'Lead over the second')
    await margin.getByText('5 points').waitFor()
    const { photosWanted, lookAlikeMargin, liveness } = await policyNow()
    await world.call(facePolicyCalls.change, {
      body: {
        ...DEFAULT_PROMISES,
        photosWanted,
        lookAlikeMargin,
        margin: 6,
        liveness: { mode: liveness.mode, threshold: liveness.threshold },
      },
    })
    await margin.getByRole('slider').focus()
    await page.keyboard.press('Home')
    await margin.getByText('No lead is required.').waitFor()
    await page.getByRole('button', { name: 'Save' }).click()
    await margin.getByText('Another user has changed this in the meantime.').waitFor()
    expect((await policyNow()).margin).toBe(6)
    await page.getByRole('button', { name: 'Discard changes' }).click()
    await margin.getByText('6 points').waitFor()
  })

  test('a report is made, shows rates and closest pairs, and is deleted', async () => {
    const page = await show('/faceReport')
    await page.getByRole('button', { name: 'Measure now' }).click()
    await page.getByText('pairs of different people are taken for one').waitFor()
    await page.getByText('From 11 photos of 6 people: 5 pairs of one person, 50 pairs of different people.').waitFor()
    await page.locator('[role="img"] svg path').first().waitFor()
    await page.getByRole('row', { name: /All people/ }).waitFor()
    await page
      .getByRole('row', { name: /Female/ })
      .getByText('10 of 5 people')
      .waitFor()
    await expectAccessible(page)

    const pair = page.getByRole('listitem').filter({ hasText: 'Mark as look-alikes' }).first()
    await pair.getByRole('link', { name: 'Ada Lovelace' }).waitFor()
    await pair.getByRole('link', { name: 'Ada Byron' }).waitFor()
    await pair.getByRole('button', { name: 'Mark as look-alikes' }).click()
    await page.getByText('Marked as look-alikes').waitFor()
    const { lookAlikes } = await world.call(faceCalls.matching, { params: { id: persons[0]!.id } })
    expect(lookAlikes.map(({ personName }) => personName)).toEqual(['Ada Byron'])

    await tab(page, 'Error report').click()
    const rows = page.locator('tr[data-row-key]')
    await rows.first().getByText('Done').waitFor()
    expect(await page.getByText('drawn left out').count()).toBe(0)
    await expectAccessible(page)
    // As in a park that still has drawn people of the demo.
    await query(world.connectionString, 'UPDATE face_report SET demo_photos = 4 WHERE photos = 11')
    await page.reload()
    await rows.first().getByText('4 drawn left out').waitFor()
    await rows.first().getByText('Done').click()
    await page.getByText('4 drawn portraits of the demo are left out.').waitFor()
    await expectAccessible(page)
    await tab(page, 'Error report').click()
    const before = (await world.call(faceReportCalls.list, { query: {} })).total
    await rows
      .first()
      .getByRole('button', { name: /^Delete the report of/ })
      .click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await page.getByText('Deleted', { exact: true }).waitFor()
    expect((await world.call(faceReportCalls.list, { query: {} })).total).toBe(before - 1)
  })

  test.each(['light', 'dark'] as const)(
    'an engine that cannot tell living faces says so, and liveness cannot be turned on (%s)',
    { tags: 'extended' },
    async (theme) => {
      const page = await show('/faceLiveness', { theme })
      await page.getByText('The current engine cannot tell a live face from a picture.').waitFor()
      expect(await page.locator('input[type="file"]').count()).toBe(0)
      await expectAccessible(page)
      await tab(page, 'Recognition promises').click()
      const liveness = setting(page, 'Liveness')
      await expect.poll(() => liveness.getByRole('radio', { name: 'Trial' }).isDisabled()).toBe(true)
      await expect.poll(() => liveness.getByRole('radio', { name: 'On' }).isDisabled()).toBe(true)
    },
  )

  test('a wrong match that was reported is listed with what was done, and undone', { tags: 'extended' }, async () => {
    const [taken, actual] = persons as [MadePerson, MadePerson]
    const door = await world.device({ name: 'East gate' })
    await world.strategy({ persons: [taken], devices: [door] })
    const terminal = await world.terminal(door)
    await world.settled()
    await terminal.show(await photographed()[0]!.photo(1))
    await world.settled()
    const { content } = await world.call(recordCalls.find, { body: { personId: taken.id } })
    const record = content[0]!
    await world.call(clinicCalls.correct, {
      params: { id: record.id },
      body: { actualPersonId: actual.id, setAside: [taken.faceIds[0]!], note: '' },
    })

    const page = await show('/faceCorrections')
    const row = page.locator('tr[data-row-key]').first()
    await row.getByRole('link', { name: taken.name }).waitFor()
    await row.getByRole('link', { name: actual.name }).waitFor()
    await row.getByText('1 photo set aside; marked as look-alikes').waitFor()
    await expectAccessible(page)
    await row.getByRole('button', { name: `Undo the correction of ${taken.name}` }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Undo' }).click()
    await page.getByText('No wrong match was reported.').waitFor()
    const { photos } = await world.call(faceCalls.matching, { params: { id: taken.id } })
    expect(photos.every(({ setAsideAt }) => setAsideAt === null)).toBe(true)
    await expectAccessible(page)
  })
})

describe.skipIf(!hasTestingModels)('an engine that can tell living faces', () => {
  let other: World
  let folder: string
  let pool: FacePool
  beforeAll(async () => {
    folder = testingModelDir()
    pool = new FacePool({ engine: await engineOf(folder), workers: 1 })
    other = await startWorld({ console: true, facePool: pool })
    const { photosWanted, margin, lookAlikeMargin } = await other.call(facePolicyCalls.read, {})
    await other.call(facePolicyCalls.change, {
      body: { ...DEFAULT_PROMISES, photosWanted, margin, lookAlikeMargin, liveness: { mode: 'trial', threshold: null } },
    })
    const door = await other.device({ name: 'East gate' })
    await other.person({ name: 'Ada Lovelace', photo: await photographed()[0]!.photo(1), permittedAt: door })
    const terminal = await other.terminal(door)
    await other.settled()
    await terminal.show(await photographed()[0]!.photo(2))
    await other.settled()
  })
  afterAll(async () => {
    await other?.stop()
    await pool?.close()
    if (folder) rmSync(folder, { recursive: true })
  })
  const showOther = pagesOf(() => ({ browser, world: other }))

  test('scores several captures at once, names those it cannot, and lists what it has', { tags: 'extended' }, async () => {
    const page = await showOther('/faceLiveness')
    await page.getByText('Scores are recorded, no one is refused.').waitFor()
    const files = [await photographed()[0]!.photo(3), await photographed()[1]!.photo(1), flatPng(400, 400)]
    await page
      .getByLabel('Add pictures held up')
      .setInputFiles(files.map((buffer, at) => ({ name: `capture-${at}.jpg`, mimeType: 'image/jpeg', buffer })))
    await page.getByText('1 file could not be scored').waitFor()
    await page.getByText('capture-2.jpg').waitFor()
    await page.getByText('2 (needs 30)').waitFor()
    await expectAccessible(page)
    await page.getByText('Labelled captures', { exact: true }).click()
    const rows = page.locator('tr[data-row-key]')
    await until('both captures to be listed', async () => (await rows.filter({ hasText: 'Picture' }).count()) === 2)
    await expectAddress(page, 'view=captures')
    await expectAccessible(page)
  })

  test('a passage of the trial is labelled by a key', { tags: 'extended' }, async () => {
    const page = await showOther('/faceLiveness', { theme: 'dark' })
    const card = page.locator('li[data-record]')
    await card.getByText('Ada Lovelace').waitFor()
    await expectAccessible(page)
    await card.getByRole('button').first().focus()
    await page.keyboard.press('g')
    await page.getByText('No access events to label.').waitFor()
    const { content } = await other.call(faceLivenessCalls.captures, { query: { label: 'genuine' } })
    expect(content.map(({ source }) => source)).toEqual(['record'])
  })
})
