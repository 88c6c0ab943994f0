import { createHash } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { scoreOf } from '../calibration.ts'
import { engineOf } from '../engine-choice.ts'
import { MODEL_SET_FILE, ModelSetInvalid, calibrationOf, descriptionOfSet, filesOf, parseModelSet, readModelSet } from './model-set.ts'
import type { ModelSet } from './model-set.ts'
import { TESTING_SET } from './testing/set.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'gatehouse-models-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

/** A set whose files are a few bytes each: what is verified is not what they can do. */
function prepare(): ModelSet {
  const set = structuredClone(TESTING_SET)
  for (const file of filesOf(set)) {
    const content = Buffer.from(`weights of ${file.file}`)
    writeFileSync(join(folder, file.file), content)
    Object.assign(file, { bytes: content.length, sha256: createHash('sha256').update(content).digest('hex') })
  }
  write(set)
  return set
}
const write = (set: unknown) => writeFileSync(join(folder, MODEL_SET_FILE), typeof set === 'string' ? set : JSON.stringify(set))

test('a set with all its files is read as it stands', async () => {
  const set = prepare()
  expect(await readModelSet(folder)).toEqual(set)
  expect(await engineOf(folder)).toEqual({ kind: 'onnx', folder, set })
})

test('a folder without a set, or none at all, means the built-in engine', async () => {
  expect(await engineOf(null)).toEqual({ kind: 'builtin' })
  expect(await engineOf(folder)).toEqual({ kind: 'builtin' })
  expect(await engineOf(join(folder, 'nowhere'))).toEqual({ kind: 'builtin' })
})

describe('a set that cannot be used is refused with a sentence, and no other engine runs in its place', () => {
  const { detector, embedder, liveness } = TESTING_SET
  const last = liveness!.models[1]!.file
  const files: [string, () => void, RegExp][] = [
    [
      'a missing file',
      () => rmSync(join(folder, embedder.file)),
      /retail-0095\.fp16w\.onnx is missing\. Fetch the set again with npm run models, or remove .*model\.json/,
    ],
    [
      'a file cut short',
      () => writeFileSync(join(folder, detector.file), 'weights'),
      /yunet_2023mar\.onnx has 7 bytes, but model\.json says \d+\. Remove it/,
    ],
    [
      'another file of the same size',
      () => writeFileSync(join(folder, last), 'W'.repeat(`weights of ${last}`.length)),
      /MiniFASNetV1SE\.onnx is not the file that model\.json names: its SHA-256 is another one\. Remove it/,
    ],
  ]
  test.each(files)('%s', async (_, spoil, sentence) => {
    prepare()
    spoil()
    await expect(readModelSet(folder)).rejects.toThrow(sentence)
    await expect(engineOf(folder)).rejects.toBeInstanceOf(ModelSetInvalid)
  })

  const manifests: [string, (set: ModelSet) => unknown, RegExp][] = [
    ['no JSON', () => '{ "id": ', /model\.json cannot be used: it is not JSON\. Correct it, or fetch the set again with npm run models\./],
    ['another form of file', (set) => ({ ...set, version: 2 }), /“version”/],
    ['a word nobody knows', (set) => ({ ...set, colour: 'red' }), /colour/],
    ['no embedder', ({ embedder: _, ...rest }) => rest, /“embedder”/],
    [
      'a way out of the folder',
      (set) => ({ ...set, detector: { ...set.detector, file: '../../etc/passwd' } }),
      /“detector\.file” must be a plain file name, without folders/,
    ],
    ['a hidden file', (set) => ({ ...set, detector: { ...set.detector, file: '.onnx' } }), /“detector\.file”/],
    [
      'a hash that is none',
      (set) => ({ ...set, embedder: { ...set.embedder, sha256: 'abc' } }),
      /“embedder\.sha256” must be 64 lower-case hexadecimal digits/,
    ],
    ['an address that is none', (set) => ({ ...set, embedder: { ...set.embedder, address: 'file:///etc/passwd' } }), /“embedder\.address”/],
    [
      'four points',
      (set) => ({ ...set, embedder: { ...set.embedder, landmarks: set.embedder.landmarks.slice(1) } }),
      /“embedder\.landmarks/,
    ],
    [
      'a file for two purposes',
      (set) => ({ ...set, detector: { ...set.detector, file: set.embedder.file } }),
      /names the file face-reidentification-retail-0095\.fp16w\.onnx twice/,
    ],
    [
      'a curve from loose to strict',
      (set) => ({ ...set, calibration: { ...set.calibration, curve: set.calibration.curve.toReversed() } }),
      /must go from the strictest to the loosest/,
    ],
    ['“unlike” within the curve', (set) => ({ ...set, calibration: { ...set.calibration, unlike: 0.4 } }), /“unlike” must lie beyond/],
    [
      'a rate that is none',
      (set) => ({ ...set, calibration: { ...set.calibration, recommended: { ...set.calibration.recommended, door: 0 } } }),
      /“calibration\.recommended\.door”/,
    ],
  ]
  test.each(manifests)('a manifest with %s', async (_, spoil, sentence) => {
    write(spoil(prepare()))
    const refused = readModelSet(folder)
    await expect(refused).rejects.toThrow(sentence)
    await expect(refused).rejects.toBeInstanceOf(ModelSetInvalid)
    await expect(refused).rejects.toThrow(folder)
  })

  test('no manifest, where one is asked for', async () => {
    await expect(readModelSet(folder)).rejects.toThrow(
      /model\.json cannot be read \(ENOENT\)\. Fetch the set again with npm run models, or point MODEL_DIR/,
    )
  })
})

