/** A server on the database, folder and ports it is given, for tests that kill it. */
import { FacePool } from '@gatehouse/face-engine'
import { readConfig } from '@gatehouse/server/config'
import { startServer } from '@gatehouse/server/server'

const [connectionString = ''] = process.argv.slice(2)
const facePool = new FacePool({ workers: 1 })
const server = await startServer({ config: readConfig(), connectionString, facePool })
process.stdout.write(`${JSON.stringify({ port: server.port, mqttPort: server.mqttPort })}\n`)
