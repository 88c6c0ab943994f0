/** Many photos at once: each gets its own correct answer, and memory does not grow with their number. */
import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { faceCalls } from '@gatehouse/contract/faces/calls'
import { peopleCalls } from '@gatehouse/contract/people/calls'
import { portraitVariant } from '@gatehouse/dev-env/portraits'
import { DISTINCT_PORTRAITS, FacePool } from '@gatehouse/face-engine'
import { CallRefused } from '@gatehouse/dev-env/client'
import { openPhotographs } from '@gatehouse/dev-env/photographs'
import { startWorld, type World } from '@gatehouse/dev-env/world'

const MEBIBYTE = 1_048_576
const photographs = openPhotographs()

let world: World
let pool: FacePool
beforeAll(async () => {
  // The queue of the engine is shorter than the number of photos.
  pool = new FacePool({ workers: 1, queue: 4 })
  world = await startWorld({ facePool: pool })
})
afterAll(async () => {
  await world?.stop()
  await pool?.close()
})

/** Return 0 where the photo is accepted, otherwise the code of the refusal. */
const codeOf = (file: Uint8Array): Promise<number> =>
  world.call(faceCalls.cache, { body: {}, file }).then(
    () => 0,
    (error: unknown) => (error instanceof CallRefused ? error.code : Promise.reject(error)),
  )

describe.skipIf(photographs.kind !== 'real')('very many at once', () => {
  /** Expected answer for each unusual picture. */
  const ODD: readonly [file: string, code: number][] = [
    ['noface_cat.jpg', 200204],
    ['corrupt_truncated_half.jpg', 200205],
    ['huge_144mp_flat.png', 200206],
    ['small_96px.jpg', 200208],
    ['group_mosaic_eight.jpg', 200218],
    ['dark.jpg', 200219],
    ['small_face_in_large_scene.jpg', 201219],
    ['turned_george_clooney.jpg', 201221],
    ['blur_motion21.jpg', 201222],
    ['huge_20mp.jpg', 0],
    ['exif_orientation6.jpg', 0],
  ]
  /** Five of each, fifteen times the queue of the engine; more before a release (`TEST_DEPTH=soak`). */
  const COUNT = process.env.TEST_DEPTH === 'soak' ? 200 : 60

  test(
    'none is lost, each is answered with its own code, and memory stays within bounds',
    { tags: 'extended', timeout: 240_000 },
    async () => {
      const good = await photographs.person('colin_powell').photo(1)
      const odd = await Promise.all(ODD.map(async ([file, code]) => ({ bytes: (await photographs.odd(file))!, code })))
      const files = Array.from({ length: COUNT }, (_, place) => odd[place % 12] ?? { bytes: good, code: 0 })
      const before = process.memoryUsage().rss
      let peak = before
      let over = false
      const watching = (async () => {
        while (!over) {
          peak = Math.max(peak, process.memoryUsage().rss)
          await delay(20)
        }
      })()
      const codes = await Promise.all(files.map(({ bytes }) => codeOf(bytes)))
      over = true
      await watching
      expect(codes).toEqual(files.map(({ code }) => code))
      // The engine with its models, this test's own copies of the bodies, and the room for uploads; all decoded at once, the photos would
      // take gigabytes.
      expect((peak - before) / MEBIBYTE).toBeLessThan(1200)
    },
  )
})

describe('somebody who is there already', () => {
  test('is named to those who may search or register persons, most alike first, and never himself', async () => {
    const [photo, stranger] = await Promise.all([portraitVariant(DISTINCT_PORTRAITS[0], 0), portraitVariant(DISTINCT_PORTRAITS[1], 0)])
    const person = await world.person({ photo })
    const other = await world.addPark()
    await world.settled()
    const cache = (client: Pick<World, 'call'>, body: { personId?: string } = {}, file = photo) =>
      client.call(faceCalls.cache, { body, file })
    const { similar, wanted } = await cache(world)
    expect(wanted).toBe(2)
    expect(similar).toMatchObject([{ personId: person.id, personName: person.name, workNumber: person.workNumber, score: 100 }])
    expect((await fetch(world.url + similar![0]!.thumbnail)).status).toBe(200)
    expect((await cache(world, { personId: person.id })).similar).toEqual([])
    expect((await cache(other)).similar).toEqual([])
    expect((await cache(world, {}, stranger)).similar).toEqual([])
    const searching = await world.session({ permissions: ['basic.person.search'] })
    expect((await cache(searching)).similar).toEqual([{ ...similar![0], thumbnail: expect.any(String) }])
    await world.call(peopleCalls.delete, { query: { ids: [person.id] }, body: undefined })
    await world.settled()
    expect((await cache(world)).similar).toEqual([])
  })
})
