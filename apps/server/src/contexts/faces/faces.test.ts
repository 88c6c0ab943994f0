/** Photos through the public calls: every refusal of a photo is reached by a real picture or one derived from it. */
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { faceCalls } from '@gatehouse/contract/faces/calls'
import { peopleCalls } from '@gatehouse/contract/people/calls'
import { refusalOf } from '../../../../../tests/support/refusal.ts'
import { openPhotographs } from '@gatehouse/dev-env/photographs'
import { startWorld, type World } from '@gatehouse/dev-env/world'

const photographs = openPhotographs()
const isReal = photographs.kind === 'real'
if (!isReal) console.log('The photographs of real people are not there: refusals of photographs are not tested through the calls.')

const odd = async (file: string): Promise<Buffer> => (await photographs.odd(file))!
const photo = (identity: string, number: number): Promise<Buffer> => photographs.person(identity).photo(number)

/** The left part of the face is outside the picture. */
const cutOff = async (): Promise<Buffer> =>
  sharp(await photo('colin_powell', 1))
    .extract({ left: 95, top: 0, width: 155, height: 250 })
    .resize({ width: 372 })
    .jpeg()
    .toBuffer()
/** The most lowered head among the photos, lowered further by flattening the picture. */
const lowered = async (): Promise<Buffer> =>
  sharp(await photo('vladimir_putin', 4))
    .resize(750, 450, { fit: 'fill' })
    .jpeg()
    .toBuffer()
/** A head so compressed that a face is found but no features are. */
const narrow = async (): Promise<Buffer> =>
  sharp(
    await sharp(await photo('tony_blair', 1))
      .resize(600)
      .jpeg()
      .toBuffer(),
  )
    .resize(270, 600, { fit: 'fill' })
    .jpeg()
    .toBuffer()

describe.skipIf(!isReal)('photographs', () => {
  let world: World
  beforeAll(async () => {
    world = await startWorld()
  })
  afterAll(() => world?.stop())

  const cache = (file: Buffer, faceIndex?: number) =>
    world.call(faceCalls.cache, { body: faceIndex === undefined ? {} : { faceIndex }, file })

  test.each([
    [200201, 'features that cannot be read', narrow],
    [200204, 'no face', () => odd('noface_coffee.jpg')],
    [200204, 'a cat', () => odd('noface_cat.jpg')],
    [200205, 'half a file', () => odd('corrupt_truncated_half.jpg')],
    [200206, 'too many pixels', () => odd('huge_144mp_flat.png')],
    [200208, 'a picture under 100 pixels', () => odd('small_96px.jpg')],
    [200218, 'several faces', () => odd('group_mosaic_eight.jpg')],
    [200219, 'too dark', () => odd('dark.jpg')],
    [200219, 'half a face', () => odd('occluded_lower_face.jpg')],
    [201219, 'a small face', () => odd('small_face_in_large_scene.jpg')],
    [201220, 'a lowered head', lowered],
    [201221, 'a turned head', () => odd('turned_george_clooney.jpg')],
    [201222, 'blur', () => odd('blur_motion21.jpg')],
    [201223, 'a face at the edge', cutOff],
  ])('%i: %s', async (code, _what, picture) => {
    const refusal = await refusalOf(cache(await picture()))
    expect(refusal).toMatchObject({ status: 200, code })
    expect(refusal.data?.fields).toMatchObject([{ path: 'file', rule: `code.${code}` }])
  })

  test('an empty upload is refused, at the file or by its schema', async () => {
    expect((await refusalOf(cache(Buffer.alloc(0)))).code).toBeOneOf([200205, 400])
  })

  test.each(['exif_orientation6.jpg', 'face.png', 'face.webp', 'png_named_as.jpg', 'huge_20mp.jpg', 'grey_mode.jpg', 'cmyk_mode.jpg'])(
    '%s is taken',
    async (file) => {
      const { faceId, faces, url } = await cache(await odd(file))
      expect(faceId).not.toBe('')
      expect(faces).toHaveLength(1)
      const picture = await fetch(world.url + url)
      expect(picture.status).toBe(200)
      const { width, height } = await sharp(Buffer.from(await picture.arrayBuffer())).metadata()
      expect(width).toBe(height)
    },
  )

  test('one of several faces is chosen by its index', async () => {
    const picture = await odd('group_two_mosaic.jpg')
    const { data } = await refusalOf(cache(picture))
    expect(data?.['faces']).toHaveLength(2)
    expect(await cache(picture, 1)).toMatchObject({ faces: [{}] })
  })

  test('200202: a fourth photograph; 200203: somebody else among them; a face that is gone', async () => {
    const group = await world.personGroup()
    const faceIds = await Promise.all([1, 2, 3, 4].map(async (number) => (await cache(await photo('colin_powell', number))).faceId))
    const other = (await cache(await photo('hu_jintao', 2))).faceId
    const save = (facePhotos: string[]) => world.call(peopleCalls.create, { body: { name: 'Colin', groupId: group.id, facePhotos } })
    expect(await refusalOf(save(faceIds))).toMatchObject({ code: 200202, data: { fields: [{ path: 'facePhotos' }] } })
    expect(await refusalOf(save([faceIds[0]!, other]))).toMatchObject({ code: 200203, data: { fields: [{ path: 'facePhotos' }] } })
    const { id } = await save(faceIds.slice(0, 3))
    const person = await world.call(peopleCalls.read, { query: { id } })
    expect(person.facePhotos).toEqual(faceIds.slice(0, 3))
    // Another person cannot take over a photo that belongs to this one.
    expect(await refusalOf(save([faceIds[0]!]))).toMatchObject({ code: 200201 })
  })

  test('deleting a person takes photographs and addresses with it', async () => {
    const person = await world.person({ photo: await photo('kofi_annan', 1) })
    const { faces } = await world.call(peopleCalls.read, { query: { id: person.id } })
    expect(await world.call(peopleCalls.confirm, { query: { ids: [person.id] }, body: undefined })).toEqual({
      persons: 1,
      faces: 1,
      disabled: 0,
      names: [person.name],
    })
    await world.call(peopleCalls.delete, { query: { ids: [person.id] }, body: undefined })
    expect((await refusalOf(world.call(peopleCalls.read, { query: { id: person.id } }))).status).toBe(404)
    expect(
      await refusalOf(
        world.call(peopleCalls.create, { body: { name: 'Kofi', groupId: (await world.personGroup()).id, facePhotos: [faces[0]!.faceId] } }),
      ),
    ).toMatchObject({ code: 200201 })
  })
})
