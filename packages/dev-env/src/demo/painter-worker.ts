/** The thread that draws the people of the demo and what its cameras see. */
import { parentPort } from 'node:worker_threads'
import sharp from 'sharp'
import { portrait, portraitVariant } from '../portraits.ts'
import type { PaintAnswer, PaintTask, Sight, Sitter } from './painter.ts'

/** Area of a drawn portrait that a terminal shows: about the `faceSquare` of any portrait. */
const FACE_OF_PORTRAIT = { left: 52, top: 95, width: 301, height: 301 }
/** Pixels of a side, as terminals send them. */
const SIDE = 320
/** Portraits kept in memory: about as many as people come on one day. */
const KEPT = 200

/** Drawing takes most of the time, and people come several times a day in the same clothes. */
const drawn = new Map<string, Promise<Buffer>>()

const genderOf = ({ gender }: Sitter): { gender?: NonNullable<Sitter['gender']> } => (gender === undefined ? {} : { gender })

function portraitOf(sight: Sight): Promise<Buffer> {
  const { face, gender, variant } = sight
  const key = `${face} ${gender ?? ''} ${variant}`
  const kept = drawn.get(key)
  if (kept !== undefined) return kept
  const fresh = portraitVariant(face, variant, genderOf(sight))
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

parentPort!.on('message', (task: PaintTask) => {
  const { id } = task
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
  const answer = (message: PaintAnswer): void => parentPort!.postMessage(message)
  // The thread ends by itself once nothing is being drawn: ending it while native code runs may crash the process.
  if ('end' in task) return parentPort!.close()
  const drawing =
    'sight' in task ? paint(task.sight) : portrait(task.portrait.face, genderOf(task.portrait)).then((bytes) => new Uint8Array(bytes))
  drawing.then(
    (picture) => answer({ id, picture }),
    (error: unknown) => answer({ id, failure: String(error) }),
  )
})
