/** The register of staff, as an administrator sees it: photos and their refusals, fields, list, status, deleting. */
import type { Browser, Locator, Page } from 'playwright-core'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { strategyCalls } from '@gatehouse/contract/strategies/calls'
import { writtenRuleCalls } from '@gatehouse/contract/approvals/written-rules'
import { faceCalls } from '@gatehouse/contract/faces/calls'
import { parkSettingCalls } from '@gatehouse/contract/organisation/settings'
import { peopleCalls } from '@gatehouse/contract/people/calls'
import { contactCalls } from '@gatehouse/contract/people/contacts'
import { personFormCalls } from '@gatehouse/contract/people/form'
import type { Made, World } from '@gatehouse/dev-env/world'
import { portrait } from '@gatehouse/dev-env/portraits'
import { fakeCamera } from '../support/camera.ts'
import { launchChromium } from '../support/chromium.ts'
import { expectAccessible, expectAddress, formReady, openConsole, pagesOf, pick } from '../support/console.ts'
import { drawnFace } from '../support/fixtures.ts'
import { until } from '../support/until.ts'
import { sharedBrowser, sharedWorld } from '../support/stage.ts'

let world: World
let browser: Browser
let group: Made
beforeAll(async () => {
  world = await sharedWorld()
  browser = await sharedBrowser()
  group = await world.personGroup({ name: 'Workshop' })
})
afterAll(async () => {
  await world?.stop()
})

const show = pagesOf(() => ({ browser, world }))
const rowOf = (page: Page, name: string): Locator => page.getByRole('row').filter({ hasText: name })
const upload = (form: Locator, buffer: Buffer) =>
  form.locator('input[type="file"]').setInputFiles({ name: 'picture.jpg', mimeType: 'image/jpeg', buffer })
async function openForm(page: Page): Promise<Locator> {
  await page.getByRole('button', { name: 'Add a person' }).first().click()
  await formReady(page)
  return page.getByRole('dialog', { name: 'Add a person' })
}
async function choose(page: Page, form: Locator): Promise<void> {
  await form.getByLabel('Group').click()
  await page.locator('.ant-select-tree-node-content-wrapper').filter({ hasText: group.name }).click()
}

test('a photograph without a face is refused in words, and what was typed stays', async () => {
  const page = await show('/staffList')
  const form = await openForm(page)
  await form.getByLabel('Name').fill('Grace Hopper')
  await upload(
    form,
    await sharp({ create: { width: 400, height: 400, channels: 3, background: '#8aa' } })
      .jpeg()
      .toBuffer(),
  )
  await form.getByText('no face', { exact: false }).waitFor()
  await expect.poll(() => form.getByLabel('Name').inputValue()).toBe('Grace Hopper')
  await expectAccessible(page)
  await upload(form, await drawnFace())
  await form.getByRole('button', { name: 'Remove photo 1' }).waitFor()
  await choose(page, form)
  await form.getByRole('button', { name: 'Save' }).click()
  await form.waitFor({ state: 'hidden' })
  await page.getByRole('heading', { name: 'Grace Hopper' }).waitFor()
  await page.getByRole('img', { name: 'Grace Hopper' }).first().waitFor()
  const news = page.getByRole('button', { name: 'Register another' })
  await news.waitFor()
  // It is shown as new only once.
  await page.reload()
  await page.getByRole('img', { name: 'Grace Hopper' }).first().waitFor()
  expect(await news.count()).toBe(0)
})

test('a work number that is taken is refused at its field', async () => {
  await world.person({ name: 'Number One', workNumber: 'W-1', groupId: group.id })
  const page = await show('/staffList')
  const form = await openForm(page)
  await form.getByLabel('Name').fill('Number Two')
  await form.getByLabel('Work no.').fill('W-1')
  await choose(page, form)
  await form.getByRole('button', { name: 'Save' }).click()
  await form
    .locator('.ant-form-item')
    .filter({ hasText: 'Work no.' })
    .getByRole('alert')
    .or(form.locator('.ant-form-item-explain-error'))
    .first()
    .waitFor()
  await expect.poll(() => form.getByLabel('Name').inputValue()).toBe('Number Two')
  const { content } = await world.call(peopleCalls.list, { query: { name: 'Number Two' } })
  expect(content).toEqual([])
})

