/** Data folders and conditions for the terminal's tests. */
import { createHash } from 'node:crypto'
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

/** Waits until a condition holds. @throws after a minute, with what was waited for */
export async function until(what: string, holds: () => boolean): Promise<void> {
  const end = Date.now() + 60_000
  while (!holds()) {
    if (Date.now() > end) throw new Error(`Waited in vain until ${what}`)
    await pause(10)
  }
}

/** An embedding of nobody: the same for the same seed, and farther from those of other seeds than any two people are. */
export function embeddingFrom(seed: number): Float32Array {
  const bits = createHash('sha256').update(String(seed)).digest()
  return Float32Array.from({ length: 128 }, (_, place) => (bits[place >> 2]! & (1 << (place & 3)) ? 0.12 : -0.12))
}

/** The same embedding, so far away from what it was. @param distance 0 to 1.4 */
export function nudged(embedding: Float32Array, distance: number): Float32Array {
  return embedding.map((value, place) => (place === 0 ? value + distance : value))
}

export const MODEL = { modelId: 'builtin-128-1', dimensions: 128 }
