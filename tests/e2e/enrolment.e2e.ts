/** Self-enrolment, from the link on a phone to the register: submitted, reviewed, rejected or approved. */
import type { Browser, Locator, Page } from 'playwright-core'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { LANGUAGES, type Language } from '@gatehouse/contract'
import { enrolmentCalls } from '@gatehouse/contract/enrolment/calls'
import { peopleCalls } from '@gatehouse/contract/people/calls'
import { createClient } from '@gatehouse/dev-env/client'
import type { Made, World } from '@gatehouse/dev-env/world'
import { fakeCamera } from '../support/camera.ts'
import { launchChromium } from '../support/chromium.ts'
import { expectAccessible, formReady, pagesOf } from '../support/console.ts'
import { until } from '../support/until.ts'
import { flatPng } from '../support/pictures.ts'
import { sharedBrowser, sharedWorld } from '../support/stage.ts'

let world: World
let browser: Browser
let group: Made
let face: Buffer
let sameFace: Buffer
let otherFace: Buffer
beforeAll(async () => {
  world = await sharedWorld()
  browser = await sharedBrowser()
  group = await world.personGroup({ name: 'Workshop' })
  const [one, two] = world.photographs.people
  ;[face, sameFace, otherFace] = await Promise.all([one!.photo(1), one!.photo(2), two!.photo(1)])
})
afterAll(async () => {
  await world?.stop()
})

const show = pagesOf(() => ({ browser, world }))
const linkFor = async (body: { groupId?: string; personId?: string }): Promise<string> =>
  (await world.call(enrolmentCalls.createLink, { body: { ...body, address: world.url } })).url
const tokenIn = (url: string): string => url.slice(url.indexOf('#') + 1)

/** Open an address on a small phone. */
async function phoneAt(
  url: string,
  { locale = 'en-GB', colorScheme = 'light' as 'light' | 'dark', filming = browser } = {},
): Promise<Page> {
  const context = await filming.newContext({ viewport: { width: 375, height: 667 }, hasTouch: true, isMobile: true, locale, colorScheme })
  onTestFinished(() => context.close())
  const page = await context.newPage()
  await page.goto(url)
  await page.getByRole('heading', { level: 1 }).waitFor()
  return page
}
const choosePhoto = (page: Page, buffer: Buffer) =>
  page.locator('.photo > .ways input[type="file"]').last().setInputFiles({ name: 'photo.jpg', mimeType: 'image/jpeg', buffer })
async function fitsSideways(page: Page): Promise<void> {
  const { content, screen } = (await page.evaluate('({ content: document.documentElement.scrollWidth, screen: innerWidth })')) as {
    content: number
    screen: number
  }
  expect(content).toBeLessThanOrEqual(screen)
}
const handIn = (page: Page) => page.getByRole('button', { name: 'Submit', exact: true })

async function applied(name: string, photo: Buffer = face, url?: string): Promise<string> {
  const token = tokenIn(url ?? (await linkFor({ groupId: group.id })))
  return (
    await createClient(world.url).call(enrolmentCalls.submit, { linkToken: token, body: { name, workNumber: `N-${name}` }, file: photo })
  ).id
}
const stateOf = async (name: string) => {
  for (const state of ['pending', 'passed', 'rejected'] as const)
    if ((await world.call(enrolmentCalls.list, { query: { state, name } })).total > 0) return state
  return null
}
const inQueue = (page: Page, name: string): Locator => page.getByRole('list', { name: 'Pending approval' }).getByRole('button', { name })

