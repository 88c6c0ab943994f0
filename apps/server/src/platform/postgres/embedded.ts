/**
 * The built-in database: a real PostgreSQL as a child process on 127.0.0.1. It is stopped when this process stops or is killed, and
 * restarted when it is killed itself. The next start takes over from a server that an earlier one left behind.
 */
import { spawn, type ChildProcess } from 'node:child_process'
import { existsSync, readFileSync, realpathSync, rmSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as delay } from 'node:timers/promises'
import { choosePostgresAccount, type PostgresAccount } from './account.ts'
import { applicationPassword, databasePassword, openCluster, spawnProgram } from './cluster.ts'
import { freePort } from './free-port.ts'
import { lockDataDirectory } from './lock.ts'
import { findPostgresPrograms } from './programs.ts'
import { ADMINISTRATOR_ROLE, APPLICATION_ROLE, DATABASE, prepareRoles } from './roles.ts'

export interface PostgresLog {
  debug(message: string): void
  info(message: string): void
  warn(message: string): void
  error(message: string): void
}

export interface EmbeddedPostgresOptions {
  /** The installation's data directory; files are in `postgres/`, passwords in `secrets/`. */
  dataDir: string
  log: PostgresLog
  /** False trades the durability of data for speed: for tests that delete the directory. */
  durable?: boolean
  /** Folder that root copies programs and files to where the unprivileged account cannot reach the originals. */
  shelter?: string
}

export interface EmbeddedPostgres {
  /** For `pg`: the database `gatehouse` with the server's role, which is not a superuser. Stays the same as long as this object lives. */
  connectionString: string
  /** The same with the superuser, to create further databases. */
  administratorConnectionString: string
  /** Return the process number of the server, which changes with a restart. */
  processId(): number
  /** End all connections, write everything out and wait for the server to end. May be called twice. */
  stop(): Promise<void>
}

const STOP_PATIENCE_MS = 30_000
/** A server that ran this long is restarted at once, others after a growing pause. */
const STEADY_MS = 60_000
const RESTART_PAUSES_MS = [0, 500, 1_000, 2_000, 5_000, 10_000, 30_000]

/**
 * Start the built-in database of a data directory and wait until it accepts connections.
 * @throws DataDirectoryInUse when a running process uses the same directory; Error with a sentence for the operator otherwise
 */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const { log, durable = true } = options
  const dataDir = resolve(options.dataDir)
  const folder = join(dataDir, 'postgres')
  const lock = lockDataDirectory(folder, dataDir)
  try {
    const programs = findPostgresPrograms()
    const cluster = join(folder, 'cluster')
    const account = choosePostgresAccount(programs, existsSync(cluster) ? dirname(realpathSync(cluster)) : folder, options.shelter)
    const password = await databasePassword(dataDir, existsSync(cluster))
    const files = await openCluster({ folder, programs, account, password, durable })
    await endLeftover(files, log)
    const server = await superviseServer({ files, account, durable, log })
    const address = (database: string) => `postgres://${ADMINISTRATOR_ROLE}:${password}@127.0.0.1:${server.port}/${database}`
    const rolePassword = await applicationPassword(dataDir)
    try {
      await prepareRoles(address, rolePassword)
    } catch (error) {
      await server.stop()
      throw error
    }
    return {
      connectionString: `postgres://${APPLICATION_ROLE}:${rolePassword}@127.0.0.1:${server.port}/${DATABASE}`,
      administratorConnectionString: address(DATABASE),
      processId: server.processId,
      stop: async () => {
        await server.stop()
        lock.release()
      },
    }
  } catch (error) {
    lock.release()
    throw error
  }
}

interface ServerOptions {
  files: string
  account: PostgresAccount
  durable: boolean
  log: PostgresLog
}

/** Keep one server running on one port until `stop` is called. */
async function superviseServer(options: ServerOptions) {
  const { log } = options
  const stopping = new AbortController()
  let current = await startOnFreePort(options)
  const { port } = current
  const supervision = keepRunning().catch((error: unknown) => {
    if (!stopping.signal.aborted) throw error
  })
  return {
    port,
    processId: () => current.process.pid ?? 0,
    stop: async () => {
      stopping.abort()
      await endProcess(current.process)
      await supervision
    },
  }

  async function keepRunning(): Promise<void> {
    let attempt = 0
    while (!stopping.signal.aborted) {
      const startedAt = Date.now()
      await current.ended
      if (stopping.signal.aborted) return
      if (current.ready) log.error('The built-in database ended unexpectedly; it is started again.')
      else log.error(`The built-in database did not start: ${current.lastWords}`)
      attempt = Date.now() - startedAt > STEADY_MS ? 0 : attempt + 1
      await delay(RESTART_PAUSES_MS[Math.min(attempt, RESTART_PAUSES_MS.length - 1)], undefined, { signal: stopping.signal })
      current = await launch(options, port)
      if (current.ready) log.info('The built-in database runs again.')
    }
    await endProcess(current.process)
  }
}

