/** What a face engine says about a photograph. All coordinates are pixels of the upright photograph, before any scaling of ours. */

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

/** In this order: right eye outer, right eye inner, left eye inner, left eye outer (right and left of the person), below the nose. */
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
}

/** Photograph in, faces out. An engine is used by one caller at a time: share it through a `FacePool`. */
export interface FaceEngine {
  readonly modelId: string
  /** Numbers in one embedding. */
  readonly dimensions: number
  /**
   * @param photo a JPEG, PNG or WebP file
   * @throws PhotoRefusal when the file cannot be taken as a photograph (unreadable, too large, too small)
   */
  analyse(photo: Uint8Array, options?: AnalyseOptions): Promise<PhotoAnalysis>
  close(): Promise<void>
}
