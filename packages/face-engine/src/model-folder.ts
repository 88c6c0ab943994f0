/** Where the models of the better engine lie. */
import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { MODEL_SET_FILE, ModelSetInvalid } from './onnx/model-set.ts'

/**
 * The folder that was asked for; unless one was, `./models` where `npm run models` has put a set.
 * @param requested empty or undefined: nobody asked
 * @returns null: the built-in engine
 * @throws ModelSetInvalid for a folder that was asked for and holds no set: another engine would compare nobody with nobody
 */
export function modelFolder(requested: string | undefined): string | null {
  const folder = resolve(requested === undefined || requested === '' ? 'models' : requested)
  if (existsSync(join(folder, MODEL_SET_FILE))) return folder
  if (requested === undefined || requested === '') return null
  throw new ModelSetInvalid(
    `${folder} holds no set of models (${MODEL_SET_FILE}). Fetch one with npm run models -- --to ${folder}, ` +
      'or leave the folder out to use the built-in engine.',
  )
}
