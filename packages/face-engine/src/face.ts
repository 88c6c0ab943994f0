/** What a face engine says about a photograph. All coordinates are pixels of the upright photograph, before any scaling of ours. */
import type { Calibration } from './calibration.ts'

export interface Point {
  x: number
  y: number
}

export interface Box {
  x: number
  y: number
  width: number
  height: number
}

/**
 * Five points the face was aligned by; which ones, depends on the engine (right and left of the person). Built in: right eye outer, right
 * eye inner, left eye inner, left eye outer, below the nose. ONNX: right eye, left eye, tip of the nose, right and
 * left corner of the mouth.
 */
export type Landmarks = readonly [Point, Point, Point, Point, Point]

export interface Face {
  /** Tight box of the face: brow to chin, ear to ear. */
  box: Box
  landmarks: Landmarks
  /** Degrees; 0 is upright, straight into the camera. `roll` is positive when the head leans to the picture's right. */
  roll: number
  /** Degrees; positive when the head turns towards the picture's right. */
  yaw: number
  /** Degrees; positive when the head looks up. */
  pitch: number
  /**
   * Variance of the second difference on the aligned face: ordinary photographs have 4 to 70, blurred ones 1 or less. Falls with size
   * and darkness too.
   */
  sharpness: number
  /** Mean luma of the aligned face, 0 (black) to 255. */
  brightness: number
  /** How much of the lower face is visible, 0 (covered) to 1. */
  lowerFace: number
  /** How sure the detector is that this is a human face, 0 to 1. */
  score: number
  /** How sure the engine is that a live person was before the camera, 0 to 1; absent where the engine cannot tell. */
  livenessScore?: number
  /** The face as a vector; null when none was asked for, or none can be made of this face. */
  embedding: Float32Array | null
  /** The model that made the embedding. Embeddings of different models are never compared. */
  modelId: string
}

/** Milliseconds of each step; `total` is measured around all of them. */
export interface Timings {
  decode: number
  detect: number
  align: number
  embed: number
  /** 0 unless asked for. */
  liveness: number
  total: number
}

export interface PhotoAnalysis {
  /** Of the upright photograph. */
  width: number
  height: number
  /** Most prominent first: large, certain and whole. */
  faces: Face[]
  timings: Timings
}

export interface AnalyseOptions {
  /** Which faces get an embedding; the first is enough before a camera. Default `all`. */
  embed?: 'all' | 'first' | 'none'
  /** Also say how sure the engine is that the first face is a living one; an engine that cannot tell leaves it out. */
  liveness?: boolean
  /**
   * `quick` looks once at the whole picture, for frames of a video: what one of them leaves in doubt, the next ones tell. Default
   * `thorough`: small, odd and missing faces are looked for again.
   */
  search?: 'thorough' | 'quick'
}

/** An engine as it is shown and chosen: known without loading a model. */
export interface EngineDescription {
  kind: 'builtin' | 'onnx'
  /** Names the embedding; two engines with one model id make comparable embeddings. */
  modelId: string
  /** As people call it. */
  name: string
  /** Numbers in one embedding. */
  dimensions: number
  calibration: Calibration
  /** Names what tells living faces from pictures; null: the engine cannot tell. */
  livenessModelId: string | null
  licences: readonly { part: string; licence: string }[]
}

/** Photograph in, faces out. An engine is used by one caller at a time: share it through a `FacePool`. */
export interface FaceEngine {
  readonly modelId: string
  /** Numbers in one embedding. */
  readonly dimensions: number
  readonly description: EngineDescription
  /**
   * @param photo a JPEG, PNG or WebP file
   * @throws PhotoRefusal when the file cannot be taken as a photograph (unreadable, too large, too small)
   */
  analyse(photo: Uint8Array, options?: AnalyseOptions): Promise<PhotoAnalysis>
  close(): Promise<void>
}
