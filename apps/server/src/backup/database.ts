/** The database of an installation, accessed from outside its server. */
import { existsSync, readdirSync } from 'node:fs'
import type { Client } from 'pg'
import type { Config } from '../config.ts'
import { databaseOver, openDatabase, type Database } from '../platform/database/database.ts'
import { startEmbeddedPostgres } from '../platform/postgres/embedded.ts'
import { DataDirectoryInUse, lockDataDirectory } from '../platform/postgres/lock.ts'
import { hasCluster, runningAddress } from '../platform/postgres/running.ts'
import { countObjects } from './catalog.ts'

export interface InstallationDatabase {
  client: Client
  /** The same connection for Kysely; one statement at a time. */
  db: Database
  close(): Promise<void>
}

const complain = (message: string): void => void process.stderr.write(`${message}\n`)
const log = { debug: () => {}, info: () => {}, warn: complain, error: complain }

async function connect(connectionString: string, release: () => Promise<void>): Promise<InstallationDatabase> {
  const handle = openDatabase(connectionString)
  try {
    const client = await handle.client()
    const pool = { connect: async () => Object.assign(client, { release: () => {} }), end: async () => {}, options: {} }
    return {
      client,
      db: databaseOver(pool),
      async close() {
        await client.end()
        await handle.close()
        await release()
      },
    }
  } catch (error) {
    await handle.close()
    await release()
    throw error
  }
}

/** Start the built-in database, or return the address of the one that a running server has started. */
async function embeddedAddress(dataDir: string): Promise<{ address: string; release(): Promise<void> }> {
  try {
    const { connectionString, stop } = await startEmbeddedPostgres({ dataDir, log })
    return { address: connectionString, release: stop }
  } catch (error) {
    if (!(error instanceof DataDirectoryInUse)) throw error
    return { address: await runningAddress(dataDir), release: async () => {} }
  }
}

/**
 * Connect to the database of an installation, whether its server runs or not.
 * @throws Error with a sentence if there is no installation
 */
export async function openInstallation({ databaseUrl, dataDir }: Config): Promise<InstallationDatabase> {
  if (!existsSync(dataDir)) throw new Error(`There is no installation in ${dataDir}: set DATA_DIR to its data directory.`)
  if (databaseUrl !== null) return connect(databaseUrl, async () => {})
  if (!hasCluster(dataDir))
    throw new Error(
      `There is no database in ${dataDir}. Set DATA_DIR to the data directory, and DATABASE_URL if the database is elsewhere.`,
    )
  const { address, release } = await embeddedAddress(dataDir)
  return connect(address, release)
}

/**
 * Check that data directory and database are empty.
 * @throws Error with a sentence otherwise
 */
export async function assertNothingThere({ databaseUrl, dataDir }: Config): Promise<void> {
  // A file system may put the folder `lost+found` into its root.
  if (existsSync(dataDir) && readdirSync(dataDir).some((name) => name !== 'lost+found'))
    throw new Error(`${dataDir} is not empty. A backup is restored into an empty or missing directory only.`)
  if (databaseUrl === null) return
  const database = await connect(databaseUrl, async () => {})
  const count = await countObjects(database.client).finally(database.close)
  if (count > 0)
    throw new Error(`The database is not empty: it holds ${count} tables and the like. A backup is restored into an empty database only.`)
}

/** Connect to the database of a data directory that this process has just created; the directory is locked meanwhile. */
export async function openNewInstallation({ databaseUrl, dataDir }: Config): Promise<InstallationDatabase> {
  if (databaseUrl !== null) {
    const lock = lockDataDirectory(dataDir)
    return connect(databaseUrl, async () => lock.release())
  }
  const { connectionString, stop } = await startEmbeddedPostgres({ dataDir, log })
  return connect(connectionString, stop)
}
