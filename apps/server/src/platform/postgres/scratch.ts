/**
 * Fresh databases for tests and benchmarks, on the server of DATABASE_URL or else on a built-in one that is deleted afterwards. A test
 * run starts one server and passes its address to its workers in SCRATCH_SERVER_URL. On the built-in server, databases belong to the role
 * that the server has in production, which is not a superuser: SCRATCH_ROLE_URL.
 */
import { createHash, randomUUID } from 'node:crypto'
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { startEmbeddedPostgres } from './embedded.ts'

export interface ScratchDatabase {
  connectionString: string
  /** Ends its connections and removes it. */
  drop(): Promise<void>
}

export interface ScratchServer {
  /** Address of any database of the server, with a role that may create databases. */
  connectionString: string
  /** Remove every database of this run, and the server if it is built in. */
  stop(): Promise<void>
}

/** Prefix of a run's databases. The next part of the name is the start of the run in seconds, base 36. */
const PREFIX = 'gatehouse_scratch'
const FORGOTTEN_AFTER_SECONDS = 86_400

const quiet = { debug: () => {}, info: () => {}, warn: () => {}, error: (message: string) => console.error(message) }

/**
 * Start a run: the server for every `scratchDatabase()` of this process and of processes it starts from now on. The caller stops it.
 * Inside a run it returns the same server again, whose `stop` does nothing.
 */
export async function startScratchServer(): Promise<ScratchServer> {
  const outer = process.env.SCRATCH_SERVER_URL
  if (outer) return { connectionString: outer, stop: async () => {} }
  const given = process.env.DATABASE_URL
  const run = `${Math.floor(Date.now() / 1000).toString(36)}_${randomUUID().slice(0, 8)}`
  const folder = given ? undefined : mkdtempSync(join(tmpdir(), 'gatehouse-scratch-'))
  // The unprivileged account that the database runs under must be able to enter it.
  if (folder) chmodSync(folder, 0o711)
  const embedded = folder ? await startEmbeddedPostgres({ dataDir: folder, log: quiet, durable: false }) : undefined
  const connectionString = given ?? embedded?.administratorConnectionString ?? ''
  process.env.SCRATCH_SERVER_URL = connectionString
  process.env.SCRATCH_ROLE_URL = embedded?.connectionString ?? connectionString
  process.env.SCRATCH_RUN = run
  await dropDatabases(connectionString, (name) => isForgotten(name))
  return {
    connectionString,
    stop: async () => {
      delete process.env.SCRATCH_SERVER_URL
      delete process.env.SCRATCH_ROLE_URL
      delete process.env.SCRATCH_RUN
      if (embedded) await embedded.stop()
      else await dropDatabases(connectionString, (name) => name.startsWith(`${PREFIX}_${run}_`))
      if (folder) rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** Create a database for the caller, empty or as a copy of `template` (a name from `templateDatabase`). Requires a started run. */
export async function scratchDatabase(options: { template?: string } = {}): Promise<ScratchDatabase> {
  const { server, role, run } = currentRun()
  const name = `${PREFIX}_${run}_${randomUUID().slice(0, 13)}`
  await withClient(server, (client) =>
    client.query(
      `create database "${name}"${ownedBy(role)}${options.template ? ` template "${options.template}" strategy file_copy` : ''}`,
    ),
  )
  return {
    connectionString: addressOf(role, name),
    drop: () => withClient(server, (client) => client.query(`drop database if exists "${name}" with (force)`)).then(() => undefined),
  }
}

/**
 * Return the name of a database that `prepare` has filled, once in a run however many workers request it at the same time.
 * @param name of its content; every caller with the same name gets the same database
 */
export async function templateDatabase(name: string, prepare: (connectionString: string) => Promise<void>): Promise<string> {
  const { server, role, run } = currentRun()
  const database = `${PREFIX}_${run}_${createHash('sha256').update(name).digest('hex').slice(0, 16)}`
  await withClient(server, async (client) => {
    await client.query('select pg_advisory_lock(hashtext($1))', [database])
    const found = await client.query<{ datistemplate: boolean }>('select datistemplate from pg_database where datname = $1', [database])
    if (found.rows[0]?.datistemplate) return
    await client.query(`drop database if exists "${database}" with (force)`)
    await client.query(`create database "${database}"${ownedBy(role)}`)
    await prepare(addressOf(role, database))
    await client.query(`alter database "${database}" is_template true allow_connections false`)
  })
  return database
}

function currentRun(): { server: string; role: string; run: string } {
  const server = process.env.SCRATCH_SERVER_URL
  const role = process.env.SCRATCH_ROLE_URL
  const run = process.env.SCRATCH_RUN
  if (!server || !role || !run) throw new Error('No scratch server: call startScratchServer() first.')
  return { server, role, run }
}

/** Return the owner clause for the role of an address; empty where the address names none. */
function ownedBy(role: string): string {
  const { username } = new URL(role)
  return username === '' ? '' : ` owner "${decodeURIComponent(username)}"`
}

function addressOf(server: string, database: string): string {
  const url = new URL(server)
  url.pathname = `/${database}`
  return url.href
}

function isForgotten(name: string): boolean {
  const seconds = new RegExp(`^${PREFIX}_([0-9a-z]+)_`).exec(name)?.[1]
  return seconds !== undefined && Number.parseInt(seconds, 36) < Date.now() / 1000 - FORGOTTEN_AFTER_SECONDS
}

async function dropDatabases(server: string, isMeant: (name: string) => boolean): Promise<void> {
  await withClient(server, async (client) => {
    const { rows } = await client.query<{ name: string; template: boolean }>(
      'select datname as name, datistemplate as template from pg_database',
    )
    for (const { name, template } of rows.filter((row) => isMeant(row.name))) {
      if (template) await client.query(`alter database "${name}" is_template false`)
      await client.query(`drop database if exists "${name}" with (force)`)
    }
  })
}

async function withClient<Result>(address: string, work: (client: pg.Client) => Promise<Result>): Promise<Result> {
  const client = new pg.Client(address)
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}
