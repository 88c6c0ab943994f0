/**
 * Lets one engine follow people who walk by, in a process of its own, whose processor time is that of the camera alone. Started by
 * `camera.ts` with the folder of a model set, or without one for the built-in engine; sends its measurements and ends.
 */
import { setTimeout as pause } from 'node:timers/promises'
import { openPhotographs } from '@gatehouse/dev-env/photographs'
import { walkers, walkingPictures } from '@gatehouse/dev-env/walking-faces'
import { FacePool, distanceOf, distanceOfScore, engineOf, recommendedScore } from '@gatehouse/face-engine'
import { createPassersBy } from '@gatehouse/terminal/capture/passers-by'
import { DEFAULTS } from '@gatehouse/terminal/capture/settings'
import { createStream } from '@gatehouse/terminal/capture/stream'
import { createFrameQueue } from '../apps/terminal/src/passage/camera.ts'

export interface CameraRun {
  people: number
  captures: number
  /** Captures whose face is nearest to that of somebody who was not captured before. */
  right: number
  /** Processor time of the process as part of the time, while the film ran. */
  processorShare: number
  /** Milliseconds from the first picture of a face to its capture. */
  delays: number[]
  /** Of how many pictures one was searched at the end. */
  everyNth: number
}

const PER_SECOND = 25
const PEOPLE = 12

const pool = new FacePool({ engine: await engineOf(process.argv[2] ?? null), workers: 1 })
const people = await Promise.all(
  openPhotographs()
    .people.slice(0, PEOPLE)
    .map((person) => person.photo(1)),
)
const pictures: Uint8Array[] = []
for await (const picture of walkingPictures(walkers(people), { perSecond: PER_SECOND })) pictures.push(new Uint8Array(picture))
const templates = await Promise.all(people.map(async (photo) => (await pool.analyse(photo, { embed: 'first' })).faces[0]!.embedding!))
await pool.analyse(pictures[0]!, { embed: 'none', search: 'quick' })

const { calibration, modelId } = pool.description
const distance = (one: Float32Array, other: Float32Array) => distanceOf({ modelId, embedding: one }, { modelId, embedding: other })
const within = distanceOfScore(calibration, recommendedScore(calibration, 'watchList'))
const captured = new Set<number>()
const delays: number[] = []
let captures = 0

const stream = createStream({
  queue: createFrameQueue(),
  passersBy: createPassersBy({
    pool,
    settings: () => DEFAULTS,
    isSameFace: (one, other) => distance(one, other) <= within,
    epochOf: (takenAt) => takenAt,
    take({ embedding, enteredAt }) {
      captures++
      delays.push(performance.now() - enteredAt)
      const distances = templates.map((template) => distance(template, embedding))
      captured.add(distances.indexOf(Math.min(...distances)))
    },
  }),
  engineWorks: () => true,
  log: (sentence) => process.stderr.write(`${sentence}\n`),
})

const before = process.cpuUsage()
const start = performance.now()
for (const [index, picture] of pictures.entries()) {
  await pause(Math.max(0, start + (index * 1_000) / PER_SECOND - performance.now()))
  stream.take(picture)
}
const { user, system } = process.cpuUsage(before)
const elapsed = performance.now() - start
const { everyNth } = stream.state()
await stream.stop()
await pool.close()

const run: CameraRun = {
  people: people.length,
  captures,
  right: captured.size,
  processorShare: (user + system) / 1_000 / elapsed,
  delays,
  everyNth,
}
process.send?.(run, () => process.disconnect?.())
