/** The built-in engine: runs wherever Node runs, from packages of the registry alone. */
import type { AnalyseOptions, Box, Face, FaceEngine, Landmarks, PhotoAnalysis, Point, Timings } from '../face.ts'
import { decodePhoto } from '../photo.ts'
import type { Pixels } from '../photo.ts'
import { alignedChip } from '../warp.ts'
import { Detector } from './detector.ts'
import { findFaces, isFace } from './find.ts'
import type { Find } from './find.ts'
import { MESH, anglesOfKeypoints, anglesOfMesh, brightnessOf, lowerFaceOf, sharpnessOf, squareChip } from './measure.ts'
import { BUILTIN_DIMENSIONS, BUILTIN_MODEL } from './model.ts'
import { RecognitionNet } from './recognition.ts'

/** About 250 MB and a second to load. Use it through `FacePool` where anything else runs in the same thread. */
export class BuiltinEngine implements FaceEngine {
  readonly modelId = BUILTIN_MODEL
  readonly dimensions = BUILTIN_DIMENSIONS
  readonly #detector: Detector
  readonly #recognition: RecognitionNet

  private constructor(detector: Detector, recognition: RecognitionNet) {
    this.#detector = detector
    this.#recognition = recognition
  }

  static async load(): Promise<BuiltinEngine> {
    return new BuiltinEngine(await Detector.load(), await RecognitionNet.load())
  }

  async analyse(photo: Uint8Array, options: AnalyseOptions = {}): Promise<PhotoAnalysis> {
    const timings: Timings = { decode: 0, detect: 0, align: 0, embed: 0, total: 0 }
    const timed: Timed = async (stage, work) => {
      const start = performance.now()
      try {
        return await work()
      } finally {
        timings[stage] += performance.now() - start
      }
    }
    return { ...(await timed('total', () => this.#analyse(photo, options, timed))), timings }
  }

  async #analyse(photo: Uint8Array, { embed = 'all' }: AnalyseOptions, timed: Timed): Promise<Omit<PhotoAnalysis, 'timings'>> {
    const { pixels, scale, width, height } = await timed('decode', () => decodePhoto(photo))
    const finds = await timed('detect', () => findFaces(this.#detector, pixels))
    const faces: Face[] = []
    for (const find of finds.toSorted((a, b) => prominence(b, pixels) - prominence(a, pixels))) {
      const { chip, face } = await timed('align', () => describe(find, pixels))
      const wanted = embed === 'all' || (embed === 'first' && faces.length === 0)
      const embedding = wanted && isFace(find) ? await timed('embed', () => this.#recognition.embed(chip)) : null
      faces.push({ ...enlarged(face, scale), embedding, modelId: this.modelId })
    }
    return { width, height, faces }
  }

  /** Frees the embedding model; the tensor backend itself lives as long as its thread. */
  close(): Promise<void> {
    this.#recognition.dispose()
    return Promise.resolve()
  }
}

/** Runs one stage and adds its time to the photograph's. */
type Timed = <T>(stage: keyof Timings, work: () => T | Promise<T>) => Promise<T>

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

/** Large, certain and whole comes first: a blurred bystander cut off by the edge may be larger than the person meant. */
function prominence(find: Find, { width, height }: Pixels): number {
  const box = boxOf(find)
  const seen = (from: number, length: number, limit: number) => Math.max(0, Math.min(from + length, limit) - Math.max(from, 0)) / length
  return Math.sqrt(box.width * box.height) * find.score * seen(box.x, box.width, width) * seen(box.y, box.height, height)
}

/** From pixels decoded to pixels of the photograph. */
function enlarged(face: Described, scale: number): Described {
  const point = ({ x, y }: Point) => ({ x: x * scale, y: y * scale })
  const { box, landmarks } = face
  return {
    ...face,
    box: { x: box.x * scale, y: box.y * scale, width: box.width * scale, height: box.height * scale },
    landmarks: landmarks.map(point) as unknown as Landmarks,
  }
}
