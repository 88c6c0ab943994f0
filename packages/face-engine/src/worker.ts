/** A worker thread of `FacePool`: one engine, one photograph at a time. */
import { workerData } from 'piscina'
import { loadEngine } from './engine-choice.ts'
import type { AnalyseOptions, Box, PhotoAnalysis } from './face.ts'
import { PhotoRefusal } from './refusal.ts'
import type { Measured, RefusalReason } from './refusal.ts'
import { STARTED, THROUGH } from './worker-setting.ts'
import type { WorkerSetting } from './worker-setting.ts'

export type WorkerTask = { kind: 'ready' } | { kind: 'analyse'; photo: Uint8Array; options: AnalyseOptions }
/** A refusal travels as data: a thrown error would arrive without its class. */
export type WorkerAnswer =
  | { kind: 'ready' }
  | { kind: 'analysed'; analysis: PhotoAnalysis }
  | { kind: 'refused'; reason: RefusalReason; measured: Measured; faces: readonly Box[] }

const { engine: choice, loads } = workerData as WorkerSetting
Atomics.add(loads, STARTED, 1)
const engine = await loadEngine(choice).finally(() => {
  Atomics.add(loads, THROUGH, 1)
  Atomics.notify(loads, THROUGH)
})

export default async function work(task: WorkerTask): Promise<WorkerAnswer> {
  if (task.kind === 'ready') return { kind: 'ready' }
  try {
    return { kind: 'analysed', analysis: await engine.analyse(task.photo, task.options) }
  } catch (error) {
    if (error instanceof PhotoRefusal) return { kind: 'refused', reason: error.reason, measured: error.measured, faces: error.faces }
    throw error
  }
}
