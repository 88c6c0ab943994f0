/** Data folders and conditions for the terminal's tests. */
import { BUILTIN_DIMENSIONS, BUILTIN_MODEL } from '@gatehouse/face-engine'
import { createHash } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { onTestFinished } from 'vitest'

/** Return an empty folder that is removed with the test. */
export function scratchFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-terminal-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** Wait until a condition holds. @throws after a minute, with what was waited for */
export async function until(what: string, holds: () => boolean): Promise<void> {
  const end = Date.now() + 60_000
  while (!holds()) {
    if (Date.now() > end) throw new Error(`Waited in vain until ${what}`)
    await pause(10)
  }
}

/** Return an embedding of nobody: the same for the same seed, and farther from those of other seeds than any two people's are. */
export function embeddingFrom(seed: number): Float32Array {
  const bits = createHash('sha512').update(String(seed)).digest()
  const size = 1 / Math.sqrt(BUILTIN_DIMENSIONS)
  return Float32Array.from({ length: BUILTIN_DIMENSIONS }, (_, place) => (bits[place >> 3]! & (1 << (place & 7)) ? size : -size))
}

/** Return an embedding at a distance from another one. @param distance 0 to 1.4 */
export function nudged(embedding: Float32Array, distance: number): Float32Array {
  return embedding.map((value, place) => (place === 0 ? value + distance : value))
}

export const MODEL = { modelId: BUILTIN_MODEL, dimensions: BUILTIN_DIMENSIONS }
