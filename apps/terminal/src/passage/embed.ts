/** Templates made from photographs by the terminal's own engine, if the server has none of its model. */
import { setTimeout as pause } from 'node:timers/promises'
import { acceptedFace, FacePoolBusy, PhotoRefusal, type FacePool } from '@gatehouse/face-engine'
import type { Embed } from '../device/deliveries.ts'
import { encodeTemplate } from '../store/template.ts'

/** Milliseconds to wait when the engine is busy: people at the door take precedence. */
const BUSY = 200

/** @param ready resolves when the engine has started, or has failed to */
export function embedderOf(pool: Pick<FacePool, 'analyse'>, ready: Promise<void>): Embed {
  return async (photo) => {
    await ready
    for (;;) {
      try {
        const analysis = await pool.analyse(photo, { embed: 'first' })
        return encodeTemplate(acceptedFace(analysis).embedding)
      } catch (error) {
        if (error instanceof PhotoRefusal) return null
        if (!(error instanceof FacePoolBusy)) throw error
        await pause(BUSY)
      }
    }
  }
}