describe('on the phone', () => {
  test('a bad photograph is refused in words and what was entered stays; a good one is handed in', { tags: 'extended' }, async () => {
    const page = await phoneAt(await linkFor({ groupId: group.id }))
    await fitsSideways(page)
    await expectAccessible(page)
    await handIn(page).click()
    await page.getByText('Take a photo first.').waitFor()
    await page.getByText('Enter your name.').waitFor()
    await fitsSideways(page)
    await choosePhoto(page, flatPng(400, 400))
    await page.getByLabel('Name').fill('Hedy Lamarr')
    await page.getByLabel('Phone').fill('+4312345')
    await page.getByLabel('Female').check()
    await page.getByRole('checkbox', { name: 'I agree' }).check()
    await handIn(page).click()
    await page.getByRole('alert').filter({ hasText: 'No face was found' }).waitFor()
    await expect.poll(() => page.getByLabel('Name').inputValue()).toBe('Hedy Lamarr')
    await expectAccessible(page)
    await fitsSideways(page)
    await choosePhoto(page, face)
    await page.getByRole('alert').waitFor({ state: 'detached' })
    await handIn(page).click()
    await page.getByRole('heading', { name: 'Submitted' }).waitFor()
    await expectAccessible(page)
    const { content } = await world.call(enrolmentCalls.list, { query: { state: 'pending', name: 'Hedy' } })
    expect(content).toMatchObject([{ name: 'Hedy Lamarr', phone: '+4312345', gender: 2, consent: true, groupName: 'Workshop' }])
    await page.getByRole('button', { name: 'Submit for another person' }).click()
    await expect.poll(() => page.getByLabel('Name').inputValue()).toBe('')
  })

  test('a link for one person asks for the photograph alone, and an ended one says what to do', { tags: 'extended' }, async () => {
    const person = await world.person({ name: 'Rosalind Franklin', groupId: group.id })
    const url = await linkFor({ personId: person.id })
    const page = await phoneAt(url)
    await page.getByRole('heading', { name: 'Hello, Rosalind Franklin' }).waitFor()
    expect(await page.getByLabel('Name').count()).toBe(0)
    await choosePhoto(page, otherFace)
    await handIn(page).click()
    await page.getByRole('heading', { name: 'Submitted' }).waitFor()
    const { content } = await world.call(enrolmentCalls.links, { query: { size: 100 } })
    await world.call(enrolmentCalls.revokeLink, { params: { id: content.find(({ personId }) => personId === person.id)!.id } })
    const ended = await phoneAt(url)
    await ended.getByRole('heading', { name: 'This link has ended' }).waitFor()
    await expectAccessible(ended)
  })

  test('a large photograph is made smaller before it is sent', { tags: 'extended' }, async () => {
    const large = await sharp(face).resize(4000, 4000, { fit: 'cover' }).jpeg({ quality: 100 }).toBuffer()
    const page = await phoneAt(await linkFor({ groupId: group.id }))
    const sent = page.waitForRequest((request) => request.url().endsWith(enrolmentCalls.submit.path))
    await choosePhoto(page, large)
    await page.getByLabel('Name').fill('Large Photo')
    await page.getByLabel('Work number').fill('L-1')
    await handIn(page).click()
    await page.getByRole('heading', { name: 'Submitted' }).waitFor()
    expect((await (await sent).sizes()).requestBodySize).toBeLessThan(large.length / 2)
  })

  test('a photograph is taken on the page, and a second one at once', async () => {
    const camera = await fakeCamera(face)
    const filming = await launchChromium({ args: camera.args })
    onTestFinished(async () => {
      await filming.close()
      camera.remove()
    })
    const page = await phoneAt(await linkFor({ groupId: group.id }), { filming })
    await page.getByRole('button', { name: 'Take a photo' }).click()
    const taking = page.getByRole('dialog', { name: 'Take a photo' })
    // It can be pressed once the camera shows a picture.
    const shutter = taking.getByRole('button', { name: 'Take photo' })
    await shutter.click()
    await taking.getByText('Now once more').waitFor()
    await expect.poll(() => shutter.getAttribute('aria-disabled')).toBe('false')
    await shutter.click()
    await taking.waitFor({ state: 'detached' })
    await page.getByRole('img', { name: 'Your photo' }).waitFor()
    await page.getByRole('img', { name: 'Your second photo' }).waitFor()
    await page.getByLabel('Name').fill('Seen Again')
    await page.getByLabel('Work number').fill('S-1')
    await expectAccessible(page)
    await handIn(page).click()
    await page.getByRole('heading', { name: 'Submitted' }).waitFor()
    const { content } = await world.call(enrolmentCalls.list, { query: { name: 'Seen Again' } })
    expect(content).toMatchObject([{ state: 'pending', secondUrl: expect.stringMatching(/^\/files\//) }])
  })

  test('a second photograph of somebody else is refused at its place, and left out', { tags: 'extended' }, async () => {
    const page = await phoneAt(await linkFor({ groupId: group.id }))
    await choosePhoto(page, face)
    const second = page.getByRole('group', { name: 'Now once more' })
    await second.locator('input[type="file"]').setInputFiles({ name: 'other.jpg', mimeType: 'image/jpeg', buffer: otherFace })
    await page.getByLabel('Name').fill('Two Faces')
    await page.getByLabel('Work number').fill('S-2')
    await handIn(page).click()
    await second.getByRole('alert').filter({ hasText: 'does not show the same person' }).waitFor()
    await expect.poll(() => page.getByLabel('Name').inputValue()).toBe('Two Faces')
    await second.getByRole('button', { name: 'Leave the second photo out' }).click()
    await handIn(page).click()
    await page.getByRole('heading', { name: 'Submitted' }).waitFor()
    const { content } = await world.call(enrolmentCalls.list, { query: { name: 'Two Faces' } })
    expect(content).toMatchObject([{ state: 'pending', secondUrl: '' }])
  })

  test('a camera that cannot be had leaves the phone its own', { tags: 'extended' }, async () => {
    const page = await phoneAt(await linkFor({ groupId: group.id }))
    await page.getByRole('button', { name: 'Take a photo' }).click()
    await page.locator('input[type="file"][capture="user"]').waitFor({ state: 'attached' })
    expect(await page.getByRole('dialog').count()).toBe(0)
  })

  test.each<{ language: Language; locale: string; title: string }>([
    { language: 'en', locale: 'en-GB', title: 'Register your face' },
    { language: 'zh-CN', locale: 'zh-CN', title: '人脸登记' },
    { language: 'zh-TW', locale: 'zh-HK', title: '人臉登記' },
  ])('speaks $language to a phone that does, in the dark too', { tags: 'extended' }, async ({ locale, title }) => {
    const page = await phoneAt(await linkFor({ groupId: group.id }), { locale, colorScheme: 'dark' })
    await page.getByRole('heading', { level: 1, name: title }).waitFor()
    await fitsSideways(page)
    await expectAccessible(page)
  })
})

describe('whoever approves', () => {
  test('passes with Enter, and the person is in the list with a photograph', async () => {
    await applied('Grace Hopper')
    const page = await show('/staffApproveTab?name=Grace')
    await inQueue(page, 'Grace Hopper').focus()
    await page.getByRole('img', { name: 'Submitted' }).waitFor()
    await expectAccessible(page)
    await page.keyboard.press('Enter')
    await until('the application to be passed', async () => (await stateOf('Grace Hopper')) === 'passed')
    await page.getByText('Nothing matches these filters.').waitFor()
    await page.goto(`${world.url}/#/staffList?name=Grace`)
    await page.getByRole('row').filter({ hasText: 'Grace Hopper' }).getByRole('img').first().waitFor()
    const { content } = await world.call(peopleCalls.list, { query: { name: 'Grace Hopper' } })
    expect(content).toMatchObject([{ workNumber: 'N-Grace Hopper', groupName: 'Workshop', faces: [{}] }])
  })

  test('rejects with a reason, which stands with the rejected', { tags: 'extended' }, async () => {
    await applied('Unknown Caller', otherFace)
    const page = await show('/staffApproveTab?name=Unknown')
    await inQueue(page, 'Unknown Caller').focus()
    await page.keyboard.press('r')
    const dialog = page.getByRole('dialog', { name: 'Reject Unknown Caller?' })
    await dialog.getByLabel('Reason', { exact: true }).and(page.locator('textarea')).press('Enter')
    await dialog.getByRole('alert').filter({ hasText: 'Enter a reason.' }).waitFor()
    await expectAccessible(page)
    await dialog.getByRole('button', { name: 'Not one of our people' }).click()
    await dialog.getByRole('button', { name: 'Reject', exact: true }).click()
    await until('the application to be rejected', async () => (await stateOf('Unknown Caller')) === 'rejected')
    await page.goto(`${world.url}/#/staffApproveTab?state=rejected`)
    await page.getByRole('row').filter({ hasText: 'Unknown Caller' }).getByText('Not one of our people').waitFor()
    await expectAccessible(page)
    expect((await world.call(peopleCalls.list, { query: { name: 'Unknown Caller' } })).total).toBe(0)
  })

  test('sees who is registered already, and adds the photograph to theirs', { tags: 'extended' }, async () => {
    const known = await world.person({ name: 'Known Already', groupId: group.id, photo: otherFace })
    await world.settled()
    await applied('Twice Registered', otherFace)
    const page = await show('/staffApproveTab?name=Twice')
    const alike = page.getByRole('region', { name: 'Looks like a registered person' })
    await alike.getByText('Known Already').waitFor()
    await alike.getByRole('button', { name: 'Same person as Known Already: add the photo' }).click()
    await until(
      'the photograph to be theirs',
      async () => (await world.call(peopleCalls.read, { query: { id: known.id } })).faces.length === 2,
    )
    expect((await world.call(peopleCalls.list, { query: { name: 'Twice Registered' } })).total).toBe(0)
  })

  test('is told what could not be registered, and decides several at once', { tags: 'extended' }, async () => {
    await world.person({ workNumber: 'N-Bulk Taken', groupId: group.id })
    for (const name of ['Bulk One', 'Bulk Taken']) await applied(name, sameFace)
    const page = await show('/staffApproveTab?name=Bulk')
    await inQueue(page, 'Bulk One').focus()
    await page.keyboard.press('Space')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Space')
    await page.getByRole('button', { name: 'Pass 2' }).click()
    await until('the one to be passed', async () => (await stateOf('Bulk One')) === 'passed')
    await inQueue(page, 'Bulk Taken').filter({ hasText: 'Not registered' }).click()
    await page.getByRole('alert').filter({ hasText: 'work number' }).waitFor()
    await expect.poll(() => stateOf('Bulk Taken')).toBe('pending')
  })

  test('sees somebody come in without doing anything', { tags: 'extended' }, async () => {
    const page = await show('/staffApproveTab?name=Live')
    await page.getByText('Nothing matches these filters.').waitFor()
    await applied('Live Arrival')
    await inQueue(page, 'Live Arrival').waitFor()
    await expect.poll(() => stateOf('Live Arrival')).toBe('pending')
  })

  test.each(LANGUAGES)('has no findings of axe in %s', { tags: 'extended' }, async (language) => {
    await applied(`Axe ${language}`, sameFace)
    const page = await show('/staffApproveTab', { language, theme: 'dark' })
    await page.locator('[data-id]').first().waitFor()
    await expectAccessible(page)
    await page.goto(`${world.url}/#/enrolmentLinks`)
    await page.locator('tr[data-row-key]').first().waitFor()
    await expectAccessible(page)
  })
})

test('a link is made in the console, scanned, and ended', { tags: 'extended' }, async () => {
  const page = await show('/enrolmentLinks')
  await page.getByRole('button', { name: 'New link' }).first().click()
  const form = page.getByRole('dialog', { name: 'New link' })
  await formReady(page)
  await form.getByRole('button', { name: 'Create link' }).click()
  await form.locator('.ant-form-item-explain-error').waitFor()
  await form.getByLabel('Group').click()
  await page.locator('.ant-select-tree-node-content-wrapper').filter({ hasText: group.name }).click()
  // A custom end requires a date; one of the usual ends is enough.
  const validity = form.getByRole('radiogroup', { name: 'Valid for' })
  await validity.getByText('Custom').click()
  await form.getByRole('button', { name: 'Create link' }).click()
  await form.locator('.ant-form-item').filter({ hasText: 'Valid until' }).getByText('Fill this in.').waitFor()
  await validity.getByText('3 days').click()
  await form.getByRole('button', { name: 'Create link' }).click()
  const once = page.getByRole('dialog', { name: 'Self-enrolment links' })
  await once.getByRole('img', { name: 'QR code of the link' }).waitFor()
  await expectAccessible(page)
  // The address under which the console was opened here is known to this machine alone.
  const warning = once.getByRole('alert').filter({ hasText: 'This address opens only on this computer' })
  expect(await warning.getByRole('link', { name: 'Set the address' }).getAttribute('href')).toBe('#/ipSettings')
  const address = (await once.getByRole('group', { name: 'Address' }).textContent())!
  expect(address.startsWith(`${world.url}/enrol.html#`)).toBe(true)
  await (await phoneAt(address)).getByRole('heading', { name: 'Register your face' }).waitFor()
  await once.getByRole('button', { name: 'Done' }).click()
  const rows = page.locator('tr[data-row-key]')
  const { content } = await world.call(enrolmentCalls.links, { query: {} })
  expect(Math.round((content[0]!.expiresAt - content[0]!.createdAt) / 3_600_000)).toBe(3 * 24)
  const before = await rows.count()
  await rows.first().getByRole('button', { name: 'Actions for Any person' }).click()
  await page.getByRole('menuitem', { name: 'End link' }).click()
  await page.getByRole('dialog', { name: 'End this link?' }).getByRole('button', { name: 'End link' }).click()
  await until('the link to be gone', async () => (await rows.count()) === before - 1)
  await (await phoneAt(address)).getByRole('heading', { name: 'This link has ended' }).waitFor()
})
