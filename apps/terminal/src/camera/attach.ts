/** A network camera at a terminal: its pictures go to the passage and to the screen, its state is read on request. */
import type { FastifyInstance } from 'fastify'
import { createBackoff } from '../async/backoff.ts'
import type { FrameQueue } from '../passage/camera.ts'
import type { CameraAddress } from './address.ts'
import { createFeed } from './feed.ts'
import { startSource, type CameraSource, type CameraState } from './source.ts'
import { serveViewers } from './viewers.ts'

/**
 * Milliseconds without a picture after which a camera counts as away. A camera that saves power may send a whole picture every ten seconds.
 */
export const SILENCE = 15_000
/** Milliseconds until a camera that is away is tried again. */
export const RETRY = { first: 1_000, limit: 30_000 }

export interface CameraOptions {
  address: CameraAddress
  /** Default 15 s. */
  silence?: number
  retry?: { first: number; limit: number }
  queue: FrameQueue
  /** Decide about a frame. */
  look: (jpeg: Uint8Array) => Promise<unknown>
  engineWorks: () => boolean
  onState: (state: CameraState) => void
  log: (sentence: string) => void
}

export interface AttachedCamera extends CameraSource {
  /** Return the current picture; null while the camera is away. */
  latest(): Uint8Array | null
}

/** Start the camera and serve its pictures. */
export function attachCamera(
  server: FastifyInstance,
  { address, silence = SILENCE, retry = RETRY, queue, look, engineWorks, onState, log }: CameraOptions,
): AttachedCamera {
  const feed = createFeed(queue, look, log)
  const viewers = serveViewers(server, { isLive: () => source.state().state === 'live' })
  const source = startSource({
    address,
    silence,
    backoff: createBackoff(retry.first, retry.limit, Math.random),
    onPicture(jpeg) {
      viewers.show(jpeg)
      if (engineWorks()) feed.take(jpeg)
    },
    onState(state) {
      if (state.state !== 'live') viewers.clear()
      onState(state)
    },
    log,
  })

  return {
    state: source.state,
    latest: viewers.latest,
    async stop() {
      viewers.clear()
      await source.stop()
      await feed.stop()
    },
  }
}
