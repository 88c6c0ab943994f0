/** What somebody clears in a form of access control is gone once it is saved, and what they left alone is as it was. */
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { accessCalls } from '@gatehouse/contract/access/calls'
import { restrictionCalls } from '@gatehouse/contract/restrictions/calls'
import type { World } from '@gatehouse/dev-env/world'
import { pagesOf } from '../support/console.ts'
import { sharedBrowser, sharedWorld } from '../support/stage.ts'

const DAY = 86_400_000
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

/** Empties a date field by its own button. */
async function clearDate(page: Page, label: string): Promise<void> {
  const field = page.locator('.ant-picker').filter({ has: page.getByLabel(label) })
  await field.hover()
  await field.locator('.ant-picker-clear').click()
}
/** The form holds what is stored. */
async function filled(page: Page, name: string): Promise<void> {
  await expect.poll(() => page.locator('input[id$=name]').first().inputValue()).toBe(name)
}
const save = (page: Page) => page.getByRole('button', { name: 'Save' }).click()

test('the start and the end of a strategy', { tags: 'extended' }, async () => {
  const fields = { methods: [4, 15], authorizedObject: 'both' as const }
  const { id } = await world.strategy({ name: 'For a while', validFrom: Date.now() - DAY, validTo: Date.now() + DAY, ...fields })
  const page = await show(`/addPassStrategyDetail?id=${id}`)
  await filled(page, 'For a while')
  await clearDate(page, 'Begins')
  await clearDate(page, 'Ends')
  await save(page)
  const read = () => world.call(accessCalls.readStrategy, { query: { id } })
  await expect.poll(read).toMatchObject({ name: 'For a while', validFrom: null, validTo: null, ...fields })
})

test('the day a time rule begins, and its other days', { tags: 'extended' }, async () => {
  const { id } = await world.timeRule({ name: 'From later on', effectiveDate: '2099-01-01', allowedExceptionDates: ['2099-05-01'] })
  const page = await show(`/timeRuleDetail/${id}`)
  await filled(page, 'From later on')
  await page.locator('label').filter({ hasText: 'From today' }).click()
  await save(page)
  const read = () => world.call(accessCalls.readTimeRule, { params: { id } })
  await expect.poll(read).toMatchObject({ name: 'From later on', effectiveDate: null, allowedExceptionDates: ['2099-05-01'] })
})

test('the number of people an area is limited to', { tags: 'extended' }, async () => {
  const door = await world.device({ name: 'Studio in' })
  const fields = { name: 'Studio', limitType: 'flowLimit' as const, deviceIds: [door.id], antiSneakBack: true }
  const { id } = await world.call(restrictionCalls.create, { body: { ...fields, flowLimit: true, limitCount: 9, offlinePolicy: 'allow' } })
  const page = await show(`/addAccessRestrictionDetail?id=${id}`)
  await filled(page, 'Studio')
  await page.getByLabel('At most inside').fill('')
  await page.getByRole('switch', { name: 'Head-count limit' }).click()
  await save(page)
  const read = () => world.call(restrictionCalls.read, { params: { id } })
  await expect.poll(read).toMatchObject({ ...fields, flowLimit: false, limitCount: null, offlinePolicy: 'allow' })
})
