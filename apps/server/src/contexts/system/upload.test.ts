/** Uploaded pictures: their size, their format, what is kept of their files, and who sees them. */
import sharp from 'sharp'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { PICTURE_BYTES, uploadCalls, type UploadUse } from '@gatehouse/contract/system/upload'
import { startWorld, type World } from '@gatehouse/dev-env/world'
import { flatPng } from '../../../../../tests/support/pictures.ts'

let world: World
beforeAll(async () => {
  world = await startWorld()
})
afterAll(() => world?.stop())

const upload = (file: Uint8Array, use: UploadUse = 'logo') => world.ask(uploadCalls.uploadImage, { body: { use }, file })
const small = (): Promise<Buffer> =>
  sharp({ create: { width: 64, height: 32, channels: 3, background: '#336699' } })
    .png()
    .toBuffer()

/** Return a valid picture of exactly this many bytes: what follows its end is not part of it. */
async function pictureOf(bytes: number): Promise<Buffer> {
  const picture = await small()
  return Buffer.concat([picture, Buffer.alloc(bytes - picture.length)])
}

/** Expect that one size is accepted, and one byte more is not. */
async function expectLimit(use: UploadUse): Promise<void> {
  expect(await upload(await pictureOf(PICTURE_BYTES[use]), use)).toMatchObject({ status: 200, code: 0 })
  expect(await upload(await pictureOf(PICTURE_BYTES[use] + 1), use)).toMatchObject({ status: 413, code: 400 })
}

test('a logo has at most 1 MB [VAL-069]', async () => {
  expect(PICTURE_BYTES.logo).toBe(1_048_576)
  await expectLimit('logo')
})

test('a background has at most 20 MB [VAL-071]', async () => {
  expect(PICTURE_BYTES.background).toBe(20 * 1_048_576)
  await expectLimit('background')
})

test('a face photo has at most 10 MB, a palm 3 MB', async () => {
  expect([PICTURE_BYTES.face, PICTURE_BYTES.palm]).toEqual([10 * 1_048_576, 3 * 1_048_576])
  await expectLimit('face')
  await expectLimit('palm')
})

test('PNG, JPEG and WebP are taken, by what they hold and not by what they are called', async () => {
  const picture = sharp(await small())
  for (const file of [await picture.png().toBuffer(), await picture.jpeg().toBuffer(), await picture.webp().toBuffer()])
    expect((await upload(file)).code).toBe(0)
  const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="40" height="20"><script>alert(1)</script></svg>')
  const html = Buffer.from('<html><body>hello</body></html>')
  const gif = await picture.gif().toBuffer()
  const pretender = Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), html])
  const cut = (await picture.jpeg().toBuffer()).subarray(0, 200)
  for (const file of [svg, html, gif, pretender, cut, Buffer.alloc(0)])
    expect(await upload(file)).toMatchObject({ status: 200, code: 200205, data: { fields: [{ path: 'file' }] } })
})

test('a small file that unpacks to more than the memory is refused', async () => {
  const bomb = flatPng(20_000, 20_000)
  expect(bomb.length).toBeLessThan(PICTURE_BYTES.logo)
  expect(await upload(bomb)).toMatchObject({ status: 400, data: { fields: [{ path: 'file', rule: 'pixels' }] } })
})

test('what is given out is the picture alone, upright, without place, camera or profile', async () => {
  const turned = await sharp(await small())
    .withExif({ IFD0: { Make: 'A camera', ImageDescription: 'Where it was taken' } })
    .withMetadata({ orientation: 6 })
    .jpeg()
    .toBuffer()
  expect((await sharp(turned).metadata()).orientation).toBe(6)
  const { url } = await world.call(uploadCalls.uploadImage, { body: { use: 'logo' }, file: turned })
  const response = await fetch(world.url + url)
  expect(response.headers.get('content-type')).toBe('image/webp')
  expect(response.headers.get('x-content-type-options')).toBe('nosniff')
  const { exif, icc, xmp, orientation, width, height } = await sharp(Buffer.from(await response.arrayBuffer())).metadata()
  expect({ exif, icc, xmp, orientation, width, height }).toEqual({ width: 32, height: 64 })
})

test('it is seen under its signed address only, and not among what is public', async () => {
  const { id, url } = await world.call(uploadCalls.uploadImage, { body: { use: 'background' }, file: await small() })
  expect((await fetch(world.url + url)).status).toBe(200)
  for (const address of [`/files/${id}/full`, url.replace(/s=.*/, 's=guessed'), `/public/${id}/full`, `/public/${id}/96`])
    expect((await fetch(world.url + address)).status, address).toBe(404)
})

test('a wide background keeps what a large screen shows', async () => {
  const wide = await sharp({ create: { width: 5000, height: 1000, channels: 3, background: '#204060' } })
    .jpeg()
    .toBuffer()
  const { url } = await world.call(uploadCalls.uploadImage, { body: { use: 'background' }, file: wide })
  const { width } = await sharp(Buffer.from(await (await fetch(world.url + url)).arrayBuffer())).metadata()
  expect(width).toBe(3840)
})

test('something must come', async () => {
  expect(await world.ask(uploadCalls.uploadImage, { body: { use: 'logo' } } as never)).toMatchObject({
    status: 400,
    data: { fields: [{ path: 'file', rule: 'required' }] },
  })
})
