/** Answers of a worker thread as an async generator. */
import { on } from 'node:events'
import { Worker } from 'node:worker_threads'

/**
 * Start a thread and yield its answers; the thread ends with the caller's loop.
 * @param file the thread's module
 * @throws the reason `signal` is aborted with; Error where the thread ends before the caller has left the loop
 */
export async function* answersOf<Answer>(file: URL, workerData: unknown, signal: AbortSignal): AsyncGenerator<Answer> {
  // Flags of the process are not passed on: a test runner's loader would break the thread.
  const worker = new Worker(file, { workerData, execArgv: [] })
  try {
    for await (const [answer] of on(worker, 'message', { signal, close: ['exit'] }) as AsyncIterable<[Answer]>) yield answer
    throw new Error('the thread that measures ended before its time')
  } finally {
    await worker.terminate()
  }
}
