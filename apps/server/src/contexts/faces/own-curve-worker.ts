/** The thread that compares the people of a park, so that the thread that answers requests is not blocked. */
import { parentPort, workerData } from 'node:worker_threads'
import { measureOwn, type OwnCurveResult, type OwnCurveTask } from './own-curve-pairs.ts'

export type OwnCurveAnswer =
  /** Number of pairs compared since the last answer. */
  { kind: 'compared'; pairs: number } | { kind: 'measured'; result: OwnCurveResult }

const PAIRS_PER_ANSWER = 100_000

if (parentPort === null) throw new Error('this file is a thread that measures')
const port = parentPort
const answer = (what: OwnCurveAnswer): void => port.postMessage(what)

let compared = 0
const result = measureOwn(workerData as OwnCurveTask, (pairs) => {
  compared += pairs
  if (compared < PAIRS_PER_ANSWER) return
  answer({ kind: 'compared', pairs: compared })
  compared = 0
})
answer({ kind: 'measured', result })
