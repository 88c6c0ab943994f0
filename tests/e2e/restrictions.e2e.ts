/** Restricted areas, as a guard sees them: an area is created, a person is refused and why, a state is corrected, a muster is held. */
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { deviceProtocolCalls } from '@gatehouse/contract/device/protocol-calls'
import { accessMethod } from '@gatehouse/contract/enums'
import { restrictionCalls } from '@gatehouse/contract/restrictions/calls'
import { createClient } from '@gatehouse/dev-env/client'
import { Catalogue } from '@gatehouse/dev-env/simulator/catalogue'
import { startSimulatedDevice, type SimulatedDevice } from '@gatehouse/dev-env/simulator/simulated-device'
import type { MadeDevice, MadePerson, World } from '@gatehouse/dev-env/world'
import { expectAccessible, formReady, pagesOf } from '../support/console.ts'
import { until } from '../support/until.ts'
import { sharedBrowser, sharedWorld } from '../support/stage.ts'

let world: World
let browser: Browser
const running: SimulatedDevice[] = []
beforeAll(async () => {
  world = await sharedWorld()
  browser = await sharedBrowser()
})
afterAll(async () => {
  await Promise.all(running.map((device) => device.stop()))
  await world?.stop()
})

const show = pagesOf(() => ({ browser, world }))
let cards = 0
/** Create a person with a card, whom a terminal stores without a photo. */
const person = (name: string) => world.person({ name, cardNumber: String(8_000 + ++cards) })

async function area(name: string, people: readonly MadePerson[], options: object = {}) {
  const [entry, exit] = [
    await world.device({ name: `${name} in`, direction: 1 }),
    await world.device({ name: `${name} out`, direction: 2 }),
  ]
  await world.strategy({ persons: people, devices: [entry, exit], timeRules: [await world.timeRule()] })
  const { id } = await world.call(restrictionCalls.create, {
    body: { name, limitType: 'antiSneakBack', deviceIds: [entry.id, exit.id], antiSneakBack: true, flowLimit: false, ...options },
  })
  return { id, entry, exit }
}

/** Start a terminal that asks the server as real ones do; wait until it stores all its persons and knows that it has to ask. */
async function terminal({ code, secret }: MadeDevice, people: readonly MadePerson[]) {
  const device = await startSimulatedDevice({ server: world.url, code, secret, modelId: 'none', store: { catalogue: new Catalogue() } })
  running.push(device)
  const { holdings } = device.store.disk
  await until(
    'the terminal to hold what it should',
    () =>
      device.state()?.link.kind === 'online' &&
      holdings.settings()?.secondVerification != null &&
      people.every(({ id }) => holdings.person(id) !== undefined),
  )
  const pass = async ({ id }: MadePerson) => {
    await device.pass({ personId: id, score: 99, moment: device.clock.now() })
    await until('its record to be stored', () => device.state()?.queue.records === 0)
    await world.server.platform.events.settled()
  }
  return { pass }
}

test('an area is made, its rules and its doors are read, and one door belongs to one area only', async () => {
  const [entry, exit] = [await world.device({ name: 'Lab entrance', direction: 1 }), await world.device({ name: 'Lab exit', direction: 2 })]
  const page = await show('/accessRestriction')
  await page.getByRole('button', { name: 'Add an area' }).first().click()
  await page.getByRole('heading', { name: 'Add an area' }).waitFor()
  await page.getByRole('textbox', { name: '* Name' }).fill('Laboratory')
  await page.getByText('Head-count limit', { exact: true }).first().click()
  await page.getByLabel('At most inside').fill('3')
  for (const { name } of [entry, exit]) {
    await page.getByLabel('Doors of the area').fill(name)
    await page.getByTitle(new RegExp(name)).last().click()
  }
  await page.keyboard.press('Escape')
  await page.getByRole('switch', { name: 'Anti-passback' }).click()
  await page.getByText('Admit people who may pass otherwise').click()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('heading', { name: 'Laboratory', exact: true }).waitFor()
  await page.getByText('0 of 3 inside').waitFor()
  await page.getByText('Anti-passback, At most 3 inside').waitFor()
  await page.getByRole('link', { name: 'Lab entrance' }).waitFor()
  await expectAccessible(page)
  const { content } = await world.call(restrictionCalls.list, { body: { deviceId: exit.id } })
  expect(content).toMatchObject([
    { name: 'Laboratory', limitType: 'flowLimit', antiSneakBack: true, flowLimit: true, limitCount: 3, offlinePolicy: 'allow' },
  ])

  await page.goto(`${world.url}/#/addAccessRestrictionDetail`)
  await page.getByRole('heading', { name: 'Add an area' }).waitFor()
  await page.getByRole('textbox', { name: '* Name' }).fill('Second')
  await page.getByLabel('Doors of the area').fill('Lab entrance')
  await page
    .getByTitle(/Lab entrance/)
    .last()
    .click()
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Save' }).click()
  await page
    .getByText(/Lab entrance.*already in use/)
    .first()
    .waitFor()

  await page.goto(`${world.url}/#/accessRestriction`)
  const row = page.getByRole('row', { name: /Laboratory/ })
  await row.getByRole('button', { name: /Laboratory/ }).click()
  await page.getByRole('menuitem', { name: 'Switch the head-count limit off' }).click()
  await row.getByText('0 inside').waitFor()
  await expectAccessible(page)
})

