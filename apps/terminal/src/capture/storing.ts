/** Captures on their way: stored in the outbox, from where they are sent, or in memory only where nobody is kept who matches no task. */
import type { EngineDescription } from '@gatehouse/face-engine'
import type { Device } from '../device/device.ts'
import type { NumberedOutbox } from '../device/numbered.ts'
import { decodeTemplate, encodeTemplate } from '../store/template.ts'
import type { Capture } from './capture.ts'
import type { CaptureCameraState } from './options.ts'
import type { PassingCaptures } from './passing.ts'

export interface CaptureStore {
  /**
   * Store a capture and send it when possible, or send it from memory.
   * @param alsoWrite writes what is stored with it
   * @throws when it cannot be written
   */
  take(capture: Capture, alsoWrite?: () => void): void
  state(): Pick<CaptureCameraState, 'captures' | 'waiting' | 'storageWorks' | 'passing'>
  /** Return the templates of captures since a moment, of this model. */
  embeddingsSince(moment: number): Float32Array[]
}

/** Captures looked through for those of the last moments. */
const LATEST = 50

export function createCaptureStore(
  device: Pick<Device, 'appendNumbered'>,
  outbox: NumberedOutbox,
  { modelId, dimensions }: EngineDescription,
  passing: Pick<PassingCaptures, 'take' | 'state'>,
  keepsMatchedOnly: () => boolean,
): CaptureStore {
  let count = 0
  let lastAt: number | null = null
  let storageWorks = true

  return {
    take(taken, alsoWrite) {
      const { embedding, picture, ...capture } = taken
      if (keepsMatchedOnly()) {
        alsoWrite?.()
        passing.take(taken)
      } else {
        storageWorks = false
        device.appendNumbered('capture', { ...capture, template: encodeTemplate(embedding), modelId }, picture, alsoWrite)
        storageWorks = true
      }
      count++
      lastAt = capture.capturedAt
    },
    state() {
      const { waiting, lost } = passing.state()
      return {
        captures: { count, lastAt },
        waiting: outbox.length('capture') + waiting,
        storageWorks,
        passing: keepsMatchedOnly() ? { lost } : null,
      }
    },
    embeddingsSince: (moment) =>
      outbox
        .latest('capture', LATEST)
        .filter((capture) => capture.leftAt >= moment && capture.modelId === modelId && capture.template !== null)
        .flatMap(({ template }) => decodeTemplate(template!, dimensions) ?? []),
  }
}
