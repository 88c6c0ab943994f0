/** The engine on real photographs, spoilt in every way a photograph can be spoilt. All of them together: `photographs.test.ts`. */
import { rmSync } from 'node:fs'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { distanceOf } from '../match.ts'
import { portrait } from '../portrait/portrait.ts'
import { acceptedFace } from '../quality.ts'
import { photographs } from '../testing/photographs.ts'
import { OnnxEngine } from './engine.ts'
import { TESTING_SET, hasTestingModels, testingModelDir } from './testing/set.ts'

const { liveness: _, ...WITHOUT_LIVENESS } = TESTING_SET

describe.skipIf(!hasTestingModels)('drawn people', () => {
  let folder: string
  let engine: OnnxEngine
  beforeAll(async () => {
    folder = testingModelDir()
    engine = await OnnxEngine.load(folder, WITHOUT_LIVENESS)
  })
  afterAll(async () => {
    await engine.close()
    rmSync(folder, { recursive: true })
  })

  test('a face is described in pixels of the photograph, with its embedding and its model', async () => {
    const { width, height, faces } = await engine.analyse(await portrait(11))
    const face = acceptedFace({ width, height, faces, timings: { decode: 0, detect: 0, align: 0, embed: 0, liveness: 0, total: 0 } })
    expect([width, height, faces.length]).toEqual([400, 500, 1])
    expect(face.modelId).toBe(TESTING_SET.id)
    expect(face.embedding.length).toBe(256)
    expect(Math.hypot(...face.embedding)).toBeCloseTo(1, 5)
    const [rightEye, leftEye, nose, rightMouth, leftMouth] = face.landmarks
    const { box } = face
    expect(rightEye.x).toBeGreaterThan(box.x)
    expect(leftEye.x).toBeLessThan(box.x + box.width)
    expect(nose.y).toBeGreaterThan(rightEye.y)
    expect(rightMouth.x).toBeLessThan(leftMouth.x)
    expect(leftMouth.y).toBeLessThan(box.y + box.height)
  })

  test('the same photograph gives the same embedding, whatever was looked at before', async () => {
    const photo = await portrait(11)
    const first = (await engine.analyse(photo)).faces[0]!
    await engine.analyse(await portrait(205))
    expect((await engine.analyse(photo)).faces[0]!.embedding).toEqual(first.embedding)
  })

  test('a quick search finds what one look at the whole picture shows, and no more', async () => {
    const photo = await portrait(11)
    const [thorough, quick] = [
      await engine.analyse(photo, { embed: 'none' }),
      await engine.analyse(photo, { embed: 'none', search: 'quick' }),
    ]
    expect(quick.faces).toHaveLength(1)
    expect(Math.abs(quick.faces[0]!.box.x - thorough.faces[0]!.box.x)).toBeLessThan(10)
    const upsideDown = await sharp(photo).rotate(180).toBuffer()
    expect((await engine.analyse(upsideDown, { embed: 'none' })).faces[0]!.roll).not.toBeCloseTo(0, 0)
    expect((await engine.analyse(upsideDown, { embed: 'none', search: 'quick' })).faces.filter(({ roll }) => Math.abs(roll) > 90)).toEqual(
      [],
    )
  })

  test('the stages are timed and add up to the whole', async () => {
    const { decode, detect, align, embed, liveness, total } = (await engine.analyse(await portrait(11))).timings
    for (const stage of [decode, detect, align, embed]) expect(stage).toBeGreaterThan(0)
    expect(liveness).toBe(0)
    expect(decode + detect + align + embed).toBeLessThanOrEqual(total)
  })

  test('a set without such models cannot tell living faces, and says so by leaving the score out', async () => {
    const { faces, timings } = await engine.analyse(await portrait(11), { liveness: true })
    expect(faces[0]).not.toHaveProperty('livenessScore')
    expect(timings.liveness).toBe(0)
  })
})

