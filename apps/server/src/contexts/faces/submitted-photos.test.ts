/** Photos that people submit for themselves: the portrait that is stored of one, and the face that is made of it. */
import sharp from 'sharp'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { code } from '@gatehouse/contract'
import { portrait } from '@gatehouse/dev-env/portraits'
import { startWorld, type World } from '@gatehouse/dev-env/world'
import { createSubmittedPhotos } from './index.ts'

let world: World
beforeAll(async () => {
  world = await startWorld()
})
afterAll(() => world?.stop())

const scope = () => ({ parkId: world.park.id })
const photos = () => createSubmittedPhotos(world.server.platform, world.server.contexts.faces.service)
const loaded = async (fileId: string): Promise<Buffer> => (await world.server.platform.storage.load(scope(), fileId, 'full'))!
const probe = (bytes: Uint8Array, faceIndex?: number) => world.server.contexts.faces.service.probe(bytes, { faceIndex })

/** Distance of two photographs that show one picture of a person; those of different pictures are further apart. */
const SAME_PICTURE = 0.15
const distance = (one: Float32Array, other: Float32Array): number => Math.hypot(...one.map((value, at) => value - other[at]!))

/** Return two people beside each other in a wide picture: the first at the left edge, the second further right. */
async function twoPeople(): Promise<Buffer> {
  const [one, other] = [await portrait('one'), await portrait('another')]
  return sharp({ create: { width: 1600, height: 700, channels: 3, background: '#cccccc' } })
    .composite([
      { input: one, left: 0, top: 100 },
      { input: other, left: 900, top: 100 },
    ])
    .withExif({ IFD0: { Artist: 'Ada' } })
    .jpeg()
    .toBuffer()
}

test('a portrait is a square around the face, without metadata, from which the same face is made', async () => {
  const photo = await sharp(await portrait('one'))
    .extend({ left: 900, right: 300, background: '#cccccc' })
    .withExif({ IFD0: { Artist: 'Ada' } })
    .jpeg()
    .toBuffer()
  const { box, embedding } = await probe(photo)
  const fileId = await photos().portrait(scope(), photo, 'photo')
  const stored = await loaded(fileId)
  const { width, height, exif } = await sharp(stored).metadata()
  expect([width, height]).toEqual([height, Math.min(500, Math.floor(3 * Math.max(box.width, box.height)))])
  expect(exif).toBeUndefined()
  expect(distance(embedding, (await probe(stored)).embedding)).toBeLessThan(SAME_PICTURE)
  expect(await photos().faceIdOf(scope(), fileId)).toMatch(/^[0-9a-f-]{36}$/)
})

test('of several people the chosen one is cut out; an upright picture is cut, however it is stored', async () => {
  const photo = await twoPeople()
  await expect(photos().portrait(scope(), photo, 'photo')).rejects.toMatchObject({
    code: code.multipleFaces,
    data: { fields: [{ path: 'photo' }] },
  })
  const lying = await sharp(photo).rotate(90).withMetadata({ orientation: 8 }).jpeg().toBuffer()
  for (const bytes of [photo, lying])
    for (const faceIndex of [0, 1]) {
      const chosen = await probe(bytes, faceIndex)
      const stored = await loaded(await photos().portrait(scope(), bytes, 'photo', faceIndex))
      expect(distance(chosen.embedding, (await probe(stored)).embedding)).toBeLessThan(SAME_PICTURE)
    }
})

test('of several faces in a stored portrait the one nearest to the middle is taken', async () => {
  const [one, other] = [await portrait('one'), await portrait('another')]
  const photo = await sharp({ create: { width: 1000, height: 1000, channels: 3, background: '#cccccc' } })
    .composite([
      { input: other, left: 0, top: 0 },
      { input: one, left: 420, top: 350 },
    ])
    .jpeg()
    .toBuffer()
  const fileId = await world.server.platform.storage.savePicture(scope(), photo, 'face')
  const faceId = await photos().faceIdOf(scope(), fileId)
  const person = await world.person({ facePhotos: [faceId] })
  const { embedding } = await probe(one)
  const compared = await world.server.contexts.faces.service.compare(scope(), person.id, embedding)
  const elsewhere = await world.server.contexts.faces.service.compare(scope(), person.id, (await probe(other)).embedding)
  expect(compared.photos[0]!.distance!).toBeLessThan(elsewhere.photos[0]!.distance!)
})

test('a portrait that was swept is refused', async () => {
  await expect(photos().faceIdOf(scope(), '0198f3a0-2222-7000-8000-000000000a07')).rejects.toMatchObject({ code: code.faceWithoutFeature })
})
