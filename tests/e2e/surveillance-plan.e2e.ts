/** The plan of a park: devices are placed on it by keyboard and by the pointer, and taken away. */
import type { Browser, Page } from 'playwright-core'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { deviceType } from '@gatehouse/contract/enums'
import { faceSearchCalls } from '@gatehouse/contract/surveillance/face-search'
import { mapCalls } from '@gatehouse/contract/system/map'
import { uploadCalls } from '@gatehouse/contract/system/upload'
import type { World } from '@gatehouse/dev-env/world'
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
const placed = async () =>
  new Map((await world.call(faceSearchCalls.positions, {})).devices.map(({ deviceName, x, y }) => [deviceName, { x, y }]))
const opened = async (page: Page) => {
  await page.getByRole('button', { name: 'Place devices' }).click()
  return page.getByRole('dialog', { name: 'Place devices on the plan' })
}

test('devices are placed on the plan by keyboard and by pointer, stay there, and are taken away', async () => {
  for (const name of ['Hall camera', 'Yard camera']) await world.device({ name, type: deviceType.captureCamera, model: 1 })
  const page = await show('/mapSettings')
  const nowhere = await opened(page)
  await nowhere.getByText('Upload and save a plan first.').waitFor()
  await nowhere.getByRole('button', { name: 'Cancel' }).click()
  const file = await sharp({ create: { width: 800, height: 400, channels: 3, background: '#cde' } })
    .png()
    .toBuffer()
  const { url } = await world.call(uploadCalls.uploadImage, { body: { use: 'background' }, file })
  await world.call(mapCalls.change, { body: { picture: url } })
  await page.reload()

  const requested: string[] = []
  page.on('request', (request) => requested.push(request.url()))
  const dialog = await opened(page)
  await dialog.getByRole('button', { name: 'Place Hall camera' }).focus()
  await page.keyboard.press('Enter')
  // It has the focus, so that arrow keys move it.
  const hall = dialog.getByRole('region', { name: 'Plan of the park' }).getByRole('button', { name: 'Hall camera' })
  await expect.poll(() => hall.evaluate((pin) => pin.matches(':focus'))).toBe(true)
  for (const key of ['ArrowLeft', 'ArrowLeft', 'ArrowUp', 'Shift+ArrowUp']) await page.keyboard.press(key)
  await dialog.getByText('48.0% · 48.9%').waitFor()

  const map = (await dialog.getByRole('region', { name: 'Plan of the park' }).boundingBox())!
  const target = { x: map.width / 4, y: map.height / 2 }
  await dialog
    .getByText('Yard camera', { exact: true })
    .dragTo(dialog.getByRole('region', { name: 'Plan of the park' }), { targetPosition: target })
  const yard = dialog.getByRole('region', { name: 'Plan of the park' }).getByRole('button', { name: 'Yard camera' })
  await yard.waitFor()
  // A pin on the plan is dragged, too.
  const from = (await yard.boundingBox())!
  const [x, y] = [from.x + from.width / 2, from.y + from.height / 2]
  await page.mouse.move(x, y)
  await page.mouse.down()
  await page.mouse.move(x + 20, y + 30, { steps: 4 })
  await page.mouse.move(x + 40, y + 60, { steps: 4 })
  await page.mouse.up()
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Save' }).click()
  await dialog.waitFor({ state: 'hidden' })
  expect(requested.filter((address) => !/^(data|blob):/.test(address) && new URL(address).origin !== new URL(world.url).origin)).toEqual([])
  const first = await placed()
  expect(first.get('Hall camera')).toEqual({ x: 0.48, y: 0.489 })
  expect(first.get('Yard camera')!.x).toBeGreaterThan(0.25)
  expect(first.get('Yard camera')!.x).toBeLessThan(0.4)
  expect(first.get('Yard camera')!.y).toBeGreaterThan(0.55)

  await page.reload()
  await opened(page)
  await yard.waitFor()
  await yard.focus()
  await page.keyboard.press('Delete')
  await yard.waitFor({ state: 'detached' })
  // The keyboard is not thrown out of the dialog.
  expect(await dialog.locator(':focus').count()).toBe(1)
  await dialog.getByRole('button', { name: 'Place Yard camera' }).waitFor()
  await dialog.getByRole('button', { name: 'Take Hall camera away' }).waitFor()
  await dialog.getByRole('button', { name: 'Save' }).click()
  await dialog.waitFor({ state: 'hidden' })
  expect([...(await placed()).keys()]).toEqual(['Hall camera'])
})
