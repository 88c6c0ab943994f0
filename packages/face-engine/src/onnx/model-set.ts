/** A set of ONNX models in a folder: what `model.json` says of it, and whether its files are what it says. */
import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { FacePurpose } from '@gatehouse/contract/faces/precision'
import { z } from 'zod'
import type { Calibration } from '../calibration.ts'
import type { EngineDescription } from '../face.ts'

export const MODEL_SET_FILE = 'model.json'

/** A file of the set, and how it is verified and fetched. */
const modelFile = {
  /** Name in the set's folder. */
  file: z
    .string()
    .max(200)
    .regex(/^[A-Za-z0-9_][A-Za-z0-9._-]*$/, 'must be a plain file name, without folders'),
  /** Where its publisher offers it; absent where it is put there by hand. */
  address: z.url({ protocol: /^https?$/ }).optional(),
  sha256: z.string().regex(/^[0-9a-f]{64}$/, 'must be 64 lower-case hexadecimal digits'),
  bytes: z.int().positive(),
  /** Of the weights, as their publisher states it. */
  licence: z.string().min(1),
}

/** How pixels become the model's input: (value − mean) · scale, plane by plane in this order of colours. */
const input = {
  /** Of the square picture, in pixels. */
  side: z.int().min(16).max(2048),
  channels: z.enum(['rgb', 'bgr']),
  scale: z.number().positive(),
  mean: z.number(),
}

const point = z.tuple([z.number(), z.number()])
const rate = z.number().gt(0).lt(1)

const embedder = z.strictObject({
  ...modelFile,
  ...input,
  /** Where right eye, left eye, tip of the nose, right and left corner of the mouth (of the person) lie on the chip, in pixels. */
  landmarks: z.tuple([point, point, point, point, point]),
  dimensions: z.int().min(16).max(4096),
  metric: z.enum(['cosine', 'euclidean']),
})

const calibration = z.strictObject({
  /** From the strictest to the loosest: `at` is a cosine or a distance, as the embedder's metric says. */
  curve: z.array(z.strictObject({ at: z.number(), falseMatchRate: rate, falseNonMatchRate: z.number().min(0).max(1).nullable() })).min(2),
  /** Cosine or distance from which the score is 0. */
  unlike: z.number(),
  /** Rate of false matches recommended for each purpose. */
  recommended: z.strictObject({ door: rate, watchList: rate, search: rate } satisfies Record<FacePurpose, typeof rate>),
  measured: z.boolean(),
  source: z.string().min(1),
})

const modelId = z.string().regex(/^[a-z0-9][a-z0-9.-]{2,39}$/, 'must be 3 to 40 small letters, digits, dots and hyphens')

/** `model.json`: everything the engine has to know of the models, so that other models need no other code. */
export const modelSetSchema = z.strictObject({
  /** Of this form of file. */
  version: z.literal(1),
  /** Names the embedding. Whatever changes its numbers (weights, chip, pre-processing) needs another id. */
  id: modelId,
  name: z.string().min(1).max(100),
  detector: z.strictObject({ kind: z.literal('yunet'), ...modelFile, ...input }),
  embedder,
  /** Tells living faces from pictures: the mean of what the models say. */
  liveness: z
    .strictObject({
      id: modelId,
      models: z
        .array(
          z.strictObject({
            ...modelFile,
            ...input,
            /** Side of what is cut out, in face boxes. */
            boxScale: z.number().min(1).max(8),
            /** Which of the model's classes is the living face. */
            liveClass: z.int().min(0),
          }),
        )
        .min(1),
    })
    .optional(),
  calibration,
})
export type ModelSet = z.output<typeof modelSetSchema>
export type Detecting = ModelSet['detector']
export type Embedding = ModelSet['embedder']
export type LivenessModel = NonNullable<ModelSet['liveness']>['models'][number]

/** A folder whose set cannot be used; the sentence says to a person at a terminal which file, what is wrong and what to do. */
export class ModelSetInvalid extends Error {
  override readonly name = 'ModelSetInvalid'
}

/** Every model file of a set, in the order it is used. */
export const filesOf = ({ detector, embedder: recognition, liveness }: ModelSet) => [detector, recognition, ...(liveness?.models ?? [])]

/**
 * Reads and verifies a set: the manifest's form, and each file's size and hash.
 * @throws ModelSetInvalid
 */
