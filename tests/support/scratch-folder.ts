import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'

/** Create an empty folder that is removed when the running test is over, after everything the test starts after this call has stopped. */
export function scratchFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-test-'))
  // Accessible to the unprivileged account of the database.
  chmodSync(folder, 0o755)
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}
