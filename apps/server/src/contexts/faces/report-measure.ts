/** Compares the photographs of a report in a thread of its own. */
import { on } from 'node:events'
import { Worker } from 'node:worker_threads'
import type { ErrorCurve } from '@gatehouse/face-engine'
import type { ReportAnswer, ReportTask } from './report-worker.ts'

export interface MeasuredPart {
  photos: number
  curve: ErrorCurve
}

/**
 * The errors of each part, in their order.
 * @param onCompared told how many pairs were compared since it was told last; what it throws ends the thread
 */
export async function measureParts(
  task: ReportTask,
  signal: AbortSignal,
  onCompared: (pairs: number) => Promise<void>,
): Promise<MeasuredPart[]> {
  // The caller's flags are not ours: a test runner's loader would break the thread.
  const worker = new Worker(new URL('./report-worker.ts', import.meta.url), { workerData: task, execArgv: [] })
  const measured: MeasuredPart[] = []
  try {
    for await (const [answer] of on(worker, 'message', { signal, close: ['exit'] }) as AsyncIterable<[ReportAnswer]>) {
      if (answer.kind === 'done') return measured
      if (answer.kind === 'measured') measured.push({ photos: answer.photos, curve: answer.curve })
      else await onCompared(answer.pairs)
    }
    throw new Error('the thread that measures ended before its time')
  } finally {
    await worker.terminate()
  }
}
