/** A set of real models for tests; they lie beside the repository and are never part of it. */
import { existsSync, mkdtempSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { MODEL_SET_FILE, filesOf } from '../model-set.ts'
import type { ModelSet } from '../model-set.ts'

const FOLDER = join(import.meta.dirname, '../../../../../../shared/models')

const share = (side: number, points: readonly (readonly [number, number])[]) =>
  points.map(([x, y]) => [x * side, y * side]) as ModelSet['embedder']['landmarks']
const bgr = { channels: 'bgr', scale: 1, mean: 0 } as const

/** YuNet, the re-identification model 0095 of Open Model Zoo and two MiniFASNets. */
export const TESTING_SET: ModelSet = {
  version: 1,
  id: 'reidentification-0095',
  name: 'YuNet, Intel 0095',
  detector: {
    kind: 'yunet',
    file: 'face_detection_yunet_2023mar.onnx',
    sha256: '8f2383e4dd3cfbb4553ea8718107fc0423210dc964f9f4280604804ed2552fa4',
    bytes: 232_589,
    licence: 'MIT',
    side: 640,
    ...bgr,
  },
  embedder: {
    file: 'face-reidentification-retail-0095.fp16w.onnx',
    sha256: 'a03e3d7da0e98d7c0b2528712b4bc36fab37c2bad592c688d75a32c99f2f9100',
    bytes: 2_253_665,
    licence: 'Apache-2.0',
    side: 128,
    ...bgr,
    landmarks: share(128, [
      [0.31557, 0.46157],
      [0.68262, 0.46157],
      [0.50026, 0.64051],
      [0.34947, 0.82469],
      [0.65344, 0.82469],
    ]),
    dimensions: 256,
    metric: 'cosine',
  },
  liveness: {
    id: 'minifasnet-2.7-4.0',
    models: [
      {
        file: '2.7_80x80_MiniFASNetV2.onnx',
        sha256: 'd9108a53590b7ca363945c9601f6b416a808ece9e8951341d7bc8265b93d41b7',
        bytes: 1_726_881,
        licence: 'Apache-2.0',
        side: 80,
        ...bgr,
        boxScale: 2.7,
        liveClass: 1,
      },
      {
        file: '4_0_0_80x80_MiniFASNetV1SE.onnx',
        sha256: '58a07fad458bba86a8e87aa285c319176cd506a9b190dc0bd825b82bc3032cfb',
        bytes: 1_723_005,
        licence: 'Apache-2.0',
        side: 80,
        ...bgr,
        boxScale: 4,
        liveClass: 1,
      },
    ],
  },
  calibration: {
    curve: [
      { at: 0.52, falseMatchRate: 1.2e-6, falseNonMatchRate: 0.08 },
      { at: 0.5, falseMatchRate: 3e-6, falseNonMatchRate: 0.07 },
      { at: 0.473, falseMatchRate: 1e-5, falseNonMatchRate: 0.06 },
      { at: 0.419, falseMatchRate: 1e-4, falseNonMatchRate: 0.031 },
      { at: 0.335, falseMatchRate: 1e-3, falseNonMatchRate: 0.016 },
      { at: 0.246, falseMatchRate: 1e-2, falseNonMatchRate: 0.009 },
      // Of 690 pairs of one person none was missed: said to be one.
      { at: 0.126, falseMatchRate: 1e-1, falseNonMatchRate: 0.0015 },
    ],
    unlike: -0.2,
    recommended: { door: 1e-5, watchList: 1e-4, search: 1e-3 },
    measured: true,
    source:
      '1,097 photographs of 420 people; at 1 in 10 and the cosine at 1 in 100, 297 photographs of 55 others; ' +
      'beyond 1 in 100,000, and what is missed there, extrapolated',
  },
}

/** Whether the models are there. */
export const hasTestingModels = filesOf(TESTING_SET).every(({ file }) => existsSync(join(FOLDER, file)))
if (!hasTestingModels) process.stdout.write(`Without ONNX models: ${FOLDER} does not hold them, tests that need them are skipped.\n`)

/** Makes a folder as MODEL_DIR expects it, of symbolic links. @param set what its `model.json` says instead */
export function testingModelDir(set: ModelSet = TESTING_SET): string {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-models-'))
  for (const { file } of filesOf(TESTING_SET)) symlinkSync(join(FOLDER, file), join(folder, file))
  writeFileSync(join(folder, MODEL_SET_FILE), JSON.stringify(set, null, 2))
  return folder
}
