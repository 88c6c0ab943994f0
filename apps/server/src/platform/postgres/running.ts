/** Access to a built-in database that another process runs. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { applicationPassword, databasePassword, hasApplicationRole } from './cluster.ts'
import { ADMINISTRATOR_ROLE, APPLICATION_ROLE, DATABASE } from './roles.ts'

/** Line of `postmaster.pid` that holds the port. */
const PORT_LINE = 3

/** Return whether a built-in database was ever created in this data directory. */
export const hasCluster = (dataDir: string): boolean => existsSync(join(dataDir, 'postgres', 'cluster', 'PG_VERSION'))

/**
 * Return the address of the built-in database that runs on this data directory, as PostgreSQL's own files say.
 * @throws Error with a sentence if they cannot be read
 */
export async function runningAddress(dataDir: string): Promise<string> {
  const file = join(dataDir, 'postgres', 'cluster', 'postmaster.pid')
  let port: number
  try {
    port = Number(readFileSync(file, 'utf8').split('\n')[PORT_LINE])
  } catch (error) {
    throw new Error(`The database of the running Gatehouse cannot be found: ${file} cannot be read.`, { cause: error })
  }
  // A running server of an earlier release has only the administrator's role.
  const [role, password] = hasApplicationRole(dataDir)
    ? [APPLICATION_ROLE, await applicationPassword(dataDir)]
    : [ADMINISTRATOR_ROLE, await databasePassword(dataDir, true)]
  return `postgres://${role}:${password}@127.0.0.1:${port}/${DATABASE}`
}
