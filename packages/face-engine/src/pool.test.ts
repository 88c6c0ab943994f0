/** @module-tag extended */
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, afterEach, describe, expect, test } from 'vitest'
import { descriptionOf, engineOf } from './engine-choice.ts'
import type { EngineChoice } from './engine-choice.ts'
import { TESTING_SET, hasTestingModels, testingModelDir } from './onnx/testing/set.ts'
import { FacePool, FacePoolBusy } from './pool.ts'
import { portrait } from './portrait/portrait.ts'
import { acceptedFace } from './quality.ts'
import { PhotoRefusal } from './refusal.ts'

let pool: FacePool | undefined
afterEach(() => pool?.close())

/** Links to real models where they are; nothing that is not loaded needs them. */
const folder = hasTestingModels ? testingModelDir() : null
afterAll(() => folder && rmSync(folder, { recursive: true }))

const ENGINES: { name: string; engine: EngineChoice }[] = [
  { name: 'built in', engine: { kind: 'builtin' } },
  ...(folder ? [{ name: 'ONNX', engine: await engineOf(folder) }] : []),
]

describe.each(ENGINES)('engine: $name', ({ engine }) => {
  test('may be closed at any moment of its start: native code that is interrupted would end the whole process', async () => {
    for (const milliseconds of [0, 40, 80, 120, 160, 200, 240, 280, 320, 360]) {
      const closing = new FacePool({ engine, workers: 2 })
      // Closed before it has started it is refused; closed while it starts it may still get ready.
      void closing.ready().catch(() => {})
      await pause(milliseconds)
      await closing.close()
      await expect(closing.analyse(await portrait(11))).rejects.toThrow('closed')
    }
  })

  test('photographs analysed at once get their own answers, and a bad one spoils no other', async () => {
    pool = new FacePool({ engine, workers: 2 })
    const seeds = [11, 205, 239, 70]
    const photos = await Promise.all(seeds.map((seed) => portrait(seed)))
    const alone = []
    for (const photo of photos) alone.push(acceptedFace(await pool.analyse(photo)).embedding)

    const all = [...photos, Buffer.from('no picture'), photos[0]!]
    const answers = await Promise.allSettled(all.map((photo) => pool!.analyse(photo)))
    const together = answers.map((answer) => (answer.status === 'fulfilled' ? acceptedFace(answer.value).embedding : answer.reason))
    expect(together.slice(0, 4)).toEqual(alone)
    expect(together[4]).toBeInstanceOf(PhotoRefusal)
    expect(together[4]).toMatchObject({ reason: 'unreadable', code: 200205, measured: { bytes: 10 } })
    expect(together[5]).toEqual(alone[0])
  })

  test('the caller keeps the bytes, also when they are a slice of something larger', async () => {
    pool = new FacePool({ engine, workers: 1 })
    const photo = await portrait(11)
    const body = Buffer.concat([Buffer.from('before'), photo, Buffer.from('after')])
    const slice = body.subarray(6, 6 + photo.length)
    await pool.analyse(slice)
    expect(slice.equals(photo)).toBe(true)
    expect(body.subarray(-5).toString()).toBe('after')
  })

  test('the engine is known before a model is loaded, and is the one that answers', async () => {
    pool = new FacePool({ engine, workers: 1 })
    expect(pool.description).toEqual(descriptionOf(engine))
    const [face] = (await pool.analyse(await portrait(11))).faces
    expect([face!.modelId, face!.embedding!.length]).toEqual([pool.modelId, pool.dimensions])
  })
})

test.skipIf(!folder)('liveness is asked through the pool', async () => {
  pool = new FacePool({ engine: await engineOf(folder), workers: 1 })
  expect(pool.description.livenessModelId).toBe(TESTING_SET.liveness!.id)
  const { faces, timings } = await pool.analyse(await portrait(11), { liveness: true })
  expect(faces[0]!.livenessScore).toBeGreaterThanOrEqual(0)
  expect(timings.liveness).toBeGreaterThan(0)
})

test.skipIf(!folder)('models that cannot be loaded fail the photograph, not the process', async () => {
  const broken = testingModelDir()
  try {
    rmSync(join(broken, TESTING_SET.embedder.file))
    writeFileSync(join(broken, TESTING_SET.embedder.file), 'no model')
    pool = new FacePool({ engine: { kind: 'onnx', folder: broken, set: TESTING_SET }, workers: 1 })
    await expect(pool.ready()).rejects.toThrow(TESTING_SET.embedder.file)
  } finally {
    rmSync(broken, { recursive: true })
  }
})

test('a full queue refuses at once, and takes photographs again when there is room', async () => {
  pool = new FacePool({ workers: 1, queue: 2 })
  const photo = await portrait(11)
  const taken = [pool.analyse(photo), pool.analyse(photo), pool.analyse(photo)]
  await expect(pool.analyse(photo)).rejects.toBeInstanceOf(FacePoolBusy)
  await expect(pool.analyse(photo)).rejects.toMatchObject({ waiting: 2 })
  expect((await Promise.all(taken)).map(({ faces }) => faces.length)).toEqual([1, 1, 1])
  expect((await pool.analyse(photo)).faces.length).toBe(1)
})

test('a closed pool takes nothing more', async () => {
  const closed = new FacePool({ workers: 1 })
  await closed.ready()
  await closed.close()
  await expect(closed.analyse(await portrait(11))).rejects.toThrow('closed')
})
