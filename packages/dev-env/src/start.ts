/** `npm start`: server, database, broker, one software terminal and a demo campus on this machine, until Ctrl-C. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { engineOf, FacePool, type EngineDescription } from '@gatehouse/face-engine'
import { configOf, type Config } from '@gatehouse/server/config'
import { encryptionNotice } from '@gatehouse/server/encryption-notice'
import { readEnvironment } from '@gatehouse/server/environment'
import { restartProgram } from '@gatehouse/server/platform/restart'
import { assertFree } from '@gatehouse/server/platform/http/ports'
import { startEmbeddedPostgres } from '@gatehouse/server/platform/postgres/embedded'
import { lockDataDirectory } from '@gatehouse/server/platform/postgres/lock'
import { startServer, type Server } from '@gatehouse/server/server'
import { contradictions } from '@gatehouse/server/variables'
import { startTerminal, type Terminal } from '@gatehouse/terminal'
import { demoCampusOf, startDemo, type Demo } from './demo/demo.ts'
import { letGo, stoppedOnce } from './demo/let-go.ts'
import { startVariables } from './start-variables.ts'

const startedAt = performance.now()
const stopping = new AbortController()
const say = (text = '') => process.stdout.write(`${text}\n`)
const seconds = () => ((performance.now() - startedAt) / 1000).toFixed(1)
const step = (text: string) => stopping.signal.aborted || say(`${seconds().padStart(6)} s  ${text}`)
const fact = (name: string, text: string) => say(`  ${name.padEnd(15)}${text}`)

const STEPS: Record<string, string> = {
  database: 'bringing the database up to date',
  contexts: 'loading what the server keeps in memory',
  broker: 'starting the message broker',
  listening: 'opening the server',
}

/** Functions that end what has been started, in the order of starting. */
const running: (() => Promise<unknown>)[] = []

/** Wait for a part to start. If everything is ended meanwhile, that waits for the part too and then stops it. */
async function part<T>(starting: Promise<T>, stop: (started: T) => Promise<unknown>): Promise<T> {
  running.push(() => starting.then(stop, () => {}))
  const started = await starting
  stopping.signal.throwIfAborted()
  return started
}

async function stopAll(): Promise<void> {
  stopping.abort()
  for (const stop of running.toReversed()) await stop().catch((error: unknown) => say(String(error)))
}

async function end(code: number): Promise<never> {
  await stopAll()
  process.exit(code)
}

function onRestart(): void {
  if (stopping.signal.aborted) return
  say('\nStarting again.')
  void stopAll().then(restartProgram)
}

function onSignal(): void {
  // A second request exits at once; the database has its own guard and recovers.
  if (stopping.signal.aborted) process.exit(130)
  say('\nStopping.')
  void end(0)
}

function printPassword(config: Config, isFirst: boolean, made: string | null): void {
  fact('Administrator', 'admin')
  if (made !== null) fact('Password', `${made}   (shown this once: write it down)`)
  else if (isFirst && config.adminPassword !== null) fact('Password', 'the one in ADMIN_PASSWORD')
  else fact('Password', 'the one you set or received at the first start')
}

const sentenceOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

/** The server does not depend on the demo: report a failure of the demo in one sentence and go on without it. */
async function unlessFailing<T>(what: string, work: () => Promise<T>): Promise<T | null> {
  try {
    return await work()
  } catch (error) {
    stopping.signal.throwIfAborted()
    step(`${what}: ${sentenceOf(error)}`)
    return null
  }
}

const openDemo = (server: Server): Promise<Demo | null> =>
  unlessFailing('the demo campus is not complete, and the next start goes on with it', async () => {
    const campus = await demoCampusOf(server)
    if (campus === null) return null
    step('preparing the demo campus')
    const demo = await part(startDemo(server, campus, stopping.signal), async (started) => started?.stop())
    if (demo === null) step('the demo campus was removed')
    return demo
  })

