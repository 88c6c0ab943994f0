/**
 * Who gains and who loses access to which doors is shown before persons, devices and groups are moved, and before a door group is saved.
 */
import type { Browser, Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { accessGroupCalls } from '@gatehouse/contract/strategies/access-groups'
import { writtenRuleCalls } from '@gatehouse/contract/approvals/written-rules'
import { deviceCalls } from '@gatehouse/contract/devices/calls'
import { peopleCalls } from '@gatehouse/contract/people/calls'
import { startWorld, type World } from '@gatehouse/dev-env/world'
import { expectAccessible, formReady, pagesOf } from '../support/console.ts'
import { sharedBrowser } from '../support/stage.ts'

let world: World
let browser: Browser
beforeAll(async () => {
  world = await startWorld({ console: true })
  browser = await sharedBrowser()
})
afterAll(async () => {
  await world?.stop()
})

const show = pagesOf(() => ({ browser, world }))
const rowOf = (part: Page | Locator, text: string): Locator => part.locator('tr[data-row-key]').filter({ hasText: text, visible: true })
const lineIn = (part: Locator): Locator => part.getByRole('status', { name: 'What saving would change' })
const NO_CHANGE = 'No change to access in the next 7 days.'

async function choose(page: Page, field: Locator, name: string): Promise<void> {
  await field.click()
  await page.locator('.ant-select-tree-node-content-wrapper:visible').filter({ hasText: name }).click()
}

test('persons who are moved are told of with the doors they gain and lose, by name, and what forbids it', async () => {
  const [from, to, quiet] = [
    await world.personGroup({ name: 'Greenhouse' }),
    await world.personGroup({ name: 'Orchard' }),
    await world.personGroup({ name: 'Meadow' }),
  ]
  const movers = [await world.person({ name: 'Gina Green', groupId: from.id }), await world.person({ name: 'Gus Grove', groupId: from.id })]
  const [glass, gate] = [await world.device({ name: 'Glass door' }), await world.device({ name: 'Orchard gate' })]
  await world.strategy({ name: 'Gardeners', personGroups: [from, quiet], devices: [glass] })
  await world.strategy({ name: 'Pickers', personGroups: [to], devices: [gate] })
  await world.call(writtenRuleCalls.create, {
    body: { name: 'Gina stays inside', personIds: [movers[0]!.id], deviceIds: [gate.id], sentence: 'Ask the head gardener.' },
  })
  const page = await show('/staffList?name=G')
  for (const { name } of movers) await rowOf(page, name).getByRole('checkbox').check()
  await page.getByRole('region', { name: '2 selected' }).getByRole('button', { name: 'Move', exact: true }).click()
  await formReady(page)
  const form = page.getByRole('dialog', { name: 'Move 2 people' })
  expect(await lineIn(form).count()).toBe(0)
  await choose(page, form.getByLabel('To group'), quiet.name)
  await lineIn(form).getByText(NO_CHANGE).waitFor()

  await choose(page, form.getByLabel('To group'), to.name)
  await lineIn(form).getByRole('button', { name: '2 people lose Glass door' }).waitFor()
  await form.getByText('Violates the compliance rule “Gina stays inside”: it will be refused').waitFor()
  await form.getByText('Ask the head gardener.').waitFor()
  await expectAccessible(page)
  await lineIn(form).getByRole('button', { name: '2 people gain Orchard gate' }).click()
  const drawer = page.getByRole('dialog', { name: 'What saving would change' })
  await rowOf(drawer, 'Gina Green').getByText('Orchard gate').waitFor()
  await rowOf(drawer, 'Gus Grove').waitFor()
  await expectAccessible(page)
  await page.keyboard.press('Escape')
  await drawer.waitFor({ state: 'hidden' })

  await choose(page, form.getByLabel('To group'), quiet.name)
  await lineIn(form).getByText(NO_CHANGE).waitFor()
  await form.getByRole('button', { name: 'Save' }).click()
  await form.waitFor({ state: 'hidden' })
  const { content } = await world.call(peopleCalls.list, { query: { groupId: quiet.id } })
  expect(content.map(({ name }) => name).toSorted()).toEqual(['Gina Green', 'Gus Grove'])

  // One of them alone, in their own form.
  await page.getByRole('button', { name: 'Actions for Gus Grove' }).click()
  await page.getByRole('menuitem', { name: 'Edit', exact: true }).click()
  await formReady(page)
  const own = page.getByRole('dialog', { name: 'Edit Gus Grove' })
  expect(await lineIn(own).count()).toBe(0)
  await choose(page, own.getByLabel('Group', { exact: true }), to.name)
  await lineIn(own).getByRole('button', { name: '1 person gains Orchard gate' }).waitFor()
})

test('devices that are moved, several or in the form of one, are told of with who gains and who loses them', async () => {
  const [inside, outside] = [await world.deviceGroup('Inside'), await world.deviceGroup('Outside')]
  const [baker, visitor] = [await world.person({ name: 'Bea Baker' }), await world.person({ name: 'Vic Visitor' })]
  const devices = [await world.device({ name: 'Oven 1', groupId: inside.id }), await world.device({ name: 'Oven 2', groupId: inside.id })]
  await world.strategy({ name: 'Baking', persons: [baker], deviceGroups: [inside] })
  await world.strategy({ name: 'Visiting', persons: [visitor], deviceGroups: [outside] })
  const page = await show('/deviceList?name=Oven')
  for (const { name } of devices) await rowOf(page, name).getByRole('checkbox').check()
  await page.getByRole('region', { name: '2 selected' }).getByRole('button', { name: 'Move' }).click()
  const moving = page.getByRole('dialog', { name: 'Move 2 devices' })
  // If it was saved now, they would be in no group.
  await lineIn(moving).getByRole('button', { name: '1 person loses Oven 1, Oven 2' }).waitFor()
  await choose(page, moving.getByRole('combobox'), outside.name)
  await lineIn(moving).getByRole('button', { name: '1 person gains Oven 1, Oven 2' }).waitFor()
  await expectAccessible(page)
  await moving.getByRole('button', { name: 'Save' }).click()
  await moving.waitFor({ state: 'hidden' })
  for (const { id } of devices) expect(await world.call(deviceCalls.read, { params: { id } })).toMatchObject({ groupName: 'Outside' })

  await page.getByRole('button', { name: 'Actions for Oven 1' }).click()
  await page.getByRole('menuitem', { name: 'Edit', exact: true }).click()
  await formReady(page)
  const form = page.getByRole('dialog', { name: 'Edit Oven 1' })
  await form.getByLabel('Name').fill('Oven one')
  expect(await lineIn(form).count()).toBe(0)
  await choose(page, form.getByLabel('Group', { exact: true }), inside.name)
  await lineIn(form).getByRole('button', { name: '1 person gains Oven 1' }).waitFor()
  await lineIn(form).getByRole('button', { name: '1 person loses Oven 1' }).waitFor()
  await expectAccessible(page)
})

test('a device group that is moved or deleted says so too', { tags: 'extended' }, async () => {
  const [wing, annex] = [await world.deviceGroup('Wing'), await world.deviceGroup('Annex')]
  const door = await world.device({ name: 'Side door', groupId: annex.id })
  const person = await world.person({ name: 'Wanda Wing' })
  await world.strategy({ name: 'Wing staff', persons: [person], deviceGroups: [wing] })

  const page = await show('/deviceList')
  const branch = (name: string): Locator => page.getByRole('treeitem').filter({ hasText: name })
  await branch('Annex').first().click()
  await page.getByRole('button', { name: 'Actions for Annex' }).click()
  await page.getByRole('menuitem', { name: 'Move', exact: true }).click()
  const moving = page.getByRole('dialog', { name: 'Move Annex' })
  await lineIn(moving).getByText(NO_CHANGE).waitFor()
  await choose(page, moving.getByRole('combobox'), 'Wing')
  await lineIn(moving)
    .getByRole('button', { name: `1 person gains ${door.name}` })
    .waitFor()
  await expectAccessible(page)
  await moving.getByRole('button', { name: 'Save' }).click()
  await moving.waitFor({ state: 'hidden' })
  await world.call(deviceCalls.move, { body: { ids: [door.id], groupId: null } })
  await page.reload()
  await branch('Annex').first().click()
  await page.getByRole('button', { name: 'Actions for Annex' }).click()
  await page.getByRole('menuitem', { name: 'Delete', exact: true }).click()
  await page.getByRole('dialog', { name: 'Delete Annex?' }).getByText(NO_CHANGE).waitFor()
})

test('a door group that is changed says who gains and who loses its doors', { tags: 'extended' }, async () => {
  const [spare, person] = [await world.device({ name: 'Spare door' }), await world.person({ name: 'Ron Round' })]
  const { id } = await world.call(accessGroupCalls.create, { body: { name: 'Round', deviceIds: [spare.id] } })
  await world.strategy({ name: 'Rounds', persons: [person], accessGroupIds: [id] })
  const page = await show('/passStrategy')
  await page.getByRole('button', { name: 'Door groups' }).click()
  await page.getByRole('button', { name: 'Actions for Round', exact: true }).click()
  await page.getByRole('menuitem', { name: 'Edit', exact: true }).click()
  const form = page.getByRole('dialog', { name: 'Edit Round' })
  await lineIn(form).getByText(NO_CHANGE).waitFor()
  await form.locator('.ant-select-selection-item-remove').click()
  await lineIn(form).getByRole('button', { name: '1 person loses Spare door' }).waitFor()
  await expectAccessible(page)
})
