/** Pictures of a camera on their way to the passage. A free engine gets the newest picture, never one that has been waiting. */
import { FrameDropped, type FrameQueue } from '../passage/camera.ts'

export interface CameraFeed {
  take(jpeg: Uint8Array): void
  /** Take no more pictures; resolves when the last one is decided about. */
  stop(): Promise<void>
}

/** @param look decides about a frame */
export function createFeed(queue: FrameQueue, look: (jpeg: Uint8Array) => Promise<unknown>, log: (sentence: string) => void): CameraFeed {
  let newest: Uint8Array | null = null
  let looking: Promise<void> | null = null
  let stopped = false

  async function lookOn(): Promise<void> {
    while (newest !== null) {
      try {
        await queue.frame(async () => {
          const jpeg = newest
          newest = null
          if (jpeg !== null && !stopped) await look(jpeg)
        })
      } catch (error) {
        if (!(error instanceof FrameDropped))
          log(`A picture of the camera could not be looked at: ${error instanceof Error ? error.message : String(error)}`)
      }
    }
    looking = null
  }

  return {
    take(jpeg) {
      if (stopped) return
      newest = jpeg
      looking ??= lookOn()
    },
    async stop() {
      stopped = true
      newest = null
      await looking
    },
  }
}