test('a name with a forbidden character does not leave the form', { tags: 'extended' }, async () => {
  const page = await show('/staffList')
  const form = await openForm(page)
  await form.getByLabel('Name').fill('A/B')
  await choose(page, form)
  await form.getByRole('button', { name: 'Save' }).click()
  await form.locator('.ant-form-item-explain-error').first().waitFor()
  expect((await world.call(peopleCalls.list, { query: { name: 'A/B' } })).total).toBe(0)
})

test('the list finds by name, keeps its filter in the address, and opens the person', async () => {
  await world.person({ name: 'Katherine Johnson', groupId: group.id })
  await world.person({ name: 'Dorothy Vaughan', groupId: group.id })
  const page = await show('/staffList?name=Katherine')
  await rowOf(page, 'Katherine Johnson').waitFor()
  expect(await rowOf(page, 'Dorothy Vaughan').count()).toBe(0)
  await rowOf(page, 'Katherine Johnson').getByRole('link', { name: 'Katherine Johnson' }).click()
  await page.getByRole('heading', { name: 'Katherine Johnson' }).waitFor()
  await expectAddress(page, '/staffDetails/')
  await expectAccessible(page)
  await page.goBack()
  await rowOf(page, 'Katherine Johnson').waitFor()
  await expectAddress(page, 'name=Katherine')
})

test(
  'another number of rows a page, chosen in the middle of a list, shows the rows from the first on, none twice and none missing [FIELD-13]',
  { tags: 'extended' },
  async () => {
    const paged = await world.personGroup({ name: 'Paged' })
    const numbers = Array.from({ length: 25 }, (_, at) => `P-${String(at + 1).padStart(2, '0')}`)
    for (const workNumber of numbers) await world.person({ name: `Paged ${workNumber}`, workNumber, groupId: paged.id })
    const page = await show(`/staffList?groupId=${paged.id}&size=10&page=3&sort=workNumber&order=asc`)
    const shows = async (expected: string[]): Promise<void> => {
      await expect
        .poll(() =>
          page
            .locator('tbody tr[data-row-key]')
            .getByText(/^P-\d\d$/)
            .allTextContents(),
        )
        .toEqual(expected)
    }
    await shows(numbers.slice(20))
    await page.getByRole('button', { name: '10 per page' }).click()
    await page.getByRole('menuitem', { name: '20 per page' }).click()
    await shows(numbers.slice(0, 20))
    await page.getByRole('listitem', { name: '2', exact: true }).click()
    await shows(numbers.slice(20))
  },
)

test('a person is disabled and deleted from the list, and the deletion can be taken back', async () => {
  const person = await world.person({ name: 'Mary Jackson', groupId: group.id })
  const statusOf = async () => (await world.call(peopleCalls.read, { query: { id: person.id } })).status
  const page = await show('/staffList?name=Mary')
  const act = async (action: string): Promise<void> => {
    await page.getByRole('button', { name: 'Actions for Mary Jackson' }).click()
    await page.getByRole('menuitem', { name: action }).click()
  }
  await act('Disable')
  await until('the person to be disabled', async () => (await statusOf()) === 0)
  await act('Enable')
  await until('the person to be enabled', async () => (await statusOf()) === 1)
  await act('Delete')
  await page.getByRole('dialog', { name: 'Delete Mary Jackson?' }).getByRole('button', { name: 'Delete' }).click()
  await page.getByRole('button', { name: 'Undo' }).click()
  await rowOf(page, 'Mary Jackson').waitFor()
  await expect.poll(() => statusOf()).toBe(1)
})

/** Open a form with a photo of a person who is registered under another name. */
async function formWithKnownFace(nth: number, known: string): Promise<{ page: Page; form: Locator; question: Locator; knownId: string }> {
  const person = world.photographs.people[nth]!
  const { id: knownId } = await world.person({ name: known, workNumber: `K-${nth}`, groupId: group.id, photo: await person.photo(1) })
  const page = await show('/staffList')
  const form = await openForm(page)
  await form.getByLabel('Name').fill(`Beside ${known}`)
  await choose(page, form)
  await upload(form, await person.photo(2))
  const question = form.getByRole('group', { name: `Who is ${known}?` })
  await question.waitFor()
  return { page, form, question, knownId }
}
const lookAlikesOf = async (id: string) => (await world.call(faceCalls.matching, { params: { id } })).lookAlikes
const named = async (name: string) => (await world.call(peopleCalls.list, { query: { name } })).content