/** Make the rest of the demo, continue its day, and stop its terminal when the demo is removed. */
async function goOnWith(demo: Demo, terminal: Terminal | null): Promise<void> {
  demo.removed
    .then(async () => {
      step('the demo campus was removed')
      if (terminal !== null) await letGo(terminal, stopping.signal)
    })
    .catch((error: unknown) => step(`the terminal of the demo did not end: ${sentenceOf(error)}`))
  let printed = 0
  const outcome = await unlessFailing('the demo campus is not complete, and the next start goes on with it', () =>
    demo.fill(({ done, total }) => {
      const quarter = Math.floor((4 * done) / total)
      if (quarter > printed) step(done === total ? 'the demo campus is complete' : `demo campus: ${Math.round((100 * done) / total)} %`)
      printed = Math.max(printed, quarter)
    }, step),
  )
  if (outcome !== 'complete') return
  step('its day goes on: people come and go until Ctrl-C')
  await unlessFailing('the day of the demo campus has ended', () => demo.live(step))
}

/** Return which engine runs, and how to get the better one. */
const engineInWords = ({ kind, modelId, name }: EngineDescription): string =>
  kind === 'builtin'
    ? `built in (${modelId}), for some hundreds of people; npm run models gets the one for thousands`
    : `${name} (${modelId})`

async function start(): Promise<void> {
  const environment = { HOST: '127.0.0.1', SEED: 'demo', LOG_LEVEL: 'warn', ...process.env }
  const { TERMINAL_PORT: terminalPort, ...set } = readEnvironment(startVariables, environment, contradictions)
  const config = configOf(set)
  const isFirst = !existsSync(join(config.dataDir, 'secrets', 'broker.key'))
  say(`Gatehouse starts; its data is in ${config.dataDir}.`)

  const lock = lockDataDirectory(config.dataDir)
  running.push(async () => lock.release())
  await assertFree(config.port, config.host, 'PORT')
  await assertFree(terminalPort, '127.0.0.1', 'TERMINAL_PORT')

  let connectionString = config.databaseUrl
  if (connectionString === null) {
    step(isFirst ? 'making the database' : 'starting the database')
    const log = { debug: () => {}, info: step, warn: step, error: step }
    const postgres = await part(startEmbeddedPostgres({ dataDir: config.dataDir, log }), (started) => started.stop())
    ;({ connectionString } = postgres)
  }

  const pool = new FacePool({ engine: await engineOf(config.modelDir), workers: config.faceWorkers })
  running.push(() => pool.close())
  const onStep = (name: string) => step(STEPS[name] ?? name)
  const server = await part(startServer({ config, connectionString, facePool: pool, onRestart, onStep }), (started) => started.stop())
  if (config.mqttUrl === null && server.mqttPort !== config.mqttPort)
    step(`port ${config.mqttPort} is in use; the broker listens on ${server.mqttPort}`)
  // Printed as soon as it exists: it is not stored anywhere.
  if (server.initialPassword !== null) step(`administrator admin, password ${server.initialPassword}`)

  const demo = config.seed === 'demo' ? await openDemo(server) : null
  let terminal: Terminal | null = null
  if (demo?.terminal != null) {
    const { terminal: credentials } = demo
    step(`starting terminal ${credentials.code}`)
    const options = { ...credentials, server: server.url, dataDir: join(config.dataDir, 'terminal'), port: terminalPort, pool }
    terminal = await unlessFailing(`terminal ${credentials.code} did not start`, () =>
      part(startTerminal(options).then(stoppedOnce), (started) => started.stop()),
    )
  }

  say(`\nGatehouse is ready after ${seconds()} s.\n`)
  fact('Console', server.url)
  printPassword(config, isFirst, server.initialPassword)
  if (terminal !== null) fact('Terminal', `${terminal.url}   (${terminal.state().code}: show it a picture)`)
  fact('Reference', `${server.url}/docs`)
  fact('Face engine', engineInWords(pool.description))
  const notice = encryptionNotice(config, server.platform.transport.certificate)
  if (notice.length > 0) say(`\n${notice.join('\n')}`)
  if (demo !== null && pool.description.kind === 'onnx')
    say('\nThe people of the demo are drawn: with this engine they pass for each other. Try it with photographs.')
  if (terminal === null)
    say(
      '\nThere is no terminal: add a device in the console, then start one with\n  npm run terminal -- --server ADDRESS --code ' +
        'CODE --secret-file FILE',
    )
  say('\nCtrl-C stops everything.\n')

  if (demo !== null) await goOnWith(demo, terminal)
}

process.on('SIGINT', onSignal)
process.on('SIGTERM', onSignal)
try {
  await start()
} catch (error) {
  if (!stopping.signal.aborted) {
    say(`Gatehouse did not start: ${sentenceOf(error)}`)
    await end(1)
  }
}
