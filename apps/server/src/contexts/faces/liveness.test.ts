/** Labelled captures and the threshold they suggest. The engine is a fake unless a test says otherwise. */
import { rmSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { faceLivenessCalls } from '@gatehouse/contract/faces/liveness'
import { facePolicyCalls } from '@gatehouse/contract/faces/policy'
import { DEFAULT_PROMISES } from '@gatehouse/contract/faces/promise'
import { openPhotographs } from '@gatehouse/dev-env/photographs'
import { startWorld, type Site, type World } from '@gatehouse/dev-env/world'
import { portrait } from '@gatehouse/dev-env/portraits'
import { FacePool, PhotoRefusal, engineOf, type Face, type PhotoAnalysis } from '@gatehouse/face-engine'
import { hasTestingModels, testingModelDir } from '@gatehouse/face-engine/onnx/testing/set'
import { newId } from '../../platform/database/ids.ts'
import { InvalidRequest, NotFound, Refusal } from '../../platform/http/refusal.ts'
import { createAnalysis } from './analysis.ts'
import type { CaptureLabel } from './liveness-schema.ts'
import { CAPTURES_WANTED, createLiveness, type Liveness } from './liveness.ts'

let world: World
beforeAll(async () => {
  world = await startWorld()
})
afterAll(() => world?.stop())

const MODEL = 'fake-liveness'
const PHOTO = Buffer.from('a photograph')

describe('captures', () => {
  let site: Site
  let scope: { parkId: string }
  /** The liveness scores the fake gives the faces of the next photo, or its refusal. */
  let seen: (number | undefined)[] | PhotoRefusal
  let liveness: Liveness
  const withModel = (livenessModelId: string | null): Liveness => {
    const analyse = async (): Promise<PhotoAnalysis> => {
      if (seen instanceof PhotoRefusal) throw seen
      const faces = seen.map((livenessScore) => ({ ...(livenessScore !== undefined && { livenessScore }) }) as Face)
      return { width: 500, height: 500, faces, timings: {} as never }
    }
    return createLiveness(world.server.platform, {
      engine: { livenessModelId },
      analysis: createAnalysis({ analyse }, 1),
      settingOf: () => null,
    })
  }
  beforeEach(async () => {
    site = await world.addPark()
    scope = { parkId: site.park.id }
    liveness = withModel(MODEL)
  })

  const add = (label: CaptureLabel, ...faces: (number | undefined)[]) => {
    seen = faces
    return liveness.add(scope, PHOTO, label)
  }
  const addMany = async (label: CaptureLabel, scores: readonly number[]) => {
    for (const score of scores) await add(label, score)
  }
  const evenly = (from: number, to: number, count = CAPTURES_WANTED) =>
    Array.from({ length: count }, (_, place) => from + ((to - from) * place) / (count - 1))

  test('keep the score of the most prominent face, newest first, of one label or of all', async () => {
    await add('genuine', 0.9)
    // Captures of the same millisecond have no order.
    await delay(2)
    await add('spoof', 0.2, 0.8)
    const { content, total } = await site.call(faceLivenessCalls.captures, { query: {} })
    expect(total).toBe(2)
    expect(content).toMatchObject([
      { label: 'spoof', score: 0.2, source: 'upload', modelId: MODEL, recordId: null },
      { label: 'genuine', score: 0.9, source: 'upload', modelId: MODEL, recordId: null },
    ])
    expect((await site.call(faceLivenessCalls.captures, { query: { label: 'genuine' } })).content.map(({ score }) => score)).toEqual([0.9])
    expect((await site.call(faceLivenessCalls.captures, { query: { page: 2, size: 1 } })).content.map(({ score }) => score)).toEqual([0.9])
    const other = await world.addPark()
    expect((await other.call(faceLivenessCalls.captures, { query: {} })).total).toBe(0)
  })

  test('without both kinds there is no curve, with too few no suggestion', async () => {
    await addMany('genuine', [0.9, 0.8])
    expect(await liveness.read(scope)).toEqual({
      mode: 'off',
      threshold: null,
      available: true,
      modelId: MODEL,
      genuine: 2,
      spoof: 0,
      curve: [],
      suggestion: null,
      wanted: CAPTURES_WANTED,
    })
    await addMany('spoof', [0.1])
    const { curve, suggestion } = await liveness.read(scope)
    expect(suggestion).toBeNull()
    expect(curve.find(({ threshold }) => threshold === 0.85)).toMatchObject({ genuineRefused: { rate: 0.5 }, spoofAccepted: { rate: 0 } })
  })

  test('enough of both suggest a threshold that lets the living pass', async () => {
    await addMany('genuine', evenly(0.7, 0.99))
    await addMany('spoof', evenly(0.01, 0.6))
    const { suggestion, genuine, spoof } = await liveness.read(scope)
    expect([genuine, spoof]).toEqual([CAPTURES_WANTED, CAPTURES_WANTED])
    expect(suggestion!.threshold).toBeGreaterThan(0.6)
    expect(suggestion!.threshold).toBeLessThanOrEqual(0.7)
    expect(suggestion).toMatchObject({ genuineRefused: { rate: 0 }, spoofAccepted: { rate: 0 } })
    expect(suggestion!.spoofAccepted.high).toBeGreaterThan(0.05)
  })

  test('captures of another model count for nothing', async () => {
    await addMany('genuine', [0.9])
    await addMany('spoof', [0.1])
    const newer = withModel('newer')
    expect(await newer.read(scope)).toMatchObject({ modelId: 'newer', genuine: 0, spoof: 0, curve: [] })
    expect((await liveness.read(scope)).curve).not.toEqual([])
    expect((await site.call(faceLivenessCalls.captures, { query: {} })).total).toBe(2)
  })

  test('what is no photograph of a face is refused, and nothing is kept', async () => {
    await expect(add('spoof')).rejects.toMatchObject({ code: 200204 })
    await expect(add('spoof', undefined)).rejects.toMatchObject({ code: 200204 })
    for (const [reason, code] of [
      ['unreadable', 200205],
      ['tooLarge', 200206],
      ['imageTooSmall', 200208],
    ] as const) {
      seen = new PhotoRefusal(reason)
      const refusal = await liveness.add(scope, PHOTO, 'spoof').catch((error: unknown) => error)
      expect(refusal).toBeInstanceOf(Refusal)
      expect(refusal).toMatchObject({ code })
    }
    await expect(liveness.add(scope, Buffer.alloc(10 * 1024 * 1024 + 1), 'spoof')).rejects.toMatchObject({ code: 200206 })
    expect((await site.call(faceLivenessCalls.captures, { query: {} })).total).toBe(0)
  })

  test('a passage has one label: said anew it is replaced', async () => {
    const [one, other] = [newId(), newId()]
    const first = await liveness.addCapture(scope, { recordId: one, label: 'genuine', score: 0.7 })
    expect(first).toMatchObject({ source: 'record', label: 'genuine', modelId: MODEL, recordId: one })
    const again = await liveness.addCapture(scope, { recordId: one, label: 'spoof', score: 0.7 })
    expect(again).toMatchObject({ id: first.id, label: 'spoof' })
    await liveness.addCapture(scope, { recordId: other, label: 'genuine', score: 0.8, modelId: 'of the terminal' })
    expect(await liveness.labelsOf(scope, [one, other, newId()])).toEqual(
      new Map([
        [one, 'spoof'],
        [other, 'genuine'],
      ]),
    )
    expect(await liveness.labelsOf({ parkId: (await world.addPark()).park.id }, [one])).toEqual(new Map())
    expect((await site.call(faceLivenessCalls.captures, { query: {} })).content).toMatchObject([
      { modelId: 'of the terminal' },
      { label: 'spoof' },
    ])
    await expect(withModel(null).addCapture(scope, { recordId: newId(), label: 'spoof', score: 0.1 })).rejects.toBeInstanceOf(
      InvalidRequest,
    )
  })

  test('are taken out, all that are named or none', async () => {
    await addMany('genuine', [0.7, 0.8, 0.9])
    const ids = (await site.call(faceLivenessCalls.captures, { query: {} })).content.map(({ id }) => id)
    await expect(liveness.remove(scope, [ids[0]!, newId()])).rejects.toBeInstanceOf(NotFound)
    const other = await world.addPark()
    expect(await other.ask(faceLivenessCalls.remove, { body: { ids } })).toMatchObject({ status: 404 })
    expect(await site.ask(faceLivenessCalls.remove, { body: { ids: [crypto.randomUUID()] } })).toMatchObject({ status: 404 })
    expect((await site.call(faceLivenessCalls.captures, { query: {} })).total).toBe(3)
    expect(await site.call(faceLivenessCalls.remove, { body: { ids: [ids[0]!, ids[1]!, ids[0]!] } })).toEqual({ count: 2 })
    expect((await site.call(faceLivenessCalls.captures, { query: {} })).content.map(({ id }) => id)).toEqual([ids[2]])
  })

  test('go with the park', async () => {
    await addMany('genuine', [0.7])
    await world.server.platform.transaction((tx) => world.server.contexts.faces.erasePark!(tx, scope))
    expect((await site.call(faceLivenessCalls.captures, { query: {} })).total).toBe(0)
  })
})

describe('the built-in engine, which cannot tell', () => {
  test('says so, at the file, in the words of three languages', async () => {
    const answer = await world.ask(faceLivenessCalls.add, { body: { label: 'spoof' }, file: await portrait(1) })
    expect(answer).toMatchObject({ status: 400, code: 400, data: { fields: [{ path: 'file', rule: 'engineCannotTell' }] } })
    for (const language of ['en', 'zh-CN', 'zh-TW']) {
      const { default: words } = (await import(`../../../../../packages/contract/src/i18n/${language}/validation.json`, {
        with: { type: 'json' },
      })) as { default: Record<string, string> }
      expect(words['engineCannotTell']).toBeTruthy()
    }
  })

  test('and shows what is set nevertheless', async () => {
    const site = await world.addPark()
    expect(await site.call(faceLivenessCalls.read, {})).toMatchObject({
      mode: 'off',
      available: false,
      modelId: null,
      genuine: 0,
      spoof: 0,
      curve: [],
      suggestion: null,
    })
    const { version, purposes: _, ...policy } = await site.call(facePolicyCalls.read, {})
    await site.call(facePolicyCalls.change, {
      body: {
        ...DEFAULT_PROMISES,
        margin: policy.margin,
        lookAlikeMargin: policy.lookAlikeMargin,
        photosWanted: policy.photosWanted,
        liveness: { mode: 'trial', threshold: 0.4 },
        version,
      },
    })
    expect(await site.call(faceLivenessCalls.read, {})).toMatchObject({ mode: 'trial', threshold: 0.4 })
  })

  test('a file is needed', async () => {
    expect(await world.ask(faceLivenessCalls.add, { body: { label: 'spoof' } })).toMatchObject({ status: 400 })
  })
})

const photographs = openPhotographs()

describe.skipIf(!hasTestingModels || photographs.kind !== 'real')('an engine that can tell', () => {
  let folder: string
  let pool: FacePool
  let there: World
  beforeAll(async () => {
    folder = testingModelDir()
    pool = new FacePool({ engine: await engineOf(folder), workers: 1 })
    there = await startWorld({ facePool: pool })
  })
  afterAll(async () => {
    await there?.stop()
    await pool?.close()
    if (folder) rmSync(folder, { recursive: true })
  })
  const odd = async (file: string) => (await photographs.odd(file))!
  const ask = (file: Uint8Array) => there.ask(faceLivenessCalls.add, { body: { label: 'spoof' }, file })

  test('scores photographs no person could be enrolled with', async () => {
    for (const file of [
      'dark.jpg',
      'blur_motion21.jpg',
      'turned_george_clooney.jpg',
      'group_two_mosaic.jpg',
      'small_face_in_large_scene.jpg',
    ]) {
      const answer = await ask(await odd(file))
      expect(answer, `${file}: ${JSON.stringify(answer)}`).toMatchObject({
        status: 200,
        code: 0,
        data: { label: 'spoof', source: 'upload', modelId: pool.description.livenessModelId },
      })
      expect(answer.data.score).toBeGreaterThanOrEqual(0)
      expect(answer.data.score).toBeLessThanOrEqual(1)
    }
    expect(await there.call(faceLivenessCalls.read, {})).toMatchObject({
      available: true,
      modelId: pool.description.livenessModelId,
      genuine: 0,
      spoof: 5,
    })
  })

  test.each([
    [200204, 'noface_coffee.jpg'],
    [200205, 'corrupt_truncated_half.jpg'],
    [200206, 'huge_144mp_flat.png'],
    [200208, 'small_96px.jpg'],
  ])('refuses what is no photograph of a face: %i, %s', async (code, file) => {
    expect(await ask(await odd(file))).toMatchObject({ status: 200, code, data: { fields: [{ path: 'file' }] } })
  })
})
