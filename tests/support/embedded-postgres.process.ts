/** A program that runs the built-in database in a data directory until it is killed. */
import { keptLog } from './kept-log.ts'
import { startEmbeddedPostgres } from '@gatehouse/server/platform/postgres/embedded'

const [dataDir = '', shelter] = process.argv.slice(2)
const database = await startEmbeddedPostgres({ dataDir, log: keptLog(), ...(shelter && { shelter }) })
process.stdout.write(`${JSON.stringify({ connectionString: database.connectionString, server: database.processId() })}\n`)
process.once('SIGTERM', () => void database.stop())
