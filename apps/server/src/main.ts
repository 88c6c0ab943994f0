/** `npm run serve`: the server in production. */
import { readConfig } from './config.ts'
import { databaseNotice } from './database-notice.ts'
import { encryptionNotice } from './encryption-notice.ts'
import { restartProgram } from './platform/restart.ts'
import { startEmbeddedPostgres } from './platform/postgres/embedded.ts'
import { assertFree } from './platform/http/ports.ts'
import { lockDataDirectory } from './platform/postgres/lock.ts'
import { startServer } from './server.ts'

const say = (text: string) => process.stdout.write(`${text}\n`)
const log = { debug: () => {}, info: say, warn: say, error: say }

try {
  const config = readConfig()
  await assertFree(config.port, config.host, 'PORT')
  // The embedded database locks the directory itself; with another one the files still need it.
  const lock = config.databaseUrl === null ? null : lockDataDirectory(config.dataDir)
  const postgres = config.databaseUrl === null ? await startEmbeddedPostgres({ dataDir: config.dataDir, log }) : null
  const server = await startServer({
    config,
    connectionString: config.databaseUrl ?? postgres!.connectionString,
    onRestart: () => void end(restartProgram),
  })
  say(`Gatehouse answers at ${server.url}`)
  for (const line of encryptionNotice(config, server.platform.transport.certificate)) say(line)
  for (const line of await databaseNotice(config, server.platform.db)) say(line)
  const { kind, name, modelId } = server.contexts.faces.service.description
  const limit = kind === 'builtin' ? ', for some hundreds of people; npm run models gets the one for thousands' : ''
  say(`Face engine: ${name} (${modelId})${limit}`)
  if (server.initialPassword !== null) say(`Administrator: admin\nPassword: ${server.initialPassword}`)

  let ending = false
  async function end(last: () => never): Promise<void> {
    if (ending) return
    ending = true
    await server.stop()
    await postgres?.stop()
    lock?.release()
    last()
  }
  const leave = (): never => process.exit(0)
  process.on('SIGINT', () => void end(leave))
  process.on('SIGTERM', () => void end(leave))
} catch (error) {
  say(`Gatehouse did not start: ${error instanceof Error ? error.message : String(error)}`)
  process.exit(1)
}
