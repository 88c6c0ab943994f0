/** A PostgreSQL 15 or newer that is not the built-in one, for `npm run test:postgres`. */
import { chmodSync, chownSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { once } from 'node:events'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { text } from 'node:stream/consumers'
import pg from 'pg'
import { choosePostgresAccount } from '@gatehouse/server/platform/postgres/account'
import { spawnProgram } from '@gatehouse/server/platform/postgres/cluster'
import { freePort } from '@gatehouse/server/platform/postgres/free-port'
import { installPackage } from './apt.ts'
import type { Output } from './program.ts'

interface PostgresServer {
  connectionString: string
  description: string
  stop(): Promise<void>
}

const OLDEST = 15
const DEBIAN_PROGRAMS = '/usr/lib/postgresql'

/**
 * Return the server DATABASE_URL names; else one started from installed programs, discarded afterwards; else one of this machine on which
 * the present user may create databases; else, as root on Debian, one started after installing the programs. Throw an error with a sentence
 * where none of these is available.
 */
export async function startPostgres(output: Output): Promise<PostgresServer> {
  const given = process.env.DATABASE_URL
  if (given) return { connectionString: given, description: 'the server of DATABASE_URL', stop: async () => {} }
  const installed = newestPrograms()
  if (installed) return startPrograms(installed)
  const user = userInfo().username
  for (const place of [`127.0.0.1:5432/postgres`, `localhost/postgres?host=/var/run/postgresql`]) {
    const connectionString = `postgres://${user}@${place}`
    const version = await usableVersion(connectionString)
    if (version) return { connectionString, description: `this machine's PostgreSQL ${version}`, stop: async () => {} }
  }
  const programs = (await installPackage('postgresql', output)) ? newestPrograms() : undefined
  if (programs) return startPrograms(programs)
  throw new Error(`No PostgreSQL ${OLDEST} or newer: install one (Debian: apt-get install postgresql) or name one in DATABASE_URL.`)
}

/** Return the server's version where it is new enough and the user may create databases. */
async function usableVersion(connectionString: string): Promise<string | undefined> {
  const client = new pg.Client({ connectionString, connectionTimeoutMillis: 3_000 })
  try {
    await client.connect()
    const { rows } = await client.query<{ version: string; creates: boolean }>(
      `select current_setting('server_version') as version, rolcreatedb or rolsuper as creates from pg_roles where rolname = current_user`,
    )
    const [found] = rows
    return found?.creates && Number.parseInt(found.version, 10) >= OLDEST ? found.version : undefined
  } catch {
    return undefined
  } finally {
    await client.end().catch(() => {})
  }
}

function newestPrograms(): { root: string; version: string } | undefined {
  if (!existsSync(DEBIAN_PROGRAMS)) return undefined
  const versions = readdirSync(DEBIAN_PROGRAMS).filter((version) => existsSync(join(DEBIAN_PROGRAMS, version, 'bin', 'initdb')))
  const newest = Math.max(...versions.map(Number).filter((version) => version >= OLDEST))
  return newest > 0 ? { root: join(DEBIAN_PROGRAMS, String(newest)), version: String(newest) } : undefined
}

async function startPrograms(programs: { root: string; version: string }): Promise<PostgresServer> {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-postgres-'))
  chmodSync(folder, 0o711)
  const account = choosePostgresAccount(programs, folder)
  const files = join(folder, 'cluster')
  mkdirSync(files, { mode: 0o700 })
  if (account.owner) chownSync(files, account.owner.uid, account.owner.gid)

  const words = ['-D', files, '--username', 'gatehouse', '--auth=trust', '--encoding=UTF8', '--locale=C.UTF-8', '--no-sync']
  const initialise = spawnProgram(account, 'initdb', words)
  const [complaints] = await Promise.all([text(initialise.stderr), once(initialise, 'close')])
  if (initialise.exitCode !== 0) throw new Error(`PostgreSQL ${programs.version} could not create a database: ${complaints}`)

  const port = await freePort()
  const settings = [`port=${port}`, 'listen_addresses=127.0.0.1', 'unix_socket_directories=', 'fsync=off']
  const server = spawnProgram(account, 'postgres', ['-D', files, ...settings.flatMap((setting) => ['-c', setting])])
  const lines: string[] = []
  await new Promise<void>((ready, failed) => {
    createInterface(server.stderr).on('line', (line) => {
      lines.push(line)
      if (line.includes('ready to accept connections')) ready()
    })
    server.once('close', () => failed(new Error(`PostgreSQL ${programs.version} did not start: ${lines.join(' | ')}`)))
  })
  return {
    connectionString: `postgres://gatehouse@127.0.0.1:${port}/postgres`,
    description: `PostgreSQL ${programs.version} of ${programs.root}, started for this run`,
    stop: async () => {
      server.kill('SIGINT')
      await once(server, 'close')
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