interface Launched {
  ready: boolean
  port: number
  process: ChildProcess
  ended: Promise<void>
  /** The last lines the server logged before it was ready. */
  lastWords: string
}

async function startOnFreePort(options: ServerOptions): Promise<Launched> {
  for (let attempt = 1; ; attempt += 1) {
    const launched = await launch(options, await freePort())
    if (launched.ready) return launched
    // A port can be taken between choosing and using it. Processes of a killed server take a moment to end.
    const passing = /could not bind|pre-existing shared memory/.test(launched.lastWords)
    if (!passing || attempt === 20) throw new Error(`The built-in database did not start: ${launched.lastWords}`)
    await delay(500)
  }
}

/** Start the server once; resolve when it accepts connections or has ended. */
async function launch({ files, account, durable, log }: ServerOptions, port: number): Promise<Launched> {
  const settings = {
    port: String(port),
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    log_line_prefix: '',
    ...(!durable && { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' }),
  }
  const child = spawnProgram(account, 'postgres', [
    '-D',
    files,
    ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
  ])
  const dismissGuard = guard(child)
  const lines: string[] = []
  let ready = false
  const started = Promise.withResolvers<void>()
  const ended = Promise.withResolvers<void>()
  createInterface(child.stderr).on('line', (line) => {
    report(log, line)
    if (ready) return
    lines.push(line)
    if (lines.length > 20) lines.shift()
    if (!line.includes('database system is ready to accept connections')) return
    ready = true
    started.resolve()
  })
  child.once('error', (error) => lines.push(error.message))
  child.once('close', () => {
    dismissGuard()
    started.resolve()
    ended.resolve()
  })
  await started.promise
  return { ready, port, process: child, ended: ended.promise, lastWords: lines.join(' | ') }
}

/**
 * Start a shell that waits for the end of a pipe that only this process holds. When this process is killed, the shell shuts the server
 * down in order. Return a function to call when the server has ended by itself.
 */
function guard(server: ChildProcess): () => void {
  if (process.platform === 'win32' || !server.pid) return () => {}
  const script = 'read -r word; [ "$word" = dismissed ] || kill -INT "$1"'
  const shell = spawn('/bin/sh', ['-c', script, 'gatehouse-postgres-guard', String(server.pid)], {
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  })
  shell.stdin.on('error', () => {})
  return () => shell.stdin.end('dismissed\n')
}

function report(log: PostgresLog, line: string): void {
  if (/^(FATAL|PANIC):/.test(line)) log.error(line)
  else if (/^(WARNING|ERROR):/.test(line)) log.warn(line)
  else log.debug(line)
}

async function endProcess(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = new Promise<void>((done) => child.once('exit', () => done()))
  // SIGINT is PostgreSQL's fast shutdown. SIGQUIT is its immediate one, after which the next start runs recovery.
  child.kill('SIGINT')
  const timer = setTimeout(() => child.kill('SIGQUIT'), STOP_PATIENCE_MS)
  await ended
  clearTimeout(timer)
}

/** End a server that an earlier process left behind. This process holds the directory's lock, so no other process uses that server. */
async function endLeftover(files: string, log: PostgresLog): Promise<void> {
  const pidFile = join(files, 'postmaster.pid')
  if (!existsSync(pidFile)) return
  const pid = Number.parseInt(readFileSync(pidFile, 'utf8'), 10)
  if (!runsOn(pid, files)) {
    // By now the number may belong to another process, which PostgreSQL cannot distinguish.
    rmSync(pidFile, { force: true })
    return
  }
  log.warn(`An earlier built-in database (process ${pid}) still runs; it is stopped first.`)
  const patience = Date.now() + STOP_PATIENCE_MS
  process.kill(pid, 'SIGINT')
  while (runsOn(pid, files)) {
    if (Date.now() > patience) process.kill(pid, 'SIGKILL')
    await delay(50)
  }
}

function runsOn(pid: number, files: string): boolean {
  try {
    process.kill(pid, 0)
    if (process.platform !== 'linux') return true
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0').includes(files)
  } catch {
    return false
  }
}