describe.skipIf(!hasTestingModels || !photographs)('real people', () => {
  let folder: string
  let engine: OnnxEngine
  beforeAll(async () => {
    folder = testingModelDir()
    engine = await OnnxEngine.load(folder, TESTING_SET)
  })
  afterAll(async () => {
    await engine.close()
    rmSync(folder, { recursive: true })
  })

  const person = 'tony_blair/1.jpg'
  const read = (file: string) => photographs!.read(file)
  const faceOf = async (photo: Buffer) => acceptedFace(await engine.analyse(photo))
  const codeOf = async (photo: Buffer) => {
    try {
      await faceOf(photo)
      return 0
    } catch (error) {
      return (error as { code: number }).code
    }
  }
  const onBackdrop = (input: Buffer) =>
    backdrop(900, 700)
      .composite([{ input, left: 400, top: 300 }])
      .jpeg()
      .toBuffer()
  const backdrop = (width: number, height: number) => sharp({ create: { width, height, channels: 3, background: '#c9cfd6' } })

  test('each of a person’s photographs is nearer to the other than to anybody else', async () => {
    const people = ['colin_powell', 'condoleezza_rice', 'junichiro_koizumi', 'serena_williams', 'venus_williams', 'jiang_zemin']
    const pairs = []
    for (const name of people) pairs.push([await faceOf(read(`${name}/1.jpg`)), await faceOf(read(`${name}/2.jpg`))] as const)
    for (const [mine, [first, second]] of pairs.entries()) {
      const others = pairs.filter((__, i) => i !== mine).flat()
      expect(distanceOf(first, second)).toBeLessThan(Math.min(...others.map((other) => distanceOf(first, other))))
    }
  })

  test('a leaning head is aligned: its embedding is that of the upright one', async () => {
    const upright = await faceOf(read(person))
    const leaning = await faceOf(await sharp(read(person)).rotate(25, { background: '#c9cfd6' }).jpeg().toBuffer())
    expect(leaning.roll - upright.roll).toBeGreaterThan(18)
    expect(leaning.roll - upright.roll).toBeLessThan(32)
    expect(distanceOf(upright, leaning)).toBeLessThan(0.6)
  })

  test('a photograph turned by its EXIF tag is that of the upright one, to the pixel', async () => {
    const upright = await faceOf(read('barack_obama/1.jpg'))
    const turned = await faceOf(read('odd/exif_orientation6.jpg'))
    expect(distanceOf(upright, turned)).toBeLessThan(0.2)
    for (const [i, { x, y }] of upright.landmarks.entries()) {
      expect(Math.abs(turned.landmarks[i]!.x - x)).toBeLessThan(4)
      expect(Math.abs(turned.landmarks[i]!.y - y)).toBeLessThan(4)
    }
  })

  test('coordinates and embedding survive a photograph larger than what is worked on', async () => {
    const small = await faceOf(read(person))
    const large = await faceOf(await sharp(read(person)).resize(2000).jpeg().toBuffer())
    expect(large.box.x / 8 / small.box.x).toBeCloseTo(1, 1)
    expect(large.box.width / 8 / small.box.width).toBeCloseTo(1, 1)
    expect(distanceOf(small, large)).toBeLessThan(0.3)
  })

  test('a small face in a large photograph is looked at from nearby', async () => {
    const small = await sharp(read(person)).resize(200).toBuffer()
    const far = await faceOf(
      await backdrop(1280, 960)
        .composite([{ input: small, left: 900, top: 500 }])
        .jpeg()
        .toBuffer(),
    )
    expect(distanceOf(await faceOf(read(person)), far)).toBeLessThan(0.6)
  })

  test('a photograph that ends at the face is enough', async () => {
    const { box } = await faceOf(read(person))
    const margin = 0.1 * box.width
    const [left, top] = [box.x - margin, box.y - 0.16 * box.height - margin].map(Math.round)
    const area = { left: left!, top: top!, width: Math.round(box.width + 2 * margin), height: Math.round(1.16 * box.height + 2 * margin) }
    const close = await faceOf(await sharp(read(person)).extract(area).resize(300).jpeg().toBuffer())
    expect(distanceOf(await faceOf(read(person)), close)).toBeLessThan(0.6)
  })

  test('several faces: all boxes, and only the embeddings asked for', async () => {
    const group = read('odd/group_two_people.jpg')
    const embedded = async (embed: 'all' | 'first' | 'none') =>
      (await engine.analyse(group, { embed })).faces.slice(0, 2).map(({ embedding }) => embedding !== null)
    expect(await embedded('all')).toEqual([true, true])
    expect(await embedded('first')).toEqual([true, false])
    expect(await embedded('none')).toEqual([false, false])
    expect(await codeOf(group)).toBe(200218)
  })

  test('the first face alone is judged alive or not, and only when asked for', async () => {
    const group = read('odd/group_two_people.jpg')
    const { faces, timings } = await engine.analyse(group, { liveness: true })
    expect(faces[0]!.livenessScore).toBeGreaterThanOrEqual(0)
    expect(faces[0]!.livenessScore).toBeLessThanOrEqual(1)
    expect(timings.liveness).toBeGreaterThan(0)
    expect(faces[1]).not.toHaveProperty('livenessScore')
    expect((await engine.analyse(group)).faces[0]).not.toHaveProperty('livenessScore')
  })

  test('most photographs of living people score high', { tags: 'extended' }, async () => {
    const scores = []
    for (const { file } of photographs!.good.filter((__, i) => i % 15 === 0)) {
      const { faces } = await engine.analyse(read(file), { liveness: true, embed: 'none' })
      scores.push(faces[0]!.livenessScore!)
    }
    expect(scores.filter((score) => score > 0.5).length / scores.length).toBeGreaterThan(0.8)
  })

  describe('spoilt', () => {
    const spoilt: [string, () => Promise<Buffer>, number][] = [
      ['too dark', () => sharp(read(person)).linear(0.1, 0).jpeg().toBuffer(), 200219],
      ['blurred', () => sharp(read(person)).blur(7).jpeg().toBuffer(), 201222],
      ['nobody in it', () => backdrop(640, 480).jpeg().toBuffer(), 200204],
      ['a face too small', async () => onBackdrop(await sharp(read(person)).resize(110).toBuffer()), 201219],
    ]
    test.each(spoilt)('%s', async (__, make, code) => {
      expect(await codeOf(await make())).toBe(code)
    })

    test('cut off by the edge', async () => {
      const { box } = await faceOf(read(person))
      const left = Math.round(box.x + box.width * 0.25)
      expect(
        await codeOf(
          await sharp(read(person))
            .extract({ left, top: 0, width: 250 - left, height: 250 })
            .jpeg()
            .toBuffer(),
        ),
      ).toBe(201223)
    })

    test('the lower face covered by a mask', async () => {
      const { box, landmarks } = await faceOf(read(person))
      const top = Math.round(landmarks[2].y + 2)
      const mask = {
        create: { width: Math.round(box.width), height: Math.round(box.y + box.height - top), channels: 3 as const, background: '#9fc3d8' },
      }
      expect(
        await codeOf(
          await sharp(read(person))
            .composite([{ input: mask, left: Math.round(box.x), top }])
            .jpeg()
            .toBuffer(),
        ),
      ).toBe(200219)
    })

    test.each([90, 180, 270])('turned by %i degrees: found, refused, and named by its lean', async (angle) => {
      const photo = await sharp(read(person)).rotate(angle).jpeg().toBuffer()
      const lean = Math.abs((await engine.analyse(photo)).faces[0]!.roll)
      expect(Math.abs(lean - (angle === 270 ? 90 : angle))).toBeLessThan(15)
      expect(await codeOf(photo)).toBe(200219)
    })
  })
})