test(
  'whom a new photograph looks like has to be said before anything is saved; somebody else is let be',
  { tags: 'extended' },
  async () => {
    const { page, form, question } = await formWithKnownFace(0, 'Registered Already')
    const warning = form.getByRole('alert').filter({ hasText: 'This face looks like a registered person' })
    await warning.getByText('K-0').waitFor()
    await form.getByText('photos are recommended', { exact: false }).waitFor()
    await expectAccessible(page)
    await form.getByRole('button', { name: 'Save' }).click()
    await form.getByText('Confirm each person above first.').waitFor()
    expect(await named('Beside Registered Already')).toEqual([])
    // The question disappears with the photo it concerns.
    await form.getByRole('button', { name: 'Remove photo 1' }).click()
    await warning.waitFor({ state: 'hidden' })
    await upload(form, await world.photographs.people[0]!.photo(2))
    await warning.waitFor()
    await question.getByText('Not this person').click()
    await form.getByRole('button', { name: 'Save' }).click()
    await form.waitFor({ state: 'hidden' })
    const [saved] = await named('Beside Registered Already')
    expect(saved).toMatchObject({ faces: [{ faceId: expect.any(String) }] })
    expect(await lookAlikesOf(saved!.id)).toEqual([])
  },
)

test('what somebody else has changed stands in the form that is opened again', { tags: 'extended' }, async () => {
  const person = await world.person({ name: 'Changed Meanwhile' })
  const page = await show('/staffList?name=Changed')
  const form = page.getByRole('dialog', { name: 'Edit Changed Meanwhile' })
  async function open(): Promise<void> {
    await page.getByRole('button', { name: 'Actions for Changed Meanwhile' }).click()
    await page.getByRole('menuitem', { name: 'Edit' }).click()
    await formReady(page)
  }
  await open()
  await form.getByRole('button', { name: 'Cancel' }).click()
  await form.waitFor({ state: 'hidden' })
  const { version, faces: _faces, ...fields } = await world.call(peopleCalls.read, { query: { id: person.id } })
  await world.call(peopleCalls.change, { body: { ...fields, version, facePhotos: [], remark: 'Works at night' } as never })
  await open()
  expect(await form.getByLabel('Remark').inputValue()).toBe('Works at night')
  await form.getByLabel('Phone').fill('13912345678')
  await form.getByRole('button', { name: 'Save' }).click()
  await form.waitFor({ state: 'hidden' })
  expect(await world.call(peopleCalls.read, { query: { id: person.id } })).toMatchObject({ phone: '13912345678', remark: 'Works at night' })
})

test('a twin is registered, and doors are told that the two look alike', { tags: 'extended' }, async () => {
  const { form, question, knownId } = await formWithKnownFace(1, 'First Twin')
  await question.getByText('Twin or look-alike').click()
  await form.getByRole('button', { name: 'Save' }).click()
  await form.waitFor({ state: 'hidden' })
  const [saved] = await named('Beside First Twin')
  await until('the pair', async () => (await lookAlikesOf(saved!.id)).length === 1)
  await expect.poll(() => lookAlikesOf(saved!.id)).toMatchObject([{ personId: knownId, origin: 'hand' }])
})

test('where it is the same person, that one is opened, and what was typed is still there afterwards', { tags: 'extended' }, async () => {
  const { page, form, question, knownId } = await formWithKnownFace(2, 'Same Person')
  await form.getByLabel('Phone').fill('0123456')
  await question.getByRole('button', { name: 'Same person: view details' }).click()
  await page.getByRole('heading', { name: 'Same Person', exact: true }).waitFor()
  await expectAddress(page, knownId)
  await page.goBack()
  const again = await openForm(page)
  await again.getByText('What you typed earlier is still here.').waitFor()
  await expect.poll(() => again.getByLabel('Phone').inputValue()).toBe('0123456')
  await again.getByRole('group', { name: 'Who is Same Person?' }).waitFor()
  expect(await named('Beside Same Person')).toEqual([])
})

test('a picture as newer phones take them is refused with a word on how to change it', { tags: 'extended' }, async () => {
  const page = await show('/staffList')
  const form = await openForm(page)
  await form.locator('input[type="file"]').setInputFiles({
    name: 'IMG_0001.heic',
    mimeType: 'image/heic',
    buffer: Buffer.concat([Buffer.from([0, 0, 0, 24]), Buffer.from('ftypheic'), Buffer.alloc(400)]),
  })
  const refusal = form.getByRole('alert').filter({ hasText: 'This photo cannot be used' })
  await refusal.first().waitFor()
  await expect.poll(() => refusal.first().innerText()).toContain('This is a HEIC picture')
})

