/** The analysis of wrong matches, as a guard sees it: a person mistaken for another, the reason, the actual person, and the way back. */
import sharp from 'sharp'
import type { Browser, Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { clinicCalls } from '@gatehouse/contract/clinic/calls'
import type { RecordObject } from '@gatehouse/contract/device/protocol-records'
import { accessResult, failReason, verifyType } from '@gatehouse/contract/enums'
import { faceCalls } from '@gatehouse/contract/faces/calls'
import { grantToken, insertUser } from '@gatehouse/dev-env/accounts'
import type { Made, MadePerson, World } from '@gatehouse/dev-env/world'
import { portraitVariant } from '@gatehouse/dev-env/portraits'
import { connectedDevice } from '../support/connected-device.ts'
import { expectAccessible, pageHolding, pagesOf, type ConsoleOptions } from '../support/console.ts'
import { until } from '../support/until.ts'
import { sharedBrowser, sharedWorld } from '../support/stage.ts'

let world: World
let browser: Browser
/** Has a photo of `actual` among their own. */
let wronged: MadePerson
let actual: MadePerson
/** Has one photo, and resembles neither. */
let other: MadePerson
let shown: Buffer
beforeAll(async () => {
  world = await sharedWorld()
  browser = await sharedBrowser()
  const { kind, person } = world.photographs
  const isReal = kind === 'real'
  const [own, misplaced, others, later] = isReal
    ? [
        person('halle_berry').photo(4),
        person('condoleezza_rice').photo(4),
        person('condoleezza_rice').photo(1),
        person('condoleezza_rice').photo(5),
      ]
    : [portraitVariant(6, 0), portraitVariant(16, 2), portraitVariant(16, 0), portraitVariant(16, 2)]
  shown = await sharp(await later)
    .webp()
    .toBuffer()
  wronged = await world.person({ name: 'Wronged', photo: [await own, await misplaced] })
  actual = await world.person({ name: 'Actual', photo: await others })
  other = await world.person({
    name: 'Zoe Other',
    workNumber: 'Z-77',
    photo: isReal ? await person('hans_blix').photo(1) : await portraitVariant(70, 0),
  })
  // Further down than the five next candidates.
  await world.person({ name: 'Zoe Without a photo' })
})
afterAll(async () => {
  await world?.stop()
})

const show = pagesOf(() => ({ browser, world }))
const flat = (): Promise<Buffer> =>
  sharp({ create: { width: 320, height: 320, channels: 3, background: 'grey' } })
    .webp()
    .toBuffer()
const of = (person: MadePerson): Partial<RecordObject> => ({ personId: person.id, personName: person.name })
const stranger: Partial<RecordObject> = { result: accessResult.rejected, failReason: failReason.notRegistered, score: 40 }

interface Passage extends Partial<RecordObject> {
  picture?: Buffer
}

interface Door extends Made {
  records: number
}

/** Create a door with these passages, the oldest first. */
async function door(passages: readonly Passage[]): Promise<Door> {
  const device = await world.device()
  const simulated = await connectedDevice(world, device)
  const opened = Date.now() - 600_000
  const records = passages.map(({ picture, ...more }, at): RecordObject => ({
    seq: at + 1,
    occurredAt: opened + at * 1000,
    personId: null,
    personName: '',
    result: accessResult.allowed,
    failReason: null,
    verifyType: verifyType.face,
    direction: 1,
    score: 84,
    checks: '[]',
    revision: simulated.manifest().revision,
    hasPicture: picture !== undefined,
    ...more,
  }))
  await simulated.send(records)
  for (const [at, { picture }] of passages.entries()) if (picture) await simulated.sendPicture(at + 1, picture)
  return { ...device, records: records.length }
}

const rowsOf = (page: Page): Locator => page.locator('tr[data-row-key]')
/** Open the newest record of a door. */
async function openNewest(
  at: Door,
  options?: ConsoleOptions,
  open: (address: string) => Promise<Page> = (address) => show(address, options),
): Promise<{ page: Page; drawer: Locator }> {
  const page = await open(`/staffCurrent?deviceId=${at.id}`)
  await page.locator('header [data-state="connected"]').waitFor()
  await until('the records', async () => (await rowsOf(page).count()) === at.records)
  await rowsOf(page).first().press('Enter')
  const drawer = page.getByRole('dialog')
  await until('the drawer to have the focus', async () => (await drawer.locator(':focus').count()) > 0)
  return { page, drawer }
}
const reported = async (personId: string) => (await world.call(clinicCalls.list, { query: { personId } })).content
const matching = () => world.call(faceCalls.matching, { params: { id: wronged.id } })

describe('a person taken for another', () => {
  test('one sees which photograph it was, says who it was, sets the photograph aside, and takes that back', async () => {
    const at = await door([{ ...of(wronged), picture: shown }])
    const { page, drawer } = await openNewest(at)
    await drawer.getByRole('button', { name: 'This is not Wronged' }).click()
    const decided = drawer.getByRole('listitem').filter({ hasText: 'decided the match' })
    await decided.getByText('Photo 2').waitFor()
    await expect.poll(() => decided.count()).toBe(1)
    if (world.photographs.kind === 'real') await drawer.getByText('Wronged would not have been recognised', { exact: false }).waitFor()
    const nearest = drawer.getByRole('radio').first()
    await expect.poll(() => nearest.getAttribute('value')).toBe(actual.id)
    const confirm = drawer.getByRole('button', { name: 'It was not Wronged' })
    await expect.poll(() => confirm.isDisabled()).toBe(true)
    await expectAccessible(page)

    await drawer.getByRole('radio', { name: 'Actual' }).check()
    await drawer.getByText('The two are marked as look-alikes', { exact: false }).waitFor()
    await drawer.getByRole('checkbox', { name: 'Photo 2' }).check()
    // One has to stay.
    await expect.poll(() => drawer.getByRole('checkbox', { name: 'Photo 1' }).isDisabled()).toBe(true)
    await drawer.getByText('Higher', { exact: true }).click()
    await drawer.getByLabel('Note (optional)').fill('Photographs mixed up')
    const before = await matching()
    await confirm.click()

    await drawer.getByText('It was Actual, not Wronged.').waitFor()
    await drawer.getByText('Wronged and Actual are marked as look-alikes.').waitFor()
    await drawer.getByText('1 photo was set aside.').waitFor()
    await drawer.getByText('Photographs mixed up').waitFor()
    await drawer.getByText('would no longer be recognised', { exact: false }).waitFor()
    await rowsOf(page).filter({ hasText: 'Wrong match' }).waitFor()
    await expect.poll(() => drawer.locator(':focus').count()).toBe(1)
    await expect
      .poll(() => reported(wronged.id))
      .toMatchObject([{ actualPersonId: actual.id, setAside: [wronged.faceIds[1]], note: 'Photographs mixed up' }])
    const since = await matching()
    expect(since).toMatchObject({
      lookAlikes: [{ personId: actual.id }],
      photos: [{ setAsideAt: null }, { setAsideAt: expect.any(Number) }],
    })
    expect(since.threshold).toBeGreaterThan(before.parkThreshold)
    await expectAccessible(page)

    await drawer.getByRole('button', { name: 'Undo' }).click()
    await confirm.waitFor()
    await until('the list to have forgotten', async () => (await rowsOf(page).filter({ hasText: 'Wrong match' }).count()) === 0)
    await expect.poll(() => matching()).toEqual(before)
  })

  test('somebody who does not come next is found by name; the keys of a form stay in it', { tags: 'extended' }, async () => {
    const at = await door([of(wronged), { ...of(wronged), picture: shown }])
    const { page, drawer } = await openNewest(at)
    const title = () => drawer.locator('.ant-drawer-title').innerText()
    const opened = await title()
    await drawer.getByRole('button', { name: 'This is not Wronged' }).click()
    await drawer.getByRole('radio', { name: 'Actual' }).focus()
    await page.keyboard.press('Space')
    await page.keyboard.press('ArrowUp')
    await until('the radio before it to be chosen', async () => !(await drawer.getByRole('radio', { name: 'Actual' }).isChecked()))
    await drawer.getByRole('radio', { name: 'Another person…' }).check()
    const search = drawer.getByRole('combobox', { name: 'Another person…' })
    const offered = page.locator('.ant-select-item-option:visible')
    await search.fill('Z-77')
    await offered.filter({ hasText: 'Zoe Other' }).waitFor()
    await until('the first found to be all', async () => (await offered.count()) === 1)
    await page.keyboard.press('Escape')
    await until('what was offered to close', async () => (await offered.count()) === 0)
    await expect.poll(() => drawer.isVisible()).toBe(true)
    await search.fill('Zoe W')
    await offered.filter({ hasText: 'Zoe Without a photo' }).waitFor()
    await until('the others to be gone', async () => (await offered.count()) === 1)
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('ArrowUp')
    expect(await title()).toBe(opened)
    await page.keyboard.press('Enter')
    await drawer.getByText('The two are marked as look-alikes', { exact: false }).waitFor()
    await drawer.getByLabel('Note (optional)').press('Enter')
    await drawer.getByText('It was Zoe Without a photo, not Wronged.').waitFor()

    // The button that was clicked is gone, and the arrow keys still lead to the next record.
    await page.keyboard.press('ArrowDown')
    await until('the older record', async () => (await title()) !== opened)
    await page.keyboard.press('ArrowUp')
    await drawer.getByRole('button', { name: 'Undo' }).click()
    await drawer.getByRole('button', { name: 'It was not Wronged' }).waitFor()
    await page.keyboard.press('Escape')
    await drawer.waitFor({ state: 'hidden' })
    expect(await reported(wronged.id)).toEqual([])
  })

  test('whoever may not see persons reads what happened and is told who can correct it', { tags: 'extended' }, async () => {
    const at = await door([{ ...of(wronged), picture: shown }])
    const userId = await insertUser(world.server, { organisationId: world.park.id, permissions: ['access.record'] })
    const { bearer, expiresAt } = await grantToken(world.server, userId, world.park.id)
    const stored = { language: 'en', theme: 'light', token: bearer, tokenExpires: expiresAt }
    const { page, drawer } = await openNewest(at, {}, (address) => pageHolding(browser, world, stored, { at: address }))
    await drawer.getByRole('button', { name: 'This is not Wronged' }).click()
    await drawer.getByText('decided the match').waitFor()
    await drawer.getByText('Only users who may manage staff can correct this.', { exact: false }).waitFor()
    // Other candidates are shown only to users who may see or search people.
    expect([await drawer.getByText('Actual').count(), await drawer.getByRole('radio').count()]).toEqual([0, 0])
    await expectAccessible(page)
  })
})

describe('what cannot be compared', () => {
  test('a picture without a face says so, and one can still say who it was', { tags: 'extended' }, async () => {
    const { drawer } = await openNewest(await door([{ ...of(other), picture: await flat() }]))
    await drawer.getByRole('button', { name: 'This is not Zoe Other' }).click()
    await drawer.getByText('The picture of this access event cannot be compared.').waitFor()
    await drawer.getByText('Zoe Other has only one photo in use', { exact: false }).waitFor()
    await drawer.getByRole('radio', { name: 'Not registered, or not known' }).check()
    await drawer.getByRole('button', { name: 'It was not Zoe Other' }).click()
    await drawer.getByText('It was not Zoe Other.').waitFor()
    await expect.poll(() => reported(other.id)).toMatchObject([{ actualPersonId: null, setAside: [], threshold: null }])
  })

  test('an engine that is busy is asked again', { tags: 'extended' }, async () => {
    const { page, drawer } = await openNewest(await door([{ ...of(wronged), picture: shown }]))
    let busy = true
    await page.route('**/record/*/match', (route) =>
      busy ? route.fulfill({ status: 503, json: { code: 900000, message: 'busy', data: null } }) : route.continue(),
    )
    await drawer.getByRole('button', { name: 'This is not Wronged' }).click()
    await drawer.getByText('The faces could not be compared.').waitFor()
    await expectAccessible(page)
    busy = false
    await drawer.getByRole('button', { name: 'Try again' }).click()
    await drawer.getByText('decided the match').waitFor()
    await until('the focus to be in the drawer', async () => (await drawer.locator(':focus').count()) === 1)
  })

  test('a card says nothing of faces', { tags: 'extended' }, async () => {
    const { drawer } = await openNewest(await door([{ ...of(wronged), verifyType: verifyType.card, score: null }]))
    await drawer.getByRole('heading', { name: 'Details' }).or(drawer.getByText('Work no.')).first().waitFor()
    expect(await drawer.getByRole('button', { name: 'This is not Wronged' }).count()).toBe(0)
  })
})

test('of a stranger one sees whom the face looks like', { tags: 'extended' }, async () => {
  const at = await door([
    { ...stranger, picture: await flat() },
    { ...stranger, picture: shown },
  ])
  const { page, drawer } = await openNewest(at)
  const ask = drawer.getByRole('button', { name: 'Find similar people' })
  await ask.click()
  await drawer
    .getByRole('link', { name: 'Wronged' })
    .or(drawer.getByRole('link', { name: 'Actual' }))
    .first()
    .waitFor()
  expect(await drawer.getByRole('radio').count()).toBe(0)
  await page.keyboard.press('ArrowDown')
  await ask.click()
  await drawer.getByText('The picture of this access event cannot be compared.').waitFor()
})

test.each([
  { theme: 'light', language: 'zh-CN', ask: '这不是Wronged' },
  { theme: 'dark', language: 'zh-TW', ask: '這不是Wronged' },
] as const)(
  'neither the clinic nor the person has findings of axe ($theme, $language)',
  { tags: 'extended' },
  async ({ theme, language, ask }) => {
    const { page, drawer } = await openNewest(await door([{ ...of(wronged), picture: shown }]), { theme, language })
    await drawer.getByRole('button', { name: ask }).click()
    await drawer.getByRole('radio').first().check()
    await expectAccessible(page)
    await page.goto(`${world.url}/#/staffDetails/${wronged.id}`)
    await page.getByRole('switch').first().waitFor()
    await expectAccessible(page)
  },
)
