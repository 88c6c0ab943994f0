/** The thread that draws what the cameras of the demo see. */
import { parentPort } from 'node:worker_threads'
import { portraitVariant } from '@gatehouse/face-engine/portrait/portrait'
import sharp from 'sharp'
import type { PaintAnswer, PaintTask, Sight } from './painter.ts'

/** What a terminal shows of a drawn portrait: about `faceSquare` of any of them. */
const FACE_OF_PORTRAIT = { left: 20, top: 68, width: 364, height: 364 }
/** Pixels of a side, as terminals send them. */
const SIDE = 320
/** Portraits kept: about as many as people come on one day. */
const KEPT = 200

/** Drawing takes most of the time, and people come several times a day in the same clothes. */
const drawn = new Map<string, Promise<Buffer>>()

function portraitOf({ face, gender, variant }: Sight): Promise<Buffer> {
  const key = `${face} ${gender ?? ''} ${variant}`
  const kept = drawn.get(key)
  if (kept !== undefined) return kept
  const fresh = portraitVariant(face, variant, gender === undefined ? {} : { gender })
  drawn.set(key, fresh)
  if (drawn.size > KEPT) drawn.delete(drawn.keys().next().value!)
  return fresh
}

async function paint(sight: Sight): Promise<Uint8Array> {
  const { left, top, ...size } = FACE_OF_PORTRAIT
  const face = sharp(await portraitOf(sight))
    .extract({ left: left + sight.right, top: top + sight.down, ...size })
    .resize(SIDE)
    .modulate({ brightness: sight.light })
  return new Uint8Array(await (sight.isBlurred ? face.blur(3) : face).webp().toBuffer())
}

parentPort!.on('message', ({ id, sight }: PaintTask) => {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
  const answer = (told: PaintAnswer): void => parentPort!.postMessage(told)
  // Ends by itself once nothing is being drawn: a thread that is cut off while native code runs may take the process with it.
  if (sight === null) return parentPort!.close()
  paint(sight).then(
    (picture) => answer({ id, picture }),
    (error: unknown) => answer({ id, failure: String(error) }),
  )
})
