/** One capture on its way to the outbox. */
import type { CaptureObject } from '@gatehouse/contract/device/numbered'

export interface Capture extends Omit<CaptureObject, 'seq' | 'template' | 'hasPicture'> {
  embedding: Float32Array
  /** The face with its surroundings, as WebP. */
  picture: Uint8Array
}