/** Open the form of a new person where a camera shows this photo. */
async function filmedForm(photo: Buffer, name: string): Promise<{ page: Page; form: Locator; taking: Locator }> {
  const camera = await fakeCamera(photo)
  const filming = await launchChromium({ args: camera.args })
  onTestFinished(async () => {
    await filming.close()
    camera.remove()
  })
  const { page } = await openConsole(filming, world, { at: '/staffList' })
  const form = await openForm(page)
  await form.getByLabel('Name').fill(name)
  await choose(page, form)
  await form.getByRole('button', { name: 'Use camera' }).click()
  return { page, form, taking: page.getByRole('dialog', { name: 'Use camera' }) }
}

test('a person is registered with the camera, which asks for a second picture at once and gives it a moment', async () => {
  const { page, form, taking } = await filmedForm(await world.photographs.people[3]!.photo(1), 'Seen Twice')
  // It can be pressed once the camera shows a picture.
  await taking.getByRole('button', { name: 'Take picture' }).click()
  await taking.getByRole('heading', { name: 'Now once more' }).waitFor()
  await taking.getByText('Turn your head a little', { exact: false }).waitFor()
  await taking.getByRole('img', { name: 'Photo 1' }).waitFor()
  await expectAccessible(page)
  const again = taking.getByRole('button', { name: 'Take the next picture' })
  // A user of the keyboard goes on with the same key.
  await taking.locator('button:focus').filter({ hasText: 'Take the next picture' }).waitFor()
  await expect.poll(() => again.getAttribute('class')).not.toContain('loading')
  await page.keyboard.press('Enter')
  await taking.waitFor({ state: 'hidden' })
  await form.getByRole('button', { name: 'Remove photo 2' }).waitFor()
  await expect.poll(() => form.getByLabel('Name').inputValue()).toBe('Seen Twice')
  await form.getByRole('button', { name: 'Save' }).click()
  await form.waitFor({ state: 'hidden' })
  await expect.poll(() => named('Seen Twice')).toMatchObject([{ faces: [{}, {}] }])
})

test('the second picture can be skipped, and is still wanted', { tags: 'extended' }, async () => {
  const { form, taking } = await filmedForm(await world.photographs.people[4]!.photo(1), 'Seen Once')
  await taking.getByRole('button', { name: 'Take picture' }).click()
  await taking.getByRole('button', { name: 'Skip' }).click()
  await taking.waitFor({ state: 'hidden' })
  await form.getByText('2 photos are recommended', { exact: false }).waitFor()
  await form.getByRole('button', { name: 'Save' }).click()
  await form.waitFor({ state: 'hidden' })
  await expect.poll(() => named('Seen Once')).toMatchObject([{ faces: [{ faceId: expect.any(String) }] }])
})

test('after one file the next is asked for, and whoever uses the keyboard is there', { tags: 'extended' }, async () => {
  const page = await show('/staffList')
  const form = await openForm(page)
  await form.locator('input[type="file"]').focus()
  await upload(form, await world.photographs.people[3]!.photo(2))
  await form.getByText('Choose another photo').waitFor()
  await form.getByRole('status').filter({ hasText: '2 photos are recommended' }).waitFor()
  await form.locator('input[type="file"]:focus').waitFor({ state: 'attached' })
  await upload(form, await world.photographs.people[3]!.photo(3))
  await form.getByRole('button', { name: 'Remove photo 2' }).waitFor()
  await form.getByText('Choose a photo').waitFor()
  expect(await form.getByText('2 photos are recommended', { exact: false }).count()).toBe(0)
})

const demandFaces = async (staffFaceRegisterFlag: 0 | 1): Promise<void> => {
  await world.call(parkSettingCalls.saveUpdateConfig, {
    body: { staffFaceRegisterFlag, customerFaceRegisterFlag: 0, showCustomerManagerFlag: 0 },
  })
}

