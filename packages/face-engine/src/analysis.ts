/** What every engine does around its models: stages are timed, faces put in order, coordinates brought back to the photograph. */
import type { Box, Face, PhotoAnalysis, Point, Timings } from './face.ts'
import { fivePoints } from './five-points.ts'
import type { Pixels } from './photo.ts'

/** Runs one stage and adds its time to the photograph's. */
export type Timed = <T>(stage: keyof Timings, work: () => T | Promise<T>) => Promise<T>

export async function timedAnalysis(analyse: (timed: Timed) => Promise<Omit<PhotoAnalysis, 'timings'>>): Promise<PhotoAnalysis> {
  const timings: Timings = { decode: 0, detect: 0, align: 0, embed: 0, liveness: 0, total: 0 }
  const timed: Timed = async (stage, work) => {
    const start = performance.now()
    try {
      return await work()
    } finally {
      timings[stage] += performance.now() - start
    }
  }
  return { ...(await timed('total', () => analyse(timed))), timings }
}

/** Large, certain and whole comes first: a blurred bystander cut off by the edge may be larger than the person meant. */
export function prominence({ box, score }: { box: Box; score: number }, { width, height }: Pixels): number {
  const seen = (from: number, length: number, limit: number) => Math.max(0, Math.min(from + length, limit) - Math.max(from, 0)) / length
  return Math.sqrt(box.width * box.height) * score * seen(box.x, box.width, width) * seen(box.y, box.height, height)
}

/** From pixels decoded to pixels of the photograph. */
export function enlarged<Measured extends Pick<Face, 'box' | 'landmarks'>>(face: Measured, scale: number): Measured {
  const point = ({ x, y }: Point) => ({ x: x * scale, y: y * scale })
  const { box, landmarks } = face
  return {
    ...face,
    box: { x: box.x * scale, y: box.y * scale, width: box.width * scale, height: box.height * scale },
    landmarks: fivePoints(landmarks, point),
  }
}
