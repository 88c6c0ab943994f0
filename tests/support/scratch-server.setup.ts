/** One database server for all test files of a run; each file makes its own databases on it. */
import type { TestProject } from 'vitest/node'
import { startScratchServer } from '@gatehouse/server/platform/postgres/scratch'

/** Stop the server after the workers have ended: connections they share are still open when their last test is done. */
export default async function setup({ vitest }: TestProject): Promise<void> {
  const server = await startScratchServer()
  vitest.onClose(server.stop)
}
