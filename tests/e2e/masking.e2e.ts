/** The console of a user whose profile requires masking: what is shown, and a form that sends back masked values. */
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { peopleCalls } from '@gatehouse/contract/people/calls'
import type { World } from '@gatehouse/dev-env/world'
import { expectAccessible, formReady, pagesOf } from '../support/console.ts'
import { sharedBrowser, sharedWorld } from '../support/stage.ts'
import { PASSWORD, usersOf } from '../support/users.ts'

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

test('a masked name, phone and ID number are shown, and saved untouched with a new remark [BEH-010]', async () => {
  const person = await world.person({ name: 'Margaret Hamilton', phone: '13812345678', idNumber: '110101199003078515' })
  const before = await world.call(peopleCalls.read, { query: { id: person.id } })
  const { role, loggedIn } = usersOf(world)
  const { account } = await loggedIn({ roles: [await role(['person', 'person.list', 'own:person.edit'])], enablePageDataMasking: true })
  const page = await show('/staffList', { user: { account, password: PASSWORD } })
  await page.getByRole('row').filter({ hasText: 'M********n' }).waitFor()
  expect(await page.getByText('Margaret Hamilton').count()).toBe(0)
  await page.getByRole('button', { name: 'Actions for M********n' }).click()
  await page.getByRole('menuitem', { name: 'Edit' }).click()
  await formReady(page)
  const form = page.getByRole('dialog')
  await expect.poll(() => form.getByLabel('Name', { exact: true }).inputValue()).toBe('M********n')
  await expect.poll(() => form.getByLabel('Phone').inputValue()).toBe('138****5678')
  await form.getByLabel('Remark').fill('Badge lost')
  await expectAccessible(page)
  await form.getByRole('button', { name: 'Save' }).click()
  await form.waitFor({ state: 'hidden' })
  const after = await world.call(peopleCalls.read, { query: { id: person.id } })
  expect(after).toMatchObject({ name: before.name, phone: before.phone, idNumber: before.idNumber, remark: 'Badge lost' })
  // A name of asterisks that a user types is refused.
  await page.getByRole('button', { name: 'Actions for M********n' }).click()
  await page.getByRole('menuitem', { name: 'Edit' }).click()
  await formReady(page)
  await form.getByLabel('Name', { exact: true }).fill('M***n')
  await form.getByRole('button', { name: 'Save' }).click()
  await form.getByText('Asterisks stand for hidden characters', { exact: false }).waitFor()
})

test('a filter on what is shown masked says that it finds whole values only, and says so to nobody else', async () => {
  await world.person({ name: 'Katherine Johnson', phone: '13812349999' })
  const { role, loggedIn } = usersOf(world)
  const { account } = await loggedIn({ roles: [await role(['person', 'person.list'])], enablePageDataMasking: true })
  const page = await show('/staffList', { user: { account, password: PASSWORD } })
  const filters = page.getByRole('search')
  await filters.getByPlaceholder('Name in full').fill('atherine')
  await page.getByText('Nothing matches these filters.').waitFor()
  expect(await filters.getByLabel('Name').getAttribute('title')).toContain('only the full value is found')
  expect(await filters.getByLabel('Work no.').getAttribute('title')).toBeNull()
  await expectAccessible(page)
  await filters.getByPlaceholder('Name in full').fill('katherine johnson')
  await page.getByRole('row').filter({ hasText: 'K********n' }).waitFor()

  const full = await show('/staffList')
  await full.getByRole('search').getByPlaceholder('Name', { exact: true }).fill('atherine')
  await full.getByRole('row').filter({ hasText: 'Katherine Johnson' }).waitFor()
})
