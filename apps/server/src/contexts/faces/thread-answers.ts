/** What a thread has to say, one answer after another, until it has said the last one. */
import { on } from 'node:events'
import { Worker } from 'node:worker_threads'

/**
 * Starts a thread and gives its answers; it ends with the caller's loop.
 * @param file of the thread
 * @throws what `signal` is aborted with; Error where the thread ends before the caller has left the loop
 */
export async function* answersOf<Answer>(file: URL, workerData: unknown, signal: AbortSignal): AsyncGenerator<Answer> {
  // The caller's flags are not ours: a test runner's loader would break the thread.
  const worker = new Worker(file, { workerData, execArgv: [] })
  try {
    for await (const [answer] of on(worker, 'message', { signal, close: ['exit'] }) as AsyncIterable<[Answer]>) yield answer
    throw new Error('the thread that measures ended before its time')
  } finally {
    await worker.terminate()
  }
}
