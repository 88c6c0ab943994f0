/** Measures how long the built-in database takes to start. */
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startEmbeddedPostgres } from '@gatehouse/server/platform/postgres/embedded'
import type { BenchResult } from './result.ts'

const silent = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} }

export async function run(): Promise<BenchResult[]> {
  const dataDir = mkdtempSync(join(tmpdir(), 'gatehouse-bench-'))
  // The unprivileged account that the database runs under has to enter it.
  chmodSync(dataDir, 0o711)
  try {
    const first = await start(dataDir)
    const again = await start(dataDir)
    return [
      { name: 'first start, with the files made', value: first, unit: 'ms' },
      { name: 'later start', value: again, unit: 'ms', ratioTo: 'first start', ratio: again / first, goal: 0.5 },
    ]
  } finally {
    rmSync(dataDir, { recursive: true, force: true })
  }
}

async function start(dataDir: string): Promise<number> {
  const startedAt = performance.now()
  const database = await startEmbeddedPostgres({ dataDir, log: silent })
  const duration = performance.now() - startedAt
  await database.stop()
  return duration
}
