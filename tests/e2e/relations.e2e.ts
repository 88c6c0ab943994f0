/** Linked parks, as an administrator of one of them sees them. */
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { areaCalls } from '@gatehouse/contract/organisation/areas'
import { relationCalls } from '@gatehouse/contract/relations/calls'
import { startWorld, type Site, type World } from '@gatehouse/dev-env/world'
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
const codeOf = async (of: Site) => (await of.call(areaCalls.verificationCode, { query: {} })).verificationCode

test('the QR link of another park opens the application with its code; persons are chosen, and the other park sees it', async () => {
  const other = await world.addPark({ name: 'Riverside' })
  await world.person({ name: 'Mei Lin', workNumber: 'R-100' })
  const { link } = await other.call(areaCalls.qrCodeInfo, { query: { id: other.park.id } })
  const page = await show(link.slice(link.indexOf('#') + 1))
  const form = page.getByRole('dialog', { name: 'Apply to a park' })
  await form.getByText('This is Riverside').waitFor()
  await formReady(page)
  expect(page.url()).not.toContain('code=')
  await form.getByLabel('Single people').fill('R-100')
  await page.getByTitle('Mei Lin').click()
  await page.keyboard.press('Escape')
  await form.getByLabel('Remark').fill('Shared canteen')
  await form.getByRole('button', { name: 'Send application' }).click()
  await form.waitFor({ state: 'hidden' })
  await page
    .getByRole('row', { name: /Riverside/ })
    .getByText('Waiting for an answer')
    .waitFor()
  await expectAccessible(page)
  expect((await other.call(relationCalls.list, { query: {} })).content).toMatchObject([
    { direction: 'received', personCount: 1, remark: 'Shared canteen', status: 'applied' },
  ])
})

test(
  'an application from elsewhere is agreed to, its people are associated here, and the link is ended again',
  { tags: 'extended' },
  async () => {
    const other = await world.addPark({ name: 'Hillside' })
    const guest = await other.person({ name: 'Jun Wei', workNumber: 'H-7' })
    await other.call(relationCalls.apply, { body: { authorisationCode: await codeOf(world), personIds: [guest.id] } })
    const page = await show('/associatedPark?direction=received')
    const row = page.getByRole('row', { name: /Hillside/ })
    await row.getByText('1 person').waitFor()
    await row.getByRole('button', { name: /Hillside/ }).click()
    await page.getByRole('menuitem', { name: 'Agree' }).click()
    const question = page.getByRole('dialog', { name: 'Link with Hillside?' })
    await expectAccessible(page)
    await question.getByRole('button', { name: 'Agree' }).click()
    await row.getByText('Agreed').waitFor()

    await page.goto(`${world.url}/#/associatedPersonList`)
    await page
      .getByRole('row', { name: /Jun Wei/ })
      .getByText('Hillside')
      .waitFor()

    await page.goto(`${world.url}/#/associatedPark`)
    await row.getByRole('button', { name: /Hillside/ }).click()
    await page.getByRole('menuitem', { name: 'End the link' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'End the link' }).click()
    await row.getByText('Dissolved').waitFor()
    expect((await other.call(relationCalls.list, { query: {} })).content[0]!.status).toBe('dismissed')
  },
)

test('a code nobody has is refused at its field, and nothing typed is lost', { tags: 'extended' }, async () => {
  const page = await show('/associatedPark')
  await page.getByRole('button', { name: 'Apply to a park' }).first().click()
  await formReady(page)
  const form = page.getByRole('dialog', { name: 'Apply to a park' })
  await form.getByLabel('Code of the other park').fill('zzzzzzzzzz')
  await form.getByLabel('Remark').fill('Hello')
  await form.getByRole('button', { name: 'Send application' }).click()
  await form.getByText('No park has this code.').waitFor()
  await expect.poll(() => form.getByLabel('Code of the other park').inputValue()).toBe('ZZZZZZZZZZ')
  await expect.poll(() => form.getByLabel('Remark').inputValue()).toBe('Hello')
})
