/**
 * People with one photo, as an administrator sees them: how often doors need a second attempt, and the picture of a passage as their second
 * photo.
 */
import type { Browser, Page } from 'playwright-core'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { encodeChecks } from '@gatehouse/access-rules'
import { accessResult, failReason, verifyType } from '@gatehouse/contract/enums'
import { peopleCalls } from '@gatehouse/contract/people/calls'
import { grantToken, insertUser } from '@gatehouse/dev-env/accounts'
import { openPhotographs } from '@gatehouse/dev-env/photographs'
import type { MadeDevice, MadePerson, World } from '@gatehouse/dev-env/world'
import { recordId } from '@gatehouse/server/platform/database/ids'
import { expectAccessible, expectAddress, pageHolding, pagesOf } from '../support/console.ts'
import { sharedBrowser, sharedWorld } from '../support/stage.ts'

const photographs = openPhotographs()
/** Two pictures of a drawn person are too similar to count as two. */
const isReal = photographs.kind === 'real'

let world: World
let browser: Browser
let door: MadeDevice
/** Needs a second attempt, and has a passage that is good enough. */
let often: MadePerson
/** Admitted at once, with two passages that are good enough. */
let other: MadePerson
beforeAll(async () => {
  world = await sharedWorld()
  browser = await sharedBrowser()
  door = await world.device({ name: 'North door' })
  const [first, second] = isReal ? ['tony_blair', 'colin_powell'].map((name) => photographs.person(name)) : photographs.people
  often = await world.person({ name: 'Asked Twice', photo: await first!.photo(1) })
  other = await world.person({ name: 'Let In', photo: await second!.photo(1) })
  await world.server.platform.events.settled()
  const now = Date.now()
  await sends([
    { at: now - 90_000, who: null, picture: null },
    { at: now - 80_000, who: often, picture: await first!.photo(2) },
    { at: now - 70_000, who: other, picture: await second!.photo(2) },
    { at: now - 60_000, who: other, picture: await second!.photo(3) },
  ])
})
afterAll(async () => {
  await world?.stop()
})

const show = pagesOf(() => ({ browser, world }))
const photosOf = async ({ id }: MadePerson) => (await world.call(peopleCalls.read, { query: { id } })).facePhotos

/** Ingest passages of the door the way the gateway does; `who` is null for a person who was not recognised. */
async function sends(passages: readonly { at: number; who: MadePerson | null; picture: Buffer | null }[]): Promise<void> {
  const { records: kept } = world.server.contexts
  const records = passages.map(({ at, who, picture }, index) => ({
    seq: index + 1,
    occurredAt: at,
    personId: who?.id ?? null,
    personName: who?.name ?? '',
    result: who === null ? accessResult.rejected : accessResult.allowed,
    failReason: who === null ? failReason.notRegistered : null,
    verifyType: verifyType.face,
    direction: 1,
    score: who === null ? null : 91,
    checks: encodeChecks([{ code: 'face', ok: who !== null, score: who === null ? 31 : 91, threshold: 70, distance: 0.3 }]),
    revision: 'none',
    hasPicture: picture !== null,
  }))
  const [device, park] = [{ deviceId: door.id }, { parkId: world.park.id }]
  await kept.ingest({ ...device, ...park }, { epoch: 'told', oldestSeq: 1, sentAt: Date.now(), records })
  for (const [index, { picture }] of passages.entries())
    if (picture !== null) {
      const shown = sharp(picture).resize(320, 320, { fit: 'inside' }).webp().toBuffer()
      await kept.records.attachPicture(park, device, recordId(door.id, 'told', index + 1), await shown)
    }
}

async function dialogOf(page: Page, name: string) {
  await page.getByRole('button', { name: `Second photo of ${name}` }).click()
  const dialog = page.getByRole('dialog', { name: `Second photo of ${name}` })
  await dialog.getByRole('button', { name: 'Use as second photo' }).waitFor()
  return dialog
}

test.runIf(isReal)('the list begins with who is asked twice, and an offered picture becomes the second photograph', async () => {
  const page = await show('/staffList')
  await page.getByRole('button', { name: 'More down' }).click()
  await page.getByRole('menuitem', { name: 'One photo' }).click()
  await expectAddress(page, '/secondPhotographs')
  const rows = page.getByRole('row').filter({ has: page.getByRole('button', { name: /^Second photo of / }) })
  await rows.filter({ hasText: 'Asked Twice' }).waitFor()
  expect(await rows.first().innerText()).toContain('Asked Twice')
  await expectAccessible(page)
  const dialog = await dialogOf(page, 'Asked Twice')
  await dialog.getByText('Access event: North door, ', { exact: false }).waitFor()
  await dialog.getByRole('img', { name: 'At the door' }).waitFor()
  await dialog.getByRole('img', { name: 'On file' }).waitFor()
  await expectAccessible(page)
  expect(await photosOf(often)).toEqual(often.faceIds)
  await dialog.getByRole('button', { name: 'Use as second photo' }).click()
  await dialog.waitFor({ state: 'hidden' })
  await rows.filter({ hasText: 'Asked Twice' }).waitFor({ state: 'detached' })
  expect(await photosOf(often)).toEqual([often.faceIds[0], expect.any(String)])
})

test.runIf(isReal)('whoever may not change people sees the pictures and no buttons', { tags: 'extended' }, async () => {
  const userId = await insertUser(world.server, { organisationId: world.park.id, permissions: ['person.list', 'access.record'] })
  const { bearer, expiresAt } = await grantToken(world.server, userId, world.park.id)
  const stored = { language: 'en', theme: 'light', token: bearer, tokenExpires: expiresAt }
  const page = await pageHolding(browser, world, stored, { at: '/secondPhotographs?name=Let' })
  await page.getByRole('button', { name: 'Second photo of Let In' }).click()
  const dialog = page.getByRole('dialog', { name: 'Second photo of Let In' })
  await dialog.getByRole('img', { name: 'At the door' }).waitFor()
  expect(await dialog.getByRole('button', { name: 'Use as second photo' }).count()).toBe(0)
})

test.runIf(isReal)('beside the photograph of a person the offer is taken back with a no, and the one before it comes', async () => {
  const page = await show(`/staffDetails/${other.id}`)
  const offered = page.getByRole('region', { name: 'Second photo from an access event' })
  const picture = offered.getByRole('img', { name: 'At the door' })
  await picture.waitFor()
  const before = await picture.getAttribute('src')
  await offered.getByRole('button', { name: 'Not this one' }).click()
  await expect.poll(async () => picture.getAttribute('src')).not.toBe(before)
  await offered.getByRole('button', { name: 'Not this one' }).click()
  await offered.waitFor({ state: 'detached' })
  expect(await photosOf(other)).toEqual(other.faceIds)
})
