/** The track view of face search: the way of a person beside the plan. */
import type { Browser } from 'playwright-core'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { deviceType } from '@gatehouse/contract/enums'
import { faceSearchCalls } from '@gatehouse/contract/surveillance/face-search'
import { mapCalls } from '@gatehouse/contract/system/map'
import { uploadCalls } from '@gatehouse/contract/system/upload'
import type { World } from '@gatehouse/dev-env/world'
import { bytesOfEmbedding } from '@gatehouse/face-engine'
import { sending } from '../../apps/server/src/contexts/surveillance/testing/cameras.ts'
import { expectAccessible, pagesOf } from '../support/console.ts'
import { sharedBrowser, sharedWorld } from '../support/stage.ts'

let world: World
let browser: Browser
beforeAll(async () => {
  world = await sharedWorld()
  browser = await sharedBrowser()
})
afterAll(() => world?.stop())

const show = pagesOf(() => ({ browser, world }))
const MINUTE = 60_000

/** Let cameras capture a person, one after the other, a minute apart. */
async function walk(photo: Uint8Array, names: readonly string[]): Promise<Map<string, string>> {
  const { embedding } = await world.server.contexts.faces.service.probe(photo)
  const template = Buffer.from(bytesOfEmbedding(embedding)).toString('base64')
  const start = world.clock.now() - 60 * MINUTE
  const cameras = new Map<string, { id: string; from: ReturnType<typeof sending> }>()
  for (const [index, name] of names.entries()) {
    const made = cameras.get(name) ?? (await world.device({ name, type: deviceType.captureCamera, model: 1 }))
    const camera = 'from' in made ? made : { id: made.id, from: sending(world, made) }
    cameras.set(name, camera)
    const at = start + index * 5 * MINUTE
    const answer = await camera.from.send([camera.from.captured({ enteredAt: at, capturedAt: at, leftAt: at, template })])
    expect(answer).toMatchObject({ code: 0 })
  }
  await world.server.platform.events.settled()
  return new Map([...cameras].map(([name, { id }]) => [name, id]))
}

test('the way of a person is read step by step, in the list and on the plan', async () => {
  const photo = await world.photographs.people[0]!.photo(1)
  const person = await world.person({ name: 'Ada Wong', photo })
  const devices = await walk(photo, ['Gate', 'Hall', 'Roof', 'Gate'])
  const file = await sharp({ create: { width: 800, height: 400, channels: 3, background: '#cde' } })
    .png()
    .toBuffer()
  const { url } = await world.call(uploadCalls.uploadImage, { body: { use: 'background' }, file })
  await world.call(mapCalls.change, { body: { picture: url } })
  const places = ['Gate', 'Hall'].map((name, index) => ({ deviceId: devices.get(name)!, x: 0.25 + index * 0.5, y: 0.5 }))
  await world.call(faceSearchCalls.savePositions, { body: { devices: places } })

  const page = await show(`/faceTrack?personId=${person.id}&view=track`)
  await page.getByLabel('Reason').fill('A wallet was lost in the hall')
  await page.getByRole('form', { name: 'Search conditions' }).getByRole('button', { name: 'Search' }).click()
  await page.getByRole('heading', { name: 'Way of Ada Wong' }).waitFor()
  await page.getByText('Not on the plan: Roof').waitFor()
  const plan = page.getByRole('region', { name: 'Plan of the park' })
  const [gate, hall] = [plan.getByRole('button', { name: '1 Gate' }), plan.getByRole('button', { name: '2 Hall' })]
  await hall.click()
  const current = page.locator('[aria-current="step"]')
  await expect.poll(() => current.innerText()).toContain('Hall')
  await expectAccessible(page)
  await current.press('ArrowDown')
  await expect.poll(() => current.innerText()).toContain('Roof')
  await current.press('ArrowDown')
  await expect.poll(() => gate.getAttribute('aria-pressed')).toBe('true')
  // From the last step the way is played from its beginning.
  await page.getByRole('button', { name: 'Play' }).click()
  await page.getByText('1 of 4').waitFor()
  await page.getByText('4 of 4').waitFor()
  await page.getByRole('button', { name: 'Play' }).waitFor()
  await page.getByRole('button', { name: 'Details of the step at Gate' }).last().click()
  await page.getByRole('dialog').getByRole('link', { name: 'Gate' }).waitFor()
})
