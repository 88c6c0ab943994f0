/** A server on the database, folder and ports it is given, for tests that kill it. */
import { BUILTIN_DIMENSIONS, BUILTIN_ENGINE, BUILTIN_MODEL, FacePool } from '@gatehouse/face-engine'
import { readConfig } from '@gatehouse/server/config'
import { startServer } from '@gatehouse/server/server'

let engine: FacePool | undefined
/** Started with the first photograph: most of these servers never see one, and are killed before an engine has loaded. */
const pool = () => (engine ??= new FacePool({ workers: 1 }))
const facePool: Pick<FacePool, 'modelId' | 'dimensions' | 'description' | 'ready' | 'analyse' | 'close'> = {
  modelId: BUILTIN_MODEL,
  dimensions: BUILTIN_DIMENSIONS,
  description: BUILTIN_ENGINE,
  ready: () => pool().ready(),
  analyse: (photo, options) => pool().analyse(photo, options),
  close: async () => engine?.close(),
}

const [connectionString = ''] = process.argv.slice(2)
const { port, mqttPort } = await startServer({ config: readConfig(), connectionString, facePool: facePool as FacePool })
process.stdout.write(`${JSON.stringify({ answer: { port, mqttPort } })}\n`)
