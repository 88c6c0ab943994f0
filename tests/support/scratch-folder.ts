import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'

/** An empty folder that is removed when the running test is over, after everything the test stops later than this call. */
export function scratchFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-test-'))
  // Open to the unprivileged account that the database runs under.
  chmodSync(folder, 0o755)
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}