test('the form demands a face where the park wants one of everybody [VAL-057]', { tags: 'extended' }, async () => {
  await demandFaces(1)
  onTestFinished(() => demandFaces(0))
  const page = await show('/staffList')
  const form = await openForm(page)
  await form.getByLabel('Name').fill('Faceless Staff')
  await choose(page, form)
  await form.getByRole('button', { name: 'Save' }).click()
  await form.locator('.ant-form-item').filter({ hasText: 'Photos (up to 3)' }).getByText('Fill this in.').waitFor()
  expect(await named('Faceless Staff')).toEqual([])
  await upload(form, await world.photographs.people[5]!.photo(1))
  await form.getByRole('button', { name: 'Remove photo 1' }).waitFor()
  await form.getByRole('button', { name: 'Save' }).click()
  await form.waitFor({ state: 'hidden' })
  await expect.poll(() => named('Faceless Staff')).toHaveLength(1)
})

test(
  'a field of the park is asked for in the form, refused empty at its place, and shown with the person',
  { tags: 'extended' },
  async () => {
    await world.call(personFormCalls.change, {
      body: { fields: [{ title: 'Plate' }, { title: 'Department', required: true }, { title: 'Unseen', required: true, visible: false }] },
    })
    onTestFinished(async () => {
      await world.call(personFormCalls.change, { body: { fields: [] } })
    })
    const page = await show('/staffAdd')
    const form = page.locator('form')
    await form.getByLabel('Department').waitFor()
    expect(await form.getByLabel('Unseen').count()).toBe(0)
    await form.getByLabel('Name').fill('Annie Easley')
    await choose(page, form)
    await page.getByRole('button', { name: 'Save' }).click()
    await form.locator('.ant-form-item').filter({ hasText: 'Department' }).getByText('Fill this in.').waitFor()
    await form.locator('input:focus').and(form.getByLabel('Department')).waitFor()
    await form.getByLabel('Department').fill('Rockets')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('heading', { name: 'Annie Easley' }).waitFor()
    await page.getByText('Rockets').waitFor()
  },
)

test(
  'what is seldom needed waits behind its heading, which opens by itself where something in it is refused',
  { tags: 'extended' },
  async () => {
    await world.person({ name: 'Holder', groupId: group.id, idNumber: 'P-4711' })
    const page = await show('/staffList')
    const form = await openForm(page)
    const papers = form.getByRole('button', { name: 'ID and card', exact: false })
    await form.getByLabel('Name').fill('Imitator')
    await choose(page, form)
    await papers.click()
    await form.getByLabel('ID number').fill('P-4711')
    await form.getByRole('button', { name: 'Check' }).click()
    await form.getByRole('status').filter({ hasText: 'cannot be checked here' }).waitFor()
    await form.getByLabel('Personal password').fill('2468')
    await papers.click()
    await expect.poll(() => form.getByLabel('ID number').isVisible()).toBe(false)
    await form.getByRole('button', { name: 'Save' }).click()
    await form.getByLabel('ID number').waitFor()
    await form.locator('.ant-form-item').filter({ hasText: 'ID number' }).locator('.ant-form-item-explain-error').waitFor()
    await form.getByLabel('ID number').fill('P-4712')
    await form.getByRole('button', { name: 'Save' }).click()
    await form.waitFor({ state: 'hidden' })
    const [saved] = await named('Imitator')
    await page.goto(`${world.url}/#/staffDetails/${saved!.id}`)
    const fact = page.locator('dl > div').filter({ hasText: 'Personal password' })
    await fact.getByText('Set', { exact: true }).waitFor()
    expect(await page.getByText('2468').count()).toBe(0)
  },
)

