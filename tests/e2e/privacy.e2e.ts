/** Privacy, as an administrator sees it: the park's rules, consent with its consequences, and an erasure with its receipt. */
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { peopleCalls } from '@gatehouse/contract/people/calls'
import { parkSettingCalls } from '@gatehouse/contract/organisation/settings'
import { privacyCalls } from '@gatehouse/contract/privacy/calls'
import type { World } from '@gatehouse/dev-env/world'
import { portraitVariant } from '@gatehouse/dev-env/portraits'
import { expectAccessible, pagesOf } from '../support/console.ts'
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

test('the rules of the park are set in words, and say what follows from them', async () => {
  await world.call(parkSettingCalls.saveUpdateConfig, {
    body: { staffFaceRegisterFlag: 0, customerFaceRegisterFlag: 0, showCustomerManagerFlag: 1 },
  })
  const page = await show('/privacyPolicy')
  await page.getByText('Photos are stored without asking for consent', { exact: false }).waitFor()
  await expectAccessible(page)
  await page.getByRole('switch', { name: 'Photos only with consent' }).click()
  await page.getByText('only of people who have consented', { exact: false }).waitFor()
  await page.getByLabel('Consent text (English)').fill('My face opens the doors of this park.')
  await page.getByRole('radio', { name: /Keep as they are/ }).check()
  await page.getByRole('switch', { name: 'Auto-delete after expiry: Customers' }).click()
  await page.getByRole('spinbutton', { name: 'Customers' }).fill('30')
  await page.getByText('Not saved yet').waitFor()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Privacy settings saved').waitFor()
  const saved = await until('the policy to be saved', () =>
    world.call(privacyCalls.policy, {}).then((policy) => policy.version > 0 && policy),
  )
  expect(saved).toMatchObject({
    consentRequired: true,
    recordsOnErasure: 'keep',
    consentText: { en: 'My face opens the doors of this park.' },
    retention: { staff: null, customer: 30, special: null, visitor: 90 },
  })
  await world.call(privacyCalls.changePolicy, {
    body: {
      consentRequired: false,
      consentText: {},
      recordsOnErasure: 'pseudonymise',
      retention: { staff: null, customer: null, special: null },
    },
  })
})

test('somebody who withdraws consent loses the photographs, after being told what that means', async () => {
  const person = await world.person({ name: 'Withdrawing Wilma', photo: await portraitVariant(6, 0) })
  const page = await show(`/staffDetails/${person.id}`)
  await page.getByRole('button', { name: 'Record consent' }).click()
  await page.getByRole('dialog').getByLabel('Note (optional)').fill('signed on paper')
  await page.getByRole('dialog').getByRole('button', { name: 'Record consent' }).click()
  await page.getByRole('listitem').getByText('signed on paper').waitFor()
  await page.getByRole('button', { name: 'Record withdrawal' }).click()
  const question = page.getByRole('dialog')
  await question.getByText('cannot be brought back', { exact: false }).waitFor()
  await expectAccessible(page)
  await question.getByRole('button', { name: 'Record withdrawal' }).click()
  await page.getByText('the photos were deleted', { exact: false }).waitFor()
  await page.getByRole('button', { name: 'Record withdrawal' }).waitFor({ state: 'detached' })
  expect(await world.call(peopleCalls.read, { query: { id: person.id } })).toMatchObject({ faceConsent: 'withdrawn', faces: [] })
  await expectAccessible(page)
})

test(
  'an erasure says what goes, asks for a reason, and its receipt waits for the terminal that is away by name',
  { tags: 'extended' },
  async () => {
    const door = await world.terminal(await world.device({ name: 'Garden door' }))
    const person = await world.person({ name: 'Erasing Erwin', photo: await portraitVariant(16, 0), permittedAt: door.device })
    await world.settled()
    await door.stop()
    const page = await show(`/staffDetails/${person.id}`)
    await page.getByRole('button', { name: 'Actions for Erasing Erwin' }).click()
    await page.getByRole('menuitem', { name: /Erase/ }).click()
    const question = page.getByRole('dialog')
    await question.getByText('Photos with their templates').waitFor()
    await question.getByText('Terminals that have the person').waitFor()
    await expectAccessible(page)
    await question.getByRole('button', { name: 'Erase', exact: true }).click()
    await question.getByText('Enter a reason.', { exact: false }).waitFor()
    expect(await world.ask(peopleCalls.read, { query: { id: person.id } })).toMatchObject({ status: 200 })
    await question.getByLabel('Reason').fill('Asked for in writing')
    await question.getByRole('button', { name: 'Erase', exact: true }).click()

    await page.getByRole('heading', { name: /Erasure receipt/ }).waitFor()
    await page.getByText('Waiting for Garden door').waitFor()
    await page
      .getByRole('row', { name: /Photos/ })
      .getByText('Erased')
      .waitFor()
    expect(await page.getByText('Erasing Erwin').count()).toBe(0)
    await expectAccessible(page)

    const [file] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'Download' }).click()])
    expect(file.suggestedFilename()).toMatch(/^Erasure receipt [A-Z0-9]{4}-[A-Z0-9]{4}\.html$/)

    const back = await world.terminal(door.device)
    await page.getByText('Complete', { exact: true }).waitFor()
    await page.goto(`${world.url}/#/erasures`)
    const row = page.getByRole('row').filter({ hasText: 'Asked for in writing' })
    await row.getByText('Complete', { exact: true }).waitFor()
    await expectAccessible(page)
    await back.stop()
  },
)
