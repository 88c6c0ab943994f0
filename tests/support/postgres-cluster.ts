/** The built-in PostgreSQL without its supervision: the test that kills it starts it again, on the same files and port. */
import type { ChildProcess } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as delay } from 'node:timers/promises'
import { choosePostgresAccount } from '@gatehouse/server/platform/postgres/account'
import { databasePassword, openCluster, spawnProgram } from '@gatehouse/server/platform/postgres/cluster'
import { findPostgresPrograms } from '@gatehouse/server/platform/postgres/programs'
import { ADMINISTRATOR_ROLE } from '@gatehouse/server/platform/postgres/roles'
import { childrenOf, isRunning, query } from './embedded-postgres.ts'
import { killProgram } from './program.ts'
import { steadyPort } from './proxy.ts'
import { until } from './until.ts'

export interface PostgresCluster {
  connectionString: string
  /** End the whole server with SIGKILL, including its children. */
  kill(): Promise<void>
  /**
   * End the process that serves one connection with SIGKILL, upon which the server restarts by itself.
   * @returns whether there was one
   */
  killBackend(choose: (count: number) => number): boolean
  start(): Promise<void>
}

const READY = 'database system is ready to accept connections'
/** Temporary errors: children of a killed server need a moment to notice its end. */
const PASSING = /pre-existing shared memory|could not bind/
const ATTEMPTS = 100

/** Create and start a cluster below `dataDir`, with the write safety of production. */
export async function startPostgresCluster(dataDir: string): Promise<PostgresCluster> {
  const folder = join(dataDir, 'postgres')
  mkdirSync(folder, { recursive: true })
  const programs = findPostgresPrograms()
  const account = choosePostgresAccount(programs, folder)
  const password = await databasePassword(dataDir, false)
  const files = await openCluster({ folder, programs, account, password, durable: true })
  const port = await steadyPort()
  const address = (database: string) => `postgres://${ADMINISTRATOR_ROLE}:${password}@127.0.0.1:${port}/${database}`
  let server: ChildProcess

  /** Try to start once. @returns its output if it ended; null when it is ready */
  async function launch(): Promise<string | null> {
    const settings = { port: String(port), listen_addresses: '127.0.0.1', unix_socket_directories: '', log_line_prefix: '' }
    const child = spawnProgram(account, 'postgres', [
      '-D',
      files,
      ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
    ])
    server = child
    const said: string[] = []
    return new Promise((resolve) => {
      createInterface(child.stderr).on('line', (line) => {
        said.push(line)
        if (said.length > 20) said.shift()
        if (line.includes(READY)) resolve(null)
      })
      child.once('close', () => resolve(said.join(' | ')))
    })
  }

  async function start(): Promise<void> {
    for (let attempt = 1; ; attempt++) {
      const failure = await launch()
      if (failure === null) return
      if (!PASSING.test(failure) || attempt === ATTEMPTS) throw new Error(`PostgreSQL did not start: ${failure}`)
      await delay(50)
    }
  }

  async function kill(): Promise<void> {
    const children = childrenOf(server.pid!, 'postgres')
    await killProgram(server)
    await until('the children of PostgreSQL to end', () => !children.some(isRunning))
  }

  await start()
  await query(address('postgres'), 'create database gatehouse')
  return {
    connectionString: address('gatehouse'),
    start,
    kill,
    killBackend(choose) {
      const backends = childrenOf(server.pid!, `postgres: ${ADMINISTRATOR_ROLE} gatehouse`)
      if (backends.length === 0) return false
      try {
        process.kill(backends[choose(backends.length)]!, 'SIGKILL')
        return true
      } catch {
        return false
      }
    },
  }
}