test(
  'a contact needs relation, name, phone and photograph; there are at most four [VAL-062] [VAL-063] [VAL-064] [VAL-066] [VAL-067]',
  { tags: 'extended' },
  async () => {
    const person = await world.person({ name: 'Ward', groupId: group.id })
    for (const nth of [1, 2, 3]) {
      const { faceId } = await world.call(faceCalls.cache, { body: {}, file: await portrait(`contact ${nth}`) })
      await world.call(contactCalls.create, {
        body: { personId: person.id, relation: 7, name: `Friend ${nth}`, phone: `55501${nth}`, gender: 3, photo: faceId },
      })
    }
    const page = await show(`/staffDetails/${person.id}`)
    await page.getByText('Friend 3').waitFor()
    await page.getByRole('button', { name: 'Add a contact' }).click()
    await formReady(page)
    const form = page.getByRole('dialog', { name: 'Add a contact' })
    await form.getByRole('button', { name: 'Save' }).click()
    for (const field of ['Relation', 'Name', 'Phone', 'Photo'])
      await form.locator('.ant-form-item').filter({ hasText: field }).getByText('Fill this in.').first().waitFor()
    await upload(form, await portrait('contact 4'))
    await form.getByRole('button', { name: 'Remove photo 1' }).waitFor()
    await form.getByLabel('Relation').click()
    await page.getByTitle('Mother', { exact: true }).click()
    await form.getByLabel('Name').fill('Joan Higginbotham')
    await form.getByLabel('Phone').fill('5550100')
    await form.getByRole('button', { name: 'Save' }).click()
    await form.waitFor({ state: 'hidden' })
    await page.getByText('Joan Higginbotham').waitFor()
    expect(await page.getByRole('button', { name: 'Add a contact' }).count()).toBe(0)
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Actions for Friend 1' }).click()
    await page.getByRole('menuitem', { name: 'Delete' }).click()
    await page.getByRole('dialog', { name: 'Delete contact Friend 1?' }).getByRole('button', { name: 'Delete' }).click()
    await page.getByText('Friend 1', { exact: true }).waitFor({ state: 'detached' })
    expect((await world.call(contactCalls.list, { query: { personId: person.id } })).map(({ name }) => name)).toEqual([
      'Friend 2',
      'Friend 3',
      'Joan Higginbotham',
    ])
  },
)

test(
  'a permission that a compliance rule forbids leaves the person registered and is tried again on their page; a disabled person ' +
    'passes nowhere',
  { tags: 'extended' },
  async () => {
    const door = await world.device({ name: 'Store room' })
    const { id: ruleId } = await world.call(writtenRuleCalls.create, {
      body: { name: 'Closed stores', personGroupIds: [group.id], deviceIds: [door.id] },
    })
    const page = await show('/staffList')
    const form = await openForm(page)
    await form.getByLabel('Name').fill('Mae Jemison')
    await choose(page, form)
    const access = form.getByRole('combobox', { name: 'May pass at' })
    await access.click()
    await pick(access, 'Store room')
    await form.getByText('Will gain: Store room; all day.').waitFor()
    // The chosen door is stored in the draft, with its name.
    await page.reload()
    const again = await openForm(page)
    await again.getByText('What you typed earlier is still here.').waitFor()
    await again.locator('.ant-select-selection-item').filter({ hasText: 'Store room' }).waitFor()
    await again.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('heading', { name: 'Mae Jemison' }).waitFor()
    const refusal = page.getByRole('alert').filter({ hasText: 'Access was not permitted' })
    await refusal.getByText('Closed stores', { exact: false }).waitFor()
    await page.getByRole('alert').filter({ hasText: 'Registered' }).getByText('No door opens for this person yet.').waitFor()
    await expectAccessible(page)

    await world.call(writtenRuleCalls.delete, { params: { id: ruleId } })
    await refusal.getByRole('button', { name: 'Try again' }).click()
    const dialog = page.getByRole('dialog', { name: 'Permit Mae Jemison' })
    await dialog.getByText('Will gain: Store room; all day.').waitFor()
    await expectAccessible(page)
    await dialog.getByRole('button', { name: 'Permit' }).click()
    const passes = page.getByRole('listitem').filter({ hasText: 'Store room · direct access' })
    await passes.waitFor()
    await refusal.waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Disable' }).click()
    await page.getByText('Disabled: may not pass anywhere at the moment.').waitFor()
    expect(await passes.count()).toBe(0)

    // The group of the last person is preset.
    await page.goto(`${world.url}/#/staffAdd`)
    await page.locator('form').locator('.ant-select').filter({ hasText: group.name }).waitFor()
  },
)

test('marked persons are permitted at once', { tags: 'extended' }, async () => {
  await world.device({ name: 'Canteen' })
  for (const nth of [1, 2]) await world.person({ name: `Eater ${nth}`, groupId: group.id })
  const page = await show('/staffList?name=Eater')
  for (const nth of [1, 2]) await rowOf(page, `Eater ${nth}`).getByRole('checkbox').check()
  await page.getByRole('region', { name: '2 selected' }).getByRole('button', { name: 'Permit' }).click()
  const dialog = page.getByRole('dialog', { name: 'Permit 2 people' })
  const access = dialog.getByRole('combobox', { name: 'May pass at' })
  await access.click()
  await pick(access, 'Canteen')
  await dialog.getByRole('button', { name: 'Permit' }).click()
  await dialog.waitFor({ state: 'hidden' })
  const { content } = await world.call(strategyCalls.find, { body: { name: 'Canteen' } })
  expect(content).toMatchObject([{ name: 'Canteen · direct access', personCount: 2, deviceCount: 1 }])
})