test('who is inside is refused, the record says why, and a state set by hand lets in again', { tags: 'extended' }, async () => {
  const people = [await person('Ada Twice')]
  const { id, entry } = await area('Archive', people)
  const { pass } = await terminal(entry, people)
  await pass(people[0]!)
  await pass(people[0]!)

  const page = await show('/staffCurrent?result=0')
  const row = page.getByRole('row', { name: /Ada Twice/ }).first()
  await row.getByText(/already inside the area/).waitFor()
  await row.click()
  await page.getByText('The person is inside the restricted area already and has not left it (anti-passback).').waitFor()
  await page.getByRole('link', { name: /Correct whether the person is inside/ }).click()
  await page.getByRole('heading', { name: 'Restricted areas' }).waitFor()
  await page
    .getByRole('row', { name: /Archive/ })
    .getByText('1 inside')
    .waitFor()

  await page.goto(`${world.url}/#/accessRestrictionPersonList/${id}`)
  const state = page.getByRole('row', { name: /Ada Twice/ })
  await state.getByText('Inside', { exact: true }).waitFor()
  await expectAccessible(page)
  await state.getByRole('button', { name: /Ada Twice/ }).click()
  await page.getByRole('menuitem', { name: 'Set outside' }).click()
  await page.getByRole('dialog', { name: 'Set 1 person outside?' }).getByRole('button', { name: 'Set' }).click()
  await state.getByText('Outside', { exact: true }).waitFor()
  await state.getByText('Set manually').waitFor()
  await pass(people[0]!)
  // Without a click: the list is updated with events at the doors.
  await state.getByText('Inside', { exact: true }).waitFor()
  await expect.poll(async () => (await world.call(restrictionCalls.occupancy, { params: { id } })).count).toBe(1)
})

test('a muster lists who is inside, is checked off, and says who has left since', { tags: 'extended' }, async () => {
  const people = [await person('Bo Missing'), await person('Cy Met'), await person('Di Leaving')]
  const { id, entry, exit } = await area('Workshop', people)
  const door = (made: MadeDevice) => createClient(world.url, { basic: [made.code, made.secret] })
  await until('the doors to know everybody', async () => {
    for (const one of people) {
      const answer = await door(entry).call(deviceProtocolCalls.verify, {
        body: { personId: one.id, moment: Date.now(), method: accessMethod.card, score: null },
      })
      // Answered: the person is inside from now on; a repeated request is answered that they are already.
      if (!answer.allowed && answer.restriction !== 'alreadyInside') return false
    }
    return true
  })
  const page = await show(`/accessRestrictionMuster/${id}`)
  await page.getByText('3 people are inside.').waitFor()
  await page.getByRole('button', { name: 'Begin a muster' }).click()
  await page.getByText('Missing: 3 · Met: 0 · Left since: 0').waitFor()
  await page.getByRole('button', { name: 'Cy Met was met' }).click()
  await page.getByText('Missing: 2 · Met: 1 · Left since: 0').waitFor()
  await expectAccessible(page)
  const left = await door(exit).call(deviceProtocolCalls.verify, {
    body: { personId: people[2]!.id, moment: Date.now(), method: accessMethod.card, score: null },
  })
  expect(left.allowed).toBe(true)
  await page.getByText('Missing: 1 · Met: 1 · Left since: 1').waitFor()
  await page
    .getByRole('row', { name: /Di Leaving/ })
    .getByText('Has left')
    .waitFor()
  expect((await world.call(restrictionCalls.muster, { query: { restrictionId: id, filter: 'met' } })).content).toMatchObject([
    { personName: 'Cy Met', met: true },
  ])

  await page.getByRole('button', { name: 'End the muster' }).click()
  const question = page.getByRole('dialog', { name: 'End the muster?' })
  await question.getByText('1 person is still missing.').waitFor()
  await question.getByRole('button', { name: 'End the muster' }).click()
  await page.getByText('2 people are inside.').waitFor()
})

test('somebody is set by name before the first passage', { tags: 'extended' }, async () => {
  const people = [await person('Ed Early')]
  const { id } = await area('Vault', people)
  const page = await show(`/accessRestrictionPersonList/${id}`)
  await page.getByRole('button', { name: 'Set a person’s status' }).first().click()
  const form = page.getByRole('dialog', { name: 'Set a person’s status' })
  await formReady(page)
  await form.getByLabel('Person').fill('Ed Early')
  await page.getByTitle('Ed Early').last().click()
  await page.keyboard.press('Escape')
  await form.getByRole('button', { name: 'Save' }).click()
  await form.waitFor({ state: 'hidden' })
  await page
    .getByRole('row', { name: /Ed Early/ })
    .getByText('Inside', { exact: true })
    .waitFor()
  expect((await world.call(restrictionCalls.persons, { body: { restrictionId: id } })).content).toMatchObject([
    { personName: 'Ed Early', status: 1, source: 'hand' },
  ])
})
