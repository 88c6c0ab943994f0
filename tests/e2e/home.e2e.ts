/** The home page: first steps of an empty park, the cockpit of one in use, before its first passage and for each role, the demo campus. */
import type { Browser, Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { localDate, offsetMinutes } from '@gatehouse/access-rules'
import { failReason } from '@gatehouse/contract/enums'
import type { RecordObject } from '@gatehouse/contract/device/protocol-records'
import { enrolmentCalls } from '@gatehouse/contract/enrolment/calls'
import { READY_ROLES, type ReadyRoleKey } from '@gatehouse/contract/identity/ready-roles'
import { organisationCalls } from '@gatehouse/contract/organisation/calls'
import { peopleCalls } from '@gatehouse/contract/people/calls'
import { userIdOf } from '@gatehouse/dev-env/accounts'
import { createSite, type Made } from '@gatehouse/dev-env/site'
import { ADMIN, startWorld, type World } from '@gatehouse/dev-env/world'
import { passages, sentBy } from '../../apps/server/src/contexts/records/testing/records.ts'
import { connectedDevice } from '../support/connected-device.ts'
import { expectAccessible, expectAddress, pageHolding, pagesOf, typePassword, type ConsoleOptions } from '../support/console.ts'
import { drawnFace } from '../support/fixtures.ts'
import { sharedBrowser, sharedWorld } from '../support/stage.ts'
import { until } from '../support/until.ts'

let browser: Browser
beforeAll(async () => {
  browser = await sharedBrowser()
})

const show = (world: World, options: ConsoleOptions = {}): Promise<Page> => pagesOf(() => ({ browser, world }))('/home', options)

/** Open the page as a user with a built-in role. */
async function showTo(world: World, role: ReadyRoleKey): Promise<Page> {
  const { permissions, roleSign } = READY_ROLES[role]
  const { credentials } = await world.session({ permissions: [...permissions], roleSign })
  const token = { token: (credentials as { bearer: string }).bearer, tokenExpires: Date.now() + 3_600_000 }
  return pageHolding(browser, world, { language: 'en', ...token }, { at: '/home' })
}

/** Ingest passages of a device, numbered from 1. */
const record = (world: World, { id }: Made, options: readonly Partial<RecordObject>[], epoch = 'home') =>
  world.server.contexts.records.ingest({ deviceId: id, parkId: world.park.id }, sentBy(passages(options), { epoch, sentAt: Date.now() }))

/** Return the start of the park's day. */
function startOfToday({ park }: World): number {
  const now = Date.now()
  return Date.parse(localDate(now, park.zone)) - offsetMinutes(now, park.zone) * 60_000
}

const tasksOf = (page: Page): Locator => page.getByRole('region', { name: 'Needs attention' }).getByRole('listitem')
/** Return texts without line breaks. */
const textsOf = async (items: Locator): Promise<string[]> => (await items.allInnerTexts()).map((text) => text.replace(/\s+/g, ' ').trim())
const headingsOf = (page: Page): Promise<string[]> => page.locator('main').getByRole('heading', { level: 2 }).allInnerTexts()

test('an empty park shows the three first steps and ticks off those done', { tags: 'extended' }, async () => {
  const world = await sharedWorld()
  onTestFinished(() => world.stop())
  const page = await show(world)
  await page.getByRole('heading', { name: 'Three steps to the first open door' }).waitFor()
  expect(await page.getByText('Done', { exact: true }).count()).toBe(0)
  await expectAccessible(page)

  const person = await world.person()
  const device = await world.device()
  await page.reload()
  await page.getByText('Done', { exact: true }).nth(1).waitFor()
  await expect.poll(() => page.getByText('Done', { exact: true }).count()).toBe(2)

  await world.strategy({ persons: [person], devices: [device] })
  await page.reload()
  await page.getByRole('heading', { name: 'Needs attention' }).waitFor()
  expect(await page.getByRole('heading', { name: 'Three steps to the first open door' }).count()).toBe(0)
})

describe('a park in use', () => {
  let world: World
  beforeAll(async () => {
    world = await startWorld({ console: true, terminals: 1 })
    await world.person({ name: 'Grace Hopper', photo: await drawnFace(), permittedAt: world.terminals[0]!.device })
    await world.person({ name: 'Without Photo' })
    await world.device({ name: 'Never paired' })
    await world.settled()
  })
  afterAll(() => world?.stop())

  test('a passage is there at once, with its face, its verdict and the count', async () => {
    const page = await show(world)
    const latest = page.getByRole('region', { name: 'Latest records' })
    await latest.getByText('People at a terminal appear here immediately.', { exact: false }).waitFor()
    expect(await world.terminals[0]!.show(await drawnFace())).toMatchObject({ verdict: 'allowed' })
    await latest.getByText('Grace Hopper').first().waitFor()
    await latest.getByText('Admitted').first().waitFor()
    await page.getByRole('link', { name: /^Admitted today 1/ }).waitFor()
    await page.getByRole('img', { name: /^1 entry so far/ }).waitFor()
    await world.settled()
    const face = latest.getByRole('img', { name: 'At the door' })
    await face.waitFor()
    expect(
      await face.evaluate((picture: { decode(): Promise<void>; naturalWidth: number }) =>
        picture.decode().then(() => picture.naturalWidth),
      ),
    ).toBeGreaterThan(50)
  })

  test('what needs somebody leads to the list that shows it', { tags: 'extended' }, async () => {
    const page = await show(world)
    await page.getByRole('link', { name: /Device pending pairing/ }).waitFor()
    await page.getByRole('link', { name: /Photo missing/ }).click()
    await page.getByRole('link', { name: 'Without Photo' }).waitFor()
    expect(await page.getByRole('link', { name: 'Grace Hopper' }).count()).toBe(0)
  })

  test('only what is really to be done stands there, and nothing that is done', async () => {
    const page = await show(world)
    await tasksOf(page).first().waitFor()
    expect(await textsOf(tasksOf(page))).toEqual([
      '1 door may open for a photo this engine cannot tell a living face from a picture of one Better engine Second factor',
      '1 Photo missing cannot be recognised by face Add photos',
      '1 Device pending pairing waiting for a terminal to connect Pair',
    ])
    expect(await headingsOf(page)).toEqual(['Needs attention', 'Alarms today', 'Today at a glance', 'Today', 'Latest records'])
    await page.getByRole('region', { name: 'Alarms today' }).getByText('No watch-list alarm today').waitFor()
  })

  test.each([
    { language: 'zh-CN', theme: 'light', title: '待处理' },
    { language: 'zh-TW', theme: 'dark', title: '待處理' },
    { language: 'en', theme: 'dark', title: 'Needs attention' },
  ] as const)(
    'fits a small screen without scrolling and has no findings of axe in $language, $theme',
    { tags: 'extended' },
    async ({ language, theme, title }) => {
      const page = await show(world, { language, theme })
      await page.getByRole('heading', { name: title }).waitFor()
      await page.locator('svg').getByText('06:00').waitFor()
      expect(
        await page
          .getByRole('heading', { name: title })
          .evaluate((heading: { closest(selector: string): { scrollHeight: number; clientHeight: number } | null }) => {
            const scroller = heading.closest('[class*=_page_]')
            return scroller && scroller.scrollHeight - scroller.clientHeight
          }),
      ).toBe(0)
      await expectAccessible(page)
    },
  )
})

test('tasks are sorted by urgency, at most six at first, each saying which and since when', { tags: 'extended' }, async () => {
  const world = await sharedWorld()
  onTestFinished(() => world.stop())
  const east = await world.device({ name: 'East gate' })
  const simulated = await connectedDevice(world, east)
  await world.person({ permittedAt: east })
  const now = Date.now()
  await world.person({ name: 'Soon over', validTo: now + 86_400_000 })
  await world.person({ name: 'Over', validFrom: now - 86_400_000, validTo: now + 1_500 })
  await world.device({ name: 'Never paired' })
  await world.device({ name: 'Held back', release: false })
  await world.settled()
  await simulated.stop()
  await until('a validity to end', async () => (await world.call(peopleCalls.summary, {})).expired === 1)
  const page = await show(world)
  const offline = tasksOf(page).filter({ hasText: 'Device offline' })
  await offline.getByText(/^East gate \(since \d\d:\d\d\)$/).waitFor()
  const words = (await textsOf(tasksOf(page))).map((text) => text.replace(/^\d+ (Devices? \w+|\w+ \w+).*$/, '$1'))
  expect(words).toEqual(['Device offline', 'Device not', 'Person has', 'Expires within', 'Photo missing', 'Devices pending'])
  await expectAccessible(page)
  expect(await page.getByRole('button', { name: /more$/ }).count()).toBe(0)

  // One more than there is room for: pending applications come before what has to be put in order.
  await page.route(`**${enrolmentCalls.summary.url}`, async (route) => {
    const response = await route.fetch()
    const answer = (await response.json()) as { data: object }
    await route.fulfill({ response, json: { ...answer, data: { ...answer.data, pending: 2, newest: now } } })
  })
  await page.reload()
  const fold = page.getByRole('button', { name: '1 more' })
  await fold.waitFor()
  expect(await tasksOf(page).count()).toBe(6)
  await tasksOf(page).nth(1).getByText('2 People awaiting approval').waitFor()
  await fold.press('Enter')
  await tasksOf(page).nth(6).getByText('Devices pending pairing').waitFor()
  await page.getByRole('button', { name: 'Show fewer' }).press('Enter')
  await expect.poll(() => tasksOf(page).count()).toBe(6)
  await offline.getByRole('link').click()
  await expectAddress(page, 'onlineStatus=0')
})

test('before the first passage of the day it tells of yesterday, and draws no noughts', async () => {
  const world = await sharedWorld()
  onTestFinished(() => world.stop())
  const gate = await world.device({ name: 'Main gate' })
  const midnight = startOfToday(world)
  await record(world, gate, [
    { occurredAt: midnight - 3_600_000 },
    { occurredAt: midnight - 1_800_000 },
    { occurredAt: midnight - 1, result: 0, failReason: failReason.notRegistered },
  ])
  const page = await show(world)
  const strip = page.getByRole('region', { name: 'Today at a glance' })
  await strip.getByText('No access yet today').waitFor()
  await strip.getByText('Yesterday 2 admitted, 1 refused').waitFor()
  await page.getByRole('img', { name: /^No access yet today. Shown is yesterday: 2 entries/ }).waitFor()
  const values = await strip.locator('li a > b').allInnerTexts()
  expect(values.filter((value) => value.trim() === '0')).toEqual([])
  await expectAccessible(page)
  await strip.getByText('No access yet today').click()
  await page.getByText('3 in all').waitFor()

  await page.goBack()
  await strip.getByText('No access yet today').waitFor()
  await record(world, gate, [{ occurredAt: Math.max(midnight, Date.now() - 1_000) }], 'today')
  await page.getByRole('link', { name: /^Admitted today 1/ }).waitFor()
  await page.getByRole('link', { name: /^Refused today None no strangers either/ }).waitFor()
  expect(await strip.getByText('No access yet today').count()).toBe(0)
})

test('the newest refusal of today says why and leads to what has to change; of somebody unknown, to the register', async () => {
  const world = await sharedWorld()
  onTestFinished(() => world.stop())
  const gate = await world.device({ name: 'Main gate' })
  const person = await world.person({ name: 'Ada Lovelace' })
  const now = Math.max(startOfToday(world), Date.now() - 60_000)
  await record(world, gate, [
    { occurredAt: now, personId: person.id, personName: person.name, result: 0, failReason: failReason.noAccessStrategy },
    { occurredAt: now + 1, personName: 'Passer', personId: null },
  ])
  const page = await show(world)
  const latest = page.getByRole('region', { name: 'Latest records' })
  await latest.getByRole('heading', { name: 'Latest refusal' }).waitFor()
  await latest.getByText('Ada Lovelace').waitFor()
  await expectAccessible(page)
  await latest.getByRole('link', { name: 'What would have to change' }).click()
  const drawer = page.getByRole('dialog')
  await drawer.getByText('Ada Lovelace').first().waitFor()
  await drawer.getByText('Why this result', { exact: true }).waitFor()

  await page.goBack()
  await record(
    world,
    gate,
    [{ occurredAt: now + 2, personId: null, personName: '', result: 0, failReason: failReason.notRegistered, score: null }],
    'later',
  )
  await latest.getByRole('link', { name: 'Register this person' }).waitFor()
  expect(await latest.getByRole('link', { name: 'What would have to change' }).count()).toBe(0)
  await latest.getByRole('link', { name: 'Why this result' }).waitFor()
  const guard = await showTo(world, 'guard')
  const seen = guard.getByRole('region', { name: 'Latest records' })
  await seen.getByRole('link', { name: 'Why this result' }).waitFor()
  expect(await seen.getByRole('link', { name: 'Register this person' }).count()).toBe(0)
})

describe('what each ready role finds', () => {
  let world: World
  beforeAll(async () => {
    world = await sharedWorld()
    const gate = await world.device({ name: 'Main gate' })
    await world.person({ name: 'Grace Hopper', photo: await drawnFace() })
    await record(world, gate, [{ occurredAt: Math.max(startOfToday(world), Date.now() - 60_000) }])
  })
  afterAll(() => world?.stop())

  test.each([
    { role: 'guard', headings: ['Needs attention', 'Alarms today', 'Today at a glance', 'Today', 'Latest records'] },
    { role: 'reception', headings: ['Needs attention', 'Today at a glance', 'Today', 'Latest records'] },
    { role: 'doorAdministrator', headings: ['Needs attention', 'Today at a glance', 'Devices', 'Shortcuts'] },
    { role: 'personnel', headings: ['Needs attention', 'Today at a glance', 'Shortcuts'] },
  ] as const)('$role', { tags: 'extended' }, async ({ role, headings }) => {
    const page = await showTo(world, role)
    await page.getByRole('heading', { name: headings.at(-1)! }).waitFor()
    await page.locator('main [aria-busy="false"]').waitFor()
    expect(await headingsOf(page)).toEqual(headings)
    await expectAccessible(page)
  })

  test('where nothing is to be done, one line says so and when that was', async () => {
    const page = await showTo(world, 'personnel')
    const tasks = page.getByRole('region', { name: 'Needs attention' })
    await tasks.getByText('Nothing needs attention').waitFor()
    await tasks.getByText(/^checked at \d\d:\d\d$/).waitFor()
    expect(await tasksOf(page).count()).toBe(0)
    await page.getByRole('link', { name: 'Add a person' }).click()
    await expectAddress(page, '/staffAdd')
  })
})

test('the demo campus says that it is one and how far it is, and is removed without what users added', { tags: 'extended' }, async () => {
  const world = await sharedWorld()
  onTestFinished(() => world.stop())
  const { demo, organisation } = world.server.contexts
  const scope = { parkId: world.park.id }
  const park = organisation.service.get(world.park.id)!
  await demo.service.begin(scope, 280, { park, company: organisation.service.get(park.parentId!)! })
  const bearer = await demo.service.openSession(scope, await userIdOf(world.server, ADMIN.account))
  // In addition to what other tests created in the same installation.
  let made = 9_000
  const maker = createSite({ url: world.url, bearer, park: world.park, next: () => ++made })
  await maker.strategy({ persons: [await maker.person({ name: 'Made up' })], devices: [await maker.device()] })
  await world.person({ name: 'Mine' })
  await demo.service.advance(scope, 40)

  const page = await show(world)
  await page.getByText('It is being filled: 40 of 280.').waitFor()
  await demo.service.advance(scope, 280)
  await page.getByText('The people, devices and records that came with it are made up; what you add yourself is not.').waitFor()

  await page.getByRole('button', { name: 'Remove demo' }).click()
  const question = page.getByRole('dialog', { name: 'Remove the demo campus?' })
  await question.getByText('What you added yourself stays', { exact: false }).waitFor()
  await question.getByRole('row', { name: 'Records' }).waitFor()
  expect(await question.getByRole('row').allInnerTexts()).toEqual([
    'What\tRemoved\tKept',
    'People\t1\t1',
    'Devices\t1\t0',
    'Access rules\t1\t0',
    'Records\t0\t0',
  ])
  await question.getByRole('button', { name: 'Remove demo' }).click()
  await typePassword(page)
  await page.getByText('The demo has been removed').waitFor()
  await page.getByRole('heading', { name: 'Three steps to the first open door' }).waitFor()
  expect(await world.call(organisationCalls.demo, {})).toMatchObject({ state: 'none' })
  expect((await world.call(peopleCalls.list, { query: {} })).content.map(({ name }) => name)).toEqual(['Mine'])
})
