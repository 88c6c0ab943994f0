/** Pictures of a camera on their way to the passage. A free engine gets the newest picture, never one that has been waiting. */
import { FrameDropped, type FrameQueue } from '../passage/camera.ts'

export interface CameraFeed<Frame> {
  take(frame: Frame): void
  /** Take no more pictures; resolves when the last one is decided about. */
  stop(): Promise<void>
}

/** @param look decides about a frame */
export function createFeed<Frame = Uint8Array>(
  queue: FrameQueue,
  look: (frame: Frame) => Promise<unknown>,
  log: (sentence: string) => void,
): CameraFeed<Frame> {
  let newest: Frame | null = null
  let looking: Promise<void> | null = null
  let stopped = false

  async function lookOn(): Promise<void> {
    while (newest !== null) {
      try {
        await queue.frame(async () => {
          const frame = newest
          newest = null
          if (frame !== null && !stopped) await look(frame)
        })
      } catch (error) {
        if (!(error instanceof FrameDropped))
          log(`A picture of the camera could not be looked at: ${error instanceof Error ? error.message : String(error)}`)
      }
    }
    looking = null
  }

  return {
    take(frame) {
      if (stopped) return
      newest = frame
      looking ??= lookOn()
    },
    async stop() {
      stopped = true
      newest = null
      await looking
    },
  }
}
