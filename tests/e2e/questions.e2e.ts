/** Questions about the rules: who can pass a door now and last week, and what a form would change before it is saved. */
import type { Browser, Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { encodeChecks } from '@gatehouse/access-rules'
import type { PermissionCode } from '@gatehouse/contract'
import { strategyCalls } from '@gatehouse/contract/strategies/calls'
import { questionCalls } from '@gatehouse/contract/questions/calls'
import { accessMethod, accessResult, failReason, verifyType } from '@gatehouse/contract/enums'
import { roleCalls } from '@gatehouse/contract/identity/roles'
import type { Client } from '@gatehouse/dev-env/client'
import { ADMIN, startWorld, type World } from '@gatehouse/dev-env/world'
import { settledUser } from '../support/accounts.ts'
import { connectedDevice } from '../support/connected-device.ts'
import { expectAccessible, expectAddress, pagesOf } from '../support/console.ts'
import { sharedBrowser } from '../support/stage.ts'

const MINUTE = 60_000
const WEEK = 7 * 24 * 60 * MINUTE

// A little ahead, so that everything happens after the start of history.
let now = Date.now() + MINUTE
let world: World
let browser: Browser
beforeAll(async () => {
  world = await startWorld({ console: true, clock: { now: () => now } })
  browser = await sharedBrowser()
})
afterAll(async () => {
  await world?.stop()
})

const show = pagesOf(() => ({ browser, world }))
const rowsOf = (part: Page | Locator): Locator => part.locator('tr[data-row-key]').filter({ visible: true })
/** The option `Now` on the visible tab. */
const nowOf = (page: Page): Locator => page.getByText('Now', { exact: true }).filter({ visible: true })
/** A client of the administrator, who has just logged in. */
const administrator = (): Promise<Client> => world.as(ADMIN)

test('a strategy that is edited says who gains and who loses before it is saved, and names them', { tags: 'extended' }, async () => {
  const [night, day] = [await world.personGroup({ name: 'Nights' }), await world.personGroup({ name: 'Days' })]
  for (const name of ['Nadia North', 'Nils Norden']) await world.person({ name, groupId: night.id })
  await world.person({ name: 'Dora Dale', groupId: day.id })
  const door = await world.device({ name: 'Canteen' })
  const { id } = await world.strategy({ name: 'Eating', personGroups: [day], devices: [door] })
  const page = await show(`/addPassStrategyDetail?id=${id}`)
  const line = page.getByRole('status', { name: 'What saving would change' })
  await line.getByText('No change to access in the next 7 days.').waitFor()

  await page.getByLabel('Person groups').click()
  await page.locator('.ant-select-tree-node-content-wrapper').filter({ hasText: 'Nights' }).click()
  await page.locator('.ant-select-tree-node-content-wrapper').filter({ hasText: 'Days' }).click()
  await page.keyboard.press('Escape')
  await line.getByRole('button', { name: '2 people gain Canteen' }).waitFor()
  await line.getByRole('button', { name: '1 person loses Canteen' }).waitFor()
  await expectAccessible(page)
  await line.getByRole('button', { name: '2 people gain Canteen' }).click()
  const drawer = page.getByRole('dialog', { name: 'What saving would change' })
  await rowsOf(drawer).filter({ hasText: 'Nadia North' }).getByText('Canteen').waitFor()
  await rowsOf(drawer).filter({ hasText: 'Nils Norden' }).waitFor()
  await expectAccessible(page)
  await drawer.getByText('Lose', { exact: true }).click()
  await rowsOf(drawer).filter({ hasText: 'Dora Dale' }).waitFor()
  await expect.poll(() => rowsOf(drawer).count()).toBe(1)
  await page.keyboard.press('Escape')
  await drawer.waitFor({ state: 'hidden' })

  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('2 people may pass at 1 door.').waitFor()
})

test('what saving would change is asked again where no answer came, and is not passed over in silence', { tags: 'extended' }, async () => {
  const [group, door] = [await world.personGroup({ name: 'Unanswered' }), await world.device({ name: 'Pump house' })]
  await world.person({ name: 'Pia Pump', groupId: group.id })
  const { id } = await world.strategy({ name: 'Pumping', personGroups: [group], devices: [door] })
  const page = await show('/passStrategy')
  const isAsked = (url: URL): boolean => url.pathname.endsWith(questionCalls.strategyEffect.url)
  await page.route(isAsked, (route) => route.fulfill({ status: 503, json: { code: 503, message: 'busy' } }))
  await page.goto(`${world.url}/#/addPassStrategyDetail?id=${id}`)
  const unanswered = page.getByRole('alert').filter({ hasText: 'The effect of saving could not be calculated.' })
  await unanswered.waitFor()
  await expectAccessible(page)
  await page.unroute(isAsked)
  await unanswered.getByRole('button', { name: 'Try again' }).click()
  await page.getByRole('status', { name: 'What saving would change' }).getByText('No change to access in the next 7 days.').waitFor()
  await unanswered.waitFor({ state: 'detached' })
})

test('a time rule that is edited says how many hours it gains and loses, and for whom', { tags: 'extended' }, async () => {
  const rule = await world.timeRule({ name: 'Morning', periods: [{ weekday: 1, start: '08:00', end: '12:00' }] })
  await world.strategy({
    name: 'Mornings',
    persons: [await world.person()],
    devices: [await world.device({ name: 'Gate' })],
    timeRules: [rule],
  })
  const page = await show(`/timeRuleDetail/${rule.id}`)
  const line = page.getByRole('status', { name: 'What saving would change' })
  await line.getByText('No change to access in the next 7 days.').waitFor()
  const monday = page.getByRole('group', { name: 'Monday', exact: true })
  await monday.getByRole('textbox', { name: 'End' }).fill('14')
  await monday.getByRole('textbox', { name: 'End' }).press('Enter')
  await line.getByText('2 h more a week').waitFor()
  await line.getByText('1 person keeps the doors with different hours').waitFor()
  await line.getByRole('img', { name: 'Newly open: Mon 12:00–', exact: false }).waitFor()
  await expectAccessible(page)
})

test('why somebody was refused leads to what would have to change, or names who may change it', async () => {
  const [door, person] = [await world.device({ name: 'Boiler room' }), await world.person({ name: 'Ada Lovelace' })]
  const rule = await world.timeRule({
    name: 'Never there',
    periods: [{ weekday: 1, start: '00:00', end: '24:00' }],
    effectiveDate: '2099-01-01',
  })
  const strategy = await world.strategy({ name: 'Stokers', persons: [person], devices: [door], timeRules: [rule] })
  const simulated = await connectedDevice(world, door)
  const checks = encodeChecks([{ code: 'timeRule', ok: false, strategyId: strategy.id, ruleId: rule.id, reason: 'beforeEffective' }])
  const refused = {
    result: accessResult.rejected,
    failReason: failReason.outsidePassageTime,
    verifyType: verifyType.face,
    direction: 1,
    score: null,
    hasPicture: false,
  }
  await simulated.send([
    { ...refused, seq: 1, occurredAt: now, personId: person.id, personName: person.name, checks, revision: simulated.manifest().revision },
  ])

  const role = (name: string, permissions: PermissionCode[]) =>
    world.call(roleCalls.create, { body: { name, permissions, organisationId: world.park.id } })
  const [keeper, guard] = [await role('Rule keeper', ['access', 'access.rule']), await role('Guard', ['access', 'access.record'])]
  await settledUser(world, { realName: 'Grace Hopper', roles: [keeper.id] })
  const remediesOf = async (page: Page): Promise<Locator> => {
    await rowsOf(page).filter({ hasText: 'Ada Lovelace' }).first().click()
    return page.getByRole('region', { name: 'What would have to change' })
  }

  const guarding = await show(`/staffCurrent?deviceId=${door.id}`, {
    user: await settledUser(world, { realName: 'Gus Guard', roles: [guard.id] }),
  })
  const asked = await remediesOf(guarding)
  await asked.getByText('Users with these roles can do this: Rule keeper.').first().waitFor()
  expect(await asked.getByRole('link').count()).toBe(0)
  await expectAccessible(guarding)

  const page = await show(`/staffCurrent?deviceId=${door.id}`)
  const remedies = await remediesOf(page)
  await remedies.getByText('You have permission to do this. Others with permission: Grace Hopper.').first().waitFor()
  await remedies.getByRole('link', { name: 'Add the person to an access rule that opens this door at this time.' }).waitFor()
  await expectAccessible(page)
  await remedies.getByRole('link', { name: 'Open the time rule at this time.' }).click()
  await page.getByRole('heading', { name: 'Edit Never there' }).waitFor()
  await expectAddress(page, `#/timeRuleDetail/${rule.id}`)
})

// Runs last: a week later all sessions have expired.
test('who can pass a door is told for now and for last week, and where somebody can pass', { tags: 'extended' }, async () => {
  const door = await world.device({ name: 'Lab 2' })
  const [ada, bob] = [await world.person({ name: 'Ada Lovelace' }), await world.person({ name: 'Bob Babbage' })]
  const rule = await world.timeRule({ name: 'Any hour' })
  const { id } = await world.strategy({ name: 'Lab staff', persons: [ada], devices: [door], timeRules: [rule] })
  const lastWeek = now
  now += WEEK
  await (
    await administrator()
  ).call(strategyCalls.change, {
    body: { id, name: 'Lab staff', personIds: [bob.id], deviceIds: [door.id], timeRuleIds: [rule.id], methods: [accessMethod.card] },
  })
  now += MINUTE

  const page = await show('/accessQuestion')
  await page.getByRole('heading', { name: 'Who can pass?' }).waitFor()
  await page.getByText('Choose doors or device groups', { exact: false }).waitFor()
  await page.getByLabel('Doors', { exact: true }).fill('Lab 2')
  await page.locator('.ant-select-dropdown').getByText('Lab 2').waitFor()
  await page.keyboard.press('Enter')
  await page.keyboard.press('Escape')
  await page.getByText('1 person can pass.').waitFor()
  await rowsOf(page).filter({ hasText: 'Bob Babbage' }).getByText('Any hour · Card').waitFor()
  await expect.poll(() => new URL(page.url()).hash).toBe(`#/accessQuestion?deviceIds=${door.id}`)
  await expectAccessible(page)

  await page.goto(`${world.url}/#/accessQuestion?deviceIds=${door.id}&at=${lastWeek}`)
  await rowsOf(page).filter({ hasText: 'Ada Lovelace' }).getByText('Any hour · Face, Card').waitFor()
  await expect.poll(() => rowsOf(page).count()).toBe(1)
  await nowOf(page).click()
  await rowsOf(page).filter({ hasText: 'Bob Babbage' }).waitFor()

  await page.goto(`${world.url}/#/accessQuestion/person?personIds=${ada.id}&at=${lastWeek}`)
  await rowsOf(page).filter({ hasText: 'Lab 2' }).getByText('Lab staff').waitFor()
  await page.getByText('Ada Lovelace').first().waitFor()
  await expectAccessible(page)
  await nowOf(page).click()
  await page.getByText('These people cannot pass any door at that time.').waitFor()

  await page.goto(`${world.url}/#/accessQuestion?deviceIds=${door.id}&at=${lastWeek - 100 * WEEK}`)
  await page.getByText('The history of changes begins at', { exact: false }).waitFor()
})
