/** Which engine runs: the built-in one, or the models of a folder. */
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { BUILTIN_ENGINE } from './builtin/model.ts'
import type { EngineDescription, FaceEngine } from './face.ts'
import { MODEL_SET_FILE, descriptionOfSet, readModelSet } from './onnx/model-set.ts'
import type { ModelSet } from './onnx/model-set.ts'

/** Plain data: it travels to worker threads. */
export type EngineChoice = { kind: 'builtin' } | { kind: 'onnx'; folder: string; set: ModelSet }

/**
 * The engine of a folder: the models it holds, verified, or the built-in engine where it holds no `model.json` (or is not there).
 * @throws ModelSetInvalid when there is a set and it cannot be used: going on with another engine would compare nobody with nobody
 */
export async function engineOf(modelDir: string | null): Promise<EngineChoice> {
  if (modelDir === null) return { kind: 'builtin' }
  const isThere = await stat(join(modelDir, MODEL_SET_FILE)).then(
    () => true,
    (error: NodeJS.ErrnoException) => error.code !== 'ENOENT' && error.code !== 'ENOTDIR',
  )
  return isThere ? { kind: 'onnx', folder: modelDir, set: await readModelSet(modelDir) } : { kind: 'builtin' }
}

/** The engine as it is shown, without loading a model. */
export const descriptionOf = (choice: EngineChoice): EngineDescription =>
  choice.kind === 'builtin' ? BUILTIN_ENGINE : descriptionOfSet(choice.set)

/** Loads the models. Neither engine's packages are touched when the other is chosen. */
export async function loadEngine(choice: EngineChoice): Promise<FaceEngine> {
  if (choice.kind === 'builtin') return await (await import('./builtin/engine.ts')).BuiltinEngine.load()
  return await (await import('./onnx/engine.ts')).OnnxEngine.load(choice.folder, choice.set)
}
