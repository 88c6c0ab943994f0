/** The built-in engine: runs wherever Node runs, from packages of the registry alone. */
import { enlarged, prominence, timedAnalysis } from '../analysis.ts'
import type { Timed } from '../analysis.ts'
import type { AnalyseOptions, Box, Face, FaceEngine, Landmarks, PhotoAnalysis, Point } from '../face.ts'
import { decodePhoto } from '../photo.ts'
import type { Pixels } from '../photo.ts'
import { alignedChip } from '../warp.ts'
import { DescriptionNet, describedCrop } from './description.ts'
import { Detector } from './detector.ts'
import { embeddingOf } from './embedding.ts'
import { findFaces, isFace } from './find.ts'
import type { Find } from './find.ts'
import { MESH, anglesOfKeypoints, anglesOfMesh, brightnessOf, lowerFaceOf, sharpnessOf, squareChip } from './measure.ts'
import { BUILTIN_DIMENSIONS, BUILTIN_ENGINE, BUILTIN_MODEL } from './model.ts'
import { RecognitionNet } from './recognition.ts'

/** About 250 MB and a second to load. Use it through `FacePool` where anything else runs in the same thread. */
export class BuiltinEngine implements FaceEngine {
  readonly modelId = BUILTIN_MODEL
  readonly dimensions = BUILTIN_DIMENSIONS
  readonly description = BUILTIN_ENGINE
  readonly #detector: Detector
  readonly #recognition: RecognitionNet
  readonly #description: DescriptionNet

  private constructor(detector: Detector, recognition: RecognitionNet, description: DescriptionNet) {
    this.#detector = detector
    this.#recognition = recognition
    this.#description = description
  }

  static async load(): Promise<BuiltinEngine> {
    return new BuiltinEngine(await Detector.load(), await RecognitionNet.load(), await DescriptionNet.load())
  }

  analyse(photo: Uint8Array, options: AnalyseOptions = {}): Promise<PhotoAnalysis> {
    return timedAnalysis((timed) => this.#analyse(photo, options, timed))
  }

  async #analyse(
    photo: Uint8Array,
    { embed = 'all', search = 'thorough' }: AnalyseOptions,
    timed: Timed,
  ): Promise<Omit<PhotoAnalysis, 'timings'>> {
    const { pixels, scale, width, height } = await timed('decode', () => decodePhoto(photo))
    const finds = await timed('detect', () => findFaces(this.#detector, pixels, search))
    const faces: Face[] = []
    const prominenceOf = (find: Find) => prominence({ box: boxOf(find), score: find.score }, pixels)
    for (const find of finds.toSorted((a, b) => prominenceOf(b) - prominenceOf(a))) {
      const { chip, face } = await timed('align', () => describe(find, pixels))
      const isEmbedded = embed === 'all' || (embed === 'first' && faces.length === 0)
      const embedding = isEmbedded && isFace(find) ? await timed('embed', () => this.#embed(chip, pixels, face.landmarks)) : null
      faces.push({ ...enlarged(face, scale), embedding, modelId: this.modelId })
    }
    return { width, height, faces }
  }

  async #embed(chip: Uint8Array, pixels: Pixels, landmarks: Landmarks): Promise<Float32Array> {
    return embeddingOf(await this.#recognition.embed(chip), await this.#description.describe(describedCrop(pixels, landmarks)))
  }

  /** Frees the embedding models; the tensor backend itself lives as long as its thread. */
  close(): Promise<void> {
    this.#recognition.dispose()
    this.#description.dispose()
    return Promise.resolve()
  }
}

type Described = Omit<Face, 'embedding' | 'modelId'>

/** A face's measures, in pixels of the decoded photograph, and the chip they were taken from. */
function describe(find: Find, pixels: Pixels): { chip: Uint8Array; face: Described } {
  const landmarks = landmarksOf(find)
  const chip = find.mesh ? alignedChip(pixels, landmarks) : squareChip(pixels, find)
  return {
    chip,
    face: {
      box: boxOf(find),
      landmarks,
      ...(find.mesh ? anglesOfMesh(find.mesh) : anglesOfKeypoints(find.keypoints!)),
      sharpness: sharpnessOf(chip),
      brightness: brightnessOf(chip),
      lowerFace: find.mesh ? lowerFaceOf(chip) : 1,
      score: find.score,
    },
  }
}

/** Without a mesh the eyes' corners are unknown: both stand at the eye's middle. */
function landmarksOf({ mesh, keypoints }: Find): Landmarks {
  const at = ({ x, y }: Point) => ({ x, y })
  if (mesh) {
    const { rightEyeOuter, rightEyeInner, leftEyeInner, leftEyeOuter, belowNose } = MESH
    return [at(mesh[rightEyeOuter]!), at(mesh[rightEyeInner]!), at(mesh[leftEyeInner]!), at(mesh[leftEyeOuter]!), at(mesh[belowNose]!)]
  }
  const [right, left, nose] = keypoints as [Point, Point, Point]
  return [right, right, left, left, nose]
}

function boxOf({ mesh, centre, side }: Find): Box {
  if (!mesh) {
    const tight = side / 1.6
    return { x: centre.x - tight / 2, y: centre.y - tight / 2, width: tight, height: tight }
  }
  const xs = mesh.map(({ x }) => x)
  const ys = mesh.map(({ y }) => y)
  const [left, top] = [Math.min(...xs), Math.min(...ys)]
  return { x: left, y: top, width: Math.max(...xs) - left, height: Math.max(...ys) - top }
}