test('a contact is given with a new person, and refused at its field', { tags: 'extended' }, async () => {
  const page = await show('/staffList')
  const form = await openForm(page)
  await form.getByLabel('Name').fill('Valerie Thomas')
  await choose(page, form)
  await form.getByRole('button', { name: 'Contacts', exact: false }).click()
  await form.getByRole('button', { name: 'Add a contact' }).click()
  const contact = form.getByRole('region', { name: 'Contact 1' })
  await contact
    .locator('input[type="file"]')
    .setInputFiles({ name: 'picture.jpg', mimeType: 'image/jpeg', buffer: await portrait('father') })
  await contact.getByRole('button', { name: 'Remove photo 1' }).waitFor()
  await contact.getByLabel('Relation').click()
  await page.getByTitle('Father', { exact: true }).click()
  await contact.getByLabel('Name').fill('Her Father')
  await contact.getByLabel('Phone').fill('12 ab')
  await form.getByRole('button', { name: 'Save' }).click()
  await contact.locator('.ant-form-item').filter({ hasText: 'Phone' }).getByText('Use only digits and + * #.').waitFor()
  await contact.getByLabel('Phone').fill('12345')
  await form.getByRole('button', { name: 'Save' }).click()
  await form.waitFor({ state: 'hidden' })
  const [saved] = await named('Valerie Thomas')
  expect(await world.call(contactCalls.list, { query: { personId: saved!.id } })).toMatchObject([
    { name: 'Her Father', phone: '12345', relation: 1 },
  ])
})

test('marked persons are moved and copied, once however often it is clicked', { tags: 'extended' }, async () => {
  const [from, to, other] = [
    await world.personGroup({ name: 'Old_hall' }),
    await world.personGroup({ name: 'New_hall' }),
    await world.personGroup({ name: 'Third_hall' }),
  ]
  for (const nth of [1, 2]) await world.person({ name: `Mover ${nth}`, workNumber: `M-${nth}`, groupId: from.id })
  const page = await show('/staffList?name=Mover')
  const mark = async (): Promise<void> => {
    await rowOf(page, 'Mover 1').getByRole('checkbox').check()
    await rowOf(page, 'Mover 2').getByRole('checkbox').check()
  }
  const act = async (action: string, title: string, into: Made): Promise<void> => {
    await mark()
    await page.getByRole('region', { name: '2 selected' }).getByRole('button', { name: action, exact: true }).click()
    const form = page.getByRole('dialog', { name: title })
    await formReady(page)
    await form.getByLabel('To group').click()
    await page.locator('.ant-select-tree-node-content-wrapper:visible').filter({ hasText: into.name }).click()
    await form.getByRole('button', { name: 'Save' }).dblclick()
    await form.waitFor({ state: 'hidden' })
  }
  const groupsOf = async (name: string) => (await named(name)).map(({ groupId }) => groupId).toSorted()
  await rowOf(page, 'Mover 2').waitFor()
  await act('Move', 'Move 2 people', to)
  await expect.poll(() => groupsOf('Mover 1')).toEqual([to.id])
  await act('Copy', 'Copy 2 people', other)
  await until('the copies', async () => (await named('Mover')).length === 4)
  await page.getByText('4 people', { exact: true }).waitFor()
  await expect.poll(() => groupsOf('Mover 2')).toEqual([to.id, other.id].toSorted())
  // Numbers stay with the original.
  expect((await named('Mover 1')).map(({ workNumber }) => workNumber).toSorted()).toEqual(['', 'M-1'])
})

