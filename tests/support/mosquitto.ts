/** A real Mosquitto with its dynamic security plugin, set up as docs/operations/mosquitto.md says, on a free port. */
import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { once } from 'node:events'
import { connect } from 'node:net'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import { freePort } from '@gatehouse/server/platform/postgres/free-port'
import { until } from './until.ts'

const PROGRAMS = ['/usr/sbin/mosquitto', '/usr/local/sbin/mosquitto', '/opt/homebrew/sbin/mosquitto']
const LIBRARIES = '/usr/lib'
const PLUGIN = 'mosquitto_dynamic_security.so'

const program = PROGRAMS.find((path) => existsSync(path))
const plugin = pluginPath()

function pluginPath(): string | undefined {
  if (!existsSync(LIBRARIES)) return undefined
  return [LIBRARIES, ...readdirSync(LIBRARIES).map((folder) => join(LIBRARIES, folder))]
    .map((folder) => join(folder, PLUGIN))
    .find((path) => existsSync(path))
}

/** Why tests on Mosquitto are skipped; null where they run. */
export const mosquittoMissing: string | null =
  program !== undefined && plugin !== undefined
    ? null
    : 'Mosquitto with its dynamic security plugin is not installed (Debian: apt-get install mosquitto)'

export interface Mosquitto {
  /** With the administrator's account: the value of MQTT_URL. */
  url: string
  /** For a second server, which has an account of its own. */
  secondUrl: string
  port: number
  /** For devices over TLS; 0 where none was requested. */
  securePort: number
  /** End it with SIGKILL, as a power cut would. */
  kill(): Promise<void>
  /** Start it again on the same port and accounts. */
  start(): Promise<void>
  stop(): Promise<void>
}

/** A second listener over TLS; with `requireCertificate` devices must show one of the authority. */
interface SecureListener {
  certificateFile: string
  keyFile: string
  authorityFile: string
  requireCertificate: boolean
}

/** @param options `plugin` false: a broker without accounts that accepts every client */
export async function startMosquitto(options: { plugin?: boolean; secure?: SecureListener } = {}): Promise<Mosquitto> {
  if (program === undefined || plugin === undefined) throw new Error(mosquittoMissing!)
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-mosquitto-'))
  const port = await freePort()
  const password = randomBytes(16).toString('hex')
  const accounts = join(folder, 'accounts.json')
  control('init', accounts, 'gatehouse', password)
  const rights =
    options.plugin === false
      ? ['allow_anonymous true']
      : ['allow_anonymous false', `plugin ${plugin}`, `plugin_opt_config_file ${accounts}`, 'use_username_as_clientid true']
  const lines = [
    `listener ${port} 127.0.0.1`,
    // Started by root, it would switch to another account, which cannot write here.
    `user ${userInfo().username}`,
    ...rights,
    'persistence false',
    'max_packet_size 524288',
    'max_inflight_messages 1000',
    'max_queued_messages 20000',
    'max_keepalive 300',
    'set_tcp_nodelay true',
  ]
  const securePort = options.secure === undefined ? 0 : await freePort()
  if (options.secure !== undefined) lines.push(...linesOf(options.secure, securePort))
  writeFileSync(join(folder, 'mosquitto.conf'), `${lines.join('\n')}\n`)

  let child: ChildProcess | null = null
  const urlOf = (account: string) => `mqtt://${account}:${password}@127.0.0.1:${port}`
  const running = { url: urlOf('gatehouse'), secondUrl: urlOf('gatehouse-2'), port, securePort, kill, start, stop }

  async function start(): Promise<void> {
    const started = spawn(program!, ['-c', join(folder, 'mosquitto.conf')], { stdio: ['ignore', 'ignore', 'pipe'] })
    child = started
    const said: string[] = []
    started.stderr.setEncoding('utf8').on('data', (text: string) => said.push(text))
    await until('Mosquitto to listen', () => {
      if (started.exitCode !== null) throw new Error(`Mosquitto ended: ${said.join('')}`)
      return answers(port)
    })
  }

  async function end(signal: 'SIGKILL' | 'SIGTERM'): Promise<void> {
    if (child === null || child.exitCode !== null || child.signalCode !== null) return
    const ended = once(child, 'exit')
    child.kill(signal)
    await ended
  }

  async function kill(): Promise<void> {
    await end('SIGKILL')
  }

  async function stop(): Promise<void> {
    await end('SIGTERM')
    rmSync(folder, { recursive: true, force: true })
  }

  await start()
  if (options.plugin !== false) {
    const connection = ['-h', '127.0.0.1', '-p', String(port), '-u', 'gatehouse', '-P', password, 'dynsec']
    controlWith(connection, 'createClient', 'gatehouse-2', '-p', password)
    controlWith(connection, 'addClientRole', 'gatehouse-2', 'admin')
  }
  return running
}

/** As docs/operations/mosquitto.md says for devices over TLS. */
const linesOf = ({ certificateFile, keyFile, authorityFile, requireCertificate }: SecureListener, port: number): string[] => [
  `listener ${port} 127.0.0.1`,
  `certfile ${certificateFile}`,
  `keyfile ${keyFile}`,
  `cafile ${authorityFile}`,
  `require_certificate ${requireCertificate}`,
  'use_username_as_clientid true',
  'max_keepalive 300',
  'set_tcp_nodelay true',
]

const control = (...words: string[]) => controlWith(['dynsec'], ...words)

function controlWith(before: string[], ...words: string[]): void {
  const done = spawnSync('mosquitto_ctrl', [...before, ...words], { encoding: 'utf8' })
  if (done.status !== 0) throw new Error(`mosquitto_ctrl ${words[0]} failed: ${done.stderr}`)
}

function answers(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    socket.once('connect', () => {
      socket.destroy()
      resolve(true)
    })
    socket.once('error', () => resolve(false))
  })
}
