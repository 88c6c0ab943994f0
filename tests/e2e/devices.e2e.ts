/** The register of devices, as an administrator sees it: adding, pairing, opening a door, blocking, deleting. */
import { text } from 'node:stream/consumers'
import type { Browser, Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { deviceProtocolCalls } from '@gatehouse/contract/device/protocol-calls'
import { deviceCalls } from '@gatehouse/contract/devices/calls'
import { roleCalls } from '@gatehouse/contract/identity/roles'
import type { Client } from '@gatehouse/dev-env/client'
import type { World } from '@gatehouse/dev-env/world'
import { settledUser } from '../support/accounts.ts'
import { expectAccessible, expectAddress, formReady, pageHolding, pagesOf, typePassword } from '../support/console.ts'
import { drawnFace } from '../support/fixtures.ts'
import { until } from '../support/until.ts'
import { askToPair, provenClient, startWireDevice, wireClient } from '../support/wire-device.ts'
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
/** Open the list as another user than the administrator. */
function showTo({ credentials }: Client): Promise<Page> {
  const token = { token: (credentials as { bearer: string }).bearer, tokenExpires: Date.now() + 3_600_000 }
  return pageHolding(browser, world, { language: 'en', theme: 'light', ...token }, { at: '/deviceList' })
}

const rowOf = (page: Page, name: string): Locator => page.getByRole('row').filter({ hasText: name })
const chooseFor = async (page: Page, name: string, action: string): Promise<void> => {
  await page.getByRole('button', { name: `Actions for ${name}` }).click()
  await page.getByRole('menuitem', { name: action, exact: true }).click()
}
/** Choose an option of a long list, which shows what matches the typed text. */
const chooseIn = async (page: Page, field: Locator, choice: string): Promise<void> => {
  await field.click()
  await field.fill(choice)
  await page.locator('.ant-select-dropdown:visible .ant-select-item-option').filter({ hasText: choice }).click()
}
const namesOf = async (): Promise<string[]> => (await world.call(deviceCalls.list, { query: {} })).content.map(({ name }) => name)

test('a device is added, its secret is shown once, and the terminal started with it is online without a reload', async () => {
  const page = await show('/deviceList')
  await page.getByRole('button', { name: 'Add a device' }).first().click()
  const form = page.getByRole('dialog', { name: 'Add a device' })
  await form.getByLabel('Name').fill('North gate')
  await form.getByLabel('Code').fill('NORTH 1')
  await form.getByRole('button', { name: 'Save' }).click()
  await form.getByText('This is not a valid device code.').waitFor()
  await form.getByLabel('Code').fill('NORTH-1')
  await form.getByRole('button', { name: 'Save' }).click()
  // A user who is shown a secret has to confirm their password; for some minutes this is not asked again.
  await typePassword(page)

  const pairing = page.getByRole('dialog', { name: 'Pair North gate' })
  await pairing.getByText('Pending pairing: waiting for the terminal to connect…').waitFor()
  const command = await pairing.getByText(/npm run terminal/).innerText()
  const secret = /^GATEHOUSE_SECRET=(\S+)/.exec(command)![1]!
  expect(command).toBe(`GATEHOUSE_SECRET=${secret} npm run terminal -- --server ${world.url} --code NORTH-1`)
  await expectAccessible(page)

  const [id] = (await world.call(deviceCalls.list, { query: { code: 'NORTH-1' } })).content.map((device) => device.id)
  const terminal = await world.terminal({ id: id!, name: 'North gate', code: 'NORTH-1', secret })
  onTestFinished(() => terminal.stop())
  await pairing.getByText('The terminal has connected.').waitFor()
  await pairing.getByRole('button', { name: 'I have copied it' }).click()
  await rowOf(page, 'North gate').getByText('Online', { exact: true }).waitFor()
  expect(await page.content()).not.toContain(secret)
})

test('a device that was added without its people is released by a button, which says how many go to it', { tags: 'extended' }, async () => {
  const page = await show('/deviceList')
  await page.getByRole('button', { name: 'Add a device' }).first().click()
  await formReady(page)
  const form = page.getByRole('dialog', { name: 'Add a device' })
  await form.getByLabel('Name').fill('Lodge')
  await form.getByLabel('Code').fill('LODGE-1')
  const people = form.getByRole('switch', { name: 'Send it the people who may pass there' })
  await expect.poll(() => people.isChecked()).toBe(true)
  await people.click()
  await form.getByRole('button', { name: 'Save' }).click()
  await typePassword(page)
  const pairing = page.getByRole('dialog', { name: 'Pair Lodge' })
  await pairing.getByText('No people are sent to it until a user who may manage access rules releases it.').waitFor()
  await expectAccessible(page)
  await pairing.getByRole('button', { name: 'I have copied it' }).click()

  const { content } = await world.call(deviceCalls.list, { query: { attention: 'notReleased' } })
  const lodge = content.find(({ name }) => name === 'Lodge')!
  await world.person({ permittedAt: lodge })
  await rowOf(page, 'Lodge').getByText('Not released').waitFor()
  await expectAccessible(page)
  await rowOf(page, 'Lodge').getByRole('button', { name: 'Release' }).click()
  const question = page.getByRole('dialog', { name: 'Release Lodge?' })
  await question.getByText('1 person is sent to it, with face, card and all other credentials.').waitFor()
  await expectAccessible(page)
  await question.getByRole('button', { name: 'Release' }).click()
  await rowOf(page, 'Lodge').getByText('Not released').waitFor({ state: 'detached' })
  await world.settled()
  expect(await world.call(deviceCalls.read, { params: { id: lodge.id } })).toMatchObject({ released: true, personsDesired: 1 })
})

test('a new secret takes the people along or leaves them, as somebody who decides who passes says', { tags: 'extended' }, async () => {
  const device = await world.device({ name: 'Side door' })
  const page = await show(`/deviceDetails/${device.id}`)
  await page.getByRole('button', { name: 'New secret' }).click()
  const question = page.getByRole('dialog', { name: 'Make a new secret for Side door?' })
  await question.getByRole('switch', { name: 'Send it the people who may pass there' }).click()
  await expectAccessible(page)
  await question.getByRole('button', { name: 'New secret' }).click()
  await typePassword(page)
  await page.getByRole('button', { name: 'I have copied it' }).click()
  await page.getByText('Not released').first().waitFor()
  expect((await world.call(deviceCalls.read, { params: { id: device.id } })).released).toBe(false)
})

test(
  'somebody who only looks after devices is offered neither secrets nor releases nor doors, and adds devices that wait',
  { tags: 'extended' },
  async () => {
    const device = await world.device({ name: 'Watched door' })
    await world.call(deviceCalls.resetSecret, { params: { id: device.id }, body: { release: false } })
    const { id: role } = await world.call(roleCalls.create, {
      body: { name: 'Devices only', permissions: ['device', 'device.list', 'own:device.edit'], organisationId: world.park.id },
    })
    const user = await settledUser(world, { roles: [role], enablePageDataMasking: true })
    const page = await showTo(await world.as(user))
    const row = rowOf(page, 'Watched door')
    await row.getByText('Not released').waitFor()
    expect(await row.getByRole('button', { name: 'Release' }).count()).toBe(0)
    expect(await row.getByRole('button', { name: /door of Watched door/ }).count()).toBe(0)
    await page.getByRole('button', { name: 'Actions for Watched door' }).click()
    await page.getByRole('menuitem', { name: 'Edit' }).waitFor()
    for (const name of ['New secret', 'Authorise', 'Release'])
      expect(await page.getByRole('menuitem', { name, exact: true }).count()).toBe(0)
    await page.keyboard.press('Escape')

    await page.getByRole('button', { name: 'Add a device' }).first().click()
    await formReady(page)
    const form = page.getByRole('dialog', { name: 'Add a device' })
    await form.getByText('No people are sent to it until a user who may manage access rules releases it.').waitFor()
    await form.getByLabel('Name').fill('Waiting door')
    await form.getByLabel('Code').fill('WAITING-1')
    await form.getByRole('button', { name: 'Save' }).click()
    await typePassword(page, user.password)
    await page.getByText('A user who may pair devices has to create its secret.').waitFor()
    await expectAccessible(page)
    await page.getByRole('dialog').getByRole('button', { name: 'Close' }).last().click()
    await rowOf(page, 'Waiting door').getByText('Unauthorised').waitFor()

    await page.goto(`${world.url}/#/deviceDetails/${device.id}`)
    await page.getByRole('heading', { name: 'Watched door' }).waitFor()
    await page.getByRole('button', { name: 'Move' }).waitFor()
    for (const name of ['New secret', 'Release', 'Open', 'Keep open'])
      expect(await page.getByRole('button', { name, exact: true }).count()).toBe(0)
  },
)

test(
  'the first people a device fetches are told wherever one is, and its authorisation can be revoked at once',
  { tags: 'extended' },
  async () => {
    const device = await world.device({ name: 'Fetching door' })
    const { id } = await world.person({ permittedAt: device })
    await world.settled()
    const [own, page] = [await show('/deviceList'), await showTo(await world.session())]
    const { http } = await startWireDevice(world.url, device)
    for (const one of [own, page]) await rowOf(one, 'Fetching door').getByText('Online', { exact: true }).waitFor()
    const { audience } = await http.call(deviceProtocolCalls.manifest, {})
    await http.call(deviceProtocolCalls.persons, { params: { audience }, body: { ids: [id], modelId: 'none' } })
    const notice = page.getByRole('alert').filter({ hasText: 'Fetching door has fetched people for the first time' })
    await notice.getByText(/^1 person was sent to the device, .* Paired by /).waitFor()
    // The user who paired it gets a notification.
    const passing = own.getByRole('status').filter({ hasText: 'Fetching door has fetched people for the first time' })
    await passing.waitFor()
    await passing.waitFor({ state: 'detached' })
    await expectAccessible(page)
    await notice.getByRole('button', { name: 'Revoke authorisation' }).click()
    await page.getByText('Authorisation revoked').waitFor()
    await notice.waitFor({ state: 'detached' })
    await until(
      'its authorisation to be gone',
      async () => (await world.call(deviceCalls.read, { params: { id: device.id } })).authorisationStatus === 0,
    )
  },
)

test(
  'the type decides which models are offered, the face gate only while changing a device, what does nothing yet only where a ' +
    'device is one [BEH-169, VAL-117]',
  { tags: 'extended' },
  async () => {
    const device = await world.device({ name: 'Recorder room' })
    const page = await show('/deviceList')
    const open = page.locator('.ant-select-dropdown:visible')
    /** Return the options of a field. Filling in a form while its list is open closes the list again. */
    const choices = (field: string): Promise<string[]> =>
      until(`what ${field} offers`, async () => {
        if ((await open.count()) === 0) await page.getByRole('dialog').getByLabel(field).click()
        const listed = open.locator('.ant-select-item-option')
        await listed.first().waitFor({ timeout: 2_000 })
        const texts = await listed.allInnerTexts()
        return texts.length > 0 ? texts : null
      })
    const choose = async (choice: string): Promise<void> => {
      // A list that is opened again begins at what is chosen, and holds no options far above it.
      await open.hover()
      await page.mouse.wheel(0, -2000)
      await open.locator('.ant-select-item-option').filter({ hasText: choice }).click()
      await open.waitFor({ state: 'hidden' })
    }
    await page.getByRole('button', { name: 'Add a device' }).first().click()
    await formReady(page)
    const offered = await choices('Type')
    for (const none of ['Face gate', 'Identification camera', 'Network video recorder']) expect(offered, none).not.toContain(none)
    await choose('Gate controller')
    expect(await choices('Model')).toHaveLength(1)
    await page.keyboard.press('Escape')
    await choices('Type')
    await choose('Face access controller')
    expect(await choices('Model')).toHaveLength(2)
    await choose('Android version')
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click()
    await page.getByRole('button', { name: 'Discard' }).click()
    // The form that is closing has the same fields.
    await page.getByRole('dialog', { name: 'Add a device' }).waitFor({ state: 'hidden' })

    await chooseFor(page, device.name, 'Edit')
    await formReady(page)
    const changing = await choices('Type')
    expect(changing).toContain('Face gate')
    expect(changing).not.toContain('Identification camera')
  },
)

test('people arrive at a terminal while the list is looked at', async () => {
  const terminal = await world.terminal(await world.device({ name: 'Canteen' }))
  onTestFinished(() => terminal.stop())
  const page = await show('/deviceList')
  await rowOf(page, 'Canteen').getByText('None required').waitFor()
  await world.person({ photo: await drawnFace(), permittedAt: terminal.device })
  await world.settled()
  await rowOf(page, 'Canteen').getByText('1 / 1').waitFor()
  await expect.poll(() => rowOf(page, 'Canteen').getByText('complete').count()).toBe(1)
})

test('a door is opened from the list and held open from its own page, and says so each time', async () => {
  const terminal = await world.terminal(await world.device({ name: 'Loading bay' }))
  onTestFinished(() => terminal.stop())
  const page = await show('/deviceList')
  await page.getByRole('button', { name: 'Open the door of Loading bay' }).click()
  await rowOf(page, 'Loading bay').getByText('Opened').waitFor()

  await page.getByRole('link', { name: 'Loading bay' }).click()
  await page.getByRole('button', { name: 'Keep open', exact: true }).click()
  await page.getByRole('status').getByText('Kept open').waitFor()
  await until('the door to be held open', () => terminal.state().door === 'alwaysOpen')
  await page.mouse.move(0, 0)
  await expectAccessible(page)
})

test('a door that cannot be controlled from here says why', { tags: 'extended' }, async () => {
  const device = await world.device({ name: 'Back door' })
  const page = await show(`/deviceDetails/${device.id}`, { theme: 'dark' })
  await page.getByText('The device is offline, so its door cannot be controlled from here.').waitFor()
  await expect.poll(() => page.getByRole('button', { name: 'Open', exact: true }).isDisabled()).toBe(true)
  await expectAccessible(page)
})

test('a new secret cuts the connected terminal off', { tags: 'extended' }, async () => {
  const terminal = await world.terminal(await world.device({ name: 'Depot' }))
  onTestFinished(() => terminal.stop())
  const page = await show('/deviceList')
  await chooseFor(page, 'Depot', 'New secret')
  const question = page.getByRole('dialog', { name: 'Make a new secret for Depot?' })
  await question.getByText('The connected terminal is disconnected immediately.').waitFor()
  await question.getByRole('button', { name: 'New secret' }).click()
  await typePassword(page)
  const fresh = await page
    .getByRole('dialog', { name: 'Pair Depot' })
    .getByText(/npm run terminal/)
    .innerText()
  expect(fresh).not.toContain(terminal.device.secret)
  await page.getByRole('button', { name: 'I have copied it' }).click()
  await until('the terminal to be refused', () => terminal.state().link.kind === 'refused')
  await rowOf(page, 'Depot').getByText('Pending pairing').waitFor()
})

test('deleting names what is lost, and can be taken back until it is done', { tags: 'extended' }, async () => {
  const kept = await world.device({ name: 'Kept door' })
  const lost = await world.device({ name: 'Lost door' })
  const page = await show('/deviceList')
  const remove = async (name: string): Promise<void> => {
    await chooseFor(page, name, 'Delete')
    const question = page.getByRole('dialog', { name: `Delete ${name}?` })
    await question.getByText('Access rules that use it no longer include it.').waitFor()
    await question.getByRole('button', { name: 'Delete' }).click()
    await page.getByText(`Deleting ${name}…`).waitFor()
  }
  await remove(kept.name)
  await page.getByRole('button', { name: 'Undo' }).click()
  await page.getByText(`Deleting ${kept.name}…`).waitFor({ state: 'hidden' })
  // Deleted after the other: once it is gone, the time-out of the first is long over.
  await remove(lost.name)
  await until('the device to be gone', async () => !(await namesOf()).includes(lost.name))
  await rowOf(page, lost.name).waitFor({ state: 'detached' })
  await expect.poll(() => namesOf()).toContain(kept.name)
})

test(
  'the form asks for what the type has; a recorder, which is not offered before it does anything, needs all it is reached by',
  { tags: 'extended' },
  async () => {
    const page = await show('/deviceList')
    await page.getByRole('button', { name: 'Add a device' }).first().click()
    await formReady(page)
    const form = page.getByRole('dialog', { name: 'Add a device' })
    await form.getByLabel('Relay MAC address').waitFor()
    // The port belongs to recorders; calls and video do not exist yet.
    for (const name of ['Port', 'Intercom number', 'Confirm before opening', 'Has video'])
      expect(await form.getByLabel(name).count(), name).toBe(0)
    await chooseIn(page, form.getByLabel('Type'), 'Gate controller')
    await form.getByLabel('Doors').waitFor()
    await page.goto('about:blank')
    const reached = { ip: '10.0.0.30', port: 8000, userName: 'admin', password: 'Secret#1' }
    const recorder = await world.call(deviceCalls.create, {
      body: { name: 'Cellar recorder', code: 'NVR-1', type: 14, model: 7, ...reached },
    })
    await page.goto(`${world.url}/#/deviceDetails/${recorder.id}`)
    await page.getByText('8000', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Edit' }).click()
    await formReady(page)
    const change = page.getByRole('dialog', { name: 'Edit Cellar recorder' })
    await change.getByText('Network video recorder').waitFor()
    await change.getByPlaceholder('Set; type to replace it').waitFor()
    await change.getByLabel('IP address').fill('10.0.0.300')
    await change.getByRole('button', { name: 'Save' }).click()
    await change.getByText('Enter an IP address such as 192.168.1.20.').waitFor()
    await change.getByRole('button', { name: 'Remove', exact: true }).click()
    await change.getByRole('button', { name: 'Save' }).click()
    await change.getByText('Fill this in.').waitFor()
  },
)

test('locks are entered one by one, at most five, each once', { tags: 'extended' }, async () => {
  const device = await world.device({ name: 'Vault' })
  const page = await show('/deviceList')
  await chooseFor(page, device.name, 'Edit')
  const form = page.getByRole('dialog', { name: 'Edit Vault' })
  const add = form.getByRole('button', { name: 'Add a lock' })
  for (let number = 1; number <= 5; number++) {
    await add.click()
    await form.getByLabel(`Lock ${number}`, { exact: true }).fill(`00:1A:2B:3C:4D:0${number}`)
  }
  await expect.poll(() => add.isDisabled()).toBe(true)
  await form.getByLabel('Lock 5', { exact: true }).fill('00-1a-2b-3c-4d-01')
  await form.getByRole('button', { name: 'Save' }).click()
  await form.getByText('This occurs twice.').waitFor()
  await form.getByRole('button', { name: 'Remove lock 5' }).click()
  await form.getByLabel('Door password').fill('4711')
  await form.getByRole('button', { name: 'Save' }).click()
  await form.waitFor({ state: 'hidden' })
  const saved = await world.call(deviceCalls.read, { params: { id: device.id } })
  expect(saved).toMatchObject({ hasDevicePassword: true })
  expect(saved.lockMacs).toHaveLength(4)
})

test(
  'several devices are typed or pasted, and what is wrong stands at its row, with everything else as it was',
  { tags: 'extended' },
  async () => {
    await world.device({ code: 'BATCH-2', name: 'There already' })
    const page = await show('/deviceList')
    await page.getByRole('button', { name: 'Bulk add' }).click()
    await formReady(page)
    const form = page.getByRole('dialog', { name: 'Bulk add devices' })
    // In the format a spreadsheet puts into the clipboard.
    await form.getByLabel('Name of device 1', { exact: true }).focus()
    await page.evaluate(`(() => {
    const clipboardData = new DataTransfer()
    clipboardData.setData('text/plain', 'East 1\\tBATCH-1\\nEast 2\\tBATCH-2\\nEast 3\\tBATCH-3\\n')
    document.activeElement.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }))
  })()`)
    await until(
      'the rows to be filled',
      async () => (await form.getByLabel('Code of device 3', { exact: true }).inputValue()) === 'BATCH-3',
    )
    await form.getByRole('button', { name: 'Another device' }).click()
    await form.getByLabel('Name of device 4', { exact: true }).fill('East 4')
    await form.getByLabel('Code of device 4', { exact: true }).fill('BATCH-4')
    await form.getByRole('button', { name: 'Save' }).click()
    await typePassword(page)
    const second = form.getByRole('listitem', { name: 'Device 2' })
    await second.getByText('Another device already has this code.').waitFor()
    await expect.poll(() => form.getByText('Another device already has this code.').count()).toBe(1)
    await expect.poll(() => form.getByLabel('Name of device 4', { exact: true }).inputValue()).toBe('East 4')
    await expectAccessible(page)
    await form.getByLabel('Code of device 2', { exact: true }).fill('BATCH-22')
    await form.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('dialog', { name: 'Secrets of 4 devices' }).waitFor()
  },
)

test('the secrets of devices that were added together are shown once, and kept as a file', { tags: 'extended' }, async () => {
  const page = await show('/deviceList')
  await page.getByRole('button', { name: 'Bulk add' }).click()
  await formReady(page)
  const form = page.getByRole('dialog', { name: 'Bulk add devices' })
  for (const number of [1, 2]) {
    await form.getByLabel(`Name of device ${number}`, { exact: true }).fill(`West ${number}`)
    await form.getByLabel(`Code of device ${number}`, { exact: true }).fill(`WEST-${number}`)
  }
  await form.getByRole('button', { name: 'Save' }).click()
  await typePassword(page)
  const secrets = page.getByRole('dialog', { name: 'Secrets of 2 devices' })
  await secrets.getByText('WEST-2').waitFor()
  await expectAccessible(page)
  const [download] = await Promise.all([page.waitForEvent('download'), secrets.getByRole('button', { name: 'Download' }).click()])
  expect(download.suggestedFilename()).toBe('device-secrets.txt')
  const lines = (await text(await download.createReadStream())).trim().split('\r\n')
  expect(lines.map((line) => line.split(',')[0])).toEqual(['WEST-1', 'WEST-2'])
  const [code, secret] = lines[0]!.split(',') as [string, string]
  expect((await askToPair(wireClient(world.url, { code, secret }))).code).toBe(0)
  await secrets.getByRole('button', { name: 'I have kept it' }).click()
  await rowOf(page, 'West 2').waitFor()
  expect(await page.content()).not.toContain(secret)
})

test('an authorisation is revoked, which cuts the terminal off, and given again', { tags: 'extended' }, async () => {
  const terminal = await world.terminal(await world.device({ name: 'Archive' }))
  onTestFinished(() => terminal.stop())
  const page = await show('/deviceList')
  await rowOf(page, 'Archive').getByText('Online', { exact: true }).waitFor()
  await chooseFor(page, 'Archive', 'Revoke authorisation')
  const question = page.getByRole('dialog', { name: 'Revoke the authorisation of Archive?' })
  await question.getByText('The terminal is disconnected immediately').waitFor()
  await expectAccessible(page)
  await question.getByRole('button', { name: 'Revoke authorisation' }).click()
  await rowOf(page, 'Archive').getByText('Unauthorised').waitFor()
  await until('the terminal to be refused', () => terminal.state().link.kind === 'refused')
  await page.getByRole('button', { name: 'Needs attention' }).click()
  await page.getByRole('menuitem', { name: 'Pending pairing' }).click()
  await rowOf(page, 'Archive').waitFor()
  await expectAddress(page, 'attention=notPaired')
  await chooseFor(page, 'Archive', 'Authorise')
  await page.getByRole('dialog', { name: 'Authorise Archive?' }).getByRole('button', { name: 'Authorise' }).click()
  await typePassword(page)
  await page.getByRole('button', { name: 'I have copied it' }).click()
  await rowOf(page, 'Archive').getByText('Pending pairing').waitFor()
})

/** Open the settings for all devices of the list, by keyboard. */
async function openSignIn(page: Page, words: { tools: string; title: string }): Promise<Locator> {
  await page.getByRole('button', { name: words.tools }).click()
  await page.getByRole('menuitem', { name: words.title }).press('Enter')
  const dialog = page.getByRole('dialog', { name: words.title })
  await dialog.waitFor()
  return dialog
}

test('devices that still send their secret are named, cut off and let in again', async () => {
  const [old, modern] = [await world.device({ name: '旧闸机' }), await world.device({ name: '新闸机' })]
  const sends = await startWireDevice(world.url, old)
  const proves = await startWireDevice(world.url, modern, {}, await provenClient(world.url, modern))
  onTestFinished(async () => void (await world.call(deviceCalls.saveSignIn, { body: { secretsTaken: true } })))
  const { devices } = await world.call(deviceCalls.signIn, {})
  const sending = devices.length
  expect(devices.map(({ name }) => name)).toContain('旧闸机')
  const page = await show('/deviceList', { language: 'zh-CN' })
  const words = { tools: '设备维护', title: '设备登录方式' }

  let dialog = await openSignIn(page, words)
  await dialog.getByText(`${sending} 台设备仍在直接发送密钥：`).waitFor()
  await dialog.getByRole('link', { name: '旧闸机' }).waitFor()
  expect(await dialog.getByRole('link', { name: '新闸机' }).count()).toBe(0)
  await expect.poll(() => dialog.getByRole('radio', { name: '包括直接发送密钥的设备' }).isChecked()).toBe(true)
  await expect.poll(() => dialog.locator('input:focus').count()).toBe(1)
  await page.keyboard.press('ArrowDown')
  await dialog.getByText(`${sending} 台设备将立即断开，升级后才能重新连接。`).waitFor()
  await expectAccessible(page)
  // The consequences are shown in advance, and nothing has been done yet.
  expect((await sends.http.ask(deviceProtocolCalls.erasures, { query: {} })).status).toBe(200)
  await dialog.getByRole('button', { name: '保存' }).click()
  await dialog.waitFor({ state: 'detached' })
  await until('the device that sent its secret to be cut off', () => !sends.connected())
  expect((await sends.http.ask(deviceProtocolCalls.erasures, { query: {} })).status).toBe(401)
  expect((await askToPair(wireClient(world.url, old))).status).toBe(401)
  expect((await proves.http.ask(deviceProtocolCalls.erasures, { query: {} })).status).toBe(200)

  dialog = await openSignIn(page, words)
  await dialog.getByText(`${sending} 台设备已断开，升级后才能重新连接：`).waitFor()
  await expectAccessible(page)
  await dialog.getByRole('link', { name: '旧闸机' }).click()
  await page.getByRole('heading', { name: '旧闸机' }).waitFor()
  await dialog.waitFor({ state: 'detached' })
  await page.getByText('直接发送密钥', { exact: true }).filter({ visible: true }).waitFor()

  await page.goBack()
  await rowOf(page, '旧闸机').waitFor()
  await page.getByRole('button', { name: '列设置' }).click()
  await page.getByRole('checkbox', { name: '登录方式' }).check()
  await page.keyboard.press('Escape')
  await rowOf(page, '旧闸机').getByText('直接发送密钥').waitFor()
  await rowOf(page, '新闸机').getByText('密钥证明').waitFor()

  // Another user was faster: their change stays, and the later user is notified.
  dialog = await openSignIn(page, words)
  await dialog.getByRole('radio', { name: '包括直接发送密钥的设备' }).check()
  await dialog.getByText('直接发送密钥的设备将可重新连接。').waitFor()
  await world.call(deviceCalls.saveSignIn, { body: { secretsTaken: false } })
  await dialog.getByRole('button', { name: '保存' }).click()
  await dialog.locator('.ant-form-item-explain-error').waitFor()
  await expectAccessible(page)
  expect((await world.call(deviceCalls.signIn, {})).secretsTaken).toBe(false)
  await world.call(deviceCalls.saveSignIn, { body: { secretsTaken: true } })
  expect((await askToPair(wireClient(world.url, old))).code).toBe(0)
})

test('whoever only looks after devices reads how they sign in, and changes nothing', { tags: 'extended' }, async () => {
  const page = await showTo(await world.session({ permissions: ['device', 'device.list'], roleSign: 'other' }))
  await page.route('**/device/signIn', (route) => route.abort())
  const dialog = await openSignIn(page, { tools: 'Maintenance', title: 'How devices sign in' })
  await dialog.getByRole('alert').waitFor()
  await page.unroute('**/device/signIn')
  await dialog.getByRole('button', { name: 'Try again' }).click()
  await dialog.getByText('Devices that send their secret, too').waitFor()
  await dialog.getByText('A user who may pair devices can change this.').waitFor()
  expect([await dialog.getByRole('radio').count(), await dialog.getByRole('button', { name: 'Save' }).count()]).toEqual([0, 0])
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Close' }).last().click()
  await dialog.waitFor({ state: 'detached' })
})

test('a device that is hardly able to hold more says so in words', { tags: 'extended' }, async () => {
  const device = await world.device({ name: 'Small terminal' })
  for (let person = 0; person < 2; person++) await world.person({ permittedAt: device })
  await world.settled()
  await startWireDevice(world.url, device, { facts: { capacity: 2 } })
  await until('its room to be known', async () => (await world.call(deviceCalls.read, { params: { id: device.id } })).nearlyFull)
  const page = await show('/deviceList?attention=nearlyFull')
  await rowOf(page, 'Small terminal').getByText('Nearly full: room for 2').waitFor()
  await page.getByRole('link', { name: 'Small terminal' }).click()
  await page.getByRole('heading', { name: 'Small terminal' }).waitFor()
  // The list stays behind the page of the device, hidden.
  await page.getByText('Nearly full: room for 2').filter({ visible: true }).waitFor()
  await page.goto(`${world.url}/#/home`)
  await page.getByRole('link', { name: /Device nearly full/ }).click()
  await rowOf(page, 'Small terminal').waitFor()
})

test('opening a device from the page of a device asks for it to be read again [BEH-029]', { tags: 'extended' }, async () => {
  const [first, second] = [await world.device({ name: 'First gate' }), await world.device({ name: 'Second gate' })]
  const page = await show(`/deviceDetails/${first.id}`)
  // A list shows only the first of many devices.
  const go = async (name: string): Promise<void> => {
    const field = page.getByRole('combobox', { name: 'Other device' })
    await field.click()
    await field.fill(name)
    await page.locator('.ant-select-dropdown:visible').getByText(name, { exact: true }).click()
  }
  await page.getByRole('heading', { name: 'First gate' }).waitFor()
  await go('Second gate')
  await page.getByRole('heading', { name: 'Second gate' }).waitFor()
  await expectAddress(page, `#/deviceDetails/${second.id}?refresh=1`)
  // The same again, changed in the meantime.
  await world.call(deviceCalls.change, { body: { id: second.id, name: 'Second gate', direction: 2, userName: 'x' } })
  expect(await page.getByText('Out', { exact: true }).count()).toBe(0)
  await go('Second gate')
  await page.getByText('Out', { exact: true }).waitFor()
  await expectAddress(page, `#/deviceDetails/${second.id}?refresh=1`)
  await expectAccessible(page)
})
