/** What `FacePool` gives its workers. */
import type { EngineChoice } from './engine-choice.ts'

export interface WorkerSetting {
  engine: EngineChoice
  /** How many workers began to load models, and how many are through with it, whatever came of it. */
  loads: Int32Array<SharedArrayBuffer>
}

/** Places in `loads`. */
export const STARTED = 0
export const THROUGH = 1
