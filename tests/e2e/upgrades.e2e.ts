/** Upgrades, as an operator of the installation sees them: a version is uploaded, devices are upgraded to it, and failures are retried. */
import { createHash } from 'node:crypto'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { PERMISSION_CODES } from '@gatehouse/contract'
import { roleCalls } from '@gatehouse/contract/identity/roles'
import { upgradeCalls } from '@gatehouse/contract/upgrades/calls'
import { createClient } from '@gatehouse/dev-env/client'
import { addTask, packageOf, saveVersion } from '@gatehouse/dev-env/packages'
import { ADMIN, startWorld, type MadeDevice, type World } from '@gatehouse/dev-env/world'
import { settledUser } from '../support/accounts.ts'
import { expectAccessible, pagesOf } from '../support/console.ts'
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
const says = (
  { code, secret }: MadeDevice,
  id: string,
  body: { attempt?: number; state: 'inProgress' | 'failed' | 'success'; step?: 'downloading'; progress?: number; reason?: string },
) => createClient(world.url, { basic: [code, secret] }).call(upgradeCalls.deviceReport, { params: { id }, body: { attempt: 1, ...body } })

async function choose(page: Page, field: string, ...options: RegExp[]): Promise<void> {
  const form = page.getByRole('dialog')
  await form.getByLabel(field, { exact: true }).click()
  for (const option of options) await page.locator('.ant-select-item-option').filter({ hasText: option }).click()
}

/** Create a role for operators of the installation. */
async function operators(): Promise<string> {
  const organisationId = world.server.contexts.organisation.service.root().id
  const body = { name: 'Operators', permissions: [...PERMISSION_CODES], organisationId, roleSign: 'operator' as const }
  return (await world.call(roleCalls.create, { body })).id
}

/** Type the password in the dialog that requires it. */
async function confirm(page: Page, password: string): Promise<void> {
  const dialog = page.getByRole('dialog', { name: 'Confirm that it is you' })
  await dialog.getByLabel('Your password').fill(password)
  await dialog.getByRole('button', { name: 'Confirm' }).click()
}

test('a version is uploaded: what is wrong stands at its field, the password is asked for once, the package is in the list', async () => {
  const page = await show('/apkUpload')
  await page.getByText('No version has been uploaded yet.').waitFor()
  await page.getByRole('button', { name: 'Upload a version' }).first().click()
  const form = page.getByRole('dialog', { name: 'Upload a version' })
  await form.getByLabel('Version').fill('8a')
  await form.getByLabel('MD5').fill('8')
  await form
    .locator('input[type="file"]')
    .setInputFiles({ name: 'terminal.tar', mimeType: 'application/x-tar', buffer: Buffer.from('no tar') })
  await form.getByRole('button', { name: 'Upload', exact: true }).click()
  await form.getByText('Use only digits.').waitFor()
  await form.getByText('This is no tar file.').waitFor()
  await form.getByText('Enter the MD5 as 32 digits').waitFor()
  await expectAccessible(page)

  const bytes = packageOf({ versionNumber: '8', entry: 'main.js' }, { 'main.js': '' })
  await form.locator('input[type="file"]').setInputFiles({ name: 'terminal.tar', mimeType: 'application/x-tar', buffer: bytes })
  await form.getByLabel('Version').fill('8')
  await form.getByLabel('MD5').fill('0'.repeat(32))
  await form.getByLabel('What is new').fill('Quieter doors')
  await form.getByRole('button', { name: 'Upload', exact: true }).click()
  // If the question is cancelled, nothing is uploaded, and the form is unchanged.
  const question = page.getByRole('dialog', { name: 'Confirm that it is you' })
  await question.getByText('Type your password once more').waitFor()
  await expectAccessible(page)
  await question.getByRole('button', { name: 'Cancel' }).click()
  await question.waitFor({ state: 'hidden' })
  expect(await form.getByLabel('What is new').inputValue()).toBe('Quieter doors')
  await form.getByRole('button', { name: 'Upload', exact: true }).click()
  await confirm(page, 'Wrong-pass-1')
  await question.getByText('The password is wrong.').waitFor()
  await confirm(page, ADMIN.password)
  await form.getByText('The file that arrived has the MD5').waitFor()
  await form.getByLabel('MD5').fill(createHash('md5').update(bytes).digest('hex'))
  await form.getByRole('button', { name: 'Upload', exact: true }).click()
  await form.waitFor({ state: 'hidden' })
  const row = page.getByRole('row', { name: /Quieter doors/ })
  await row.getByText('terminal.tar').waitFor()
  await row.getByText('Signed').waitFor()
  await expectAccessible(page)
})

