/** Compares the photographs of a report in a thread of its own. */
import type { ErrorCurve } from '@gatehouse/face-engine'
import type { ReportAnswer, ReportTask } from './report-worker.ts'
import { answersOf } from './thread-answers.ts'

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
  const measured: MeasuredPart[] = []
  for await (const answer of answersOf<ReportAnswer>(new URL('./report-worker.ts', import.meta.url), task, signal)) {
    if (answer.kind === 'done') break
    if (answer.kind === 'measured') measured.push({ photos: answer.photos, curve: answer.curve })
    else await onCompared(answer.pairs)
  }
  return measured
}
