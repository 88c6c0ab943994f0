/** Data folders and conditions for the terminal's tests. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { onTestFinished } from 'vitest'

/** An empty folder that goes with the test. */
export function scratchFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-terminal-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** Waits until a condition holds. @throws after 20 s, with what was waited for */
export async function until(what: string, holds: () => boolean): Promise<void> {
  const end = Date.now() + 20_000
  while (!holds()) {
    if (Date.now() > end) throw new Error(`Waited in vain until ${what}`)
    await pause(10)
  }
}

/** Numbers that look like an embedding, the same for the same seed and far from those of others. */
export function embeddingFrom(seed: number): Float32Array {
  return Float32Array.from({ length: 128 }, (_, place) => Math.sin(seed * 7919 + place * 104_729) * 0.12)
}

export const MODEL = { modelId: 'builtin-128-1', dimensions: 128 }
