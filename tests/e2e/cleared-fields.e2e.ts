/** A field that is cleared in a form is empty once the form is saved, and other fields are unchanged. */
import type { Browser, Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { strategyCalls, timeRuleCalls } from '@gatehouse/contract/strategies/calls'
import { deviceCalls } from '@gatehouse/contract/devices/calls'
import { clientCalls } from '@gatehouse/contract/identity/clients'
import { roleCalls } from '@gatehouse/contract/identity/roles'
import { userCalls } from '@gatehouse/contract/identity/users'
import { peopleCalls } from '@gatehouse/contract/people/calls'
import { specialCalls } from '@gatehouse/contract/people/special'
import { restrictionCalls } from '@gatehouse/contract/restrictions/calls'
import type { World } from '@gatehouse/dev-env/world'
import { formReady, pagesOf, typePassword } from '../support/console.ts'
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

/** Clear a date field with its own button. */
async function clearDate(page: Page, label: string): Promise<void> {
  const field = page.locator('.ant-picker').filter({ has: page.getByLabel(label) })
  await field.hover()
  await field.locator('.ant-picker-clear').click()
}
/** Wait until the form shows what is stored. */
async function filled(page: Page, name: string): Promise<void> {
  await expect.poll(() => page.locator('input[id$=name]').first().inputValue()).toBe(name)
}
/** Open a form from a row of a list, and wait until it shows what is stored. */
async function formOf(page: Page, name: string): Promise<Locator> {
  await page.getByRole('button', { name: `Actions for ${name}` }).click()
  await page.getByRole('menuitem', { name: 'Edit', exact: true }).click()
  await formReady(page)
  const form = page.getByRole('dialog', { name: `Edit ${name}` })
  await expect.poll(() => form.getByRole('textbox').first().inputValue()).not.toBe('')
  return form
}
async function emptied(form: Locator, labels: readonly string[]): Promise<void> {
  for (const label of labels) {
    const field = form.getByLabel(label, { exact: true })
    expect(await field.inputValue(), label).not.toBe('')
    await field.fill('')
  }
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
  const read = () => world.call(strategyCalls.read, { query: { id } })
  await expect.poll(read).toMatchObject({ name: 'For a while', validFrom: null, validTo: null, ...fields })
})

