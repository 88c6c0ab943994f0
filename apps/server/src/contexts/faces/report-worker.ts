/** The thread that compares the photographs of a report, so that the thread that answers requests is not blocked. */
import { parentPort, workerData } from 'node:worker_threads'
import { createErrorCounts, type ErrorCurve, type GridPoint } from '@gatehouse/face-engine/measure/error-counts'
import { countPairs, genuinePairs, impostorPairs, type PairBounds, type ReportGallery } from './report-pairs.ts'

export interface ReportTask {
  gallery: ReportGallery
  /** Numbers of persons in the gallery; the first part is everybody. */
  parts: readonly Uint32Array[]
  grid: readonly GridPoint[]
  seed: string
  bounds: PairBounds
}

export type ReportAnswer =
  /** Number of pairs compared since the last answer. */
  | { kind: 'compared'; pairs: number }
  /** The result of a part; parts come in their order. */
  | { kind: 'measured'; photos: number; curve: ErrorCurve }
  | { kind: 'done' }

const PAIRS_PER_ANSWER = 100_000

if (parentPort === null) throw new Error('this file is a thread of a report')
const port = parentPort
const { gallery, parts, grid, seed, bounds } = workerData as ReportTask
const answer = (what: ReportAnswer): void => port.postMessage(what)

for (const [place, persons] of parts.entries()) {
  const counts = createErrorCounts({ grid })
  let compared = 0
  const take = (first: number, second: number, distance: number) => {
    counts.add(first, second, distance)
    if (++compared % PAIRS_PER_ANSWER === 0) answer({ kind: 'compared', pairs: PAIRS_PER_ANSWER })
  }
  genuinePairs(gallery, persons, take)
  impostorPairs(gallery, persons, { bound: place === 0 ? bounds.all : bounds.part, seed: `${seed} ${place}` }, take)
  answer({ kind: 'compared', pairs: compared % PAIRS_PER_ANSWER })
  answer({ kind: 'measured', photos: countPairs(gallery, persons).photos, curve: counts.result() })
}
answer({ kind: 'done' })
