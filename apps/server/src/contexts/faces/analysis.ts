/**
 * Sharing of the engine: requests that a person or a door waits for queue in order; pictures of cameras have a share of their own, and
 * background work yields to all.
 */
import { setTimeout as delay } from 'node:timers/promises'
import { FacePoolBusy, PhotoRefusal, type AnalyseOptions, type FacePool, type PhotoAnalysis } from '@gatehouse/face-engine'
import { createSemaphore, SemaphoreFull } from '../../platform/async/semaphore.ts'
import { Refusal, refuse } from '../../platform/http/refusal.ts'

export interface Analysis {
  /** Analyse a photograph for a caller who waits. @throws Refusal with the code of what is wrong, 900000 when `WAITING_MAX` wait already */
  now(photo: Uint8Array, options?: AnalyseOptions): Promise<PhotoAnalysis>
  /** The same with the original errors. @throws PhotoRefusal, SemaphoreFull */
  analyse(photo: Uint8Array, options?: AnalyseOptions): Promise<PhotoAnalysis>
  /**
   * Analyse a picture that a camera sent. However many come, no other photograph waits for more of them than one worker has in hand, and
   * other cameras wait for few of this one. @throws PhotoRefusal; SemaphoreFull where that camera, or all of them, have too many waiting
   */
  analyseOfCamera(picture: Uint8Array, cameraId: string): Promise<PhotoAnalysis>
  /**
   * Analyse a photograph in the background: start when nobody else waits for the engine, and stop waiting once `signal` is
   * aborted. @throws PhotoRefusal
   */
  analyseInBackground(photo: Uint8Array, options: AnalyseOptions, signal: AbortSignal): Promise<PhotoAnalysis>
}

const WAITING_MAX = 1000
/** Pictures of cameras that wait at most, and the share of one camera. Few: they are in memory meanwhile, and cameras keep them. */
const CAMERAS_WAITING_MAX = 40
const CAMERA_SHARE = 1 / 8
/** Milliseconds until the next attempt while the pool is busy. */
const AGAIN_MS = 50

/** Convert an error of the engine into the error that the caller gets. */
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

/** Wait for work unless the signal is aborted: running work cannot be cancelled, but the caller need not wait for it. */
async function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  const { promise: aborted, reject } = Promise.withResolvers<never>()
  const stop = () => reject(signal.reason)
  signal.addEventListener('abort', stop, { once: true })
  return Promise.race([work, aborted]).finally(() => signal.removeEventListener('abort', stop))
}

/** @param workers number of workers of the pool */
export function createAnalysis(pool: Pick<FacePool, 'analyse'>, workers: number): Analysis {
  // One more than there are workers: the next photograph is handed over while the current one is analysed.
  const semaphore = createSemaphore(workers + 1, WAITING_MAX)
  // One worker fewer than there are: those who wait in front of the engine find one that cameras do not have.
  const ofCameras = createSemaphore(Math.max(1, workers - 1), CAMERAS_WAITING_MAX, CAMERA_SHARE)

  async function retryWhileFull(photo: Uint8Array, options: AnalyseOptions, signal?: AbortSignal): Promise<PhotoAnalysis> {
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
      return await retryWhileFull(photo, options)
    } finally {
      leave()
    }
  }

  return {
    analyse,
    async analyseOfCamera(picture, cameraId) {
      const leave = await ofCameras.enter(1, cameraId)
      try {
        return await analyse(picture)
      } finally {
        leave()
      }
    },
    now: (photo, options) => analyse(photo, options).catch(refusalOf),
    async analyseInBackground(photo, options, signal) {
      while (!semaphore.idle()) await delay(AGAIN_MS, undefined, { signal })
      signal.throwIfAborted()
      return unlessAborted(retryWhileFull(photo, options, signal), signal)
    },
  }
}