test(
  'the park’s own fields are added, ordered by keyboard, kept apart by their titles and deleted with a warning [VAL-075] [VAL-200]',
  { tags: 'extended' },
  async () => {
    onTestFinished(async () => {
      await world.call(personFormCalls.change, { body: { fields: [] } })
    })
    const page = await show('/customize')
    const titles = async () => (await world.call(personFormCalls.read, {})).fields.map(({ title }) => title)
    const field = (nth: number) => page.getByRole('textbox', { name: `Title of field ${nth}` })
    /** Type into a field and leave it: its message appears and disappears then, and moves the buttons below it. */
    const type = async (nth: number, title: string): Promise<void> => {
      await field(nth).fill(title)
      await field(nth).press('Tab')
    }
    for (const [at, title] of ['Department', 'Plate', 'department'].entries()) {
      await page.getByRole('button', { name: 'Add a field' }).click()
      await type(at + 1, title)
    }
    await page.getByRole('button', { name: 'Save' }).click()
    await page
      .getByRole('listitem')
      .filter({ has: field(3) })
      .getByText('This name is already used.')
      .waitFor()
    expect(await titles()).toEqual([])
    await type(3, 'Locker')
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Save' }).click()
    await until('the fields', async () => (await titles()).length === 3)
    await field(3).press('Alt+ArrowUp')
    await page.getByRole('button', { name: 'Move field 1 down' }).click()
    await page.getByRole('button', { name: 'Save' }).click()
    await until('the order', async () => (await titles()).join() === 'Locker,Department,Plate')
    await page.getByRole('button', { name: 'Delete field 1' }).click()
    const warning = page.getByRole('dialog', { name: 'Delete the field Locker?' })
    await warning.getByText('deleted for every person', { exact: false }).waitFor()
    await warning.getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('button', { name: 'Save' }).click()
    await until('the field to be gone', async () => (await titles()).join() === 'Department,Plate')
    // Another user was faster, and deleted one.
    await world.call(personFormCalls.change, { body: { fields: [{ title: 'Theirs' }] } })
    await type(1, 'Mine')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Another user has changed this in the meantime', { exact: false }).waitFor()
    await expect.poll(() => field(1).inputValue()).toBe('Mine')
    await page.getByRole('button', { name: 'Discard changes' }).click()
    await until('what the other one saved', async () => (await field(1).inputValue()) === 'Theirs')
  },
)

test(
  'how a person is compared is changed and kept: how strictly, by which photographs, with whom not to mix up',
  { tags: 'extended' },
  async () => {
    const [one] = world.photographs.people
    const twin = await world.person({ name: 'Alan Twin', groupId: group.id })
    const person = await world.person({ name: 'Alan Turing', groupId: group.id, photo: [await one!.photo(1), await one!.photo(2)] })
    const matching = () => world.call(faceCalls.matching, { params: { id: person.id } })
    await world.settled()
    const page = await show(`/staffDetails/${person.id}`)
    await page.getByText('Higher', { exact: true }).click()
    await until('the threshold', async () => {
      const { threshold, parkThreshold } = await matching()
      return threshold !== null && Math.abs(threshold - parkThreshold - 5) < 0.01
    })
    const used = page.getByRole('switch')
    await used.nth(1).click()
    await page.getByText('Photo 2 is set aside').waitFor()
    expect((await matching()).photos).toMatchObject([{ setAsideAt: null }, { setAsideAt: expect.any(Number) }])
    // One has to stay.
    await expect.poll(() => used.nth(0).isDisabled()).toBe(true)
    await page.getByRole('button', { name: 'Add a look-alike' }).click()
    await page.getByRole('combobox', { name: 'Add a look-alike' }).fill('Alan T')
    const offered = page.locator('.ant-select-item-option:visible')
    await offered.filter({ hasText: 'Alan Twin' }).waitFor()
    expect(await offered.filter({ hasText: 'Alan Turing' }).count()).toBe(0)
    await offered.filter({ hasText: 'Alan Twin' }).click()
    await page.getByRole('link', { name: 'Alan Twin' }).waitFor()
    expect((await matching()).lookAlikes).toMatchObject([{ personId: twin.id, origin: 'hand' }])
    await expectAccessible(page)

    await page.reload()
    await page.getByText('Photo 2 is set aside').waitFor()
    await expect.poll(() => page.getByRole('radio', { name: 'Higher', exact: true }).isChecked()).toBe(true)
    await used.nth(1).click()
    await page.getByText('Photo 2 is used').waitFor()
    await page.getByRole('button', { name: 'Remove look-alike Alan Twin' }).click()
    await page.getByRole('link', { name: 'Alan Twin' }).waitFor({ state: 'detached' })
    await page.getByText('Park setting', { exact: true }).click()
    await until('the usual threshold', async () => (await matching()).threshold === null)
    await expect.poll(() => matching()).toMatchObject({ photos: [{ setAsideAt: null }, { setAsideAt: null }], lookAlikes: [] })
  },
)
