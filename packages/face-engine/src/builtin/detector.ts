/** Face boxes, keypoints and the 468-point mesh of one picture: BlazeFace and FaceMesh as `@vladmandic/human` runs them. */
import { pathToFileURL } from 'node:url'
import { join } from 'node:path'
import type { Point } from '../face.ts'
import { humanPath, load, prepareTensors, tf, wasmFolder } from './wasm.ts'

/** Side of the square picture that is searched. Smaller costs accuracy: mesh points come as whole pixels. */
export const VIEW_SIDE = 640

/** A place that may be a face, in pixels of the view. */
export interface Sighting {
  /** The detector's own score, 0 to 1. */
  score: number
  /** How sure the mesh model is that it looks at a face, 0 to 1. */
  meshScore: number
  centre: Point
  /** Side of the square the mesh model looked at, about 1.6 times the face. */
  side: number
  /**
   * Six points of the detector: right eye, left eye, nose, mouth, right ear, left ear (right and left of the person);
   * null once there is a mesh.
   */
  keypoints: Point[] | null
  /** x, y and depth (smaller is nearer, same unit) of 468 points; null when the mesh model saw no face. */
  mesh: { x: number; y: number; z: number }[] | null
}

/** The part of the package's result that is read here. */
interface HumanFace {
  boxScore: number
  faceScore: number
  box: [number, number, number, number]
  size: [number, number]
  mesh: [number, number, number?][]
}
interface Human {
  load(): Promise<void>
  detect(input: unknown): Promise<{ error?: string | null; face: HumanFace[] }>
}

/** Input side of the mesh model; depths come in this unit, whatever the face's size. */
const MESH_INPUT = 192
const MESH_POINTS = 468

const off = { enabled: false }
const CONFIGURATION = {
  backend: 'wasm',
  wasmPath: wasmFolder,
  modelBasePath: pathToFileURL(join(humanPath, '../../models/')).href,
  async: false,
  debug: false,
  // Every photograph is looked at afresh: nothing of the last one may show in the next.
  cacheSensitivity: 0,
  skipAllowed: false,
  filter: off,
  gesture: off,
  body: off,
  hand: off,
  object: off,
  segmentation: off,
  face: {
    enabled: true,
    // Low on purpose: what is weak here is looked at again, closer.
    detector: { rotation: true, maxDetected: 20, minConfidence: 0.2, skipFrames: 0, skipTime: 0, return: false },
    mesh: { enabled: true, keepInvalid: true },
    attention: off,
    iris: off,
    emotion: off,
    description: off,
    antispoof: off,
    liveness: off,
  },
}

export class Detector {
  readonly #human: Human

  private constructor(human: Human) {
    this.#human = human
  }

  static async load(): Promise<Detector> {
    prepareTensors()
    const { default: HumanClass } = load(humanPath) as { default: new (configuration: unknown) => Human }
    const human = new HumanClass(CONFIGURATION)
    await human.load()
    return new Detector(human)
  }

  /** @param view `VIEW_SIDE` × `VIEW_SIDE` × red, green, blue */
  async search(view: Uint8Array): Promise<Sighting[]> {
    const input = tf.tensor4d(view, [1, VIEW_SIDE, VIEW_SIDE, 3], 'int32')
    try {
      const { face, error } = await this.#human.detect(input)
      if (error) throw new Error(`face detection failed: ${error}`)
      return face.map(sightingOf)
    } finally {
      input.dispose()
    }
  }
}

function sightingOf({ boxScore, faceScore, box, size, mesh }: HumanFace): Sighting {
  const side = Math.max(...size)
  const seen = { score: boxScore, meshScore: faceScore, side }
  if (mesh.length !== MESH_POINTS) {
    const keypoints = mesh.map(([x, y]) => ({ x, y }))
    const [rightEye, leftEye, , mouth] = keypoints as [Point, Point, Point, Point]
    const centre = { x: (rightEye.x + leftEye.x + 2 * mouth.x) / 4, y: (rightEye.y + leftEye.y + 2 * mouth.y) / 4 }
    return { ...seen, centre, keypoints, mesh: null }
  }
  const depth = side / MESH_INPUT
  const points = mesh.map(([x, y, z = 0]) => ({ x, y, z: z * depth }))
  return { ...seen, centre: { x: box[0] + box[2] / 2, y: box[1] + box[3] / 2 }, keypoints: null, mesh: points }
}
