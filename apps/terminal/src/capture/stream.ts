/** The stream of a camera on its way to the engine: pictures come as they come, some are searched, the newest first. */
import { PhotoRefusal } from '@gatehouse/face-engine'
import { createFeed } from '../camera/feed.ts'
import type { FrameQueue } from '../passage/camera.ts'
import { createMoments } from './moments.ts'
import type { Frame, PassersBy } from './passers-by.ts'
import { createRhythm, PAUSE } from './rhythm.ts'

export interface StreamState {
  /** Pictures that come per second. */
  picturesPerSecond: number
  /** Of how many of them one is searched. */
  everyNth: number
  /** Pictures that were searched since the start. */
  searched: number
  /** Faces that are followed. */
  inView: number
}

export interface Stream {
  /** Take the next picture. */
  take(picture: Uint8Array): void
  state(): StreamState
  /** Take no more pictures; resolves when whoever is in view is captured. */
  stop(): Promise<void>
}

export interface StreamParts {
  queue: FrameQueue
  passersBy: PassersBy
  engineWorks: () => boolean
  /** Milliseconds of a clock that never jumps. */
  now?: () => number
  log: (sentence: string) => void
}

export function createStream({ queue, passersBy, engineWorks, now = () => performance.now(), log }: StreamParts): Stream {
  const rhythm = createRhythm()
  const moments = createMoments()
  const feed = createFeed<Frame>(queue, look, log)
  let newestAt = -Infinity
  let searched = 0
  let ending: NodeJS.Timeout | undefined

  async function look(frame: Frame): Promise<void> {
    const started = now()
    try {
      const faces = await passersBy.look(frame)
      searched++
      rhythm.searched(now() - started, faces > 0)
    } catch (error) {
      // A picture that was cut off on its way: the next one comes at once.
      if (!(error instanceof PhotoRefusal)) throw error
    }
  }

  async function end(): Promise<void> {
    try {
      await queue.picture(passersBy.end)
    } catch (error) {
      log(`Who was in view could not be captured: ${error instanceof Error ? error.message : String(error)}`)
    }
  }

  return {
    take(picture) {
      const arrivedAt = now()
      newestAt = arrivedAt
      const takenAt = moments.next(arrivedAt)
      if (!rhythm.isDue(arrivedAt) || !engineWorks()) return
      feed.take({ picture, takenAt })
      clearTimeout(ending)
      ending = setTimeout(() => void end(), PAUSE)
      ending.unref()
    },
    state() {
      const { picturesPerSecond, everyNth } = rhythm.state()
      return { picturesPerSecond: now() - newestAt < PAUSE ? picturesPerSecond : 0, everyNth, searched, inView: passersBy.inView() }
    },
    async stop() {
      clearTimeout(ending)
      await feed.stop()
      await end()
    },
  }
}
