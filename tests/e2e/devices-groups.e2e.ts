/** Device groups beside the list: created, renamed, moved, deleted, and devices moved into them. */
import type { Browser, Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { DEVICE_GROUP_DEPTH_UI } from '@gatehouse/contract'
import { deviceCalls } from '@gatehouse/contract/devices/calls'
import type { Made, World } from '@gatehouse/dev-env/world'
import { expectAccessible, formReady, pagesOf, typePassword } from '../support/console.ts'
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

const branch = (page: Page, name: string): Locator => page.getByRole('treeitem').filter({ hasText: name })
const made = async (name: string, parent?: Made): Promise<Made> => ({
  name,
  ...(await world.call(deviceCalls.createGroup, { body: { name, parentId: parent?.id } })),
})
const groupMenu = async (page: Page, name: string, action: string): Promise<void> => {
  await page.getByRole('button', { name: `Actions for ${name}` }).click()
  await page.getByRole('menuitem', { name: action, exact: true }).click()
}
const groupOf = async (device: Made): Promise<string> => (await world.call(deviceCalls.read, { params: { id: device.id } })).groupName

test('a group is added with a direction, which its new devices take, then renamed, moved and deleted', { tags: 'extended' }, async () => {
  const page = await show('/deviceList')
  await page.getByRole('button', { name: 'New group' }).click()
  await formReady(page)
  const form = page.getByRole('dialog', { name: 'New group' })
  await form.getByLabel('Name of the group').fill('Exits, south=1_%')
  await form.getByText('Out', { exact: true }).click()
  await expectAccessible(page)
  await form.getByRole('button', { name: 'Save' }).click()
  // It is selected at once, and preset for a new device.
  await branch(page, 'Exits, south=1_%').and(page.locator('[aria-selected="true"]')).waitFor()
  await page.getByRole('button', { name: 'Add a device' }).first().click()
  await formReady(page)
  const device = page.getByRole('dialog', { name: 'Add a device' })
  await device.getByLabel('Name').fill('Way out')
  await device.getByLabel('Code').fill('OUT-1')
  await device.getByRole('button', { name: 'Save' }).click()
  await typePassword(page)
  await page.getByRole('button', { name: 'I have copied it' }).click()
  expect((await world.call(deviceCalls.list, { query: { code: 'OUT-1' } })).content[0]).toMatchObject({
    groupName: 'Exits, south=1_%',
    direction: 2,
  })

  await groupMenu(page, 'Exits, south=1_%', 'Change')
  await formReady(page)
  const change = page.getByRole('dialog', { name: 'Change Exits, south=1_%' })
  await change.getByLabel('Name of the group').fill('Exits')
  await change.getByRole('button', { name: 'Save' }).click()
  // Under its new name alone, which the old one contains.
  await branch(page, 'Exits, south').waitFor({ state: 'detached' })
  await branch(page, 'Exits').filter({ hasText: '1' }).waitFor()
  await groupMenu(page, 'Exits', 'Delete')
  await page.getByText('There is 1 device in Exits. Move it first.').waitFor()

  // Out of the group, with the selected rows of the list.
  await page.getByRole('row').filter({ hasText: 'Way out' }).getByRole('checkbox').click()
  await page.getByRole('region', { name: '1 selected' }).getByRole('button', { name: 'Move' }).click()
  const moving = page.getByRole('dialog', { name: 'Move 1 device' })
  await moving.getByRole('button', { name: 'Save' }).click()
  await moving.waitFor({ state: 'hidden' })
  await branch(page, 'Exits').filter({ hasText: '0' }).waitFor()
  await groupMenu(page, 'Exits', 'Delete')
  await page.getByRole('dialog', { name: 'Delete Exits?' }).getByRole('button', { name: 'Delete' }).click()
  await branch(page, 'Exits').waitFor({ state: 'detached' })
  await page.getByRole('row').filter({ hasText: 'Way out' }).waitFor()
})

test('several devices are moved together', async () => {
  const hall = await made('Hall')
  const devices = [await world.device({ name: 'Hall 1' }), await world.device({ name: 'Hall 2' })]
  const page = await show('/deviceList?name=Hall')
  for (const { name } of devices) await page.getByRole('row').filter({ hasText: name }).getByRole('checkbox').click()
  await page.getByRole('region', { name: '2 selected' }).getByRole('button', { name: 'Move' }).click()
  const moving = page.getByRole('dialog', { name: 'Move 2 devices' })
  await moving.getByRole('combobox').click()
  await page.locator('.ant-select-dropdown:visible').getByText('Hall', { exact: true }).click()
  await expectAccessible(page)
  await moving.getByRole('button', { name: 'Save' }).click()
  await until('both to be there', async () => (await Promise.all(devices.map(groupOf))).every((name) => name === hall.name))
  // A single row can be moved.
  await page.getByRole('button', { name: 'Actions for Hall 1' }).click()
  await page.getByRole('menuitem', { name: 'Move', exact: true }).click()
  await page.getByRole('dialog', { name: 'Move 1 device' }).getByRole('button', { name: 'Save' }).click()
  await until('one to be out again', async () => (await groupOf(devices[0]!)) === '')
})

test('the console nests groups five deep, and not deeper by moving one [VAL-103]', { tags: 'extended' }, async () => {
  const levels = [await made('Level 1')]
  for (let level = 2; level <= DEVICE_GROUP_DEPTH_UI; level++) levels.push(await made(`Level ${level}`, levels.at(-1)))
  const pair = await made('Pair')
  await made('Below pair', pair)
  const page = await show('/deviceList')
  await branch(page, 'Level 4').click()
  const add = page.getByRole('button', { name: 'New group' })
  await until('the fourth level to take another', () => add.isEnabled())
  await branch(page, 'Level 5').click()
  await until('the fifth to take none', () => add.isDisabled())
  await expect.poll(() => add.getAttribute('title')).toBe('Groups may be nested 5 deep.')

  await branch(page, 'Pair').first().click()
  await groupMenu(page, 'Pair', 'Move')
  const moving = page.getByRole('dialog', { name: 'Move Pair' })
  await moving.getByRole('combobox').click()
  await page.locator('.ant-select-dropdown:visible').getByText('Level 4', { exact: true }).click()
  await moving.getByRole('button', { name: 'Save' }).click()
  await moving.getByText('Groups may be nested at most 5 deep.').waitFor()
  await moving.getByRole('combobox').click()
  await page.locator('.ant-select-dropdown:visible').getByText('Level 3', { exact: true }).click()
  await moving.getByRole('button', { name: 'Save' }).click()
  await moving.waitFor({ state: 'hidden' })
  await branch(page, 'Below pair').and(page.locator('[aria-level="5"]')).waitFor()
})

test('two hundred groups are all there', { tags: 'extended' }, async () => {
  await Promise.all(Array.from({ length: 200 }, (_, at) => made(`Many ${at}`)))
  const page = await show('/deviceList')
  await until('all of them', async () => (await branch(page, 'Many').count()) === 200)
  await branch(page, 'Many 199').scrollIntoViewIfNeeded()
  await expect.poll(() => branch(page, 'Many 199').isVisible()).toBe(true)
})
