/** A program that runs the built-in database for the data directory it is given and waits to be killed. */
import { keptLog } from './kept-log.ts'
import { startEmbeddedPostgres } from '@gatehouse/server/platform/postgres/embedded'

const [dataDir = '', shelter] = process.argv.slice(2)
const database = await startEmbeddedPostgres({ dataDir, log: keptLog(), ...(shelter && { shelter }) })
process.stdout.write(`${JSON.stringify({ connectionString: database.connectionString, server: database.processId() })}\n`)
process.once('SIGTERM', () => void database.stop())
