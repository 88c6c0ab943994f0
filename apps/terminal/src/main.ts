/** `npm run terminal`: one terminal until Ctrl-C. */
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { engineOf, FacePool } from '@gatehouse/face-engine'
import { modelFolder } from '@gatehouse/face-engine/model-folder'
import { ModelSetInvalid } from '@gatehouse/face-engine/onnx/model-set'
import { startTerminal, StoreUnusable } from './terminal.ts'

const USAGE = `Usage: npm run terminal -- --server http://HOST:8080 --code CODE --secret SECRET
  --data DIR       folder for what the terminal keeps (default: data/terminal-CODE)
  --port PORT      port of its screen and of POST /frame (default: 8081)
  --host ADDRESS   address it listens on (default: 127.0.0.1)
  --models DIR     folder of a set of face models (default: MODEL_DIR, else ./models where npm run models put one)
  --allow-frames   take pictures from other machines too, and show them who passes

Code and secret are shown once, when the device is added on the server's device list.`

const fail = (sentence: string): never => {
  console.error(sentence)
  process.exit(1)
}

function readArguments() {
  try {
    const { values } = parseArgs({
      options: {
        server: { type: 'string' },
        code: { type: 'string' },
        secret: { type: 'string' },
        data: { type: 'string' },
        port: { type: 'string', default: '8081' },
        host: { type: 'string', default: '127.0.0.1' },
        models: { type: 'string', default: process.env['MODEL_DIR'] ?? '' },
        'allow-frames': { type: 'boolean', default: false },
        help: { type: 'boolean', short: 'h', default: false },
      },
    })
    return values
  } catch (error) {
    return fail(`${(error as Error).message}\n\n${USAGE}`)
  }
}

const values = readArguments()
if (values.help) {
  console.log(USAGE)
  process.exit(0)
}
const { server, code, secret, host } = values
if (!server || !code || !secret) fail(`--server, --code and --secret are needed.\n\n${USAGE}`)
if (!URL.canParse(server!)) fail(`--server ${server} is no address; it looks like http://192.168.1.10:8080.`)
const port = Number(values.port)
if (!Number.isInteger(port) || port < 0 || port > 65_535) fail(`--port ${values.port} is no port.`)

try {
  const pool = new FacePool({ engine: await engineOf(modelFolder(values.models)), workers: 1 })
  const terminal = await startTerminal({
    pool,
    server: server!,
    code: code!,
    secret: secret!,
    host,
    port,
    dataDir: values.data ?? join('data', `terminal-${encodeURIComponent(code!)}`),
    allowFrames: values['allow-frames'],
    log: (sentence) => console.log(`${new Date().toISOString()} ${sentence}`),
  })
  console.log(`Terminal "${code}" shows its screen at ${terminal.url}`)
  const stop = () => void terminal.stop().then(() => process.exit(0))
  process.once('SIGINT', stop)
  process.once('SIGTERM', stop)
} catch (error) {
  if (error instanceof StoreUnusable || error instanceof ModelSetInvalid || error instanceof TypeError) fail(error.message)
  if ((error as { code?: unknown }).code === 'EADDRINUSE') fail(`Port ${port} is taken. Stop the program that uses it, or choose another with --port.`)
  throw error
}