test('the day a time rule begins, and its other days', { tags: 'extended' }, async () => {
  const { id } = await world.timeRule({ name: 'From later on', effectiveDate: '2099-01-01', allowedExceptionDates: ['2099-05-01'] })
  const page = await show(`/timeRuleDetail/${id}`)
  await filled(page, 'From later on')
  await page.locator('label').filter({ hasText: 'From today' }).click()
  await save(page)
  const read = () => world.call(timeRuleCalls.read, { params: { id } })
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

test('what is known of a user besides the name', { tags: 'extended' }, async () => {
  const organisationId = world.park.id
  const { id: role } = await world.call(roleCalls.create, { body: { name: 'Porters', permissions: ['person.list'] } })
  const kept = {
    account: 'porter.one',
    realName: 'Pia Porter',
    roles: [role],
    passwordValidity: '3m' as const,
    enablePageDataMasking: true,
  }
  const given = { administratorName: 'Porter', email: 'porter@example.com', phone: '13800138000', idCard: '110101199003070011' }
  const { id } = await world.call(userCalls.create, { body: { ...kept, ...given, organisationId, expiry: world.clock.now() + 9 * DAY } })
  const page = await show('/userManage')
  const form = await formOf(page, kept.account)
  await emptied(form, ['Administrator name', 'E-mail', 'Phone', 'ID number'])
  await clearDate(page, 'Account expires')
  await save(page)
  await typePassword(page)
  const nothing = { administratorName: '', email: '', phone: '', idCard: '', expiry: null }
  await expect.poll(() => world.call(userCalls.read, { params: { id } })).toMatchObject({ ...kept, ...nothing, organisationId })
})

test('what a role and a program are for', { tags: 'extended' }, async () => {
  const role = { name: 'Night shift', permissions: ['person.list' as const] }
  const { id } = await world.call(roleCalls.create, { body: { ...role, remark: 'After eight' } })
  const page = await show(`/roleDetail/${id}`)
  await filled(page, role.name)
  await page.getByLabel('Remark').fill('')
  await save(page)
  await typePassword(page)
  await expect
    .poll(() => world.call(roleCalls.read, { params: { id } }))
    .toMatchObject({
      name: role.name,
      permissions: { person: role.permissions },
      remark: '',
    })

  const client = { name: 'Payroll', permissions: ['access.record' as const], accessTokenValidity: 3600, enablePageDataMasking: true }
  const made = await world.call(clientCalls.create, { body: { ...client, purpose: 'Reads records' } })
  await page.goto(`${world.url}/#/apiUserManage`)
  await emptied(await formOf(page, client.name), ['Purpose'])
  await save(page)
  await expect.poll(() => world.call(clientCalls.read, { query: { id: made.id } })).toMatchObject({ ...client, purpose: '' })
})

test('what is known of a person besides name and group', { tags: 'extended' }, async () => {
  const { id: groupId } = await world.personGroup({ name: 'Clearing' })
  const kept = { name: 'Clara Clear', groupId, gender: 2 as const, cardNumberFormat: 'hex' as const, remark: 'Stays' }
  const given = {
    workNumber: 'C-1',
    phone: '13800138001',
    cardNumber: 'AB12',
    nationality: 'Norway',
    idType: 'passport' as const,
    idNumber: 'N1234567',
  }
  const { id } = await world.person({
    ...kept,
    ...given,
    birthday: '1990-03-07',
    validFrom: world.clock.now() - DAY,
    validTo: world.clock.now() + DAY,
  })
  const before = await world.call(peopleCalls.read, { query: { id } })
  const page = await show('/staffList?name=Clara')
  const form = await formOf(page, kept.name)
  await emptied(form, ['Work no.', 'Phone', 'Card number'])
  for (const label of ['Birthday', 'Valid from', 'Valid until']) await clearDate(page, label)
  await emptied(form, ['Nationality', 'ID number'])
  await save(page)
  const nothing = {
    workNumber: '',
    phone: '',
    cardNumber: '',
    nationality: '',
    idNumber: '',
    birthday: '',
    validFrom: null,
    validTo: null,
  }
  const read = () => world.call(peopleCalls.read, { query: { id } })
  await expect.poll(read).toMatchObject({ ...kept, ...nothing, idType: before.idType, facePhotos: before.facePhotos })
})

test('why somebody is on the watch list, and what is to be done', { tags: 'extended' }, async () => {
  const { id: groupId } = await world.call(specialCalls.createGroup, { body: { name: 'Clearances' } })
  const kept = { name: 'Wanda Watch', groupId, phone: '13800138002' }
  const { id } = await world.person({ ...kept, kind: 'special', remark: 'Took a lamp', instruction: 'Call the desk' })
  const page = await show('/blacklist')
  await emptied(await formOf(page, kept.name), ['Reason', 'What to do when they appear'])
  await save(page)
  await expect.poll(() => world.call(peopleCalls.read, { query: { id } })).toMatchObject({ ...kept, remark: '', instruction: '' })
})

test('the group of a device, and what opens its door', { tags: 'extended' }, async () => {
  const group = await world.deviceGroup('Clearing hall')
  const kept = { name: 'Clear gate', direction: 2 as const, devicePassword: '864200' }
  const { id } = await world.device({ ...kept, groupId: group.id, digitalCode: '8642', relayMac: '00:1A:2B:3C:4D:5E' })
  const page = await show('/deviceList')
  const form = await formOf(page, kept.name)
  await emptied(form, ['Relay MAC address'])
  const chosen = form.locator('.ant-select').filter({ hasText: 'Clearing hall' })
  await chosen.hover()
  await chosen.locator('.ant-select-clear').click()
  await save(page)
  const read = () => world.call(deviceCalls.read, { params: { id } })
  await expect
    .poll(read)
    .toMatchObject({ name: kept.name, direction: 2, hasDevicePassword: true, groupId: null, relayMac: '', digitalCode: '8642' })
})
