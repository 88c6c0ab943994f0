/** Persons of the watch list, and their groups, as an administrator manages them: by keyboard where that is faster. */
import type { Browser, Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { personGroupType } from '@gatehouse/contract/enums/people'
import { peopleCalls } from '@gatehouse/contract/people/calls'
import type { PersonGroupNode } from '@gatehouse/contract/people/groups'
import { specialCalls } from '@gatehouse/contract/people/special'
import type { World } from '@gatehouse/dev-env/world'
import { sql } from '@gatehouse/server/platform/database/database'
import { expectAccessible, formReady, pagesOf } from '../support/console.ts'
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
const rowOf = (page: Page, name: string): Locator => page.getByRole('row').filter({ hasText: name })
/** In the panel: a field that chooses a group draws a tree of its own, which may still be closing. */
const groupOf = (page: Page, name: string): Locator => page.locator('ul[role="tree"]').getByRole('treeitem').filter({ hasText: name })
const specialTree = () => world.call(specialCalls.groupTree, {})
const drawn = (nodes: readonly PersonGroupNode[]): string =>
  nodes.map(({ name, children }) => (children.length > 0 ? `${name}(${drawn(children)})` : name)).join(' ')
/** Choose an action from the menu of a row of the tree or the list. */
async function act(page: Page, name: string, action: string): Promise<void> {
  await page.getByRole('button', { name: `Actions for ${name}` }).click()
  await page.getByRole('menuitem', { name: action, exact: true }).click()
}

test('the first group and the first person are added by keyboard, one after the other', async () => {
  const known = world.photographs.people[0]!
  const page = await show('/blacklist')
  await page.getByRole('button', { name: 'Add a group and the first person' }).press('Enter')
  await formReady(page)
  await page.keyboard.type('Wanted people')
  await page.keyboard.press('Enter')
  // The name of a group must not contain a space.
  await page.getByRole('dialog').locator('.ant-form-item-explain-error').waitFor()
  await page.keyboard.press('Control+A')
  await page.keyboard.type('Wanted')
  await page.keyboard.press('Enter')
  const form = page.getByRole('dialog', { name: 'Add a person' })
  await form.waitFor()
  await form.getByText('Wanted', { exact: true }).waitFor()
  await form.getByLabel('Name').fill('James Moriarty')
  await form.locator('input[type="file"]').setInputFiles({ name: 'picture.jpg', mimeType: 'image/jpeg', buffer: await known.photo(1) })
  await form.getByRole('button', { name: 'Remove photo 1' }).waitFor()
  await form.getByLabel('Reason').fill('Stole a crown')
  await form.getByLabel('Name').press('Enter')
  await form.waitFor({ state: 'hidden' })
  const row = rowOf(page, 'James Moriarty')
  await row.getByRole('img').first().waitFor()
  await row.getByText('Stole a crown').waitFor()
  expect(await specialTree()).toMatchObject([{ name: 'Wanted', type: personGroupType.blacklist, personCount: 1 }])
  const { content } = await world.call(specialCalls.list, { query: { name: 'moriarty' } })
  expect(content).toMatchObject([{ kind: 'special', remark: 'Stole a crown', faces: [{ faceId: expect.any(String) }] }])
})

test('somebody is found by name, moved, disabled, and deleted unless it is taken back', { tags: 'extended' }, async () => {
  const [from, to] = [
    await world.personGroup({ name: 'Thieves', type: personGroupType.blacklist }),
    await world.personGroup({ name: 'Forgers', type: personGroupType.blacklist }),
  ]
  const person = await world.person({ name: 'Irene Adler', kind: 'special', groupId: from.id })
  await world.person({ name: 'Sebastian Moran', kind: 'special', groupId: from.id })
  const read = () => world.call(specialCalls.read, { query: { id: person.id } })
  const page = await show('/blacklist')
  await rowOf(page, 'Sebastian Moran').waitFor()
  await page.keyboard.press('/')
  await page.keyboard.type('irene')
  await rowOf(page, 'Sebastian Moran').waitFor({ state: 'detached' })
  await act(page, 'Irene Adler', 'Move')
  await formReady(page)
  const move = page.getByRole('dialog', { name: 'Move 1 person' })
  await move.getByLabel('To group').click()
  await page.locator('.ant-select-tree-node-content-wrapper').filter({ hasText: 'Forgers' }).click()
  await move.getByRole('button', { name: 'Save' }).click()
  await until('the person to be in the other group', async () => (await read()).groupId === to.id)
  await act(page, 'Irene Adler', 'Disable')
  await until('the person to be disabled', async () => (await read()).status === 0)
  await act(page, 'Irene Adler', 'Enable')
  await until('the person to be enabled', async () => (await read()).status === 1)
  await act(page, 'Irene Adler', 'Delete')
  await page.getByRole('dialog', { name: 'Delete Irene Adler?' }).getByRole('button', { name: 'Delete' }).click()
  await page.getByRole('button', { name: 'Undo' }).click()
  expect((await read()).name).toBe('Irene Adler')
  // The page shows the reason; its back link leads to the list.
  await rowOf(page, 'Irene Adler').getByRole('link', { name: 'Irene Adler' }).click()
  await page.getByText('No door admits this person', { exact: false }).waitFor()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Delete' }).click()
  await page.getByRole('dialog', { name: 'Delete Irene Adler?' }).getByRole('button', { name: 'Delete' }).click()
  await page.waitForURL((url) => url.hash.startsWith('#/blacklist'))
  await until('the person to be gone', async () => (await world.ask(specialCalls.read, { query: { id: person.id } })).status === 404)
})

test('several are disabled and moved at once', { tags: 'extended' }, async () => {
  const [from, to] = [
    await world.personGroup({ name: 'Before', type: personGroupType.blacklist }),
    await world.personGroup({ name: 'After', type: personGroupType.blacklist }),
  ]
  for (const name of ['Grimesby Roylott', 'Jonas Oldacre']) await world.person({ name, kind: 'special', groupId: from.id })
  const inGroup = async (groupId: string) => (await world.call(specialCalls.list, { query: { groupId } })).content
  const page = await show(`/blacklist?groupId=${from.id}`)
  await rowOf(page, 'Jonas Oldacre').waitFor()
  const marked = page.getByRole('region', { name: '2 selected' })
  await page.getByRole('checkbox', { name: 'Select all' }).click()
  await marked.waitFor()
  await marked.getByRole('button', { name: 'Move' }).click()
  await formReady(page)
  const move = page.getByRole('dialog', { name: 'Move 2 people' })
  await move.getByLabel('To group').click()
  await page.locator('.ant-select-tree-node-content-wrapper').filter({ hasText: 'After' }).click()
  await move.getByRole('button', { name: 'Save' }).click()
  await until('both to be moved', async () => (await inGroup(to.id)).length === 2)
  await groupOf(page, 'After').click()
  await rowOf(page, 'Jonas Oldacre').waitFor()
  await page.getByRole('checkbox', { name: 'Select all' }).click()
  await marked.getByRole('button', { name: 'Disable' }).click()
  await until('both to be disabled', async () => (await inGroup(to.id)).every(({ status }) => status === 0))
})

test('groups of staff are added, renamed, moved, put on top and deleted where they stand', { tags: 'extended' }, async () => {
  const office = await world.personGroup({ name: 'Office' })
  await world.personGroup({ name: 'Sales', parentId: office.id })
  await world.person({ name: 'Ada Lovelace', groupId: office.id })
  const tree = async () => drawn(await world.call(peopleCalls.groupTree, { query: { type: 1 } }))
  const page = await show('/staffList')
  await page.getByRole('button', { name: 'Add a group', exact: true }).press('Enter')
  await formReady(page)
  await page.keyboard.type('Works')
  await page.keyboard.press('Enter')
  await groupOf(page, 'Works').waitFor()
  await until('the group to be chosen', () => new URL(page.url()).hash.includes('groupId='))
  await page.getByRole('dialog').waitFor({ state: 'hidden' })

  // By keyboard: down the tree from the row for all people to the last one.
  await groupOf(page, 'All people').focus()
  await page.keyboard.press('End')
  await page.keyboard.press('F2')
  await formReady(page)
  await page.keyboard.press('Control+A')
  await page.keyboard.type('Fabrik Süd')
  await page.keyboard.press('Enter')
  await page.locator('.ant-form-item-has-error').getByText('Use only Chinese characters, English letters', { exact: false }).waitFor()
  await page.keyboard.press('Control+A')
  await page.keyboard.type('Factory')
  await page.keyboard.press('Enter')
  await groupOf(page, 'Factory').waitFor()
  await until('the group to be renamed', async () => (await tree()) === 'Office(Sales) Factory')
  await page.getByRole('dialog').waitFor({ state: 'hidden' })

  await groupOf(page, 'Factory').hover()
  await act(page, 'Factory', 'Put on top')
  await until('the group to stand on top', async () => (await tree()) === 'Factory Office(Sales)')
  await groupOf(page, 'Sales').hover()
  await act(page, 'Sales', 'Move')
  await formReady(page)
  await page.getByRole('dialog', { name: 'Move Sales' }).getByLabel('Parent group').click()
  await page.locator('.ant-select-tree-node-content-wrapper').filter({ hasText: 'Factory' }).click()
  await page.getByRole('dialog', { name: 'Move Sales' }).getByRole('button', { name: 'Save' }).click()
  await until('the group to be moved', async () => (await tree()) === 'Factory(Sales) Office')
  await page.getByRole('dialog').waitFor({ state: 'hidden' })
  await until('the page to show it there', async () =>
    /Factory.*Sales.*Office/s.test((await page.locator('ul[role="tree"]').getByRole('treeitem').allInnerTexts()).join()),
  )
  await groupOf(page, 'Office').hover()
  await act(page, 'Office', 'Delete')
  await page.getByText('1 person is still in Office', { exact: false }).waitFor()
  await groupOf(page, 'Sales').focus()
  await page.keyboard.press('Delete')
  await page.getByRole('dialog', { name: 'Delete the group Sales?' }).getByRole('button', { name: 'Delete' }).click()
  await groupOf(page, 'Sales').waitFor({ state: 'detached' })
  await until('the group to be deleted', async () => (await tree()) === 'Factory Office')
  await expectAccessible(page)
})

test(
  'of a tree of five thousand groups what is in sight is drawn, and it is walked and searched by keyboard',
  { tags: 'extended' },
  async () => {
    // Through public calls it would take minutes.
    await sql`INSERT INTO person_group (id, park_id, name, parent_id, type, position, created_at)
    SELECT gen_random_uuid(), ${world.park.id}::uuid, 'Team_' || n, NULL, 2, 0, now() + n * interval '1 second' FROM generate_series(1,
      5000) AS n`.execute(world.server.platform.db)
    const page = await show('/blacklist')
    const items = page.getByRole('treeitem')
    await groupOf(page, 'All people').waitFor()
    await expect.poll(() => items.count()).toBeLessThan(150)
    await groupOf(page, 'All people').focus()
    await page.keyboard.press('End')
    await page.locator('[role="treeitem"]:focus').filter({ hasText: 'Team_5000' }).waitFor()
    await page.keyboard.press('ArrowUp')
    await page.locator('[role="treeitem"]:focus').filter({ hasText: 'Team_4999' }).waitFor()
    await page.keyboard.press('Enter')
    await page.getByRole('treeitem', { selected: true }).filter({ hasText: 'Team_4999' }).waitFor()
    await page.getByRole('textbox', { name: 'Find a group' }).fill('team_3711')
    await groupOf(page, 'Team_3711').waitFor()
    await expect.poll(() => items.count()).toBe(2)
    await expectAccessible(page)
  },
)