test('cosines become distances of embeddings at unit length; distances stay as they are', () => {
  const calibration = calibrationOf(TESTING_SET)
  const [a, b] = [
    [1, 0],
    [0.419, Math.sqrt(1 - 0.419 ** 2)],
  ] as const
  const { distance } = calibration.curve.find(({ falseMatchRate }) => falseMatchRate === 1e-4)!
  expect(distance).toBeCloseTo(Math.hypot(a[0] - b[0], a[1] - b[1]), 10)
  expect(scoreOf(calibration, distance)).toBeCloseTo(80, 10)
  const curve = [
    { at: 0.4, falseMatchRate: 1e-3, falseNonMatchRate: null },
    { at: 0.6, falseMatchRate: 1e-2, falseNonMatchRate: 0.1 },
  ]
  const euclidean: ModelSet = {
    ...TESTING_SET,
    embedder: { ...TESTING_SET.embedder, metric: 'euclidean' },
    calibration: { ...TESTING_SET.calibration, curve, unlike: 1.2 },
  }
  expect(calibrationOf(euclidean)).toMatchObject({ unlike: 1.2, curve: [{ distance: 0.4 }, { distance: 0.6, falseNonMatchRate: 0.1 }] })
})

test('a set describes its engine without a model being loaded', () => {
  expect(descriptionOfSet(TESTING_SET)).toMatchObject({
    kind: 'onnx',
    modelId: 'reidentification-0095',
    dimensions: 256,
    livenessModelId: 'minifasnet-2.7-4.0',
  })
  const { liveness: _, ...without } = TESTING_SET
  expect(descriptionOfSet(without)).toMatchObject({ livenessModelId: null, licences: [{ licence: 'MIT' }, { licence: 'Apache-2.0' }] })
})

test('the set that can be fetched is whole: every file has its official address at a fixed revision', () => {
  const place = join(import.meta.dirname, '../../models/yunet-sface', MODEL_SET_FILE)
  const set = parseModelSet(readFileSync(place, 'utf8'), place)
  for (const { file, address } of filesOf(set)) {
    expect(address).toMatch(/^https:\/\/media\.githubusercontent\.com\/media\/opencv\/opencv_zoo\/[0-9a-f]{40}\//)
    expect(address!.endsWith(`/${file}`)).toBe(true)
  }
  expect(set.calibration.measured).toBe(false)
  expect(set.detector.sha256).toBe(TESTING_SET.detector.sha256)
})