export async function readModelSet(folder: string): Promise<ModelSet> {
  const set = parseModelSet(await manifestOf(folder), join(folder, MODEL_SET_FILE))
  for (const file of filesOf(set)) await verify(folder, file)
  return set
}

/**
 * The set a manifest describes, its files unseen.
 * @param text of the file
 * @param place where the text comes from, for the sentence
 * @throws ModelSetInvalid
 */
export function parseModelSet(text: string, place: string): ModelSet {
  const wrong = (what: string) =>
    new ModelSetInvalid(`${place} cannot be used: ${what}. Correct it, or fetch the set again with npm run models.`)
  let content: unknown
  try {
    content = JSON.parse(text)
  } catch {
    throw wrong('it is not JSON')
  }
  const { success, data, error } = modelSetSchema.safeParse(content)
  if (!success) {
    const { path, message } = error.issues[0]!
    throw wrong(path.length > 0 ? `“${path.join('.')}” ${uncapitalised(message)}` : uncapitalised(message))
  }
  const names = filesOf(data).map(({ file }) => file)
  const twice = names.find((name, i) => names.indexOf(name) !== i)
  if (twice) throw wrong(`it names the file ${twice} twice`)
  const { curve, unlike } = calibrationOf(data)
  const rises = (numbers: number[]) => numbers.every((number, i) => i === 0 || number > numbers[i - 1]!)
  if (!rises([...curve.map(({ distance }) => distance), unlike]) || !rises(curve.map(({ falseMatchRate }) => falseMatchRate))) {
    throw wrong(
      'the points of “calibration.curve” must go from the strictest to the loosest, each with a higher rate of ' +
        'false matches, and “unlike” must lie beyond',
    )
  }
  return data
}

const uncapitalised = (message: string) => message.charAt(0).toLowerCase() + message.slice(1)

function manifestOf(folder: string): Promise<string> {
  return readFile(join(folder, MODEL_SET_FILE), 'utf8').catch((error: unknown) => {
    const reason = (error as NodeJS.ErrnoException).code
    const remedy = 'Fetch the set again with npm run models, or point MODEL_DIR at the folder that holds one.'
    throw new ModelSetInvalid(`${join(folder, MODEL_SET_FILE)} cannot be read (${reason}). ${remedy}`, { cause: error })
  })
}

async function verify(folder: string, { file, sha256, bytes }: { file: string; sha256: string; bytes: number }): Promise<void> {
  const path = join(folder, file)
  const remedy = 'Remove it and fetch the set again with npm run models.'
  const size = await stat(path).then(
    (found) => found.size,
    () => null,
  )
  if (size === null) {
    const manifest = join(folder, MODEL_SET_FILE)
    throw new ModelSetInvalid(
      `${path} is missing. Fetch the set again with npm run models, or remove ${manifest} to go on with the built-in engine.`,
    )
  }
  if (size !== bytes) throw new ModelSetInvalid(`${path} has ${size} bytes, but ${MODEL_SET_FILE} says ${bytes}. ${remedy}`)
  const hash = createHash('sha256')
  try {
    for await (const chunk of createReadStream(path)) hash.update(chunk as Buffer)
  } catch (error) {
    throw new ModelSetInvalid(`${path} cannot be read (${(error as NodeJS.ErrnoException).code}). ${remedy}`, { cause: error })
  }
  if (hash.digest('hex') !== sha256)
    throw new ModelSetInvalid(`${path} is not the file that ${MODEL_SET_FILE} names: its SHA-256 is another one. ${remedy}`)
}

/** The set's curve in euclidean distances: of embeddings at unit length, d² = 2 − 2·cos. */
export function calibrationOf({ embedder: { metric }, calibration: { curve, unlike, ...rest } }: ModelSet): Calibration {
  const distanceAt = (at: number) => (metric === 'cosine' ? Math.sqrt(Math.max(0, 2 - 2 * at)) : at)
  return { ...rest, curve: curve.map(({ at, ...rates }) => ({ distance: distanceAt(at), ...rates })), unlike: distanceAt(unlike) }
}

/** The engine a set makes, without loading a model. */
export function descriptionOfSet(set: ModelSet): EngineDescription {
  const { id, name, detector, embedder: recognition, liveness } = set
  return {
    kind: 'onnx',
    modelId: id,
    name,
    dimensions: recognition.dimensions,
    calibration: calibrationOf(set),
    livenessModelId: liveness?.id ?? null,
    licences: [detector, recognition, ...(liveness?.models ?? [])].map(({ file, licence }) => ({ part: file, licence })),
  }
}
