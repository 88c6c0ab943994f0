/** Switching to another park: the list of parks, the order of steps, what every list shows then, and other tabs. */
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { organisationCalls } from '@gatehouse/contract/organisation/calls'
import { PARK } from '@gatehouse/server/contexts/organisation/data'
import { startWorld, type Site, type World } from '@gatehouse/dev-env/world'
import { expectAccessible, expectAddress, openConsole, pagesOf } from '../support/console.ts'
import { sharedBrowser } from '../support/stage.ts'

let world: World
let browser: Browser
let south: Site
beforeAll(async () => {
  world = await startWorld({ console: true })
  browser = await sharedBrowser()
  south = await world.addPark({ name: 'South Gate' })
  const { service } = world.server.contexts.organisation
  const { parentId } = service.get(world.park.id)!
  const park = { type: PARK, parentId, zone: world.park.zone }
  await service.add({ ...park, areaCode: '300000', name: 'Riverside', parkType: 3 })
  for (let number = 1; number <= 20; number++)
    await service.add({ ...park, areaCode: `3000${String(number).padStart(2, '0')}`, name: `Branch ${number}`, parkType: 1 })
  await world.person({ name: 'North Person' })
  await south.person({ name: 'South Person' })
})
afterAll(async () => {
  await world?.stop()
})

test(
  'parks come twenty a page and by name; the one chosen is greeted, home shows it, and lists show only what is there [BEH-060, ' +
    'BEH-061, BEH-062, BEH-063, BEH-064, BEH-066, BEH-068]',
  { tags: 'extended' },
  async () => {
    const { page, context } = await openConsole(browser, world, { at: '/staffList' })
    onTestFinished(() => context.close())
    await page.getByRole('row').filter({ hasText: 'North Person' }).waitFor()
    const other = await context.newPage()
    await other.goto(`${world.url}/#/home`)
    await other.getByRole('heading', { name: world.park.name }).waitFor()

    await page.getByRole('button', { name: `Change park, now ${world.park.name}` }).click()
    const list = page.locator('.ant-popover')
    await list.getByRole('button', { name: /South Gate/ }).waitFor()
    await expect
      .poll(() =>
        list
          .getByRole('listitem')
          .filter({ has: page.locator('small') })
          .count(),
      )
      .toBe(20)
    await expect
      .poll(() => list.getByRole('button', { name: /South Gate/ }).innerText())
      .toMatch(new RegExp(`^South Gate\\s+Administrator · ${south.park.areaCode}$`))
    await list.getByTitle('Next Page').click()
    await list.getByRole('button', { name: /Branch 20/ }).waitFor()
    await page.getByPlaceholder('Find a park').fill('south g')
    await list
      .getByRole('button', { name: /Branch/ })
      .first()
      .waitFor({ state: 'detached' })
    const asked = page.waitForRequest((request) => request.url().endsWith(organisationCalls.choicePark.url))
    await list.getByRole('button', { name: /South Gate/ }).click()
    expect((await asked).postDataJSON()).toEqual({ areaCode: south.park.areaCode })
    await page.getByText('Now in South Gate').first().waitFor()
    await page.getByRole('heading', { name: 'South Gate' }).waitFor()
    await expectAddress(page, '#/home')
    expect(await page.evaluate(() => ['areaCode', 'areaName', 'parkType'].map((key) => localStorage.getItem(key)))).toEqual([
      JSON.stringify(south.park.areaCode),
      '"South Gate"',
      '1',
    ])

    await page.goto(`${world.url}/#/staffList`)
    await page.getByRole('row').filter({ hasText: 'South Person' }).waitFor()
    expect(await page.getByText('North Person').count()).toBe(0)

    // The other tab checks every six seconds, shows the change, and offers to follow.
    await other.getByRole('button', { name: 'Change park, now South Gate' }).waitFor()
    await other.getByText(`In another tab you moved to South Gate. This page still shows ${world.park.name}.`).waitFor()
    await expectAccessible(other)
    await other.getByRole('button', { name: 'Reload' }).click()
    await other.getByRole('heading', { name: 'South Gate' }).waitFor()
    await other.getByText('In another tab you moved').waitFor({ state: 'detached' })
  },
)

test('a campus is called one in the menu, and a refused switch changes nothing [BEH-008, BEH-067]', async () => {
  const page = await pagesOf(() => ({ browser, world }))()
  const menu = page.getByRole('navigation', { name: 'Main menu' })
  await menu.getByRole('menuitem', { name: /\bPark$/ }).waitFor()
  const choose = async (name: string): Promise<void> => {
    await page.getByRole('button', { name: /^Change park/ }).click()
    await page.getByPlaceholder('Find a park').fill(name)
    await page
      .locator('.ant-popover')
      .getByRole('button', { name: new RegExp(name) })
      .click()
  }
  await page.route(
    (url) => url.pathname.endsWith(organisationCalls.choicePark.url),
    (route) => route.fulfill({ json: { code: 100413, message: 'no' } }),
  )
  const refused = page.waitForResponse((response) => response.url().endsWith(organisationCalls.choicePark.url))
  await choose('Riverside')
  await refused
  await page.getByRole('button', { name: /^Change park/ }).click()
  await page.getByPlaceholder('Find a park').waitFor()
  expect([new URL(page.url()).hash, await page.locator('.ant-message-notice').count()]).toEqual(['#/home', 0])
  await page.keyboard.press('Escape')
  await page.unrouteAll()

  await choose('Riverside')
  await page.getByRole('heading', { name: 'Riverside' }).waitFor()
  await menu.getByRole('menuitem', { name: /\bCampus$/ }).waitFor()
  expect(await menu.getByRole('menuitem', { name: /\bPark$/ }).count()).toBe(0)
})
