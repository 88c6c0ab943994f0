/** The engine shared out: people at a counter wait in a short line, photographs embedded anew step back for them. */
import { setTimeout as delay } from 'node:timers/promises'
import { FacePoolBusy, PhotoRefusal, type AnalyseOptions, type FacePool, type PhotoAnalysis } from '@gatehouse/face-engine'
import { createSemaphore, SemaphoreFull } from '../../platform/async/semaphore.ts'
import { Refusal, refuse } from '../../platform/http/refusal.ts'

export interface Analysis {
  /** For somebody who waits. @throws Refusal with the code of what is wrong, 900000 when hundreds wait already */
  now(photo: Uint8Array, options?: AnalyseOptions): Promise<PhotoAnalysis>
  /** The same. @throws PhotoRefusal, SemaphoreFull */
  analyse(photo: Uint8Array, options?: AnalyseOptions): Promise<PhotoAnalysis>
  /** For nobody in particular: begins when nobody else wants the engine, and is not waited for once it is aborted. @throws PhotoRefusal */
  gently(photo: Uint8Array, options: AnalyseOptions, signal: AbortSignal): Promise<PhotoAnalysis>
}

const WAITING_MAX = 1000
/** The pool's own line is full, with photographs of others. */
const AGAIN_MS = 50

/** Turns what the engine refuses into what the caller is answered. */
export function refusalOf(error: unknown): never {
  if (error instanceof PhotoRefusal) {
    const faces = error.faces.map((box) => ({ box }))
    throw new Refusal(error.code, {
      fields: [{ path: 'file', rule: `code.${error.code}`, params: { ...error.measured } }],
      ...(faces.length > 0 && { faces }),
    })
  }
  if (error instanceof SemaphoreFull) refuse(900000)
  throw error
}

/** What is being worked on cannot be called back, but whoever stops need not wait for it. */
async function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  const { promise: aborted, reject } = Promise.withResolvers<never>()
  const stop = () => reject(signal.reason)
  signal.addEventListener('abort', stop, { once: true })
  return Promise.race([work, aborted]).finally(() => signal.removeEventListener('abort', stop))
}

/** @param workers of the pool */
export function createAnalysis(pool: Pick<FacePool, 'analyse'>, workers: number): Analysis {
  // One more than there are workers: the next photograph is handed over while this one is worked on.
  const semaphore = createSemaphore(workers + 1, WAITING_MAX)

  async function patiently(photo: Uint8Array, options: AnalyseOptions, signal?: AbortSignal): Promise<PhotoAnalysis> {
    for (;;) {
      try {
        return await pool.analyse(photo, options)
      } catch (error) {
        if (!(error instanceof FacePoolBusy)) throw error
        await delay(AGAIN_MS, undefined, signal === undefined ? {} : { signal })
      }
    }
  }

  async function analyse(photo: Uint8Array, options: AnalyseOptions = {}): Promise<PhotoAnalysis> {
    const leave = await semaphore.enter()
    try {
      return await patiently(photo, options)
    } finally {
      leave()
    }
  }

  return {
    analyse,
    now: (photo, options) => analyse(photo, options).catch(refusalOf),
    async gently(photo, options, signal) {
      while (!semaphore.idle()) await delay(AGAIN_MS, undefined, { signal })
      signal.throwIfAborted()
      return unlessAborted(patiently(photo, options, signal), signal)
    },
  }
}
