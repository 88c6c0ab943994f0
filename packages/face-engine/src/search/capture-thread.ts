/** The thread of `CaptureSearchWorker`: segments of captures, and what searches that are under way know so far. */
import { parentPort, workerData } from 'node:worker_threads'
import { CaptureScan } from './capture-scan.ts'
import type { CaptureCandidate, CaptureLimits } from './capture-scan.ts'
import { CaptureSegment } from './capture-segment.ts'
import type { CaptureColumns, CaptureFilter } from './capture-segment.ts'
import type { KernelKind } from './kernel.ts'

export interface CaptureThreadOptions {
  dimensions: number
  kernel: KernelKind
}

export type CaptureTask =
  | { kind: 'open'; segment: string; rows: number }
  | { kind: 'put'; segment: string; columns: CaptureColumns }
  | { kind: 'complete'; segment: string }
  | { kind: 'blank'; segment: string; ids: readonly string[] }
  | { kind: 'drop'; segment: string }
  | { kind: 'begin'; search: number; probes: readonly Float32Array[]; limits: CaptureLimits }
  | { kind: 'end'; search: number }
  /** `bound`: what other threads found for this search. */
  | { kind: 'scan'; question: number; search: number; bound: number; segment: string; filter: CaptureFilter }
  | { kind: 'candidates'; question: number; search: number; bound: number }
  | { kind: 'memory'; question: number }

/** A refusal travels as words: a thrown error would arrive without its class. */
export type CaptureReport =
  | { kind: 'scanned'; question: number; compared: number; bound: number }
  | { kind: 'incomplete'; question: number; why: string }
  | { kind: 'candidates'; question: number; candidates: CaptureCandidate[] }
  | { kind: 'memory'; question: number; segments: { segment: string; bytes: number; captures: number }[] }

if (parentPort === null) throw new Error('this file is the thread of a CaptureSearchWorker')
const port = parentPort
const { dimensions, kernel } = workerData as CaptureThreadOptions
const segments = new Map<string, CaptureSegment>()
const searches = new Map<number, CaptureScan>()
/** Segments that are not filled yet, or had no room, and which of both: they answer nothing, because captures would be missing. */
const incomplete = new Map<string, string>()
const NOT_FILLED = 'a day of captures is not filled yet'

const report = (what: CaptureReport): void => port.postMessage(what)

port.on('message', (task: CaptureTask) => {
  if (task.kind === 'scan') return scan(task)
  if (task.kind === 'candidates') return candidates(task)
  if (task.kind === 'memory')
    return report({ ...task, segments: [...segments].map(([segment, { bytes, size }]) => ({ segment, bytes, captures: size })) })
  if (task.kind === 'begin') searches.set(task.search, new CaptureScan(task.probes, task.limits))
  else if (task.kind === 'end') searches.delete(task.search)
  else if (task.kind === 'drop') {
    segments.delete(task.segment)
    incomplete.delete(task.segment)
  } else if (task.kind === 'complete') {
    if (incomplete.get(task.segment) === NOT_FILLED) incomplete.delete(task.segment)
  } else if (task.kind === 'blank') segments.get(task.segment)?.blank(task.ids)
  else fill(task)
})

function fill(task: Extract<CaptureTask, { kind: 'open' | 'put' }>): void {
  try {
    const segment = segments.get(task.segment) ?? new CaptureSegment(dimensions, kernel)
    segments.set(task.segment, segment)
    // A segment is filled with each capture once.
    if (task.kind === 'put') return incomplete.get(task.segment) === NOT_FILLED ? segment.append(task.columns) : segment.put(task.columns)
    incomplete.set(task.segment, NOT_FILLED)
    segment.reserve(task.rows)
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    incomplete.set(task.segment, error.message)
  }
}

function candidates({ question, search, bound }: Extract<CaptureTask, { kind: 'candidates' }>): void {
  const found = searches.get(search)
  found?.lower(bound)
  report({ kind: 'candidates', question, candidates: found?.candidates() ?? [] })
}

function scan({ question, search, bound, segment, filter }: Extract<CaptureTask, { kind: 'scan' }>): void {
  const [found, scanned] = [searches.get(search), segments.get(segment)]
  const why = found === undefined ? 'the search has ended' : incomplete.get(segment)
  if (why !== undefined || found === undefined || scanned === undefined)
    return report({ kind: 'incomplete', question, why: why ?? 'a day of captures is not in memory' })
  found.lower(bound)
  const compared = scanned.scan(found, filter)
  report({ kind: 'scanned', question, compared, bound: found.bound })
}
