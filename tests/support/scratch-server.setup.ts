/** One database server for all test files of a run; each file makes its own databases on it. */
import { startScratchServer } from '@gatehouse/server/platform/postgres/scratch'

export default async function setup(): Promise<() => Promise<void>> {
  const server = await startScratchServer()
  return server.stop
}
