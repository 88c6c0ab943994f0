/** The second phase of a search among captures: exact distances of the candidates, whose templates the caller reads. */
import type { CaptureCandidate, CaptureLimits } from './capture-scan.ts'
import { squaredDistance } from './squared-distance.ts'

export interface CaptureMatch {
  id: string
  /** From the nearest probe. */
  distance: number
}

/** Templates that are read at a time, at least. */
const READ_AT_ONCE = 256

/**
 * Return the captures that come nearest, nearest first, the smaller id where distances are the same; to the last bit those that a plain
 * loop over all captures finds. Candidates are read in the order of how near they can be, until none that is left can be among the nearest.
 * @param candidates all that can be among the nearest, those that can be nearest first
 * @param read the templates of captures by id; one that is not there any more is left out
 */
export async function nearestCaptures(
  candidates: readonly CaptureCandidate[],
  probes: readonly Float32Array[],
  { limit, within }: CaptureLimits,
  read: (ids: readonly string[]) => Promise<ReadonlyMap<string, Float32Array>>,
): Promise<CaptureMatch[]> {
  if (!(limit >= 1 && within >= 0)) return []
  let best: { id: string; squared: number }[] = []
  const size = Math.max(READ_AT_ONCE, Math.min(limit, 4096))
  for (let start = 0; start < candidates.length; start += size) {
    const next = candidates.slice(start, start + size)
    const bound = best.length >= limit ? best.at(-1)!.squared : within * within
    if (next[0]!.least > bound) break
    const templates = await read(next.filter(({ least }) => least <= bound).map(({ id }) => id))
    for (const [id, template] of templates) {
      const squared = Math.min(...probes.map((probe) => squaredDistance(probe, template, 0)))
      if (squared <= bound) best.push({ id, squared })
    }
    best = best.sort((a, b) => a.squared - b.squared || (a.id < b.id ? -1 : 1)).slice(0, limit)
  }
  return best.map(({ id, squared }) => ({ id, distance: Math.sqrt(squared) }))
}
