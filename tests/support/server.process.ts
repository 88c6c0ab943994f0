/** A server on a given database, folder and ports, for tests that kill it. */
import { FacePool, descriptionOf, engineOf } from '@gatehouse/face-engine'
import { readConfig } from '@gatehouse/server/config'
import { startServer } from '@gatehouse/server/server'

const config = readConfig()
// Models in the working directory are ignored: without a folder of its own a test means the built-in engine.
const choice = await engineOf((process.env['MODEL_DIR'] ?? '') === '' ? null : config.modelDir)
const description = descriptionOf(choice)

let engine: FacePool | undefined
/** Started with the first photo: most of these servers never get one, and are killed before an engine has loaded. */
const pool = () => (engine ??= new FacePool({ engine: choice, workers: 1 }))
const facePool: Pick<FacePool, 'modelId' | 'dimensions' | 'description' | 'ready' | 'analyse' | 'close'> = {
  modelId: description.modelId,
  dimensions: description.dimensions,
  description,
  ready: () => pool().ready(),
  analyse: (photo, options) => pool().analyse(photo, options),
  close: async () => engine?.close(),
}

const [connectionString = ''] = process.argv.slice(2)
const { port, mqttPort } = await startServer({ config, connectionString, facePool: facePool as FacePool })
process.stdout.write(`${JSON.stringify({ answer: { port, mqttPort } })}\n`)
