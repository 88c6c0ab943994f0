/** Comparison of the photographs of a report in a separate thread. */
import type { ErrorCurve } from '@gatehouse/face-engine'
import type { ReportAnswer, ReportTask } from './report-worker.ts'
import { answersOf } from './thread-answers.ts'

export interface MeasuredPart {
  photos: number
  curve: ErrorCurve
}

/**
 * Return the errors of each part, in their order.
 * @param onCompared called with the number of pairs compared since the last call; what it throws ends the thread
 */
export async function measureParts(
  task: ReportTask,
  signal: AbortSignal,
  onCompared: (pairs: number) => Promise<void>,
): Promise<MeasuredPart[]> {
  const measured: MeasuredPart[] = []
  for await (const answer of answersOf<ReportAnswer>(new URL('./report-worker.ts', import.meta.url), task, signal)) {
    if (answer.kind === 'done') break
    if (answer.kind === 'measured') measured.push({ photos: answer.photos, curve: answer.curve })
    else await onCompared(answer.pairs)
  }
  return measured
}
