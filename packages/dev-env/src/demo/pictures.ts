/** Pictures of past passages: drawn and sent after everything else, the newest first. */
import type { Painter, Sight } from './painter.ts'

interface MissingPicture {
  moment: number
  sight: Sight
  /** Hand the picture to the device. @throws Error when the device cannot take it */
  send(picture: Uint8Array): Promise<void>
}

export interface Pictures {
  add(missing: readonly MissingPicture[]): void
  /** Resolves when no picture is being drawn: all are drawn, or `signal` has aborted. */
  idle(): Promise<void>
}

/** Pictures drawn at the same time. */
const AT_ONCE = 2

export function createPictures(painter: Pick<Painter, 'paint'>, signal: AbortSignal): Pictures {
  /** The newest stands last. */
  const missing: MissingPicture[] = []
  const lanes = new Set<Promise<void>>()

  async function lane(): Promise<void> {
    while (!signal.aborted) {
      const next = missing.pop()
      if (next === undefined) return
      try {
        await next.send(await painter.paint(next.sight))
      } catch {
        // A record may stay without its picture: the device is lost, or the demo ends.
      }
    }
  }

  return {
    add(more) {
      if (more.length === 0) return
      missing.push(...more)
      missing.sort((one, other) => one.moment - other.moment)
      while (lanes.size < AT_ONCE) {
        const running: Promise<void> = lane().finally(() => lanes.delete(running))
        lanes.add(running)
      }
    },
    async idle() {
      while (lanes.size > 0) await Promise.all(lanes)
    },
  }
}