test(
  'an upgrade says whom it touches before it begins, shows how far each device is and why one failed, and is tried again',
  { tags: 'extended' },
  async () => {
    await saveVersion(world.client, { versionNumber: '90', content: 'For the gates' })
    const [north, south] = [await world.device({ name: 'North gate' }), await world.device({ name: 'South gate' })]
    const page = await show('/deviceUpgradeNotPrivatization')
    await page.getByRole('button', { name: 'New upgrade' }).first().click()
    const form = page.getByRole('dialog', { name: 'New upgrade' })
    await form.getByText('Choose a version and devices').waitFor()
    await choose(page, 'Version', /^90/)
    await choose(page, 'Single devices', /North gate/, /South gate/)
    await page.keyboard.press('Escape')
    await form.getByLabel('By code', { exact: true }).fill('NOBODY,')
    await form.getByText('2 devices are upgraded').waitFor()
    await form.getByText('2 of them are offline').waitFor()
    await form.getByText('1 code belongs to no device here.').waitFor()
    await form.getByRole('button', { name: 'Start upgrade' }).click()
    await confirm(page, ADMIN.password)
    await page.getByRole('heading', { name: 'Upgrade to 90' }).waitFor()
    const rowOf = (name: string) => page.getByRole('row', { name: new RegExp(name) })
    await rowOf('NOBODY').getByText('Not registered').waitFor()
    await rowOf('North gate').getByText('Waiting for the device to come online').waitFor()

    const id = new URL(page.url().replace('#/', '')).searchParams.get('id')!
    await says(north, id, { state: 'inProgress', step: 'downloading', progress: 45 })
    await rowOf('North gate').getByText('Downloading the package').waitFor()
    await rowOf('North gate').getByText('45%').waitFor()
    await says(south, id, { state: 'failed', reason: 'md5' })
    await rowOf('South gate').getByText('its MD5 differs').waitFor()
    await expectAccessible(page)
    await rowOf('South gate')
      .getByRole('button', { name: /South gate/ })
      .click()
    await page.getByRole('menuitem', { name: 'Try again' }).click()
    await rowOf('South gate').getByText('Waiting for the device to come online').waitFor()

    await page.getByRole('button', { name: /Cancel$/ }).click()
    await page
      .getByRole('dialog', { name: /Cancel the upgrade of 2 devices/ })
      .getByRole('button', { name: 'Cancel the upgrade' })
      .click()
    await rowOf('North gate').getByText('Cancelled.').waitFor()
    expect((await world.call(upgradeCalls.task, { query: { id } })).counts).toEqual({ failed: 2, notRegistered: 1 })

    await page.goto(`${world.url}/#/deviceUpgradeNotPrivatization?kind=client`)
    await page.getByRole('row', { name: /90/ }).getByText('Failed', { exact: true }).waitFor()
    await expectAccessible(page)

    // The running versions are shown above, as reported by the devices themselves.
    const running = page.getByRole('region', { name: 'Running now' })
    await running.getByRole('listitem').filter({ hasText: 'Not reported' }).waitFor()
    const terminal = await world.terminal(await world.device({ name: 'Loading bay' }))
    onTestFinished(() => terminal.stop())
    await world.settled()
    await page.reload()
    await running.getByRole('link', { name: '1 device, 1 online' }).click()
    await page.getByRole('row', { name: /Loading bay/ }).waitFor()
    expect(await page.locator('tr[data-row-key]:visible').count()).toBe(1)
  },
)

test(
  'a forced upgrade waits until somebody else agrees, who is asked for the password; whoever asked may take it back',
  { tags: 'extended' },
  async () => {
    const { id: versionId } = await saveVersion(world.client, { versionNumber: '95' })
    const device = await world.device({ name: 'East gate' })
    const id = await addTask(world.client, { versionId, deviceIds: [device.id], type: 1 })
    const second = await settledUser(world, {
      realName: 'Second Person',
      organisationId: world.server.contexts.organisation.service.root().id,
      roles: [await operators()],
    })
    const mine = await show(`/clientUpgradeDetail?id=${id}`)
    await mine.getByText('It starts once another user').waitFor()
    await mine.getByRole('button', { name: 'Decline' }).waitFor()
    expect(await mine.getByRole('button', { name: 'Approve' }).count()).toBe(0)
    await mine
      .getByRole('row', { name: /East gate/ })
      .getByText('Pending approval')
      .waitFor()
    await expectAccessible(mine)

    const theirs = await show('/deviceUpgradeNotPrivatization', { user: second })
    await theirs.getByRole('row', { name: /95/ }).getByText('Pending approval').waitFor()
    await theirs.goto(`${world.url}/#/clientUpgradeDetail?id=${id}`)
    await theirs.getByText('It starts once you or another user approves it').waitFor()
    await theirs.getByRole('button', { name: 'Approve' }).click()
    await theirs.getByRole('dialog', { name: 'Approve this forced upgrade?' }).getByRole('button', { name: 'Approve' }).click()
    await confirm(theirs, second.password)
    await theirs.getByText('Approved: Second Person').waitFor()
    await theirs
      .getByRole('row', { name: /East gate/ })
      .getByText('Waiting for the device to come online')
      .waitFor()
    await expectAccessible(theirs)
  },
)
