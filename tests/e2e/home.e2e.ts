/** The home page: first steps of an empty park, the cockpit of one in use, the demo campus. */
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { organisationCalls } from '@gatehouse/contract/organisation/calls'
import { peopleCalls } from '@gatehouse/contract/people/calls'
import { userIdOf } from '@gatehouse/dev-env/accounts'
import { createSite } from '@gatehouse/dev-env/site'
import { ADMIN, startWorld, type World } from '@gatehouse/dev-env/world'
import { expectAccessible, pagesOf, typePassword, type ConsoleWishes } from '../support/console.ts'
import { drawnFace } from '../support/furnished.ts'
import { sharedBrowser, sharedWorld } from '../support/stage.ts'

let browser: Browser
beforeAll(async () => {
  browser = await sharedBrowser()
})

const show = (world: World, wishes: ConsoleWishes = {}): Promise<Page> => pagesOf(() => ({ browser, world }))('/home', wishes)

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

test('the demo campus says that it is one and how far it is, and is removed without what users added', { tags: 'extended' }, async () => {
  const world = await sharedWorld()
  onTestFinished(() => world.stop())
  const { demo, organisation } = world.server.contexts
  const scope = { parkId: world.park.id }
  const park = organisation.service.get(world.park.id)!
  await demo.service.begin(scope, 280, { park, company: organisation.service.get(park.parentId!)! })
  const bearer = await demo.service.openSession(scope, await userIdOf(world.server, ADMIN.account))
  // Beside what other tests made in the same installation.
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
