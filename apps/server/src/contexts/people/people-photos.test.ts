/** The photos a person is registered with: the effect of each rule of the register, with real pictures. */
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { FACE_FILE_MAX } from '@gatehouse/contract'
import { faceCalls } from '@gatehouse/contract/faces/calls'
import { openPhotographs } from '@gatehouse/dev-env/photographs'
import { startWorld, type World } from '@gatehouse/dev-env/world'
import { personsOf } from '../../../../../tests/support/persons.ts'

const photographs = openPhotographs()
const isReal = photographs.kind === 'real'
if (!isReal) console.log('The photographs of real people are not there: the rules of photographs are not tested at the register.')

describe.skipIf(!isReal)('the photographs of a person', () => {
  let world: World
  let persons: ReturnType<typeof personsOf>
  beforeAll(async () => {
    world = await startWorld()
    persons = personsOf(world)
  })
  afterAll(() => world?.stop())

  const odd = async (file: string): Promise<Buffer> => (await photographs.odd(file))!
  const photo = (identity: string, number: number): Promise<Buffer> => photographs.person(identity).photo(number)
  const cache = (file: Buffer) => world.ask(faceCalls.cache, { body: {}, file })
  const at = (path: string, code: number) => ({ status: 200, code, data: { fields: [{ path, rule: `code.${code}` }] } })

  test('may be none to the server, which only a form asks for; what shows no face is none [VAL-057]', async () => {
    const id = await persons.made({ facePhotos: [] })
    expect((await persons.read(id)).faces).toEqual([])
    for (const file of ['noface_coffee.jpg', 'noface_cat.jpg']) expect(await cache(await odd(file)), file).toMatchObject(at('file', 200204))
  })

  test('show one face each [VAL-058]', async () => {
    const several = await cache(await odd('group_mosaic_eight.jpg'))
    expect(several).toMatchObject(at('file', 200218))
    expect((several.data as unknown as { faces: unknown[] }).faces).toHaveLength(8)
    expect(await cache(await odd('noface_coffee.jpg'))).toMatchObject(at('file', 200204))
    expect(await cache(await photo('colin_powell', 1))).toMatchObject({ code: 0, data: { faces: [{}] } })
  })

  test('have features that can be read [VAL-059]', async () => {
    // A head so compressed that a face is found but no features are.
    const narrow = await sharp(
      await sharp(await photo('tony_blair', 1))
        .resize(600)
        .jpeg()
        .toBuffer(),
    )
      .resize(270, 600, { fit: 'fill' })
      .jpeg()
      .toBuffer()
    expect(await cache(narrow)).toMatchObject(at('file', 200201))
  })

  test('are three at most [VAL-060]', async () => {
    const facePhotos = await Promise.all([1, 2, 3, 4].map(async (number) => persons.face(await photo('colin_powell', number))))
    expect(await persons.create({ facePhotos })).toMatchObject(at('facePhotos', 200202))
    const id = await persons.made({ facePhotos: facePhotos.slice(0, 3) })
    expect(await persons.change(id, { facePhotos })).toMatchObject(at('facePhotos', 200202))
    expect((await persons.read(id)).facePhotos).toEqual(facePhotos.slice(0, 3))
  })

  test('all show the same person [VAL-061]', async () => {
    const [own, same, other] = [
      await persons.face(await photo('colin_powell', 1)),
      await persons.face(await photo('colin_powell', 2)),
      await persons.face(await photo('hu_jintao', 2)),
    ]
    expect(await persons.create({ facePhotos: [own, other] })).toMatchObject(at('facePhotos', 200203))
    const id = await persons.made({ facePhotos: [own, same] })
    expect(await persons.change(id, { facePhotos: [own, same, other] })).toMatchObject(at('facePhotos', 200203))
    expect((await persons.read(id)).facePhotos).toEqual([own, same])
  })

  test('are files of at most 10 MB [VAL-070]', async () => {
    const picture = await photo('colin_powell', 1)
    const padded = (bytes: number) => Buffer.concat([picture, Buffer.alloc(bytes - picture.length)])
    expect(await cache(padded(FACE_FILE_MAX + 1))).toMatchObject(at('file', 200206))
    expect(await cache(padded(FACE_FILE_MAX))).toMatchObject({ code: 0 })
  })

  test('have at least 100 by 100 pixels [VAL-072]', async () => {
    const sized = async (width: number, height: number) =>
      cache(
        await sharp(await photo('colin_powell', 1))
          .resize(width, height, { fit: 'cover' })
          .jpeg()
          .toBuffer(),
      )
    for (const [width, height] of [
      [99, 300],
      [300, 99],
      [99, 99],
    ] as const)
      expect(await sized(width, height), `${width} × ${height}`).toMatchObject(at('file', 200208))
    expect((await sized(100, 100)).code).not.toBe(200208)
  })

  test('sent for two persons at once belong to one of them', async () => {
    const facePhotos = [await persons.face(await photo('colin_powell', 1))]
    const answers = await Promise.all([1, 2, 3].map(() => persons.create({ facePhotos })))
    expect(answers.map(({ code }) => code).toSorted((a, b) => a - b)).toEqual([0, 200201, 200201])
  })
})
